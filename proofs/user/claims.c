/* Claims, decided by rewriting, by the algebra of reductions, or by the solver. */
#include "proofs/user/proof.h"

#include "proofs/abstract.h"
#include "proofs/chains.h"
#include "proofs/decide.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static Z3_lbool ask_once(struct user_proof *p, term claim, double seconds, Z3_solver *solver)
{
    Z3_context z = p->s->z3;
    *solver = limited_solver(p->s, bits_solver(p->s), "timeout", (unsigned)(seconds * 1000));
    Z3_solver_assert(z, *solver, p->assumption);
    Z3_solver_assert(z, *solver, term_not(p->s, claim));
    p->outcome->claims++;
    return Z3_solver_check(z, *solver);
}

/* Reductions of floats: much follows from which lanes take part and hold a NaN, whatever is compared. */
static Z3_lbool ask_for(struct user_proof *p, term claim, double seconds, Z3_solver *solver)
{
    term anyhow = p->keyed ? user_compared_anyhow(p, claim) : claim;
    if (anyhow != claim) {
        if (ask_once(p, v_unsealed(p->s, anyhow), seconds, solver) == Z3_L_FALSE)
            return Z3_L_FALSE;
        Z3_solver_dec_ref(p->s->z3, *solver);
    }
    return ask_once(p, p->keyed ? v_unsealed(p->s, claim) : claim, seconds, solver);
}

#define HURRY_S 2.0

static Z3_lbool ask(struct user_proof *p, term claim, Z3_solver *solver)
{
    const double most = p->hurries && p->request->timeout_s > HURRY_S ? HURRY_S : p->request->timeout_s;
    return ask_for(p, claim, most, solver);
}

static void set_unknown(struct warp_case *c, enum user_unknown_is kind, unsigned k, uint32_t value)
{
    const lanemask bit = 1u << k;
    switch (kind) {
    case UNKNOWN_A:
    case UNKNOWN_PREDICATE:
        c->a[k] = value;
        break;
    case UNKNOWN_A_HIGH:
        c->a_high[k] = value;
        break;
    case UNKNOWN_B:
        c->b[k] = value;
        break;
    case UNKNOWN_C:
        c->c[k] = value;
        break;
    case UNKNOWN_EXITED:
        c->exited |= value != 0 ? bit : 0;
        break;
    case UNKNOWN_IN_GROUP: /* these: take_masks */
    case UNKNOWN_WAITED_FOR:
    case UNKNOWN_EXITED_MEMBER:
    case UNKNOWNS:
        break;
    }
}

static bool value_of(struct user_proof *p, Z3_model model, term x, uint64_t *value)
{
    Z3_ast found = NULL;
    return Z3_model_eval(p->s->z3, model, x, true, &found) && term_value(p->s, smt_keep(p->s, found), value);
}

/* Of a lane's part in the masks: 0, since take_masks reads the masks as they are. */
static uint64_t value_of_unknown(struct user_proof *p, Z3_model model, const struct user_unknown *u)
{
    uint64_t value = 0;
    switch (u->kind) {
    case UNKNOWN_A:
    case UNKNOWN_A_HIGH:
    case UNKNOWN_B:
    case UNKNOWN_C:
        value_of(p, model, u->t, &value);
        break;
    case UNKNOWN_PREDICATE:
        value_of(p, model, term_ite(p->s, u->t, v_number(p->s, 1, 32), v_number(p->s, 0, 32)), &value);
        break;
    case UNKNOWN_IN_GROUP:
    case UNKNOWN_EXITED:
    case UNKNOWN_WAITED_FOR:
    case UNKNOWN_EXITED_MEMBER:
    case UNKNOWNS:
        break;
    }
    return value;
}

static lanemask mask_of(struct user_proof *p, Z3_model model, const term bits[WARP_LANES])
{
    lanemask mask = 0;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        uint64_t value = 0;
        value_of(p, model, term_ite(p->s, bits[k], v_number(p->s, 1, 1), v_number(p->s, 0, 1)), &value);
        mask |= (lanemask)(value & 1u) << k;
    }
    return mask;
}

/* Lanes outside the group execute in groups of their own. */
static void take_masks(struct user_proof *p, Z3_model model, struct warp_case *c)
{
    const lanemask group = mask_of(p, model, p->group), members = mask_of(p, model, p->members);
    c->active = mask_of(p, model, p->active);
    c->exited = mask_of(p, model, p->exited);
    for (unsigned k = 0; k < WARP_LANES && warp_form_is_sync(p->request->info); k++)
        c->membermask[k] = group >> k & 1u ? members : c->active >> k & 1u ? 1u << k : 0;
}

