#include "fuzz/pace.h"

#include "base/clock.h"

#define REDUCE_SECONDS 2.5
#define FEWEST_TRIES   12u /* enough to leave away most lanes by halves */
#define CASES_MAX      65u

uint64_t pace_tries(const struct warp_impl *impl, const struct warp_case *cases, size_t n, uint64_t most)
{
    static struct warp_result results[CASES_MAX];
    char error[256];
    const double start = clock_seconds();
    double took;
    uint64_t tries;
    n = n < CASES_MAX ? n : CASES_MAX;
    (void)impl->eval(impl->state, cases, n, results, error, sizeof error); /* the answer is known: how long it takes */
    took = clock_seconds() - start;
    if (took * (double)most <= REDUCE_SECONDS)
        return most;
    tries = (uint64_t)(REDUCE_SECONDS / took);
    return tries > FEWEST_TRIES ? tries : FEWEST_TRIES;
}
