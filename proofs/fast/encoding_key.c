/* redux on f32: the encoding's chain over the lanes, one step at a time, against the least key of those lanes. */
#include "proofs/fast/encoding.h"

#include "proofs/fast/key.h"
#include "proofs/fast/scene.h"

/* The chain before or after a lane: what it holds, the least key of the lanes so far, and whether one took part. */
struct link {
    term state, key, taken;
};

/* The number of the key; before any lane took part, what the encoding starts from. */
static term holds_of(struct proof *proof, term start, const struct link *x)
{
    struct smt *s = proof->d.s;
    term neutral = term_eq(s, x->key, key_neutral(s, proof->info)), number = key_number(s, x->key);
    term sticky = key_is_sticky(s, proof->info, x->key);
    term is_nan = term_eq(s, number, key_number(s, key_neutral(s, proof->info)));
    term all =
        term_and(s, key_in_range(s, proof->info, x->key), term_eq(s, x->state, term_ite(s, neutral, start, number)));
    if (proof->info->nan) /* the neutral key is no float's, and a NaN's key is sticky */
        return TERM_ALL(s, all, term_implies(s, x->taken, term_not(s, neutral)),
                        term_implies(s, is_nan, term_or(s, neutral, sticky)));
    return term_and(s, all, term_not(s, sticky)); /* no float's key is */
}

/* Lane k with names that are the same for each lane, so that the same question is asked once. */
static term of_any_lane(struct proof *proof, term x, unsigned k)
{
    struct smt *s = proof->d.s;
    const term from[2] = {as_term(&proof->spec->m, scene_word(&proof->spec->m, "a", k)), proof->setting.group[k]};
    const term to[2] = {term_constant(s, s->word_sort, "a.lane"), term_constant(s, s->bool_sort, "g.lane")};
    return term_substitute(s, x, from, to, 2);
}

/* The states in terms of the setting's group. False: the lane's d is no such chain. */
static bool chain(struct proof *proof, unsigned k, uint32_t dst, term state[WARP_LANES + 1])
{
    struct smt *s = proof->d.s;
    struct smt_warp w;
    struct smt_lane r;
    encoding_warp(proof, dst, proof->setting.active, proof->setting.exited, &w);
    encode_lane(s, &w, term_word(s, k), &r);
    encode_redux_states(s, &w, r.group, state);
    if (encoding_value(s, &r) != state[WARP_LANES])
        return proof_open(proof, "the encoding's d is not the end of its chain");
    for (unsigned i = 0; i <= WARP_LANES; i++)
        state[i] = encoding_in_group(proof, &r, true, state[i]);
    return true;
}

static bool decide_step(struct proof *proof, const term state[WARP_LANES + 1], unsigned k)
{
    struct smt *s = proof->d.s;
    const enum algebra op = key_operation(proof->info);
    struct link before = {term_constant(s, s->word_sort, "state"), term_constant(s, s->word_sort, "key"),
                          term_constant(s, s->bool_sort, "taken")};
    struct link after;
    term claim, lane = key_of_lane(proof, &proof->spec->m, k);
    if (k == 0) /* the start is a number, which may stand elsewhere too */
        before = (struct link){state[0], key_neutral(s, proof->info), term_bool(s, false)};
    after.state = k == 0 ? state[1] : term_substitute(s, state[k + 1], &state[k], &before.state, 1);
    after.key = algebra_apply(s, op, before.key, lane);
    after.taken = term_or(s, before.taken, proof->setting.group[k]);
    claim = term_implies(s, holds_of(proof, state[0], &before), holds_of(proof, state[0], &after));
    return decide(&proof->d, &proof->setting, k == 0 ? claim : of_any_lane(proof, claim, k),
                  "a step of the encoding's reduction", k);
}

/* What the chain ends with, when some lane took part. */
static bool decide_end(struct proof *proof, term start)
{
    struct smt *s = proof->d.s;
    const struct link end = {term_constant(s, s->word_sort, "state"), term_constant(s, s->word_sort, "key"),
                             term_bool(s, true)};
    return decide(&proof->d, &proof->setting,
                  term_implies(s, holds_of(proof, start, &end), term_eq(s, end.state, key_number(s, end.key))),
                  "the end of the encoding's reduction", WARP_LANES);
}

bool encoding_prove_keys(struct proof *proof)
{
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    term state[WARP_LANES + 1], other[WARP_LANES + 1];
    bool ok = true;
    setting_make(s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    for (unsigned i = 0; ok && i < proof->setting.dst.n; i++) {
        const uint32_t dst = (uint32_t)proof->setting.dst.number[i];
        if (!warp_form_writes_d(proof->info, dst))
            continue;
        ok = chain(proof, 0, dst, state) && decide_end(proof, state[0]);
        for (unsigned k = 0; ok && k < WARP_LANES; k++)
            ok = decide_step(proof, state, k);
        for (unsigned k = 1; ok && k < WARP_LANES; k++) {
            ok = chain(proof, k, dst, other);
            if (ok && other[WARP_LANES] != state[WARP_LANES])
                ok = proof_open(proof, "the encoding gives the lanes of a group different chains");
        }
    }
    smt_release(s, mark);
    return ok;
}
