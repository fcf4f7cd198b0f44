/*
 * A plugin of the user's that executes kernels (warpcheck/kernel.h), in a process of its own.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_PLUGIN_H
#define WARPCHECK_FUZZ_KERNELS_PLUGIN_H

#include "fuzz/kernels/peer.h"

/* Asks the plugin at the path `peer->program`. Its process lives as long as this one does: after a fault or a hang
 * another one is started. False only when it cannot be loaded. `info` is left empty. */
bool peer_plugin_ask(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
                     struct error *error);

/* Ends its process, if there is one. */
void peer_plugin_end(void);

#endif
