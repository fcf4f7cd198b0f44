/*
 * Right functions as people write them: simulators that loop over the lanes, CPU back ends that loop over the set bits
 * of a mask, headers that stand in for CUDA's. The line above a function says its shape and the instruction that it is.
 */
#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WARP_SIZE 32

/* --- one lane ---------------------------------------------------------------------------------------------------- */

/* cuda shfl.sync.idx.b32: division and remainder by the width */
uint32_t cuda_idx_divides(uint32_t lane, uint32_t b, uint32_t width)
{
    uint32_t segment = lane / width;
    return segment * width + b % width;
}

/* cuda shfl.sync.up.b32: remainder */
uint32_t cuda_up_remainder(uint32_t lane, uint32_t b, uint32_t width)
{
    int delta = (int)(b & 31);
    int in_segment = (int)lane % (int)width;
    return in_segment - delta < 0 ? lane : lane - (uint32_t)delta;
}

/* cuda shfl.sync.down.b32: the segment's end */
uint32_t cuda_down_end(uint32_t lane, uint32_t b, uint32_t width)
{
    uint32_t end = (lane / width + 1) * width, j = lane + (b & 0x1f);
    if (j >= end)
        return lane;
    return j;
}

/* cuda shfl.sync.bfly.b32: signed division */
uint32_t cuda_xor(uint32_t lane, uint32_t b, uint32_t width)
{
    int target = (int)(lane ^ (b & 31));
    if (target / (int)width > (int)lane / (int)width)
        return lane;
    return (uint32_t)target;
}

enum mode { UP, DOWN, BFLY, IDX };

static bool source_of(enum mode mode, int lane, uint32_t b, uint32_t c, int *source)
{
    int bval = (int)(b & 0x1f), cval = (int)(c & 0x1f), mask = (int)(c >> 8 & 0x1f);
    int maxLane = (lane & mask) | (cval & ~mask);
    int minLane = lane & mask;
    bool pval = false;
    int j = 0;
    switch (mode) {
    case UP:
        j = lane - bval;
        pval = j >= maxLane;
        break;
    case DOWN:
        j = lane + bval;
        pval = j <= maxLane;
        break;
    case BFLY:
        j = lane ^ bval;
        pval = j <= maxLane;
        break;
    case IDX:
        j = minLane | (bval & ~mask);
        pval = j <= maxLane;
        break;
    }
    if (!pval)
        j = lane;
    *source = j;
    return pval;
}

/* lane-p shfl.sync.up.b32: the manual's words */
uint32_t manual_up(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)
{
    int j;
    *p = source_of(UP, (int)lane, b, c, &j);
    return (uint32_t)j;
}

/* lane-p shfl.sync.idx.b32: the manual's words */
uint32_t manual_idx(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)
{
    int j;
    *p = source_of(IDX, (int)lane, b, c, &j);
    return (uint32_t)j;
}

/* lane shfl.sync.down.b32: early returns */
uint32_t down_early(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t mask = (c >> 8) & 0x1f, delta = b % 32;
    if (delta == 0)
        return lane;
    if (lane + delta > 31)
        return lane;
    if (lane + delta > ((lane & mask) | (c & 0x1f & ~mask)))
        return lane;
    return lane + delta;
}

/* lane shfl.sync.bfly.b32: assert */
uint32_t bfly_asserts(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t mask = (c >> 8) & 0x1f, j = lane ^ (b & 0x1f);
    assert(lane < WARP_SIZE);
    assert(j < WARP_SIZE);
    return j <= ((lane & mask) | (c & 0x1f & ~mask)) ? j : lane;
}

/* --- shfl -------------------------------------------------------------------------------------------------------- */

/* shfl shfl.sync.up.b32: a loop over the lanes with continue */
void loop_up(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
             uint32_t d[32], uint32_t *p)
{
    (void)active;
    *p = 0;
    for (int lane = 0; lane < WARP_SIZE; lane++) {
        int j;
        if (!((membermask >> lane) & 1))
            continue;
        if (source_of(UP, lane, b[lane], c[lane], &j))
            *p |= 1u << lane;
        d[lane] = a[j];
    }
}

