/*
 * What the code says of the blocks that a kernel is for: whether it tells rows and planes of a block apart, and which
 * sizes it asks for.
 *
 * %tid.y and %tid.z alone say nothing: the number of a thread in its block is made of them in kernels for lines, too
 * (thread_rank() of cooperative groups).
 */
#ifndef WARPCHECK_KERNEL_EXTENT_H
#define WARPCHECK_KERNEL_EXTENT_H

#include "kernel/exec/code.h"

#define EXTENT_LINES 4u

struct kernel_extent {
    bool rows, planes;
    uint32_t lines[EXTENT_LINES]; /* whole warps with which %ntid.x is compared */
    uint32_t lines_count;
    bool no_memory;
};

/* The extent of the instructions that were executed (`visited`: kernel_visited); NULL: of all. */
struct kernel_extent kernel_extent_of(const struct code *code, const uint8_t *visited);

#endif
