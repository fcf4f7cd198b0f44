#include "proofs/chains.h"

#include "proofs/node.h"
#include "proofs/slices.h"

#include <stdlib.h>

/* The words of a conjunction, and for each the one that stands for its class: that which was made first. */
struct classes {
    struct smt *s;
    struct term_list words, stands;
};

static term standing_for(struct classes *c, term x)
{
    for (size_t i = 0; i < c->words.count; i++)
        if (c->words.items[i] == x)
            return c->stands.items[i];
    term_list_add(&c->words, x);
    term_list_add(&c->stands, x);
    return x;
}

static void join(struct classes *c, term x, term y)
{
    term a = standing_for(c, x), b = standing_for(c, y);
    const bool first = Z3_get_ast_id(c->s->z3, a) < Z3_get_ast_id(c->s->z3, b);
    for (size_t i = 0; i < c->words.count; i++)
        if (c->stands.items[i] == (first ? b : a))
            c->stands.items[i] = first ? a : b;
}

/* Words side by side are equal where their parts are: joins these. */
static void join_parts(struct classes *c, term x, term y)
{
    struct smt *s = c->s;
    if (is(s, x, Z3_OP_CONCAT) && is(s, y, Z3_OP_CONCAT) && arity(s, x) == 2 && arity(s, y) == 2 &&
        term_width(s, argument(s, x, 0)) == term_width(s, argument(s, y, 0))) {
        join_parts(c, argument(s, x, 0), argument(s, y, 0));
        join_parts(c, argument(s, x, 1), argument(s, y, 1));
    } else if (x != y) {
        join(c, x, y);
    }
}

/* In the order in which they were made, so that the same ones make the same conjunction. */
static void sort(struct smt *s, struct term_list *list)
{
    for (size_t i = 1; i < list->count; i++) {
        term x = list->items[i];
        size_t k = i;
        for (; k > 0 && Z3_get_ast_id(s->z3, list->items[k - 1]) > Z3_get_ast_id(s->z3, x); k--)
            list->items[k] = list->items[k - 1];
        list->items[k] = x;
    }
}

/* The conjunction of equalities with what stands for each word, and of the others. */
static term conjunction(struct classes *c, struct term_list *others)
{
    term x;
    for (size_t i = 0; i < c->words.count; i++)
        term_list_add(others, v_eq(c->s, c->words.items[i], c->stands.items[i]));
    sort(c->s, others);
    x = b_all(c->s, others->items, others->count);
    term_list_free(&c->words);
    term_list_free(&c->stands);
    term_list_free(others);
    return x;
}

struct normal {
    struct smt *s;
    struct term_map seen; /* the number, from 1, of what it became */
    struct term_list became;
};

static term normal(struct normal *n, term x);

static term of_conjunction(struct normal *n, term x)
{
    struct smt *s = n->s;
    struct classes c = {.s = s};
    struct term_list others = {0};
    x = slices_joined(s, x);
    for (unsigned i = 0; i < b_conjuncts(s, x); i++) {
        term part = b_conjunct(s, x, i);
        if (is(s, part, Z3_OP_EQ) && term_width(s, argument(s, part, 0)) > 1)
            join_parts(&c, argument(s, part, 0), argument(s, part, 1));
        else
            term_list_add(&others, part != x ? normal(n, part) : part);
    }
    return conjunction(&c, &others);
}

static term computed(struct normal *n, term x)
{
    struct smt *s = n->s;
    if (is(s, x, Z3_OP_AND) || is(s, x, Z3_OP_EQ))
        return of_conjunction(n, x);
    if (is(s, x, Z3_OP_OR) || is(s, x, Z3_OP_NOT))
        return b_not(s, normal(n, b_not(s, x)));
    if (is(s, x, Z3_OP_XOR) && arity(s, x) == 2)
        return b_xor(s, normal(n, argument(s, x, 0)), normal(n, argument(s, x, 1)));
    if (is(s, x, Z3_OP_ITE) && term_width(s, x) == 0)
        return b_ite(s, normal(n, argument(s, x, 0)), normal(n, argument(s, x, 1)), normal(n, argument(s, x, 2)));
    return x;
}

static term normal(struct normal *n, term x)
{
    uint32_t number = *term_map_at(n->s, &n->seen, x);
    if (number == 0) {
        term_list_add(&n->became, computed(n, x));
        number = (uint32_t)n->became.count;
        *term_map_at(n->s, &n->seen, x) = number;
    }
    return n->became.items[number - 1];
}

term chains_normal(struct smt *s, term x)
{
    struct normal n = {.s = s};
    x = normal(&n, x);
    term_map_free(&n.seen);
    term_list_free(&n.became);
    return x;
}
