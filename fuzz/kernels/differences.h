/*
 * Generated kernels at which a peer differs from the executor: told apart by what makes them differ, reduced, judged
 * and kept.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_DIFFERENCES_H
#define WARPCHECK_FUZZ_KERNELS_DIFFERENCES_H

#include "fuzz/kernels/campaign.h"

struct differences;

/* None yet. `campaign`, which takes the causes, and `peer` stay the caller's. NULL: out of memory. */
struct differences *differences_open(struct kernel_campaign *campaign, const struct peer *peer);
void differences_free(struct differences *differences);
/* Notes one, which is copied. False: out of memory. */
bool differences_add(struct differences *differences, const struct generated_difference *is, struct error *error);
/* Explains them by the findings of earlier campaigns in campaign->out, and reduces the others while there is time
 * (`until`, on clock_seconds()'s clock); tells of each and keeps each new cause. False with one line when something
 * could not be asked or kept; what was done counts. */
bool differences_examine(struct differences *differences, double until, struct error *error);

#endif
