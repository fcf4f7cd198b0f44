/*
 * Mistakes in vote.
 */
#include "base.h"

static void inverted(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    base_vote(s, c, lane, group, r);
    r->p = !r->p;
}

static void uni_is_all(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                       struct answer *r)
{
    base_vote(s, c, lane, group, r);
    if (op_of(c) == WARP_UNI && !predicate_of(c, lane))
        r->p = false;
}

static void uni_against_lane_0(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    base_vote(s, c, lane, group, r);
    if (op_of(c) != WARP_UNI)
        return;
    r->p = true;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && predicate_of(c, other) != predicate_of(c, 0))
            r->p = false;
}

static void ballot_stale_slots(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    base_vote(s, c, lane, op_of(c) == WARP_BALLOT ? UINT32_MAX : group, r);
}

static void stale_slots(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                        struct answer *r)
{
    base_vote(s, c, lane, op_of(c) != WARP_BALLOT ? UINT32_MAX : group, r);
}

static void ballot_counter(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    unsigned counted = 0;
    base_vote(s, c, lane, group, r);
    if (op_of(c) != WARP_BALLOT)
        return;
    r->d = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other))
            r->d |= (uint32_t)predicate_of(c, other) << counted++;
}

static void negation_ignored(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                             struct answer *r)
{
    struct warp_case plain = *c;
    plain.negate = 0;
    base_vote(s, &plain, lane, group, r);
}

/* The right answer inverted, instead of the source: all(!a) for !all(a). */
static void negates_the_result(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    struct warp_case plain = *c;
    plain.negate = 0;
    base_vote(s, &plain, lane, group, r);
    if (c->negate != 0) {
        r->p = !r->p;
        r->d = ~r->d & group;
    }
}

static void exited_vote_false(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                              struct answer *r)
{
    base_vote(s, c, lane, group, r);
    if (op_of(c) == WARP_ALL && (c->membermask[lane] & c->exited) != 0)
        r->p = false;
}

/* The accumulators are set once a warp, not once a group: lanes of earlier groups still count. */
static void state_left_over(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    const lanemask below_first = (group & (~group + 1u)) - 1u;
    base_vote(s, c, lane, group | (c->active & below_first), r);
}

static void any_of_others(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                          struct answer *r)
{
    const lanemask others = group & ~((lanemask)1 << lane);
    base_vote(s, c, lane, op_of(c) == WARP_ANY && others != 0 ? others : group, r);
}

const struct mutant mutants_of_vote[] = {
    {"vote-inverted", "the predicate inverted", {.vote = inverted}, 0, NULL},
    {"uni-is-all", "uni gives true only where all are true", {.vote = uni_is_all}, 0, NULL},
    {"uni-against-lane-0", "uni compares with lane 0, in the group or not", {.vote = uni_against_lane_0}, 0, NULL},
    {"ballot-stale-slots",
     "ballot: lanes that did not vote appear by their old predicate",
     {.vote = ballot_stale_slots},
     0,
     NULL},
    {"vote-stale-slots", "all, any, uni: lanes that did not vote are counted", {.vote = stale_slots}, 0, NULL},
    {"ballot-counter", "ballot: bits by counter, not by lane", {.vote = ballot_counter}, 0, NULL},
    {"negation-ignored", "the ! of the source predicate is lost", {.vote = negation_ignored}, 0, NULL},
    {"negates-the-result", "the ! inverts the result, not the source", {.vote = negates_the_result}, 0, NULL},
    {"exited-vote-false", "all: exited lanes count as false", {.vote = exited_vote_false}, 0, NULL},
    {"vote-state-left-over", "accumulators of an earlier group are not cleared", {.vote = state_left_over}, 0, NULL},
    {"any-of-others", "any: the own predicate is forgotten", {.vote = any_of_others}, 0, NULL},
    {0},
};
