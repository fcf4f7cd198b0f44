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
    if (o->n == o->room) {
        o->room = o->room == 0 ? 16 : 2 * o->room;
        o->x = smt_grow(o->x, o->room, sizeof *o->x);
    }
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

static term joined(struct smt *s, Z3_decl_kind op, const term *x, size_t n);

#define RESOLVED 8u /* more operands than this are not compared with each other */

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
static term resolve(struct smt *s, Z3_decl_kind op, term x, term y)
{
    for (unsigned i = 0; i < arity(s, x); i++)
        for (unsigned k = 0; k < arity(s, y); k++) {
            term p = argument(s, x, i), both, q, r;
            if (p != argument(s, y, k))
                continue;
            q = b_without(s, x, p);
            r = b_without(s, y, p);
            both = joined(s, op, (term[]){q, r}, 2);
            if (op == Z3_OP_AND ? is_false(s, both) : is_true(s, both))
                return p;
            if (both == q || both == r)
                return both == q ? x : y;
        }
    return NULL;
}

static bool resolve_any(struct smt *s, Z3_decl_kind op, struct operands *o)
{
    const Z3_decl_kind other = op == Z3_OP_AND ? Z3_OP_OR : Z3_OP_AND;
    for (size_t i = 0; o->n <= RESOLVED && i < o->n; i++)
        for (size_t k = i + 1; k < o->n && is(s, o->x[i], other); k++) {
            term p = is(s, o->x[k], other) && arity(s, o->x[i]) <= RESOLVED && arity(s, o->x[k]) <= RESOLVED
                         ? resolve(s, op, o->x[i], o->x[k])
                         : NULL;
            if (p == NULL)
                continue;
            o->x[i] = p;
            o->x[k] = o->x[--o->n];
            return true;
        }
    return false;
}

static term joined(struct smt *s, Z3_decl_kind op, const term *x, size_t n)
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
    again |= resolve_any(s, op, &left);
    if (again) {
        term y = joined(s, op, left.x, left.n);
        free(left.x);
        return y;
    }
    return rebuilt(s, op == Z3_OP_AND, &left);
}

term b_and(struct smt *s, term x, term y)
{
    return joined(s, Z3_OP_AND, (term[]){x, y}, 2);
}

term b_or(struct smt *s, term x, term y)
{
    return joined(s, Z3_OP_OR, (term[]){x, y}, 2);
}

term b_all(struct smt *s, const term *x, size_t n)
{
    return joined(s, Z3_OP_AND, x, n);
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
