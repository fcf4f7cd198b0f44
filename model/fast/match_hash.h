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

#if defined(__GNUC__)

/*
 * Four lanes: the least vector register of any target. gcc and Clang have these types everywhere. Loops over a warp's
 * 32 lanes are not vectorized reliably: Clang 14 unrolls some first, joins what it finds alike from any lane on, and
 * then loads words in other pieces than it stored them, which waits for the store.
 */
typedef uint32_t fast_words __attribute__((vector_size(16)));
typedef int32_t fast_signed_words __attribute__((vector_size(16)));
typedef float fast_floats __attribute__((vector_size(16)));

FAST_INLINE fast_words fast_load_words(const uint32_t *from)
{
    fast_words x;
    memcpy(&x, from, sizeof x);
    return x;
}

FAST_INLINE void fast_store_words(uint32_t *to, fast_words x)
{
    memcpy(to, &x, sizeof x);
}

/*
 * The lowest lanes of four classes. An isolated bit i as a float has the exponent i + 127; bit 31 makes a negative
 * float, whose sign goes with the bits above the five that are kept, and -127 is 1 modulo 32. (Conversions are vector
 * instructions; bit scans are not, and on some processors slow.) An empty class gives some lane or other.
 */
FAST_INLINE fast_words fast_lowest_lanes(fast_words classes)
{
    const fast_words isolated = classes & -classes;
    const fast_words bits = (fast_words) __builtin_convertvector((fast_signed_words)isolated, fast_floats);
    return ((bits >> 23) + 1) & 31;
}
_Static_assert((127 + 1) % 32 == 0, "-127 is 1 modulo 32");

/* Uses scalar loads, since the oldest supported processors have no vector instruction for them. */
FAST_INLINE fast_words fast_gather(const uint32_t *values, const uint32_t lanes[4])
{
    return (fast_words){values[lanes[0]], values[lanes[1]], values[lanes[2]], values[lanes[3]]};
}

/*
 * The plain check of classes of all 32 lanes, before any is left out: every lane has the value of the lowest lane of
 * its class. Equal values have equal hashes, so classes can only be too large; and lanes with one hash have one class,
 * so one lowest lane. `high` is NULL for .b32.
 */
FAST_INLINE bool fast_check_classes(const uint32_t *low, const uint32_t *high, const uint32_t *d)
{
    uint32_t leader[WARP_LANES];
    fast_words wrong = {0};
    for (unsigned i = 0; i < WARP_LANES; i += 4)
        fast_store_words(leader + i, fast_lowest_lanes(fast_load_words(d + i)));
    for (unsigned i = 0; i < WARP_LANES; i += 4) {
        wrong |= fast_load_words(low + i) ^ fast_gather(low, leader + i);
        if (high != NULL)
            wrong |= fast_load_words(high + i) ^ fast_gather(high, leader + i);
    }
    return (wrong[0] | wrong[1] | wrong[2] | wrong[3]) == 0;
}

#endif

/* The classes within the group; lanes outside it get none. */
FAST_OUTLINE void fast_restrict_classes(lanemask group, uint32_t *d)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = (group & fast_lane_bit[i]) ? d[i] & group : 0;
}

#endif
