/* The claims about a run with different membermasks. */
#include "proofs/fast/mixed.h"

#include "proofs/fast/groups.h"
#include "proofs/fast/pair.h"
#include "proofs/fast/scene.h"
#include "proofs/fast/transcription.h"

const struct scalar *mixed_vote_word(struct maker *m, const struct warp_form_info *info, unsigned g)
{
    return info->op == WARP_BALLOT ? scene_word(m, "vote.word", g) : scene_bits(m, "vote.word", g);
}

/* Builds plain conjunctions: these claims are long, so that only the solver should examine them. */
static void claim_also(struct smt *s, term *claim, term when, term then)
{
    if (!is_true(s, then))
        *claim = term_and(s, *claim, term_or(s, term_not(s, when), then));
}

static term same_bool(struct smt *s, term x, term y)
{
    return b_not(s, b_xor(s, x, y));
}

/* Lane k is in group g (WARP_LANES: in none) and in no other. */
static term only_in(struct smt *s, unsigned n, unsigned g, unsigned k)
{
    term only = term_bool(s, true);
    for (unsigned i = 0; i < n; i++)
        only = term_and(s, only, i == g ? groups_member(s, i, k) : term_not(s, groups_member(s, i, k)));
    return only;
}

/* No lane outside all groups gets anything. */
static term claim_nothing(struct proof *proof, const struct mixed *mixed, unsigned k)
{
    struct smt *s = proof->d.s;
    if (mixed->done[0] != NULL) /* decide_moved says so */
        return term_bool(s, true);
    return term_or(s, term_not(s, only_in(s, mixed->n, WARP_LANES, k)),
                   b_not(s, b_or(s, proof->fast_result.p[k], proof->fast_result.d_defined[k])));
}

term mixed_outcome(struct proof *proof, const struct mixed *mixed)
{
    struct smt *s = proof->d.s;
    const struct setting_result *r = &proof->fast_result;
    term claim = term_and(s, r->reserved, mixed->right), yes = term_bool(s, true);
    if (r->poison != NULL)
        claim = term_and(s, claim, term_not(s, r->poison));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term waiting = groups_bit(s, "waiting", k);
        claim_also(s, &claim, yes, same_bool(s, r->done[k], term_not(s, only_in(s, mixed->n, WARP_LANES, k))));
        claim_also(s, &claim, yes, same_bool(s, r->undefined[k], groups_bit(s, "undefined", k)));
        claim_also(s, &claim, yes, same_bool(s, r->waiting[k], waiting));
        claim_also(s, &claim, waiting, v_eq(s, as_term(&proof->fast->m, r->waits_for[k]), groups_missing(s, k)));
        claim_also(s, &claim, yes, claim_nothing(proof, mixed, k));
    }
    return claim;
}

/* The result that lane k of group g must have. */
struct expected {
    term p, defined, d;
};

static struct expected of_row(struct proof *proof, const struct strip_row *row, unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    term bits[WARP_LANES];
    struct expected e = {term_bool(s, false), proof->setting.writes_d,
                         as_term(m, row->d[k] != NULL ? row->d[k] : row->word)};
    if (row->word != NULL && proof->info->family != WARP_REDUX_SYNC) {
        as_bits(m, row->word, bits);
        e.p = b_and(s, proof->setting.writes_p, bits[k]);
    }
    if (row->d_defined != NULL) {
        as_bits(m, row->d_defined, bits);
        e.defined = b_and(s, e.defined, bits[k]);
    }
    return e;
}

/* vote: the word that answer_evaluate named. */
static struct expected of_vote(struct proof *proof, unsigned g, unsigned k)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    term bits[WARP_LANES];
    as_bits(m, mixed_vote_word(m, proof->info, g), bits);
    return (struct expected){b_and(s, proof->setting.writes_p, bits[k]), proof->setting.writes_d,
                             as_term(m, mixed_vote_word(m, proof->info, g))};
}

/* x where lane k is in group g alone. */
static term where_in(struct smt *s, unsigned n, unsigned g, unsigned k, term x)
{
    term from[WARP_LANES], to[WARP_LANES];
    for (unsigned i = 0; i < n; i++) {
        from[i] = groups_member(s, i, k);
        to[i] = term_bool(s, i == g);
    }
    x = smt_keep(s, Z3_substitute(s->z3, x, n, from, to));
    return smt_keep(s, Z3_simplify(s->z3, x));
}

static bool decide_lane(struct proof *proof, const struct mixed *mixed, unsigned g, unsigned k)
{
    struct smt *s = proof->d.s;
    const struct setting_result *r = &proof->fast_result;
    const struct expected e = proof->info->type == WARP_PRED ? of_vote(proof, g, k) : of_row(proof, &mixed->rows[g], k);
    const struct {
        term is, shall_be, when;
    } pairs[] = {
        {r->p[k], e.p, NULL},
        {r->d_defined[k], e.defined, NULL},
        {as_term(&proof->fast->m, r->d[k]), e.d, e.defined},
        {r->d[k]->poison == NULL ? term_bool(s, false) : r->d[k]->poison, term_bool(s, false), e.defined},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        term is, shall_be, claim;
        if (pairs[i].when != NULL && is_false(s, pairs[i].when))
            continue;
        is = where_in(s, mixed->n, g, k, pairs[i].is);
        shall_be = where_in(s, mixed->n, g, k, pairs[i].shall_be);
        claim = term_eq(s, is, shall_be);
        if (pairs[i].when != NULL)
            claim = term_implies(s, where_in(s, mixed->n, g, k, pairs[i].when), claim);
        if (is == shall_be)
            proof->d.outcome->immediate++;
        else if (!decide(&proof->d, &proof->setting, claim, "a result with different membermasks", k))
            return false;
    }
    return true;
}

