/*
 * redux.sync: eight warps at a time.
 *
 * Reducing a register across its lanes wastes most of each instruction. Two registers are reduced together instead: one
 * half of each goes into one register, the other half into another, and one operation halves both. Three such steps
 * turn eight warps' registers into one that holds eight results, in the order of the warps. All operations are
 * associative and commutative.
 */
#include "../redux_op.h"
#include "lanes.h"

#define BLOCK 8u
_Static_assert(FAST_STRIP % BLOCK == 0, "a block that begins in a strip ends in it");

/* `op` is a constant in every caller, here and below. f32 operations work on keys, which are signed integers. */
FAST_INLINE __m256i combine(enum fast_redux op, __m256i x, __m256i y)
{
    switch (op) {
    case FAST_ADD:
        return _mm256_add_epi32(x, y);
    case FAST_MIN_U32:
        return _mm256_min_epu32(x, y);
    case FAST_MAX_U32:
        return _mm256_max_epu32(x, y);
    case FAST_AND:
        return _mm256_and_si256(x, y);
    case FAST_OR:
        return _mm256_or_si256(x, y);
    case FAST_XOR:
        return _mm256_xor_si256(x, y);
    case FAST_MIN_S32:
    case FAST_MIN_F32:
    case FAST_MIN_ABS_F32:
    case FAST_MIN_NAN_F32:
    case FAST_MIN_ABS_NAN_F32:
        return _mm256_min_epi32(x, y);
    case FAST_MAX_S32:
    case FAST_MAX_F32:
    case FAST_MAX_ABS_F32:
    case FAST_MAX_NAN_F32:
    case FAST_MAX_ABS_NAN_F32:
    case FAST_REDUX_COUNT:
        break;
    }
    return _mm256_max_epi32(x, y);
}

FAST_INLINE __m256i float_keys(__m256i x, bool abs, int32_t nan_key)
{
    const __m256i magnitude = _mm256_and_si256(x, broadcast(FAST_MAGNITUDE));
    const __m256i flip = _mm256_srli_epi32(_mm256_srai_epi32(x, 31), 1); /* negative: FAST_MAGNITUDE, else 0 */
    const __m256i key = abs ? magnitude : _mm256_xor_si256(x, flip);
    const __m256i is_nan = _mm256_cmpgt_epi32(magnitude, broadcast(FAST_INFINITY));
    return fast_nan_in_place(abs, nan_key) ? key : _mm256_blendv_epi8(key, broadcast((uint32_t)nan_key), is_nan);
}

/* One warp, from 32 words to 8. */
FAST_INLINE __m256i fold_warp(enum fast_redux op, const struct fast_strip *strip, size_t w, bool full)
{
    struct words x = load_words(fast_at(&strip->a, w));
    if (op >= FAST_MIN_F32)
        for (int k = 0; k < QUARTERS; k++)
            x.v[k] = float_keys(x.v[k], fast_redux_is_abs(op), fast_redux_nan_key(op));
    if (!full) {
        const struct words in = words_of(strip->group[w]);
        for (int k = 0; k < QUARTERS; k++)
            x.v[k] = _mm256_blendv_epi8(broadcast(fast_redux_neutral(op)), x.v[k], in.v[k]);
    }
    return combine(op, combine(op, x.v[0], x.v[1]), combine(op, x.v[2], x.v[3]));
}

/* In each half: x0*x2, y0*y2, x1*x3, y1*y3 (lo takes x0 y0 x1 y1, hi x2 y2 x3 y3). */
FAST_INLINE __m256i pair(enum fast_redux op, __m256i x, __m256i y)
{
    return combine(op, _mm256_unpacklo_epi32(x, y), _mm256_unpackhi_epi32(x, y));
}

/* In each half the four warps of two pairs: lo takes the even lanes of all four, hi the odd ones. */
FAST_INLINE __m256i four(enum fast_redux op, __m256i x, __m256i y)
{
    return combine(op, _mm256_unpacklo_epi64(x, y), _mm256_unpackhi_epi64(x, y));
}

/* The low halves of both, then the high halves of both: warps 0-3 of x, then those of y. */
FAST_INLINE __m256i eight(enum fast_redux op, __m256i x, __m256i y)
{
    return combine(op, _mm256_permute2x128_si256(x, y, HALVES(0, 2)), _mm256_permute2x128_si256(x, y, HALVES(1, 3)));
}

FAST_INLINE void fold_block(enum fast_redux op, struct fast_strip *strip, size_t first, bool full)
{
    __m256i x[BLOCK];
    for (size_t i = 0; i < BLOCK;
         i++) /* past the end the last warp stands in; its results land beyond n, in the strip's room */
        x[i] = fold_warp(op, strip, first + i < strip->n ? first + i : strip->n - 1, full);
    x[0] = four(op, pair(op, x[0], x[1]), pair(op, x[2], x[3]));
    x[4] = four(op, pair(op, x[4], x[5]), pair(op, x[6], x[7]));
    _mm256_storeu_si256((__m256i *)(void *)&strip->word[first], eight(op, x[0], x[4]));
}

FAST_INLINE bool block_is_full(const struct fast_strip *strip, size_t first)
{
    lanemask all = FAST_ALL_LANES;
    for (size_t w = first; w < strip->n && w < first + BLOCK; w++)
        all &= strip->group[w];
    return all == FAST_ALL_LANES;
}

FAST_INLINE void redux(enum fast_redux op, struct fast_strip *strip)
{
    for (size_t first = 0; first < strip->n; first += BLOCK) {
        if (block_is_full(strip, first))
            fold_block(op, strip, first, true);
        else
            fold_block(op, strip, first, false);
    }
    if (op >= FAST_MIN_F32)
        for (size_t w = 0; w < strip->n; w++)
            strip->word[w] = fast_float_of_key((int32_t)strip->word[w]);
}

FAST_FOR_EACH_REDUX(FAST_REDUX_KERNEL)

const fast_kernel fast_redux_avx2[FAST_REDUX_COUNT] = {FAST_FOR_EACH_REDUX(FAST_REDUX_ENTRY)};
