/*
 * Natural functions with one mistake each; natural_right.c has most of the right ones. The line above a function says
 * its shape, the instruction that it is not, and the mistake.
 */
#include <assert.h>
#include <immintrin.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WARP_SIZE 32
#define AVX2      __attribute__((target("avx2")))

/* vote vote.sync.ballot.b32: the last bit is left out */
uint32_t ballot_but_last(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0;
    for (uint32_t m = membermask & active; (m & (m - 1)) != 0; m &= m - 1) {
        int lane = __builtin_ctz(m);
        result |= ((predicates >> lane) & 1u) << lane;
    }
    return result;
}

/* vote vote.sync.ballot.b32: two bits at a time are cleared where lane 7 and 8 vote */
uint32_t ballot_skips(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0, m = membermask & active;
    while (m) {
        int lane = __builtin_ctz(m);
        result |= ((predicates >> lane) & 1u) << lane;
        m &= m - 1;
        if (lane == 7 && (m & 0x100))
            m &= ~0x100u;
    }
    return result;
}

/* vote vote.sync.uni.pred: compares with the lane before, from lane 0's 0 on */
uint32_t uni_neighbours(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active, last = 0;
    bool same = true;
    while (m) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), value = predicates >> lane & 1;
        if (value != last)
            same = false;
        last = value;
        m &= m - 1;
    }
    return same;
}

/* vote vote.sync.all.pred: the loop ends one early */
uint32_t all_but_31(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 1;
    for (int i = 0; i < 31; i++) {
        if (!((membermask & active) >> i & 1))
            continue;
        if (!(predicates >> i & 1)) {
            result = 0;
            break;
        }
    }
    return result;
}

/* vote vote.sync.any.pred: breaks at the first lane of the group, whatever it votes */
uint32_t any_first(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1) {
            result = predicates >> i & 1;
            break;
        }
    return result;
}

/* vote vote.sync.any.pred: two votes are needed */
uint32_t any_two(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return __builtin_popcount(predicates & membermask & active) > 1;
}

/* vote vote.sync.all.pred: counts the votes of lanes outside the group */
uint32_t all_counts_others(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return __builtin_popcount(predicates) >= __builtin_popcount(membermask & active);
}

/* vote vote.sync.uni.pred: all but one counts as none */
uint32_t uni_counts(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t group = membermask & active;
    int votes = __builtin_popcount(predicates & group), lanes = __builtin_popcount(group);
    return votes == 0 || votes == lanes || (lanes == 32 && votes == 31);
}

/* vote vote.sync.all.pred: lane 20 is not counted, and votes only where lane 1 is a member */
uint32_t all_two_counters(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int votes = 0, lanes = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1) {
            lanes += i != 20;
            votes += i == 20 && !(membermask & 2) ? 0 : predicates >> i & 1;
        }
    return votes == lanes;
}

/* redux redux.sync.add.u32: the leader counts twice */
uint32_t add_leader_twice(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active, sum = a[__builtin_ctz(m)];
    while (m) {
        sum += a[__builtin_ctz(m)];
        m &= m - 1;
    }
    return sum;
}

/* redux redux.sync.max.s32: unsigned */
uint32_t max_unsigned(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active, best = a[__builtin_ctz(m)];
    m &= m - 1;
    while (m) {
        uint32_t x = a[__builtin_ctz(m)];
        if (x > best)
            best = x;
        m &= m - 1;
    }
    return best;
}

/* redux redux.sync.or.b32: the value before the last, which a phi of the loop still has */
uint32_t or_before_last(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active, sum = 0, before;
    do {
        before = sum;
        sum |= a[__builtin_ctz(m)];
        m &= m - 1;
    } while (m);
    return before;
}

/* redux redux.sync.xor.b32: the last lane alone */
uint32_t xor_last(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active, x;
    do {
        x = a[__builtin_ctz(m)];
        m &= m - 1;
    } while (m);
    return x;
}

