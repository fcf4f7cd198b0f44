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

/*
 * The k-th call of several cases that a target makes of an engine's input: the case and its relatives, the call that
 * the input spells out, the long one; of what both accept. Returns how many cases it has, 0 where the input has no such
 * call.
 */
#define RELATIVE_CALLS    3u
#define RELATIVE_CALL_MAX 8192u
struct relative_input {
    const uint8_t *data;
    size_t size;
    uint32_t families;
};
size_t relative_call(const struct warp_impl *reference, const struct warp_impl *observed,
                     const struct relative_input *input, unsigned k, struct warp_case cases[RELATIVE_CALL_MAX]);

/* The first relative on which both answer and differ: its number, or -1. `*c` gets it. */
int relative_that_differs(const struct warp_impl *reference, const struct warp_impl *observed,
                          const struct warp_case *base, struct warp_case *c);

#endif
