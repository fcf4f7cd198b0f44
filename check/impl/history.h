/*
 * What a process was asked since it was started: the last IMPL_HISTORY_MAX cases, in a ring. An implementation that
 * keeps something from earlier calls is wrong only after them.
 */
#ifndef WARPCHECK_CHECK_IMPL_HISTORY_H
#define WARPCHECK_CHECK_IMPL_HISTORY_H

#include "warpcheck/warp.h"

#include <stddef.h>

struct history {
    struct warp_case *ring; /* owned; NULL: nothing was asked yet, or there is no memory */
    uint64_t count;         /* cases since the process was started */
};

void history_add(struct history *history, const struct warp_case *cases, size_t n);
/* The process is a fresh one. */
void history_forget(struct history *history);
/* Copies what is remembered, oldest first, to room for IMPL_HISTORY_MAX cases (impl.h). Returns how many. */
size_t history_get(const struct history *history, struct warp_case *cases);
void history_free(struct history *history);

#endif
