#include "proofs/fast/encoding.h"

#include "proofs/algebra.h"
#include "proofs/equality.h"
#include "proofs/fast/key.h"
#include "proofs/fast/scene.h"
#include "proofs/fast/transcription.h"

/* match.all: the encoding compares with the own lane, the transcription with the leader. Only equality matters. */
static bool decide_by_equality(struct proof *proof, unsigned leader, term claim, const char *what, unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    struct equality e;
    term low[WARP_LANES], high[WARP_LANES];
    bool ok;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        low[i] = as_term(m, scene_word(m, "a", i));
        high[i] = as_term(m, scene_word(m, "h", i));
    }
    equality_begin(&e, s, low, proof->info->type == WARP_B64 ? high : NULL);
    claim = equality_of(&e, claim);
    ok = decide(&proof->d, &proof->setting, term_implies(s, equality_facts(&e, leader, k), claim), what, k);
    equality_end(&e);
    return ok;
}

static bool decide_same(struct proof *proof, unsigned leader, term given, term x, term y, const char *what, unsigned k)
{
    struct smt *s = proof->d.s;
    term claim = term_implies(s, given, term_eq(s, x, y));
    if (transcription_is_match_all(proof->info))
        return decide_by_equality(proof, leader, claim, what, k);
    return decide(&proof->d, &proof->setting, claim, what, k);
}

/* Bit by bit, so that comparisons of operands stand alone. */
static bool decide_bits(struct proof *proof, unsigned leader, term given, term d, const struct scalar *expected,
                        unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    term x[WARP_LANES], y[WARP_LANES], same[WARP_LANES];
    as_bits(m, make_term(m, d), x);
    as_bits(m, expected, y);
    for (unsigned i = 0; i < WARP_LANES; i++)
        same[i] = term_eq(s, x[i], y[i]);
    return decide_same(proof, leader, given, term_all(s, same, WARP_LANES), term_bool(s, true), "the encoding's d", k);
}

/* d of lane k where the transcription defines it, as the encoding does. */
static bool decide_d(struct proof *proof, unsigned leader, const struct encoded *e, const struct setting_result *spec,
                     unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->spec->m;
    const struct scalar *d = spec->d[k];
    term given = b_and(s, proof->setting.group[k], spec->d_defined[k]), x, y;
    enum algebra op;
    if (is_false(s, given))
        return true;
    if (d->poison != NULL && !decide_defined(&proof->d, &proof->setting, b_or(s, b_not(s, given), b_not(s, d->poison)),
                                             "the transcription's d is uninitialized", k))
        return false;
    y = v_given(s, as_term(m, d), given);
    if (key_applies(proof->info)) /* that the encoding's d is this too: encoding_prove_keys */
        return decide(&proof->d, &proof->setting, b_or(s, b_not(s, given), v_eq(s, as_term(m, key_result(m)), y)),
                      "the transcription's d", k);
    if (e->d == NULL) /* not defined there: decide_lane has said so */
        return decide(&proof->d, &proof->setting, b_not(s, given), "the encoding's d is never defined", k);
    x = v_given(s, e->d, given);
    if (claims_algebra(proof->info, &op) && algebra_equal(s, op, given, x, y)) {
        proof->d.outcome->algebraic++;
        return true;
    }
    if (proof->info->family == WARP_MATCH_SYNC)
        return decide_bits(proof, leader, given, x, make_term(m, y), k);
    return decide(&proof->d, &proof->setting, term_implies(s, given, term_eq(s, x, y)), "the encoding's d", k);
}

static bool decide_lane(struct proof *proof, unsigned leader, const struct setting_result *spec, unsigned k)
{
    term in = proof->setting.group[k];
    struct encoded e;
    if (is_false(proof->d.s, in))
        return true;
    encoding_lane(proof, k, true, &e);
    return decide_same(proof, leader, in, e.p, spec->p[k], "the encoding's p", k) &&
           decide_same(proof, leader, in, e.d_defined, spec->d_defined[k], "the encoding's d_defined", k) &&
           decide_d(proof, leader, &e, spec, k);
}

/* All lanes of a group; its lowest is `leader` where the transcription asks for that. */
static bool prove_setting(struct proof *proof, enum setting_kind kind, unsigned leader)
{
    const size_t mark = smt_mark(proof->d.s);
    bool ok;
    setting_make(proof->d.s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, kind, leader);
    ok = transcription_group(proof, leader, &proof->spec_result);
    proof->setting.members = NULL; /* membermasks are no matter of the instruction */
    for (unsigned k = 0; ok && k < WARP_LANES; k++)
        ok = decide_lane(proof, leader, &proof->spec_result, k);
    smt_release(proof->d.s, mark);
    return ok;
}

/* A lane that is not done has neither d nor p. */
static bool prove_others(struct proof *proof)
{
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    bool ok = true;
    setting_make(s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    for (unsigned k = 0; ok && k < WARP_LANES; k++) {
        struct encoded e;
        encoding_lane(proof, k, false, &e);
        ok = decide(&proof->d, &proof->setting, term_not(s, term_or(s, e.p, e.d_defined)),
                    "the encoding answers a lane that is not done", k);
    }
    smt_release(s, mark);
    return ok;
}

bool encoding_prove(struct proof *proof)
{
    if (!encoding_prove_any_lane(proof) || !encoding_prove_outcomes(proof) || !prove_others(proof))
        return false;
    if (key_applies(proof->info) && (!key_prove_transcription(proof) || !encoding_prove_keys(proof)))
        return false;
    if (!transcription_by_group(proof->info) || proof->info->type == WARP_PRED)
        return prove_setting(proof, SETTING_ANY, 0);
    for (unsigned leader = WARP_LANES; leader-- > 0;)
        if (!prove_setting(proof, SETTING_LED, leader))
            return proof_tell(proof, "lowest lane of the group:", leader);
    return prove_setting(proof, SETTING_FULL, 0);
}
