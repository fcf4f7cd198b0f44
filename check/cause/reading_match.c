/* match, read with mistakes. */
#include "check/cause/view.h"

#include "model/lanes.h"

static bool equal_floats(uint32_t x, uint32_t y)
{
    const bool nan = (x & 0x7fffffffu) > 0x7f800000u || (y & 0x7fffffffu) > 0x7f800000u;
    return !nan && (x == y || ((x | y) & 0x7fffffffu) == 0);
}

static bool equal_doubles(uint64_t x, uint64_t y)
{
    const uint64_t infinity = UINT64_C(0x7ff0000000000000), magnitude = UINT64_C(0x7fffffffffffffff);
    return (x & magnitude) <= infinity && (y & magnitude) <= infinity && (x == y || ((x | y) & magnitude) == 0);
}

static bool equal_values(const struct view *v, unsigned x, unsigned y)
{
    const struct warp_case *const c = v->c;
    const bool wide = v->info->type == WARP_B64;
    const uint32_t low = has(v, MISTAKE_MATCH_16_BITS) ? 0xffffu : UINT32_MAX;
    if (has(v, MISTAKE_MATCH_8_BITS))
        return ((c->a[x] ^ c->a[y]) & 0xffu) == 0;
    if (has(v, MISTAKE_MATCH_LOW_16))
        return ((c->a[x] ^ c->a[y]) & 0xffffu) == 0;
    if (has(v, MISTAKE_MATCH_BIT_0))
        return (c->a[x] ^ c->a[y]) <= 1u && c->a_high[x] == c->a_high[y];
    if (has(v, MISTAKE_MATCH_BIT_31))
        return ((c->a[x] ^ c->a[y]) & 0x7fffffffu) == 0 && c->a_high[x] == c->a_high[y];
    if (wide && has(v, MISTAKE_MATCH_BIT_63))
        return c->a[x] == c->a[y] && ((c->a_high[x] ^ c->a_high[y]) & 0x7fffffffu) == 0;
    if (!wide && has(v, MISTAKE_MATCH_31_BITS))
        return ((c->a[x] ^ c->a[y]) & 0x7fffffffu) == 0;
    if (has(v, MISTAKE_MATCH_ROUNDED_FLOAT))
        return (float)warp_case_a64(c, x) == (float)warp_case_a64(c, y);
    if (wide && has(v, MISTAKE_MATCH_ROUNDED))
        return (double)warp_case_a64(c, x) == (double)warp_case_a64(c, y);
    if (wide && (has(v, MISTAKE_MATCH_DOUBLE) || has(v, MISTAKE_MATCH_FLOATS)))
        return equal_doubles(warp_case_a64(c, x), warp_case_a64(c, y));
    if (!wide && (has(v, MISTAKE_MATCH_FLOAT) || has(v, MISTAKE_MATCH_FLOATS)))
        return equal_floats(c->a[x], c->a[y]);
    if (wide && has(v, MISTAKE_MATCH_LOW_HALF))
        return c->a[x] == c->a[y];
    if (wide && has(v, MISTAKE_MATCH_HIGH_HALF))
        return c->a_high[x] == c->a_high[y];
    if (wide && has(v, MISTAKE_MATCH_HASHED))
        return (c->a[x] ^ c->a_high[x]) == (c->a[y] ^ c->a_high[y]);
    if (wide && has(v, MISTAKE_MATCH_SUMMED))
        return c->a[x] + c->a_high[x] == c->a[y] + c->a_high[y];
    if (wide && has(v, MISTAKE_MATCH_EITHER_HALF))
        return c->a[x] == c->a[y] || c->a_high[x] == c->a_high[y];
    return ((c->a[x] ^ c->a[y]) & low) == 0 && c->a_high[x] == c->a_high[y];
}

/* The lanes of `same` that stand next to each other and to the own one. */
static lanemask run_of(const struct view *v, lanemask same)
{
    lanemask run = same & ((lanemask)1 << v->lane);
    for (unsigned i = 0; i < WARP_LANES; i++)
        run |= (run << 1 | run >> 1) & same;
    return run;
}

static bool has_lowest_value(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && warp_case_a64(v->c, other) < warp_case_a64(v->c, v->lane))
            return false;
    return true;
}

