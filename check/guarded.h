/*
 * An implementation behind a guard: when it crashes or does not come back, its eval returns false and says where.
 */
#ifndef WARPCHECK_CHECK_GUARDED_H
#define WARPCHECK_CHECK_GUARDED_H

#include "base/error.h"
#include "warpcheck/impl.h"

struct guarded {
    struct warp_impl impl; /* what others see */
    const struct warp_impl *inner;
    char file[80];
    int how;   /* guard_call said, of a dead one */
    bool dead; /* it crashed or hung: it is not asked again */
    char reason[240];
    struct warp_case culprit; /* of a dead one: the case that it was asked, the first of them where it was none alone */
};

/* The caller has called guard_start. The name of `inner` is the name of the result. */
void guarded_init(struct guarded *guarded, const struct warp_impl *inner, const char *path);

/* The case on which `impl` crashed or did not come back; NULL when it is no guarded one, or answered all. */
const struct warp_case *guarded_culprit(const struct warp_impl *impl);

/* How that ended: ERROR_CRASH with the signal as its detail, ERROR_TIMEOUT or ERROR_EXIT; of all others what it was
 * before. */
void guarded_explain(const struct warp_impl *impl, struct error *error);

/* Its close, guarded, unless it is dead. */
void guarded_close(struct guarded *guarded);

#endif
