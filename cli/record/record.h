/*
 * The work behind `warpcheck record`: each function prints what it found and returns the exit status.
 */
#ifndef WARPCHECK_CLI_RECORD_RECORD_H
#define WARPCHECK_CLI_RECORD_RECORD_H

#include "cli/command.h"
#include "gpu/recording.h"
#include "gpu/warpcheck_gpu.h"

#include <stdbool.h>
#include <stdint.h>

/* Asks the device about some `cases` cases and writes them with its answers. */
int record_file(const struct warp_impl *gpu, const char *path, uint64_t seed, uint64_t cases, bool stored);

/* Writes the recording `from` compressed to `to`. */
int record_pack(const char *from, const char *to);

/* Tells from which device a recording comes, what it holds, and what it shows of unpredictable values. */
int record_describe(const char *path);

/* The device makes and checks `lanes` lane results of each form of the families, and all points of shfl. */
int record_throughput(const struct warp_impl *gpu, const struct warp_impl *reference, uint32_t families, uint64_t seed,
                      uint64_t lanes);

/* All enumerations and `cases` random cases, the device against the reference, counted by form. */
int record_compare(const struct warp_impl *gpu, const struct warp_impl *reference, uint64_t seed, uint64_t cases);

#endif
