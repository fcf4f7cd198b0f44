/*
 * Generated kernels at which somebody else differs from the executor: told apart by what makes them differ, reduced,
 * judged, kept and printed.
 */
#ifndef WARPCHECK_CLI_KERNELS_DIFFERENCES_H
#define WARPCHECK_CLI_KERNELS_DIFFERENCES_H

#include "cli/kernels/campaign.h"
#include "cli/kernels/generated.h"

struct differences;

/* None yet. `plan` and `other` stay the caller's, and must live as long. NULL: out of memory. */
struct differences *differences_open(const struct kernel_campaign *plan, const struct other *other);
void differences_free(struct differences *differences);
/* Notes one, which is copied. False: out of memory. */
bool differences_add(struct differences *differences, const struct generated_difference *is, struct error *error);
/* Explains them by the findings of earlier campaigns in plan->out, and reduces the others while there is time (`until`,
 * on clock_seconds()'s clock); prints each and keeps each new cause. False with one line when something could not be
 * asked or kept; what was done counts. */
bool differences_examine(struct differences *differences, double until, struct error *error);
/* The causes, with how many kernels have each, and how many were not reduced. */
void differences_print_causes(const struct differences *differences);

#endif
