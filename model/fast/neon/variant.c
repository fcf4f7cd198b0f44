/* The NEON variant: its table, and what does not belong to one instruction. */
#include "lanes.h"
#include "../unify.h"

static lanemask equal_neon(const uint32_t values[WARP_LANES], uint32_t v)
{
    return mask_of(equal_words(load_words(values), v));
}

FAST_DEFINE_UNIFY(neon)

static void with_neon(const struct warp_column *membermask, size_t n, const lanemask *sets, lanemask *with)
{
    for (size_t w = 0; w < n; w++) {
        struct words x = load_words(fast_at(membermask, w));
        for (int k = 0; k < EIGHTHS; k++)
            x.v[k] = vtstq_u32(x.v[k], vdupq_n_u32(sets[w]));
        with[w] = mask_of(x);
    }
}

static void spread_neon(const uint32_t *word, const lanemask *lanes, size_t n, const struct warp_sink *out)
{
    for (size_t w = 0; w < n; w++) {
        struct words x;
        for (int k = 0; k < EIGHTHS; k++)
            x.v[k] = vdupq_n_u32(word[w]);
        if (lanes[w] != FAST_ALL_LANES)
            x = and_words(x, words_of(lanes[w]));
        store_words(out->values + w * out->stride, x);
    }
}

static void spread_groups_neon(const uint32_t *word, const lanemask *lanes, size_t n, uint32_t *row)
{
    struct words x = words_of(0);
    for (size_t g = 0; g < n; g++) {
        const struct words in = words_of(lanes[g]);
        for (int k = 0; k < EIGHTHS; k++)
            x.v[k] = vbslq_u32(in.v[k], vdupq_n_u32(word[g]), x.v[k]);
    }
    store_words(row, x);
}

/* vote: the lanes whose predicate is 0, inverted. */
static void ballot_neon(struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++)
        strip->word[w] = ~equal_neon(fast_at(&strip->a, w), 0) & strip->group[w];
}

const struct fast_kernels fast_kernels_neon = {
    .equal = equal_neon,
    .unify = unify_neon,
    .take_group = fast_take_group_neon,
    .with = with_neon,
    .spread = spread_neon,
    .spread_groups = spread_groups_neon,
    .ballot = ballot_neon,
    .shfl = {fast_shfl_up_neon, fast_shfl_down_neon, fast_shfl_bfly_neon, fast_shfl_idx_neon},
    .match_any = {fast_match_any_b32_neon, fast_match_any_b64_neon},
    .match_all = {fast_match_all_b32_neon, fast_match_all_b64_neon},
    .redux = fast_redux_neon,
};
