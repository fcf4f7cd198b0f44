#include "proofs/algebra.h"

#include "proofs/node.h"

#include <stdlib.h>
#include <string.h>

struct form {
    struct algebra_leaf *leaves; /* sorted */
    size_t n;
};

struct normalizer {
    struct smt *s;
    enum algebra op;
    term neutral;
    bool takes_unsigned, unsigned_too; /* as algebra_leaves has them */
    struct known_form {
        term t;
        struct form form;
    } * known;
    size_t count, room;
};

uint32_t algebra_neutral(enum algebra op)
{
    switch (op) {
    case ALGEBRA_AND:
    case ALGEBRA_UMIN:
        return UINT32_MAX;
    case ALGEBRA_SMIN:
        return INT32_MAX;
    case ALGEBRA_SMAX:
        return (uint32_t)INT32_MAX + 1u;
    case ALGEBRA_ADD:
    case ALGEBRA_OR:
    case ALGEBRA_XOR:
    case ALGEBRA_UMAX:
    case ALGEBRAS:
        break;
    }
    return 0;
}

/* Is x, not y, the minimum (or maximum), and not both? */
static term is_before(struct smt *s, enum algebra op, term x, term y)
{
    const bool is_min = op == ALGEBRA_SMIN || op == ALGEBRA_UMIN;
    term low = is_min ? x : y, high = is_min ? y : x;
    return op == ALGEBRA_SMIN || op == ALGEBRA_SMAX ? term_slt(s, low, high) : term_ult(s, low, high);
}

term algebra_apply(struct smt *s, enum algebra op, term x, term y)
{
    switch (op) {
    case ALGEBRA_ADD:
        return term_add(s, x, y);
    case ALGEBRA_AND:
        return term_band(s, x, y);
    case ALGEBRA_OR:
        return term_bor(s, x, y);
    case ALGEBRA_XOR:
        return term_bxor(s, x, y);
    case ALGEBRA_SMIN:
    case ALGEBRA_SMAX:
    case ALGEBRA_UMIN:
    case ALGEBRA_UMAX:
    case ALGEBRAS:
        break;
    }
    return term_ite(s, is_before(s, op, x, y), x, y);
}

static const char *const opaque_names[ALGEBRAS] = {
    [ALGEBRA_SMIN] = "opaque.smin",
    [ALGEBRA_SMAX] = "opaque.smax",
    [ALGEBRA_UMIN] = "opaque.umin",
    [ALGEBRA_UMAX] = "opaque.umax",
};

term algebra_opaque(struct smt *s, enum algebra op, term x, term y)
{
    const Z3_sort domain[2] = {s->word_sort, s->word_sort};
    Z3_func_decl function;
    uint64_t number;
    if (v_value(s, x, &number) && number == algebra_neutral(op))
        return y;
    if (v_value(s, y, &number) && number == algebra_neutral(op))
        return x;
    function = Z3_mk_func_decl(s->z3, Z3_mk_string_symbol(s->z3, opaque_names[op]), 2, domain, s->word_sort);
    smt_keep(s, Z3_func_decl_to_ast(s->z3, function));
    return smt_keep(s, Z3_mk_app(s->z3, function, 2, (term[]){x, y}));
}

bool algebra_is_opaque(struct smt *s, term x, const enum algebra *op)
{
    Z3_symbol name;
    const char *text;
    if (Z3_get_ast_kind(s->z3, x) != Z3_APP_AST || Z3_get_app_num_args(s->z3, Z3_to_app(s->z3, x)) != 2)
        return false;
    name = Z3_get_decl_name(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, x)));
    if (Z3_get_symbol_kind(s->z3, name) != Z3_STRING_SYMBOL)
        return false;
    text = Z3_get_symbol_string(s->z3, name);
    return op == NULL ? strncmp(text, "opaque.", 7) == 0 : strcmp(text, opaque_names[*op]) == 0;
}

