/*
 * elect and bar.warp. The encoding leaves open which lane of a group leads (struct smt_warp, `preferred`): what is
 * proved is proved whichever does. What is refuted is refuted of the lowest, the answer of the C implementations, on
 * which the witness is replayed.
 */
#include "smt/catalogue/catalogue.h"

#include <string.h>

/* One warp, one done lane. */
struct election {
    struct smt_warp *w;
    term lane;
    struct smt_lane r;
};

static void make_election(struct goal *g, bool lowest, struct election *e)
{
    e->w = goal_warp(g, WARP_ELECT_SYNC);
    if (lowest)
        e->w->preferred = term_word(g->s, 0);
    e->lane = goal_lane_number(g, "lane");
    e->r = goal_result(g, e->w, e->lane);
    goal_assume(g, e->r.done);
}

/* No lane of the mask is below the lane. */
static term none_below(struct smt *s, term mask, term lane)
{
    const term below = term_sub(s, term_only(s, lane), term_word(s, 1));
    return term_eq(s, term_band(s, mask, below), term_word(s, 0));
}

static void in_group(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct election e;
    (void)unused;
    make_election(g, false, &e);
    goal_claim(g, "d is defined", e.r.d_defined);
    goal_claim(g, "a lane of the group", term_in(s, e.r.d, e.r.group));
    goal_claim(g, "which is active", term_in(s, e.r.d, e.w->active));
    goal_claim(g, "and has not exited", term_not(s, term_in(s, e.r.d, e.w->exited)));
}

static void p_is_leader(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct election e;
    (void)unused;
    make_election(g, false, &e);
    goal_claim(g, "p exactly in the lane that d names", term_eq(s, e.r.p, term_eq(s, e.lane, e.r.d)));
}

/* Two lanes of one group. */
static void one_leader(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct election e;
    struct smt_lane other;
    term other_lane;
    (void)unused;
    make_election(g, false, &e);
    other_lane = goal_lane_number(g, "other_lane");
    other = goal_result(g, e.w, other_lane);
    goal_assume(g, other.done);
    goal_assume(g, term_eq(s, other.group, e.r.group));
    goal_claim(g, "both are told the same", term_eq(s, other.d, e.r.d));
    goal_claim_when(g, "not two leaders", term_and(s, e.r.p, other.p), term_eq(s, e.lane, other_lane));
}

static void some_leader(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct goal_group group;
    term leads[WARP_LANES];
    (void)unused;
    goal_group_make(g, WARP_ELECT_SYNC, &group);
    goal_assume(g, term_ne(s, group.group, term_word(s, 0)));
    for (unsigned k = 0; k < WARP_LANES; k++)
        leads[k] = term_and(s, term_in(s, term_word(s, k), group.group), goal_group_done(g, &group, term_word(s, k)).p);
    goal_claim(g, "somebody leads", term_any(s, leads, WARP_LANES));
}

/* Any lane of the group can be made the leader. */
static void any_lane(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, WARP_ELECT_SYNC);
    term lane = goal_lane_number(g, "lane"), wanted = goal_lane_number(g, "wanted");
    struct smt_lane r;
    (void)unused;
    w->preferred = term_only(s, wanted);
    r = goal_result(g, w, lane);
    goal_assume(g, r.done);
    goal_claim_when(g, "the wanted one leads", term_in(s, wanted, r.group), term_eq(s, r.d, wanted));
}

/*
 * Two warps that prefer the same lanes: the same membermask elects the same leader, whoever else is active and with
 * which membermask. With `others` other lanes may have exited, too.
 */
static void same_leader(struct goal *g, int others)
{
    struct smt *s = g->s;
    struct election e;
    struct smt_warp *w;
    struct smt_lane r;
    make_election(g, others != 0, &e);
    w = goal_warp(g, WARP_ELECT_SYNC);
    w->preferred = e.w->preferred;
    if (others == 0)
        goal_assume(g, term_eq(s, w->exited, e.w->exited));
    goal_assume(g, term_eq(s, term_of_lane(s, w->membermask, e.lane), term_of_lane(s, e.w->membermask, e.lane)));
    r = goal_result(g, w, e.lane);
    goal_assume(g, r.done);
    goal_claim(g, "the same leader", term_eq(s, r.d, e.r.d));
    goal_claim(g, "and p", term_eq(s, r.p, e.r.p));
}

/* What people take the leader for: the lowest lane of another set. */
enum { OF_ACTIVE, OF_MEMBERMASK, OF_WARP };

