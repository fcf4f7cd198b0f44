#include "proofs/node.h"

#include <stdlib.h>
#include <string.h>

bool is_true(struct smt *s, term x)
{
    return Z3_get_bool_value(s->z3, x) == Z3_L_TRUE;
}

bool is_false(struct smt *s, term x)
{
    return Z3_get_bool_value(s->z3, x) == Z3_L_FALSE;
}

/* A growing list of operands. */
struct operands {
    term *x;
    size_t n, room;
};

static void operands_add(struct operands *o, term x)
{
    o->x = smt_room(o->x, o->n, &o->room, sizeof *o->x);
    o->x[o->n++] = x;
}

static bool operands_have(const struct operands *o, term x)
{
    for (size_t i = 0; i < o->n; i++)
        if (o->x[i] == x)
            return true;
    return false;
}

static term rebuilt(struct smt *s, bool conjunction, struct operands *o)
{
    term x;
    if (o->n == 0)
        x = term_bool(s, conjunction);
    else if (o->n == 1)
        x = o->x[0];
    else
        x = smt_keep(s, conjunction ? Z3_mk_and(s->z3, (unsigned)o->n, o->x) : Z3_mk_or(s->z3, (unsigned)o->n, o->x));
    free(o->x);
    return x;
}

/*
 * Negations that were made, both ways: they are asked for all the time, and a negation of a deep Bool is a new deep
 * Bool. The table holds references of its own.
 */
static struct {
    struct smt *owner;
    struct negation {
        term x, negated;
    } * slots;
    size_t used, room;
} negations;

static struct negation *negation_slot(term x)
{
    size_t i = (size_t)((uintptr_t)x >> 4) * 0x9e3779b1u & (negations.room - 1);
    while (negations.slots[i].x != NULL && negations.slots[i].x != x)
        i = (i + 1) & (negations.room - 1);
    return &negations.slots[i];
}

void logic_forget(struct smt *s)
{
    if (negations.owner != s)
        return;
    for (size_t i = 0; i < negations.room; i++)
        if (negations.slots[i].x != NULL) {
            Z3_dec_ref(s->z3, negations.slots[i].x);
            Z3_dec_ref(s->z3, negations.slots[i].negated);
        }
    free(negations.slots);
    negations.slots = NULL;
    negations.owner = NULL;
    negations.used = negations.room = 0;
}

static void negations_grow(struct smt *s)
{
    struct negation *old = negations.slots;
    const size_t room = negations.room;
    negations.owner = s;
    negations.room = room == 0 ? 4096 : 4 * room;
    negations.slots = smt_grow(NULL, negations.room, sizeof *negations.slots);
    memset(negations.slots, 0, negations.room * sizeof *negations.slots);
    for (size_t i = 0; i < room; i++)
        if (old[i].x != NULL)
            *negation_slot(old[i].x) = old[i];
    free(old);
}

static void remember_negation(struct smt *s, term x, term negated)
{
    struct negation *n;
    if (2 * (negations.used + 1) > negations.room)
        negations_grow(s);
    n = negation_slot(x);
    if (n->x != NULL)
        return;
    *n = (struct negation){x, negated};
    negations.used++;
    Z3_inc_ref(s->z3, x);
    Z3_inc_ref(s->z3, negated);
}

static term make_negation(struct smt *s, term x);

term b_not(struct smt *s, term x)
{
    term negated;
    if (negations.owner != s && negations.owner != NULL)
        logic_forget(negations.owner);
    if (negations.room != 0 && negation_slot(x)->x == x)
        return negation_slot(x)->negated;
    negated = make_negation(s, x);
    remember_negation(s, x, negated);
    remember_negation(s, negated, x);
    return negated;
}

