/*
 * elect and bar.warp: every state of five lanes, in several places of the warp. They have no other operand.
 */
#include "check/enumerate/lanes.h"

#define LANES    5u
#define PLANS    7776u             /* LANE_STATES ^ LANES */
#define SETTINGS (PLACEMENTS + 1u) /* each place with nobody else active, and one with a second group around */
_Static_assert(PLANS == LANE_STATES * LANE_STATES * LANE_STATES * LANE_STATES * LANE_STATES, "plans");

static void set_states(uint32_t setting, uint64_t index, struct warp_case *c)
{
    struct lane_plan plan = {0};
    lanemask small = 0;
    for (unsigned i = 0; i < LANES; i++) {
        const unsigned lane = placement_lane(LANES, setting % PLACEMENTS, i);
        plan_lane(&plan, lane, (enum lane_state)take_digit(&index, LANE_STATES));
        small |= (lanemask)1 << lane;
    }
    if (setting == PLACEMENTS) { /* the other lanes are active, in a group of their own; else they are elsewhere */
        plan.other |= ~small;
        plan.active |= ~small;
    }
    case_set_plan(c, &plan);
}

static uint64_t states_count(void)
{
    return (uint64_t)PLANS * SETTINGS * 2u;
}

static void make_elect(uint64_t index, struct warp_case *c)
{
    const uint32_t setting = take_digit(&index, SETTINGS);
    const uint32_t dst = take_digit(&index, 2) == 0 ? WARP_DST_D_P : WARP_DST_SINK_P;
    case_begin(c, WARP_ELECT_SYNC, WARP_TARGET(90, 0), dst);
    set_states(setting, index, c);
}

static void make_bar_warp(uint64_t index, struct warp_case *c)
{
    const uint32_t setting = take_digit(&index, SETTINGS);
    const uint32_t target = take_digit(&index, 2) == 0 ? WARP_TARGET(70, 0) : WARP_TARGET(60, 0);
    case_begin(c, WARP_BAR_WARP_SYNC, target, WARP_DST_NONE);
    set_states(setting, index, c);
}

const struct enumeration enumerations_of_elect[] = {
    {"elect-states",
     "every state of 5 lanes, in 4 places, once amid a second group, d written or sunk: complete for 5 lanes",
     FAMILY(WARP_ELECT), "cases", 1, states_count, make_elect},
    {"bar-warp-states",
     "every state of 5 lanes, in 4 places, once amid a second group, on sm_70 and sm_60: complete for 5 lanes",
     FAMILY(WARP_BAR_WARP), "cases", 1, states_count, make_bar_warp},
    {0},
};
