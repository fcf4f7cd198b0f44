/*
 * The optimized implementation: whole warps at a time, never a line of the transcription.
 */
#ifndef WARPCHECK_FAST_H
#define WARPCHECK_FAST_H

#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The best variant for this CPU, or the one that the environment variable WARPCHECK_FAST names; its name is "fast". */
const struct warp_impl *fast_get(void);

/* Portable C, on every machine. */
const struct warp_impl *fast_portable_get(void);

#ifdef __cplusplus
}
#endif

#endif