/* shfl shfl.sync.down.b32: a snapshot first */
void snapshot_down(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                   uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t copy[WARP_SIZE], pred = 0;
    (void)membermask;
    memcpy(copy, a, sizeof copy);
    for (unsigned lane = 0; lane < WARP_SIZE; ++lane) {
        if (active & (1u << lane)) {
            int j;
            bool ok = source_of(DOWN, (int)lane, b[lane], c[lane], &j);
            d[lane] = copy[j];
            pred |= (uint32_t)ok << lane;
        }
    }
    *p = pred;
}

/* shfl shfl.sync.idx.b32: the set bits of the mask */
void bits_idx(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
              uint32_t d[32], uint32_t *p)
{
    uint32_t m = membermask & active;
    *p = 0;
    while (m) {
        int lane = __builtin_ctz(m), j;
        if (source_of(IDX, lane, b[lane], c[lane], &j))
            *p |= 1u << lane;
        d[lane] = a[j];
        m &= m - 1;
    }
}

/* shfl shfl.sync.bfly.b32: scratch from malloc */
void malloc_bfly(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
                 uint32_t d[32], uint32_t *p)
{
    uint32_t *copy = malloc(WARP_SIZE * sizeof *copy);
    uint32_t pred = 0;
    (void)membermask, (void)active;
    if (copy == NULL)
        abort();
    for (int i = 0; i < WARP_SIZE; i++)
        copy[i] = a[i];
    for (int lane = 0; lane < WARP_SIZE; lane++) {
        int j;
        if (source_of(BFLY, lane, b[lane], c[lane], &j))
            pred |= 1u << lane;
        d[lane] = copy[j];
    }
    free(copy);
    *p = pred;
}

static uint32_t scratch[WARP_SIZE];

/* shfl shfl.sync.down.b32: static scratch, written before it is read */
void static_down(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
                 uint32_t d[32], uint32_t *p)
{
    (void)membermask, (void)active;
    *p = 0;
    for (int i = 0; i < WARP_SIZE; i++)
        scratch[i] = a[i];
    for (int lane = 0; lane < WARP_SIZE; lane++) {
        int j;
        if (source_of(DOWN, lane, b[lane], c[lane], &j))
            *p |= 1u << lane;
        d[lane] = scratch[j];
    }
}

/* --- vote -------------------------------------------------------------------------------------------------------- */

/* vote vote.sync.all.pred: loop that ends early */
uint32_t all_break(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 1;
    for (int i = 0; i < 32; i++) {
        if (!((membermask & active) >> i & 1))
            continue;
        if (!(predicates >> i & 1)) {
            result = 0;
            break;
        }
    }
    return result;
}

/* vote vote.sync.any.pred: early return */
uint32_t any_return(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    for (int i = 0; i < 32; i++)
        if (((membermask & active) >> i & 1) && (predicates >> i & 1))
            return 1;
    return 0;
}

/* vote vote.sync.uni.pred: popcount */
uint32_t uni_popcount(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t group = membermask & active;
    int votes = __builtin_popcount(predicates & group);
    return votes == 0 || votes == __builtin_popcount(group);
}

/* vote vote.sync.uni.pred: the vectors of clang count votes and lanes in other orders */
uint32_t uni_two_counters(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    int votes = 0, lanes = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1) {
            lanes++;
            votes += predicates >> i & 1;
        }
    return votes == 0 || votes == lanes;
}

/* vote vote.sync.all.pred: popcount */
uint32_t all_popcount(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return __builtin_popcount(predicates & membermask & active) == __builtin_popcount(membermask & active);
}

/* vote vote.sync.any.pred: popcount */
uint32_t any_popcount(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return __builtin_popcount(predicates & membermask & active) > 0;
}

