/* The AVX-512 variant: its table, and what does not belong to one instruction. */
#include "lanes.h"

static lanemask equal_avx512(const uint32_t values[WARP_LANES], uint32_t v)
{
    return equal_to(load_words(values), v);
}

/*
 * The active lanes that are not in their own membermask, or whose neighbour in it is not active or passes another.
 * Where there are none, all active lanes are done: from neighbour to neighbour, all lanes that a membermask names pass
 * it. This is unify's `open` without a turn for each group.
 */
FAST_INLINE lanemask without_neighbour(struct words members, lanemask active, lanemask exited)
{
    const __m512i own = broadcast(1);
    struct words passed = members, present, turned, beside;
    if (active != FAST_ALL_LANES) /* no membermask of a lane that is in its own is 0 */
        passed = only(members, active);
    present = exited == 0 ? passed : within(passed, ~exited);
    turned = turn_to_own(present);
    beside = permute_words(passed, lanes_before(turned));
    return active &
           ~mask_of(_mm512_mask_cmpeq_epi32_mask(_mm512_test_epi32_mask(turned.low, own), passed.low, beside.low),
                    _mm512_mask_cmpeq_epi32_mask(_mm512_test_epi32_mask(turned.high, own), passed.high, beside.high));
}

static void unify_avx512(const struct warp_column *membermask, size_t n, const struct fast_unified *u)
{
    const struct fast_unified to = *u;
    for (size_t w = 0; w < n; w++) {
        const uint32_t *members = fast_at(membermask, w);
        const struct words all = load_words(members);
        const lanemask active = to.active[w], exited = to.exited[w], mask = members[fast_first_lane(active)];
        to.mask[w] = mask;
        to.stray[w] = active & ~equal_to(all, mask);
        to.open[w] = without_neighbour(all, active, exited);
    }
}

static void with_avx512(const struct warp_column *membermask, size_t n, const lanemask *sets, lanemask *with)
{
    for (size_t w = 0; w < n; w++) {
        const struct words x = load_words(fast_at(membermask, w));
        const __m512i set = broadcast(sets[w]);
        with[w] = mask_of(_mm512_test_epi32_mask(x.low, set), _mm512_test_epi32_mask(x.high, set));
    }
}

static void spread_avx512(const uint32_t *word, const lanemask *lanes, size_t n, const struct warp_sink *out)
{
    uint32_t *const values = out->values;
    const size_t stride = out->stride;
    for (size_t w = 0; w < n; w++) {
        const __m512i all = broadcast(word[w]);
        const lanemask in = lanes[w];
        struct words x = {all, all};
        if (in != FAST_ALL_LANES) /* filling mask registers costs more than the stores */
            x = only(x, in);
        store_words(values + w * stride, x);
    }
}

static void spread_groups_avx512(const uint32_t *word, const lanemask *lanes, size_t n, uint32_t *row)
{
    struct words x = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (size_t g = 0; g < n; g++) {
        const __m512i all = broadcast(word[g]);
        x.low = _mm512_mask_mov_epi32(x.low, low_lanes(lanes[g]), all);
        x.high = _mm512_mask_mov_epi32(x.high, high_lanes(lanes[g]), all);
    }
    store_words(row, x);
}

static void ballot_avx512(struct fast_strip *strip)
{
    const struct warp_column column = strip->a;
    const lanemask *group = strip->group;
    lanemask *word = strip->word;
    const size_t n = strip->n;
    for (size_t w = 0; w < n; w++) {
        const struct words a = load_words(fast_at(&column, w));
        word[w] = mask_of(_mm512_test_epi32_mask(a.low, a.low), _mm512_test_epi32_mask(a.high, a.high)) & group[w];
    }
}

const struct fast_kernels fast_kernels_avx512 = {
    .equal = equal_avx512,
    .unify = unify_avx512,
    .with = with_avx512,
    .spread = spread_avx512,
    .spread_groups = spread_groups_avx512,
    .ballot = ballot_avx512,
    .shfl = {fast_shfl_up_avx512, fast_shfl_down_avx512, fast_shfl_bfly_avx512, fast_shfl_idx_avx512},
    .match_any = {fast_match_any_b32_avx512, fast_match_any_b64_avx512},
    .match_all = {fast_match_all_b32_avx512, fast_match_all_b64_avx512},
    .redux = fast_redux_avx512,
    .match_any_by_lane = {fast_match_any_by_lane_b32_avx512, fast_match_any_by_lane_b64_avx512},
    .match_all_by_lane = {fast_match_all_by_lane_b32_avx512, fast_match_all_by_lane_b64_avx512},
    .redux_by_lane = fast_redux_by_lane_avx512,
};
