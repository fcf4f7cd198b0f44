/*
 * A mutated `fast` as a plugin: the variant whose source was changed, MUTANT_VARIANT. Half of the cases are answered by
 * cases, the other half by batches of the cheapest shape; which half a case is in depends on the case alone, so that a
 * mistake in either shows, and shows again.
 */
#include "fuzz/shapes.h"
#include "warpcheck_fast.h"

#include <string.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

#define TOGETHER 64u

static const struct warp_impl *variant;

static bool in_second_half(const struct warp_case *c)
{
    uint32_t sum = c->active ^ c->exited;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        sum = (sum ^ c->a[lane] ^ c->b[lane] ^ c->c[lane] ^ c->membermask[lane]) * 0x9e3779b1u;
    return sum >> 31 != 0;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    static struct warp_result other[TOGETHER];
    (void)state;
    if (!variant->eval(variant->state, cases, n, results, error, error_size))
        return false;
    for (size_t first = 0; first < n; first += TOGETHER) {
        size_t count = n - first < TOGETHER ? n - first : TOGETHER;
        memset(other, 0xa5, sizeof other);
        if (!shapes_eval(variant, cases + first, count, other, error, error_size))
            return false;
        for (size_t i = 0; i < count; i++)
            if (in_second_half(&cases[first + i]))
                results[first + i] = other[i];
    }
    return true;
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static const struct warp_impl impl = {
        .name = "mutant", .description = "a mutated fast", .provides = WARP_PART_ALL, .eval = eval};
    struct fast_variant v;
    if (i > 0)
        return NULL;
    for (size_t k = 0; fast_variant_get(k, &v); k++)
        if (strcmp(v.name, MUTANT_VARIANT) == 0)
            variant = v.impl;
    return variant != NULL ? &impl : NULL;
}