/* vote vote.sync.ballot.b32: the set bits */
uint32_t ballot_bits(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0;
    for (uint32_t m = membermask & active; m != 0; m &= m - 1) {
        int lane = __builtin_ctz(m);
        result |= ((predicates >> lane) & 1u) << lane;
    }
    return result;
}

/* vote vote.sync.ballot.b32: the set bits, by ffs */
uint32_t ballot_ffs(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result = 0, m = membermask & active;
    while (m != 0) {
        int lane = __builtin_ffs((int)m) - 1;
        if (predicates & (1u << lane))
            result |= 1u << lane;
        m &= ~(1u << lane);
    }
    return result;
}

/* vote vote.sync.uni.pred: the leader's value, by the set bits */
uint32_t uni_leader(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active;
    uint32_t leader = (uint32_t)__builtin_ctz(m);
    uint32_t value = predicates >> leader & 1;
    while (m) {
        uint32_t lane = (uint32_t)__builtin_ctz(m);
        if ((predicates >> lane & 1) != value)
            return 0;
        m &= m - 1;
    }
    return 1;
}

/* vote vote.sync.all.pred: an array of bools */
uint32_t all_array(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    bool pred[32], all = true;
    for (int i = 0; i < 32; i++)
        pred[i] = (predicates & (1u << i)) != 0;
    for (int i = 0; i < 32; i++)
        if (membermask & active & (1u << i))
            all = all && pred[i];
    return all;
}

/* --- match ------------------------------------------------------------------------------------------------------- */

/* match match.any.sync.b32: each against each */
void any_each(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    (void)p;
    for (int i = 0; i < 32; i++) {
        uint32_t mask = 0;
        if (!(membermask & active & (1u << i)))
            continue;
        for (int k = 0; k < 32; k++)
            if ((membermask & active & (1u << k)) && a[k] == a[i])
                mask |= 1u << k;
        d[i] = mask;
    }
}

/* match match.any.sync.b32: all lanes of one value at a time */
void any_leaders(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t todo = membermask & active;
    (void)p;
    while (todo) {
        uint32_t leader = (uint32_t)__builtin_ctz(todo), peers = 0;
        for (uint32_t i = 0; i < 32; i++)
            if ((membermask & active & (1u << i)) && a[i] == a[leader])
                peers |= 1u << i;
        for (uint32_t i = 0; i < 32; i++)
            if (peers & (1u << i))
                d[i] = peers;
        todo &= ~peers;
    }
}

/* match match.any.sync.b64: the set bits of what is left */
void any_left_bits(const uint64_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t left = membermask & active;
    (void)p;
    while (left) {
        uint64_t value = a[__builtin_ctz(left)];
        uint32_t same = 0;
        for (uint32_t m = left; m; m &= m - 1)
            if (a[__builtin_ctz(m)] == value)
                same |= 1u << __builtin_ctz(m);
        for (uint32_t m = same; m; m &= m - 1)
            d[__builtin_ctz(m)] = same;
        left &= ~same;
    }
}

/* match match.any.sync.b32: a ballot for each bit */
void any_ballots(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
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
        for (int bit = 0; bit < 32; bit++)
            d[i] &= a[i] >> bit & 1 ? ballots[bit] : ~ballots[bit];
    }
}

/* match match.all.sync.b32: against the leader's */
void all_leader(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, first = a[__builtin_ctz(group)];
    bool same = true;
    for (int i = 0; i < 32; i++)
        if ((group >> i & 1) && a[i] != first)
            same = false;
    for (int i = 0; i < 32; i++)
        d[i] = same ? group : 0;
    *p = same ? ~0u : 0;
}

/* match match.all.sync.b32: bounded: the set bits */
void all_bits(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, result = group;
    uint32_t value = a[__builtin_ctz(group)];
    for (uint32_t m = group; m; m &= m - 1)
        if (a[__builtin_ctz(m)] != value)
            result = 0;
    for (uint32_t m = group; m; m &= m - 1)
        d[__builtin_ctz(m)] = result;
    *p = result != 0 ? 0xffffffffu : 0;
}