/* shfl: the kernel is told the right lanes. */
static bool decide_done(struct proof *proof, const struct mixed *mixed)
{
    struct smt *s = proof->d.s;
    for (unsigned w = 0; w < 2; w++) {
        term bits[WARP_LANES], claim = term_bool(s, mixed->done[w] != NULL && mixed->done[w]->poison == NULL);
        if (mixed->done[w] != NULL)
            as_bits(&proof->fast->m, mixed->done[w], bits);
        for (unsigned k = 0; k < WARP_LANES && mixed->done[w] != NULL; k++)
            claim = term_and(s, claim, term_eq(s, bits[k], term_not(s, only_in(s, mixed->n, WARP_LANES, k))));
        if (!decide(&proof->d, &proof->setting, claim, "the done lanes that shfl's kernel is told", WARP_LANES))
            return false;
    }
    return true;
}

/* d is defined where the source's bit is in a group of the lane's, and then it is what was moved. */
static bool decide_moved(struct proof *proof, const struct mixed *mixed, unsigned lane)
{
    struct smt *s = proof->d.s;
    struct maker *m = &proof->fast->m;
    const struct setting_result *r = &proof->fast_result;
    term defined = term_bool(s, false), p = b_and(s, pair_done(s, lane), pair_p(s, lane)), claim;
    for (unsigned g = 0; g < mixed->n; g++)
        defined = b_or(s, defined, b_and(s, scene_bool(s, "pair.with", g, lane), groups_member(s, g, lane)));
    defined = b_and(s, proof->setting.writes_d, defined);
    p = b_and(s, proof->setting.writes_p, p);
    if (!decide(&proof->d, &proof->setting, same_bool(s, r->p[lane], p), "p of a lane in several groups", lane) ||
        !decide(&proof->d, &proof->setting, same_bool(s, r->d_defined[lane], defined),
                "d_defined of a lane in several groups", lane))
        return false;
    claim = v_eq(s, v_given(s, as_term(m, r->d[lane]), r->d_defined[lane]), as_term(m, pair_moved(m, lane)));
    if (r->d[lane]->poison != NULL)
        claim = b_and(s, claim, b_not(s, r->d[lane]->poison));
    return decide(&proof->d, &proof->setting, b_or(s, b_not(s, r->d_defined[lane]), claim),
                  "d of a lane in several groups", lane);
}

static bool decide_pair(struct proof *proof, const struct mixed *mixed)
{
    if (mixed->with != mixed->n)
        return proof_open(proof, "shfl with several groups does not ask of each group which sources it has");
    if (!decide_done(proof, mixed))
        return false;
    for (unsigned k = 0; k < WARP_LANES; k++)
        if (!decide_moved(proof, mixed, k))
            return false;
    return mixed->n > 1 || pair_prove_with(proof, mixed->with_function);
}

static bool decide_rows(struct proof *proof, const struct mixed *mixed)
{
    bool ok = true;
    for (unsigned i = 0; ok && i < mixed->n * WARP_LANES; i++) {
        const size_t mark = smt_mark(proof->d.s);
        ok = decide_lane(proof, mixed, i / WARP_LANES, i % WARP_LANES);
        smt_release(proof->d.s, mark);
    }
    return ok;
}

/* For one group: claims that its word is what the transcription gives its lanes. */
static bool decide_vote(struct proof *proof, struct mixed *mixed)
{
    struct smt *s = proof->d.s;
    const struct setting_result *r = &proof->spec_result;
    struct votes *votes = mixed->votes;
    groups_bits(s, 0, proof->setting.group);
    if (!transcription_group(proof, 0, &proof->spec_result))
        return false;
    proof->setting.members = NULL;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term in = groups_member(s, 0, k),
             word = as_term(&proof->fast->m, make_bits(&proof->fast->m, WARP_LANES, mixed->words[0]));
        term claim = term_and(s, term_eq(s, r->p[k], term_and(s, proof->setting.writes_p, mixed->words[0][k])),
                              term_eq(s, r->d_defined[k], proof->setting.writes_d));
        claim = term_and(s, claim,
                         term_or(s, term_not(s, r->d_defined[k]), term_eq(s, as_term(&proof->spec->m, r->d[k]), word)));
        if (!decide(&proof->d, &proof->setting, term_implies(s, in, claim), "the word of a vote", k))
            return false;
        Z3_inc_ref(s->z3, mixed->words[0][k]);
        votes->bits[k] = mixed->words[0][k];
    }
    votes->known = true;
    return true;
}

/* For several groups: claims that each word is that of one group alone. */
static bool decide_votes(struct proof *proof, struct mixed *mixed)
{
    struct smt *s = proof->d.s;
    if (mixed->n == 1 && !decide_vote(proof, mixed))
        return false;
    for (unsigned g = 0; g < mixed->n; g++) {
        term from[WARP_LANES], to[WARP_LANES];
        groups_bits(s, 0, from);
        groups_bits(s, g, to);
        for (unsigned k = 0; k < WARP_LANES; k++) {
            term x = smt_keep(s, Z3_substitute(s->z3, mixed->votes->bits[k], WARP_LANES, from, to));
            if (x != mixed->words[g][k] && !decide(&proof->d, &proof->setting, term_eq(s, x, mixed->words[g][k]),
                                                   "the word of one of several votes", k))
                return false;
        }
    }
    return true;
}

bool mixed_results(struct proof *proof, struct mixed *mixed)
{
    if (proof->info->type == WARP_PRED && mixed->n > 0 && !decide_votes(proof, mixed))
        return false;
    return mixed->done[0] != NULL ? decide_pair(proof, mixed) : decide_rows(proof, mixed);
}