unsigned algebra_lemmas(struct smt *s, enum algebra op, term claims[ALGEBRA_LEMMAS])
{
    term x = term_constant(s, s->word_sort, "x"), y = term_constant(s, s->word_sort, "y");
    term z = term_constant(s, s->word_sort, "z"), c = term_constant(s, s->bool_sort, "c");
    term d = term_constant(s, s->bool_sort, "d");
    unsigned n = 5;
    term neutral = term_word(s, algebra_neutral(op));
    claims[0] = term_eq(s, algebra_apply(s, op, algebra_apply(s, op, x, y), z),
                        algebra_apply(s, op, x, algebra_apply(s, op, y, z)));
    claims[1] = term_eq(s, algebra_apply(s, op, x, y), algebra_apply(s, op, y, x));
    claims[2] = term_eq(s, algebra_apply(s, op, x, neutral), x);
    claims[3] =
        term_eq(s, term_ite(s, c, algebra_apply(s, op, x, y), x), algebra_apply(s, op, x, term_ite(s, c, y, neutral)));
    const term masked = term_ite(s, d, x, neutral);
    claims[4] = term_eq(s, term_ite(s, term_and(s, c, term_not(s, term_eq(s, masked, neutral))), x, neutral),
                        term_ite(s, term_and(s, c, d), x, neutral));
    if (op >= ALGEBRA_SMIN || op == ALGEBRA_AND || op == ALGEBRA_OR)
        claims[n++] = term_eq(s, algebra_apply(s, op, term_ite(s, c, x, neutral), term_ite(s, d, x, neutral)),
                              term_ite(s, term_or(s, c, d), x, neutral));
    if (op >= ALGEBRA_SMIN) { /* another number than the neutral one is chosen before it, and none after it */
        claims[n++] = term_eq(s, is_before(s, op, x, neutral), term_not(s, term_eq(s, x, neutral)));
        claims[n++] = term_not(s, is_before(s, op, neutral, x));
        return n;
    }
    term wide[2];
    for (unsigned i = 0; i < 2; i++)
        wide[i] = smt_keep(s, Z3_mk_const(s->z3, Z3_mk_int_symbol(s->z3, (int)i), Z3_mk_bv_sort(s->z3, 64)));
    claims[n++] = term_eq(s, v_extract(s, 31, 0, algebra_apply(s, op, wide[0], wide[1])),
                          algebra_apply(s, op, v_extract(s, 31, 0, wide[0]), v_extract(s, 31, 0, wide[1])));
    if (op == ALGEBRA_ADD)
        return n;
    claims[n++] = term_eq(s, v_extract(s, 63, 32, algebra_apply(s, op, wide[0], wide[1])),
                          algebra_apply(s, op, v_extract(s, 63, 32, wide[0]), v_extract(s, 63, 32, wide[1])));
    return n;
}

static int by_address(const void *p, const void *q)
{
    const struct algebra_leaf *x = p, *y = q;
    if (x->x != y->x)
        return (uintptr_t)x->x < (uintptr_t)y->x ? -1 : 1;
    return x->c == y->c ? 0 : (uintptr_t)x->c < (uintptr_t)y->c ? -1 : 1;
}

static struct form make_form(struct algebra_leaf *leaves, size_t n)
{
    if (n > 1)
        qsort(leaves, n, sizeof *leaves, by_address);
    return (struct form){leaves, n};
}

/* Is it the operation itself, or the same on unsigned numbers where that is allowed? */
static bool is_order(struct normalizer *n, term x)
{
    const enum algebra other = n->op == ALGEBRA_SMIN ? ALGEBRA_UMIN : ALGEBRA_UMAX;
    if (algebra_is_opaque(n->s, x, &n->op))
        return true;
    if (!n->takes_unsigned || !algebra_is_opaque(n->s, x, &other))
        return false;
    n->unsigned_too = true;
    return true;
}

static bool is_operation(struct normalizer *n, term x)
{
    static const Z3_decl_kind kinds[] = {Z3_OP_BADD, Z3_OP_BAND, Z3_OP_BOR, Z3_OP_BXOR};
    if (n->op >= ALGEBRA_SMIN)
        return is_order(n, x);
    return term_kind(n->s, x) == kinds[n->op] && Z3_get_app_num_args(n->s->z3, Z3_to_app(n->s->z3, x)) == 2;
}

