/*
 * `fast` asked through its batch interface, in the cheapest layout that the cases allow: operands that are uniform over
 * a warp or over all warps, masks and results left out. The interface of cases always passes operands lane by lane, so
 * it does not reach the code behind these layouts.
 */
#ifndef WARPCHECK_CHECK_IMPL_FAST_BATCH_H
#define WARPCHECK_CHECK_IMPL_FAST_BATCH_H

#include "warpcheck/batch.h"

/* Answers the cases through the batch interface of `variant`, one of fast's implementations; the answers should be
 * the same as through the interface of cases. Only one thread may call it at a time. */
bool impl_fast_batch_eval(const struct warp_impl *variant, const struct warp_case *cases, size_t n,
                          struct warp_result *results, char *error, size_t error_size);

/* The implementation named "fast-batch": impl_fast_batch_eval over fast_get(). */
const struct warp_impl *impl_fast_batch_get(void);
/* Its interface for batches: that of fast_get(), as a warp_batch_fn. */
bool impl_fast_batch_run(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size);

#endif
