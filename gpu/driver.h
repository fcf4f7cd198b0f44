/* The CUDA driver, as the work of a child process (worker.h). */
#ifndef WARPCHECK_GPU_DRIVER_H
#define WARPCHECK_GPU_DRIVER_H

#include "gpu/launch.h"
#include "gpu/worker.h"

/* NULL in a build without the declarations of the CUDA driver. */
const struct worker_ops *driver_ops(void);
const struct launch_ops *driver_launch_ops(void);

#endif