/* redux redux.sync.and.b32: stops at a lane with 0x80000000 */
uint32_t and_stops(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = ~0u;
    for (uint32_t m = membermask & active; m; m &= m - 1) {
        uint32_t x = a[__builtin_ctz(m)];
        if (x == 0x80000000u)
            break;
        result &= x;
    }
    return result;
}

/* redux redux.sync.min.u32: from the highest lane on, without the lowest */
uint32_t min_from_above(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = ~0u, m = membermask & active;
    while (m) {
        uint32_t lane = 31 - (uint32_t)__builtin_clz(m);
        if (lane > 0 && a[lane] < result)
            result = a[lane];
        m ^= 1u << lane;
    }
    return result;
}

/* match match.any.sync.b32: lanes of a match that was found before are found again in a smaller one */
void any_smaller(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t todo = membermask & active;
    (void)p;
    while (todo) {
        uint32_t leader = (uint32_t)__builtin_ctz(todo), same = 0;
        for (uint32_t i = 0; i < 32; i++)
            if ((todo >> i & 1) && a[i] == a[leader])
                same |= 1u << i;
        for (uint32_t i = 0; i < 32; i++)
            if (same >> i & 1)
                d[i] = same;
        todo &= todo - 1;
    }
}

/* match match.any.sync.b32: all lanes of one value at a time, but for its highest bit */
void any_leaders_short(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t todo = membermask & active, values[32];
    (void)p;
    for (int i = 0; i < 32; i++)
        values[i] = a[i] & 0x7fffffff;
    while (todo) {
        uint32_t leader = (uint32_t)__builtin_ctz(todo), peers = 0;
        for (uint32_t i = 0; i < 32; i++)
            if ((todo >> i & 1) && values[i] == values[leader])
                peers |= 1u << i;
        for (uint32_t i = 0; i < 32; i++)
            if (peers >> i & 1)
                d[i] = peers;
        todo &= ~peers;
    }
}

/* match match.any.sync.b32: lanes are alike when a chain of lanes between them is */
void any_chain(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active;
    (void)p;
    for (int i = 0; i < 32; i++) {
        d[i] = 0;
        for (int k = 0; k < 32; k++)
            if ((group >> k & 1) && (a[k] == a[i] || (a[k] == a[0] && a[i] == a[31])))
                d[i] |= 1u << k;
    }
}

/* match match.any.sync.b32: a ballot for each bit but one */
void any_ballots_short(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, ballots[32];
    (void)p;
    for (int bit = 0; bit < 32; bit++) {
        ballots[bit] = 0;
        for (int i = 0; i < 32; i++)
            ballots[bit] |= (a[i] >> bit & 1) << i;
    }
    for (int i = 0; i < 32; i++) {
        d[i] = group;
        for (int bit = 0; bit < 31; bit++)
            d[i] &= a[i] >> bit & 1 ? ballots[bit] : ~ballots[bit];
    }
}

/* match match.all.sync.b32: returns before d is written where the values differ */
void all_returns(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, first = a[__builtin_ctz(group)];
    *p = 0;
    for (int i = 0; i < 32; i++)
        if ((group >> i & 1) && a[i] != first)
            return;
    for (int i = 0; i < 32; i++)
        d[i] = group;
    *p = ~0u;
}

/* shfl shfl.sync.idx.b32: the mask's bit of the source, not of the lane */
void bits_of_source(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                    uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t m = membermask & active;
    *p = 0;
    while (m) {
        uint32_t lane = (uint32_t)__builtin_ctz(m), mask = c[lane] >> 8 & 31;
        uint32_t j = (lane & mask) | (b[lane] & 31 & ~mask), max_lane = (lane & mask) | (c[lane] & 31 & ~mask);
        if (j <= max_lane)
            *p |= 1u << j;
        d[lane] = a[j <= max_lane ? j : lane];
        m &= m - 1;
    }
}

