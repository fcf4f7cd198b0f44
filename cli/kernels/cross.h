/*
 * A campaign of generated kernels (fuzz/kernels/campaign.h), shown to people while it runs and at its end.
 */
#ifndef WARPCHECK_CLI_KERNELS_CROSS_H
#define WARPCHECK_CLI_KERNELS_CROSS_H

#include "fuzz/kernels/campaign.h"

/* Runs it and prints what came of it. `command`: whose complaints these are. `awaits_interrupt`: Ctrl-C is its ordinary
 * end. Returns the exit status: 0 when all that was compared agrees. */
int cross_kernels(struct kernel_campaign *campaign, const char *command, bool awaits_interrupt);

#endif
