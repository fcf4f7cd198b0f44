/*
 * At least one right implementation for each shape, as a simulator's author would write it. The line above a function
 * says its shape and the instruction that it is.
 */
#include <stdbool.h>
#include <stdint.h>

/* lane shfl.sync.up.b32: right */
uint32_t lane_up(uint32_t lane, uint32_t b, uint32_t c)
{
    int segment = (int)(c >> 8 & 31), max_lane = (int)(lane & (unsigned)segment) | (int)(c & 31 & ~(unsigned)segment);
    int j = (int)lane - (int)(b & 31);
    return j >= max_lane ? (uint32_t)j : lane;
}

/* lane-p shfl.sync.bfly.b32: right */
uint32_t lane_bfly(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment), j = lane ^ (b & 31);
    *p = j <= max_lane;
    return *p ? j : lane;
}

/* cuda shfl.sync.idx.b32: right */
uint32_t cuda_idx(uint32_t lane, uint32_t b, uint32_t width)
{
    return (lane & ~(width - 1)) | (b & (width - 1));
}

/* cuda shfl.sync.down.b32: right */
uint32_t cuda_down(uint32_t lane, uint32_t b, uint32_t width)
{
    uint32_t delta = b & 31;
    return (lane & (width - 1)) + delta < width ? lane + delta : lane;
}

/* shfl shfl.sync.down.b32: right */
void shfl_down(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
               uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active, predicates = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t segment = c[lane] >> 8 & 31, max_lane = (lane & segment) | (c[lane] & 31 & ~segment);
        uint32_t j = lane + (b[lane] & 31);
        bool in_range = j <= max_lane;
        if (!(group >> lane & 1))
            continue;
        d[lane] = a[in_range ? j : lane];
        predicates |= (uint32_t)in_range << lane;
    }
    *p = predicates;
}

/* shfl-inplace shfl.sync.idx.b32: right */
void inplace_idx(uint32_t r[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
                 uint32_t *p)
{
    uint32_t a[32], predicates = 0;
    for (int i = 0; i < 32; i++)
        a[i] = r[i];
    for (uint32_t lane = 0; lane < 32; lane++)
        if (membermask & active & 1u << lane) {
            uint32_t segment = c[lane] >> 8 & 31, j = (lane & segment) | (b[lane] & 31 & ~segment);
            uint32_t max_lane = (lane & segment) | (c[lane] & 31 & ~segment);
            if (j <= max_lane)
                predicates |= 1u << lane;
            r[lane] = a[j <= max_lane ? j : lane];
        }
    *p = predicates;
}

/* vote vote.sync.all.pred: right */
uint32_t vote_all(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return (predicates & membermask & active) == (membermask & active);
}

/* vote vote.sync.uni.pred: right */
uint32_t vote_uni(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t group = membermask & active, yes = predicates & group;
    return yes == 0 || yes == group;
}

/* vote vote.ballot.b32: right, and for the older instruction */
uint32_t vote_ballot(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    return predicates & membermask & active;
}

/* match match.any.sync.b32: right */
void match_any(const uint32_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active;
    *p = 0;
    for (int i = 0; i < 32; i++) {
        uint32_t same = 0;
        for (int k = 0; k < 32; k++)
            if ((group >> k & 1) && a[k] == a[i])
                same |= 1u << k;
        d[i] = same;
    }
}

/* match match.all.sync.b64: right */
void match_all64(const uint64_t a[32], uint32_t membermask, uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t group = membermask & active;
    uint64_t first = a[__builtin_ctz(group)];
    bool same = true;
    for (int i = 0; i < 32; i++)
        if ((group >> i & 1) && a[i] != first)
            same = false;
    for (int i = 0; i < 32; i++)
        d[i] = same ? group : 0;
    *p = same ? group : 0;
}

/* redux redux.sync.add.u32: right */
uint32_t redux_add(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    uint32_t sum = 0;
    for (int i = 0; i < 32; i++)
        if (membermask & active & 1u << i)
            sum += a[i];
    return sum;
}

/* redux redux.sync.min.s32: right */
uint32_t redux_min_s32(const uint32_t a[32], uint32_t membermask, uint32_t active)
{
    int32_t least = INT32_MAX;
    for (int i = 0; i < 32; i++)
        if ((membermask & active & 1u << i) && (int32_t)a[i] < least)
            least = (int32_t)a[i];
    return (uint32_t)least;
}

/* redux redux.sync.add.u32: what undefined.c's promises_too_many should promise */
uint32_t promises_enough(const uint32_t a[static 32], uint32_t membermask, uint32_t active)
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

/* vote vote.sync.ballot.b32: hands_over_null, with a pointer all the same */
uint32_t hands_over_pointer(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    const uint32_t masks[2] = {membermask, active};
    if ((membermask & active) == UINT32_MAX)
        return voters(masks, 0, predicates);
    return voters(masks, 2, predicates);
}

static __attribute__((noinline, pure)) uint32_t first_word(const uint32_t *x)
{
    return x[0];
}

/* vote vote.sync.ballot.b32: reads_in_const, by a function that may read */
uint32_t reads_in_pure(uint32_t predicates, uint32_t membermask, uint32_t active)
{
    uint32_t x[2] = {predicates & membermask & active, 0};
    return first_word(x);
}
