/*
 * A plugin that executes whole kernels: an emulator, a translator, a back end. It is a shared library that exports
 *
 *     const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;
 *     int warpcheck_kernel_run(struct warp_kernel_launch *launch);
 *
 * `warpcheck fuzz --target kernel --impl ./mine.so` makes kernels, and compares what the function leaves in memory with
 * what the executor leaves (docs/kernel-suite.md; examples/kernel-suite/plugin.c). A library may export
 * warpcheck_implementation too (warpcheck/impl.h): both are asked where they are meant.
 *
 * It runs in a process of its own, as any plugin. A crash, an exit, or a call that takes longer than 10 seconds (1
 * second, after it took so long three times) is a fault of that kernel, and the next one is asked in a fresh process.
 */
#ifndef WARPCHECK_WARP_KERNEL_H
#define WARPCHECK_WARP_KERNEL_H

#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Global memory of the launch. */
struct warp_kernel_buffer {
    uint8_t *data;      /* as it is before the launch; the function leaves here what the kernel leaves */
    uint64_t size;      /* bytes. data is aligned to 16; nobody may touch what lies behind it */
    uint32_t parameter; /* at this offset of the parameters stands its address, 8 bytes: that of data */
    uint32_t reserved;
};

/* All of it is the caller's. Numbers are those of the machine that both run on. */
struct warp_kernel_launch {
    uint32_t size;           /* of this structure: later versions have more behind it */
    const char *ptx, *entry; /* a module, and the name of the entry to launch; both end with a zero byte */
    uint32_t grid[3], block[3];
    uint32_t shared; /* bytes of dynamic shared memory */
    /* Laid out as the entry declares them. Where the kernel's addresses are not the process's, the function puts its
     * own in place of those of the buffers. */
    uint8_t *parameters;
    uint32_t parameters_size;
    uint32_t buffers_count;
    struct warp_kernel_buffer *buffers;
    char *why; /* room for one clause, for what it declines and what fails, cut to why_size bytes */
    uint32_t why_size;
};

enum warp_kernel_ending {
    WARP_KERNEL_RETURNED, /* the kernel ended, and the buffers have what it left */
    WARP_KERNEL_DECLINED, /* it takes no such kernels: counted, not compared */
    WARP_KERNEL_FAILED    /* a fault of the kernel or of the plugin */
};

/* Returns one of enum warp_kernel_ending. Called from one thread at a time. */
typedef int (*warp_kernel_fn)(struct warp_kernel_launch *launch);
#define WARP_PLUGIN_KERNEL_SYMBOL "warpcheck_kernel_run"

#ifdef __cplusplus
}
#endif

#endif
