#include "proofs/equality.h"

#include "base/random.h"
#include "proofs/choice.h"
#include "proofs/node.h"
#include "proofs/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void equality_begin(struct equality *e, struct smt *s, const term low[WARP_LANES], const term *high)
{
    *e = (struct equality){.s = s, .low = low, .high = high};
}

void equality_end(struct equality *e)
{
    free(e->known);
    e->known = NULL;
}

/* --- what was answered before ---------------------------------------------------------------------------------- */

static struct equality_known *slot(struct equality *e, term x, term y)
{
    size_t i = (size_t)random_mix((uintptr_t)x + (uintptr_t)y * RANDOM_STEP) & (e->room - 1);
    while (e->known[i].x != NULL && (e->known[i].x != x || e->known[i].y != y))
        i = (i + 1) & (e->room - 1);
    return &e->known[i];
}

static term recall(struct equality *e, term x, term y)
{
    return e->room == 0 ? NULL : slot(e, x, y)->is;
}

static term remember(struct equality *e, term x, term y, term is)
{
    if (2 * (e->used + 1) > e->room) {
        struct equality_known *old = e->known;
        const size_t room = e->room;
        e->room = room == 0 ? 4096 : 4 * room;
        e->known = smt_grow(NULL, e->room, sizeof *e->known);
        memset(e->known, 0, e->room * sizeof *e->known);
        for (size_t i = 0; i < room; i++)
            if (old[i].x != NULL)
                *slot(e, old[i].x, old[i].y) = old[i];
        free(old);
    }
    e->used++;
    smt_keep(e->s, x); /* a freed term's address may come again */
    if (y != NULL)
        smt_keep(e->s, y);
    *slot(e, x, y) = (struct equality_known){x, y, is};
    return is;
}

/* --- names ------------------------------------------------------------------------------------------------------ */

static term named(struct equality *e, const char *kind, unsigned number, unsigned i, unsigned j)
{
    char name[64];
    if (i == j)
        return term_bool(e->s, true);
    snprintf(name, sizeof name, "%s%.0u[%u][%u]", kind, number, i < j ? i : j, i < j ? j : i);
    return term_constant(e->s, e->s->bool_sort, name);
}

static term unknown(struct equality *e, term x, term y)
{
    char name[64];
    snprintf(name, sizeof name, "comparison[%u][%u]", Z3_get_ast_id(e->s->z3, x),
             y == NULL ? 0 : Z3_get_ast_id(e->s->z3, y));
    return term_constant(e->s, e->s->bool_sort, name);
}

term equality_lanes(struct equality *e, unsigned i, unsigned j)
{
    term low = named(e, "E", 0, i, j);
    return e->high == NULL ? low : b_and(e->s, low, named(e, "H", 0, i, j));
}

/* --- functions of one lane's operand ---------------------------------------------------------------------------- */

#define NO_LANE    WARP_LANES
#define MANY_LANES (WARP_LANES + 1)

static unsigned both(unsigned x, unsigned y)
{
    if (x == NO_LANE || x == y)
        return y;
    return y == NO_LANE ? x : MANY_LANES;
}

/* The lane of whose operand x is a function. */
static unsigned lane_of(const struct equality *e, term x)
{
    unsigned lane = NO_LANE;
    if (Z3_get_ast_kind(e->s->z3, x) != Z3_APP_AST)
        return NO_LANE;
    if (arity(e->s, x) == 0) {
        for (unsigned k = 0; k < WARP_LANES; k++)
            if (x == e->low[k] || (e->high != NULL && x == e->high[k]))
                return k;
        return term_kind(e->s, x) == Z3_OP_UNINTERPRETED ? MANY_LANES : NO_LANE;
    }
    for (unsigned i = 0; lane != MANY_LANES && i < arity(e->s, x); i++)
        lane = both(lane, lane_of(e, argument(e->s, x, i)));
    return lane;
}

static term as_function(struct equality *e, term x, unsigned lane)
{
    struct smt *s = e->s;
    const term from[2] = {e->low[lane], e->high == NULL ? e->low[lane] : e->high[lane]};
    const term to[2] = {term_constant(s, s->word_sort, "operand"), term_constant(s, s->word_sort, "operand.high")};
    return term_simplify(s, term_substitute(s, x, from, to, e->high == NULL ? 1 : 2));
}

static bool always_equal(struct smt *s, term x, term y)
{
    Z3_solver solver;
    Z3_lbool answer;
    if (term_width(s, x) != term_width(s, y))
        return false;
    solver = bits_solver(s);
    Z3_solver_inc_ref(s->z3, solver);
    Z3_solver_assert(s->z3, solver, term_ne(s, x, y));
    answer = Z3_solver_check(s->z3, solver);
    Z3_solver_dec_ref(s->z3, solver);
    return answer == Z3_L_FALSE;
}

