#include "proofs/decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void decider_free(struct decider *d)
{
    term_list_release(d->s, &d->proved);
}

/* What holds in the case split: its assumption, and the bits of M. */
static term hypothesis(struct smt *s, const struct case_split *split)
{
    term all = split->assumption == NULL ? term_bool(s, true) : split->assumption, bits = NULL;
    if (split->members == NULL)
        return all;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term bit = v_ite(s, split->member[k], v_number(s, 1, 1), v_number(s, 0, 1));
        bits = bits == NULL ? bit : smt_keep(s, Z3_mk_concat(s->z3, bit, bits));
    }
    return term_and(s, all, term_eq(s, split->members, bits));
}

#define EFFORT 2000000u /* most questions need far less, and a limit in seconds costs a thread each */

/* Z3's solver for QF_BV answers floating-point goals wrongly. */
static bool only_bits(struct smt *s, term x)
{
    Z3_probe probe = Z3_mk_probe(s->z3, "is-qfbv");
    Z3_goal goal;
    bool yes;
    Z3_probe_inc_ref(s->z3, probe); /* before Z3 makes anything else */
    goal = Z3_mk_goal(s->z3, false, false, false);
    Z3_goal_inc_ref(s->z3, goal);
    Z3_goal_assert(s->z3, goal, x);
    yes = Z3_probe_apply(s->z3, probe, goal) != 0.0;
    Z3_goal_dec_ref(s->z3, goal);
    Z3_probe_dec_ref(s->z3, probe);
    return yes;
}

/* A solver that gives up after `effort` steps; 0: after the time of the options. */
static Z3_solver make_solver(struct decider *d, term goal, unsigned effort)
{
    Z3_context z = d->s->z3;
    Z3_solver solver = d->floats && !only_bits(d->s, goal) ? Z3_mk_solver(z) : bits_solver(d->s);
    if (effort != 0)
        limited_solver(d->s, solver, "rlimit", effort);
    else
        limited_solver(d->s, solver, "timeout", (unsigned)(d->options->timeout_s * 1000));
    Z3_solver_assert(z, solver, term_not(d->s, goal));
    return solver;
}

/* The caller releases the solver. */
static Z3_lbool ask(struct decider *d, term goal, Z3_solver *solver)
{
    Z3_lbool answer;
    *solver = make_solver(d, goal, EFFORT);
    answer = Z3_solver_check(d->s->z3, *solver);
    d->outcome->claims++;
    if (answer != Z3_L_UNDEF)
        return answer;
    Z3_solver_dec_ref(d->s->z3, *solver);
    *solver = make_solver(d, goal, 0);
    return Z3_solver_check(d->s->z3, *solver);
}

static void take_witness(struct decider *d, const struct case_split *split, term goal, Z3_solver solver)
{
    Z3_context z = d->s->z3;
    Z3_model model = Z3_solver_get_model(z, solver);
    struct valuation v = {0};
    if (split->info == NULL)
        return; /* a lemma */
    Z3_model_inc_ref(z, model);
    hints_take(&d->hints, d->s, goal, model);
    for (size_t i = 0; i < split->unknown_count; i++) {
        Z3_ast value = NULL;
        if (Z3_model_eval(z, model, split->unknowns[i], true, &value))
            term_value(d->s, smt_keep(d->s, value), &v.values[i]);
    }
    Z3_model_dec_ref(z, model);
    valuation_ready(&v, d->s, split);
    valuation_case(&v, &d->outcome->witness);
    d->outcome->has_witness = warp_case_check(&d->outcome->witness) == NULL;
}

/* Asks without setting the outcome when the answer is no. */
static bool holds(struct decider *d, const struct case_split *split, term claim)
{
    term goal;
    Z3_solver solver;
    Z3_lbool answer;
    if (is_true(d->s, claim))
        return true;
    goal = term_implies(d->s, hypothesis(d->s, split), claim);
    if (term_list_has(&d->proved, goal))
        return true;
    answer = ask(d, goal, &solver);
    Z3_solver_dec_ref(d->s->z3, solver);
    if (answer == Z3_L_FALSE)
        term_list_keep(d->s, &d->proved, goal);
    return answer == Z3_L_FALSE;
}

bool decide(struct decider *d, const struct case_split *split, term claim, const char *what, unsigned lane)
{
    Z3_solver solver;
    Z3_lbool answer;
    char place[32] = "";
    term goal;
    if (is_true(d->s, claim)) {
        d->outcome->immediate++;
        return true;
    }
    goal = term_implies(d->s, hypothesis(d->s, split), claim);
    if (term_list_has(&d->proved, goal))
        return true;
    if (lane < WARP_LANES)
        snprintf(place, sizeof place, " of lane %u", lane);
    if (d->options->goal != NULL)
        snprintf(d->options->goal, COMPILED_GOAL, "%s%s", what, place);
    answer = ask(d, goal, &solver);
    if (answer == Z3_L_TRUE) {
        d->outcome->verdict = COMPILED_REFUTED;
        snprintf(d->outcome->note, sizeof d->outcome->note, "%s%s", what, place);
        take_witness(d, split, goal, solver);
    } else if (answer == Z3_L_UNDEF) {
        d->outcome->verdict = COMPILED_OPEN;
        snprintf(d->outcome->note, sizeof d->outcome->note, "not decided in %g s: %s%s", d->options->timeout_s, what,
                 place);
    } else {
        term_list_keep(d->s, &d->proved, goal);
    }
    Z3_solver_dec_ref(d->s->z3, solver);
    return answer == Z3_L_FALSE;
}

bool decide_defined(struct decider *d, const struct case_split *split, term claim, const char *what, unsigned lane)
{
    const bool holds = decide(d, split, claim, what, lane);
    d->outcome->undefined |= !holds && d->outcome->verdict == COMPILED_REFUTED;
    return holds;
}