static term make_negation(struct smt *s, term x)
{
    struct operands o = {0};
    bool conjunction = is(s, x, Z3_OP_AND);
    if (is_true(s, x) || is_false(s, x))
        return term_bool(s, is_false(s, x));
    if (is(s, x, Z3_OP_NOT))
        return argument(s, x, 0);
    if (!conjunction && !is(s, x, Z3_OP_OR))
        return smt_keep(s, Z3_mk_not(s->z3, x));
    for (unsigned i = 0; i < arity(s, x); i++)
        operands_add(&o, b_not(s, argument(s, x, i)));
    return rebuilt(s, !conjunction, &o);
}

/* Adds x to a conjunction (or disjunction); false when that settles it (complement, or the absorbing constant). */
static bool join(struct smt *s, Z3_decl_kind op, term x, struct operands *o)
{
    const bool conjunction = op == Z3_OP_AND;
    if (conjunction ? is_true(s, x) : is_false(s, x))
        return true;
    if (conjunction ? is_false(s, x) : is_true(s, x))
        return false;
    if (is(s, x, op)) {
        for (unsigned i = 0; i < arity(s, x); i++)
            if (!join(s, op, argument(s, x, i), o))
                return false;
        return true;
    }
    if (operands_have(o, x))
        return true;
    if (operands_have(o, b_not(s, x)))
        return false;
    operands_add(o, x);
    return true;
}

/*
 * Absorption: x and (x or ...) is x; x and (not x or r) is x and r. Only operands of the other kind can be absorbed.
 * Returns the operand that is left of o->x[at], or NULL when it is absorbed.
 */
static term absorb(struct smt *s, Z3_decl_kind op, const struct operands *o, size_t at)
{
    const Z3_decl_kind other = op == Z3_OP_AND ? Z3_OP_OR : Z3_OP_AND;
    struct operands left = {0};
    term x = o->x[at];
    if (!is(s, x, other))
        return x;
    for (unsigned i = 0; i < arity(s, x); i++) {
        term part = argument(s, x, i);
        if (operands_have(o, part)) {
            free(left.x);
            return NULL;
        }
        if (!operands_have(o, b_not(s, part)))
            operands_add(&left, part);
    }
    if (left.n == arity(s, x)) {
        free(left.x);
        return x;
    }
    return rebuilt(s, other == Z3_OP_AND, &left);
}

static term joined(struct smt *s, Z3_decl_kind op, const term *x, size_t n, unsigned depth);

#define RESOLVED      8u /* more operands than this are not compared with each other */
#define RESOLVE_DEPTH 3u /* nor are those of operands of operands, on and on: nested counts have exponentially many */

term b_without(struct smt *s, term x, term part)
{
    struct operands o = {0};
    const bool conjunction = is(s, x, Z3_OP_AND);
    for (unsigned i = 0; i < arity(s, x); i++)
        if (argument(s, x, i) != part)
            operands_add(&o, argument(s, x, i));
    return rebuilt(s, conjunction, &o);
}

/*
 * (p or q) and (p or r) is p where q and r exclude each other, and one of the two where q implies r or r implies q; and
 * the other way round. NULL: nothing of the kind.
 */
static term resolve(struct smt *s, Z3_decl_kind op, term x, term y, unsigned depth)
{
    for (unsigned i = 0; i < arity(s, x); i++)
        for (unsigned k = 0; k < arity(s, y); k++) {
            term p = argument(s, x, i), both, q, r;
            if (p != argument(s, y, k))
                continue;
            q = b_without(s, x, p);
            r = b_without(s, y, p);
            both = joined(s, op, (term[]){q, r}, 2, depth + 1);
            if (op == Z3_OP_AND ? is_false(s, both) : is_true(s, both))
                return p;
            if (both == q || both == r)
                return both == q ? x : y;
        }
    return NULL;
}

static bool resolve_any(struct smt *s, Z3_decl_kind op, struct operands *o, unsigned depth)
{
    const Z3_decl_kind other = op == Z3_OP_AND ? Z3_OP_OR : Z3_OP_AND;
    for (size_t i = 0; o->n <= RESOLVED && i < o->n; i++)
        for (size_t k = i + 1; k < o->n && is(s, o->x[i], other); k++) {
            term p = is(s, o->x[k], other) && arity(s, o->x[i]) <= RESOLVED && arity(s, o->x[k]) <= RESOLVED
                         ? resolve(s, op, o->x[i], o->x[k], depth)
                         : NULL;
            if (p == NULL)
                continue;
            o->x[i] = p;
            o->x[k] = o->x[--o->n];
            return true;
        }
    return false;
}

