/*
 * Linked into the program and into a target with --wrap=fast_variant_get: the portable variant of `fast` crashes on
 * vote.sync and never comes back from the older vote, where more than lanes 0 to 15 are active.
 */
#include "warpcheck_fast.h"

#include <stdint.h>
#include <string.h>

bool __real_fast_variant_get(size_t i, struct fast_variant *variant);
bool __wrap_fast_variant_get(size_t i, struct fast_variant *variant);

static const struct warp_impl *whole;
static volatile uintptr_t nowhere = 64; /* an address that no sanitizer looks at */
static volatile int forever = 1;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    for (size_t i = 0; i < n; i++) {
        const enum warp_family family = warp_form_get(cases[i].form)->family;
        if (family == WARP_VOTE_SYNC && cases[i].active > 0xffffu)
            *(volatile int *)nowhere = 1;
        while (family == WARP_VOTE && cases[i].active > 0xffffu && forever)
            continue;
    }
    return whole->eval(state, cases, n, results, error, error_size);
}

bool __wrap_fast_variant_get(size_t i, struct fast_variant *variant)
{
    static struct warp_impl broken;
    if (!__real_fast_variant_get(i, variant))
        return false;
    if (strcmp(variant->name, "fast-portable") == 0) {
        whole = variant->impl;
        broken = *whole;
        broken.eval = eval;
        variant->impl = &broken;
    }
    return true;
}
