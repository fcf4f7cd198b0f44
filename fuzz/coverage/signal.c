/*
 * From buckets to code edges: of the coverage, only this file is traced.
 */
#include "fuzz/coverage/coverage.h"

/* An empty statement that the compiler must keep apart from all others: its operand is the bucket. */
#define EDGE(n)                                                                                                        \
    case (n):                                                                                                          \
        __asm__ volatile("" : : "i"(n));                                                                               \
        break;
#define EDGES4(n)   EDGE(n) EDGE((n) + 1) EDGE((n) + 2) EDGE((n) + 3)
#define EDGES16(n)  EDGES4(n) EDGES4((n) + 4) EDGES4((n) + 8) EDGES4((n) + 12)
#define EDGES64(n)  EDGES16(n) EDGES16((n) + 16) EDGES16((n) + 32) EDGES16((n) + 48)
#define EDGES256(n) EDGES64(n) EDGES64((n) + 64) EDGES64((n) + 128) EDGES64((n) + 192)

_Static_assert(COVERAGE_BUCKETS <= 1408, "add edges to walk()");

static void walk(unsigned bucket)
{
    switch (bucket) {
        EDGES256(0)
        EDGES256(256)
        EDGES256(512)
        EDGES256(768)
        EDGES256(1024)
        EDGES64(1280)
        EDGES64(1344)
    default:
        break;
    }
}

void coverage_signal(const struct coverage_set *set)
{
    for (unsigned i = 0; i < set->count; i++)
        walk(set->list[i]);
}