static void lowest_of(struct goal *g, int set)
{
    struct smt *s = g->s;
    struct election e;
    make_election(g, true, &e);
    goal_claim(g, "no lower lane of the set",
               none_below(s,
                          set == OF_ACTIVE       ? e.w->active
                          : set == OF_MEMBERMASK ? term_of_lane(s, e.w->membermask, e.lane)
                                                 : term_word(s, UINT32_MAX),
                          e.r.d));
}

static void everybody(struct goal *g, int unused)
{
    struct election e;
    (void)unused;
    make_election(g, true, &e);
    goal_claim(g, "p", e.r.p);
}

static void no_value(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, WARP_BAR_WARP_SYNC);
    struct smt_lane r = goal_result(g, w, goal_lane_number(g, "lane"));
    (void)unused;
    goal_claim(g, "no d", term_not(s, r.d_defined));
    goal_claim(g, "no p", term_not(s, r.p));
}

/* A lane does not pass while another one that its membermask names is not there. */
static void waits_for_named(struct goal *g, int also_exited)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, WARP_BAR_WARP_SYNC);
    term lane = goal_lane_number(g, "lane"), other = goal_lane_number(g, "other_lane");
    struct smt_lane r = goal_result(g, w, lane);
    goal_assume(g, term_in(s, other, term_of_lane(s, w->membermask, lane)));
    goal_assume(g, term_not(s, term_in(s, other, w->active)));
    if (!also_exited)
        goal_assume(g, term_not(s, term_in(s, other, w->exited)));
    goal_claim(g, "does not pass", term_not(s, r.done));
}

#define ELECT_PAGE    "elect.sync, Description"
#define BAR_WARP_PAGE "bar.warp.sync, Description"
#define P(name, expected, build, argument, sentence, trick)                                                            \
    PROPERTY("elect-" name, "elect", expected, build, argument, sentence, ELECT_PAGE, trick, "")
#define B(name, expected, build, argument, sentence, trick)                                                            \
    PROPERTY("bar-warp-" name, "bar-warp", expected, build, argument, sentence, BAR_WARP_PAGE, trick, "")

static const struct property_entry entries[] = {
    P("leader-in-group", PROVED, in_group, 0, "the leader is a lane of the group: named, active, not exited",
      "one symbolic lane, any choice of leader"),
    P("p-is-leader", PROVED, p_is_leader, 0, "p is true exactly in the lane that d names",
      "one symbolic lane, any choice of leader"),
    P("one-leader", PROVED, one_leader, 0,
      "two lanes of a group are told the same leader, and at most one of them leads",
      "two symbolic lanes, any choice of leader"),
    P("some-leader", PROVED, some_leader, 0, "a group that is not empty has a leader",
      "a complete group, any choice of leader"),
    P("any-lane", PROVED, any_lane, 0, "each lane of a group can be its leader: the encoding excludes none",
      "one symbolic lane, a symbolic choice"),
    P("same-leader", PROVED, same_leader, 0,
      "the same membermask elects the same leader, whoever else is active and with which membermask",
      "one symbolic lane of two warps with the same exited lanes, the same choice"),
    P("same-leader-whoever-exited", REFUTED, same_leader, 1, "the same, whichever lanes have exited",
      "one symbolic lane of two warps, the lowest lane leads"),
    P("of-active", REFUTED, lowest_of, OF_ACTIVE, "the leader is the lowest active lane of the warp",
      "one symbolic lane, the lowest lane leads"),
    P("of-membermask", REFUTED, lowest_of, OF_MEMBERMASK,
      "the leader is the lowest lane of the membermask (it may have exited)",
      "one symbolic lane, the lowest lane leads"),
    P("lane-0", REFUTED, lowest_of, OF_WARP, "the leader is lane 0", "one symbolic lane, the lowest lane leads"),
    P("everybody", REFUTED, everybody, 0, "p is true in every lane of the group",
      "one symbolic lane, the lowest lane leads"),
    B("no-value", PROVED, no_value, 0, "it gives neither d nor p", "one symbolic lane"),
    B("waits", PROVED, waits_for_named, 0,
      "a lane does not pass while a lane that its membermask names is elsewhere and has not exited",
      "two symbolic lanes"),
    B("waits-for-exited", REFUTED, waits_for_named, 1, "the same of lanes that have exited", "two symbolic lanes"),
};

PROPERTY_LIST(catalogue_elect, entries);
