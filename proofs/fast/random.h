/* Pseudo-random numbers for cases that are tried. */
#ifndef WARPCHECK_PROOFS_FAST_RANDOM_H
#define WARPCHECK_PROOFS_FAST_RANDOM_H

#include "base/random.h"

static inline uint32_t next(uint64_t *seed)
{
    return (uint32_t)(random_mix(*seed += RANDOM_STEP) >> 32);
}

#endif
