/* vote: the four modes against each other, under any masks. */
#include "smt/catalogue/catalogue.h"

#include <string.h>

enum { ALL, ANY, UNI, BALLOT, MODES };
static const enum warp_form sync_forms[MODES] = {WARP_VOTE_SYNC_ALL_PRED, WARP_VOTE_SYNC_ANY_PRED,
                                                 WARP_VOTE_SYNC_UNI_PRED, WARP_VOTE_SYNC_BALLOT_B32};
static const enum warp_form legacy_forms[MODES] = {WARP_VOTE_ALL_PRED, WARP_VOTE_ANY_PRED, WARP_VOTE_UNI_PRED,
                                                   WARP_VOTE_BALLOT_B32};

/* One warp, one done lane; the other modes are asked with the same fields. */
struct votes {
    struct smt_warp *w;
    term lane;
    struct smt_lane ballot;
};

static void make_votes(struct goal *g, struct votes *v)
{
    v->w = goal_warp(g, WARP_VOTE_SYNC_BALLOT_B32);
    v->lane = goal_lane_number(g, "lane");
    v->ballot = goal_result(g, v->w, v->lane);
    goal_assume(g, v->ballot.done);
}

/* The same warp executing another mode; `flip`: with the source predicate negated once more. */
static struct smt_lane also(struct goal *g, const struct votes *v, int mode, bool flip)
{
    struct smt_warp *w = goal_warp(g, sync_forms[mode]);
    const struct warp_form_info *info = w->info;
    *w = *v->w;
    w->info = info;
    if (flip)
        w->negate = term_not(g->s, w->negate);
    return goal_result(g, w, v->lane);
}

static void de_morgan(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v;
    (void)unused;
    make_votes(g, &v);
    goal_claim(g, "any(a) = !all(!a)", term_eq(s, also(g, &v, ANY, false).p, term_not(s, also(g, &v, ALL, true).p)));
    goal_claim(g, "all(a) = !any(!a)", term_eq(s, also(g, &v, ALL, false).p, term_not(s, also(g, &v, ANY, true).p)));
}

static void uni(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v;
    term either;
    (void)unused;
    make_votes(g, &v);
    either = term_or(s, also(g, &v, ALL, false).p, also(g, &v, ALL, true).p);
    goal_claim(g, "uni(a) = all(a) or all(!a)", term_eq(s, also(g, &v, UNI, false).p, either));
    goal_claim(g, "uni(a) = uni(!a)", term_eq(s, also(g, &v, UNI, false).p, also(g, &v, UNI, true).p));
}

static void from_ballot(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct votes v;
    term zero = term_word(s, 0);
    term none, every;
    make_votes(g, &v);
    none = term_eq(s, v.ballot.d, zero);
    every = term_eq(s, v.ballot.d, v.ballot.group);
    goal_claim(g, "from ballot",
               term_eq(s, also(g, &v, mode, false).p,
                       mode == ALL   ? every
                       : mode == ANY ? term_not(s, none)
                                     : term_or(s, none, every)));
}

static void true_is_group(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v;
    (void)unused;
    make_votes(g, &v);
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_assume(g, term_ne(s, v.w->a[k], v.w->negate));
    goal_claim(g, "ballot(true) = group", term_eq(s, v.ballot.d, v.ballot.group));
    goal_claim(
        g, "which is membermask without exited lanes",
        term_eq(s, v.ballot.d, term_band(s, term_of_lane(s, v.w->membermask, v.lane), term_bnot(s, v.w->exited))));
}

static void ballot_bit(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v;
    (void)unused;
    make_votes(g, &v);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term voter = term_word(s, k);
        term yes = term_ne(s, v.w->a[k], v.w->negate);
        goal_claim(g, "one voter",
                   term_eq(s, term_in(s, voter, v.ballot.d), term_and(s, yes, term_in(s, voter, v.ballot.group))));
    }
}

static void negated_ballot(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v;
    (void)unused;
    make_votes(g, &v);
    goal_claim(g, "ballot(!a) = group & ~ballot(a)",
               term_eq(s, also(g, &v, BALLOT, true).d, term_band(s, v.ballot.group, term_bnot(s, v.ballot.d))));
}

/* The result of a mode for the lanes of a group, without regard to the lane. */
static term of_group(struct goal *g, const struct goal_group *group, int mode)
{
    struct smt *s = g->s;
    term q[WARP_LANES];
    term votes, none, every;
    for (unsigned k = 0; k < WARP_LANES; k++)
        q[k] = term_ne(s, group->w->a[k], group->w->negate);
    votes = term_band(s, term_mask(s, q), group->group);
    none = term_eq(s, votes, term_word(s, 0));
    every = term_eq(s, votes, group->group);
    return mode == ALL ? every : mode == ANY ? term_not(s, none) : mode == UNI ? term_or(s, none, every) : votes;
}

static void uniform(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct goal_group group;
    term lane = goal_lane_number(g, "lane");
    struct smt_lane r;
    goal_group_make(g, sync_forms[mode], &group);
    r = goal_group_done(g, &group, lane);
    goal_assume(g, term_in(s, lane, group.group));
    goal_claim(g, "the group's answer", term_eq(s, mode == BALLOT ? r.d : r.p, of_group(g, &group, mode)));
}

