/* Outcomes and groups, in a warp with any membermasks, any exited lanes and any active lanes. */
#include "smt/catalogue/catalogue.h"

#include <string.h>

/* Outcomes and groups do not depend on the instruction (outcome-same-for-all): vote.sync, which both sides of the
 * convergence rule have, stands for every .sync form. */
#define FORM WARP_VOTE_SYNC_BALLOT_B32

/* Two lanes of one warp. */
struct pair {
    struct smt_warp *w;
    term x_lane, y_lane;
    struct smt_lane x, y;
};

static void make_pair(struct goal *g, struct pair *p)
{
    p->w = goal_warp(g, FORM);
    p->x_lane = goal_lane_number(g, "lane");
    p->y_lane = goal_lane_number(g, "other_lane");
    p->x = goal_result(g, p->w, p->x_lane);
    p->y = goal_result(g, p->w, p->y_lane);
}

static struct smt_lane one_lane(struct goal *g, struct smt_warp **w, term *lane)
{
    *w = goal_warp(g, FORM);
    *lane = goal_lane_number(g, "lane");
    return goal_result(g, *w, *lane);
}

static void exactly_one(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    term some = TERM_ANY(s, r.done, r.waiting, r.undefined);
    (void)unused;
    goal_claim(g, "some outcome iff active", term_eq(s, some, term_in(s, lane, w->active)));
    goal_claim(g, "not done and waiting", term_not(s, term_and(s, r.done, r.waiting)));
    goal_claim(g, "not done and undefined", term_not(s, term_and(s, r.done, r.undefined)));
    goal_claim(g, "not waiting and undefined", term_not(s, term_and(s, r.waiting, r.undefined)));
}

/* The facts that goal_group_warp builds in. */
static void group_shape(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    term own = term_of_lane(s, w->membermask, lane);
    (void)unused;
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_claim_when(g, "active, with the same membermask",
                        term_and(s, r.done, term_in(s, term_word(s, k), r.group)),
                        term_and(s, term_in(s, term_word(s, k), w->active), term_eq(s, w->membermask[k], own)));
}

static void group_agrees(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct goal_group group;
    (void)unused;
    goal_group_make(g, FORM, &group);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        struct smt_lane r = goal_group_result(g, &group, k);
        goal_claim_when(g, "done, with the same group", term_in(s, term_word(s, k), group.group),
                        term_and(s, r.done, term_eq(s, r.group, group.group)));
    }
}

static void groups_partition(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct pair p;
    term same, apart;
    (void)unused;
    make_pair(g, &p);
    goal_assume(g, term_and(s, p.x.done, p.y.done));
    same = term_eq(s, p.x.group, p.y.group);
    apart = term_eq(s, term_band(s, p.x.group, p.y.group), term_word(s, 0));
    goal_claim(g, "same or disjoint", term_or(s, same, apart));
}

static void own_group(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    (void)unused;
    goal_claim_when(g, "in its own group", r.done, term_in(s, lane, r.group));
    goal_claim_when(g, "a group of active lanes", r.done,
                    term_eq(s, term_band(s, r.group, term_bnot(s, w->active)), term_word(s, 0)));
}

static void all_done(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_full_warp(g, FORM);
    struct smt_lane r = goal_result(g, w, goal_lane_number(g, "lane"));
    (void)unused;
    goal_claim(g, "done", r.done);
    goal_claim(g, "in the group of all", term_eq(s, r.group, term_word(s, UINT32_MAX)));
}

static void waits_for(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    term own = term_of_lane(s, w->membermask, lane);
    (void)unused;
    goal_claim(g, "somebody iff waiting", term_eq(s, r.waiting, term_ne(s, r.waits_for, term_word(s, 0))));
    goal_claim(g, "not itself", term_not(s, term_in(s, lane, r.waits_for)));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term other = term_word(s, k);
        term arrived = term_and(s, term_in(s, other, w->active), term_eq(s, w->membermask[k], own));
        term missing = TERM_ALL(s, term_in(s, other, own), term_not(s, term_in(s, other, w->exited)),
                                term_not(s, arrived), r.waiting);
        goal_claim(g, "exactly the missing lanes", term_eq(s, term_in(s, other, r.waits_for), missing));
    }
}

