#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include "fuzz/pace.h"

#include <time.h>

#define REDUCE_SECONDS 2.5
#define FEWEST_TRIES   12u /* enough to leave away most lanes by halves */
#define CASES_MAX      65u

double pace_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

uint64_t pace_tries(const struct warp_impl *impl, const struct warp_case *cases, size_t n, uint64_t most)
{
    static struct warp_result results[CASES_MAX];
    char error[256];
    const double start = pace_now();
    double took;
    uint64_t tries;
    n = n < CASES_MAX ? n : CASES_MAX;
    (void)impl->eval(impl->state, cases, n, results, error, sizeof error); /* the answer is known: how long it takes */
    took = pace_now() - start;
    if (took * (double)most <= REDUCE_SECONDS)
        return most;
    tries = (uint64_t)(REDUCE_SECONDS / took);
    return tries > FEWEST_TRIES ? tries : FEWEST_TRIES;
}
