/*
 * The deterministic random source: a seed gives the same cases on every machine.
 *
 * Case number `index` of a seed is the generative byte form over pseudo-random bytes of (seed, index), so any case can
 * be made again alone.
 */
#ifndef WARPCHECK_CHECK_RANDOM_H
#define WARPCHECK_CHECK_RANDOM_H

#include "base/random.h"
#include "warpcheck/warp.h"

/* The index-th case of the seed, from the families in the bit set (not 0). */
void random_case(uint64_t seed, uint64_t index, uint32_t families, struct warp_case *c);

#endif
