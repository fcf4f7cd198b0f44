/* Tests that take a sample in the quick suite, and everything with the slow tests (test/CMakeLists.txt). */
#ifndef WARPCHECK_TEST_SAMPLE_H
#define WARPCHECK_TEST_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

static inline bool takes_sample(void)
{
    return getenv("WARPCHECK_TEST_SAMPLE") != NULL;
}

/* A sample holds every `step`-th. */
static inline bool is_in_sample(size_t n, size_t step)
{
    return !takes_sample() || n % step == 0;
}

#endif
