/*
 * How long an implementation takes for a case, and how many tries that leaves.
 */
#ifndef WARPCHECK_FUZZ_PACE_H
#define WARPCHECK_FUZZ_PACE_H

#include "warpcheck/impl.h"

#include <stddef.h>

/* Tries that a reduction may make, of n cases each: at most `most`, and no more than fit into a few seconds when each
 * takes what `impl` takes now for `cases`; but always some. */
uint64_t pace_tries(const struct warp_impl *impl, const struct warp_case *cases, size_t n, uint64_t most);

#endif