bool decide_obligations(struct decider *d, const struct case_split *split, const struct machine *machine,
                        const char *whose)
{
    char what[160];
    term *all = smt_grow(NULL, machine->obligation_count + 1, sizeof *all);
    bool at_once;
    for (size_t i = 0; i < machine->obligation_count; i++)
        all[i] = machine->obligations[i].holds;
    at_once = holds(d, split, b_all(d->s, all, machine->obligation_count));
    free(all);
    for (size_t i = 0; !at_once && i < machine->obligation_count; i++) {
        const struct obligation *o = &machine->obligations[i];
        snprintf(what, sizeof what, "undefined behaviour in %s: %s", whose, o->what);
        if (o->checked ? !decide(d, split, o->holds, o->what, WARP_LANES)
                       : !decide_defined(d, split, o->holds, what, WARP_LANES))
            return false;
    }
    return true;
}

static term same_bits(struct smt *s, const term x[WARP_LANES], const term y[WARP_LANES])
{
    term same[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        same[k] = b_not(s, b_xor(s, x[k], y[k]));
    return b_all(s, same, WARP_LANES);
}

static bool decide_mask(struct decider *d, const struct case_split *split, const term x[WARP_LANES],
                        const term y[WARP_LANES], const char *field, const char *whose)
{
    char what[96];
    snprintf(what, sizeof what, "%s of %s", field, whose);
    return decide(d, split, same_bits(d->s, x, y), what, WARP_LANES);
}

bool decide_outcome(struct decider *d, struct maker *m, const struct case_split *split, const struct split_result *r,
                    const char *whose)
{
    const struct scalar *missing = make_bits(m, 32, split->missing), *zero = make_known(m, 32, 0);
    bool ok = decide_mask(d, split, r->done, split->group, "done", whose) &&
              decide_mask(d, split, r->undefined, split->undefined, "undefined", whose) &&
              decide_mask(d, split, r->waiting, split->waiting, "waiting", whose) &&
              decide(d, split, r->reserved, "reserved words", WARP_LANES);
    if (ok && r->poison != NULL)
        ok = decide_defined(d, split, b_not(d->s, r->poison), "words that depend on uninitialized values", WARP_LANES);
    for (unsigned k = 0; ok && k < WARP_LANES; k++) {
        const struct scalar *expected = scalar_select(m, split->waiting[k], missing, zero);
        ok = decide(d, split, as_bool(m, arith_compare(m, LLVMIntEQ, r->waits_for[k], expected)), "waits_for", k);
    }
    return ok;
}

bool claims_algebra(const struct warp_form_info *info, enum algebra *op)
{
    const bool is_signed = info->type == WARP_S32;
    if (info->family != WARP_REDUX_SYNC || info->type == WARP_F32)
        return false;
    switch (info->op) {
    case WARP_ADD:
        *op = ALGEBRA_ADD;
        break;
    case WARP_AND:
        *op = ALGEBRA_AND;
        break;
    case WARP_OR:
        *op = ALGEBRA_OR;
        break;
    case WARP_XOR:
        *op = ALGEBRA_XOR;
        break;
    case WARP_MIN:
        *op = is_signed ? ALGEBRA_SMIN : ALGEBRA_UMIN;
        break;
    case WARP_MAX:
        *op = is_signed ? ALGEBRA_SMAX : ALGEBRA_UMAX;
        break;
    case WARP_OPS_BUT_REDUX:
        return false;
    }
    return true;
}

/* Decides d of one lane, where the reference defines it. */
static bool decide_d(struct decider *d, const struct case_split *split, struct maker *reference_maker,
                     const struct split_result *reference, struct maker *m, const struct split_result *r, unsigned k)
{
    struct smt *s = d->s;
    term defined = reference->d_defined[k], not_defined = b_not(s, defined), x, y;
    enum algebra op;
    if (is_false(s, defined))
        return true;
    if (reference->d[k]->poison != NULL &&
        !decide_defined(d, split, b_or(s, not_defined, b_not(s, reference->d[k]->poison)), "spec's d is uninitialized",
                        k))
        return false;
    if (r->d[k]->poison != NULL &&
        !decide_defined(d, split, b_or(s, not_defined, b_not(s, r->d[k]->poison)), "d is uninitialized", k))
        return false;
    x = v_given(s, as_term(reference_maker, reference->d[k]), defined);
    y = v_given(s, as_term(m, r->d[k]), defined);
    if (claims_algebra(split->info, &op) && algebra_equal(s, op, defined, x, y)) {
        d->outcome->algebraic++;
        return true;
    }
    return decide(d, split, b_or(s, not_defined, v_eq(s, x, y)), "d", k);
}

bool decide_results(struct decider *d, struct maker *reference_maker, const struct split_result *reference,
                    struct maker *m, const struct case_split *split, const struct split_result *r, unsigned only)
{
    struct smt *s = d->s;
    if (only == WARP_LANES) {
        if (!decide_mask(d, split, r->p, reference->p, "p", "fast") ||
            !decide_mask(d, split, r->d_defined, reference->d_defined, "d_defined", "fast"))
            return false;
    } else if (!decide(d, split, b_not(s, b_xor(s, r->p[only], reference->p[only])), "p", only) ||
               !decide(d, split, b_not(s, b_xor(s, r->d_defined[only], reference->d_defined[only])), "d_defined",
                       only)) {
        return false;
    }
    for (unsigned k = 0; k < WARP_LANES; k++)
        if ((only == WARP_LANES || k == only) && !decide_d(d, split, reference_maker, reference, m, r, k))
            return false;
    return true;
}
