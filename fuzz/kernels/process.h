/*
 * A process of the user's that executes kernels: it reads requests and writes answers (docs/kernel-suite.md).
 */
#ifndef WARPCHECK_FUZZ_KERNELS_PROCESS_H
#define WARPCHECK_FUZZ_KERNELS_PROCESS_H

#include "fuzz/kernels/peer.h"

/* Bytes in hexadecimal digits. Reading: exactly `size` bytes, and nothing behind them; false else. */
void hex_write(struct buffer *out, const uint8_t *data, uint32_t size);
bool hex_read(const char *text, uint8_t *data, uint32_t size);

/* Asks the process, which `peer->program` starts, and which lives as long as this one does: after a fault or a hang
 * another one is started. False only when none can be started. `info` is left empty. */
bool peer_process_ask(const struct peer *peer, struct peer_ask *asks, uint32_t count, struct gpu_info *info,
                      struct error *error);

/* Ends the process that this one has started, if any: its input ends, and it has two seconds to tidy up. */
void peer_process_end(void);

#endif
