/* The portable variant: its table, and what does not belong to one instruction. */
#include "lanes.h"

static lanemask equal_portable(const uint32_t values[WARP_LANES], uint32_t v)
{
    return fast_equal_lanes(values, v);
}

static void unify_portable(const struct warp_column *membermask, size_t n, const lanemask *active, lanemask *mask,
                           lanemask *stray)
{
    for (size_t w = 0; w < n; w++) {
        const uint32_t *values = fast_at(membermask, w);
        mask[w] = values[fast_first_lane(active[w])];
        stray[w] = active[w] & ~fast_equal_lanes(values, mask[w]);
    }
}

static void spread_portable(const uint32_t *word, const lanemask *lanes, size_t n, const struct warp_sink *out)
{
    for (size_t w = 0; w < n; w++) {
        uint32_t *to = out->values + w * out->stride;
        const uint32_t value = word[w];
        const lanemask in = lanes[w];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            to[lane] = (in & fast_lane_bit[lane]) ? value : 0;
    }
}

const struct fast_kernels fast_kernels_portable = {
    .equal = equal_portable,
    .unify = unify_portable,
    .spread = spread_portable,
    .ballot = fast_ballot_portable,
    .shfl = {fast_shfl_up_portable, fast_shfl_down_portable, fast_shfl_bfly_portable, fast_shfl_idx_portable},
    .match_any = {fast_match_any_b32_portable, fast_match_any_b64_portable},
    .match_all = {fast_match_all_b32_portable, fast_match_all_b64_portable},
    .redux = fast_redux_portable,
};