/* match match.any.sync.b64: 64 bits */
void any_wide(const uint64_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active;
    (void)p;
    for (unsigned i = 0; i < 32; i++) {
        d[i] = 0;
        for (unsigned k = 0; k < 32; k++)
            d[i] |= (uint32_t)((group >> k & 1) && a[k] == a[i]) << k;
    }
}

/* --- redux ------------------------------------------------------------------------------------------------------- */

/* redux redux.sync.add.u32: the set bits */
uint32_t add_bits(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t sum = 0, m = membermask & active;
    while (m) {
        sum += a[__builtin_ctz(m)];
        m &= m - 1;
    }
    return sum;
}

/* redux redux.sync.min.u32: a loop */
uint32_t min_loop(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = 0xffffffffu;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            result = a[i] < result ? a[i] : result;
    return result;
}

static const uint32_t *smaller(const uint32_t *x, const uint32_t *y)
{
    return *y < *x ? y : x;
}

/* redux redux.sync.min.u32: a pointer to the smaller, as std::min has it */
uint32_t min_pointer(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t result = UINT32_MAX;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            result = *smaller(&result, &a[i]);
    return result;
}

/* redux redux.sync.max.s32: from the leader on */
uint32_t max_signed(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t m = membermask & active;
    int32_t best = (int32_t)a[__builtin_ctz(m)];
    m &= m - 1;
    while (m) {
        int32_t x = (int32_t)a[__builtin_ctz(m)];
        if (x > best)
            best = x;
        m &= m - 1;
    }
    return (uint32_t)best;
}

/* redux redux.sync.min.s32: the set bits */
uint32_t min_bits(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t best = INT32_MAX;
    for (uint32_t m = membermask & active; m; m &= m - 1) {
        int32_t x = (int32_t)a[__builtin_ctz(m)];
        best = x < best ? x : best;
    }
    return (uint32_t)best;
}

/* redux redux.sync.and.b32: a first flag */
uint32_t and_first(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    bool first = true;
    uint32_t result = 0;
    for (int i = 0; i < 32; i++) {
        if (!((membermask & active) & (1u << i)))
            continue;
        if (first) {
            result = a[i];
            first = false;
        } else {
            result &= a[i];
        }
    }
    return result;
}

/* redux redux.sync.or.b32: unrolled by four */
uint32_t or_unrolled(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t g = membermask & active, r = 0;
    for (int i = 0; i < 32; i += 4) {
        r |= (g >> i & 1) ? a[i] : 0;
        r |= (g >> (i + 1) & 1) ? a[i + 1] : 0;
        r |= (g >> (i + 2) & 1) ? a[i + 2] : 0;
        r |= (g >> (i + 3) & 1) ? a[i + 3] : 0;
    }
    return r;
}

/* redux redux.sync.xor.b32: a switch over the operation */
uint32_t xor_switch(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    enum { AND, OR, XOR } op = XOR;
    uint32_t r = 0;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t x = (membermask & active & (1u << i)) ? a[i] : 0;
        switch (op) {
        case AND:
            r &= x;
            break;
        case OR:
            r |= x;
            break;
        case XOR:
            r ^= x;
            break;
        default:
            abort();
        }
    }
    return r;
}

static float as_float(uint32_t bits)
{
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

static bool below(uint32_t x, uint32_t y)
{
    if (as_float(x) == as_float(y))
        return (x >> 31) > (y >> 31);
    return as_float(x) < as_float(y);
}

/* redux redux.sync.min.f32: floats compared, zeros by their sign */
uint32_t fmin_loop(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t best = 0x7fffffffu;
    bool some = false;
    for (int i = 0; i < 32; i++) {
        if (!((membermask & active) >> i & 1) || is_nan(a[i]))
            continue;
        if (!some || below(a[i], best))
            best = a[i];
        some = true;
    }
    return best;
}

/* redux redux.sync.max.NaN.f32: isnan */
uint32_t fmax_nan(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t best = 0xff800000u;
    bool nan = false;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1) {
            if (isnan(as_float(a[i])))
                nan = true;
            else if (below(best, a[i]))
                best = a[i];
        }
    return nan ? 0x7fffffffu : best;
}

