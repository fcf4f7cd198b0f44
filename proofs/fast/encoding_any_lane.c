/* The encoding's lane may be a term: a number in its place gives what encode_lane gives for that number. */
#include "proofs/fast/encoding.h"

#include <stdio.h>

/* The fields of a lane's result: the outcome, and what follows from done and the group. */
#define FIELDS  8u
#define OUTCOME 5u

/*
 * In the latter, done and the group are any: that they are the same was asked before. (Without a membermask done is a
 * bit of the group, and nothing is so large that it matters.)
 */
static void fields_of(struct smt *s, const struct warp_form_info *info, const struct smt_lane *r, term x[FIELDS])
{
    const bool any = warp_form_is_sync(info);
    const term all[FIELDS] = {r->done, r->waiting, r->undefined, r->group, r->waits_for, r->p, r->d_defined, r->d};
    const term names[3] = {term_constant(s, s->bool_sort, "done"), term_constant(s, s->word_sort, "group"),
                           term_constant(s, s->word_sort, "unpredictable")};
    for (unsigned i = 0; i < FIELDS; i++) {
        x[i] = term_substitute(s, all[i], &r->unpredictable, &names[2], 1);
        if (any && i >= OUTCOME)
            x[i] = term_substitute(s, term_substitute(s, x[i], &r->done, &names[0], 1), &r->group, &names[1], 1);
    }
}

static bool decide_lane(struct proof *proof, const struct smt_warp *w, const struct smt_lane *any, unsigned k)
{
    static const char *const names[FIELDS] = {"done",      "waiting", "undefined", "group",
                                              "waits_for", "p",       "d_defined", "d"};
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    const term lane = term_constant(s, s->word_sort, "lane"), number = term_word(s, k);
    struct smt_lane r;
    term x[FIELDS], y[FIELDS];
    bool ok = true;
    encode_lane(s, w, number, &r);
    fields_of(s, proof->info, any, x);
    fields_of(s, proof->info, &r, y);
    for (unsigned i = 0; ok && i < FIELDS; i++) {
        char what[64];
        term a = term_simplify(s, term_substitute(s, x[i], &lane, &number, 1)), b = term_simplify(s, y[i]);
        snprintf(what, sizeof what, "the encoding's %s where the lane is a term", names[i]);
        ok = decide(&proof->d, &proof->setting, a == b ? term_bool(s, true) : term_eq(s, a, b), what, k);
    }
    smt_release(s, mark);
    return ok;
}

bool encoding_prove_any_lane(struct proof *proof)
{
    struct smt *s = proof->d.s;
    const size_t mark = smt_mark(s);
    bool ok = true;
    setting_make(s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    for (unsigned i = 0; ok && i < proof->setting.dst.n; i++) {
        struct smt_warp w;
        struct smt_lane any;
        encode_warp(s, &w, proof->info->form, (uint32_t)proof->setting.dst.number[i], "encoding");
        encode_lane(s, &w, term_constant(s, s->word_sort, "lane"), &any);
        for (unsigned k = 0; ok && k < WARP_LANES; k++)
            ok = decide_lane(proof, &w, &any, k);
    }
    smt_release(s, mark);
    return ok;
}
