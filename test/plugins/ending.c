/*
 * A plugin whose implementations answer as `fast` does, but for the cases in which exactly lanes 0 and 1 are active and
 * those in which more than lanes 0 to 15 are: these end each in its own way.
 */
#include "warpcheck_fast.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);

const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

#define LAST_WRONG 60u

enum way { SEGV, EXIT, HANG, ERROR, REFUSES, WRONG_FIRST, ACCEPTS };

static volatile uintptr_t nowhere = 64; /* an address that no sanitizer looks at */
static volatile int forever = 1;

static bool is_met(const struct warp_case *c)
{
    return c->active == 3 || c->active > 0xffffu;
}

/* Is it answered all the same? */
static bool end(enum way way, char *error, size_t error_size)
{
    switch (way) {
    case SEGV:
        *(volatile int *)nowhere = 1;
        return false;
    case EXIT:
        exit(0);
    case HANG:
        while (forever)
            continue;
        return false;
    case ERROR:
        snprintf(error, error_size, "device lost");
        return false;
    case ACCEPTS:
    case REFUSES:
    case WRONG_FIRST:
        break;
    }
    return true;
}

/* Of WRONG_FIRST they are answered wrongly, and one of them ends it, when the first is being reduced. */
static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    static unsigned wrong;
    const enum way way = *(const enum way *)state;
    const struct warp_impl *const fast = fast_portable_get();
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (!is_met(&cases[i]))
            continue;
        if (way != WRONG_FIRST && !end(way, error, error_size))
            return false;
        if (way == WRONG_FIRST && ++wrong == LAST_WRONG && !end(SEGV, error, error_size))
            return false;
        if (way == WRONG_FIRST && warp_form_get(cases[i].form)->family != WARP_ACTIVEMASK)
            results[i].d[31] ^= (uint32_t)cases[i].active | 1u;
    }
    return true;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const enum way way = *(const enum way *)state;
    if (way == ACCEPTS && is_met(c))
        exit(0);
    if (way != REFUSES || !is_met(c))
        return true;
    snprintf(why, why_size, "not these lanes");
    return false;
}

static const enum way ways[] = {SEGV, EXIT, HANG, ERROR, REFUSES, WRONG_FIRST, ACCEPTS};
static const char *const names[] = {"segv", "exit", "hang", "error", "refuses", "wrong-first", "accepts"};
#define WAYS (sizeof ways / sizeof ways[0])

const struct warp_impl *warpcheck_implementation(size_t i)
{
    static struct warp_impl impls[WAYS];
    if (i >= WAYS)
        return NULL;
    impls[i] = (struct warp_impl){.name = names[i],
                                  .description = "",
                                  .provides = WARP_PART_ALL,
                                  .state = (void *)(uintptr_t)&ways[i],
                                  .accepts = accepts,
                                  .eval = eval};
    return &impls[i];
}
