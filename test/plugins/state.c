/*
 * A plugin whose implementations keep something: "neighbour" from one case of a call to the next, the others between
 * calls.
 */
#include "warpcheck_fast.h"

#include <stdint.h>
#include <string.h>
#include <time.h>

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

static bool eval_hundredth(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                           char *error, size_t error_size)
{
    static unsigned asked;
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        if (++asked % 100 == 0)
            flip(&results[i]);
    return true;
}

static bool eval_memo(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                      size_t error_size)
{
    static uint32_t mask, b, d[WARP_LANES];
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (cases[i].active == mask && cases[i].b[0] == b)
            memcpy(results[i].d, d, sizeof d);
        mask = cases[i].active;
        b = cases[i].b[0];
        memcpy(d, results[i].d, sizeof d);
    }
    return true;
}

/* The first call of all takes 0. */
static bool eval_late_c(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                        size_t error_size)
{
    static uint32_t before[WARP_LANES];
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct warp_case c = cases[i];
        memcpy(c.c, before, sizeof before);
        memcpy(before, cases[i].c, sizeof before);
        if (!fast->eval(fast->state, &c, 1, &results[i], error, error_size))
            return false;
    }
    return true;
}

/* The first case of all is right. What is wrong afterwards looks as if c were misread. */
static bool eval_first_c(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    static uint32_t first[WARP_LANES];
    static bool known;
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct warp_case c = cases[i];
        if (!known)
            memcpy(first, c.c, sizeof first);
        known = true;
        memcpy(c.c, first, sizeof first);
        if (!fast->eval(fast->state, &c, 1, &results[i], error, error_size))
            return false;
    }
    return true;
}

/* Out of range it leaves something of the last lane in range, of whatever call that was; it is right before any. */
static bool eval_leftover(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                          char *error, size_t error_size)
{
    static uint32_t kept; /* odd, but for the first time */
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct warp_case c = cases[i];
        c.dst = WARP_DST_D_P;
        if (!fast->eval(fast->state, &c, 1, &results[i], error, error_size))
            return false;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((results[i].done & results[i].p) >> lane & 1u)
                kept = results[i].d[lane] | 1u;
            else
                results[i].d[lane] ^= kept;
    }
    return true;
}

/* Out of range d stays what the last call left in the lane's register, at first 0. */
static bool eval_unwritten(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                           char *error, size_t error_size)
{
    static uint32_t registers[WARP_LANES];
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct warp_case c = cases[i];
        c.dst = WARP_DST_D_P;
        if (!fast->eval(fast->state, &c, 1, &results[i], error, error_size))
            return false;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((results[i].done & results[i].p) >> lane & 1u)
                registers[lane] = results[i].d[lane];
            else
                results[i].d[lane] = registers[lane];
    }
    return true;
}

/* The segments of a call are those that the call before set, at first the whole warp. */
static bool eval_latched(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    static uint32_t latched;
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    for (size_t i = 0; i < n; i++) {
        struct warp_case c = cases[i];
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c.c[lane] = (c.c[lane] & ~0x1f00u) | latched;
        latched = cases[i].c[0] & 0x1f00u;
        if (!fast->eval(fast->state, &c, 1, &results[i], error, error_size))
            return false;
    }
    return true;
}

/* Wrong where lane 5 holds what it held in the case before: one asked for again is always wrong. */
static bool eval_repeat(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                        size_t error_size)
{
    static uint32_t before;
    const struct warp_impl *fast = fast_portable_get();
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (cases[i].a[5] == before && before > 7)
            flip(&results[i]);
        before = cases[i].a[5];
    }
    return true;
}

/* Wrong in some cases, in each process in others. */
static bool eval_random(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                        size_t error_size)
{
    static uint64_t seed;
    const struct warp_impl *fast = fast_portable_get();
    struct timespec now;
    (void)state;
    if (!fast->eval(fast->state, cases, n, results, error, error_size))
        return false;
    if (seed == 0 && timespec_get(&now, TIME_UTC) != 0)
        seed = (uint64_t)now.tv_nsec | 1u;
    for (size_t i = 0; i < n; i++) {
        seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        if (seed >> 60 == 0)
            flip(&results[i]);
    }
    return true;
}

static const struct warp_impl impls[] = {{.name = "neighbour",
                                          .description = "takes something of the case before in the same call",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval_neighbour},
                                         {.name = "counter",
                                          .description = "wrong once in a while, whatever the case",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval_counter},
                                         {.name = "hundredth",
                                          .description = "wrong in every 100th case",
                                          .provides = WARP_PART_ALL,
                                          .eval = eval_hundredth},
                                         {.name = "memo",
                                          .description = "remembers d while the active lanes and b stay",
                                          .provides = WARP_PART_D,
                                          .eval = eval_memo},
                                         {.name = "late_c",
                                          .description = "takes c of the case before",
                                          .provides = WARP_PART_D | WARP_PART_P,
                                          .eval = eval_late_c},
                                         {.name = "first_c",
                                          .description = "takes c of the first case of all",
                                          .provides = WARP_PART_D | WARP_PART_P,
                                          .eval = eval_first_c},
                                         {.name = "leftover",
                                          .description = "out of range it gives what came before",
                                          .provides = WARP_PART_D,
                                          .eval = eval_leftover},
                                         {.name = "unwritten",
                                          .description = "out of range d stays what the last call left there",
                                          .provides = WARP_PART_D,
                                          .eval = eval_unwritten},
                                         {.name = "latched",
                                          .description = "takes the segments of the call before",
                                          .provides = WARP_PART_D | WARP_PART_P,
                                          .eval = eval_latched},
                                         {.name = "repeat",
                                          .description = "wrong where lane 5 holds what it held before",
                                          .provides = WARP_PART_D | WARP_PART_P,
                                          .eval = eval_repeat},
                                         {.name = "random",
                                          .description = "wrong in some cases, in each process in others",
                                          .provides = WARP_PART_D | WARP_PART_P,
                                          .eval = eval_random}};

const struct warp_impl *warpcheck_implementation(size_t i)
{
    return i < sizeof impls / sizeof impls[0] ? &impls[i] : NULL;
}