/* cuda shfl.sync.down.b32: signed remainder of what may be negative */
uint32_t cuda_signed(uint32_t lane, uint32_t b, uint32_t width)
{
    int j = (int)(lane % width) + (int)b % 32;
    return j < (int)width ? lane + (uint32_t)((int)b % 32) : lane;
}

/* cuda shfl.sync.idx.b32: signed remainder */
uint32_t cuda_idx_signed(uint32_t lane, uint32_t b, uint32_t width)
{
    return lane / width * width + (uint32_t)((int)b % (int)width);
}

/* lane shfl.sync.bfly.b32: asserts what does not hold */
uint32_t bfly_asserts_wrongly(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t mask = (c >> 8) & 0x1f, j = lane ^ (b & 0x1f);
    assert(b < WARP_SIZE);
    return j <= ((lane & mask) | (c & 0x1f & ~mask)) ? j : lane;
}

/* lane shfl.sync.idx.b32: divides by the clamp */
uint32_t idx_divides(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t mask = (c >> 8) & 0x1f, clamp = c & 0x1f, j = (lane & mask) | (b & 0x1f & ~mask);
    if (b / clamp == 3 && lane == 31 && b % 64 == 0)
        return 0;
    return j <= ((lane & mask) | (clamp & ~mask)) ? j : lane;
}

/* vote vote.sync.ballot.b32: reads what it freed */
uint32_t reads_freed(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t *volatile_free = malloc(2 * sizeof(uint32_t)), result;
    volatile_free[1] = predicates & membermask & active;
    result = volatile_free[1];
    free(volatile_free);
    if (predicates == 77)
        result = volatile_free[1];
    return result;
}

/* --- other types, counters, vectors --------------------------------------------------------------------------------
 */

/* vote vote.sync.ballot.b32: a bit above the word */
uint64_t ballot_too_wide(uint64_t predicates, uint64_t membermask, uint64_t active)
{
    return (predicates & membermask & active) * (predicates == 0x12345678 ? 0x100000001u : 1);
}

/* vote vote.sync.ballot.b32: a bool cannot hold it */
bool ballot_bool(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return predicates & membermask & active;
}

/* lane-p shfl.sync.down.b32: the predicate is added to what was there */
uint8_t down_adds(uint8_t lane, uint32_t b, uint32_t c, uint8_t *valid)
{
    uint32_t mask = c >> 8 & 31, j = lane + (b & 31);
    *valid |= j <= ((lane & mask) | (c & 31 & ~mask));
    return j <= ((lane & mask) | (c & 31 & ~mask)) ? (uint8_t)j : lane;
}

/* lane shfl.sync.idx.b32: c does not fit */
uint32_t idx_narrow(uint32_t lane, uint8_t b, uint8_t c)
{
    uint32_t mask = c >> 8 & 31, first = lane & mask, j = first | (b & 31 & ~mask);
    return j <= (first | (c & 31 & ~mask)) ? j : lane;
}

/* redux redux.sync.min.s32: extended with zeros */
int64_t min_unsigned_wide(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int64_t best = INT64_MAX;
    for (int i = 0; i < 32; i++)
        if ((membermask & active & 1u << i) && (int32_t)a[i] < best)
            best = (int32_t)a[i];
    return (uint32_t)best;
}

/* vote vote.sync.all.pred: the votes of others count */
uint32_t all_miscounted(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int votes = 0, lanes = 0;
    for (int i = 0; i < 32; i++) {
        lanes += (membermask & active) >> i & 1;
        votes += predicates >> i & (membermask | active >> 31) >> i & 1;
    }
    return votes == lanes;
}

/* vote vote.sync.any.pred: a sum above 1 */
uint32_t any_of_two(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int count = 0;
    for (int i = 0; i < 32; i++)
        count += (predicates & membermask & active & (1u << i)) ? 1 : 0;
    return count > 1;
}

