/*
 * A plugin with batches: each implementation answers cases rightly; asked for batches, all but "right" make one
 * mistake.
 */
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <string.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
bool warpcheck_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    return fast->eval(fast->state, cases, n, results, error, error_size);
}

#define IMPL(word, text)                                                                                               \
    {                                                                                                                  \
        .name = (word), .description = (text), .provides = WARP_PART_ALL, .eval = eval                                 \
    }
static const struct warp_impl impls[] = {
    IMPL("right", "no mistake"),
    IMPL("reads-behind", "reads the row of a behind the last one"),
    IMPL("writes-behind", "writes the word behind the last row of d"),
    IMPL("wrong-stride", "takes a stride of two words for one"),
    IMPL("wrong-tail", "the last rows of a batch larger than the caches are those of the step before"),
};

static volatile uint32_t sink; /* so that a read stays */

bool warpcheck_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size)
{
    struct warp_batch b = *batch;
    const struct warp_column *a = &b.a;
    if (strcmp(impl->name, "reads-behind") == 0 && a->values != NULL && !a->per_warp && b.n > 0)
        sink = a->values[(b.n - 1) * a->stride + WARP_LANES];
    if (strcmp(impl->name, "wrong-stride") == 0 && b.active.stride == 2)
        b.active.stride = 1;
    if (!fast_batch_eval(fast_portable_get(), &b, error, error_size))
        return false;
    if (strcmp(impl->name, "writes-behind") == 0 && b.d.values != NULL && b.n > 0)
        b.d.values[(b.n - 1) * b.d.stride + WARP_LANES] = 0;
    if (strcmp(impl->name, "wrong-tail") == 0 && b.d.values != NULL && b.n > 100000)
        for (size_t w = b.n - 8; w < b.n; w++) /* some, since in one of them no lane may be done */
            memcpy(b.d.values + w * b.d.stride, b.d.values + (w - 32) * b.d.stride, sizeof(uint32_t[WARP_LANES]));
    return true;
}

const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i < sizeof impls / sizeof impls[0] ? &impls[i] : NULL;
}
