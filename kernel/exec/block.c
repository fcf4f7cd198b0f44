#include "kernel/exec/block.h"

#include <stdlib.h>
#include <string.h>

bool kernel_is_error(enum kernel_kind kind)
{
    return kind < KERNEL_PAIRS;
}

const char *kernel_kind_name(enum kernel_kind kind)
{
    static const char *const names[KERNEL_KINDS] = {
        [KERNEL_UNDEFINED] = "undefined",   [KERNEL_DEADLOCK] = "deadlock",   [KERNEL_UNPREDICTABLE] = "unpredictable",
        [KERNEL_BARRIER] = "block-barrier", [KERNEL_RACE] = "race",           [KERNEL_CONVERGENCE] = "convergence",
        [KERNEL_PAIRS] = "pairs",           [KERNEL_PARTITION] = "partition", [KERNEL_UNINITIALIZED] = "uninitialized",
        [KERNEL_EXITED] = "exited"};
    return names[kind];
}

void kernel_stop(struct kernel *kernel, enum kernel_ending ending, uint32_t at)
{
    if (kernel->stop)
        return;
    kernel->stop = true;
    kernel->outcome->ending = ending;
    kernel->outcome->ended_at = at;
}

/* Does nothing after this event have a meaning? So it is after an unpredictable branch, address or mask, but not
 * after a store of an unpredictable value, or after it was printed. */
static bool is_last(const struct kernel_event *event)
{
    return event->kind == KERNEL_UNPREDICTABLE && event->use < KERNEL_STORED;
}

void kernel_add_event(struct kernel *kernel, const struct kernel_event *event)
{
    struct kernel_outcome *o = kernel->outcome;
    for (uint32_t n = 0; n < o->events_count; n++) {
        struct kernel_event *e = &o->events[n];
        if (e->kind == event->kind && e->at == event->at && e->from == event->from) {
            if (e->warp == event->warp)
                e->lanes |= event->lanes, e->others |= event->others;
            return;
        }
    }
    /* Notes may not fill the room that errors need. */
    uint32_t room = kernel_is_error(event->kind) ? KERNEL_EVENTS_MAX : KERNEL_EVENTS_MAX / 2;
    if (o->events_count < room)
        o->events[o->events_count++] = *event;
    if (is_last(event))
        kernel_stop(kernel, KERNEL_STOPPED, event->at);
}

/* ---- warps ---- */

static void warp_free(struct warp *w)
{
    if (!w)
        return;
    free(w->rows);
    free(w->tainted);
    free(w->unset);
    free(w->origin);
    free(w->frames);
    free(w->frame_taint);
    free(w->returns);
    free(w->passed);
    race_free(&w->race);
    free(w);
}

static struct warp *warp_new(struct kernel *kernel, uint32_t number)
{
    const struct code *code = kernel->code;
    size_t frames = WARP_LANES * (code->frame_bytes + 8);
    struct warp *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->kernel = kernel;
    w->number = number;
    w->rows = calloc(code->rows, sizeof *w->rows * WARP_LANES);
    w->tainted = calloc(code->rows, sizeof *w->tainted);
    w->unset = calloc(code->rows, sizeof *w->unset);
    w->origin = calloc(code->rows, sizeof *w->origin);
    w->frames = calloc(1, frames);
    w->frame_taint = calloc(frames, sizeof *w->frame_taint);
    w->returns = calloc(code->functions_count, sizeof *w->returns);
    w->passed = calloc(code->passes_count + 1u, sizeof *w->passed);
    if (!w->rows || !w->tainted || !w->unset || !w->origin || !w->frames || !w->frame_taint || !w->returns ||
        !w->passed) {
        warp_free(w);
        return NULL;
    }
    for (uint32_t n = 0; n < code->constants_count; n++)
        for (unsigned l = 0; l < WARP_LANES; l++)
            warp_row(w, n)[l] = code->constants[n];
    return w;
}

static void set_special(struct warp *w, enum ptx_special special, unsigned component, unsigned lane, uint64_t value)
{
    warp_row(w, w->kernel->code->specials + (uint32_t)special * 3 + component)[lane] = value;
}

