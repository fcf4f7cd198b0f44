/*
 * The mistakes that implementations of shuffles make, each as its author would write it. The line above a function says
 * its shape and the instruction that it is not.
 */
#include <stdbool.h>
#include <stdint.h>

/* lane shfl.sync.idx.b32: b is not masked to 5 bits */
uint32_t b_not_masked(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment);
    uint32_t j = (lane & segment) | (b & ~segment);
    return j <= max_lane ? j : lane;
}

/* lane shfl.sync.down.b32: a negative b is taken as signed */
uint32_t b_signed(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment);
    int32_t j = (int32_t)(lane + b);
    return j <= (int32_t)max_lane && j >= 0 ? (uint32_t)j : lane;
}

/* lane shfl.sync.up.b32: up tests the start of the segment, not maxLane */
uint32_t up_tests_segment_start(uint32_t lane, uint32_t b, uint32_t c)
{
    int32_t min_lane = (int32_t)(lane & (c >> 8 & 31)), j = (int32_t)lane - (int32_t)(b & 31);
    return j >= min_lane ? (uint32_t)j : lane;
}

/* lane shfl.sync.up.b32: clamp 0 and 31 confused */
uint32_t up_clamp_confused(uint32_t lane, uint32_t b, uint32_t c)
{
    int32_t segment = (int32_t)(c >> 8 & 31), clamp = 31 - (int32_t)(c & 31);
    int32_t max_lane = ((int32_t)lane & segment) | (clamp & ~segment), j = (int32_t)lane - (int32_t)(b & 31);
    return j >= max_lane ? (uint32_t)j : lane;
}

/* lane shfl.sync.down.b32: the source wraps at 5 bits */
uint32_t wraps_at_5_bits(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment);
    uint32_t j = (lane + b) & 31;
    return j <= max_lane ? j : lane;
}

/* lane shfl.sync.idx.b32: 5-bit numbers compared as signed */
uint32_t compares_signed_5_bits(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment);
    uint32_t j = (lane & segment) | (b & 31 & ~segment);
    return (int8_t)(j << 3) <= (int8_t)(max_lane << 3) ? j : lane;
}

/* cuda shfl.sync.down.b32: wraps within the segment in place of the own value */
uint32_t wraps_in_segment(uint32_t lane, uint32_t b, uint32_t width)
{
    return (lane & ~(width - 1)) | ((lane + b) & (width - 1));
}

/* cuda shfl.sync.bfly.b32: bfly into an earlier segment gives the own value */
uint32_t bfly_stays_in_segment(uint32_t lane, uint32_t b, uint32_t width)
{
    uint32_t j = lane ^ (b & 31), first = lane & ~(width - 1);
    return j >= first && j < first + width ? j : lane;
}

/* cuda shfl.sync.idx.b32: the segment of the source lane in place of the own */
uint32_t segment_of_source(uint32_t lane, uint32_t b, uint32_t width)
{
    uint32_t j = b & 31;
    return j < (j & ~(width - 1)) + width ? j : lane;
}

/* lane shfl.sync.bfly.b32: an absolute lane number against a segment-relative bound */
uint32_t absolute_against_relative(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, j = lane ^ (b & 31);
    return j <= (c & 31 & ~segment) ? j : lane;
}

/* cuda shfl.sync.up.b32: the width is ignored */
uint32_t width_ignored(uint32_t lane, uint32_t b, uint32_t width)
{
    (void)width;
    return (b & 31) <= lane ? lane - (b & 31) : lane;
}

/* lane shfl.sync.down.b32: the clamp is ignored */
uint32_t clamp_ignored(uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t last = lane | (~(c >> 8) & 31), j = lane + (b & 31);
    return j <= last ? j : lane;
}

