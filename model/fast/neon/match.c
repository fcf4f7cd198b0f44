/* match.any, match.all: peeling, then hashes (match.c says why). */
#include "../match_hash.h"
#include "lanes.h"

/* A warp's values; `high` is used for .b64 alone. `wide` is a constant in every caller. */
struct values {
    struct words low, high;
};

FAST_INLINE struct values load_values(const uint32_t *a, const uint32_t *a_high, bool wide)
{
    struct values v = {.low = load_words(a)};
    if (wide)
        v.high = load_words(a_high);
    return v;
}

/* Words of ones in the lanes that have the value of one lane. */
FAST_INLINE struct words alike(struct values v, const uint32_t *a, const uint32_t *a_high, bool wide, unsigned lane)
{
    const struct words same = equal_words(v.low, a[lane]);
    return wide ? and_words(same, equal_words(v.high, a_high[lane])) : same;
}

/* Gives up to `limit` distinct values of the group their lanes in the row; returns the lanes that are left. */
FAST_INLINE lanemask peel(const uint32_t *a, const uint32_t *a_high, bool wide, lanemask group, unsigned limit,
                          uint32_t *row)
{
    const struct values v = load_values(a, a_high, wide);
    const struct words in = words_of(group);
    lanemask rest = group;
    struct words d;
    for (int k = 0; k < EIGHTHS; k++)
        d.v[k] = vdupq_n_u32(0);
    while (rest != 0 && limit-- > 0) {
        const struct words same = and_words(alike(v, a, a_high, wide, fast_first_lane(rest)), in);
        const lanemask lanes = mask_of(same);
        for (int k = 0; k < EIGHTHS; k++)
            d.v[k] = vbslq_u32(same.v[k], vdupq_n_u32(lanes), d.v[k]);
        rest &= ~lanes;
    }
    store_words(row, d);
    return rest;
}

/* d[i]: the lanes with the hash of lane i. */
FAST_INLINE void hash_classes(struct values v, bool wide, uint32_t d[WARP_LANES])
{
    const uint32x4_t low = vdupq_n_u32((uint32_t)FAST_HASH_1 << 16 | FAST_HASH_0);
    const uint32x4_t high = vdupq_n_u32((uint32_t)FAST_HASH_3 << 16 | FAST_HASH_2);
    uint16x8_t products[EIGHTHS], h[4];
    uint16_t one[WARP_LANES];
    for (int k = 0; k < EIGHTHS; k++) {
        products[k] = vmulq_u16(vreinterpretq_u16_u32(v.low.v[k]), vreinterpretq_u16_u32(low));
        if (wide)
            products[k] = vmlaq_u16(products[k], vreinterpretq_u16_u32(v.high.v[k]), vreinterpretq_u16_u32(high));
    }
    for (int q = 0; q < 4; q++) { /* adds the two products of each word */
        h[q] = vpaddq_u16(products[2 * q], products[2 * q + 1]);
        vst1q_u16(one + 8 * q, h[q]);
    }
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint16x8_t x = vdupq_n_u16(one[i]);
        struct bytes same;
        for (int half = 0; half < 2; half++)
            same.v[half] = vuzp1q_u8(vreinterpretq_u8_u16(vceqq_u16(h[2 * half], x)),
                                     vreinterpretq_u8_u16(vceqq_u16(h[2 * half + 1], x)));
        d[i] = mask_of_bytes(same);
    }
}

FAST_INLINE void match_any(struct fast_strip *strip, bool wide)
{
    for (size_t w = 0; w < strip->n; w++) {
        const uint32_t *a = fast_at(&strip->a, w), *a_high = wide ? fast_at(&strip->a_high, w) : NULL;
        const lanemask group = strip->group[w];
        uint32_t *row = strip->d.values + w * strip->d.stride;
        if (peel(a, a_high, wide, group, FAST_PEEL, row) == 0)
            continue;
        hash_classes(load_values(a, a_high, wide), wide, row);
        if (!fast_check_classes(a, a_high, row))
            peel(a, a_high, wide, group, WARP_LANES, row);
        else if (group != FAST_ALL_LANES)
            fast_restrict_classes(group, row);
    }
}

FAST_INLINE void match_all(struct fast_strip *strip, bool wide)
{
    for (size_t w = 0; w < strip->n; w++) {
        const uint32_t *a = fast_at(&strip->a, w), *a_high = wide ? fast_at(&strip->a_high, w) : NULL;
        const lanemask group = strip->group[w];
        const struct words same = alike(load_values(a, a_high, wide), a, a_high, wide, fast_first_lane(group));
        strip->word[w] = (group & ~mask_of(same)) == 0 ? group : 0;
    }
}

void fast_match_any_b32_neon(struct fast_strip *strip)
{
    match_any(strip, false);
}

void fast_match_any_b64_neon(struct fast_strip *strip)
{
    match_any(strip, true);
}

void fast_match_all_b32_neon(struct fast_strip *strip)
{
    match_all(strip, false);
}

void fast_match_all_b64_neon(struct fast_strip *strip)
{
    match_all(strip, true);
}