/* redux redux.sync.min.abs.f32: fabsf */
uint32_t fmin_abs(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    float best = INFINITY;
    bool some = false;
    uint32_t bits;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1) {
            float x = fabsf(as_float(a[i]));
            if (!isnan(x)) {
                some = true;
                best = x < best ? x : best;
            }
        }
    memcpy(&bits, &best, sizeof bits);
    return some ? bits : 0x7fffffffu;
}

/* redux redux.sync.max.f32: integers in the order of the floats; a NaN is below all of them */
uint32_t fmax_as_integers(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t most = INT32_MIN;
    for (uint32_t m = membermask & active; m != 0; m &= m - 1) {
        uint32_t x = a[__builtin_ctz(m)];
        int32_t key = (int32_t)(x >> 31 ? x ^ 0x7fffffffu : x);
        if (!is_nan(x) && key > most)
            most = key;
    }
    if (most == INT32_MIN)
        return 0x7fffffffu;
    return most < 0 ? (uint32_t)most ^ 0x7fffffffu : (uint32_t)most;
}

/* Which of the two, as std::max says it. */
static const int *larger(const int *x, const int *y)
{
    return *x < *y ? y : x;
}

/* redux redux.sync.max.s32: a variable, or an element of the array */
int max_by_address(const int a[32], uint32_t membermask, uint32_t active)
{
    int most = INT32_MIN;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            most = *larger(&most, &a[i]);
    return most;
}

/* redux redux.sync.add.s32: in 64 bits */
int32_t add_in_64_bits(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int64_t sum = 0;
    for (int i = 0; i < 32; i++)
        sum += (membermask & active) >> i & 1 ? a[i] : 0;
    return (int32_t)(uint32_t)sum;
}

/* redux redux.sync.min.s32: not asked of those that do not take part */
int min_with_continue(const int a[32], uint32_t membermask, uint32_t active)
{
    int least = INT32_MAX;
    for (int i = 0; i < 32; i++) {
        if (!(membermask & active & (1u << i)))
            continue;
        if (a[i] < least)
            least = a[i];
    }
    return least;
}

/* match match.all.sync.b32: what all have in common is what any has */
void all_by_bits(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active;
    uint32_t any = 0, all = ~0u;
    for (uint32_t m = group; m != 0; m &= m - 1) {
        int i = __builtin_ctz(m);
        any |= a[i];
        all &= a[i];
    }
    for (int i = 0; i < 32; i++)
        d[i] = any == all ? group : 0;
    *p = any == all ? group : 0;
}

/* match match.all.sync.b32: differences to the first */
void all_by_differences(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, different = 0, first = a[__builtin_ctz(group)];
    for (int i = 0; i < 32; i++)
        if (group >> i & 1)
            different |= a[i] ^ first;
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
        t.all = t.all && yes;
        t.any = t.any || yes;
        if (t.first >= 0 && t.first != (int)yes)
            t.uniform = false;
        t.first = t.first < 0 ? (int)yes : t.first;
        t.ballot |= (uint32_t)yes << i;
    }
    return t;
}

/* vote vote.sync.ballot.b32: a member of a structure that a function returns */
uint32_t ballot_of_tally(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return tally_of(predicates, membermask & active).ballot;
}

/* --- iterators: the mask is a member, behind a pointer, or in what the loop calls ----------------------------------
 */

struct lanes {
    uint32_t members;
    uint32_t left;
};

static bool lanes_done(const struct lanes *lanes)
{
    return lanes->left == 0;
}

static int lanes_next(struct lanes *lanes)
{
    int lane = __builtin_ctz(lanes->left);
    lanes->left ^= 1u << lane;
    return lane;
}

/* redux redux.sync.or.b32: an iterator with a function that takes the next lane */
uint32_t or_by_iterator(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    struct lanes lanes = {membermask, membermask & active};
    uint32_t result = 0;
    while (!lanes_done(&lanes))
        result |= a[lanes_next(&lanes)];
    return result;
}