/* The number of a function; EQUALITY_FUNCTIONS: there are too many. */
static unsigned function_number(struct equality *e, term x)
{
    for (unsigned i = 0; i < e->same_count; i++)
        if (e->same[i][0] == x)
            x = e->same[i][1];
    for (unsigned i = 0; i < e->function_count; i++)
        if (e->functions[i] == x)
            return i;
    for (unsigned i = 0; i < e->function_count && e->same_count < EQUALITY_FUNCTIONS; i++)
        if (always_equal(e->s, e->functions[i], x)) {
            e->same[e->same_count][0] = x;
            e->same[e->same_count++][1] = e->functions[i];
            return i;
        }
    if (e->function_count == EQUALITY_FUNCTIONS)
        return EQUALITY_FUNCTIONS;
    e->functions[e->function_count] = x;
    return e->function_count++;
}

static term of_lanes(struct equality *e, term x, term y, unsigned i, unsigned j)
{
    unsigned f;
    if (x == e->low[i] && y == e->low[j])
        return named(e, "E", 0, i, j);
    if (e->high != NULL && x == e->high[i] && y == e->high[j])
        return named(e, "H", 0, i, j);
    f = function_number(e, as_function(e, x, i));
    if (f == EQUALITY_FUNCTIONS || f != function_number(e, as_function(e, y, j)))
        return unknown(e, x, y);
    return named(e, "F", f + 1, i, j);
}

/* --- comparisons ------------------------------------------------------------------------------------------------ */

static term equal(struct equality *e, term x, term y);

static term equal_parts(struct equality *e, term x, term y)
{
    const unsigned width = term_width(e->s, x), split = term_width(e->s, argument(e->s, x, 1));
    return b_and(e->s, equal(e, argument(e->s, x, 0), v_extract(e->s, width - 1, split, y)),
                 equal(e, argument(e->s, x, 1), v_extract(e->s, split - 1, 0, y)));
}

/* For operands side by side or below zeros: compares their parts, not the whole as a function. */
static bool has_operands(const struct equality *e, term x, term y)
{
    term low = NULL;
    if (!is(e->s, x, Z3_OP_CONCAT) || !is(e->s, y, Z3_OP_CONCAT) || arity(e->s, x) != 2 || arity(e->s, y) != 2)
        return false;
    low = argument(e->s, x, 1);
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (low == e->low[k])
            return term_width(e->s, argument(e->s, y, 1)) == term_width(e->s, low);
    return false;
}

/* x is zero: no part of a disjunction has a bit, both parts of a difference are equal. NULL: it is something else. */
static term is_zero(struct equality *e, term x, term zero)
{
    struct smt *s = e->s;
    term all = term_bool(s, true);
    if (is(s, x, Z3_OP_BXOR) && arity(s, x) == 2)
        return equal(e, argument(s, x, 0), argument(s, x, 1));
    if (!is(s, x, Z3_OP_BOR))
        return NULL;
    for (unsigned i = 0; i < arity(s, x); i++)
        all = b_and(s, all, equal(e, argument(s, x, i), zero));
    return all;
}

static term compute_equal(struct equality *e, term x, term y)
{
    struct smt *s = e->s;
    uint64_t a, b;
    unsigned i, j;
    term inside;
    if (v_value(s, x, &a) && v_value(s, y, &b))
        return term_bool(s, a == b);
    if ((inside = v_chosen_part(s, x)) != NULL)
        return equal(e, inside, y);
    if ((inside = v_chosen_part(s, y)) != NULL)
        return equal(e, x, inside);
    if (is(s, y, Z3_OP_ITE) && !is(s, x, Z3_OP_ITE))
        return equal(e, y, x);
    if (v_value(s, y, &b) && b == 0 && (inside = is_zero(e, x, y)) != NULL)
        return inside;
    if (v_value(s, x, &a) && a == 0 && (inside = is_zero(e, y, x)) != NULL)
        return inside;
    if (has_operands(e, x, y))
        return equal_parts(e, x, y);
    i = lane_of(e, x);
    j = lane_of(e, y);
    if (i < WARP_LANES && j < WARP_LANES)
        return of_lanes(e, x, y, i, j);
    if (is(s, x, Z3_OP_ITE))
        return b_ite(s, equality_of(e, argument(s, x, 0)), equal(e, argument(s, x, 1), y),
                     equal(e, argument(s, x, 2), y));
    if (is(s, x, Z3_OP_CONCAT) && arity(s, x) == 2) {
        inside = choice_joined(s, argument(s, x, 0), argument(s, x, 1));
        return inside != NULL && is(s, inside, Z3_OP_ITE) ? equal(e, inside, y) : equal_parts(e, x, y);
    }
    if (is(s, y, Z3_OP_CONCAT) && arity(s, y) == 2)
        return equal(e, y, x);
    return unknown(e, x, y);
}

static term equal(struct equality *e, term x, term y)
{
    term is;
    if (x == y)
        return term_bool(e->s, true);
    is = recall(e, x, y);
    return is != NULL ? is : remember(e, x, y, compute_equal(e, x, y));
}

/* --- Bools ------------------------------------------------------------------------------------------------------ */