/* Two warps whose predicates agree in the group. */
static void outside_irrelevant(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v, other;
    term a[WARP_LANES], same[WARP_LANES];
    struct smt_warp changed;
    (void)unused;
    make_votes(g, &v);
    goal_operand(g, a, "other_a", 0);
    for (unsigned k = 0; k < WARP_LANES; k++)
        same[k] = term_eq(s, a[k], v.w->a[k]);
    goal_assume(g, term_each_in(s, v.ballot.group, same));
    changed = *v.w;
    memcpy(changed.a, a, sizeof changed.a);
    other = v;
    other.w = &changed;
    for (int mode = ALL; mode < MODES; mode++) {
        struct smt_lane x = also(g, &v, mode, false);
        struct smt_lane y = also(g, &other, mode, false);
        goal_claim(g, "same", mode == BALLOT ? term_eq(s, x.d, y.d) : term_eq(s, x.p, y.p));
    }
}

static void legacy(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, WARP_VOTE_BALLOT_B32);
    term lane = goal_lane_number(g, "lane");
    (void)unused;
    for (int mode = ALL; mode < MODES; mode++) {
        struct smt_warp *old = goal_warp(g, legacy_forms[mode]);
        struct smt_warp *sync = goal_warp(g, sync_forms[mode]);
        const struct warp_form_info *info = sync->info;
        struct smt_lane x, y;
        const struct warp_form_info *old_info = old->info;
        *old = *w;
        old->info = old_info;
        *sync = *w;
        sync->info = info;
        goal_same_membermask(sync, w->active);
        x = goal_result(g, old, lane);
        y = goal_result(g, sync, lane);
        goal_claim(g, "done", term_eq(s, x.done, y.done));
        goal_claim_when(g, "same", x.done, mode == BALLOT ? term_eq(s, x.d, y.d) : term_eq(s, x.p, y.p));
    }
}

static void uni_is_all(struct goal *g, int unused)
{
    struct votes v;
    (void)unused;
    make_votes(g, &v);
    goal_claim(g, "uni(a) = all(a)", term_eq(g->s, also(g, &v, UNI, false).p, also(g, &v, ALL, false).p));
}

static void group_of_one(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct votes v;
    term own;
    (void)unused;
    make_votes(g, &v);
    own = term_ne(s, term_of_lane(s, v.w->a, v.lane), v.w->negate);
    goal_assume(g, term_eq(s, v.ballot.group, term_only(s, v.lane)));
    goal_claim(g, "all", term_eq(s, also(g, &v, ALL, false).p, own));
    goal_claim(g, "any", term_eq(s, also(g, &v, ANY, false).p, own));
    goal_claim(g, "uni", also(g, &v, UNI, false).p);
}

#define P(name, expected, build, argument, sentence, trick)                                                            \
    PROPERTY("vote-" name, "vote", expected, build, argument, sentence, VOTE_PAGE, trick, "")

static const struct property_entry entries[] = {
    /* partial/vote-any-mask-logic.ptx claims the first half of one group of active lanes. */
    P("de-morgan", PROVED, de_morgan, 0, "any(a) = !all(!a) and all(a) = !any(!a)", "one symbolic lane"),
    P("uni", PROVED, uni, 0, "uni(a) = all(a) or all(!a), and uni(a) = uni(!a)", "one symbolic lane"),
    /* idioms/vote-from-ballot.ptx claims these three of a full warp. */
    P("all-from-ballot", PROVED, from_ballot, ALL, "all(a) exactly when ballot(a) is the group", "one symbolic lane"),
    P("any-from-ballot", PROVED, from_ballot, ANY, "any(a) exactly when ballot(a) is not 0", "one symbolic lane"),
    P("uni-from-ballot", PROVED, from_ballot, UNI, "uni(a) exactly when ballot(a) is 0 or the group",
      "one symbolic lane"),
    P("ballot-bit", PROVED, ballot_bit, 0, "bit i of ballot is lane i's predicate where lane i is in the group, else 0",
      "one symbolic lane, one claim a voter"),
    P("ballot-true-is-group", PROVED, true_is_group, 0, "ballot(true) is the group: membermask without exited lanes",
      "one symbolic lane"),
    P("negated-ballot", PROVED, negated_ballot, 0, "ballot(!a) = group & ~ballot(a)", "one symbolic lane"),
    PROPERTY("vote-all-uniform", "vote", PROVED, uniform, ALL, "all: lanes of one group get the same answer", VOTE_PAGE,
             "one symbolic lane of a complete group", GROUP_DONE),
    PROPERTY("vote-any-uniform", "vote", PROVED, uniform, ANY, "any: lanes of one group get the same answer", VOTE_PAGE,
             "one symbolic lane of a complete group", GROUP_DONE),
    PROPERTY("vote-uni-uniform", "vote", PROVED, uniform, UNI, "uni: lanes of one group get the same answer", VOTE_PAGE,
             "one symbolic lane of a complete group", GROUP_DONE),
    PROPERTY("vote-ballot-uniform", "vote", PROVED, uniform, BALLOT, "ballot: lanes of one group get the same answer",
             VOTE_PAGE, "one symbolic lane of a complete group", GROUP_DONE),
    P("outside-irrelevant", PROVED, outside_irrelevant, 0,
      "predicates of lanes outside the group do not matter (exited lanes are not false)",
      "two warps that agree in the group"),
    P("group-of-one", PROVED, group_of_one, 0, "in a group of one lane all and any are its predicate, and uni is true",
      "one symbolic lane"),
    P("legacy-is-sync", PROVED, legacy, 0, "vote is vote.sync with membermask = the active lanes, in every mode",
      "one symbolic lane"),
    P("uni-is-all", REFUTED, uni_is_all, 0, "uni(a) = all(a)", "one symbolic lane"),
};

PROPERTY_LIST(catalogue_vote, entries);
