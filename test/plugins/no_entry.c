/* A plugin of the right version without implementations. */
#include "warpcheck/impl.h"

extern const uint32_t warpcheck_abi_version;
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;
