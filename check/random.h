/*
 * The deterministic random source: a seed gives the same cases on every machine.
 *
 * Case number `index` of a seed is the generative byte form over pseudo-random bytes of (seed, index), so any case can
 * be made again alone. One in 32 each is nearly the case before it, has the sign alone (0x80000000) as a value of some
 * lanes, or has a group of two lanes.
 */
#ifndef WARPCHECK_CHECK_RANDOM_H
#define WARPCHECK_CHECK_RANDOM_H

#include "base/random.h"
#include "warpcheck/warp.h"

/* The index-th case of the seed, from the families in the bit set (not 0). */
void random_case(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c);

/*
 * The same for who keeps no state and answers like cases at once: from case 4096 on 8 in a row, and from 65536 on 128,
 * have the same form, target, dst and negate.
 */
void random_case_alike(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c);

#endif
