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

bool launch_is_hopeless(const struct launch_past *past)
{
    const uint64_t lost = atomic_load(&past->lost);
    return lost >= LAUNCH_LOST_MOST && lost * LAUNCH_LOST_OF > lost + atomic_load(&past->returned);
}

/* Shared with the child, behind it the `after` of all regions. */
struct board {
    _Atomic uint32_t started; /* 1: the device is there */
    _Atomic uint32_t done;    /* launches that have a result */
    _Atomic uint32_t trying;  /* launches before this one are tried as groups; */
    uint32_t single;          /* those before this one run one by one, after a group has failed */
    _Atomic uint32_t told;    /* a group has failed, and told of one launch that it hung */
    struct gpu_info info;
    struct error error;
    struct result {
        enum launch_ending ending;
        bool is_known; /* before its turn came */
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
    struct launch_past *past; /* or NULL */
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

/* How many launches from `first` on can run at once. */
static uint32_t group_of(const struct runner *r, uint32_t first)
{
    const struct launch *l = &r->launches[first];
    uint32_t n = first;
    if (!r->ops->run_group || first < r->board->single)
        return 1;
    while (n < r->count && n - first < LAUNCH_GROUP_MOST && r->launches[n].ptx == l->ptx &&
           r->launches[n].level == l->level && !r->launches[n].alone && !r->board->results[n].is_known) {
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

/* How long the next one may take. */
static double limit_of(const struct runner *r)
{
    if (r->past == NULL || atomic_load(&r->past->returned) == 0)
        return r->seconds;
    const double limit = (double)atomic_load(&r->past->longest_us) * 1e-6 * LAUNCH_PATIENCE;
    return limit > r->seconds ? r->seconds : limit > r->seconds / 8 ? limit : r->seconds / 8;
}

static void note_longest(_Atomic uint64_t *longest_us, double took)
{
    const uint64_t us = (uint64_t)(took * 1e6);
    uint64_t longest = atomic_load(longest_us);
    while (us > longest && !atomic_compare_exchange_weak(longest_us, &longest, us))
        ;
}

/* Of so many launches, which have returned. */
static void note_past(struct runner *r, uint32_t count, double took, double step_took)
{
    if (r->past == NULL)
        return;
    note_longest(&r->past->longest_us, took);
    note_longest(&r->past->step_us, step_took);
    atomic_fetch_add(&r->past->returned, count);
}

/* The group has failed: what is known of one of it is kept for the successor. */
static _Noreturn void leave_group(struct runner *r, uint32_t first, uint32_t count)
{
    for (uint32_t n = first; n < first + count; n++)
        if (r->launches[n].ending == LAUNCH_HUNG) {
            note(r, n);
            r->board->results[n].is_known = true;
            atomic_store(&r->board->told, 1);
            break;
        }
    _exit(0);
}

/* Several at once. When that fails, the child ends. */
static void run_group(struct runner *r, uint32_t first, uint32_t count)
{
    atomic_store(&r->board->trying, first + count);
    for (uint32_t n = first; n < first + count; n++)
        aim(r, n);
    const double start = clock_seconds();
    if (!r->ops->run_group(&r->launches[first], count, limit_of(r)))
        leave_group(r, first, count);
    note_past(r, count, r->launches[first].took, clock_seconds() - start);
    for (uint32_t n = first; n < first + count; n++)
        note(r, n);
    atomic_store(&r->board->done, first + count);
}

static void run_one(struct runner *r, uint32_t n)
{
    struct launch *const l = &r->launches[n];
    aim(r, n);
    const double start = clock_seconds();
    r->ops->run(l, limit_of(r));
    note(r, n);
    if (l->ending == LAUNCH_RETURNED)
        note_past(r, 1, l->took, clock_seconds() - start);
    atomic_store(&r->board->done, n + 1);
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
        if (r->board->results[n].is_known) {
            atomic_store(&r->board->done, n + 1);
            continue;
        }
        if (count > 1) {
            run_group(r, n, count);
            continue;
        }
        if (l->alone && n > first)
            break;
        run_one(r, n);
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

#define STEP_LEAST_S 5.0

/* How long a step may take: a launch, or a group of them, and compiling before it. */
static double step_limit(const struct runner *r)
{
    const double most = r->ops->grace + r->seconds;
    if (r->past == NULL || atomic_load(&r->past->returned) == 0)
        return most;
    const double longest = (double)atomic_load(&r->past->step_us) * 1e-6 * LAUNCH_PATIENCE;
    const double limit = r->seconds + (longest > STEP_LEAST_S ? longest : STEP_LEAST_S);
    return limit < most ? limit : most;
}

/* Waits for the child while it makes progress. The launch that made none has hung. */
static struct process_end watch(struct runner *r, pid_t child)
{
    uint32_t seen = atomic_load(&r->board->done);
    bool was_started = false;
    double start = clock_seconds(), limit = r->ops->grace;
    for (;;) {
        struct process_end end = process_wait(child, clock_seconds() + 0.02);
        uint32_t done = atomic_load(&r->board->done);
        if (end.ending != PROCESS_RUNS)
            return end;
        const bool is_started = atomic_load(&r->board->started) != 0;
        if (done != seen || is_started != was_started) {
            seen = done;
            was_started = is_started;
            start = clock_seconds();
            limit = step_limit(r);
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
    atomic_store(&b->told, 0);
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
    if (atomic_load(&b->told))
        return true;
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
                struct launch_past *past, struct gpu_info *info, struct error *error)
{
    struct runner r = {
        .ops = ops ? ops : driver_launch_ops(), .launches = launches, .count = count, .seconds = seconds, .past = past};
    if (!r.ops)
        return error_set(error, ERROR_UNAVAILABLE, "built without the declarations of the CUDA driver");
    bool ok = make_board(&r, error);
    if (!ok)
        return false;
    for (uint32_t n = 0; ok && n < count;) {
        if (past && !launches[n].wanted && launch_is_hopeless(past)) {
            if (!r.board->results[n].is_known)
                r.board->results[n] = (struct result){.ending = LAUNCH_UNASKED};
            take(&r, n++);
            continue;
        }
        ok = run_from(&r, n, error);
        for (uint32_t done = atomic_load(&r.board->done); ok && n < done; n++) {
            take(&r, n);
            if (past && (launches[n].ending == LAUNCH_HUNG || launches[n].ending == LAUNCH_FAULTED))
                atomic_fetch_add(&past->lost, 1);
        }
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
