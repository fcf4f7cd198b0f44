/*
 * The hash of match.any: any function of the value is right, one that seldom collides is fast.
 *
 * The low 16 bits of  low16 * K0 + high16 * K1  (and K2, K3 for the high word of .b64). The factors are odd, so values
 * that differ in one of their half-words only never collide: small integers, floats with few significant bits, pointers
 * into one array.
 */
#ifndef WARPCHECK_FAST_MATCH_HASH_H
#define WARPCHECK_FAST_MATCH_HASH_H

#include "lanes.h"

#include <string.h>

/* Positive as signed 16-bit numbers, for a multiplication of signed half-words (the low 16 bits of a product do not
 * depend on signs). */
#define FAST_HASH_0 0x1bd1
#define FAST_HASH_1 0x6e2f
#define FAST_HASH_2 0x4f35
#define FAST_HASH_3 0x2ac3

_Static_assert((FAST_HASH_0 & FAST_HASH_1 & FAST_HASH_2 & FAST_HASH_3 & 1) == 1, "odd");
_Static_assert((FAST_HASH_0 | FAST_HASH_1 | FAST_HASH_2 | FAST_HASH_3) <= 0x7fff, "positive");

/* Distinct values that are peeled one by one before all pairs of hashes are compared. */
#define FAST_PEEL 2

/*
 * The lowest lane of each class. An isolated bit i as a float has the exponent i + 127; bit 31 makes a negative float,
 * whose sign goes with the bits above the five that are kept, and -127 is 1 modulo 32. (Conversions vectorize, bit
 * scans do not.) An empty class, of a lane outside the group, gives some lane or other.
 */
FAST_INLINE void fast_lowest_lanes(const uint32_t *restrict classes, uint32_t *restrict lowest)
{
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t isolated = classes[i] & (0u - classes[i]);
        const float as_float = (float)(int32_t)isolated;
        uint32_t bits;
        memcpy(&bits, &as_float, sizeof bits);
        lowest[i] = ((bits >> 23) + 1) & 31;
    }
}
_Static_assert((127 + 1) % 32 == 0, "-127 is 1 modulo 32");

/*
 * The plain check of classes: takes lanes outside the group out of d, and tells whether every lane has the value of the
 * lowest lane of its class. Equal values have equal hashes, so classes can only be too large. `high` is NULL for .b32.
 *
 * Values are gathered first, by loads that no vector instruction of the least processors does, and compared then.
 */
FAST_INLINE bool fast_check_classes(const uint32_t *low, const uint32_t *high, lanemask group, uint32_t *restrict d)
{
    uint32_t leader[WARP_LANES], led[WARP_LANES], wrong[WARP_LANES], any_wrong = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = (group & fast_lane_bit[i]) ? d[i] & group : 0;
    fast_lowest_lanes(d, leader);
    for (unsigned i = 0; i < WARP_LANES; i++)
        led[i] = low[leader[i]];
    for (unsigned i = 0; i < WARP_LANES; i++)
        wrong[i] = low[i] ^ led[i];
    if (high != NULL) {
        for (unsigned i = 0; i < WARP_LANES; i++)
            led[i] = high[leader[i]];
        for (unsigned i = 0; i < WARP_LANES; i++)
            wrong[i] |= high[i] ^ led[i];
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        any_wrong |= (group & fast_lane_bit[i]) ? wrong[i] : 0;
    return any_wrong == 0;
}

#endif
