/*
 * The direct transcription of the manual: slow, plain, and the reference.
 */
#ifndef WARPCHECK_SPEC_H
#define WARPCHECK_SPEC_H

#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The implementation named "spec". It accepts every case and provides every part. */
const struct warp_impl *spec_get(void);

#ifdef __cplusplus
}
#endif

#endif
