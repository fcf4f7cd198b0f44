/*
 * A real GPU as an implementation: the CUDA driver, loaded at run time, answers cases.
 *
 * All device work is done by a child process, so that a hung or broken launch costs that process and nothing else: the
 * next evaluation starts a fresh one. Only cases in which every active lane is done are accepted (a waiting lane would
 * hang the device).
 */
#ifndef WARPCHECK_GPU_H
#define WARPCHECK_GPU_H

#include "base/error.h"
#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What is known of the device; strings are empty where the driver did not tell. */
struct gpu_info {
    char device[128];     /* "NVIDIA H200" */
    uint32_t sm;          /* compute capability times ten: 90 */
    uint32_t driver;      /* CUDA version of the driver as it counts: 13000 */
    char driver_name[64]; /* version of the kernel driver, "580.159.04" */
    uint32_t multiprocessors;
};

/*
 * The implementation named "gpu", or NULL with one clause in `error` that says why it is UNAVAILABLE (built without the
 * CUDA headers, no driver, no device, driver too old). It provides WARP_PART_D, _P and _OUTCOME; `d_defined` of its
 * results is worked out from the case, not observed. The first call starts the child process; later calls return the
 * same implementation until it is closed.
 */
const struct warp_impl *gpu_get(struct error *error);

/* The device behind an implementation that gpu_get returned. */
const struct gpu_info *gpu_get_info(const struct warp_impl *impl);

#ifdef __cplusplus
}
#endif

#endif