static term joined(struct smt *s, Z3_decl_kind op, const term *x, size_t n, unsigned depth)
{
    struct operands o = {0}, left = {0};
    bool again = false;
    for (size_t i = 0; i < n; i++)
        if (!join(s, op, x[i], &o)) {
            free(o.x);
            return term_bool(s, op == Z3_OP_OR);
        }
    for (size_t i = 0; i < o.n; i++) {
        term y = absorb(s, op, &o, i);
        again |= y != o.x[i];
        if (y != NULL)
            operands_add(&left, y);
    }
    free(o.x);
    again |= depth < RESOLVE_DEPTH && resolve_any(s, op, &left, depth);
    if (again) {
        term y = joined(s, op, left.x, left.n, depth);
        free(left.x);
        return y;
    }
    return rebuilt(s, op == Z3_OP_AND, &left);
}

term b_and(struct smt *s, term x, term y)
{
    return joined(s, Z3_OP_AND, (term[]){x, y}, 2, 0);
}

term b_or(struct smt *s, term x, term y)
{
    return joined(s, Z3_OP_OR, (term[]){x, y}, 2, 0);
}

term b_all(struct smt *s, const term *x, size_t n)
{
    return joined(s, Z3_OP_AND, x, n, 0);
}

static bool has_conjunct(struct smt *s, term x, term part)
{
    for (unsigned i = 0; i < b_conjuncts(s, x); i++)
        if (b_conjunct(s, x, i) == part)
            return true;
    return false;
}

/* Is every conjunct of x one of y, or of c? Where c is true, y then implies x. */
static bool follows_where(struct smt *s, term c, term y, term x)
{
    const unsigned n = b_conjuncts(s, x);
    for (unsigned i = 0; i < n; i++)
        if (!has_conjunct(s, y, b_conjunct(s, x, i)) && !has_conjunct(s, c, b_conjunct(s, x, i)))
            return false;
    return true;
}

/*
 * Conjunctions of the same parts, in any order, but for those that c has: where c is true, both are the same. Looked
 * for only where y has several parts, as every choice comes by here.
 */
static bool same_where(struct smt *s, term c, term x, term y)
{
    return x == y || (is(s, y, Z3_OP_AND) && arity(s, y) <= RESOLVED && b_conjuncts(s, x) <= RESOLVED &&
                      follows_where(s, c, y, x) && follows_where(s, c, x, y));
}

term b_xor(struct smt *s, term x, term y)
{
    if (is_false(s, x) || is_false(s, y))
        return is_false(s, x) ? y : x;
    if (is_true(s, x) || is_true(s, y))
        return b_not(s, is_true(s, x) ? y : x);
    if (b_not(s, x) == y)
        return term_bool(s, true);
    if (same_where(s, term_bool(s, true), x, y))
        return term_bool(s, false);
    return smt_keep(s, Z3_mk_xor(s->z3, x, y));
}

term b_ite(struct smt *s, term c, term x, term y)
{
    if (is_true(s, c) || is_false(s, c))
        return is_true(s, c) ? x : y;
    if (same_where(s, c, x, y))
        return y;
    if (is_true(s, x) || x == c)
        return b_or(s, c, y);
    if (is_false(s, x) || x == b_not(s, c))
        return b_and(s, b_not(s, c), y);
    if (is_true(s, y) || y == b_not(s, c))
        return b_or(s, b_not(s, c), x);
    if (is_false(s, y) || y == c)
        return b_and(s, c, x);
    return smt_keep(s, Z3_mk_ite(s->z3, c, x, y));
}

