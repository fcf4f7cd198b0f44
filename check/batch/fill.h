/*
 * The contents of a trial's arrays, and its warps as cases.
 */
#ifndef WARPCHECK_CHECK_BATCH_FILL_H
#define WARPCHECK_CHECK_BATCH_FILL_H

#include "check/batch/layout.h"

/* Fills the operands: words[i] is column i's array, of batch_extent words. Those of absent columns are not touched. */
void batch_fill(const struct batch_layout *layout, uint32_t *const words[COLUMNS]);

/* Warp w of the batch as a case. */
void batch_case(const struct batch_layout *layout, const uint32_t *const words[COLUMNS], size_t w, struct warp_case *c);

#endif
