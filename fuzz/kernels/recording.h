/*
 * What a device left of generated kernels, as digests: kept, and compared again without the device.
 */
#ifndef WARPCHECK_FUZZ_KERNELS_RECORDING_H
#define WARPCHECK_FUZZ_KERNELS_RECORDING_H

#include "fuzz/kernels/peer.h"

/*
 * A recording is a text: comments, "suite seed=S target=T size=Z levels=L,L", and one line a kernel:
 *
 *     NUMBER TEXT MEMORY LEVEL LEVEL
 *
 * digests of the kernel's text, of the memory that the executor left, and of that which the device left when the driver
 * compiled it at each of the levels ("=": the executor's; 0: it did not return). Without size and levels they are large
 * and 0,4.
 */
struct kernel_recording_line {
    uint64_t number, text, expected, memory[PEER_LEVELS];
};
/* All but the device's. */
void kernel_recording_set(struct kernel_recording_line *line, const struct made *made);
void kernel_recording_text(const struct kernel_recording_line *line, unsigned levels, struct buffer *out);
/* "suite ...", the line before them. */
void kernel_recording_head(const struct make_suite *suite, const struct peer *peer, uint64_t lines, struct buffer *out);

struct kernel_recording {
    char device[256];
    struct make_suite suite;
    unsigned levels;
    struct kernel_recording_line *lines;
    size_t count;
    uint64_t promised; /* by the line `suite`: what is cut has fewer */
};
/* False with one line. Free it in any case. */
bool kernel_recording_load(const char *path, struct kernel_recording *recording, struct error *error);
void kernel_recording_free(struct kernel_recording *recording);

enum kernel_recording_replayed {
    RECORDING_AGREES,
    RECORDING_DIFFERS,
    RECORDING_COMPILER, /* one level of the optimizer left what the executor leaves, another one did not */
    RECORDING_CHANGED   /* not compared: the generator writes another kernel now */
};
/* Draws and executes the kernel of a line again. False: out of memory. */
bool kernel_recording_replay(const struct kernel_recording *recording, const struct kernel_recording_line *line,
                             enum kernel_recording_replayed *replayed);

#endif