unsigned b_conjuncts(struct smt *s, term x)
{
    return is(s, x, Z3_OP_AND) ? arity(s, x) : 1;
}

term b_conjunct(struct smt *s, term x, unsigned i)
{
    return is(s, x, Z3_OP_AND) ? argument(s, x, i) : x;
}

bool b_is_or(struct smt *s, term x)
{
    return is(s, x, Z3_OP_OR);
}

/* --- words --- */

term v_number(struct smt *s, uint64_t value, unsigned width)
{
    return term_bits(s, width >= 64 ? value : value & (((uint64_t)1 << width) - 1), width);
}

bool v_value(struct smt *s, term x, uint64_t *value)
{
    return Z3_get_ast_kind(s->z3, x) == Z3_NUMERAL_AST && Z3_get_numeral_uint64(s->z3, x, value);
}

term v_ite(struct smt *s, term c, term x, term y)
{
    if (is_true(s, c) || is_false(s, c))
        return is_true(s, c) ? x : y;
    if (x == y)
        return x;
    if (is(s, x, Z3_OP_ITE)) {
        if (argument(s, x, 0) == c)
            return v_ite(s, c, argument(s, x, 1), y);
        if (argument(s, x, 2) == y)
            return v_ite(s, b_and(s, c, argument(s, x, 0)), argument(s, x, 1), y);
    }
    if (is(s, y, Z3_OP_ITE)) {
        if (argument(s, y, 0) == c)
            return v_ite(s, c, x, argument(s, y, 2));
        if (argument(s, y, 1) == x)
            return v_ite(s, b_or(s, c, argument(s, y, 0)), x, argument(s, y, 2));
    }
    return smt_keep(s, Z3_mk_ite(s->z3, c, x, y));
}

/* Nothing else is a function of one word that Z3 does not know. */
static bool is_sealed(struct smt *s, term x)
{
    return is(s, x, Z3_OP_UNINTERPRETED) && Z3_get_ast_kind(s->z3, x) == Z3_APP_AST && arity(s, x) == 1;
}

/* Is the condition true (1) or false (0) where all of `given` holds? 2: that is not seen. */
static unsigned seen_to_be(struct smt *s, term condition, term given)
{
    const bool any = b_is_or(s, condition);
    const unsigned n = any ? arity(s, condition) : b_conjuncts(s, condition);
    unsigned held = 0, failed = 0;
    for (unsigned i = 0; i < n; i++) {
        term part = any ? argument(s, condition, i) : b_conjunct(s, condition, i), opposite = b_not(s, part);
        bool holds = false, fails = false;
        for (unsigned k = 0; k < b_conjuncts(s, given); k++) {
            holds |= b_conjunct(s, given, k) == part;
            fails |= b_conjunct(s, given, k) == opposite;
        }
        held += holds;
        failed += fails;
    }
    if (any ? held > 0 : held == n)
        return 1;
    return (any ? failed == n : failed > 0) ? 0 : 2;
}

#define SEEN_INTO 64u /* choices, one within the other */

/* x where `given` holds. */
static term chosen_given(struct smt *s, term x, term given)
{
    for (unsigned depth = 0; depth < SEEN_INTO; depth++) {
        term inside = is_sealed(s, x) ? argument(s, x, 0) : x;
        const unsigned seen = is(s, inside, Z3_OP_ITE) ? seen_to_be(s, argument(s, inside, 0), given) : 2;
        if (seen == 2)
            break;
        x = argument(s, inside, seen == 1 ? 1 : 2);
    }
    return x;
}

term v_ite_of_rounds(struct smt *s, term c, term x, term y)
{
    if (chosen_given(s, y, c) == x)
        return y;
    if (chosen_given(s, x, b_not(s, c)) == y)
        return x;
    return v_ite(s, c, x, y);
}

/* Where both leave a loop with one number, they are one way out; and what was left unchanged in later rounds is what it
 * is at the end. */
