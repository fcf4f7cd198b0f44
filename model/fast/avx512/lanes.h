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
extern const fast_kernel fast_redux_avx512[FAST_REDUX_COUNT];

#endif
