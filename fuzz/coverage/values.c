/*
 * Buckets of vote and match: what the lanes of a group hold.
 */
#include "fuzz/coverage/internal.h"

/* Lanes whose source predicate is true. */
static lanemask true_lanes(const struct warp_case *c)
{
    lanemask mask = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        mask |= c->a[lane] & 1u ? 1u << lane : 0;
    return mask;
}

void coverage_vote(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                   const struct coverage_lanes *lanes)
{
    lanemask truth = true_lanes(c), group = lanes->group;
    unsigned vote = (unsigned)info->op - WARP_ALL;
    unsigned mix = (group & ~truth) == 0 ? AXIS_P_TRUE : (group & truth) == 0 ? AXIS_P_FALSE : AXIS_P_MIXED;
    unsigned outside = group == UINT32_MAX     ? AXIS_OUT_P_NONE
                       : (~group & truth) == 0 ? AXIS_OUT_P_FALSE
                                               : AXIS_OUT_P_TRUE;
    if (info->family == WARP_VOTE)
        coverage_hit(set, BUCKET4(VOTE_PREDICATES, vote, c->negate, NEGATE, mix, PREDICATES, outside, OUTSIDE_P));
    else
        coverage_hit(set, BUCKET4(VOTE_SYNC_PREDICATES, vote, c->negate, NEGATE, mix, PREDICATES, outside, OUTSIDE_P));
}

static lanemask equal_lanes(const struct warp_case *c, uint64_t value)
{
    lanemask mask = 0;
    uint32_t low = (uint32_t)value, high = (uint32_t)(value >> 32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t differs = (c->a[lane] ^ low) | (c->a_high[lane] ^ high);
        mask |= differs == 0 ? 1u << lane : 0;
    }
    return mask;
}

static unsigned distinct_class(unsigned values)
{
    if (values <= 2)
        return values == 1 ? AXIS_VALUES_1 : AXIS_VALUES_2;
    if (values <= 8)
        return values <= 4 ? AXIS_VALUES_4 : AXIS_VALUES_8;
    return values < 32 ? AXIS_VALUES_MANY : AXIS_VALUES_32;
}

static bool is_zero(uint64_t value, bool wide)
{
    return (wide ? value << 1 : value << 33) == 0;
}

static bool is_nan(uint64_t value, bool wide)
{
    return wide ? (value << 1) > UINT64_C(0xffe0000000000000) : (value << 33 >> 32) > UINT64_C(0xff000000);
}

static void half_of(struct coverage_set *set, unsigned form, uint64_t difference)
{
    unsigned half = difference >> 32 == 0 ? AXIS_HALF_LOW : (uint32_t)difference == 0 ? AXIS_HALF_HIGH : AXIS_HALF_BOTH;
    coverage_hit(set, BUCKET2(MATCH_HALF, form, half, HALF));
}

static void odd_lane(struct coverage_set *set, unsigned form, lanemask group, lanemask same, unsigned values)
{
    lanemask others = group & ~same; /* same: the lanes that hold the value of the group's lowest lane */
    unsigned odd;
    if (values != 2 || coverage_count(group) < 3)
        return;
    if (coverage_count(same) == 1)
        odd = AXIS_ODD_FIRST;
    else if (coverage_count(others) == 1)
        odd = others > same ? AXIS_ODD_LAST : AXIS_ODD_MIDDLE;
    else
        return;
    coverage_hit(set, BUCKET2(MATCH_ODD, form, odd, ODD_LANE));
}

void coverage_match(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                    const struct coverage_lanes *lanes)
{
    bool wide = info->type == WARP_B64;
    unsigned form = (info->op == WARP_ALL ? 1u : 0u) * (AXIS_ALL_B32 - AXIS_ANY_B32) + wide;
    uint64_t first = warp_case_a64(c, lanes->first);
    lanemask first_lanes = equal_lanes(c, first);
    unsigned values = 0, zeros = 0, nans = 0, outside;
    for (lanemask left = lanes->group; left != 0; values++) {
        uint64_t value = warp_case_a64(c, coverage_first_lane(left));
        lanemask same = equal_lanes(c, value) & left;
        if (value != first)
            half_of(set, form, value ^ first);
        zeros += is_zero(value, wide);
        nans += is_nan(value, wide);
        if (is_nan(value, wide) && coverage_count(same) > 1)
            coverage_hit(set, BUCKET2(MATCH_FLOAT, form, AXIS_FLOAT_SAME_NAN, AS_FLOAT));
        left &= ~same;
    }
    if (zeros > 1)
        coverage_hit(set, BUCKET2(MATCH_FLOAT, form, AXIS_FLOAT_ZEROS, AS_FLOAT));
    if (nans > 1)
        coverage_hit(set, BUCKET2(MATCH_FLOAT, form, AXIS_FLOAT_TWO_NANS, AS_FLOAT));
    outside = first_lanes & ~lanes->group ? AXIS_OUT_V_SAME : AXIS_OUT_V_OTHER;
    coverage_hit(set, BUCKET3(MATCH_VALUES, form, distinct_class(values), DISTINCT, outside, OUTSIDE_VALUE));
    coverage_hit(set, BUCKET2(MATCH_DST, form, c->dst, MATCH_DST));
    odd_lane(set, form, lanes->group, lanes->group & first_lanes, values);
}
