/*
 * One random source and one hash. Both give the same numbers on every machine.
 */
#ifndef WARPCHECK_BASE_RANDOM_H
#define WARPCHECK_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* 2^64 divided by the golden ratio, odd: the step of SplitMix64. */
#define RANDOM_STEP 0x9e3779b97f4a7c15u

/* SplitMix64's finalizer: a bijection. To hash a counter, mix its product with RANDOM_STEP. */
static inline uint64_t random_mix(uint64_t x)
{
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* A bijection of 32-bit words ("lowbias32"). Recordings and what runs on devices are made with it: it stays as it is.
 */
#define RANDOM_MIX32_1 0x7feb352du
#define RANDOM_MIX32_2 0x846ca68bu
static inline uint32_t random_mix32(uint32_t x)
{
    x = (x ^ x >> 16) * RANDOM_MIX32_1;
    x = (x ^ x >> 15) * RANDOM_MIX32_2;
    return x ^ x >> 16;
}

/* A stream of numbers: SplitMix64 from this state, which is the seed at first. */
struct random {
    uint64_t state;
};
static inline uint64_t random_next(struct random *random)
{
    return random_mix(random->state += RANDOM_STEP);
}
/* 32 bits. */
static inline uint32_t random_word(struct random *random)
{
    return (uint32_t)(random_next(random) >> 32);
}
/* 0 .. n-1; n > 0. */
static inline uint32_t random_below32(struct random *random, uint32_t n)
{
    return random_word(random) % n;
}
static inline uint64_t random_below(struct random *random, uint64_t n)
{
    return random_next(random) % n;
}

/* FNV-1a of 64 bits, continued from `hash`. Begin with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
static inline uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *const bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

#endif
