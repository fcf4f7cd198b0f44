/*
 * Stand-alone reproducers of one case for a GPU: PTX text with a host program, or a CUDA source file.
 *
 * Each function writes text into buf[size] and returns the length of the whole text, as snprintf does. The program
 * prints the answers `expected` beside the observed ones; `parts` says which parts count. A case with lanes that are
 * not done may hang a device: its program says so and starts only with the argument --may-hang.
 */
#ifndef WARPCHECK_EMIT_H
#define WARPCHECK_EMIT_H

#include "warpcheck/warp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The kernel with the case's operands in it: entry `warpcheck_case`, one parameter, the address of 64 words for d and
 * flags. */
size_t emit_ptx(const struct warp_case *c, char *buf, size_t size);
/* A C program that loads `ptx_path` through the CUDA driver (libcuda.so.1, found at run time) and compares. */
size_t emit_ptx_host(const struct warp_case *c, const struct warp_result *expected, uint32_t parts,
                     const char *ptx_path, char *buf, size_t size);
/* A CUDA source file; `nvcc FILE.cu -lcuda` builds it. Forms without .sync carry their PTX as text, which the driver
 * compiles. */
size_t emit_cuda(const struct warp_case *c, const struct warp_result *expected, uint32_t parts, char *buf, size_t size);

#ifdef __cplusplus
}
#endif

#endif
