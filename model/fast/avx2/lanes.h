/*
 * AVX2: a warp's 32 words are four registers, its 32 bytes one.
 */
#ifndef WARPCHECK_FAST_AVX2_LANES_H
#define WARPCHECK_FAST_AVX2_LANES_H

#include "../kernels.h"
#include "../tables.h"

#include <immintrin.h>

#define QUARTERS 4 /* registers a warp */

/* Lanes 8k..8k+7 are in v[k]. */
struct words {
    __m256i v[QUARTERS];
};

FAST_INLINE struct words load_words(const uint32_t *from)
{
    struct words x;
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_loadu_si256((const __m256i *)(const void *)(from + 8 * k));
    return x;
}

FAST_INLINE void store_words(uint32_t *to, struct words x)
{
    for (int k = 0; k < QUARTERS; k++)
        _mm256_storeu_si256((__m256i *)(void *)(to + 8 * k), x.v[k]);
}

/*
 * Packing instructions work within 128-bit halves: from four registers of words they make bytes in the order
 *   lanes 0-3, 8-11, 16-19, 24-27 | 4-7, 12-15, 20-23, 28-31
 * ("packed order"). Lane 8k + 4h + i, in register k, half h, stands at byte 16h + 4k + i.
 */
#define LANE_AT(byte)         (8 * ((byte) / 4 % 4) + 4 * ((byte) / 16) + (byte) % 4)
#define BYTE_OF(lane)         (16 * ((lane) / 4 % 2) + 4 * ((lane) / 8) + (lane) % 4)
#define IS_BYTE_OF_LANE(byte) BYTE_OF(LANE_AT(byte)) == (byte)
_Static_assert(FAST_ALL_32(IS_BYTE_OF_LANE), "each lane stands at one byte");
_Static_assert(LANE_AT(3) == 3 && LANE_AT(4) == 8 && LANE_AT(15) == 27 && LANE_AT(16) == 4 && LANE_AT(31) == 31,
               "packed order");

/* Four lanes are a word: lanes 4q..4q+3 come from where lane 4q stands. */
#define WORD_OF_FOUR(q)   (BYTE_OF(4 * (q)) / 4)
#define IS_IN_ORDER(lane) LANE_AT(4 * WORD_OF_FOUR((lane) / 4) + (lane) % 4) == (lane)
_Static_assert(FAST_ALL_32(IS_IN_ORDER), "to_lane_order");

FAST_INLINE __m256i to_lane_order(__m256i packed)
{
    return _mm256_permutevar8x32_epi32(packed, _mm256_setr_epi32(FAST_LIST_8(WORD_OF_FOUR)));
}

/* Bytes of all ones or zeros, in packed order, to a lane mask. */
FAST_INLINE lanemask packed_mask(__m256i x)
{
    return (lanemask)_mm256_movemask_epi8(to_lane_order(x));
}

/* Lane numbers in packed order. */
FAST_INLINE __m256i own_packed(void)
{
    return _mm256_setr_epi8(FAST_LIST_32(LANE_AT));
}

/* Words of all ones or zeros to a lane mask; saturation keeps -1 and 0. */
FAST_INLINE lanemask mask_of(struct words x)
{
    const __m256i low = _mm256_packs_epi32(x.v[0], x.v[1]), high = _mm256_packs_epi32(x.v[2], x.v[3]);
    return packed_mask(_mm256_packs_epi16(low, high));
}

/* A lane mask to words of all ones or zeros: each lane tests its own bit. */
FAST_INLINE struct words words_of(lanemask lanes)
{
    const __m256i all = _mm256_set1_epi32((int)lanes);
    __m256i bit = _mm256_setr_epi32(FAST_LIST_8(FAST_BIT)); /* of lanes 0..7 */
    struct words x;
    for (int k = 0; k < QUARTERS; k++) {
        x.v[k] = _mm256_cmpeq_epi32(_mm256_and_si256(all, bit), bit);
        bit = _mm256_slli_epi32(bit, 8);
    }
    return x;
}

FAST_INLINE struct words equal_words(struct words x, __m256i y)
{
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_cmpeq_epi32(x.v[k], y);
    return x;
}

FAST_INLINE struct words and_words(struct words x, struct words y)
{
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_and_si256(x.v[k], y.v[k]);
    return x;
}

FAST_INLINE __m256i broadcast(uint32_t x)
{
    return _mm256_set1_epi32((int)x);
}

/* Four registers of words to 32 bytes in packed order; every word is below 256. */
FAST_INLINE __m256i pack_bytes(struct words x)
{
    return _mm256_packus_epi16(_mm256_packus_epi32(x.v[0], x.v[1]), _mm256_packus_epi32(x.v[2], x.v[3]));
}

/*
 * Permutations. The byte shuffle looks up 32 indices at once, two in a cycle on most CPUs, where a permutation of words
 * takes eight. So the words are cut into four planes (byte 0 of every lane, byte 1 ...), each plane is looked up, and
 * the planes are joined again. A plane is in packed order, and so are the indices. The shuffle reads 16 entries,
 * indexed by bits 3..0 of a byte, and gives 0 where bit 7 is set: each plane takes two look-ups, of its low and of its
 * high half, of which one gives 0.
 */
struct route {
    __m256i low, high; /* indices into the halves, bit 7 set where the other half is meant */
};

