/*
 * A plugin whose implementations keep something: "neighbour" from one case of a call to the next, "counter" between
 * calls.
 */
#include "warpcheck_fast.h"

#include <stdint.h>

#define SELDOM 30011u /* cases between two wrong answers of "counter" */

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static uint64_t answered;

static void flip(struct warp_result *result)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        result->d[lane] ^= 1u;
}

static bool eval_neighbour(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                           char *error, size_t error_size)
{
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 1; i < n; i++)
        if (cases[i - 1].a[0] > 100 && cases[i].a[0] <= 100)
            flip(&results[i]);
    return true;
}

static bool eval_counter(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        if (++answered % SELDOM == 0)
            flip(&results[i]);
    return true;
}

static const struct warp_impl impls[] = {{.name = "neighbour",
                                          .description = "takes something of the case before in the same call",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval_neighbour},
                                         {.name = "counter",
                                          .description = "wrong once in a while, whatever the case",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval_counter}};

const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i < sizeof impls / sizeof impls[0] ? &impls[i] : NULL;
}
