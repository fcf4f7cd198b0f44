/*
 * What devices did with whole kernels: one launch with its input a line, in corpus/recordings/kernels-DEVICE.txt.
 *
 *     # device: NVIDIA H200, sm_90, driver 580.159.04 (CUDA 13.0)
 *     clean FILE ENTRY code=HEX memory=HEX level0=returned:HEX level4=returned:HEX input: block=32,1,1 ...
 *     undefined FILE ENTRY code=HEX at=LINE level0=faulted:CUDA_ERROR_... level4=returned:HEX input: ...
 *
 * `code` is kernel_text_digest of the entry, `memory` and the numbers behind "returned" are kernel_image_digest of what
 * the executor and the device left in memory. Of a wrong kernel, the first word is the kind of its error, and `at` the
 * line in the PTX.
 */
#ifndef WARPCHECK_KERNEL_SILICON_H
#define WARPCHECK_KERNEL_SILICON_H

#include "base/buffer.h"
#include "kernel/image.h"
#include "kernel/search.h"

#define SILICON_LEVELS 2u
extern const unsigned silicon_levels[SILICON_LEVELS]; /* of the driver's optimizer: 0 and 4 */

enum silicon_ending { SILICON_RETURNED, SILICON_HUNG, SILICON_FAULTED, SILICON_UNABLE };

struct silicon_line {
    bool is_clean;
    enum kernel_kind kind; /* of a wrong one */
    uint32_t at;
    char file[128], entry[512];
    uint64_t code, memory;
    struct silicon_did {
        enum silicon_ending ending;
        uint64_t memory;
        char why[96]; /* FAULTED, UNABLE */
    } levels[SILICON_LEVELS];
    char input[KERNEL_INPUT_TEXT_MAX];
};

struct silicon {
    char device[256];
    struct silicon_line *lines;
    uint32_t count;
};

/* What a device did with launches that show an error of one kind: how often each ending, at each level. */
struct silicon_counts {
    uint32_t returned, hung, faulted;
};
struct silicon_known {
    const char *device;
    struct silicon_counts kinds[KERNEL_KINDS][SILICON_LEVELS];
};
/* As the recording of an H100 has it. A test counts again. */
extern const struct silicon_known silicon_known;
/* "of 13 such launches of other kernels on an H100, not optimized: ...; optimized: ..." in one line; nothing where none
 * of the kind was launched. */
void silicon_known_text(enum kernel_kind kind, struct buffer *out);

/* Reads a file; NULL with one line on failure. */
struct silicon *silicon_load(const char *path, struct error *error);
void silicon_free(struct silicon *silicon);
void silicon_line_text(const struct silicon_line *line, struct buffer *out);

/* A digest of the function that begins in this line of a module's text: without comments, places in the source, and
 * the numbers that count the module's functions. */
uint64_t kernel_text_digest(const char *text, uint32_t line);
/* Does it use functions whose bits the manual leaves open (.approx, .full)? */
bool kernel_is_approximate(const struct code *code);
/* Does it wait for the whole grid, for which it has to be launched otherwise? */
bool kernel_is_cooperative(const struct code *code);

#endif
