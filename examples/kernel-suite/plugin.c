/*
 * A plugin that executes whole kernels: your emulator in warpcheck's hands (docs/kernel-suite.md).
 *
 *     cc -shared -fPIC -I.../include -o mine.so plugin.c mine.c
 *     warpcheck fuzz --target kernel --impl ./mine.so
 *
 * mine.c has the one function that is declared below. Its kernels read and write the memory of this process, as an
 * emulator's do on a CPU; where addresses are others, copy the buffers and put yours into the parameters.
 */
#include "warpcheck/kernel.h"

#include <stdio.h>

/* Yours: launches the entry of the module. 0: it ended; 1: it has an instruction that is not known; else it failed. */
int emulator_launch(const char *ptx, const char *entry, const uint32_t grid[3], const uint32_t block[3],
                    uint32_t shared_bytes, const void *parameters, uint32_t parameters_size);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

int warpcheck_kernel_run(struct warp_kernel_launch *l)
{
    const int status =
        emulator_launch(l->ptx, l->entry, l->grid, l->block, l->shared, l->parameters, l->parameters_size);
    if (status == 0)
        return WARP_KERNEL_RETURNED;
    snprintf(l->why, l->why_size, status == 1 ? "an instruction that is not known" : "status %d", status);
    return status == 1 ? WARP_KERNEL_DECLINED : WARP_KERNEL_FAILED;
}