/* Added to a byte's number: 0..15 keep bit 7 clear, 16..31 get it set, and bits 3..0 stay; and the other way round. */
#define TO_LOW            112
#define TO_HIGH           (-16)
#define IS_LOW_INDEX(at)  (((at) + TO_LOW) & 143) == ((at) / 16 * 128 | (at) % 16)
#define IS_HIGH_INDEX(at) (((at) + TO_HIGH) & 143) == ((1 - (at) / 16) * 128 | (at) % 16)
_Static_assert(FAST_ALL_32(IS_LOW_INDEX) && FAST_ALL_32(IS_HIGH_INDEX), "route_from: bit 7, bits 3..0");

/* Maps each lane to its place, by a table of 16 entries: of the lane's bits k1 k0 h i1 i0, the highest becomes bit
 * 3. */
#define BYTE_OF_LOWER_BITS(lane) BYTE_OF((lane) % 16)
#define IS_JOINED(lane)          (BYTE_OF_LOWER_BITS(lane) | (lane) / 16 * 8) == BYTE_OF(lane)
_Static_assert(FAST_ALL_32(IS_JOINED), "route_from: the table and one bit more");

/* Sources are lanes 0..31, one byte a lane in packed order. */
FAST_INLINE struct route route_from(__m256i sources)
{
    const __m256i table = _mm256_setr_epi8(FAST_LIST_32(BYTE_OF_LOWER_BITS)); /* once for each half */
    const __m256i k1 = _mm256_srli_epi16(_mm256_and_si256(sources, _mm256_set1_epi8(16)), 1);
    const __m256i at = _mm256_or_si256(_mm256_shuffle_epi8(table, sources), k1);
    return (struct route){_mm256_add_epi8(at, _mm256_set1_epi8(TO_LOW)),
                          _mm256_add_epi8(at, _mm256_set1_epi8(TO_HIGH))};
}

/* Marks lanes that get 0: bytes of ones, in packed order. */
FAST_INLINE struct route route_closed(struct route r, __m256i lanes)
{
    return (struct route){_mm256_or_si256(r.low, lanes), _mm256_or_si256(r.high, lanes)};
}

/* Two of four halves, for the permutation of halves: 0 and 1 are the first register's, 2 and 3 the second's. */
#define HALVES(low, high) ((low) | (high) << 4)
_Static_assert(HALVES(1, 0) == 0x01 && HALVES(0, 3) == 0x30, "as the manual of the instruction has them");

FAST_INLINE __m256i look_up(__m256i plane, struct route r)
{
    const __m256i low = _mm256_permute2x128_si256(plane, plane, HALVES(0, 0)),
                  high = _mm256_permute2x128_si256(plane, plane, HALVES(1, 1));
    return _mm256_or_si256(_mm256_shuffle_epi8(low, r.low), _mm256_shuffle_epi8(high, r.high));
}

/* Sorts the bytes of a half's four words by their number: byte 4n + i becomes byte n of word i, a transposition. */
#define SORTED(at)        (4 * ((at) % 4) + (at) / 4 % 4)
#define IS_TRANSPOSED(at) SORTED(SORTED(at)) == (at)
_Static_assert(FAST_ALL_16(IS_TRANSPOSED) && SORTED(1) == 4, "permute_words: bytes by number");

/* The permutation: lane i of the result is the lane of x that the route names for lane i. */
FAST_INLINE struct words permute_words(struct words x, struct route r)
{
    /* Within each half: the bytes of four words, sorted by their number; then a transposition of 4 x 4 such quads. */
    const __m256i by_number = _mm256_setr_epi8(FAST_LIST_32(SORTED));
    __m256i even[2], odd[2], low[2], high[2];
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_shuffle_epi8(x.v[k], by_number);
    for (int k = 0; k < 2; k++) {
        low[k] = _mm256_unpacklo_epi32(x.v[2 * k], x.v[2 * k + 1]);  /* bytes 0 of two registers, then bytes 1 */
        high[k] = _mm256_unpackhi_epi32(x.v[2 * k], x.v[2 * k + 1]); /* bytes 2, bytes 3 */
    }
    even[0] = look_up(_mm256_unpacklo_epi64(low[0], low[1]), r); /* plane 0 */
    odd[0] = look_up(_mm256_unpackhi_epi64(low[0], low[1]), r);  /* plane 1 */
    even[1] = look_up(_mm256_unpacklo_epi64(high[0], high[1]), r);
    odd[1] = look_up(_mm256_unpackhi_epi64(high[0], high[1]), r);
    /* Joining in packed order gives half-words, then words, in lane order: four lanes of each half are one register. */
    for (int k = 0; k < 2; k++) {
        low[k] = _mm256_unpacklo_epi8(even[k], odd[k]);
        high[k] = _mm256_unpackhi_epi8(even[k], odd[k]);
    }
    x.v[0] = _mm256_unpacklo_epi16(low[0], low[1]);
    x.v[1] = _mm256_unpackhi_epi16(low[0], low[1]);
    x.v[2] = _mm256_unpacklo_epi16(high[0], high[1]);
    x.v[3] = _mm256_unpackhi_epi16(high[0], high[1]);
    return x;
}

void fast_shfl_up_avx2(struct fast_strip *strip);
void fast_shfl_down_avx2(struct fast_strip *strip);
void fast_shfl_bfly_avx2(struct fast_strip *strip);
void fast_shfl_idx_avx2(struct fast_strip *strip);
void fast_match_any_b32_avx2(struct fast_strip *strip);
void fast_match_any_b64_avx2(struct fast_strip *strip);
void fast_match_all_b32_avx2(struct fast_strip *strip);
void fast_match_all_b64_avx2(struct fast_strip *strip);
extern const fast_kernel fast_redux_avx2[FAST_REDUX_COUNT];

#endif
