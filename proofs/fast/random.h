/* Pseudo-random numbers for cases that are tried. */
#ifndef WARPCHECK_COMPILED_RANDOM_H
#define WARPCHECK_COMPILED_RANDOM_H

#include <stdint.h>

static inline uint32_t next(uint64_t *seed)
{
    uint64_t x = *seed += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return (uint32_t)(x >> 32);
}

#endif
