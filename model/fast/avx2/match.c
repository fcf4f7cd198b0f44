/*
 * match.any, match.all.
 *
 * match.any peels the first values (match.c says why), then compares hashes: one broadcast and two compares give the
 * class of one lane, whose 32 bits are the lane's d. Classes are exact when every lane has the value of the lowest lane
 * of its class.
 */
#include "../match_hash.h"
#include "lanes.h"

/* A warp's values; `high` is used for .b64 alone. `wide` is a constant in every caller. */
struct values {
    struct words low, high;
};

FAST_INLINE struct values load_values(const struct fast_strip *strip, size_t w, bool wide)
{
    struct values v = {.low = load_words(fast_at(&strip->a, w))};
    if (wide)
        v.high = load_words(fast_at(&strip->a_high, w));
    return v;
}

/* Words of ones in the lanes that have the value of one lane. */
FAST_INLINE struct words alike(struct values v, const struct fast_strip *strip, size_t w, bool wide, unsigned lane)
{
    struct words same = equal_words(v.low, broadcast(fast_at(&strip->a, w)[lane]));
    if (wide)
        same = and_words(same, equal_words(v.high, broadcast(fast_at(&strip->a_high, w)[lane])));
    return same;
}

/* Gives up to `limit` distinct values of the group their lanes in *d; returns the lanes that are left. */
FAST_INLINE lanemask peel(struct values v, const struct fast_strip *strip, size_t w, bool wide, unsigned limit,
                          struct words *d)
{
    const lanemask group = strip->group[w];
    lanemask rest = group;
    while (rest != 0 && limit-- > 0) {
        const struct words same = alike(v, strip, w, wide, fast_first_lane(rest));
        const lanemask lanes = mask_of(same) & group;
        for (int k = 0; k < QUARTERS; k++)
            d->v[k] = _mm256_or_si256(d->v[k], _mm256_and_si256(same.v[k], broadcast(lanes)));
        rest &= ~lanes;
    }
    return rest;
}

/* Hashes in the low 16 bits of each word. */
FAST_INLINE struct words hash(struct values v, bool wide)
{
    const __m256i low_factors = broadcast((uint32_t)FAST_HASH_1 << 16 | FAST_HASH_0);
    const __m256i high_factors = broadcast((uint32_t)FAST_HASH_3 << 16 | FAST_HASH_2);
    struct words h;
    for (int k = 0; k < QUARTERS; k++) {
        h.v[k] = _mm256_madd_epi16(v.low.v[k], low_factors);
        if (wide)
            h.v[k] = _mm256_add_epi32(h.v[k], _mm256_madd_epi16(v.high.v[k], high_factors));
        h.v[k] = _mm256_and_si256(h.v[k], broadcast(0xffff));
    }
    return h;
}

_Static_assert(_MM_SHUFFLE(3, 1, 2, 0) == (0 | 2 << 2 | 1 << 4 | 3 << 6), "hash_classes: quarters 0, 2, 1, 3");

/* d[i]: the lanes with the hash of lane i. */
FAST_INLINE void hash_classes(struct values v, bool wide, uint32_t d[WARP_LANES])
{
    struct words h = hash(v, wide);
    /*
     * Half-words in the order lanes 0-7, 16-23 | 8-15, 24-31: packing compares of the two registers, within halves,
     * then gives bytes in lane order. Packing words leaves 0-3, 8-11 | 4-7, 12-15; exchanging the middle quarters puts
     * that in order.
     */
    const __m256i first = _mm256_permute4x64_epi64(_mm256_packus_epi32(h.v[0], h.v[1]), _MM_SHUFFLE(3, 1, 2, 0));
    const __m256i second = _mm256_permute4x64_epi64(_mm256_packus_epi32(h.v[2], h.v[3]), _MM_SHUFFLE(3, 1, 2, 0));
    const __m256i x = _mm256_permute2x128_si256(first, second, HALVES(0, 2)),
                  y = _mm256_permute2x128_si256(first, second, HALVES(1, 3));
    uint32_t twice[WARP_LANES]; /* each hash in both halves of a word, so that a word's broadcast is a half-word's */
    for (int k = 0; k < QUARTERS; k++)
        h.v[k] = _mm256_or_si256(h.v[k], _mm256_slli_epi32(h.v[k], 16));
    store_words(twice, h);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const __m256i one = broadcast(twice[i]);
        d[i] =
            (uint32_t)_mm256_movemask_epi8(_mm256_packs_epi16(_mm256_cmpeq_epi16(x, one), _mm256_cmpeq_epi16(y, one)));
    }
}

