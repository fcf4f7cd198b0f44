/*
 * Right functions of other types than words, with vectors, and with counters. The line above a function says its shape
 * and the instruction that it is.
 */
#include <immintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define AVX2 __attribute__((target("avx2")))

/* --- types ------------------------------------------------------------------------------------------------------- */

/* vote vote.sync.all.pred: returns a bool */
bool all_bool(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return (~predicates & membermask & active) == 0;
}

/* vote vote.sync.ballot.b32: masks of 64 bits */
uint64_t ballot_wide(uint64_t predicates, uint64_t membermask, uint64_t active)
{
    uint64_t result = 0;
    for (int lane = 0; lane < 64; lane++)
        if ((membermask & active & predicates) >> lane & 1)
            result |= (uint64_t)1 << lane;
    return result;
}

/* vote vote.sync.any.pred: 64 bits of which any may be set */
uint64_t any_wide(uint32_t predicates, uint64_t membermask, uint32_t active)
{
    return ((uint64_t)predicates << 32) & membermask << 32 & (uint64_t)active << 32;
}

/* lane shfl.sync.bfly.b32: int8_t */
int8_t bfly_narrow(int8_t lane, int8_t b, uint16_t c)
{
    int8_t j = (int8_t)(lane ^ (b & 31)), mask = (int8_t)(c >> 8 & 31),
           most = (int8_t)((lane & mask) | (c & 31 & ~mask));
    return j <= most ? j : lane;
}

/* lane-bool shfl.sync.down.b32: a predicate that is a bool */
uint8_t down_valid(uint8_t lane, uint32_t b, uint32_t c, bool *valid)
{
    uint32_t mask = c >> 8 & 31, j = lane + (b & 31);
    *valid = j <= ((lane & mask) | (c & 31 & ~mask));
    return *valid ? (uint8_t)j : lane;
}

/* redux redux.sync.add.s32: 64 bits with a sign */
int64_t add_wide(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t sum = 0;
    for (int i = 0; i < 32; i++)
        if (membermask & active & 1u << i)
            sum += (uint32_t)a[i];
    return (int32_t)sum;
}

/* --- counters ---------------------------------------------------------------------------------------------------- */

/* vote vote.sync.all.pred: bounded: as many votes as lanes */
uint32_t all_counted(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int votes = 0, lanes = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1) {
            lanes++;
            votes += predicates >> i & 1;
        }
    return votes == lanes;
}

/* vote vote.sync.any.pred: a sum above 0 */
uint32_t any_counted(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int count = 0;
    for (int i = 0; i < 32; i++)
        count += (predicates & membermask & active & (1u << i)) ? 1 : 0;
    return count > 0;
}

/* vote vote.sync.uni.pred: votes and those against */
uint32_t uni_counted(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    unsigned yes = 0, no = 0;
    for (uint32_t m = membermask & active; m; m &= m - 1) {
        if (predicates >> __builtin_ctz(m) & 1)
            yes++;
        else
            no++;
    }
    return yes == 0 || no == 0;
}

/* redux redux.sync.xor.b32: masks made of bits, without branches */
uint32_t xor_masked(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i += 2)
        r ^= (a[i] & -(membermask >> i & active >> i & 1)) ^ a[i + 1] * ((membermask & active) >> (i + 1) & 1);
    return r;
}

/* redux redux.sync.add.s32: in 64 bits */
uint32_t add_in_wide(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int64_t sum = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            sum += (int32_t)a[i];
    return (uint32_t)sum;
}

/* match match.all.sync.b32: differences collected */
void all_differences(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, differences = 0, first = a[__builtin_ctz(group)];
    for (int i = 0; i < 32; i++)
        differences |= (group >> i & 1) ? a[i] ^ first : 0;
    for (int i = 0; i < 32; i++)
        d[i] = differences ? 0 : group;
    *p = differences ? 0 : 0xffffffff;
}

/* --- vectors ----------------------------------------------------------------------------------------------------- */

AVX2 static __m256i mask_of(uint32_t bits)
{
    const __m256i each = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)bits), each), each);
}

/* vote vote.sync.ballot.b32: movemask */
AVX2 uint32_t ballot_vector(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i += 8)
        result |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(mask_of((predicates & membermask & active) >> i)))
                  << i;
    return result;
}

/* vote vote.sync.any.pred: ptest */
AVX2 uint32_t any_vector(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return !_mm_testz_si128(_mm_set1_epi32((int)(predicates & membermask)), _mm_set1_epi32((int)active));
}

/* match match.any.sync.b32: a comparison a lane */
AVX2 void any_vector_match(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    (void)p;
    for (int i = 0; i < 32; i++) {
        const __m256i mine = _mm256_set1_epi32((int)a[i]);
        uint32_t same = 0;
        for (int k = 0; k < 32; k += 8) {
            __m256i equal = _mm256_cmpeq_epi32(mine, _mm256_loadu_si256((const __m256i *)(a + k)));
            same |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(equal)) << k;
        }
        d[i] = same & membermask & active;
    }
}

/* redux redux.sync.or.b32: masked loads */
AVX2 uint32_t or_vector(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    __m256i r = _mm256_setzero_si256();
    __m128i low;
    for (int i = 0; i < 32; i += 8)
        r = _mm256_or_si256(r, _mm256_maskload_epi32((const int *)a + i, mask_of((membermask & active) >> i)));
    low = _mm_or_si128(_mm256_castsi256_si128(r), _mm256_extracti128_si256(r, 1));
    low = _mm_or_si128(low, _mm_srli_si128(low, 8));
    low = _mm_or_si128(low, _mm_srli_si128(low, 4));
    return (uint32_t)_mm_cvtsi128_si32(low);
}

/* shfl shfl.sync.idx.b32: gathers, shifts by numbers, masked stores */
AVX2 void idx_vector(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                     uint32_t active, uint32_t d[32], uint32_t *p)
{
    const __m256i five = _mm256_set1_epi32(31);
    *p = 0;
    for (int i = 0; i < 32; i += 8) {
        __m256i lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(i));
        __m256i operands = _mm256_loadu_si256((const __m256i *)(c + i));
        __m256i segment = _mm256_and_si256(_mm256_srli_epi32(operands, 8), five);
        __m256i clamp = _mm256_and_si256(operands, five), first = _mm256_and_si256(lane, segment);
        __m256i index = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(b + i)), five);
        __m256i most = _mm256_or_si256(first, _mm256_andnot_si256(segment, clamp));
        __m256i j = _mm256_or_si256(first, _mm256_andnot_si256(segment, index));
        __m256i out = _mm256_cmpgt_epi32(j, most);
        j = _mm256_blendv_epi8(j, lane, out);
        _mm256_maskstore_epi32((int *)d + i, mask_of((membermask & active) >> i),
                               _mm256_i32gather_epi32((const int *)a, j, 4));
        *p |= (~(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(out)) & 0xff) << i;
    }
}
