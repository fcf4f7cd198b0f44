/*
 * An implementation behind a guard: when it crashes or does not come back, its eval returns false and says where.
 */
#ifndef WARPCHECK_CHECK_GUARDED_H
#define WARPCHECK_CHECK_GUARDED_H

#include "warpcheck/impl.h"

struct guarded {
    struct warp_impl impl; /* what others see */
    const struct warp_impl *inner;
    char file[80];
    bool dead; /* it crashed or hung: it is not asked again */
    char reason[240];
};

/* The caller has called guard_start. The name of `inner` is the name of the result. */
void guarded_init(struct guarded *guarded, const struct warp_impl *inner, const char *path);

/* Its close, guarded, unless it is dead. */
void guarded_close(struct guarded *guarded);

#endif