/*
 * The lowest lane of each set, one byte a lane in packed order. An isolated bit i as a float has the exponent i + 127;
 * for bit 31 the float is negative, so the sign is dropped. Sets are not empty but for lanes outside the group, where 0
 * gives (0 - 127) mod 32: any lane will do there.
 */
FAST_INLINE __m256i lowest_lanes(struct words sets)
{
    for (int k = 0; k < QUARTERS; k++) {
        const __m256i isolated = _mm256_and_si256(sets.v[k], _mm256_sub_epi32(_mm256_setzero_si256(), sets.v[k]));
        const __m256i exponent = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(isolated)), 23);
        sets.v[k] = _mm256_and_si256(_mm256_sub_epi32(exponent, broadcast(127)), broadcast(31));
    }
    return pack_bytes(sets);
}

FAST_INLINE lanemask equal_lanes(struct words x, struct words y)
{
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_cmpeq_epi32(x.v[k], y.v[k]);
    return mask_of(x);
}

/*
 * Takes lanes outside the group out of the classes in the warp's row. False when two values of the group have one hash.
 */
FAST_INLINE bool check_classes(struct values v, bool wide, lanemask group, uint32_t *row)
{
    struct words d = load_words(row);
    struct route leaders;
    lanemask right;
    for (int k = 0; k < QUARTERS; k++)
        d.v[k] = _mm256_and_si256(d.v[k], broadcast(group));
    leaders = route_from(lowest_lanes(d));
    right = equal_lanes(v.low, permute_words(v.low, leaders));
    if (wide)
        right &= equal_lanes(v.high, permute_words(v.high, leaders));
    if (group != FAST_ALL_LANES)
        d = and_words(d, words_of(group));
    store_words(row, d);
    return (group & ~right) == 0;
}

/* Values by peeling, up to `limit`; the row gets what they give. Returns the lanes that are left. */
FAST_INLINE lanemask match_by_peeling(const struct fast_strip *strip, size_t w, bool wide, struct values v,
                                      unsigned limit, uint32_t *row)
{
    struct words d = {{_mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256(), _mm256_setzero_si256()}};
    const lanemask rest = peel(v, strip, w, wide, limit, &d);
    if (strip->group[w] != FAST_ALL_LANES)
        d = and_words(d, words_of(strip->group[w]));
    store_words(row, d);
    return rest;
}

/*
 * Classes of all warps first, then all checks: a check loads whole registers from words that were just written one by
 * one, which stalls until they have left the store buffer; by then they have.
 */
FAST_INLINE void match_any(struct fast_strip *strip, bool wide)
{
    size_t hashed[FAST_STRIP], count = 0;
    for (size_t w = 0; w < strip->n; w++) {
        const struct values v = load_values(strip, w, wide);
        uint32_t *row = strip->d.values + w * strip->d.stride;
        if (match_by_peeling(strip, w, wide, v, FAST_PEEL, row) != 0) {
            hash_classes(v, wide, row);
            hashed[count++] = w;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const size_t w = hashed[i];
        const struct values v = load_values(strip, w, wide);
        uint32_t *row = strip->d.values + w * strip->d.stride;
        if (!check_classes(v, wide, strip->group[w], row))
            match_by_peeling(strip, w, wide, v, WARP_LANES, row);
    }
}

FAST_INLINE void match_all(struct fast_strip *strip, bool wide)
{
    for (size_t w = 0; w < strip->n; w++) {
        const lanemask group = strip->group[w];
        const struct values v = load_values(strip, w, wide);
        const struct words same = alike(v, strip, w, wide, fast_first_lane(group));
        strip->word[w] = (group & ~mask_of(same)) == 0 ? group : 0;
    }
}

void fast_match_any_b32_avx2(struct fast_strip *strip)
{
    match_any(strip, false);
}

void fast_match_any_b64_avx2(struct fast_strip *strip)
{
    match_any(strip, true);
}

void fast_match_all_b32_avx2(struct fast_strip *strip)
{
    match_all(strip, false);
}

void fast_match_all_b64_avx2(struct fast_strip *strip)
{
    match_all(strip, true);
}