/* Does c say that x, not y, is the minimum (or maximum)? When both are equal, either may be. */
static bool chooses(struct normalizer *n, term c, term x, term y)
{
    const bool is_signed = n->op == ALGEBRA_SMIN || n->op == ALGEBRA_SMAX;
    const bool is_min = n->op == ALGEBRA_SMIN || n->op == ALGEBRA_UMIN;
    const bool negated = term_kind(n->s, c) == Z3_OP_NOT;
    Z3_decl_kind kind;
    term a, b;
    bool first_below;
    if (negated)
        c = argument(n->s, c, 0);
    kind = term_kind(n->s, c);
    if (kind != (is_signed ? Z3_OP_SLT : Z3_OP_ULT) && kind != (is_signed ? Z3_OP_SLEQ : Z3_OP_ULEQ))
        return false;
    a = argument(n->s, c, 0);
    b = argument(n->s, c, 1);
    if (!(a == x && b == y) && !(a == y && b == x))
        return false;
    first_below = (a == x) != negated; /* x below y */
    return first_below == is_min;
}

bool algebra_chosen(struct smt *s, term c, term x, term y, enum algebra *op)
{
    for (*op = ALGEBRA_SMIN; *op < ALGEBRAS; (*op)++) {
        struct normalizer n = {.s = s, .op = *op};
        if (chooses(&n, c, x, y))
            return true;
    }
    return false;
}

/* Of operations that take a part twice as once: parts of one value are one part. Leaves that a caller takes apart stay
 * as they are. */
static struct form without_twice(struct normalizer *n, struct form form)
{
    size_t kept = 0;
    for (size_t i = 0; i < form.n; i++) {
        if (kept > 0 && form.leaves[kept - 1].x == form.leaves[i].x)
            form.leaves[kept - 1].c = b_or(n->s, form.leaves[kept - 1].c, form.leaves[i].c);
        else
            form.leaves[kept++] = form.leaves[i];
    }
    return make_form(form.leaves, kept);
}

static struct form sum(struct normalizer *n, struct form x, struct form y)
{
    struct form both;
    struct algebra_leaf *leaves = smt_grow(NULL, x.n + y.n + 1, sizeof *leaves);
    if (x.n > 0)
        memcpy(leaves, x.leaves, x.n * sizeof *leaves);
    if (y.n > 0)
        memcpy(leaves + x.n, y.leaves, y.n * sizeof *leaves);
    both = make_form(leaves, x.n + y.n);
    return n->op == ALGEBRA_ADD || n->op == ALGEBRA_XOR || n->takes_unsigned ? both : without_twice(n, both);
}

static struct form form_of(struct normalizer *n, term t);

/* The number that a condition says not to be the neutral one, or, of an order, to be chosen before it or as well (which
 * each is). NULL: none. */
static term said_not_neutral(struct normalizer *n, term part)
{
    struct smt *s = n->s;
    const bool negated = term_kind(s, part) == Z3_OP_NOT;
    term said = negated ? argument(s, part, 0) : part;
    const bool equal = term_kind(s, said) == Z3_OP_EQ;
    if ((equal && !negated) || (!equal && n->op < ALGEBRA_SMIN) ||
        Z3_get_app_num_args(s->z3, Z3_to_app(s->z3, said)) != 2)
        return NULL;
    for (unsigned k = 0; k < 2; k++)
        if (equal ? argument(s, said, k) == n->neutral : chooses(n, part, argument(s, said, 1 - k), n->neutral))
            return argument(s, said, 1 - k);
    return NULL;
}

/* c without "x is not the neutral": where it is, it changes nothing. Of (d ? x : neutral), d is what is left. */
static term without_neutral(struct normalizer *n, term c, term x)
{
    struct smt *s = n->s;
    for (unsigned i = b_conjuncts(s, c); i-- > 0;) {
        term part = b_conjunct(s, c, i), number = said_not_neutral(n, part), rest;
        if (number == NULL)
            continue;
        rest = b_conjuncts(s, c) == 1 ? term_bool(s, true) : b_without(s, c, part);
        if (v_given(s, number, rest) != x) { /* where the rest holds, a masked load is what it loads */
            const struct form form = form_of(n, number);
            if (form.n != 1 || form.leaves[0].x != x)
                continue;
            rest = b_and(s, rest, form.leaves[0].c);
        }
        c = rest;
        i = b_conjuncts(s, c);
    }
    return c;
}