/* The modes in another order than the caller's. */
enum mode { UP, DOWN, BFLY, IDX };
static uint32_t any_mode(int mode, uint32_t lane, uint32_t b, uint32_t c)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment);
    int32_t j = (int32_t)(b & 31);
    j = mode == IDX    ? (int32_t)(lane & segment) | (j & ~(int32_t)segment)
        : mode == UP   ? (int32_t)lane - j
        : mode == DOWN ? (int32_t)lane + j
                       : (int32_t)lane ^ j;
    return (mode == UP ? j >= (int32_t)max_lane : j <= (int32_t)max_lane) ? (uint32_t)j : lane;
}

/* lane shfl.sync.bfly.b32: the caller counts idx, up, down, bfly */
uint32_t mode_in_other_order(uint32_t lane, uint32_t b, uint32_t c)
{
    enum { CALLERS_IDX, CALLERS_UP, CALLERS_DOWN, CALLERS_BFLY };
    return any_mode(CALLERS_BFLY, lane, b, c);
}

/* lane-p shfl.sync.idx.b32: the predicate is never written where it is false */
uint32_t predicate_not_written(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)
{
    uint32_t segment = c >> 8 & 31, max_lane = (lane & segment) | (c & 31 & ~segment);
    uint32_t j = (lane & segment) | (b & 31 & ~segment);
    if (j > max_lane)
        return lane;
    *p = 1;
    return j;
}

/* lane-p shfl.sync.up.b32: the predicate says that the lane moved, not that the source is in range */
uint32_t predicate_from_wrong_place(uint32_t lane, uint32_t b, uint32_t c, uint32_t *p)
{
    int32_t segment = (int32_t)(c >> 8 & 31), max_lane = ((int32_t)lane & segment) | ((int32_t)(c & 31) & ~segment);
    int32_t j = (int32_t)lane - (int32_t)(b & 31);
    uint32_t source = j >= max_lane ? (uint32_t)j : lane;
    *p = source != lane;
    return source;
}

/* shfl shfl.sync.idx.b32: the lane number is a counter of the lanes that execute */
void lane_from_counter(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                       uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t lane = 0, predicates = 0;
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t segment = c[i] >> 8 & 31, max_lane = (lane & segment) | (c[i] & 31 & ~segment);
        uint32_t j = (lane & segment) | (b[i] & 31 & ~segment);
        if (!(membermask & active & 1u << i))
            continue;
        d[i] = j <= max_lane ? a[j] : a[i];
        predicates |= (uint32_t)(j <= max_lane) << i;
        lane++;
    }
    *p = predicates;
}

/* shfl-inplace shfl.sync.up.b32: reads lanes that were written already */
void reads_overwritten(uint32_t r[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask, uint32_t active,
                       uint32_t *p)
{
    *p = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        int32_t segment = (int32_t)(c[lane] >> 8 & 31);
        int32_t max_lane = ((int32_t)lane & segment) | ((int32_t)(c[lane] & 31) & ~segment);
        int32_t j = (int32_t)lane - (int32_t)(b[lane] & 31);
        if (!(membermask & active & 1u << lane) || j < max_lane)
            continue;
        r[lane] = r[j];
        *p |= 1u << lane;
    }
}

/* shfl shfl.sync.bfly.b32: a lane outside the group has no value, and its reader loses the predicate */
void inactive_clears_predicate(const uint32_t a[32], const uint32_t b[32], const uint32_t c[32], uint32_t membermask,
                               uint32_t active, uint32_t d[32], uint32_t *p)
{
    uint32_t predicates = 0;
    for (uint32_t lane = 0; lane < 32; lane++) {
        uint32_t segment = c[lane] >> 8 & 31, max_lane = (lane & segment) | (c[lane] & 31 & ~segment);
        uint32_t j = lane ^ (b[lane] & 31);
        bool in_range = j <= max_lane && (membermask & active & 1u << (j & 31));
        d[lane] = a[in_range ? j : lane];
        predicates |= (uint32_t)in_range << lane;
    }
    *p = predicates;
}
