/*
 * Sequences: cases asked in one call, of which one differs though it agrees when asked alone.
 *
 * An implementation that keeps something from one case to the next, or treats neighbours together, is wrong only so.
 */
#ifndef WARPCHECK_CHECK_SEQUENCE_H
#define WARPCHECK_CHECK_SEQUENCE_H

#include "check/finding.h"
#include "check/reduce.h"

/*
 * Asks `impl` about all n cases in one call (results: room for n). False when it does not accept one of them or cannot
 * answer.
 */
bool sequence_answer(const struct warp_impl *impl, const struct warp_case *cases, size_t n,
                     struct warp_result *results);

/*
 * Asks both about all n cases (at most CHECKER_BATCH) in one call each. True when they differ on case `at`: `f` is then
 * that case with f->sequence and its fellows pointing to `cases`, which stay the caller's.
 */
bool sequence_find(struct finding *f, const struct warp_impl *reference, const struct warp_impl *observed,
                   const struct warp_case *cases, size_t n, size_t at);

/*
 * Leaves away all cases that are not needed for case `*at` to differ, then makes those that are left simpler, in place.
 * Does nothing when it does not differ. At most `limit` calls for each case that is left.
 */
void sequence_reduce(struct warp_case *cases, size_t *n, size_t *at, const struct warp_impl *reference,
                     const struct warp_impl *observed, uint64_t limit, struct reduce_stats *stats);

#endif
