/*
 * Cases for tests by property: the index-th of a fixed sequence. Even ones come from the generative form, odd ones from
 * uniform bits that are repaired.
 */
#ifndef WARPCHECK_TEST_RANDOM_CASES_H
#define WARPCHECK_TEST_RANDOM_CASES_H

#include "base/random.h"
#include "warpcheck/bytes.h"

#include <string.h>

static inline uint64_t test_mix(uint64_t x)
{
    return random_mix(x + RANDOM_STEP);
}

static inline void test_bytes(uint64_t index, uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (uint8_t)test_mix(index * 1000003u + i);
}

static inline void test_case(uint64_t index, struct warp_case *c)
{
    uint8_t bytes[sizeof *c];
    test_bytes(index, bytes, sizeof bytes);
    if (index % 2 == 0) {
        bytes[0] = bytes[0] == WARP_BYTES_RAW ? 0 : bytes[0];
        warp_case_from_bytes(bytes, sizeof bytes, WARP_FAMILY_ALL, c);
    } else {
        memcpy(c, bytes, sizeof *c);
        warp_case_repair(c);
    }
}

#endif
