/*
 * Where a small group of lanes lies in the warp, and the state of each of its lanes; shared by the enumerations.
 */
#ifndef WARPCHECK_CHECK_ENUMERATE_LANES_H
#define WARPCHECK_CHECK_ENUMERATE_LANES_H

#include "check/enumerate.h"

#define PLACEMENTS 4u /* prefix, middle, top, spread over the warp */

/* The lane of the i-th of k lanes (i < k <= 8) in a placement. */
unsigned placement_lane(unsigned k, unsigned placement, unsigned i);

/* A lane of the small group, as seen by the main membermask. */
enum lane_state {
    LANE_MEMBER,      /* active, named, names the same lanes */
    LANE_EXITED,      /* named, but has exited */
    LANE_WAITED_FOR,  /* named, but is elsewhere: the members wait for it */
    LANE_ELSEWHERE,   /* not named, elsewhere */
    LANE_OTHER_GROUP, /* not named, active, in a group of its own with the others of this state */
    LANE_OUTSIDE,     /* active with the main membermask, which does not name it: undefined */
    LANE_STATES
};

/* The lanes of each kind so far; start from all zero. */
struct lane_plan {
    lanemask named; /* the main membermask */
    lanemask other; /* the other group's membermask */
    lanemask active;
    lanemask exited;
};

static inline void plan_lane(struct lane_plan *plan, unsigned lane, enum lane_state state)
{
    const lanemask bit = (lanemask)1 << lane;
    if (state <= LANE_WAITED_FOR)
        plan->named |= bit;
    if (state == LANE_MEMBER || state == LANE_OUTSIDE || state == LANE_OTHER_GROUP)
        plan->active |= bit;
    if (state == LANE_EXITED)
        plan->exited |= bit;
    if (state == LANE_OTHER_GROUP)
        plan->other |= bit;
}

/* A case that is zero in everything but form, target and destinations. */
void case_begin(struct warp_case *c, uint32_t form, uint32_t target, uint32_t dst);

/*
 * Sets active, exited and every lane's membermask. Lanes that are not active hold the main membermask too: that catches
 * an implementation that takes their registers for arrivals.
 */
void case_set_plan(struct warp_case *c, const struct lane_plan *plan);

/* One value in every lane. */
static inline void case_fill(uint32_t operand[WARP_LANES], uint32_t value)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = value;
}

/* Takes the lowest digit, of base `base`, from *index. */
static inline uint32_t take_digit(uint64_t *index, uint32_t base)
{
    const uint32_t digit = (uint32_t)(*index % base);
    *index /= base;
    return digit;
}

/* The tables of the other files of this folder. Each ends with an entry without a name. */
extern const struct enumeration enumerations_of_shfl[];
extern const struct enumeration enumerations_of_vote[];
extern const struct enumeration enumerations_of_match[];
extern const struct enumeration enumerations_of_redux[];
extern const struct enumeration enumerations_of_elect[];
extern const struct enumeration enumerations_of_masks[];

#define FAMILY(family) (1u << (family))

#endif
