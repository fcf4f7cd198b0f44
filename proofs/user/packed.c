/*
 * Functions that pack the lanes of the group into a list and go on with that: groups of each size for themselves. The
 * function is executed on any such group; what its list holds is then what the lanes of rank 0, 1, ... have, whichever
 * these are (packing.h). Which lanes have what does not matter to redux, vote.all, any and uni, and the predicate of
 * match.all, so the transcription is executed on a group of the lowest lanes, with what the ranks have.
 */
#include "proofs/user/proof.h"

#include <string.h>

/* Is each lane's result the same whichever lanes have what? (match.all: that of all, with the group in d.) */
static bool is_symmetric(const struct warp_form_info *info)
{
    return info->family == WARP_REDUX_SYNC || (info->family == WARP_MATCH_SYNC && info->op != WARP_ANY) ||
           ((info->family == WARP_VOTE_SYNC || info->family == WARP_VOTE) && info->op != WARP_BALLOT);
}

static bool is_operand(enum user_unknown_is kind)
{
    return kind <= UNKNOWN_C || kind == UNKNOWN_PREDICATE;
}

static void begin_packing(struct user_proof *p, unsigned size)
{
    struct packing *k = &p->packing;
    const size_t n = p->unknown_count;
    unsigned kinds[WARP_LANES] = {0};
    *k = (struct packing){.size = size};
    memcpy(k->member, p->group, sizeof k->member);
    for (size_t i = 0; i < n; i++) {
        const struct user_unknown u = p->unknowns[i];
        if (!is_operand(u.kind))
            continue;
        k->of_lane[u.lane][kinds[u.lane]] = u.t;
        k->of_rank[u.lane][kinds[u.lane]] = user_unknown(p, u.kind, u.lane, true);
        k->of_any[kinds[u.lane]] = user_unknown(p, u.kind, WARP_LANES, true);
        k->kinds = ++kinds[u.lane];
    }
    p->unknown_count = n;
}

/* The group is that of the lowest lanes, and they have what the ranks have. */
static void rank_cases(struct user_proof *p, unsigned size)
{
    p->unknown_count = 0;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const struct warp_form_info *info = p->request->info;
        p->group[k] = p->active[k] = p->members[k] = term_bool(p->s, k < size);
        p->exited[k] = term_bool(p->s, false);
        if (info->type == WARP_PRED)
            p->predicates[k] = user_unknown(p, UNKNOWN_PREDICATE, k, true);
        else
            p->words[OPERAND_A][k] = user_unknown(p, UNKNOWN_A, k, true);
        if (info->type == WARP_B64)
            p->words[OPERAND_HIGH][k] = user_unknown(p, UNKNOWN_A_HIGH, k, true);
    }
}

/* match.all: whether all have the same is that of the ranks; d is then the group. */
static bool claim_match(struct user_proof *p, const term group[WARP_LANES])
{
    struct maker *m = &p->user->m;
    struct smt *s = p->s;
    term all = p->p[0], together = term_bool(s, true);
    const struct scalar *d = scalar_select(m, all, make_bits(m, 32, group), make_known(m, 32, 0));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const struct scalar *user_p = user_result_p(p->user, p->request, p->shape, &p->out, k);
        const struct scalar *user_d = user_result_d(p->shape, &p->out, k);
        term holds = b_not(s, b_xor(s, as_bool(m, user_p), all));
        holds = b_and(s, holds, as_bool(m, arith_compare(m, LLVMIntEQ, user_d, d)));
        if (user_p->poison != NULL)
            holds = b_and(s, holds, b_not(s, user_p->poison));
        if (user_d->poison != NULL)
            holds = b_and(s, holds, b_not(s, user_d->poison));
        together = term_and(s, together, b_or(s, b_not(s, group[k]), holds));
    }
    return user_claim_equalities(p, together, "d or p");
}

static bool prove_size(struct user_proof *p, unsigned size)
{
    const size_t mark = smt_mark(p->s);
    const struct warp_form_info *info = p->request->info;
    term group[WARP_LANES];
    bool ok;
    user_cases_make(p, (struct user_cases){WARP_LANES, WARP_LANES, GROUP_NOT_OF_ALL});
    memcpy(group, p->group, sizeof group);
    begin_packing(p, size);
    ok = user_run_function(p);
    if (ok && is_symmetric(info))
        rank_cases(p, size);
    ok = ok && user_run_spec(p);
    if (ok && p->packing.numbered)
        p->assumption = term_and(p->s, p->assumption, packing_places(p->s, &p->packing));
    if (ok && p->packing.numbered && !is_symmetric(info))
        p->assumption = term_and(p->s, p->assumption, packing_unknowns(p->s, &p->packing));
    if (ok && !is_symmetric(info))
        ok = user_group_claims(p);
    else if (ok)
        ok = info->family == WARP_MATCH_SYNC ? claim_match(p, group) : user_lane_claims(p, 0);
    ok = ok && user_obligations(p);
    smt_release(p->s, mark);
    return ok;
}

/* The group is the lowest lanes: no case of the ranks, but one of the function. */
static bool prove_lowest(struct user_proof *p, unsigned size)
{
    const size_t mark = smt_mark(p->s);
    bool ok;
    user_cases_make(p, (struct user_cases){WARP_LANES, WARP_LANES, GROUP_NOT_OF_ALL});
    p->assumption = term_bool(p->s, true);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        p->group[k] = p->active[k] = p->members[k] = term_bool(p->s, k < size);
        p->exited[k] = term_bool(p->s, false);
    }
    ok = user_run_function(p) && user_run_spec(p) && user_group_claims(p) && user_obligations(p);
    smt_release(p->s, mark);
    return ok;
}

bool user_prove_packed(struct user_proof *p)
{
    struct user_outcome *o = p->outcome;
    bool ok = true, refuted = false;
    p->hurries = true;
    for (unsigned size = 1; ok && size < WARP_LANES; size++) {
        ok = prove_size(p, size);
        refuted = o->verdict == COMPILED_REFUTED;
        o->verdict = COMPILED_OPEN; /* what refutes this may be no case of the function */
        o->unusable = o->has_witness = false;
        o->note[0] = '\0';
        p->packing = (struct packing){.sought = true};
        p->watches_packing = false;
        if (refuted)
            prove_lowest(p, size);
        p->watches_packing = true;
    }
    p->watches_packing = p->hurries = false;
    return ok && user_prove_cases(p, (struct user_cases){0, WARP_LANES, GROUP_OF_ALL});
}
