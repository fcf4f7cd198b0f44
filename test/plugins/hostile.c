/* A plugin whose implementations misbehave, each in its own way, at a case with the active lanes 6. */
#define _POSIX_C_SOURCE 200809L

#include "warpcheck/impl.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern const uint32_t warpcheck_abi_version;
const struct warp_impl *warpcheck_implementation(size_t i);
const uint32_t warpcheck_abi_version = WARP_ABI_VERSION;

static void good(void)
{
}

/* A real fault, at an address that no sanitizer looks at. */
static void segv(void)
{
    static volatile uintptr_t nowhere = 64;
    *(volatile int *)nowhere = 1;
}

static void bus(void)
{
    raise(SIGBUS);
}

static void fpe(void)
{
    raise(SIGFPE);
}

static void ill(void)
{
    raise(SIGILL);
}

static void leave(void)
{
    exit(0);
}

static volatile int forever = 1;

static void hang(void)
{
    while (forever)
        continue;
}

static unsigned descend(unsigned depth)
{
    volatile char room[4096];
    room[depth % sizeof room] = 1;
    return forever ? descend(depth + 1) + (unsigned)room[0] : 0;
}

static void deep(void)
{
    (void)descend(0);
}

static void once(void)
{
    static int before;
    if (before++ == 0)
        segv();
}

/* As if the machine had been busy: the first time takes too long. */
static void late(void)
{
    static int before;
    if (before++ == 0)
        hang();
}

/* A call of several cases hangs, one of the case alone does not. */
static void odd(void)
{
    static int before;
    if (before++ % 2 == 0)
        hang();
}

typedef void (*deed)(void);
static const deed deeds[] = {good, segv, abort, bus, fpe, ill, leave, hang, deep, once, good, late, odd};

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const deed *const d = state;
    (void)error;
    (void)error_size;
    for (size_t i = 0; i < n; i++) {
        memset(&results[i], 0, sizeof results[i]);
        if (cases[i].active == 6)
            (*d)();
        results[i].d[0] = cases[i].active;
    }
    return true;
}

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state;
    (void)why;
    (void)why_size;
    if (c->active == 6)
        segv();
    return false;
}

#define IMPL(word, number)                                                                                             \
    {                                                                                                                  \
        .name = word, .description = "", .provides = WARP_PART_D, .state = (void *)(uintptr_t)&deeds[number],          \
        .eval = eval                                                                                                   \
    }

static const struct warp_impl impls[] = {
    IMPL("good", 0),
    IMPL("segv", 1),
    IMPL("abort", 2),
    IMPL("bus", 3),
    IMPL("fpe", 4),
    IMPL("ill", 5),
    IMPL("exit", 6),
    IMPL("hang", 7),
    IMPL("deep", 8),
    IMPL("once", 9),
    IMPL("late", 11),
    IMPL("odd", 12),
    {.name = "accepts",
     .description = "",
     .provides = WARP_PART_D,
     .state = (void *)(uintptr_t)&deeds[10],
     .accepts = accepts,
     .eval = eval},
};

const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i < sizeof impls / sizeof impls[0] ? &impls[i] : NULL;
}
