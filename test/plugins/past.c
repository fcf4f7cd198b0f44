/*
 * A plugin whose implementation is right, and writes one result behind those that it was given.
 */
#include "warpcheck_fast.h"

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    if (n > 1) /* callers that ask one case may have room for one */
        results[n] = results[0];
    return true;
}

static const struct warp_impl impl = {
    .name = "past", .description = "writes behind its results", .provides = WARP_PART_ALL, .eval = eval};

const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i == 0 ? &impl : NULL;
}
