/*
 * Behaviour that C leaves undefined, where a run may look right. The line above a function says its shape and the
 * instruction that it is not.
 */
#include <stdint.h>

/* lane shfl.sync.idx.b32: shifts by 32 where the segment is the whole warp */
uint32_t shifts_too_far(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, width = 32 - segment, mask = (1u << width) - 1;
    uint32_t max_lane = (lane & segment) | (c & 31 & ~segment), j = (lane & segment) | (b & 31 & ~segment);
    return j <= max_lane && (uint32_t)__builtin_popcount(mask) == width ? j : lane;
}

/* shfl shfl.sync.up.b32: a negative b leads behind the last lane, where there is no a */
void reads_out_of_bounds(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                         uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t predicates = 0;
    (void)membermask, (void)active;
    for (int32_t lane = 0; lane < 32; lane++) {
        int32_t segment = (int32_t)(c[lane] >> 8 & 31),
                max_lane = (lane & segment) | ((int32_t)(c[lane] & 31) & ~segment);
        int32_t j = lane - (int32_t)b[lane];
        d[lane] = j >= max_lane ? a[j] : a[lane];
        predicates |= (uint32_t)(j >= max_lane) << lane;
    }
    *p = predicates;
}

/* redux redux.sync.add.s32: a signed sum overflows */
uint32_t signed_sum(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t sum = 0;
    for (int i = 0; i < 32; i++)
        if (membermask & active & 1u << i)
            sum += (int32_t)a[i];
    return (uint32_t)sum;
}

/* vote vote.sync.all.pred: the result is not initialized where nobody votes no */
uint32_t not_initialized(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t result;
    if ((predicates & membermask & active) != (membermask & active))
        result = 0;
    return result;
}

/* redux redux.sync.add.u32: 64 words are promised to the compiler, and there are 32 */
uint32_t promises_too_many(const uint32_t a[static 64], uint32_t membermask, uint32_t active)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < 32; i++)
        sum += (membermask & active & 1u << i) != 0 ? a[i] : 0;
    return sum;
}

static __attribute__((noinline, nonnull)) uint32_t voters(const uint32_t *masks, unsigned n, uint32_t predicates)
{
    for (unsigned i = 0; i < n; i++)
        predicates &= masks[i];
    return predicates;
}

/* vote vote.sync.ballot.b32: no pointer where one is promised, though it would not be used, in one case of many */
uint32_t hands_over_null(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    const uint32_t masks[2] = {membermask, active};
    if ((membermask & active) == UINT32_MAX)
        return voters(0, 0, predicates);
    return voters(masks, 2, predicates);
}

static __attribute__((noinline, const)) uint32_t first_word(const uint32_t *x)
{
    return x[0];
}

/* vote vote.sync.ballot.b32: a function that looks at nothing but its arguments looks at memory */
uint32_t reads_in_const(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t x[2] = {predicates & membermask & active, 0};
    return first_word(x);
}
