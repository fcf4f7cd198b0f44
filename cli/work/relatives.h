/*
 * The relatives of a case that came as an engine's bytes: a fuzz target asks the case and others made from it, also its
 * operands with another form of the family (fuzz/derive.h), and any of them may be what was wrong. Without the fuzz
 * targets in this build there are none.
 */
#ifndef WARPCHECK_CLI_WORK_RELATIVES_H
#define WARPCHECK_CLI_WORK_RELATIVES_H

#include "warpcheck/impl.h"

/* Makes the k-th relative; false past the last one. */
bool relative_make(const struct warp_case *base, unsigned k, struct warp_case *c);

/* The first relative on which both answer and differ: its number, or -1. `*c` gets it. */
int relative_that_differs(const struct warp_impl *reference, const struct warp_impl *observed,
                          const struct warp_case *base, struct warp_case *c);

#endif
