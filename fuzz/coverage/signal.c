/*
 * From buckets to code edges: of the coverage, only walk() is traced. It is compiled once for all families, and again
 * in each target that takes some of them (SIGNAL_FAMILIES), for an engine looks at every edge after every execution.
 */
#include "fuzz/coverage/coverage.h"
#include "warpcheck/bytes.h"

#ifndef SIGNAL_FAMILIES
#define SIGNAL_FAMILIES WARP_FAMILY_ALL
#endif

static const uint8_t family_of[COVERAGE_BUCKETS] = {
#define COVERAGE_GROUP(id, family, name, meaning, w, x, y, z) [COVERAGE_##id... COVERAGE_##id##_LAST] = WARP_##family,
#include "fuzz/coverage/coverage.def"
#undef COVERAGE_GROUP
};

/* A constant: the compiler leaves no edge where it is false. */
#define HAS_EDGE(n)                                                                                                    \
    ((n) < COVERAGE_BUCKETS && ((SIGNAL_FAMILIES) >> family_of[(n) < COVERAGE_BUCKETS ? (n) : 0] & 1u) != 0)

/* An empty statement that the compiler must keep apart from all others: its operand is the bucket. */
#define EDGE(n)                                                                                                        \
    case (n):                                                                                                          \
        if (HAS_EDGE(n))                                                                                               \
            __asm__ volatile("" : : "i"(n));                                                                           \
        break;
#define EDGES4(n)   EDGE(n) EDGE((n) + 1) EDGE((n) + 2) EDGE((n) + 3)
#define EDGES16(n)  EDGES4(n) EDGES4((n) + 4) EDGES4((n) + 8) EDGES4((n) + 12)
#define EDGES64(n)  EDGES16(n) EDGES16((n) + 16) EDGES16((n) + 32) EDGES16((n) + 48)
#define EDGES256(n) EDGES64(n) EDGES64((n) + 64) EDGES64((n) + 128) EDGES64((n) + 192)

_Static_assert(COVERAGE_BUCKETS <= 1536, "add edges to walk()");

__attribute__((noinline)) static void walk(unsigned bucket)
{
    switch (bucket) {
        EDGES256(0)
        EDGES256(256)
        EDGES256(512)
        EDGES256(768)
        EDGES256(1024)
        EDGES256(1280)
    default:
        break;
    }
}

void coverage_signal(const struct coverage_set *set, unsigned times)
{
    static unsigned shown[COVERAGE_BUCKETS];
    for (unsigned i = 0; i < set->count; i++) {
        const unsigned bucket = set->list[i];
        if (times != 0 && shown[bucket] == times)
            continue;
        shown[bucket] += times != 0;
        walk(bucket);
    }
}