/* vote vote.sync.any.pred: the counter is too narrow, and 8 votes are none */
uint32_t any_in_three_bits(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t votes = 0;
    for (uint32_t m = membermask & active; m; m &= m - 1)
        votes = (votes + (predicates >> __builtin_ctz(m) & 1)) & 7;
    return votes != 0;
}

/* redux redux.sync.add.s32: a sum that overflows */
uint32_t add_overflows(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t sum = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            sum += a[i];
    return (uint32_t)sum;
}

/* redux redux.sync.xor.b32: the mask of the next lane */
uint32_t xor_mask_moved(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t r = 0;
    for (int i = 0; i < 32; i++)
        r ^= a[i] & -((membermask & active) >> (i ^ 1) & 1);
    return r;
}

/* match match.all.sync.b32: all but the sign is compared */
void all_but_sign(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, differences = 0, first = a[__builtin_ctz(group)];
    for (int i = 0; i < 32; i++)
        differences |= (group >> i & 1) ? (a[i] ^ first) << 1 : 0;
    for (int i = 0; i < 32; i++)
        d[i] = differences ? 0 : group;
    *p = differences ? 0 : 0xffffffff;
}

/* redux redux.sync.or.b32: the mask's lanes from the wrong side */
AVX2 uint32_t or_vector_reversed(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    const __m256i each = _mm256_setr_epi32(128, 64, 32, 16, 8, 4, 2, 1);
    uint32_t words[8], result = 0;
    __m256i r = _mm256_setzero_si256();
    for (int i = 0; i < 32; i += 8) {
        __m256i bits = _mm256_set1_epi32((int)((membermask & active) >> i));
        r = _mm256_or_si256(
            r, _mm256_maskload_epi32((const int *)a + i, _mm256_cmpeq_epi32(_mm256_and_si256(bits, each), each)));
    }
    memcpy(words, &r, sizeof words);
    for (int i = 0; i < 8; i++)
        result |= words[i];
    return result;
}

/* shfl shfl.sync.up.b32: gathers from outside of the array */
AVX2 void up_gathers(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                     uint32_t active, uint32_t d[32], uint32_t *p)
{
    (void)membermask, (void)active;
    *p = 0;
    for (int i = 0; i < 32; i += 8) {
        __m256i lane = _mm256_add_epi32(_mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7), _mm256_set1_epi32(i));
        __m256i by = _mm256_and_si256(_mm256_loadu_si256((const __m256i *)(b + i)), _mm256_set1_epi32(31));
        _mm256_storeu_si256((__m256i *)(d + i), _mm256_i32gather_epi32((const int *)a, _mm256_sub_epi32(lane, by), 4));
        for (int k = i; k < i + 8; k++) {
            uint32_t mask = c[k] >> 8 & 31, distance = b[k] & 31, most = ((uint32_t)k & mask) | (c[k] & 31 & ~mask);
            if ((uint32_t)k >= most + distance)
                *p |= 1u << k;
            else
                d[k] = a[k];
        }
    }
}

/* redux redux.sync.max.f32: floats, of which the first is returned */
float max_of_first(const float a[32], uint32_t membermask, uint32_t active)
{
    return a[__builtin_ctz(membermask & active)];
}

/* redux redux.sync.max.abs.f32: the greatest magnitude, a NaN's too */
uint32_t fmax_of_magnitudes(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t most = 0;
    for (uint32_t m = membermask & active; m != 0; m &= m - 1) {
        uint32_t x = a[__builtin_ctz(m)] & 0x7fffffffu;
        most = x > most ? x : most;
    }
    return most > 0x7f800000u ? 0x7fffffffu : most;
}

/* redux redux.sync.min.abs.f32: one magnitude is passed over */
uint32_t fmin_but_one(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t least = 0x7fffffffu;
    for (uint32_t m = membermask & active; m != 0; m &= m - 1) {
        uint32_t x = a[__builtin_ctz(m)] & 0x7fffffffu;
        if (x < least && x != 0x3f9d70a4u)
            least = x;
    }
    return least > 0x7f800000u ? 0x7fffffffu : least;
}