struct walk {
    struct lanes *lanes;
};

static bool walk_more(const struct walk *walk)
{
    return walk->lanes->left != 0;
}

static uint32_t walk_lane(const struct walk *walk)
{
    return (uint32_t)__builtin_ctz(walk->lanes->left);
}

static void walk_step(struct walk *walk)
{
    walk->lanes->left &= walk->lanes->left - 1;
}

/* vote vote.sync.any.pred: an iterator that points to the mask, and an early return */
bool any_by_walk(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    struct lanes lanes = {~0u, membermask & active};
    for (struct walk walk = {&lanes}; walk_more(&walk); walk_step(&walk))
        if (predicates >> walk_lane(&walk) & 1)
            return true;
    return false;
}

/* --- structures of an unknown lane ---------------------------------------------------------------------------------
 */

struct lane_register {
    uint8_t kind;
    uint32_t word;
    bool valid;
};

/* shfl shfl.sync.idx.b32: the source lane's structure is copied */
void idx_by_structure(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                      uint32_t active, uint32_t d[32], uint32_t *p)
{
    struct lane_register before[32], after[32];
    uint32_t predicates = 0;
    for (int i = 0; i < 32; i++) {
        before[i].kind = 1;
        before[i].word = a[i];
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

/* --- lanes packed into a list ------------------------------------------------------------------------------------ */

/* redux redux.sync.add.u32: the values of the group, then their sum */
uint32_t add_packed(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t list[32], sum = 0;
    int n = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            list[n++] = a[i];
    for (int i = 0; i < n; i++)
        sum += list[i];
    return sum;
}

/* redux redux.sync.min.s32: the lanes of the group, then what they have */
int32_t min_packed_lanes(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int lanes[32], n = 0;
    for (int i = 0; i < 32; i++)
        if (membermask & active & (1u << i))
            lanes[n++] = i;
    int32_t least = a[lanes[0]];
    for (int i = 1; i < n; i++)
        if (a[lanes[i]] < least)
            least = a[lanes[i]];
    return least;
}

struct packed_values {
    uint32_t v[32];
    size_t n;
};

/* redux redux.sync.max.u32: halves of the list are brought together until one is left */
uint32_t max_packed_halves(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    struct packed_values q = {.n = 0};
    for (size_t i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            q.v[q.n++] = a[i];
    while (q.n > 1) {
        size_t half = (q.n + 1) / 2;
        for (size_t i = 0; i + half < q.n; i++)
            if (q.v[i + half] > q.v[i])
                q.v[i] = q.v[i + half];
        q.n = half;
    }
    return q.v[0];
}

/* redux redux.sync.xor.b32: each lane is stored, and the next over it where it is not in the group */
uint32_t xor_packed_always(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t list[32];
    unsigned n = 0;
    for (unsigned i = 0; i < 32; i++) {
        list[n] = a[i];
        n += (membermask & active) >> i & 1;
    }
    for (unsigned step = 1; step < n; step *= 2)
        for (unsigned i = 0; i + step < n; i += 2 * step)
            list[i] ^= list[i + step];
    return list[0];
}

/* match match.all.sync.b32: the lanes, by the bits of the group */
void match_all_packed(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    int lanes[32], n = 0;
    bool all = true;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1)
        lanes[n++] = __builtin_ctz(rest);
    for (int i = 1; i < n; i++)
        if (a[lanes[i]] != a[lanes[0]]) {
            all = false;
            break;
        }
    *p = all ? group : 0;
    for (int i = 0; i < n; i++)
        d[lanes[i]] = *p;
}

/* lane shfl.sync.idx.b32: small numbers have the order of their bytes */
uint32_t idx_by_memcmp(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t mask = c >> 8 & 31, most = (lane & mask) | (c & 31 & ~mask), from = (lane & mask) | (b & 31 & ~mask);
    return memcmp(&from, &most, sizeof from) <= 0 ? from : lane;
}

/* redux redux.sync.max.s32: halves of all lanes, of which those that take no part are the least number */
int32_t max_by_halves(const int32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t best[32];
    for (int i = 0; i < 32; i++)
        best[i] = (membermask & active) >> i & 1 ? a[i] : INT32_MIN;
    for (int half = 16; half > 0; half /= 2)
        for (int i = 0; i < half; i++)
            if (best[i] < best[i + half])
                best[i] = best[i + half];
    return best[0];
}

/* match match.all.sync.b32: the bits that all have are those that any has */
void match_all_and_or(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    uint32_t all = UINT32_MAX, any = 0;
    for (uint32_t rest = group; rest != 0; rest &= rest - 1) {
        all &= a[__builtin_ctz(rest)];
        any |= a[__builtin_ctz(rest)];
    }
    *p = all == any ? group : 0;
    for (int i = 0; i < 32; i++)
        d[i] = *p;
}

/* match match.all.sync.b64: the least is the greatest */
void match_all_least_greatest(const uint64_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    uint64_t least = UINT64_MAX, greatest = 0;
    for (int i = 0; i < 32; i++) {
        if (!(group >> i & 1))
            continue;
        least = a[i] < least ? a[i] : least;
        greatest = a[i] > greatest ? a[i] : greatest;
    }
    *p = least == greatest ? group : 0;
    for (int i = 0; i < 32; i++)
        d[i] = *p;
}

/* redux redux.sync.max.abs.NaN.f32: from 0 on, with a flag for NaN */
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
        if (x != x)
            nan = true;
        else
            most = fmaxf(most, x);
    }
    memcpy(&bits, &most, sizeof bits);
    return nan ? 0x7fffffffu : bits;
}