static void take_witness(struct user_proof *p, Z3_solver solver)
{
    Z3_context z = p->s->z3;
    Z3_model model = Z3_solver_get_model(z, solver);
    struct warp_case *c = &p->outcome->witness;
    const struct warp_form_info *info = p->request->info;
    Z3_model_inc_ref(z, model);
    warp_case_init(c, info->form);
    c->dst = user_dst(info);
    for (unsigned k = 0; k < WARP_LANES && p->shape->call == USER_EACH_LANE; k++) {
        c->a[k] = k;
        c->c[k] = p->width == 0 ? 0 : user_cuda_c(info, p->width);
    }
    for (unsigned i = 0; i < USER_BEFORE; i++) {
        uint64_t value = 0;
        value_of(p, model, p->before[i], &value);
        p->outcome->before[i] = (uint32_t)value;
    }
    for (size_t i = 0; i < p->unknown_count; i++) {
        const struct user_unknown *u = &p->unknowns[i];
        set_unknown(c, u->kind, u->lane, (uint32_t)value_of_unknown(p, model, u));
    }
    take_masks(p, model, c);
    Z3_model_dec_ref(z, model);
    p->outcome->has_witness = warp_case_check(c) == NULL;
}

bool user_claim(struct user_proof *p, term claim, const char *what, unsigned lane)
{
    char place[32] = "";
    Z3_solver solver;
    Z3_lbool answer;
    if (is_true(p->s, claim) || term_list_has(&p->held, claim)) {
        p->outcome->immediate += !p->collecting;
        return true;
    }
    if (p->collecting) {
        p->collected = b_and(p->s, p->collected, claim);
        return true;
    }
    if (lane < WARP_LANES)
        snprintf(place, sizeof place, " of lane %u", lane);
    answer = ask(p, claim, &solver);
    if (answer == Z3_L_TRUE) {
        p->outcome->verdict = COMPILED_REFUTED;
        snprintf(p->outcome->note, sizeof p->outcome->note, "%s%s", what, place);
        take_witness(p, solver);
    } else if (answer == Z3_L_UNDEF) {
        p->outcome->verdict = COMPILED_OPEN;
        snprintf(p->outcome->note, sizeof p->outcome->note, "not decided in %g s: %s%s", p->request->timeout_s, what,
                 place);
    } else {
        term_list_add(&p->held, claim);
    }
    Z3_solver_dec_ref(p->s->z3, solver);
    return answer == Z3_L_FALSE;
}

/* Asks all at once, then one by one when that is not decided, to name the culprit. */
bool user_obligations(struct user_proof *p)
{
    struct machine *const machines[2] = {p->spec, p->user};
    for (unsigned which = 0; which < 2; which++) {
        const struct machine *machine = machines[which];
        term *all = smt_grow(NULL, machine->obligation_count + 1, sizeof *all), together;
        Z3_solver solver;
        bool held;
        for (size_t i = 0; i < machine->obligation_count; i++)
            all[i] = machine->obligations[i].holds;
        together = b_all(p->s, all, machine->obligation_count);
        free(all);
        held = is_true(p->s, together) || term_list_has(&p->held, together);
        if (!held && p->collecting && which == 1) {
            p->collected = term_and(p->s, p->collected, together);
            return true;
        }
        if (!held) {
            held = ask(p, together, &solver) == Z3_L_FALSE;
            Z3_solver_dec_ref(p->s->z3, solver);
            if (held)
                term_list_add(&p->held, together);
        }
        for (size_t i = 0; !held && i < machine->obligation_count; i++) {
            char what[160];
            snprintf(what, sizeof what, "undefined behaviour%s: %s", which == 0 ? " of spec" : "",
                     machine->obligations[i].what);
            if (!user_claim(p, machine->obligations[i].holds, what, WARP_LANES))
                return false;
        }
    }
    return true;
}

bool user_lemmas(struct user_proof *p)
{
    enum algebra op;
    term claims[ALGEBRA_LEMMAS];
    unsigned n;
    p->assumption = term_bool(p->s, true);
    if (!claims_algebra(p->request->info, &op))
        return true;
    n = algebra_lemmas(p->s, op, claims);
    for (unsigned i = 0; i < n; i++)
        if (!user_claim(p, claims[i], "a rule of algebra", WARP_LANES))
            return false;
    return true;
}

