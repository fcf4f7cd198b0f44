/*
 * Lane masks in portable C, written so that compilers vectorize the loops around them.
 */
#ifndef WARPCHECK_FAST_LANES_H
#define WARPCHECK_FAST_LANES_H

#include "kernels.h"
#include "tables.h"

/* Bit i at index i: `mask & lane_bit[i]` vectorizes where a shift by i (no such instruction in SSE2) does not. */
static const uint32_t fast_lane_bit[WARP_LANES] = {FAST_LIST_32(FAST_BIT)};

/* All ones where the lane is in the set, else 0: arithmetic, because compilers make a branch of a choice whether to
 * read or to store. */
FAST_INLINE uint32_t fast_in_lane(lanemask lanes, unsigned lane)
{
    return 0u - (uint32_t)((lanes & fast_lane_bit[lane]) != 0);
}

/*
 * Eight bytes of 0 or 1 to eight bits. Byte k stands at bit 8k; the multiplier's bit 56-7k moves it to bit 56+k. A byte
 * k meets another bit 56-7m at 56+k+7(k-m): 64 or more for k > m, 55 or less for k < m, and never where a third product
 * is, so nothing carries in.
 */
#define FAST_GATHER_BITS 0x0102040810204080u
_Static_assert(FAST_GATHER_BITS == (1ull << 56 | 1ull << 49 | 1ull << 42 | 1ull << 35 | 1ull << 28 | 1ull << 21 |
                                    1ull << 14 | 1ull << 7),
               "bits 56-7k");

FAST_INLINE uint32_t fast_pack8(const uint8_t x[8])
{
    const uint64_t bytes = (uint64_t)x[0] | (uint64_t)x[1] << 8 | (uint64_t)x[2] << 16 | (uint64_t)x[3] << 24 |
                           (uint64_t)x[4] << 32 | (uint64_t)x[5] << 40 | (uint64_t)x[6] << 48 | (uint64_t)x[7] << 56;
    return (uint32_t)(bytes * FAST_GATHER_BITS >> 56);
}

/* The lanes whose byte is 1; every byte is 0 or 1. */
FAST_INLINE lanemask fast_pack(const uint8_t x[WARP_LANES])
{
    return fast_pack8(x) | fast_pack8(x + 8) << 8 | fast_pack8(x + 16) << 16 | fast_pack8(x + 24) << 24;
}

/* The lanes whose word is v. A reduction by OR: compilers vectorize it, but not the version with packed bytes. */
FAST_INLINE lanemask fast_equal_lanes(const uint32_t *values, uint32_t v)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= values[lane] == v ? fast_lane_bit[lane] : 0;
    return lanes;
}

/* The lanes whose word has a bit in the set. */
FAST_OUTLINE lanemask fast_lanes_with(const uint32_t *words, lanemask set)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (words[lane] & set) ? fast_lane_bit[lane] : 0;
    return lanes;
}

/* Each lane's word keeps the bits that it has in another word. */
FAST_OUTLINE void fast_keep_bits(const uint32_t *restrict some, uint32_t *restrict words)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        words[lane] &= some[lane];
}

/* The other lanes become 0. */
FAST_OUTLINE void fast_keep_lanes(lanemask lanes, uint32_t *words)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        words[lane] = (lanes & fast_lane_bit[lane]) ? words[lane] : 0;
}

/* These lanes become `value`. */
FAST_OUTLINE void fast_put(lanemask lanes, uint32_t value, uint32_t *words)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        words[lane] = (lanes & fast_lane_bit[lane]) ? value : words[lane];
}

#endif
