/*
 * The reducer: the fewest active lanes and the simplest operands and masks that still show a mismatch.
 *
 * It knows lanes, groups, widths and operands, which a minimizer of bytes cannot.
 */
#ifndef WARPCHECK_CHECK_REDUCE_H
#define WARPCHECK_CHECK_REDUCE_H

#include "check/checker.h"

/* Does this case (valid by warp_case_check) still show what is being reduced? */
typedef bool (*reduce_test)(void *context, const struct warp_case *c);

struct reduce_stats {
    uint64_t tried;
    uint64_t kept;
};

/*
 * Makes *c, for which `test` holds (else nothing is done), simpler until no step keeps `test` true. Deterministic;
 * idempotent; the result passes warp_case_check and `test`. At most `limit` calls of test. `stats` may be NULL.
 */
void reduce_case(struct warp_case *c, reduce_test test, void *context, uint64_t limit, struct reduce_stats *stats);

/* The usual test: the two implementations accept the case and still differ. Its context is struct reduce_pair. */
struct reduce_pair {
    const struct warp_impl *reference;
    const struct warp_impl *observed;
};
bool reduce_pair_differs(void *pair, const struct warp_case *c);

/*
 * Reduces a case on which the two differ so that they go on differing in the same part of a result: in d if they do
 * now, else in p, the outcome, waits_for. Without that condition a wrong value often becomes the less telling question
 * whether it is predictable.
 */
void reduce_mismatch(struct warp_case *c, const struct warp_impl *reference, const struct warp_impl *observed,
                     uint64_t limit, struct reduce_stats *stats);

#endif