/* The bits that match.any gives of the lanes with the same value. */
static uint32_t any_told(const struct view *v, lanemask group, lanemask same)
{
    if (has(v, MISTAKE_MATCH_NEVER) || (has(v, MISTAKE_MATCH_OF_LOWEST) && !has_lowest_value(v, group)))
        return 0;
    if (has(v, MISTAKE_MATCH_RUN))
        return run_of(v, same);
    if (has(v, MISTAKE_MATCH_OTHERS))
        return group & ~same;
    if (has(v, MISTAKE_MATCH_NUMBER) || has(v, MISTAKE_MATCH_LEADER_LANE))
        return has(v, MISTAKE_MATCH_NUMBER) ? lanes_in(same) : lanes_lowest(same);
    return has(v, MISTAKE_MATCH_LEADER) ? same & (~same + 1u) : same;
}

/* Does a lane of the group hold what is no number as a float of its width? */
static bool has_nan(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint64_t x = warp_case_a64(v->c, other);
        if (in_mask(group, other) &&
            !(v->info->type == WARP_B64 ? equal_doubles(x, x) : equal_floats((uint32_t)x, (uint32_t)x)))
            return true;
    }
    return false;
}

static void match_predicate(struct view *v)
{
    if (has(v, MISTAKE_MATCH_P_INVERTED))
        v->p = !v->p;
    v->p = (v->p && !has(v, MISTAKE_MATCH_P_NEVER)) || has(v, MISTAKE_MATCH_P_ALWAYS);
}

void reading_match(struct view *v)
{
    const bool any = v->info->op == WARP_ANY;
    const bool every =
        has(v, MISTAKE_MATCH_IN_ALL_LANES) || has(v, any ? MISTAKE_MATCH_ALL_LANES : MISTAKE_MATCH_ALL_EVERY_LANE);
    const lanemask group = every ? UINT32_MAX : v->group;
    lanemask same = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && equal_values(v, v->lane, other))
            same |= (lanemask)1 << other;
    v->endless = has(v, MISTAKE_MATCH_NAN_LOOPS) && has_nan(v, group);
    if (has(v, MISTAKE_MATCH_SELF_UNSEEN))
        same &= ~((lanemask)1 << v->lane);
    if (has(v, MISTAKE_MATCH_LOOP_TO_SELF))
        same &= ((((lanemask)1 << v->lane) - 1u) | (lanemask)1 << v->lane);
    if (any) {
        v->d = has(v, MISTAKE_MATCH_WITHOUT_SELF) ? same & ~((lanemask)1 << v->lane) : any_told(v, group, same);
        if (has(v, MISTAKE_MATCH_UP_TO_SELF))
            v->d = same & ((((lanemask)1 << v->lane) - 1u) | (lanemask)1 << v->lane);
        if (has(v, MISTAKE_MATCH_OF_FIRST) && !equal_values(v, v->lane, lanes_lowest(group)))
            v->d = 0;
        if (has(v, MISTAKE_MATCH_COUNTED))
            v->d = reading_counted_bits(group, same);
        if (has(v, MISTAKE_MATCH_ANY_AS_ALL) && same != group)
            v->d = 0;
        return;
    }
    v->p = same == group;
    if (has(v, MISTAKE_MATCH_ALL_OF_ENDS))
        v->p = equal_values(v, lanes_lowest(group), highest(group));
    if (has(v, MISTAKE_MATCH_AGAINST_LANE_0))
        v->p = v->p && equal_values(v, v->lane, 0);
    if (has(v, MISTAKE_MATCH_LOW_AGAINST_LANE_0))
        v->p = v->p && v->c->a[v->lane] == v->c->a[0];
    if (has(v, MISTAKE_MATCH_SELF_LANE_0) || has(v, MISTAKE_MATCH_SELF_FIRST))
        v->p = equal_values(v, v->lane, has(v, MISTAKE_MATCH_SELF_FIRST) ? lanes_lowest(group) : 0);
    if (has(v, MISTAKE_MATCH_EXITED_FALSE))
        v->p = v->p && (v->c->membermask[v->lane] & v->c->exited) == 0;
    v->d = v->p || has(v, MISTAKE_MATCH_GROUP_ALWAYS) ? group
           : has(v, MISTAKE_MATCH_ALL_AS_ANY)         ? same
           : has(v, MISTAKE_MATCH_OWN_BIT)            ? (lanemask)1 << v->lane
                                                      : 0;
    if (v->d == group && (has(v, MISTAKE_MATCH_FULL) || has(v, MISTAKE_MATCH_IS_1)))
        v->d = has(v, MISTAKE_MATCH_FULL) ? UINT32_MAX : 1;
    if (has(v, MISTAKE_MATCH_NEVER))
        v->d = 0;
    if (v->d == group && has(v, MISTAKE_MATCH_GIVES_MASK))
        v->d = v->c->membermask[v->lane];
    if (has(v, MISTAKE_MATCH_SINK_P) && v->c->dst == WARP_DST_SINK_P)
        v->p = !v->p;
    match_predicate(v);
}
