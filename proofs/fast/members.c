#include "proofs/fast/members.h"

#include "proofs/fast/kernel.h"
#include "proofs/fast/match_any.h"
#include "proofs/fast/spec_memory.h"
#include "proofs/fast/strip.h"
#include "proofs/fast/transcription.h"

term members_with_group(struct proof *proof, term x, const term group[WARP_LANES])
{
    struct smt *s = proof->d.s;
    x = smt_keep(s, Z3_substitute(s->z3, x, WARP_LANES, proof->split.group, group));
    return smt_keep(s, Z3_simplify(s->z3, x));
}

/* --- match.any ------------------------------------------------------------------------------------------------- */

static bool decide_within(struct proof *proof, const struct split_result *r, unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    term all[WARP_LANES], d = as_term(m, r->d[k]), within;
    for (unsigned i = 0; i < WARP_LANES; i++)
        all[i] = term_bool(s, true);
    within = as_term(m, arith_binary(m, LLVMAnd, (struct flags){0}, make_term(m, members_with_group(proof, d, all)),
                                     make_bits(m, WARP_LANES, proof->split.group)));
    return decide(&proof->d, &proof->split,
                  term_implies(s, term_and(s, proof->split.group[k], r->d_defined[k]), term_eq(s, d, within)),
                  "match.any of a part of the warp", k);
}

/* --- shfl ------------------------------------------------------------------------------------------------------ */

/* The group of lane k, of the done lanes `done`. */
static void group_of(struct smt *s, unsigned k, const term done[WARP_LANES], term group[WARP_LANES])
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        group[i] = b_and(s, done[i], spec_memory_bool(s, "members", k, i));
}

/* What the transcription gives each lane in its own group. Afterwards the case split's group are the done lanes. */
static void of_own_groups(struct proof *proof, struct split_result *r)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    struct case_split *split = &proof->split;
    term done[WARP_LANES], group[WARP_LANES];
    strip_group(s, 0, done);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        const struct scalar *d = r->d[k];
        group_of(s, k, done, group);
        r->p[k] = members_with_group(proof, r->p[k], group);
        r->d_defined[k] = members_with_group(proof, r->d_defined[k], group);
        r->d[k] = make_term(m, members_with_group(proof, as_term(m, d), group));
        if (d->poison != NULL)
            r->d[k] = with_poison(m, r->d[k], members_with_group(proof, d->poison, group));
    }
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in_own = b_or(s, b_not(s, done[k]), spec_memory_bool(s, "members", k, k));
        split->assumption = split->assumption == NULL ? in_own : term_and(s, split->assumption, in_own);
        split->group[k] = done[k];
    }
}

bool members_prove(struct proof *proof)
{
    const size_t mark = smt_mark(proof->d.s);
    struct split_result r;
    bool ok;
    if (!strip_moves(proof->info))
        return true;
    split_make(proof->d.s, &proof->split, proof->info, SPLIT_ALL_TARGETS, SPLIT_ALL_DSTS, SPLIT_ANY, 0);
    ok = transcription_group(proof, 0, &r);
    proof->split.members = NULL;
    if (classes_apply(proof->info)) {
        for (unsigned k = 0; ok && k < WARP_LANES; k++)
            ok = decide_within(proof, &r, k);
    } else if (ok) {
        of_own_groups(proof, &r);
        ok = kernel_prove_members(proof, &r);
    }
    smt_release(proof->d.s, mark);
    return ok;
}
