/* The AVX-512 variant: its table, and what does not belong to one instruction. */
#include "lanes.h"
#include "../unify.h"

static lanemask equal_avx512(const uint32_t values[WARP_LANES], uint32_t v)
{
    return equal_to(load_words(values), v);
}

FAST_DEFINE_UNIFY(avx512)

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
    .take_group = fast_take_group_avx512,
    .with = with_avx512,
    .spread = spread_avx512,
    .spread_groups = spread_groups_avx512,
    .ballot = ballot_avx512,
    .shfl = {fast_shfl_up_avx512, fast_shfl_down_avx512, fast_shfl_bfly_avx512, fast_shfl_idx_avx512},
    .match_any = {fast_match_any_b32_avx512, fast_match_any_b64_avx512},
    .match_all = {fast_match_all_b32_avx512, fast_match_all_b64_avx512},
    .redux = fast_redux_avx512,
};
