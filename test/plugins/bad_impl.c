/* A plugin whose second implementation lacks eval. */
#include "warpcheck/impl.h"

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    (void)state;
    (void)cases;
    (void)n;
    (void)results;
    (void)error;
    (void)error_size;
    return false;
}

static const struct warp_impl impls[] = {
    {.name = "good", .description = "", .provides = WARP_PART_D, .eval = eval},
    {.name = "bad", .description = "", .provides = WARP_PART_D},
};

const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i < sizeof impls / sizeof impls[0] ? &impls[i] : NULL;
}
