/*
 * A plugin whose implementations answer as `fast` does, but take their time: some milliseconds a case. Some of them are
 * wrong besides, or never come back from some cases.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "warpcheck_fast.h"

#include <stdint.h>
#include <time.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

struct manner {
    unsigned ms;         /* that each case takes */
    lanemask wrong_from; /* the answer is wrong where active is at least this; 0: never */
    lanemask hangs_from; /* and does not come back where it is at least this; 0: never */
    lanemask seldom;     /* nor where it leaves 7 when divided by this; 0: never */
};

static volatile int forever = 1;

static bool comes_back(const struct manner *manner, const struct warp_case *c)
{
    return (manner->hangs_from == 0 || c->active < manner->hangs_from) &&
           (manner->seldom == 0 || c->active % manner->seldom != 7);
}

static void take_time(const struct manner *manner, const struct warp_case *c)
{
    const struct timespec pause = {manner->ms / 1000, (long)(manner->ms % 1000) * 1000000};
    if (manner->ms > 0)
        nanosleep(&pause, NULL);
    while (!comes_back(manner, c) && forever)
        continue;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct manner *const manner = state;
    const struct warp_impl *const fast = fast_portable_get();
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        take_time(manner, &cases[i]);
        if (manner->wrong_from != 0 && cases[i].active >= manner->wrong_from)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                results[i].d[lane] ^= 1u;
    }
    return true;
}

static const struct {
    const char *name;
    struct manner manner;
} ways[] = {{"slow8", {8, 0, 0, 0}},          {"slow8-wrong", {8, 0x10000, 0, 0}},   {"slow30", {30, 0, 0, 0}},
            {"slow100", {100, 0, 0, 0}},      {"slow5000", {5000, 0, 0, 0}},         {"hang", {0, 0, 0xf0000000u, 0}},
            {"hang-seldom", {0, 0, 0, 1021}}, {"slow8-hang", {8, 0, 0xf0000000u, 0}}};
#define WAYS (sizeof ways / sizeof ways[0])

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static struct warp_impl impls[WAYS];
    if (i >= WAYS)
        return NULL;
    impls[i].name = ways[i].name;
    impls[i].description = "";
    impls[i].provides = WARP_PART_D | WARP_PART_OUTCOME;
    impls[i].state = (void *)(uintptr_t)&ways[i].manner;
    impls[i].eval = eval;
    return &impls[i];
}