static void add_leaf(struct normalizer *n, struct form *form, term c, struct algebra_leaf leaf)
{
    term both = b_and(n->s, without_neutral(n, c, leaf.x), leaf.c);
    if (!is_false(n->s, both) && leaf.x != n->neutral)
        form->leaves[form->n++] = (struct algebra_leaf){both, leaf.x};
}

/* Builds c ? x : y of two sorted forms: common parts stay, the others get their condition. */
static struct form choice(struct normalizer *n, term c, struct form x, struct form y)
{
    struct form form = {smt_grow(NULL, x.n + y.n + 1, sizeof *form.leaves), 0};
    size_t i = 0, k = 0;
    while (i < x.n || k < y.n) {
        const int order = i == x.n ? 1 : k == y.n ? -1 : by_address(&x.leaves[i], &y.leaves[k]);
        if (order == 0) {
            form.leaves[form.n++] = x.leaves[i++];
            k++;
        } else if (order < 0) {
            add_leaf(n, &form, c, x.leaves[i++]);
        } else {
            add_leaf(n, &form, b_not(n->s, c), y.leaves[k++]);
        }
    }
    return make_form(form.leaves, form.n);
}

/* c ? x : y, where c may contain "and x is the minimum of the two". */
static struct form form_of_choice(struct normalizer *n, term c, term x, term y)
{
    struct form of_x = form_of(n, x), of_y = form_of(n, y);
    term others[64];
    const unsigned conjuncts = b_conjuncts(n->s, c);
    unsigned kept = 0;
    bool found = false;
    for (unsigned i = 0; n->op >= ALGEBRA_SMIN && conjuncts <= 64 && i < conjuncts; i++) {
        term part = b_conjunct(n->s, c, i);
        if (!found && chooses(n, part, x, y))
            found = true;
        else
            others[kept++] = part;
    }
    if (found) {
        struct form both = sum(n, of_x, of_y);
        struct form form = kept == 0 ? both : choice(n, b_all(n->s, others, kept), both, of_y);
        if (kept != 0)
            free(both.leaves);
        return form;
    }
    return choice(n, c, of_x, of_y);
}

static struct form leaf_of(struct normalizer *n, term t)
{
    struct form form = {smt_grow(NULL, 1, sizeof *form.leaves), 1};
    form.leaves[0] = (struct algebra_leaf){term_bool(n->s, true), t};
    return form;
}

/* A half of a longer word: of a sum, the sum of the (low) halves; of a choice, a choice of halves. */
static struct form form_of_half(struct normalizer *n, term t)
{
    struct smt *s = n->s;
    term whole = argument(s, t, 0), x, y;
    unsigned high, low;
    if (!is_part(s, t, &high, &low) || n->op >= ALGEBRA_SMIN || high != low + 31 || low % 32 != 0 ||
        (low != 0 && n->op == ALGEBRA_ADD))
        return leaf_of(n, t);
    if (is_operation(n, whole)) {
        x = v_extract(s, high, low, argument(s, whole, 0));
        y = v_extract(s, high, low, argument(s, whole, 1));
        return sum(n, form_of(n, x), form_of(n, y));
    }
    if (term_kind(s, whole) != Z3_OP_ITE)
        return leaf_of(n, t);
    x = v_extract(s, high, low, argument(s, whole, 1));
    y = v_extract(s, high, low, argument(s, whole, 2));
    return form_of_choice(n, argument(s, whole, 0), x, y);
}

static struct form compute(struct normalizer *n, term t)
{
    struct form form = {0};
    if (t == n->neutral)
        return form;
    if (is_operation(n, t))
        return sum(n, form_of(n, argument(n->s, t, 0)), form_of(n, argument(n->s, t, 1)));
    if (term_kind(n->s, t) == Z3_OP_ITE)
        return form_of_choice(n, argument(n->s, t, 0), argument(n->s, t, 1), argument(n->s, t, 2));
    if (term_kind(n->s, t) == Z3_OP_EXTRACT)
        return form_of_half(n, t);
    return leaf_of(n, t);
}

