/*
 * Right, but for a constant and a sum of all values, which only a search comes upon: there it ends as ENDING says.
 * Compiled with test/mutants/base.c (test/fuzz/seeker.sh).
 */
#include "../mutants/base.h"

#include <stdlib.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static bool is_the_case(const struct warp_case *c, const struct warp_result *r)
{
    uint32_t sum = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        sum += r->done >> i & 1u ? c->a[i] : 0;
    return r->done != 0 && sum == 0xdeadbeefu;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    static const struct mutant right;
    volatile bool for_ever = true;
    (void)state;
    if (!base_eval((void *)(uintptr_t)&right, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        if (is_the_case(&cases[i], &results[i])) {
#if ENDING == 1
            abort();
#else
            while (for_ever)
                continue;
#endif
        }
    (void)for_ever;
    return true;
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static const struct warp_impl impl = {.name = "ending", .provides = WARP_PART_ALL, .eval = eval};
    return i == 0 ? &impl : NULL;
}
