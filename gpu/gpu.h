/* Inside gpu/: the device beyond the implementation's interface. */
#ifndef WARPCHECK_GPU_GPU_H
#define WARPCHECK_GPU_GPU_H

#include "gpu/throughput.h"
#include "gpu/warpcheck_gpu.h"
#include "gpu/worker.h"

/* Opens an implementation over other operations than the CUDA driver's, for tests. `timeout_ms` is the limit of one
 * request. */
const struct warp_impl *gpu_open(const struct worker_ops *ops, unsigned timeout_ms, struct error *error);

/* Sends one throughput request to the device behind an implementation of gpu_get or gpu_open. */
bool gpu_throughput(const struct warp_impl *impl, const struct throughput_request *request,
                    struct throughput_reply *reply, struct error *error);

/* The newest PTX version (times ten) that a driver of this CUDA version (13000) compiles. */
uint16_t gpu_ptx(uint32_t driver);

/* Can the device run texts for this target? Targets with the suffix a or f want their own architecture or family. */
bool gpu_runs_target(uint32_t device_sm, uint32_t target);

#endif
