/* The AVX2 variant: its table, and what does not belong to one instruction. */
#include "lanes.h"
#include "../unify.h"

static lanemask equal_avx2(const uint32_t values[WARP_LANES], uint32_t v)
{
    return mask_of(equal_words(load_words(values), broadcast(v)));
}

FAST_DEFINE_UNIFY(avx2)

static void with_avx2(const struct warp_column *membermask, size_t n, const lanemask *sets, lanemask *with)
{
    for (size_t w = 0; w < n; w++) {
        struct words x = load_words(fast_at(membermask, w));
        for (int k = 0; k < QUARTERS; k++)
            x.v[k] = _mm256_and_si256(x.v[k], broadcast(sets[w]));
        with[w] = ~mask_of(equal_words(x, _mm256_setzero_si256()));
    }
}

static void spread_avx2(const uint32_t *word, const lanemask *lanes, size_t n, const struct warp_sink *out)
{
    uint32_t *const values = out->values;
    const size_t stride = out->stride;
    for (size_t w = 0; w < n; w++) {
        const lanemask in = lanes[w];
        struct words x;
        for (int k = 0; k < QUARTERS; k++)
            x.v[k] = broadcast(word[w]);
        if (in != FAST_ALL_LANES)
            x = and_words(x, words_of(in));
        store_words(values + w * stride, x);
    }
}

static void spread_groups_avx2(const uint32_t *word, const lanemask *lanes, size_t n, uint32_t *row)
{
    struct words x;
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_setzero_si256();
    for (size_t g = 0; g < n; g++) {
        const struct words in = words_of(lanes[g]);
        for (int k = 0; k < QUARTERS; k++)
            x.v[k] = _mm256_or_si256(x.v[k], _mm256_and_si256(in.v[k], broadcast(word[g])));
    }
    store_words(row, x);
}

/* vote: the lanes whose predicate is 0, inverted. */
static void ballot_avx2(struct fast_strip *strip)
{
    const struct warp_column a = strip->a;
    const lanemask *group = strip->group;
    lanemask *word = strip->word;
    const size_t n = strip->n;
    for (size_t w = 0; w < n; w++)
        word[w] = ~mask_of(equal_words(load_words(fast_at(&a, w)), _mm256_setzero_si256())) & group[w];
}

const struct fast_kernels fast_kernels_avx2 = {
    .equal = equal_avx2,
    .unify = unify_avx2,
    .take_group = fast_take_group_avx2,
    .with = with_avx2,
    .spread = spread_avx2,
    .spread_groups = spread_groups_avx2,
    .ballot = ballot_avx2,
    .shfl = {fast_shfl_up_avx2, fast_shfl_down_avx2, fast_shfl_bfly_avx2, fast_shfl_idx_avx2},
    .match_any = {fast_match_any_b32_avx2, fast_match_any_b64_avx2},
    .match_all = {fast_match_all_b32_avx2, fast_match_all_b64_avx2},
    .redux = fast_redux_avx2,
};