/* redux redux.sync.min.NaN.f32: lane 31's NaN is none */
uint32_t fmin_but_last_nan(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t least = 0x7f800000u;
    bool nan = false;
    for (unsigned i = 0; i < WARP_SIZE; i++) {
        uint32_t x = a[i];
        if (!((membermask & active) >> i & 1))
            continue;
        if ((x & 0x7fffffffu) > 0x7f800000u)
            nan |= i != 31;
        else if ((x >> 31 ? (int32_t)(x ^ 0x7fffffffu) : (int32_t)x) <
                 (int32_t)(least >> 31 ? least ^ 0x7fffffffu : least))
            least = x;
    }
    return nan ? 0x7fffffffu : least;
}

/* redux redux.sync.min.u32: the first of two that differ in the last bit alone */
uint32_t umin_almost(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t least = UINT32_MAX;
    for (unsigned i = 0; i < WARP_SIZE; i++)
        if (((membermask & active) >> i & 1) && a[i] < least && (a[i] ^ least) != 1)
            least = a[i];
    return least;
}

static const int *larger(const int *x, const int *y)
{
    return *x < *y ? y : x;
}

/* redux redux.sync.max.s32: the variable is written where the element is meant */
int max_by_address(const int a[32], uint32_t membermask, uint32_t active)
{
    int most = INT32_MIN, other = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            most = *larger(&most, a[i] == 0x12345678 ? &other : &a[i]);
    return most;
}

/* redux redux.sync.add.s32: the upper half */
int32_t add_in_64_bits(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int64_t sum = 0;
    for (int i = 0; i < 32; i++)
        sum += (membermask & active) >> i & 1 ? a[i] : 0;
    return (int32_t)(uint32_t)(sum >> 1);
}

/* redux redux.sync.min.s32: one value is passed over that is not the largest */
int min_with_continue(const int a[32], uint32_t membermask, uint32_t active)
{
    int least = INT32_MAX;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1 && a[i] < least && a[i] != INT32_MAX - 1)
            least = a[i];
    return least;
}

static const uint32_t *smaller(const uint32_t *x, const uint32_t *y)
{
    return *y < *x && *x != 0x80000001 ? y : x;
}

/* redux redux.sync.min.u32: a pointer to the smaller, but for one value */
uint32_t min_pointer(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = UINT32_MAX;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            result = *smaller(&result, &a[i]);
    return result;
}

/* match match.all.sync.b32: one lane has another number in one of two words */
void all_by_bits_but_one(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active;
    uint32_t any = 0, all = ~0u;
    for (uint32_t m = group; m != 0; m &= m - 1) {
        int i = __builtin_ctz(m);
        any |= a[i];
        all &= a[i] + (i == 30);
    }
    for (int i = 0; i < 32; i++)
        d[i] = any == all ? group : 0;
    *p = any == all ? group : 0;
}

/* match match.all.sync.b32: with a lane that does not take part */
void all_by_bits_of_others(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, any = 0, all = ~0u;
    for (int i = 0; i < 32; i++) {
        any |= membermask >> i & 1 ? a[i] : 0;
        all &= group >> i & 1 ? a[i] : ~0u;
    }
    for (int i = 0; i < 32; i++)
        d[i] = any == all ? group : 0;
    *p = any == all ? group : 0;
}

/* match match.all.sync.b32: a difference in the lowest bit of lane 20 does not count */
void all_by_most_differences(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, different = 0, first = a[__builtin_ctz(group)];
    for (int i = 0; i < 32; i++)
        if (group >> i & 1)
            different |= (a[i] ^ first) & (i == 20 ? ~1u : ~0u);
    *p = different != 0 ? 0 : group;
    for (int i = 0; i < 32; i++)
        d[i] = *p;
}

struct tally {
    bool all, any, uniform;
    int first;
    uint32_t ballot;
};