static term compute(struct equality *e, term x)
{
    struct smt *s = e->s;
    const Z3_decl_kind kind = term_kind(s, x);
    const unsigned n = Z3_get_ast_kind(s->z3, x) == Z3_APP_AST ? arity(s, x) : 0;
    term *parts, r;
    if (n == 0)
        return x;
    r = slices_joined(s, x);
    if (r != x)
        return equality_of(e, r);
    if (kind == Z3_OP_EQ && term_width(s, argument(s, x, 0)) != 0)
        return equal(e, argument(s, x, 0), argument(s, x, 1));
    if (kind != Z3_OP_AND && kind != Z3_OP_OR && kind != Z3_OP_NOT && kind != Z3_OP_XOR && kind != Z3_OP_ITE &&
        kind != Z3_OP_IMPLIES && kind != Z3_OP_EQ && kind != Z3_OP_IFF)
        return unknown(e, x, NULL);
    parts = smt_grow(NULL, n, sizeof *parts);
    for (unsigned i = 0; i < n; i++)
        parts[i] = equality_of(e, argument(s, x, i));
    switch (kind) {
    case Z3_OP_NOT:
        r = b_not(s, parts[0]);
        break;
    case Z3_OP_ITE:
        r = term_ite(s, parts[0], parts[1], parts[2]);
        break;
    default:
        r = smt_keep(s, Z3_mk_app(s->z3, Z3_get_app_decl(s->z3, Z3_to_app(s->z3, x)), n, parts));
        break;
    }
    free(parts);
    return r;
}

term equality_of(struct equality *e, term x)
{
    term is = recall(e, x, NULL);
    return is != NULL ? is : remember(e, x, NULL, compute(e, x));
}

/* --- what is known ---------------------------------------------------------------------------------------------- */

static term transitive(struct smt *s, term x, term y, term z)
{
    return term_and(s, term_implies(s, term_and(s, x, y), z),
                    term_and(s, term_implies(s, term_and(s, y, z), x), term_implies(s, term_and(s, x, z), y)));
}

static term triple(struct equality *e, unsigned i, unsigned j, unsigned k)
{
    struct smt *s = e->s;
    term all = transitive(s, named(e, "E", 0, i, j), named(e, "E", 0, j, k), named(e, "E", 0, i, k));
    if (e->high != NULL)
        all = term_and(s, all, transitive(s, named(e, "H", 0, i, j), named(e, "H", 0, j, k), named(e, "H", 0, i, k)));
    for (unsigned f = 1; f <= e->function_count; f++)
        all = term_and(s, all, transitive(s, named(e, "F", f, i, j), named(e, "F", f, j, k), named(e, "F", f, i, k)));
    return all;
}

static term congruent(struct equality *e, unsigned i, unsigned j)
{
    term all = term_bool(e->s, true);
    for (unsigned f = 1; f <= e->function_count; f++)
        all = term_and(e->s, all, term_implies(e->s, equality_lanes(e, i, j), named(e, "F", f, i, j)));
    return all;
}

term equality_facts(struct equality *e, unsigned i, unsigned j)
{
    term all = congruent(e, i, j);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        if (k == i || k == j)
            continue;
        all = term_and(e->s, all, term_and(e->s, congruent(e, i, k), congruent(e, j, k)));
        if (i != j)
            all = term_and(e->s, all, triple(e, i, j, k));
    }
    return all;
}

static uint32_t value_in(struct smt *s, Z3_model model, term x)
{
    Z3_ast value = NULL;
    uint64_t number = 0;
    if (Z3_model_eval(s->z3, model, x, true, &value))
        term_value(s, smt_keep(s, value), &number);
    return (uint32_t)number;
}

bool equality_collision(struct equality *e, uint32_t low[2], uint32_t high[2])
{
    struct smt *s = e->s;
    const term from[2] = {term_constant(s, s->word_sort, "operand"), term_constant(s, s->word_sort, "operand.high")};
    const term to[2] = {term_constant(s, s->word_sort, "other"), term_constant(s, s->word_sort, "other.high")};
    bool found = false;
    for (unsigned f = 0; !found && f < e->function_count; f++) {
        Z3_solver solver = bits_solver(s);
        Z3_solver_inc_ref(s->z3, solver);
        Z3_solver_assert(s->z3, solver, term_eq(s, e->functions[f], term_substitute(s, e->functions[f], from, to, 2)));
        Z3_solver_assert(s->z3, solver, term_ne(s, from[0], to[0]));
        found = Z3_solver_check(s->z3, solver) == Z3_L_TRUE;
        if (found) {
            Z3_model model = Z3_solver_get_model(s->z3, solver);
            Z3_model_inc_ref(s->z3, model);
            for (unsigned i = 0; i < 2; i++) {
                low[i] = value_in(s, model, i == 0 ? from[0] : to[0]);
                high[i] = value_in(s, model, i == 0 ? from[1] : to[1]);
            }
            Z3_model_dec_ref(s->z3, model);
        }
        Z3_solver_dec_ref(s->z3, solver);
    }
    return found;
}