static void start_lane_specials(struct warp *w, unsigned lane)
{
    const struct kernel_input *in = w->kernel->input;
    uint32_t thread = w->number * WARP_LANES + lane, x = in->block[0], y = in->block[1];
    lanemask own = UINT32_C(1) << lane;
    set_special(w, SPECIAL_TID, 0, lane, thread % x);
    set_special(w, SPECIAL_TID, 1, lane, thread / x % y);
    set_special(w, SPECIAL_TID, 2, lane, thread / x / y);
    for (unsigned n = 0; n < 3; n++) {
        set_special(w, SPECIAL_NTID, n, lane, in->block[n]);
        set_special(w, SPECIAL_CTAID, n, lane, in->ctaid[n]);
        set_special(w, SPECIAL_NCTAID, n, lane, in->grid[n]);
        set_special(w, SPECIAL_CLUSTERID, n, lane, in->ctaid[n]);
        set_special(w, SPECIAL_NCLUSTERID, n, lane, in->grid[n]);
        set_special(w, SPECIAL_CLUSTER_NCTAID, n, lane, 1);
    }
    set_special(w, SPECIAL_CLUSTER_NCTARANK, 0, lane, 1);
    /* What a cooperative launch gives: the address at which the blocks of the grid count each other. */
    set_special(w, SPECIAL_ENVREG, 1, lane, w->kernel->code->workspace >> 32);
    set_special(w, SPECIAL_ENVREG, 2, lane, w->kernel->code->workspace & UINT32_MAX);
    set_special(w, SPECIAL_LANEID, 0, lane, lane);
    set_special(w, SPECIAL_WARPID, 0, lane, w->number);
    set_special(w, SPECIAL_NWARPID, 0, lane, BLOCK_WARPS_MAX);
    set_special(w, SPECIAL_NSMID, 0, lane, 1);
    set_special(w, SPECIAL_LANEMASK_EQ, 0, lane, own);
    set_special(w, SPECIAL_LANEMASK_LT, 0, lane, own - 1);
    set_special(w, SPECIAL_LANEMASK_LE, 0, lane, own | (own - 1));
    set_special(w, SPECIAL_LANEMASK_GT, 0, lane, (uint32_t) ~(own | (own - 1)));
    set_special(w, SPECIAL_LANEMASK_GE, 0, lane, (uint32_t) ~(own - 1));
    set_special(w, SPECIAL_RESERVED_END, 0, lane, CODE_SHARED_START);
    set_special(w, SPECIAL_RESERVED_CAP, 0, lane, CODE_SHARED_START);
    set_special(w, SPECIAL_RESERVED_1, 0, lane, CODE_SHARED_START / 2);
    set_special(w, SPECIAL_DYNAMIC_SMEM_SIZE, 0, lane, in->shared);
    set_special(w, SPECIAL_TOTAL_SMEM_SIZE, 0, lane, w->kernel->code->shared_extern + in->shared);
    set_special(w, SPECIAL_AGGR_SMEM_SIZE, 0, lane, w->kernel->code->shared_extern + in->shared);
}

static bool warp_start(struct warp *w)
{
    const struct code *code = w->kernel->code;
    uint32_t threads = w->kernel->threads - w->number * WARP_LANES;
    w->exited = threads >= WARP_LANES ? 0 : UINT32_MAX << threads;
    w->running = ~w->exited;
    w->waiting = w->blocked = w->ended = 0;
    w->frame_is_tainted = false;
    w->turn = w->from = 0;
    w->poll_at = UINT32_MAX;
    w->stalled = 0;
    memset(w->tainted, 0, code->rows * sizeof *w->tainted);
    memset(w->unset + code->registers, 0xff, (code->rows - code->registers) * sizeof *w->unset);
    memset(w->frames, 0, WARP_LANES * code->frame_bytes);
    memset(w->frame_taint, 0, WARP_LANES * code->frame_bytes * sizeof *w->frame_taint);
    memset(w->passed, 0, code->passes_count * sizeof *w->passed);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        w->pc[lane] = code->start;
        start_lane_specials(w, lane);
    }
    return race_start(&w->race, w->kernel->memory.shared_size);
}

/* ---- the block ---- */

struct kernel *kernel_new(const struct code *code, const struct warp_impl *impl)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return NULL;
    kernel->code = code;
    kernel->impl = impl;
    kernel->target = code->module->target ? code->module->target : WARP_TARGET(90, 0);
    kernel->visited = calloc(code->count + 1, 1);
    kernel->arrived = calloc(code->count + 1, 1);
    if (!kernel->visited || !kernel->arrived || !memory_init(&kernel->memory, code)) {
        kernel_free(kernel);
        return NULL;
    }
    return kernel;
}

void kernel_free(struct kernel *kernel)
{
    if (!kernel)
        return;
    for (uint32_t n = 0; n < kernel->warps_made; n++)
        warp_free(kernel->warps[n]);
    memory_free(&kernel->memory);
    free(kernel->visited);
    free(kernel->arrived);
    free(kernel);
}

const struct code *kernel_code(const struct kernel *kernel)
{
    return kernel->code;
}

const uint8_t *kernel_arrived(const struct kernel *kernel)
{
    return kernel->arrived;
}

