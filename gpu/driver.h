/* The CUDA driver, as the work of a child process (worker.h). */
#ifndef WARPCHECK_GPU_DRIVER_H
#define WARPCHECK_GPU_DRIVER_H

#include "gpu/launch.h"
#include "gpu/worker.h"

/* NULL in a build without the declarations of the CUDA driver. */
const struct worker_ops *driver_ops(void);
const struct launch_ops *driver_launch_ops(void);

/* The newest PTX version (times ten) that a driver of this CUDA version (13000) compiles. */
uint16_t driver_ptx(uint32_t driver);

/* Can the device run texts for this target? Targets with the suffix a or f want their own architecture or family. */
bool driver_runs_target(uint32_t device_sm, uint32_t target);

#endif
