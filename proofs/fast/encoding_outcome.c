/* Outcomes: those of encode_outcome, and those of the class that spec_wait settles. */
#include "proofs/fast/encoding.h"

#include "proofs/fast/scene.h"
#include "proofs/fast/wait.h"

/* One lane and the lanes that pass its membermask, by the names that wait.c has for them. */
struct outcome {
    struct proof *proof;
    unsigned lane;
    struct smt_warp w;
    struct smt_lane r;
    term active[WARP_LANES], exited[WARP_LANES];
    term same[WARP_LANES]; /* passes the lane's membermask: any lanes, and itself */
    term mask[WARP_LANES]; /* the bits of that */
};

static void begin(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    for (unsigned k = 0; k < WARP_LANES; k++) {
        o->active[k] = scene_bool(s, "active", 0, k);
        o->exited[k] = b_and(s, scene_bool(s, "exited", 0, k), b_not(s, o->active[k]));
        o->same[k] = k == o->lane ? term_bool(s, true) : scene_bool(s, "here", 0, k);
        o->mask[k] = scene_bool(s, "mask", 0, k);
    }
}

/* x with the names in place of comparisons of membermasks, and of the lane's own. */
static term renamed(const struct outcome *o, term x)
{
    struct smt *s = o->proof->d.s;
    term equal[WARP_LANES], mask = term_mask(s, o->mask);
    if (!warp_form_is_sync(o->proof->info))
        return x;
    for (unsigned k = 0; k < WARP_LANES; k++)
        equal[k] = term_eq(s, o->w.membermask[k], o->w.membermask[o->lane]);
    x = term_substitute(s, x, equal, o->same, WARP_LANES);
    return term_substitute(s, x, &o->w.membermask[o->lane], &mask, 1);
}

static bool decide_renamed(struct outcome *o, term given, term x, term y, const char *what)
{
    struct smt *s = o->proof->d.s;
    return decide(&o->proof->d, &o->proof->setting, term_implies(s, given, term_eq(s, renamed(o, x), y)), what,
                  o->lane);
}

static bool decide_active(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    term here[WARP_LANES], active = o->active[o->lane], member, done, waits;
    struct wait_class c;
    for (unsigned k = 0; k < WARP_LANES; k++)
        here[k] = b_and(s, o->active[k], o->same[k]);
    wait_class(s, &o->proof->setting, o->exited, o->mask, here, &c);
    member = c.members[o->lane];
    done = term_and(s, member, c.complete);
    waits = term_and(s, member, c.waits);
    return decide_renamed(o, active, o->r.undefined, term_or(s, c.outside[o->lane], term_and(s, member, c.undefined)),
                          "the encoding's undefined") &&
           decide_renamed(o, active, o->r.waiting, waits, "the encoding's waiting") &&
           decide_renamed(o, active, o->r.done, done, "the encoding's done") &&
           decide_renamed(o, active, o->r.waits_for, term_ite(s, waits, term_mask(s, c.missing), term_word(s, 0)),
                          "the encoding's waits_for") &&
           decide_renamed(o, term_and(s, active, done), o->r.group, term_mask(s, c.members), "the encoding's group");
}

static bool decide_idle(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    term idle = b_not(s, o->active[o->lane]), no = term_bool(s, false);
    return decide_renamed(o, idle, term_or(s, o->r.done, term_or(s, o->r.waiting, o->r.undefined)), no,
                          "the encoding's outcome of a lane that is not active") &&
           decide_renamed(o, idle, o->r.waits_for, term_word(s, 0), "the encoding's waits_for");
}

/* No membermask: the active lanes are done, all of them one group. */
static bool decide_without_membermask(struct outcome *o)
{
    struct smt *s = o->proof->d.s;
    term yes = term_bool(s, true), no = term_bool(s, false);
    return decide_renamed(o, yes, o->r.done, o->active[o->lane], "the encoding's done") &&
           decide_renamed(o, yes, term_or(s, o->r.waiting, o->r.undefined), no, "the encoding's outcome") &&
           decide_renamed(o, yes, o->r.waits_for, term_word(s, 0), "the encoding's waits_for") &&
           decide_renamed(o, o->active[o->lane], o->r.group, term_mask(s, o->active), "the encoding's group");
}

static bool decide_lane(struct proof *proof, unsigned k, uint32_t dst)
{
    struct outcome o = {.proof = proof, .lane = k};
    begin(&o);
    encoding_warp(proof, dst, o.active, o.exited, &o.w);
    encode_lane(proof->d.s, &o.w, term_word(proof->d.s, k), &o.r);
    if (!warp_form_is_sync(proof->info))
        return decide_without_membermask(&o);
    return decide_active(&o) && decide_idle(&o);
}

bool encoding_prove_outcomes(struct proof *proof)
{
    const size_t mark = smt_mark(proof->d.s);
    bool ok = true;
    setting_make(proof->d.s, &proof->setting, proof->info, SETTING_ALL_TARGETS, SETTING_ALL_DSTS, SETTING_ANY, 0);
    for (unsigned k = 0; ok && k < WARP_LANES; k++)
        for (unsigned i = 0; ok && i < proof->setting.dst.n; i++) /* the same terms: asked once */
            ok = decide_lane(proof, k, (uint32_t)proof->setting.dst.number[i]);
    smt_release(proof->d.s, mark);
    return ok;
}
