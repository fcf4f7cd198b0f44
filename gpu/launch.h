/*
 * Launches kernels of PTX modules on the first CUDA device, in child processes: a launch that hangs or faults costs its
 * child and nothing else. Knows nothing of what the kernels mean.
 */
#ifndef WARPCHECK_GPU_LAUNCH_H
#define WARPCHECK_GPU_LAUNCH_H

#include "base/error.h"
#include "gpu/warpcheck_gpu.h"

#include <stdatomic.h>
#include <stdint.h>

/* Memory of a launch: a buffer, or a variable of the module. */
struct launch_region {
    const char *variable; /* NULL: a buffer, which the driver allocates */
    bool is_set;          /* variable: `before` is copied there first (buffers always) */
    uint64_t size;
    const uint8_t *before;
    uint8_t *after; /* room for what the device leaves there; unchanged unless LAUNCH_RETURNED */
};

/* The address of a region goes into the parameters at `offset`. */
struct launch_pointer {
    uint32_t offset, region;
};

enum launch_ending {
    LAUNCH_RETURNED,
    LAUNCH_HUNG,    /* did not end within the limit */
    LAUNCH_FAULTED, /* the device or the driver ended it: `why` */
    LAUNCH_UNABLE,  /* it was never started: `why` (no device, not compiled, no such variable, no memory) */
    LAUNCH_UNASKED  /* nor was it tried: too many before it hung or faulted (struct launch_past) */
};

struct launch {
    const char *ptx; /* 0-terminated; launches with the same pointer are of one module */
    const char *entry;
    unsigned level; /* of the driver's optimizer, 0 to 4 */
    uint32_t grid[3], block[3], shared;
    const uint8_t *params;
    uint32_t params_size;
    const struct launch_pointer *pointers;
    uint32_t pointers_count;
    struct launch_region *regions;
    uint32_t regions_count;
    bool alone;  /* in a process of its own: it may break the context */
    bool wanted; /* it is started however many are lost */

    enum launch_ending ending;
    char why[160]; /* "CUDA_ERROR_ILLEGAL_INSTRUCTION", ... */
    double took;   /* seconds, when it returned; in a group, of all: the first one's */
};

/*
 * What launches came to so far, in memory that the processes share which ask. A launch that hangs or faults costs its
 * process, whose end and successor take seconds. So a launch may take LAUNCH_PATIENCE times as long as any that
 * returned, within an eighth of its limit and all of it, and with the compiling before it as many times as long as that
 * took; and when many are lost, no more are started.
 */
struct launch_past {
    _Atomic uint64_t returned, lost;
    _Atomic uint64_t longest_us, step_us; /* step: with compiling */
};
#define LAUNCH_PATIENCE  20u
#define LAUNCH_LOST_MOST 4u  /* lost, */
#define LAUNCH_LOST_OF   20u /* and more than one of so many: hopeless */
bool launch_is_hopeless(const struct launch_past *past);

/*
 * Runs all launches, each at most `seconds` long. False only when there is no device or driver. `info` tells of the
 * device. NULL as `ops`: the CUDA driver's; as `past`: each may take `seconds`, and all are started.
 */
struct launch_ops;
bool launch_all(const struct launch_ops *ops, struct launch *launches, uint32_t count, double seconds,
                struct launch_past *past, struct gpu_info *info, struct error *error);

/*
 * The same in this process, which keeps the context from call to call: for many small questions whose launches are
 * expected to return, in a child that may be lost. False also when an earlier launch has cost the context.
 */
bool launch_here(const struct launch_ops *ops, struct launch *launches, uint32_t count, double seconds,
                 struct gpu_info *info, struct error *error);

#define LAUNCH_GROUP_MOST 256u

/* The operations that run in the child. */
struct launch_ops {
    double grace; /* seconds that the start, or compiling a module, may take */
    bool (*start)(struct gpu_info *info, struct error *error);
    /* Sets ending, why and took, and fills `after` of the regions. Gives up after `seconds`. */
    void (*run)(struct launch *launch, double seconds);
    /*
     * The same for several of one module at one level, whose regions are buffers, all at once, LAUNCH_GROUP_MOST at
     * most; NULL: one by one. False when not all of them returned: none has a result then, but one may be known to
     * have hung. The context may be lost. The others run again: as groups around the one that hung, else one by one.
     */
    bool (*run_group)(struct launch *launches, uint32_t count, double seconds);
};

#endif
