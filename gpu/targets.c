/* The targets and PTX versions that a device and a driver accept. */
#include "gpu/driver.h"

/* CUDA 11.x compiles PTX 7.x, CUDA 12.x PTX 8.x with one version skipped (12.6 still has 8.5), CUDA 13.x PTX 9.x. */
uint16_t driver_ptx(uint32_t driver)
{
    const uint32_t major = driver / 1000;
    const uint32_t minor = driver % 1000 / 10;
    if (major < 10)
        return 60;
    if (major == 10)
        return (uint16_t)(63 + minor);
    if (major == 12 && minor > 5)
        return (uint16_t)(80 + minor - 1);
    return (uint16_t)((major - 4) * 10 + minor);
}

bool driver_runs_target(uint32_t device_sm, uint32_t target)
{
    const uint32_t sm = target / 10;
    switch (target % 10) {
    case WARP_SUFFIX_A:
        return sm == device_sm;
    case WARP_SUFFIX_F:
        return sm / 10 == device_sm / 10 && sm <= device_sm;
    default:
        return sm >= 30 && sm <= device_sm;
    }
}