static struct form form_of(struct normalizer *n, term t)
{
    struct form form;
    for (size_t i = n->count; i-- > 0;)
        if (n->known[i].t == t)
            return n->known[i].form;
    form = compute(n, t);
    n->known = smt_room(n->known, n->count, &n->room, sizeof *n->known);
    n->known[n->count++] = (struct known_form){t, form};
    return form;
}

/* The form where `given` is true: (given and r) is r. */
static struct form form_given(struct normalizer *n, struct form form, term given)
{
    struct form left = {smt_grow(NULL, form.n + 1, sizeof *left.leaves), 0};
    for (size_t i = 0; i < form.n; i++) {
        const struct algebra_leaf leaf = form.leaves[i];
        term c = b_and(n->s, given, leaf.c); /* the same condition, written one way */
        if (!is_false(n->s, c))
            left.leaves[left.n++] = (struct algebra_leaf){c, leaf.x};
    }
    return make_form(left.leaves, left.n);
}

static void forget_forms(struct normalizer *n)
{
    for (size_t i = 0; i < n->count; i++)
        free(n->known[i].form.leaves);
    free(n->known);
}

struct algebra_leaf *algebra_leaves(struct smt *s, enum algebra op, term x, size_t *count, bool *unsigned_too)
{
    struct normalizer n = {.s = s, .op = op, .neutral = term_word(s, algebra_neutral(op)), .takes_unsigned = true};
    const struct form form = form_given(&n, form_of(&n, x), term_bool(s, true));
    forget_forms(&n);
    *unsigned_too = n.unsigned_too;
    *count = form.n;
    return form.leaves;
}

bool algebra_equal(struct smt *s, enum algebra op, term given, term x, term y)
{
    struct normalizer n = {.s = s, .op = op, .neutral = term_word(s, algebra_neutral(op))};
    const struct form a = form_given(&n, form_of(&n, x), given), b = form_given(&n, form_of(&n, y), given);
    bool equal = a.n == b.n;
    for (size_t i = 0; equal && i < a.n; i++)
        equal = by_address(&a.leaves[i], &b.leaves[i]) == 0;
    free(a.leaves);
    free(b.leaves);
    forget_forms(&n);
    return equal;
}

/* --- are all numbers equal? --------------------------------------------------------------------------------------- */

#define LOOKED_INTO 6u /* choices at the top of a term */

/* The operation by which the term brings numbers together; ALGEBRAS: none is in sight. */
static enum algebra operation_of(struct smt *s, term x, unsigned depth)
{
    const Z3_decl_kind kind = term_kind(s, x);
    enum algebra op;
    if (kind == Z3_OP_BOR || kind == Z3_OP_BAND)
        return kind == Z3_OP_BOR ? ALGEBRA_OR : ALGEBRA_AND;
    if (kind != Z3_OP_ITE || depth == 0)
        return ALGEBRAS;
    for (unsigned i = 0; i < b_conjuncts(s, argument(s, x, 0)); i++)
        if (algebra_chosen(s, b_conjunct(s, argument(s, x, 0), i), argument(s, x, 1), argument(s, x, 2), &op))
            return op;
    op = operation_of(s, argument(s, x, 2), depth - 1);
    return op != ALGEBRAS ? op : operation_of(s, argument(s, x, 1), depth - 1);
}