static term choice_of_ways(struct smt *s, term c, term x, term y)
{
    uint64_t number;
    term inside = is_sealed(s, y) ? argument(s, y, 0) : NULL;
    if (inside != NULL && v_value(s, x, &number) && argument(s, inside, 1) == x)
        return v_ite(s, b_or(s, c, argument(s, inside, 0)), x, argument(s, inside, 2));
    inside = is_sealed(s, x) ? argument(s, x, 0) : NULL;
    if (inside != NULL && v_value(s, y, &number) && argument(s, inside, 2) == y)
        return v_ite(s, b_and(s, c, argument(s, inside, 0)), argument(s, inside, 1), y);
    return v_ite_of_rounds(s, c, x, y);
}

term v_sealed_ite(struct smt *s, term c, term x, term y)
{
    Z3_func_decl seal;
    x = choice_of_ways(s, c, x, y);
    if (!is(s, x, Z3_OP_ITE) || term_width(s, x) != 32)
        return x;
    seal = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, "sealed"), 1, &s->word_sort, s->word_sort);
    smt_keep(s, Z3_func_decl_to_ast(s->z3, seal));
    return smt_keep(s, Z3_mk_app(s->z3, seal, 1, &x));
}

struct never {
    struct smt *s;
    struct term_map seen; /* choices: each is looked at once */
    term (*property)(void *context, term word);
    void *context;
};

/* x where `given` holds. What a choice is among is looked at where it is chosen, wherever the choice stands. */
static bool is_never(struct never *n, term x, term given)
{
    struct smt *s = n->s;
    term inside = is_sealed(s, x) ? argument(s, x, 0) : x, said;
    if (!is(s, inside, Z3_OP_ITE)) {
        said = n->property(n->context, inside);
        return is_false(s, said) || seen_to_be(s, said, given) == 0;
    }
    if (*term_map_at(s, &n->seen, inside) != 0)
        return true;
    *term_map_at(s, &n->seen, inside) = 1;
    return is_never(n, argument(s, inside, 1), argument(s, inside, 0)) &&
           is_never(n, argument(s, inside, 2), b_not(s, argument(s, inside, 0)));
}

bool v_is_never(struct smt *s, term x, term (*property)(void *context, term word), void *context)
{
    struct never n = {.s = s, .property = property, .context = context};
    const bool never = is_never(&n, x, term_bool(s, true));
    term_map_free(&n.seen);
    return never;
}

static term unsealed(struct smt *s, struct term_replacer *r, struct term_map *seen, term x)
{
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST || *term_map_at(s, seen, x) != 0)
        return term_replace(s, r, x);
    *term_map_at(s, seen, x) = 1;
    for (unsigned i = 0; i < arity(s, x); i++)
        unsealed(s, r, seen, argument(s, x, i));
    if (is_sealed(s, x))
        term_replacer_add(s, r, x, term_replace(s, r, argument(s, x, 0)));
    return term_replace(s, r, x);
}

term v_unsealed(struct smt *s, term x)
{
    struct term_replacer r = {0};
    struct term_map seen = {0};
    x = unsealed(s, &r, &seen, x);
    term_replacer_free(&r);
    term_map_free(&seen);
    return x;
}

term v_given(struct smt *s, term x, term c)
{
    while (!is_true(s, c) && is(s, x, Z3_OP_ITE)) {
        term condition = argument(s, x, 0), left = NULL;
        bool yes = condition == c, no = condition == b_not(s, c);
        if (is(s, condition, Z3_OP_OR))
            for (unsigned i = 0; i < arity(s, condition); i++)
                yes |= argument(s, condition, i) == c;
        if (is(s, condition, Z3_OP_AND)) {
            for (unsigned i = 0; i < arity(s, condition); i++)
                no |= argument(s, condition, i) == b_not(s, c);
            left = b_and(s, c, condition) == condition ? b_without(s, condition, c) : NULL;
        }
        if (left != NULL && !no)
            return v_ite(s, left, v_given(s, argument(s, x, 1), c), v_given(s, argument(s, x, 2), c));
        if (!yes && !no)
            return x;
        x = argument(s, x, yes ? 1 : 2);
    }
    return x;
}

