/*
 * A plugin of the user's that executes kernels (warpcheck/kernel.h), in a process of its own.
 */
#ifndef WARPCHECK_CLI_KERNELS_LOADED_H
#define WARPCHECK_CLI_KERNELS_LOADED_H

#include "cli/kernels/other.h"

/* Asks the plugin at the path `other->program`. Its process lives as long as this one does: after a fault or a hang
 * another one is started. False only when it cannot be loaded. `info` is left empty. */
bool loaded_ask(const struct other *other, struct other_ask *asks, uint32_t count, struct gpu_info *info,
                struct error *error);

/* Ends its process, if there is one. */
void loaded_end(void);

#endif
