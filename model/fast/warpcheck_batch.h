/*
 * Batches of fast: many warps of one instruction, their operands in arrays (warpcheck/batch.h).
 */
#ifndef WARPCHECK_BATCH_H
#define WARPCHECK_BATCH_H

#include "warpcheck/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Answers the batch with one of fast's implementations (fast_get, fast_portable_get, fast_variant_get). Returns false,
 * with one clause in `error` (cut to error_size), when the batch makes no sense or `impl` is not one of fast's.
 */
bool fast_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size);

#ifdef __cplusplus
}
#endif

#endif
