#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "gpu/launch.h"

#include "base/clock.h"
#include "base/process.h"
#include "gpu/driver.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *launch_ending_name(enum launch_ending ending)
{
    switch (ending) {
    case LAUNCH_RETURNED:
        return "returned";
    case LAUNCH_HUNG:
        return "hung";
    case LAUNCH_FAULTED:
        return "faulted";
    case LAUNCH_UNABLE:
        return "unable";
    }
    return "";
}

/* Shared with the child, behind it the `after` of all regions. */
struct board {
    _Atomic uint32_t started; /* 1: the device is there */
    _Atomic uint32_t done;    /* launches that have a result */
    _Atomic uint32_t trying;  /* launches before this one are tried as groups; */
    uint32_t single;          /* those before this one run one by one, after a group has failed */
    struct gpu_info info;
    struct error error;
    struct result {
        enum launch_ending ending;
        char why[160];
    } results[];
};

struct runner {
    const struct launch_ops *ops;
    struct launch *launches;
    uint32_t count;
    struct board *board;
    size_t board_size;
    uint8_t **after; /* per launch: where its regions are in the board */
    double seconds;
};

static size_t bytes_of(const struct launch *launch)
{
    size_t bytes = 0;
    for (uint32_t n = 0; n < launch->regions_count; n++)
        bytes += ((size_t)launch->regions[n].size + 15) / 16 * 16;
    return bytes;
}

static bool make_board(struct runner *r, struct error *error)
{
    size_t head = (sizeof *r->board + r->count * sizeof r->board->results[0] + 15) / 16 * 16, size = head;
    for (uint32_t n = 0; n < r->count; n++)
        size += bytes_of(&r->launches[n]);
    void *board = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    r->after = calloc(r->count + 1, sizeof *r->after);
    if (board == MAP_FAILED || !r->after) {
        free(r->after);
        return error_set(error, ERROR_SYSTEM, "out of memory for %zu bytes of results", size);
    }
    r->board = board;
    r->board_size = size;
    uint8_t *at = (uint8_t *)board + head;
    for (uint32_t n = 0; n < r->count; n++) {
        r->after[n] = at;
        at += bytes_of(&r->launches[n]);
    }
    return true;
}

#define GROUP_MAX 256u

/* How many launches from `first` on can run at once. */
static uint32_t group_of(const struct runner *r, uint32_t first)
{
    const struct launch *l = &r->launches[first];
    uint32_t n = first;
    if (!r->ops->run_group || first < r->board->single)
        return 1;
    while (n < r->count && n - first < GROUP_MAX && r->launches[n].ptx == l->ptx && r->launches[n].level == l->level &&
           !r->launches[n].alone) {
        for (uint32_t k = 0; k < r->launches[n].regions_count; k++)
            if (r->launches[n].regions[k].variable)
                return n > first ? n - first : 1;
        n++;
    }
    return n > first ? n - first : 1;
}

/* In the child: regions are answered into the board. */
static void aim(struct runner *r, uint32_t n)
{
    struct launch *l = &r->launches[n];
    uint8_t *at = r->after[n];
    for (uint32_t k = 0; k < l->regions_count; k++) {
        l->regions[k].after = at;
        at += ((size_t)l->regions[k].size + 15) / 16 * 16;
    }
    l->ending = LAUNCH_UNABLE;
    l->why[0] = '\0';
}

static void note(struct runner *r, uint32_t n)
{
    const struct launch *l = &r->launches[n];
    r->board->results[n].ending = l->ending;
    memcpy(r->board->results[n].why, l->why, sizeof l->why);
}

/* Several at once. When that fails, the child ends, and its successor runs them one by one. */
static void run_group(struct runner *r, uint32_t first, uint32_t count)
{
    atomic_store(&r->board->trying, first + count);
    for (uint32_t n = first; n < first + count; n++)
        aim(r, n);
    if (!r->ops->run_group(&r->launches[first], count, r->seconds))
        _exit(0);
    for (uint32_t n = first; n < first + count; n++)
        note(r, n);
    atomic_store(&r->board->done, first + count);
}

/* The child: launches one after the other from `first` on, until one says that the context is lost. */
static void run_child(struct runner *r, uint32_t first)
{
    signal(SIGINT, SIG_IGN); /* the parent decides */
    if (!r->ops->start(&r->board->info, &r->board->error))
        _exit(1);
    atomic_store(&r->board->started, 1);
    for (uint32_t n = first, count; n < r->count; n += count) {
        struct launch *l = &r->launches[n];
        count = group_of(r, n);
        if (count > 1) {
            run_group(r, n, count);
            continue;
        }
        if (l->alone && n > first)
            break;
        aim(r, n);
        r->ops->run(l, r->seconds);
        note(r, n);
        atomic_store(&r->board->done, n + 1);
        if (l->alone || l->ending == LAUNCH_FAULTED || l->ending == LAUNCH_HUNG)
            break;
    }
    _exit(0);
}

