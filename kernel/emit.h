/*
 * A launch of a kernel as a program that runs it on a device, with its inputs, what the executor left in memory, and a
 * limit of time, so that a deadlock does not hold the terminal.
 */
#ifndef WARPCHECK_KERNEL_EMIT_H
#define WARPCHECK_KERNEL_EMIT_H

#include "base/buffer.h"
#include "kernel/finding.h"

enum kernel_emission {
    KERNEL_EMIT_PTX,  /* the module as it is */
    KERNEL_EMIT_HOST, /* a C program on the CUDA driver (libcuda.so.1, found at run time), which holds the PTX */
    KERNEL_EMIT_CUDA  /* a CUDA source file: it includes the kernel's source where that is there and C++ can name the
                         kernel; else it holds the PTX */
};

/* False with one line: memory that the program would have to hold is too large, or the launch cannot be repeated. */
bool kernel_emit(const struct kernel_launch *launch, const struct warp_impl *impl, enum kernel_emission emission,
                 struct buffer *out, struct error *error);

#endif