term v_eq(struct smt *s, term x, term y)
{
    uint64_t a, b;
    if (x == y)
        return term_bool(s, true);
    if (v_value(s, x, &a) && v_value(s, y, &b))
        return term_bool(s, a == b);
    if (is(s, y, Z3_OP_ITE) && !is(s, x, Z3_OP_ITE)) {
        term swap = x;
        x = y;
        y = swap;
    }
    if (is(s, x, Z3_OP_ITE)) {
        term c = argument(s, x, 0), yes = argument(s, x, 1), no = argument(s, x, 2);
        const bool numerals = v_value(s, y, &b) && v_value(s, yes, &a) && v_value(s, no, &a);
        if (yes == y || no == y || numerals)
            return b_ite(s, c, v_eq(s, yes, y), v_eq(s, no, y));
    }
    if (is(s, x, Z3_OP_CONCAT) && v_value(s, y, &b)) {
        const unsigned low = term_width(s, argument(s, x, arity(s, x) - 1));
        if (arity(s, x) == 2) /* a zero-extended field against a number */
            return b_and(s, v_eq(s, argument(s, x, 0), v_extract(s, term_width(s, x) - 1, low, y)),
                         v_eq(s, argument(s, x, 1), v_extract(s, low - 1, 0, y)));
    }
    if (v_value(s, y, &b) && b == 0 && is(s, x, Z3_OP_BOR)) { /* differences that were collected */
        term none = term_bool(s, true);
        for (unsigned i = 0; i < arity(s, x); i++)
            none = b_and(s, none, v_eq(s, argument(s, x, i), y));
        return none;
    }
    if (v_value(s, y, &b) && b == 0 && is(s, x, Z3_OP_BXOR) && arity(s, x) == 2)
        return v_eq(s, argument(s, x, 0), argument(s, x, 1));
    return smt_keep(s, Z3_mk_eq(s->z3, x, y));
}

#define EXTRACT_DEPTH 3 /* choices that an extraction is carried into */

static term extract(struct smt *s, unsigned high, unsigned low, term x, unsigned depth);

static term extract_of_concat(struct smt *s, unsigned high, unsigned low, term x, unsigned depth)
{
    term upper = argument(s, x, 0), lower = argument(s, x, 1);
    const unsigned split = term_width(s, lower);
    if (low >= split)
        return extract(s, high - split, low - split, upper, depth);
    if (high < split)
        return extract(s, high, low, lower, depth);
    return v_concat(s, extract(s, high - split, 0, upper, depth), extract(s, split - 1, low, lower, depth));
}

static term extract(struct smt *s, unsigned high, unsigned low, term x, unsigned depth)
{
    uint64_t value;
    const unsigned width = high - low + 1;
    unsigned end, from;
    if (low == 0 && width == term_width(s, x))
        return x;
    if (v_value(s, x, &value))
        return v_number(s, value >> low, width);
    if (is_part(s, x, &end, &from))
        return extract(s, high + from, low + from, argument(s, x, 0), depth);
    switch (term_kind(s, x)) {
    case Z3_OP_CONCAT:
        if (arity(s, x) == 2)
            return extract_of_concat(s, high, low, x, depth);
        break;
    case Z3_OP_SIGN_EXT:
        if (high < term_width(s, argument(s, x, 0)))
            return extract(s, high, low, argument(s, x, 0), depth);
        break;
    case Z3_OP_ITE:
        if (depth < EXTRACT_DEPTH)
            return v_ite(s, argument(s, x, 0), extract(s, high, low, argument(s, x, 1), depth + 1),
                         extract(s, high, low, argument(s, x, 2), depth + 1));
        break;
    default:
        break;
    }
    return smt_keep(s, Z3_mk_extract(s->z3, high, low, x));
}

term v_extract(struct smt *s, unsigned high, unsigned low, term x)
{
    return extract(s, high, low, x, 0);
}

