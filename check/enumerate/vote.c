/*
 * vote: every predicate with every state of four lanes, in several places of the warp and on old and new targets.
 */
#include "check/enumerate/lanes.h"

#define OPS        4u
#define SYNC_LANES 4u
#define SYNC_PLANS 20736u            /* (states * 2) ^ SYNC_LANES */
#define SETTINGS   (PLACEMENTS + 1u) /* each place with nobody else active, and one with a second group around */
_Static_assert(SYNC_PLANS == (LANE_STATES * 2u) * (LANE_STATES * 2u) * (LANE_STATES * 2u) * (LANE_STATES * 2u),
               "plans");

/* Predicates of the lanes around the small group: some true, some false, so that counting them changes every
 * answer. */
static void set_background(struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->a[lane] = lane & 1u;
}

static uint64_t states_count(void)
{
    return (uint64_t)SYNC_PLANS * OPS * 2u * SETTINGS;
}

static void make_sync(uint64_t index, uint32_t placement, bool surrounded, uint32_t target, struct warp_case *c)
{
    struct lane_plan plan = {0};
    const uint32_t op = take_digit(&index, OPS);
    lanemask small = 0;
    case_begin(c, WARP_VOTE_SYNC_ALL_PRED + op, target, WARP_DST_D);
    c->negate = take_digit(&index, 2);
    set_background(c);
    for (unsigned i = 0; i < SYNC_LANES; i++) {
        const unsigned lane = placement_lane(SYNC_LANES, placement, i);
        c->a[lane] = take_digit(&index, 2);
        plan_lane(&plan, lane, (enum lane_state)take_digit(&index, LANE_STATES));
        small |= (lanemask)1 << lane;
    }
    if (surrounded) { /* the other lanes are active, in a group of their own; else they are elsewhere */
        plan.other |= ~small;
        plan.active |= ~small;
    }
    case_set_plan(c, &plan);
}

static void make_states(uint64_t index, struct warp_case *c)
{
    const uint32_t setting = take_digit(&index, SETTINGS);
    make_sync(index, setting % PLACEMENTS, setting == PLACEMENTS, WARP_TARGET(70, 0), c);
}

static uint64_t converged_count(void)
{
    return (uint64_t)SYNC_PLANS * OPS * 2u;
}

static void make_converged(uint64_t index, struct warp_case *c)
{
    make_sync(index, 0, false, WARP_TARGET(60, 0), c);
}

#define LEGACY_LANES  5u
#define LEGACY_STATES 3u    /* active, exited, elsewhere */
#define LEGACY_PLANS  7776u /* (states * 2) ^ LEGACY_LANES */

static uint64_t legacy_count(void)
{
    return (uint64_t)LEGACY_PLANS * OPS * 2u * PLACEMENTS;
}

static void make_legacy(uint64_t index, struct warp_case *c)
{
    const uint32_t placement = take_digit(&index, PLACEMENTS);
    const uint32_t op = take_digit(&index, OPS);
    case_begin(c, WARP_VOTE_ALL_PRED + op, WARP_TARGET(35, 0), WARP_DST_D);
    c->negate = take_digit(&index, 2);
    set_background(c);
    for (unsigned i = 0; i < LEGACY_LANES; i++) {
        const unsigned lane = placement_lane(LEGACY_LANES, placement, i);
        uint32_t state;
        c->a[lane] = take_digit(&index, 2);
        state = take_digit(&index, LEGACY_STATES);
        c->active |= (lanemask)(state == 0) << lane;
        c->exited |= (lanemask)(state == 1) << lane;
    }
}

const struct enumeration enumerations_of_vote[] = {
    {"vote-states",
     "every predicate and state of 4 lanes, negated or not, in 4 places, once amid a second group: complete for 4 "
     "lanes",
     FAMILY(WARP_VOTE_SYNC), "cases", 1, states_count, make_states},
    {"vote-states-sm_6x", "the same for a target that needs convergence, lanes 0 to 3: complete for 4 lanes",
     FAMILY(WARP_VOTE_SYNC), "cases", 1, converged_count, make_converged},
    {"vote-states-legacy",
     "without .sync: every predicate of 5 lanes, active, exited or elsewhere, 4 places: complete for 5",
     FAMILY(WARP_VOTE), "cases", 1, legacy_count, make_legacy},
    {0},
};
