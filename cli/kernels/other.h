/*
 * Who else executes or compiles generated kernels: the first CUDA device, or ptxas, which only compiles.
 */
#ifndef WARPCHECK_CLI_KERNELS_OTHER_H
#define WARPCHECK_CLI_KERNELS_OTHER_H

#include "gpu/warpcheck_gpu.h"
#include "kernel/make/make.h"

#define OTHER_LEVELS 2u /* of the optimizer: none, and all of it */

enum other_ending {
    OTHER_RETURNED,
    OTHER_HUNG,    /* no end within the limit: of the kernel, or of ptxas */
    OTHER_FAULTED, /* the device, the driver or ptxas ended in an error or a signal: `why` */
    OTHER_REFUSED  /* the text was not taken: `why` */
};
const char *other_ending_name(enum other_ending ending); /* "hung", ... */

/* One kernel at one level. Those of one module stand together. */
struct other_ask {
    const struct make_kernel *kernel;
    const char *module; /* ends with a zero byte; modules are told apart by this pointer */
    const char *entry;
    unsigned level; /* 0 .. OTHER_LEVELS - 1 */
    const uint8_t *before;
    uint8_t *after; /* RETURNED: what it left */
    enum other_ending ending;
    char why[160];
};

struct other {
    const char *name;
    bool gives_memory; /* else it only compiles */
    unsigned levels[OTHER_LEVELS];
    double limit;      /* seconds, for a launch or a module */
    const char *ptxas; /* the program */
    bool (*ask)(const struct other *other, struct other_ask *asks, uint32_t count, struct gpu_info *info,
                struct error *error);
};

/* "gpu" or "ptxas"; false: it is neither. WARPCHECK_PTXAS names another ptxas than that in PATH. */
bool other_find(const char *name, struct other *other);

#endif
