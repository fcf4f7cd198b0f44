/*
 * A plugin with batches: each implementation answers cases rightly; asked for batches, all but "right" make one
 * mistake.
 */
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
bool warpcheck_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct warp_impl *fast = fast_portable_get();
    const size_t page = 4096, begin = (uintptr_t)cases & ~(page - 1), end = (uintptr_t)(cases + n);
    if (state != NULL && n > 0 && mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE) == 0)
        for (size_t i = 0; i < n; i++)
            memset(((struct warp_case *)(uintptr_t)cases)[i].b, 0, sizeof cases[i].b);
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
    IMPL("forges-operands", "asks another b, which it writes into the batch"),
    {.name = "forges-cases",
     .description = "asks another b, which it writes into the cases",
     .provides = WARP_PART_ALL,
     .state = "",
     .eval = eval},
    IMPL("wrong-tail", "the last rows of a batch larger than the caches are those of the step before"),
};

static volatile uint32_t sink; /* so that a read stays */

/* Makes the operand's pages writable again, and all of it 0. */
static void forge(const struct warp_column *column, size_t n)
{
    const size_t page = 4096, row = column->per_warp ? 1 : WARP_LANES;
    const uintptr_t begin = (uintptr_t)column->values & ~(page - 1);
    const uintptr_t end = (uintptr_t)(column->values + (n - 1) * column->stride + row);
    if (mprotect((void *)begin, end - begin, PROT_READ | PROT_WRITE) != 0)
        return;
    for (size_t w = 0; w < n; w++)
        memset((void *)(uintptr_t)(column->values + w * column->stride), 0, row * sizeof *column->values);
}

bool warpcheck_batch_eval(const struct warp_impl *impl, const struct warp_batch *batch, char *error, size_t error_size)
{
    struct warp_batch b = *batch;
    const struct warp_column *a = &b.a;
    if (strcmp(impl->name, "reads-behind") == 0 && a->values != NULL && !a->per_warp && b.n > 0)
        sink = a->values[(b.n - 1) * a->stride + WARP_LANES];
    if (strcmp(impl->name, "wrong-stride") == 0 && b.active.stride == 2)
        b.active.stride = 1;
    if (strcmp(impl->name, "forges-operands") == 0 && b.b.values != NULL && b.n > 0)
        forge(&b.b, b.n);
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