term v_chosen_part(struct smt *s, term x)
{
    unsigned high, low;
    term whole;
    if (!is_part(s, x, &high, &low) || !is(s, whole = argument(s, x, 0), Z3_OP_ITE))
        return NULL;
    return smt_keep(s, Z3_mk_ite(s->z3, argument(s, whole, 0), v_extract(s, high, low, argument(s, whole, 1)),
                                 v_extract(s, high, low, argument(s, whole, 2))));
}

/* Neighbours of one term become one extraction. NULL: they are none. */
static term neighbours(struct smt *s, term high, term low)
{
    unsigned last, from, end, first;
    if (!is_part(s, high, &last, &from) || !is_part(s, low, &end, &first) || from != end + 1 ||
        argument(s, high, 0) != argument(s, low, 0))
        return NULL;
    return v_extract(s, last, first, argument(s, high, 0));
}

/* One term for both, or NULL. */
static term fused(struct smt *s, term high, term low)
{
    uint64_t a, b;
    if (v_value(s, high, &a) && v_value(s, low, &b) && term_width(s, high) + term_width(s, low) <= 64)
        return v_number(s, a << term_width(s, low) | b, term_width(s, high) + term_width(s, low));
    if (is(s, high, Z3_OP_ITE) && is(s, low, Z3_OP_ITE) && argument(s, high, 0) == argument(s, low, 0)) {
        /* parts of one choice; two different choices by one condition are left alone */
        term yes = fused(s, argument(s, high, 1), argument(s, low, 1));
        term no = yes == NULL ? NULL : fused(s, argument(s, high, 2), argument(s, low, 2));
        return no == NULL ? NULL : v_ite(s, argument(s, high, 0), yes, no);
    }
    return neighbours(s, high, low);
}

/* Right-nested: concat(high part, rest). */
term v_concat(struct smt *s, term high, term low)
{
    term one = fused(s, high, low);
    if (one != NULL)
        return one;
    if (is(s, high, Z3_OP_CONCAT) && arity(s, high) == 2)
        return v_concat(s, argument(s, high, 0), v_concat(s, argument(s, high, 1), low));
    if (is(s, low, Z3_OP_CONCAT) && arity(s, low) == 2) {
        one = fused(s, high, argument(s, low, 0));
        if (one != NULL)
            return v_concat(s, one, argument(s, low, 1));
    }
    return smt_keep(s, Z3_mk_concat(s->z3, high, low));
}

term v_sign_extend(struct smt *s, unsigned width, term x)
{
    const unsigned has = term_width(s, x);
    uint64_t value;
    if (has == width)
        return x;
    if (v_value(s, x, &value) && width <= 64)
        return v_number(s, (value >> (has - 1) & 1u) ? value | ~(uint64_t)0 << has : value, width);
    return smt_keep(s, Z3_mk_sign_ext(s->z3, width - has, x));
}

static term plain_bitwise(struct smt *s, enum v_bitwise op, term x, term y)
{
    switch (op) {
    case V_AND:
        return smt_keep(s, Z3_mk_bvand(s->z3, x, y));
    case V_OR:
        return smt_keep(s, Z3_mk_bvor(s->z3, x, y));
    case V_XOR:
        break;
    }
    return smt_keep(s, Z3_mk_bvxor(s->z3, x, y));
}

/* One operand is the number n. NULL: no rule. */
static term bitwise_number(struct smt *s, enum v_bitwise op, uint64_t n, term number, term x)
{
    const unsigned width = term_width(s, x);
    const uint64_t ones = width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
    unsigned run = 0;
    if (n == 0)
        return op == V_AND ? number : x;
    if (n == ones && op != V_XOR)
        return op == V_AND ? x : number;
    if (n == ones)
        return smt_keep(s, Z3_mk_bvnot(s->z3, x));
    /* cut at the first bit that differs from bit 0 */
    while (run < width && (n >> run & 1u) == (n & 1u))
        run++;
    if (op == V_XOR || run == width)
        return NULL;
    return v_concat(s, v_bitwise(s, op, v_extract(s, width - 1, run, number), v_extract(s, width - 1, run, x)),
                    v_bitwise(s, op, v_extract(s, run - 1, 0, number), v_extract(s, run - 1, 0, x)));
}

