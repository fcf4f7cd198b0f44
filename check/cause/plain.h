/*
 * How plain is a case? A person who is told of a mistake believes a case of their own language first.
 */
#ifndef WARPCHECK_CHECK_CAUSE_PLAIN_H
#define WARPCHECK_CHECK_CAUSE_PLAIN_H

#include "warpcheck/warp.h"

#include <stddef.h>

enum plainness {
    PLAIN_NOT,   /* some lane is undefined, waits, or gets an unpredictable d */
    PLAIN_DONE,  /* every active lane is done, with a d that is predictable */
    PLAIN_CLEAN, /* and lanes pass one membermask */
    PLAIN_CUDA   /* and one of CUDA's intrinsics says it */
};

/* `expected`: the reference's answer. */
enum plainness plain_of(const struct warp_case *c, const struct warp_result *expected);

/* Makes a case plainer in one way and leaves the rest as it is; the last way changes nothing. */
enum plain_way { PLAIN_WAY_GROUP, PLAIN_WAY_CUDA, PLAIN_WAY_CUDA_FULL, PLAIN_WAY_NONE, PLAIN_WAYS };
void plain_make(struct warp_case *c, enum plain_way way);

/* The intrinsic as CUDA writes it, in this lane: "__shfl_xor_sync(0xffffffff, v, 33, 32)". False: CUDA has none for
 * the case (plain_of). */
bool plain_call(const struct warp_case *c, unsigned lane, char *text, size_t size);

#endif