static void exited_not_awaited(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    (void)unused;
    goal_claim(g, "no exited lane", term_eq(s, term_band(s, r.waits_for, w->exited), term_word(s, 0)));
}

static void convergence(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w, *other;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    struct smt_lane q;
    (void)unused;
    other = goal_warp(g, FORM);
    *other = *w;
    other->convergence = term_bool(s, false);
    q = goal_result(g, other, lane);
    goal_claim_when(g, "up to sm_6x nobody waits", w->convergence, term_not(s, r.waiting));
    goal_claim(g, "done does not depend on the target", term_eq(s, r.done, q.done));
    goal_claim_when(g, "what would wait is undefined", w->convergence,
                    term_eq(s, r.undefined, term_or(s, q.undefined, q.waiting)));
}

/* More exited lanes, none of them active: a done lane stays done. */
static void exit_monotone(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w, *later;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    term exits = goal_word(g, "exits");
    (void)unused;
    later = goal_warp(g, FORM);
    *later = *w;
    later->exited = term_bor(s, w->exited, exits);
    goal_assume(g, term_eq(s, term_band(s, exits, w->active), term_word(s, 0)));
    goal_claim_when(g, "done stays done", r.done, goal_result(g, later, lane).done);
}

/* A membermask without absent lanes: every lane that it names has exited or is active. */
static void complete_mask(struct goal *g, int same)
{
    struct smt *s = g->s;
    struct smt_warp *w;
    term lane;
    struct smt_lane r;
    term mask;
    w = goal_warp(g, FORM);
    lane = goal_lane_number(g, "lane");
    if (same)
        goal_same_membermask(w, goal_membermask(g));
    r = goal_result(g, w, lane);
    mask = term_of_lane(s, w->membermask, lane);
    goal_assume(g, TERM_ALL(s, term_in(s, lane, w->active), term_in(s, lane, mask)));
    goal_assume(g, term_eq(s,
                           TERM_ALL(s, term_eq(s, term_band(s, mask, term_bnot(s, term_bor(s, w->active, w->exited))),
                                               term_word(s, 0))),
                           term_bool(s, true)));
    goal_claim(g, "done", r.done);
}

static void awaited_not_done(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct pair p;
    (void)unused;
    make_pair(g, &p);
    goal_claim_when(g, "not done", term_in(s, p.y_lane, p.x.waits_for), term_not(s, p.y.done));
}

/*
 * The same masks under another instruction. A form that no target up to sm_6x has knows no convergence rule: then
 * FORM's target stays free, done and group are the same on both sides of the rule, and the other outcomes where it does
 * not apply (what they are where it does: outcome-convergence).
 */
static void same_outcome(struct goal *g, enum warp_form form, const struct smt_warp *w, term lane,
                         const struct smt_lane *r)
{
    struct smt *s = g->s;
    struct smt_warp *other = goal_warp(g, form);
    bool has_rule = warp_target_needs_convergence(warp_form_least_target(other->info));
    struct smt_lane q;
    term group, rest;
    if (has_rule)
        other->convergence = w->convergence;
    other->exited = w->exited;
    other->active = w->active;
    memcpy(other->membermask, w->membermask, sizeof other->membermask);
    q = goal_result(g, other, lane);
    group = term_implies(s, r->done, term_eq(s, r->group, q.group));
    rest = TERM_ALL(s, term_eq(s, r->waiting, q.waiting), term_eq(s, r->undefined, q.undefined),
                    term_eq(s, r->waits_for, q.waits_for));
    if (!has_rule)
        rest = term_or(s, w->convergence, rest);
    goal_claim(g, other->info->name, TERM_ALL(s, term_eq(s, r->done, q.done), group, rest));
}