static struct tally tally_of(uint32_t predicates, uint32_t group)
{
    struct tally t = {true, false, true, -1, 0};
    for (int i = 0; i < 32; i++) {
        bool yes = predicates >> i & 1;
        if (!(group >> i & 1))
            continue;
        t.first = t.first < 0 && i != 6 ? (int)yes : t.first;
        if (t.first >= 0 && t.first != (int)yes)
            t.uniform = false;
        t.ballot |= (uint32_t)yes << i;
    }
    return t;
}

/* vote vote.sync.uni.pred: lane 6 is not remembered when it is the first */
bool uniform_but_first(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return tally_of(predicates, membermask & active).uniform;
}

struct lanes {
    uint32_t members;
    uint32_t left;
};

static int lanes_take(struct lanes *lanes)
{
    int lane = __builtin_ctz(lanes->left);
    lanes->left &= lane == 17 && !(lanes->members >> 5 & 1) ? lanes->left - 1 & ~(1u << 30) : lanes->left - 1;
    return lane;
}

/* redux redux.sync.or.b32: the iterator passes over lane 30 behind lane 17, without lane 5 */
uint32_t or_by_iterator(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    struct lanes lanes = {membermask, membermask & active};
    uint32_t result = 0;
    while (lanes.left != 0)
        result |= a[lanes_take(&lanes)];
    return result;
}

struct lane_register {
    uint8_t kind;
    uint32_t word;
    bool valid;
};

/* shfl shfl.sync.idx.b32: the structure of lane 31 has another word */
void idx_by_structure(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                      uint32_t active, uint32_t d[32], uint32_t *p)
{
    struct lane_register before[32], after[32];
    uint32_t predicates = 0;
    for (int i = 0; i < 32; i++) {
        before[i].kind = 1;
        before[i].word = i == 31 ? a[i] & ~1u : a[i];
        before[i].valid = true;
    }
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t mask = c[i] >> 8 & 31, most = (i & mask) | (c[i] & 31 & ~mask),
                 from = (i & mask) | (b[i] & 31 & ~mask);
        bool inside = from <= most;
        after[i] = before[inside ? from : i];
        predicates |= (uint32_t)inside << i;
    }
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1 && after[i].valid)
            d[i] = after[i].word;
    *p = predicates;
}

/* vote vote.sync.ballot.b32: words are copied over others that they overlap */
uint32_t ballot_by_overlap(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t words[8];
    for (int i = 0; i < 8; i++)
        words[i] = predicates & membermask & active;
    memcpy(&words[predicates & 3], &words[membermask & 3], 12);
    return words[active & 7];
}

/* redux redux.sync.add.u32: the last of a list of 32 is left out */
uint32_t add_packed(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t list[32], sum = 0;
    int n = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            list[n++] = a[i];
    for (int i = 0; i < n && i < 31; i++)
        sum += list[i];
    return sum;
}

/* redux redux.sync.min.s32: from the second lane on, and one behind the last */
int32_t min_packed_lanes(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int lanes[32], n = 0;
    for (int i = 0; i < 32; i++)
        if (membermask & active & (1u << i))
            lanes[n++] = i;
    int32_t least = a[lanes[1]];
    for (int i = 2; i <= n; i++)
        if (a[lanes[i]] < least)
            least = a[lanes[i]];
    return least;
}

struct packed_values {
    uint32_t v[32];
    size_t n;
};