/* redux redux.sync.min.u32: the lane that has the least */
uint32_t least_by_its_lane(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int best = -1;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            if (best < 0 || a[i] < a[best])
                best = i;
    return a[best];
}

/* redux redux.sync.max.u32: where the greatest of the packed values is */
uint32_t greatest_of_list_by_place(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t list[32];
    int n = 0, best = 0;
    for (int i = 0; i < 32; i++)
        if ((membermask & active) >> i & 1)
            list[n++] = a[i];
    for (int i = 1; i < n; i++)
        if (list[i] > list[best])
            best = i;
    return list[best];
}

/* redux redux.sync.add.s32: until no lanes are left, in 64 bits */
int32_t sum_until_none(const int32_t *a, uint32_t membermask, uint32_t active)
{
    int64_t sum = 0;
    for (uint32_t lanes = membermask & active; lanes != 0; lanes >>= 1, a++)
        if (lanes & 1)
            sum += *a;
    return (int32_t)sum;
}

/* match match.any.sync.b32: a ballot for each bit */
void match_any_by_ballots(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    (void)p;
    for (int i = 0; i < 32; i++)
        d[i] = membermask & active;
    for (int bit = 0; bit < 32; bit++) {
        uint32_t ballot = 0;
        for (int i = 0; i < 32; i++)
            ballot |= (a[i] >> bit & 1) << i;
        for (int i = 0; i < 32; i++)
            d[i] &= a[i] >> bit & 1 ? ballot : ~ballot;
    }
}

/* match match.all.sync.b32: each of the packed values is the one before */
void match_all_neighbours(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    const uint32_t group = membermask & active;
    uint32_t list[32];
    bool same = true;
    int n = 0;
    for (int i = 0; i < 32; i++)
        if (group >> i & 1)
            list[n++] = a[i];
    for (int i = 1; i < n; i++)
        same &= list[i] == list[i - 1];
    *p = same ? group : 0;
    for (int i = 0; i < 32; i++)
        d[i] = *p;
}

/* vote vote.sync.any.pred: return from a loop that shifts the mask */
uint32_t any_shifted_away(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t lane = 0;
    for (uint32_t m = membermask & active; m; m >>= 1, lane++)
        if ((m & 1) && (predicates >> lane & 1))
            return 1;
    return 0;
}