/* x where `when` holds: never poison. */
static bool claim_initialized(struct user_proof *p, term when, const struct scalar *x, const char *what, unsigned k)
{
    char text[96];
    snprintf(text, sizeof text, "not initialized, or poison: %s", what);
    return x->poison == NULL || user_claim(p, b_or(p->s, b_not(p->s, when), b_not(p->s, x->poison)), text, k);
}

/* Are two words equal? Masks, which are put together from bits, are where their bits are. */
static term same_word(struct maker *m, term x, term y)
{
    struct smt *s = m->s;
    term a[WARP_LANES], b[WARP_LANES];
    if (x == y || term_kind(s, x) != Z3_OP_CONCAT || term_kind(s, y) != Z3_OP_CONCAT || term_width(s, x) != WARP_LANES)
        return v_eq(s, x, y);
    as_bits(m, make_term(m, x), a);
    as_bits(m, make_term(m, y), b);
    for (unsigned i = 0; i < WARP_LANES; i++)
        a[i] = b_not(s, b_xor(s, a[i], b[i]));
    return b_all(s, a, WARP_LANES);
}

static bool chooses_one_lane(struct user_proof *p, unsigned k, term same, term x, term y)
{
    if (p->collecting)
        return false;
    if (!p->keyed && user_one_lane(p, WARP_LANES, x, y)) {
        term_list_add(&p->held, same); /* of all lanes; what follows is so only where lane k is in the group */
        return true;
    }
    return user_one_lane(p, k, x, y);
}

/* Of floats: is the user's word that of the group's key, whichever lane of the group gets it? */
static bool chooses_key(struct user_proof *p, term spec, term word)
{
    if (!p->keyed || p->collecting)
        return false;
    if (p->of_key != word && user_one_lane(p, WARP_LANES, spec, word))
        p->of_key = word;
    return p->of_key == word;
}

static bool claim_d(struct user_proof *p, term when, const struct scalar *user, unsigned k)
{
    const struct warp_form_info *info = p->request->info;
    struct smt *s = p->s;
    enum algebra op;
    term x, y, same;
    if (is_false(s, when))
        return true;
    if (!claim_initialized(p, when, user, "d", k) || !claim_initialized(p, when, p->d[k], "spec's d", k))
        return false;
    x = v_given(s, as_term(&p->spec->m, p->d[k]), when);
    y = v_given(s, as_term(&p->user->m, user), when);
    same = same_word(&p->user->m, x, y);
    if (term_list_has(&p->held, same))
        return true;
    if (claims_algebra(info, &op) && algebra_equal(s, op, when, x, y)) {
        p->outcome->algebraic++;
        return true;
    }
    if (chooses_key(p, x, as_term(&p->user->m, user)))
        return true;
    if (p->by_key_alone) {
        p->outcome->verdict = COMPILED_OPEN;
        return false;
    }
    if (chooses_one_lane(p, k, same, x, y))
        return true;
    if (info->family == WARP_MATCH_SYNC && info->op == WARP_ANY && user_match_any(p, user, k)) {
        p->outcome->claims++;
        return true;
    }
    return user_claim(p, b_or(s, b_not(s, when), same), "d", k);
}

/* The condition where `when` holds, which may be one of its conjuncts. */
static term condition_given(struct smt *s, term x, term when)
{
    const unsigned n = b_conjuncts(s, x);
    for (unsigned i = 0; n > 1 && i < n; i++)
        if (b_conjunct(s, x, i) == when)
            return b_without(s, x, when);
    return x;
}

static term where_in_group(struct user_proof *p, term in_group, term x)
{
    term yes = term_bool(p->s, true);
    return term_simplify(p->s, term_substitute(p->s, x, &in_group, &yes, 1));
}

/* Is a claim, where the lane is in the group, true or the leader's, which holds? The transcription gives a lane "in the
 * group, and all lanes ...", from which rewriting drops that this one is in the group: no two lanes have one term. */
static bool follows_in_group(struct user_proof *p, term in_group, term same)
{
    if (is_true(p->s, in_group) || p->collecting)
        return false;
    same = where_in_group(p, in_group, same);
    return is_true(p->s, same) || (p->led != NULL && same == where_in_group(p, in_group, p->led));
}

