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

/* Its form, target, dst and negate alone, for a tenth of the time. The other fields stay. */
void random_head(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c);

#endif
