/*
 * A plugin in this process, which is a fuzzing engine's: a call that takes longer than its limit, or that exits, ends
 * the process with one line and SIGABRT, which every engine takes for a crash. What crashes, crashes the process.
 *
 * What it does not see: an end by _exit() or by the system call. A campaign finds the input in the target's counters.
 */
#ifndef WARPCHECK_CHECK_IMPL_INSIDE_H
#define WARPCHECK_CHECK_IMPL_INSIDE_H

#include "base/error.h"
#include "warpcheck/impl.h"

struct inside {
    struct warp_impl impl; /* what others see */
    const struct warp_impl *inner;
    struct warp_impl held; /* what `inner` was when it was loaded */
};

/* `inside` must live as long as the implementation; one at a time is asked. False with one line: no limit can be set.
 */
bool inside_init(struct inside *inside, const struct warp_impl *inner, const char *path, struct error *error);

#endif