static bool claim_p(struct user_proof *p, term when, unsigned k)
{
    struct machine *machine = p->user;
    const struct scalar *user = user_result_p(machine, p->request, p->shape, &p->out, k);
    term spec, same;
    if (!claim_initialized(p, when, user, "p", k))
        return false;
    spec = condition_given(p->s, p->p[k], when);
    same = b_not(p->s, b_xor(p->s, as_bool(&machine->m, user), spec));
    if (term_list_has(&p->held, same)) /* mostly all lanes get one predicate */
        return true;
    if (!is_true(p->s, same) && follows_in_group(p, when, same)) {
        p->outcome->immediate++;
        return true;
    }
    if ((is_true(p->s, same) || !chooses_one_lane(p, k, same, spec, as_bool(&machine->m, user))) &&
        !user_claim(p, b_or(p->s, b_not(p->s, when), same), "p", k))
        return false;
    if (is_true(p->s, when) && !p->collecting)
        p->led = same;
    return true;
}

bool user_lane_claims(struct user_proof *p, unsigned k)
{
    const struct warp_form_info *info = p->request->info;
    term g = p->group[k];
    if (is_false(p->s, g))
        return true;
    if ((p->shape->provides & WARP_PART_P) && warp_form_writes_p(info, user_dst(info)) && !claim_p(p, g, k))
        return false;
    return !(p->shape->provides & WARP_PART_D) || !warp_form_writes_d(info, user_dst(info)) ||
           claim_d(p, b_and(p->s, g, p->d_defined[k]), user_result_d(p->shape, &p->out, k), k);
}

#define TOGETHER_MS 1000u

bool user_holds(struct user_proof *p, term claim, unsigned most_ms)
{
    const double most = most_ms / 1000.0;
    Z3_solver solver;
    Z3_lbool answer = ask_for(p, claim, p->request->timeout_s < most ? p->request->timeout_s : most, &solver);
    Z3_solver_dec_ref(p->s->z3, solver);
    return answer == Z3_L_FALSE;
}

bool user_lane_holds(struct user_proof *p, unsigned k)
{
    bool ok;
    p->collected = term_bool(p->s, true);
    p->collecting = true;
    ok = user_lane_claims(p, k) && user_obligations(p);
    p->collecting = false;
    return ok && (is_true(p->s, p->collected) || user_holds(p, p->collected, TOGETHER_MS));
}

#define STEPS_MOST 200000u

/* Each part of a claim that is abstract, in one solver that is made for many small questions. */
static bool parts_hold(struct user_proof *p, term claim)
{
    Z3_context z = p->s->z3;
    Z3_solver solver = limited_solver(p->s, Z3_mk_simple_solver(z), "rlimit", STEPS_MOST);
    bool held = true;
    Z3_solver_assert(z, solver, p->assumption);
    for (unsigned i = 0; held && i < b_conjuncts(p->s, claim); i++) {
        Z3_solver_push(z, solver);
        Z3_solver_assert(z, solver, term_not(p->s, b_conjunct(p->s, claim, i)));
        held = Z3_solver_check(z, solver) == Z3_L_FALSE;
        p->outcome->claims++;
        Z3_solver_pop(z, solver, 1);
    }
    Z3_solver_dec_ref(z, solver);
    return held;
}

/* Does the claim follow from which words are equal? */
static bool holds_of_equalities(struct user_proof *p, term claim)
{
    term normal = chains_normal(p->s, claim), abstract;
    if (is_true(p->s, normal))
        return true;
    abstract = abstract_equalities(p->s, normal);
    return abstract != NULL && parts_hold(p, abstract);
}

bool user_claim_equalities(struct user_proof *p, term claim, const char *what)
{
    return holds_of_equalities(p, claim) || user_claim(p, claim, what, WARP_LANES);
}

/* All claims at once: where each lane gets the same, they are one. False: not decided. */
static bool claim_together(struct user_proof *p)
{
    const unsigned algebraic = p->outcome->algebraic;
    bool ok = true, held;
    p->collected = term_bool(p->s, true);
    p->collecting = true;
    for (unsigned k = 0; ok && k < WARP_LANES; k++)
        ok = user_lane_claims(p, k);
    p->collecting = false;
    held =
        is_true(p->s, p->collected) || holds_of_equalities(p, p->collected) || user_holds(p, p->collected, TOGETHER_MS);
    if (!held)
        p->outcome->algebraic = algebraic;
    return held;
}

bool user_group_claims(struct user_proof *p)
{
    if (p->together > 0 && claim_together(p))
        return true;
    p->together -= p->together > 0;
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (!user_lane_claims(p, k))
            return false;
    return true;
}
