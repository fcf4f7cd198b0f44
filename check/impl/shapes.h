/*
 * `fast` asked through its batch interface, in the cheapest shape that the cases allow: operands that are uniform over
 * a warp or over all warps, masks and results left out. The interface of cases always asks lane by lane, so it does not
 * reach the code behind these shapes.
 */
#ifndef WARPCHECK_CHECK_IMPL_SHAPES_H
#define WARPCHECK_CHECK_IMPL_SHAPES_H

#include "warpcheck/impl.h"

/* `variant` is one of fast's implementations. Answers cases as it does, or should. Not thread-safe. */
bool shapes_eval(const struct warp_impl *variant, const struct warp_case *cases, size_t n, struct warp_result *results,
                 char *error, size_t error_size);

/* The implementation named "fast-batch": shapes_eval over fast_get(). */
const struct warp_impl *shapes_get(void);

#endif
