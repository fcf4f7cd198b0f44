/*
 * Linked into a target with --wrap=fast_variant_get: `fast` has two variants, of which the second inverts the votes of
 * warps of more than 16 lanes.
 */
#include "warpcheck_fast.h"

bool __real_fast_variant_get(size_t i, struct fast_variant *variant);
bool __wrap_fast_variant_get(size_t i, struct fast_variant *variant);

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct warp_impl *const fast = fast_portable_get();
    if (!fast->eval(state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        if (warp_form_get(cases[i].form)->op == WARP_ALL && cases[i].active > 0xffffu)
            results[i].p ^= cases[i].active;
    return true;
}

bool __wrap_fast_variant_get(size_t i, struct fast_variant *variant)
{
    static struct warp_impl second;
    if (i >= 2)
        return false;
    variant->name = i == 0 ? "fast-portable" : "fast-second";
    variant->unavailable = NULL;
    second = *fast_portable_get();
    second.name = "fast-second";
    second.eval = eval;
    variant->impl = i == 0 ? fast_portable_get() : &second;
    return true;
}