static void take(struct runner *r, uint32_t n)
{
    struct launch *l = &r->launches[n];
    const uint8_t *at = r->after[n];
    l->ending = r->board->results[n].ending;
    memcpy(l->why, r->board->results[n].why, sizeof l->why);
    for (uint32_t k = 0; k < l->regions_count; k++) {
        if (l->ending == LAUNCH_RETURNED)
            memcpy(l->regions[k].after, at, (size_t)l->regions[k].size);
        at += ((size_t)l->regions[k].size + 15) / 16 * 16;
    }
}

/* Waits for the child while it makes progress. The launch that made none has hung. */
static struct process_end watch(struct runner *r, pid_t child)
{
    uint32_t seen = atomic_load(&r->board->done);
    double start = clock_seconds(), limit = 2 * r->ops->grace + r->seconds;
    for (;;) {
        struct process_end end = process_wait(child, clock_seconds() + 0.02);
        uint32_t done = atomic_load(&r->board->done);
        if (end.ending != PROCESS_RUNS)
            return end;
        if (done != seen) {
            seen = done;
            start = clock_seconds();
            limit = r->ops->grace + r->seconds;
        }
        if (clock_seconds() - start > limit) {
            process_signal(child, SIGKILL);
            return process_wait(child, clock_seconds() + 30); /* a device may be slow to let go of it */
        }
    }
}

static bool run_from(struct runner *r, uint32_t first, struct error *error)
{
    struct board *b = r->board;
    atomic_store(&b->started, 0);
    atomic_store(&b->done, first);
    error_clear(&b->error);
    pid_t child = process_fork(error);
    if (child < 0)
        return false;
    if (child == 0)
        run_child(r, first);
    struct process_end end = watch(r, child);
    uint32_t done = atomic_load(&b->done);
    if (!atomic_load(&b->started))
        return error_set(error, ERROR_UNAVAILABLE, "%s",
                         b->error.text[0] ? b->error.text
                                          : "the process that drives the device ended or hung at its start");
    const uint32_t trying = atomic_load(&b->trying);
    if (trying > done && trying > b->single) {
        b->single = trying; /* a group has failed: one by one now */
        return true;
    }
    if (done == first) { /* it neither came back nor failed: killed, or ended by a signal */
        struct error why = {0};
        bool hung = end.ending == PROCESS_RUNS || (end.ending == PROCESS_SIGNALED && end.number == SIGKILL);
        process_explain(end, &why);
        b->results[first].ending = hung ? LAUNCH_HUNG : LAUNCH_FAULTED;
        snprintf(b->results[first].why, sizeof b->results[first].why, "%.150s", hung ? "" : why.text);
        atomic_store(&b->done, first + 1);
    }
    return true;
}

bool launch_all(const struct launch_ops *ops, struct launch *launches, uint32_t count, double seconds,
                struct gpu_info *info, struct error *error)
{
    struct runner r = {
        .ops = ops ? ops : driver_launch_ops(), .launches = launches, .count = count, .seconds = seconds};
    if (!r.ops)
        return error_set(error, ERROR_UNAVAILABLE, "built without the declarations of the CUDA driver");
    bool ok = make_board(&r, error);
    if (!ok)
        return false;
    for (uint32_t n = 0; ok && n < count;) {
        ok = run_from(&r, n, error);
        for (uint32_t done = atomic_load(&r.board->done); ok && n < done; n++)
            take(&r, n);
    }
    *info = r.board->info;
    munmap(r.board, r.board_size);
    free(r.after);
    return ok;
}

bool launch_here(const struct launch_ops *ops, struct launch *launches, uint32_t count, double seconds,
                 struct gpu_info *info, struct error *error)
{
    static struct gpu_info device;
    static bool started, lost;
    static char *text; /* of the last module, which the driver's process knows by this address */
    const char *of = NULL;
    ops = ops ? ops : driver_launch_ops();
    if (!ops)
        return error_set(error, ERROR_UNAVAILABLE, "built without the declarations of the CUDA driver");
    if (!started && !ops->start(&device, error))
        return false;
    started = true;
    *info = device;
    for (uint32_t n = 0; n < count; n++) {
        struct launch *const l = &launches[n];
        if (lost)
            return error_set(error, ERROR_UNAVAILABLE, "an earlier launch has cost the context");
        if (l->ptx != of) { /* the caller may have put another text at the address of an earlier one */
            char *copy = malloc(strlen(l->ptx) + 1);
            if (!copy)
                return error_set(error, ERROR_SYSTEM, "out of memory");
            of = l->ptx;
            strcpy(copy, of);
            free(text);
            text = copy;
        }
        l->ptx = text;
        l->ending = LAUNCH_UNABLE;
        l->why[0] = '\0';
        ops->run(l, seconds);
        l->ptx = of;
        lost = l->ending == LAUNCH_FAULTED || l->ending == LAUNCH_HUNG;
    }
    return true;
}