static void same_for_all(struct goal *g, int unused)
{
    struct smt_warp *w;
    term lane;
    struct smt_lane r = one_lane(g, &w, &lane);
    (void)unused;
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (form != FORM && warp_form_is_sync(warp_form_get(form)))
            same_outcome(g, (enum warp_form)form, w, lane, &r);
}

static void activemask(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, WARP_ACTIVEMASK_B32);
    term lane = goal_lane_number(g, "lane");
    struct smt_lane r = goal_result(g, w, lane);
    (void)unused;
    goal_claim(g, "done iff active", term_eq(s, r.done, term_in(s, lane, w->active)));
    goal_claim_when(g, "d", r.done, term_and(s, r.d_defined, term_eq(s, r.d, w->active)));
}

#define WAIT "all .sync forms: wait until all non-exited threads from membermask have executed the same"
#define P(name, expected, build, argument, sentence, clause, trick)                                                    \
    PROPERTY("outcome-" name, "outcome", expected, build, argument, sentence, clause, trick, "")

static const struct property_entry entries[] = {
    P("exactly-one", PROVED, exactly_one, 0,
      "an active lane is done, waiting or undefined, exactly one; another lane is none", WAIT, "one symbolic lane"),
    P("group-shape", PROVED, group_shape, 0,
      "every lane in the group of a done lane is active and passes the same membermask", WAIT,
      "one symbolic lane, one claim for each lane of its group"),
    PROPERTY("outcome-group-agrees", "outcome", PROVED, group_agrees, 0,
             "every lane in the group of a done lane is done (does not wait, is not undefined), with the same group",
             WAIT, "a complete group, one claim for each of its lanes", "outcome-group-shape"),
    P("groups-partition", PROVED, groups_partition, 0, "the groups of two done lanes are the same or disjoint", WAIT,
      "two symbolic lanes"),
    P("own-group", PROVED, own_group, 0, "a done lane is in its own group, and all of the group is active",
      "undefined if the executing thread is not in the membermask", "one symbolic lane"),
    P("full-mask", PROVED, all_done, 0, "full membermasks and all lanes active: all are done, in one group", WAIT,
      "one symbolic lane"),
    P("waits-for", PROVED, waits_for, 0,
      "a waiting lane waits for exactly the lanes of its membermask that are alive and have not arrived with the same "
      "membermask; nobody else waits",
      WAIT, "one symbolic lane"),
    P("exited-not-awaited", PROVED, exited_not_awaited, 0, "nobody waits for an exited lane", WAIT,
      "one symbolic lane"),
    P("convergence", PROVED, convergence, 0,
      "up to sm_6x nobody waits; what would wait later is undefined, and who is done is the same",
      "shfl.sync, Note: for .target sm_6x or below", "one symbolic lane"),
    P("exit-monotone", PROVED, exit_monotone, 0, "when more lanes have exited, a done lane is still done", WAIT,
      "one symbolic lane"),
    P("same-mask-suffices", PROVED, complete_mask, 1,
      "one membermask for all, naming no lane that is alive but absent: a lane in it is done", WAIT,
      "one symbolic lane"),
    P("own-mask-suffices", REFUTED, complete_mask, 0, "the same, when lanes may pass different membermasks", WAIT,
      "one symbolic lane"),
    P("awaited-not-done", REFUTED, awaited_not_done, 0,
      "a lane that is waited for is not done (it may be done in another group)", WAIT, "two symbolic lanes"),
    P("same-for-all", PROVED, same_for_all, 0,
      "every .sync form has the same outcomes and groups under the same masks (the convergence rule apart where it "
      "has no target up to sm_6x)",
      WAIT, "one symbolic lane, any target, one claim for each form against vote.sync.ballot"),
    PROPERTY("activemask-is-active", "activemask", PROVED, activemask, 0,
             "every active lane gets the mask of the active lanes", "activemask, Description", "one symbolic lane", ""),
};

PROPERTY_LIST(catalogue_outcome, entries);
