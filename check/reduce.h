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

/* What every reducer is given: how far it may go; and what it did. */
struct reduction {
    uint64_t limit; /* tests at the most */
    double until;   /* on clock_seconds()'s clock, after which none is begun; 0: no such limit */
    uint64_t tried; /* tests */
    uint64_t kept;  /* of these, steps that made it simpler */
};

/* Is there room for another test? */
bool reduction_goes_on(const struct reduction *r);

/*
 * Makes *c, for which `test` holds (else nothing is done), simpler until no step keeps `test` true. Deterministic;
 * idempotent where no limit ended it; the result passes warp_case_check and `test`.
 */
void reduce_case(struct warp_case *c, reduce_test test, void *context, struct reduction *r);

/* The usual test: the two implementations accept the case and still differ. */
bool reduce_pair_differs(void *finding_pair, const struct warp_case *c);

/*
 * Reduces a case on which the two differ so that they go on differing in the same part of a result: in d if they do
 * now, else in p, the outcome, waits_for. Without that condition a wrong value often becomes the less telling question
 * whether it is predictable.
 */
void reduce_mismatch(struct warp_case *c, const struct warp_impl *reference, const struct warp_impl *observed,
                     struct reduction *r);

/*
 * Of cases that are asked in one call, of which case `*at` differs (finding_make_sequence): leaves away all that are
 * not needed for that, then makes those that are left simpler, in place. Does nothing when it does not differ. The
 * limit counts for each case that is left.
 */
void reduce_sequence(struct warp_case *cases, size_t *n, size_t *at, const struct warp_impl *reference,
                     const struct warp_impl *observed, struct reduction *r);

#endif
