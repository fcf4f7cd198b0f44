/* The portable variant: its table, and what does not belong to one instruction. */
#include "lanes.h"
#include "unify.h"

#include <string.h>

static lanemask equal_portable(const uint32_t values[WARP_LANES], uint32_t v)
{
    return fast_equal_lanes(values, v);
}

FAST_DEFINE_UNIFY(portable)

static void with_portable(const struct warp_column *membermask, size_t n, const lanemask *sets, lanemask *with)
{
    for (size_t w = 0; w < n; w++) {
        with[w] = fast_lanes_with(fast_at(membermask, w), sets[w]);
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

static void spread_groups_portable(const uint32_t *word, const lanemask *lanes, size_t n, uint32_t *row)
{
    memset(row, 0, WARP_LANES * sizeof *row);
    for (size_t g = 0; g < n; g++)
        fast_put(lanes[g], word[g], row);
}

const struct fast_kernels fast_kernels_portable = {
    .equal = equal_portable,
    .unify = unify_portable,
    .take_group = fast_take_group_portable,
    .with = with_portable,
    .spread = spread_portable,
    .spread_groups = spread_groups_portable,
    .ballot = fast_ballot_portable,
    .shfl = {fast_shfl_up_portable, fast_shfl_down_portable, fast_shfl_bfly_portable, fast_shfl_idx_portable},
    .match_any = {fast_match_any_b32_portable, fast_match_any_b64_portable},
    .match_all = {fast_match_all_b32_portable, fast_match_all_b64_portable},
    .redux = fast_redux_portable,
};
