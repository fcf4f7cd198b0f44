/*
 * A plugin in this process, which is a fuzzing engine's: a call that takes longer than its limit, or that exits, ends
 * the process with one line and SIGABRT, which every engine takes for a crash. A crash of the plugin is a crash of the
 * process.
 *
 * An end by _exit() or by the system call goes unnoticed here. A campaign finds its input in the target's counters.
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

/* `inside` must live as long as the implementation. Only one such plugin may be asked at a time. False with one line:
 * no limit can be set.
 */
bool inside_init(struct inside *inside, const struct warp_impl *inner, const char *path, struct error *error);

#endif