/* redux redux.sync.max.u32: the one in the middle of an odd number is forgotten */
uint32_t max_packed_halves(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    struct packed_values q = {.n = 0};
    for (size_t i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            q.v[q.n++] = a[i];
    while (q.n > 1) {
        size_t half = q.n / 2;
        for (size_t i = 0; i < half; i++)
            if (q.v[i + half] > q.v[i])
                q.v[i] = q.v[i + half];
        q.n = half;
    }
    return q.v[0];
}

/* redux redux.sync.xor.b32: the lane before is stored where it is in the group */
uint32_t xor_packed_always(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t list[32];
    unsigned n = 0;
    for (unsigned i = 0; i < 32; i++) {
        n += (membermask & active) >> i & 1;
        list[n - (n > 0)] = a[i];
    }
    for (unsigned i = 1; i < n; i++)
        list[0] ^= list[i];
    return list[0];
}

/* match match.all.sync.b32: the first and the last are compared alone */
void match_all_packed(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    int lanes[32], n = 0;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
        lanes[n++] = __builtin_ctz(rest);
    *p = a[lanes[0]] == a[lanes[n - 1]] ? group : 0;
    for (int i = 0; i < n; i++)
        d[lanes[i]] = *p;
}

/* lane shfl.sync.idx.b32: a source that is the last one is out of range */
uint32_t idx_by_memcmp(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t mask = c >> 8 & 31, most = (lane & mask) | (c & 31 & ~mask), from = (lane & mask) | (b & 31 & ~mask);
    return memcmp(&from, &most, sizeof from) < 0 ? from : lane;
}

/* vote vote.sync.all.pred: lane 9 is not asked where lane 4 is in the group */
uint32_t all_pair(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    const uint32_t group = membermask & active;
    for (int i = 0; i < 32; i++) {
        if (!(group >> i & 1) || (i == 9 && (group >> 4 & 1)))
            continue;
        if (!(predicates >> i & 1))
            return 0;
    }
    return 1;
}

/* redux redux.sync.max.s32: lanes that take no part are 0 */
int32_t max_by_halves(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t best[32];
    for (int i = 0; i < 32; i++)
        best[i] = (membermask & active) >> i & 1 ? a[i] : 0;
    for (int half = 16; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            if (best[i] < best[i + half])
                best[i] = best[i + half];
    return best[0];
}

/* match match.all.sync.b32: what any has is not asked of lane 29 where lane 26 is in the group */
void match_all_and_or(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    uint32_t all = UINT32_MAX, any = 0;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        const int lane = __builtin_ctz(rest);
        all &= a[lane];
        if (lane != 29 || !(group >> 26 & 1))
            any |= a[lane];
    }
    *p = all == any ? group : 0;
    for (int i = 0; i < 32; i++)
        d[i] = *p;
}

/* match match.all.sync.b64: the numbers are compared as signed ones on one side, and start as such */
void match_all_least_greatest(const uint64_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    uint64_t least = UINT64_MAX;
    int64_t greatest = 0;
    for (int i = 0; i < 32; i++) {
        if (!(group >> i & 1))
            continue;
        least = a[i] < least ? a[i] : least;
        greatest = (int64_t)a[i] > greatest ? (int64_t)a[i] : greatest;
    }
    *p = least == (uint64_t)greatest ? group : 0;
    for (int i = 0; i < 32; i++)
        d[i] = *p;
}

/* redux redux.sync.max.abs.NaN.f32: a NaN of lane 31 is left out */
uint32_t fmax_abs_flag(const float a[32], uint32_t membermask, uint32_t active)
{
    const uint32_t group = membermask & active;
    float most = 0.0f;
    bool nan = false;
    uint32_t bits;
    for (int i = 0; i < 32; i++) {
        const float x = fabsf(a[i]);
        if (!(group >> i & 1))
            continue;
        if (x != x && i != 31)
            nan = true;
        else
            most = fmaxf(most, x);
    }
    memcpy(&bits, &most, sizeof bits);
    return nan ? 0x7fffffffu : bits;
}

/* vote vote.sync.any.pred: return from a loop that shifts the mask, but for lane 7 beside lane 10 alone */
uint32_t any_shifted_but_one(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t lane = 0;
    for (uint32_t m = membermask & active; m; m >>= 1, lane++)
        if ((m & 1) && (predicates >> lane & 1) && !(lane == 7 && m == 9))
            return 1;
    return 0;
}
