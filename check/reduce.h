/*
 * The reducer: the fewest active lanes and the simplest operands and masks that still show a mismatch.
 *
 * It knows lanes, groups, widths and operands, which a minimizer of bytes cannot.
 */
#ifndef WARPCHECK_CHECK_REDUCE_H
#define WARPCHECK_CHECK_REDUCE_H

#include "check/finding.h"

/* Does this case (valid by warp_case_check) still show what is being reduced? */
typedef bool (*reduce_test)(void *context, const struct warp_case *c);

/* The limits that every reducer is given, and its counters. */
struct reduction {
    uint64_t limit; /* most tests */
    double until;   /* on clock_seconds()'s clock: no test begins after it; 0: no such limit */
    uint64_t tried; /* tests */
    uint64_t kept;  /* tests whose step made the case simpler */
};

/* Do the limits allow another test? */
bool reduction_goes_on(const struct reduction *r);

/*
 * Makes *c simpler until no step keeps `test` true. Does nothing when `test` does not hold for *c. Deterministic;
 * idempotent unless a limit ended it. The result passes warp_case_check and `test`.
 */
void reduce_case(struct warp_case *c, reduce_test test, void *context, struct reduction *r);

/* Does the first case cost less: fewer active lanes, then fewer groups, plainer masks, smaller operands? */
bool reduce_is_simpler(const struct warp_case *x, const struct warp_case *y);

/* The usual test: the two implementations accept the case and still differ. */
bool reduce_pair_differs(void *finding_pair, const struct warp_case *c);

/* The most telling part of a result (WARP_PART_...) in which two differ: d, else p, the outcome, waits_for, and last
 * whether d is predictable. */
uint32_t reduce_part(const struct warp_diff *diff);
/* All parts in which they differ. */
uint32_t reduce_parts(const struct warp_diff *diff);

/*
 * Reduces a case on which the two differ, so that they go on differing in the same part of the result
 * (reduce_part). Without that condition a wrong value would often be reduced to a difference in
 * whether d is predictable, which tells less.
 */
void reduce_mismatch(struct warp_case *c, const struct warp_impl *reference, const struct warp_impl *observed,
                     struct reduction *r);

/*
 * Makes the finding of a mismatch: reduces the case as reduce_mismatch does and asks again. Where the reduced case does
 * not differ again, *c stays as it is. After an interrupt (base/interrupt.h) the finding is of the simplest case so
 * far, which is not asked again. False: it does not differ when it is asked alone.
 */
bool reduce_finding(struct finding *f, struct warp_case *c, const struct warp_impl *reference,
                    const struct warp_impl *observed, struct reduction *r);

/*
 * Reduces cases that are asked in one call of a fresh process, of which case `*at` differs (finding_make_sequence):
 * removes all that are not needed for that, then simplifies those that are left, in place. Does nothing when case
 * `*at` does not differ. The limit counts for each case that is left.
 */
void reduce_sequence(struct warp_case *cases, size_t *n, size_t *at, const struct warp_impl *reference,
                     const struct warp_impl *observed, struct reduction *r);
/* The same, and makes the finding. False: it does not differ when they are asked in another fresh process. */
bool reduce_sequence_finding(struct finding *f, struct warp_case *cases, size_t *n, size_t *at,
                             const struct warp_impl *reference, const struct warp_impl *observed, struct reduction *r);

#endif