/* Is x (c ? value : 0)? */
static bool is_masked(struct smt *s, term x, term *c, term *value)
{
    uint64_t n;
    if (!is(s, x, Z3_OP_ITE))
        return false;
    for (unsigned i = 1; i <= 2; i++)
        if (v_value(s, argument(s, x, i), &n) && n == 0) {
            *c = i == 2 ? argument(s, x, 0) : b_not(s, argument(s, x, 0));
            *value = argument(s, x, 3 - i);
            return true;
        }
    return false;
}

/* (q and c ? x : 0) or (not q and d ? y : 0) is a choice by q. NULL: it is nothing of the kind. */
static term blended(struct smt *s, term x, term y)
{
    term c, d, a, b, zero;
    if (!is_masked(s, x, &c, &a) || !is_masked(s, y, &d, &b))
        return NULL;
    zero = v_number(s, 0, term_width(s, x));
    for (unsigned i = 0; i < b_conjuncts(s, c); i++)
        for (unsigned k = 0; k < b_conjuncts(s, d); k++) {
            term q = b_conjunct(s, c, i), no = b_conjunct(s, d, k);
            term left, right;
            if (b_not(s, q) != no)
                continue;
            left = b_conjuncts(s, c) == 1 ? term_bool(s, true) : b_without(s, c, q);
            right = b_conjuncts(s, d) == 1 ? term_bool(s, true) : b_without(s, d, no);
            return v_ite(s, q, v_ite(s, left, a, zero), v_ite(s, right, b, zero));
        }
    return NULL;
}

term v_bitwise(struct smt *s, enum v_bitwise op, term x, term y)
{
    uint64_t a, b;
    const unsigned width = term_width(s, x);
    const bool x_number = v_value(s, x, &a), y_number = v_value(s, y, &b);
    term easy;
    if (x_number && y_number)
        return v_number(s, op == V_AND ? a & b : op == V_OR ? a | b : a ^ b, width);
    if (x == y)
        return op == V_XOR ? v_number(s, 0, width) : x;
    easy = x_number ? bitwise_number(s, op, a, x, y) : y_number ? bitwise_number(s, op, b, y, x) : NULL;
    if (easy == NULL && op != V_AND)
        easy = blended(s, x, y);
    if (easy != NULL)
        return easy;
    if (is(s, y, Z3_OP_CONCAT) && !is(s, x, Z3_OP_CONCAT))
        return v_bitwise(s, op, y, x);
    if (is(s, x, Z3_OP_CONCAT) && arity(s, x) == 2) {
        const unsigned split = term_width(s, argument(s, x, 1));
        return v_concat(s, v_bitwise(s, op, argument(s, x, 0), v_extract(s, width - 1, split, y)),
                        v_bitwise(s, op, argument(s, x, 1), v_extract(s, split - 1, 0, y)));
    }
    return plain_bitwise(s, op, x, y);
}

Z3_solver bits_solver(struct smt *s)
{
    return Z3_mk_solver_for_logic(s->z3, Z3_mk_string_symbol(s->z3, "QF_BV"));
}

Z3_solver limited_solver(struct smt *s, Z3_solver solver, const char *limit, unsigned most)
{
    Z3_params params;
    Z3_solver_inc_ref(s->z3, solver); /* before anything else is made: until then the next object frees it */
    params = Z3_mk_params(s->z3);
    Z3_params_inc_ref(s->z3, params);
    Z3_params_set_uint(s->z3, params, Z3_mk_string_symbol(s->z3, limit), most);
    Z3_solver_set_params(s->z3, solver, params);
    Z3_params_dec_ref(s->z3, params);
    return solver;
}