const uint8_t *kernel_visited(const struct kernel *kernel)
{
    return kernel->visited;
}

static bool start(struct kernel *kernel)
{
    const struct kernel_input *in = kernel->input;
    kernel->threads = in->block[0] * in->block[1] * in->block[2];
    kernel->warps_count = (kernel->threads + WARP_LANES - 1) / WARP_LANES;
    kernel->origins_count = 1;
    kernel->heap = CODE_BUFFERS * (KERNEL_BUFFERS_MAX - 4);
    kernel->random = (struct random){in->seed + in->schedule * RANDOM_STEP};
    kernel->stop = false;
    circle_start(kernel);
    memset(kernel->barriers, 0, sizeof kernel->barriers);
    if (!memory_start(&kernel->memory, in))
        return false;
    while (kernel->warps_made < kernel->warps_count) {
        struct warp *w = warp_new(kernel, kernel->warps_made);
        if (!w)
            return false;
        kernel->warps[kernel->warps_made++] = w;
    }
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        if (!warp_start(kernel->warps[n]))
            return false;
    if (kernel->watch)
        kernel->watch->start(kernel->watch->context, kernel->warps[0]);
    return true;
}

#define QUANTUM         1000u /* instructions of one warp, after which others have their turn: they may be waited for */

#define QUANTUM_WATCHED 60u /* loops of few instructions soon are at their place again */

static void run_one(struct kernel *kernel, struct warp *w)
{
    const uint64_t quantum = kernel->input->shuffled     ? 1 + random_below(&kernel->random, 256)
                             : kernel->circle.rounds > 0 ? QUANTUM_WATCHED
                                                         : QUANTUM;
    warp_run(w, quantum < kernel->steps_left ? quantum : kernel->steps_left);
    if (kernel->steps_left == 0 || kernel->memory.failed)
        kernel_stop(kernel, KERNEL_ENDLESS, w->running ? w->pc[__builtin_ctz(w->running)] : kernel->code->start);
}

/* Would its lanes find what they found when they polled last? */
static bool is_stalled(const struct warp *w)
{
    return w->stalled != 0 && w->stalled == w->running && w->poll_version == w->kernel->memory.version;
}

/* Who only polls has a turn when nobody else has anything to do. */
static bool run_warps(struct kernel *kernel)
{
    const uint32_t turn = kernel->input->shuffled ? (uint32_t)random_below(&kernel->random, kernel->warps_count) : 0;
    bool ran = false, stalled = false;
    for (uint32_t n = 0; n < kernel->warps_count && !kernel->stop; n++) {
        struct warp *w = kernel->warps[(n + turn) % kernel->warps_count];
        stalled |= is_stalled(w);
        if (!w->running || is_stalled(w))
            continue;
        run_one(kernel, w);
        ran = true;
    }
    for (uint32_t n = 0; n < kernel->warps_count && !kernel->stop && stalled && !ran; n++)
        if (kernel->warps[n]->running)
            run_one(kernel, kernel->warps[n]);
    return ran || stalled;
}

static bool all_exited(const struct kernel *kernel)
{
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        if (kernel->warps[n]->exited != UINT32_MAX)
            return false;
    return true;
}

static void look_for_circle(struct kernel *kernel)
{
    switch (circle_look(kernel)) {
    case CIRCLE_OPEN:
        return;
    case CIRCLE_DEADLOCK:
        kernel_report_deadlock(kernel);
        return;
    case CIRCLE_ENDLESS:
        break;
    }
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        if (kernel->warps[n]->running)
            kernel_stop(kernel, KERNEL_ENDLESS, kernel->warps[n]->pc[__builtin_ctz(kernel->warps[n]->running)]);
}

bool kernel_execute(struct kernel *kernel, const struct kernel_input *input, uint64_t steps,
                    struct kernel_outcome *outcome)
{
    *outcome = (struct kernel_outcome){.ending = KERNEL_ENDED};
    kernel->input = input;
    kernel->outcome = outcome;
    if (!start(kernel))
        return false;
    kernel->steps_left = steps + 2 * (uint64_t)kernel->code->count * kernel->warps_count;
    while (!kernel->stop && run_warps(kernel))
        if (!kernel->stop)
            look_for_circle(kernel);
    if (!kernel->stop && !all_exited(kernel) && !kernel->watch) /* who watches sees who waits */
        kernel_report_deadlock(kernel);
    outcome->wild = kernel->memory.wild;
    outcome->digest = memory_digest(&kernel->memory);
    return !kernel->memory.failed;
}

bool kernel_is_oversized(const struct kernel *kernel)
{
    return kernel->memory.oversized;
}