static bool are_opposite(enum algebra x, enum algebra y)
{
    static const enum algebra pairs[][2] = {
        {ALGEBRA_AND, ALGEBRA_OR}, {ALGEBRA_SMIN, ALGEBRA_SMAX}, {ALGEBRA_UMIN, ALGEBRA_UMAX}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((x == pairs[i][0] && y == pairs[i][1]) || (y == pairs[i][0] && x == pairs[i][1]))
            return true;
    return false;
}

/*
 * Where both have the same parts, and one part has no condition: the least is no larger than any part, the greatest no
 * smaller, so they are equal only where all parts are; and where all are, both are what the one without condition is.
 */
static term all_equal(struct smt *s, struct form x, struct form y)
{
    term all = term_bool(s, true), one = NULL;
    if (x.n != y.n || x.n == 0)
        return NULL;
    for (size_t i = 0; i < x.n; i++) {
        if (by_address(&x.leaves[i], &y.leaves[i]) != 0)
            return NULL;
        one = is_true(s, x.leaves[i].c) ? x.leaves[i].x : one;
    }
    for (size_t i = 0; one != NULL && i < x.n; i++)
        all = b_and(s, all, b_or(s, b_not(s, x.leaves[i].c), v_eq(s, x.leaves[i].x, one)));
    return one == NULL ? NULL : all;
}

/* The neutral element of bits, or of numbers of `width` bits in their order. */
static term wide_neutral(struct smt *s, enum algebra op, unsigned width)
{
    const uint32_t word = algebra_neutral(op);
    const uint32_t low = op == ALGEBRA_SMIN ? UINT32_MAX : op == ALGEBRA_SMAX ? 0 : word;
    return width == 32 ? term_word(s, word) : v_number(s, (uint64_t)word << 32 | low, width);
}

/* By their conditions and, where these are the same, in the order in which they were made: lane by lane. */
static void in_order(struct smt *s, struct form form)
{
    for (size_t i = 1; i < form.n; i++) {
        const struct algebra_leaf leaf = form.leaves[i];
        const unsigned c = Z3_get_ast_id(s->z3, leaf.c), x = Z3_get_ast_id(s->z3, leaf.x);
        size_t k = i;
        for (; k > 0; k--) {
            const unsigned before = Z3_get_ast_id(s->z3, form.leaves[k - 1].c);
            if (before < c || (before == c && Z3_get_ast_id(s->z3, form.leaves[k - 1].x) < x))
                break;
            form.leaves[k] = form.leaves[k - 1];
        }
        form.leaves[k] = leaf;
    }
}

/* The parts of bits of 64 bits, from those of both halves, which are brought together apart. None: they do not fit. */
static struct form form_of_halves(struct normalizer *n, term x)
{
    struct form low = form_of(n, v_extract(n->s, 31, 0, x)), high = form_of(n, v_extract(n->s, 63, 32, x)), both;
    both = (struct form){smt_grow(NULL, low.n + 1, sizeof *both.leaves), 0};
    in_order(n->s, low);
    in_order(n->s, high);
    while (low.n == high.n && both.n < low.n && low.leaves[both.n].c == high.leaves[both.n].c) {
        term whole = v_concat(n->s, high.leaves[both.n].x, low.leaves[both.n].x);
        both.leaves[both.n] = (struct algebra_leaf){low.leaves[both.n].c, whole};
        both.n++;
    }
    return make_form(both.leaves, both.n == low.n ? both.n : 0);
}

term algebra_all_equal(struct smt *s, term x, term y)
{
    const unsigned width = term_width(s, x);
    const bool halves = width == 64 && operation_of(s, x, LOOKED_INTO) == ALGEBRAS;
    term of[2] = {halves ? v_extract(s, 31, 0, x) : x, halves ? v_extract(s, 31, 0, y) : y}, all;
    struct normalizer n[2];
    struct form form[2];
    for (unsigned i = 0; i < 2; i++) {
        n[i] = (struct normalizer){.s = s, .op = operation_of(s, of[i], LOOKED_INTO)};
        n[i].neutral = wide_neutral(s, n[i].op, halves ? 32 : width);
    }
    if ((width != 32 && width != 64) || !are_opposite(n[0].op, n[1].op) || (halves && n[0].op >= ALGEBRA_SMIN))
        return NULL;
    for (unsigned i = 0; i < 2; i++)
        form[i] = halves ? form_of_halves(&n[i], i == 0 ? x : y) : form_of(&n[i], i == 0 ? x : y);
    all = all_equal(s, form[0], form[1]);
    for (unsigned i = 0; i < 2; i++) {
        if (halves)
            free(form[i].leaves);
        forget_forms(&n[i]);
    }
    return all;
}
