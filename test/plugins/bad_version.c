/* A plugin of another version of the interface: nothing in it may be called. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

extern const uint32_t warpcheck_abi_version;
const void *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = 999;

const void *warpcheck_implementation(size_t i)
{
    (void)i;
    abort();
}
