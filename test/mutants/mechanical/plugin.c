/*
 * A mutated `fast` as a plugin: the variant whose source was changed, MUTANT_VARIANT, or the portable one.
 */
#include "warpcheck_fast.h"

#include <string.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

const struct warp_impl *warpcheck_implementation(size_t i)
{
    struct fast_variant variant;
    if (i > 0)
        return NULL;
    for (size_t k = 0; fast_variant_get(k, &variant); k++)
        if (strcmp(variant.name, MUTANT_VARIANT) == 0)
            return variant.impl;
    return NULL;
}
