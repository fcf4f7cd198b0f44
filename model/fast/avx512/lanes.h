/*
 * AVX-512: a warp's 32 words are two registers, its 32 bytes half a one, and lane masks are mask registers.
 */
#ifndef WARPCHECK_FAST_AVX512_LANES_H
#define WARPCHECK_FAST_AVX512_LANES_H

#include "../kernels.h"
#include "../tables.h"

#include <immintrin.h>

/* Lanes 0..15 and 16..31. */
struct words {
    __m512i low, high;
};

/* A lane mask as mask registers. */
struct halves {
    __mmask16 low, high;
};

FAST_INLINE __mmask16 low_lanes(lanemask lanes)
{
    return (__mmask16)(lanes & 0xffffu);
}

FAST_INLINE __mmask16 high_lanes(lanemask lanes)
{
    return (__mmask16)(lanes >> 16);
}

FAST_INLINE lanemask mask_of(__mmask16 low, __mmask16 high)
{
    return (lanemask)_mm512_kunpackw(high, low);
}

FAST_INLINE struct words load_words(const uint32_t *from)
{
    return (struct words){_mm512_loadu_si512(from), _mm512_loadu_si512(from + 16)};
}

FAST_INLINE void store_words(uint32_t *to, struct words x)
{
    _mm512_storeu_si512(to, x.low);
    _mm512_storeu_si512(to + 16, x.high);
}

FAST_INLINE __m512i broadcast(uint32_t x)
{
    return _mm512_set1_epi32((int)x);
}

/* Only the given lanes; the others become 0. */
FAST_INLINE struct words only(struct words x, lanemask lanes)
{
    return (struct words){_mm512_maskz_mov_epi32(low_lanes(lanes), x.low),
                          _mm512_maskz_mov_epi32(high_lanes(lanes), x.high)};
}

FAST_INLINE lanemask equal_lanes(struct words x, struct words y)
{
    return mask_of(_mm512_cmpeq_epi32_mask(x.low, y.low), _mm512_cmpeq_epi32_mask(x.high, y.high));
}

FAST_INLINE lanemask equal_to(struct words x, uint32_t y)
{
    const __m512i all = broadcast(y);
    return equal_lanes(x, (struct words){all, all});
}

/* The lanes of a warp, each in its place, plus a number. */
FAST_INLINE struct words own_lane_plus(int number)
{
    const __m512i lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return (struct words){_mm512_add_epi32(lane, broadcast((uint32_t)number)),
                          _mm512_add_epi32(lane, broadcast((uint32_t)(number + 16)))};
}

/* Sets of lanes, turned so that each lane is in bit 0 of its own, the lane below it in bit 31. */
FAST_INLINE struct words turn_to_own(struct words sets)
{
    const struct words lane = own_lane_plus(0);
    return (struct words){_mm512_rorv_epi32(sets.low, lane.low), _mm512_rorv_epi32(sets.high, lane.high)};
}

/* The nearest lane below each lane in its turned set; where there is none, the highest one, less 32. */
FAST_INLINE struct words lanes_before(struct words turned)
{
    const struct words below = own_lane_plus(-1);
    return (struct words){_mm512_sub_epi32(below.low, _mm512_lzcnt_epi32(turned.low)),
                          _mm512_sub_epi32(below.high, _mm512_lzcnt_epi32(turned.high))};
}

/* Words that have bits of a set keep those. */
FAST_INLINE struct words within(struct words x, lanemask set)
{
    const __m512i all = broadcast(set);
    return (struct words){_mm512_and_si512(x.low, all), _mm512_and_si512(x.high, all)};
}

/* The group of each lane of a warp with several; of lanes outside of all of them, anything in the strip's group. */
FAST_INLINE struct words groups_of_lanes(const struct fast_strip *strip, size_t w)
{
    return within(load_words(fast_at(&strip->members, w)), strip->group[w]);
}

/* Lane i of the result is lane source[i] of x; sources are words, of which the permutation reads bits 4..0. */
FAST_INLINE struct words permute_words(struct words x, struct words source)
{
    return (struct words){_mm512_permutex2var_epi32(x.low, source.low, x.high),
                          _mm512_permutex2var_epi32(x.low, source.high, x.high)};
}

void fast_shfl_up_avx512(struct fast_strip *strip);
void fast_shfl_down_avx512(struct fast_strip *strip);
void fast_shfl_bfly_avx512(struct fast_strip *strip);
void fast_shfl_idx_avx512(struct fast_strip *strip);
void fast_match_any_b32_avx512(struct fast_strip *strip);
void fast_match_any_b64_avx512(struct fast_strip *strip);
void fast_match_all_b32_avx512(struct fast_strip *strip);
void fast_match_all_b64_avx512(struct fast_strip *strip);
void fast_match_any_by_lane_b32_avx512(struct fast_strip *strip);
void fast_match_any_by_lane_b64_avx512(struct fast_strip *strip);
void fast_match_all_by_lane_b32_avx512(struct fast_strip *strip);
void fast_match_all_by_lane_b64_avx512(struct fast_strip *strip);
extern const fast_kernel fast_redux_avx512[FAST_REDUX_COUNT];
extern const fast_kernel fast_redux_by_lane_avx512[FAST_REDUX_COUNT];

#endif
