/* [match.sync: Description] "broadcast and compare of operand a across all non-exited threads in membermask". Values
 * are bits. */
#include "spec.h"

/* "mask of non-exited threads in membermask that have same value of operand a" */
static lanemask same_value(const struct spec_warp *w, unsigned lane)
{
    const struct warp_case *const c = w->c;
    const uint32_t a = c->a[lane], a_high = c->a_high[lane]; /* .b32: the high half is 0 */
    lanemask d = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        d |= c->a[other] == a && c->a_high[other] == a_high ? lanemask_eq[other] : 0;
    return d & w->group[lane];
}

static void match_any(const struct spec_warp *w, struct warp_result *r)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(w->done, lane))
            write_d(w, r, lane, same_value(w, lane));
}

/*
 * ".all: d is set to mask corresponding to non-exited threads in membermask if all non-exited threads in membermask
 * have same value of operand a; otherwise d is set to 0. Optionally predicate p is set to true if all [...] have same
 * value".
 */
static void match_all_group(const struct spec_warp *w, struct warp_result *r, unsigned leader)
{
    const lanemask group = w->group[leader];
    const bool all_same = same_value(w, leader) == group;
    write_d_of_lanes(w, r, group, all_same ? group : 0);
    write_p_of_lanes(w, r, group, all_same);
}

void spec_match(const struct spec_warp *w, struct warp_result *r)
{
    if (w->info->op == WARP_ANY) {
        match_any(w, r);
        return;
    }
    for (lanemask leaders = group_leaders(w); leaders != 0; leaders &= leaders - 1)
        match_all_group(w, r, (unsigned)__builtin_ctz(leaders));
}
