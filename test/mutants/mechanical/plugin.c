/*
 * A mutated `fast` as a plugin: the variant whose source was changed, MUTANT_VARIANT, with its cases and its batches,
 * as `run` asks it. The second implementation is what fuzz targets ask, who know cases only: it answers half of them by
 * cases, the other half by batches of the cheapest shape; which half a case is in depends on the case alone, so that a
 * mistake in either shows, and shows again.
 */
#define _DEFAULT_SOURCE /* mmap, MAP_ANONYMOUS */
#include "check/impl/fast_batch.h"
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
bool warpcheck_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size);

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

/* Room for n cases that ends at a page that nobody may read: who reads on ends the process. */
static struct warp_case *guarded(size_t n)
{
    static char *end;
    const size_t room = 64 * 4096;
    if (end == NULL) {
        char *at = mmap(NULL, room + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (at == MAP_FAILED || mprotect(at + room, 4096, PROT_NONE) != 0)
            abort();
        end = at + room;
    }
    return (struct warp_case *)(void *)(end - n * sizeof(struct warp_case));
}

/* Answers up to TOGETHER cases. Behind the results stands a guard: who writes there ends the process. */
static bool eval_some(const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    static struct warp_result by_case[TOGETHER + 1], by_batch[TOGETHER + 1], guard;
    struct warp_case *copies = guarded(n);
    memcpy(copies, cases, n * sizeof *copies);
    memset(by_case, 0xa5, sizeof by_case);
    memset(by_batch, 0xa5, sizeof by_batch);
    memset(&guard, 0xa5, sizeof guard);
    if (!variant->eval(variant->state, copies, n, by_case, error, error_size) ||
        !impl_fast_batch_eval(variant, copies, n, by_batch, error, error_size))
        return false;
    if (memcmp(&by_case[n], &guard, sizeof guard) != 0 || memcmp(&by_batch[n], &guard, sizeof guard) != 0)
        abort();
    for (size_t i = 0; i < n; i++)
        results[i] = in_second_half(&cases[i]) ? by_batch[i] : by_case[i];
    return true;
}

static bool eval_both(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    (void)state;
    for (size_t first = 0; first < n; first += TOGETHER) {
        size_t count = n - first < TOGETHER ? n - first : TOGETHER;
        if (!eval_some(cases + first, count, results + first, error, error_size))
            return false;
    }
    return true;
}

static bool eval_cases(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                       size_t error_size)
{
    (void)state;
    return variant->eval(variant->state, cases, n, results, error, error_size);
}

bool warpcheck_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size)
{
    (void)impl;
    return fast_batch_eval(variant, batch, error, error_size);
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static const struct warp_impl impls[] = {
        {.name = "mutant", .description = "a mutated fast", .provides = WARP_PART_ALL, .eval = eval_cases},
        {.name = "mutant-shapes",
         .description = "the same, cases and batches by turns",
         .provides = WARP_PART_ALL,
         .eval = eval_both}};
    struct fast_variant v;
    for (size_t k = 0; variant == NULL && fast_variant_get(k, &v); k++)
        if (strcmp(v.name, MUTANT_VARIANT) == 0)
            variant = v.impl;
    return variant != NULL && i < sizeof impls / sizeof impls[0] ? &impls[i] : NULL;
}
