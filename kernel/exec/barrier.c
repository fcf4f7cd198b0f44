/*
 * Block barriers (bar, barrier), and what becomes of lanes that nobody releases.
 *
 * Threads that have exited are not waited for (programming guide, "independent thread scheduling"); before sm_70 they
 * are missed. The .aligned forms are for whole warps: what of a warp has not exited must come together.
 */
#include "kernel/exec/block.h"

#include <string.h>

static const struct code_instruction *instruction_of(const struct warp *w, unsigned lane)
{
    return &w->kernel->code->instructions[w->pc[lane]];
}

static unsigned first_of(lanemask lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* The call by which the lane came to what it executes at a place; CODE_NO_ROW: the place is in the entry. */
static uint32_t call_to(const struct warp *w, unsigned lane, uint32_t at)
{
    const struct code *code = w->kernel->code;
    const uint32_t function = code->instructions[at].function;
    return &code->module->functions[function] == code->entry ? CODE_NO_ROW
                                                             : w->returns[code_index(code, function)][lane];
}

/* The outermost place on the lane's way that is not on the way of `other`; CODE_NO_ROW: they are at one place. */
static uint32_t apart_from(const struct warp *w, unsigned lane, unsigned other)
{
    uint32_t at = w->pc[lane], apart = CODE_NO_ROW;
    while (at != CODE_NO_ROW) {
        uint32_t there = w->pc[other];
        while (there != CODE_NO_ROW && there != at)
            there = call_to(w, other, there);
        apart = there == at ? apart : at;
        at = call_to(w, lane, at);
    }
    return apart;
}

static lanemask at_one_place(const struct warp *w, lanemask lanes)
{
    lanemask here = 0;
    for (lanemask m = lanes; m != 0; m &= m - 1)
        if (w->pc[first_of(m)] == w->pc[first_of(lanes)] && apart_from(w, first_of(m), first_of(lanes)) == CODE_NO_ROW)
            here |= m & -m;
    return here;
}

static lanemask lanes_at(const struct warp *w, uint32_t number)
{
    lanemask lanes = 0;
    for (lanemask m = w->blocked; m != 0; m &= m - 1)
        if (w->barrier[first_of(m)] == number)
            lanes |= m & -m;
    return lanes;
}

/* An aligned barrier counts a whole warp, even when some of its lanes do not exist or have exited. */
static uint32_t threads_at(const struct warp *w, lanemask lanes)
{
    if (lanes == 0)
        return 0;
    bool whole = instruction_of(w, first_of(lanes))->i->aligned && (lanes | w->exited) == UINT32_MAX;
    return whole ? WARP_LANES : (uint32_t)__builtin_popcount(lanes);
}

static uint32_t lanes_that_never_were(const struct warp *w)
{
    uint32_t last = w->kernel->threads % WARP_LANES;
    return w->number + 1 == w->kernel->warps_count && last != 0 ? WARP_LANES - last : 0;
}

static bool is_complete(const struct kernel *kernel, uint32_t number)
{
    const struct barrier *b = &kernel->barriers[number];
    uint32_t arrived = b->arrived;
    bool all = true;
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        const struct warp *w = kernel->warps[n];
        lanemask lanes = lanes_at(w, number);
        arrived += threads_at(w, lanes);
        all &= (lanes | w->exited) == UINT32_MAX;
    }
    return b->count ? arrived >= b->count : all;
}

/* ---- releasing ---- */

static void report_apart(struct warp *w, enum kernel_apart apart, lanemask here, lanemask there, uint32_t from)
{
    kernel_add_event(w->kernel, &(struct kernel_event){.kind = KERNEL_BARRIER,
                                                       .at = w->pc[first_of(here)],
                                                       .from = from,
                                                       .warp = w->number,
                                                       .lanes = here,
                                                       .others = there,
                                                       .apart = apart});
}

/* What lies behind a barrier, or behind the outermost call on the lane's way to it behind which something lies. */
static uint32_t behind_of(const struct warp *w, unsigned lane, uint32_t at)
{
    const struct code *code = w->kernel->code;
    const struct code_instruction *c = &code->instructions[at];
    uint32_t outer = CODE_NO_ROW;
    if (&code->module->functions[c->function] != code->entry)
        outer = behind_of(w, lane, w->returns[code_index(code, c->function)][lane]);
    return outer != CODE_NO_ROW ? outer : c->behind;
}

/* Lanes that have not come to the barrier at which `lanes` are, and have been more often at what lies behind it. */
static lanemask gone_round(const struct warp *w, uint32_t behind, lanemask lanes, lanemask absent)
{
    lanemask round = 0;
    uint32_t most = 0;
    if (behind == CODE_NO_ROW)
        return 0;
    const uint32_t *passed = w->passed[w->kernel->code->instructions[behind].passes];
    for (lanemask m = lanes; m != 0; m &= m - 1)
        most = passed[first_of(m)] > most ? passed[first_of(m)] : most;
    for (lanemask m = absent; m != 0; m &= m - 1)
        round |= passed[first_of(m)] > most ? m & -m : 0;
    return round;
}

/* Lanes that have exited before the others came. From sm_70 on nobody waits for them. */
static void check_exited(struct warp *w, lanemask lanes, lanemask exited)
{
    const uint32_t at = w->pc[first_of(lanes)], behind = behind_of(w, first_of(lanes), at);
    const lanemask round = gone_round(w, behind, lanes, exited);
    if (warp_target_needs_convergence(w->kernel->target))
        report_apart(w, KERNEL_APART_PART, lanes, exited, at);
    else if (round)
        report_apart(w, KERNEL_APART_ROUND, lanes, round, behind);
    else
        kernel_add_event(
            w->kernel,
            &(struct kernel_event){
                .kind = KERNEL_EXITED, .at = at, .from = at, .warp = w->number, .lanes = lanes, .others = exited});
}

/* Lanes are at barriers of two places, or at one by different calls of its function. */
static enum kernel_apart places_apart(const struct warp *w, lanemask here, lanemask there, uint32_t *from)
{
    const unsigned lane = first_of(here), other = first_of(there);
    *from = w->pc[other];
    if (*from != w->pc[lane])
        return KERNEL_APART_PLACES;
    *from = apart_from(w, other, lane);
    return KERNEL_APART_CALLS;
}

/* A warp must come to an aligned barrier as a whole and at one place. */
static void check_aligned(struct warp *w, lanemask lanes)
{
    const uint32_t at = w->pc[first_of(lanes)];
    const lanemask here = at_one_place(w, lanes);
    const struct code_instruction *c = instruction_of(w, first_of(lanes));
    lanemask exists = UINT32_MAX >> lanes_that_never_were(w);
    if (!c->i->aligned)
        return;
    if (here != lanes) {
        uint32_t from;
        const enum kernel_apart apart = places_apart(w, here, lanes & ~here, &from);
        report_apart(w, apart, here, lanes & ~here, from);
    } else if ((lanes | w->exited) != UINT32_MAX)
        report_apart(w, w->pc[first_of(~(lanes | w->exited))] == at ? KERNEL_APART_PART : KERNEL_APART_PLACES, lanes,
                     ~(lanes | w->exited), w->pc[first_of(~(lanes | w->exited))]);
    else if (w->exited & exists)
        check_exited(w, lanes, w->exited & exists);
}

/* bar.red: reduces over all threads that have arrived. */
static uint64_t reduced(struct kernel *kernel, uint32_t number, enum ptx_atomic how)
{
    uint64_t count = 0, threads = 0;
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        struct warp *w = kernel->warps[n];
        for (lanemask m = lanes_at(w, number); m != 0; m &= m - 1) {
            const struct code_instruction *c = instruction_of(w, first_of(m));
            if (c->i->op != OP_BAR_RED)
                continue;
            threads++;
            count += (warp_row(w, c->srcs[2])[first_of(m)] ^ c->negated[2]) & 1;
        }
    }
    return how == ATOMIC_POPC ? count : how == ATOMIC_AND ? count == threads : count > 0;
}

static void give_results(struct kernel *kernel, uint32_t number)
{
    uint64_t values[3] = {reduced(kernel, number, ATOMIC_POPC), reduced(kernel, number, ATOMIC_AND),
                          reduced(kernel, number, ATOMIC_OR)};
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        struct warp *w = kernel->warps[n];
        for (lanemask m = lanes_at(w, number); m != 0; m &= m - 1) {
            const struct code_instruction *c = instruction_of(w, first_of(m));
            if (c->i->op != OP_BAR_RED || c->dst == CODE_NO_ROW)
                continue;
            unsigned which = c->i->atomic == ATOMIC_POPC ? 0 : c->i->atomic == ATOMIC_AND ? 1 : 2;
            warp_row(w, c->dst)[first_of(m)] = values[which];
            w->unset[c->dst] &= ~(m & -m);
            w->tainted[c->dst] &= ~(m & -m);
        }
    }
}

static void release(struct kernel *kernel, uint32_t number)
{
    give_results(kernel, number);
    kernel->outcome->groups++;
    for (uint32_t n = 0; n < kernel->warps_count; n++) {
        struct warp *w = kernel->warps[n];
        lanemask lanes = lanes_at(w, number);
        if (lanes == 0)
            continue;
        check_aligned(w, lanes);
        race_meet(&w->race, lanes);
        w->blocked &= ~lanes;
        w->running |= lanes;
        for (lanemask m = lanes; m != 0; m &= m - 1)
            w->pc[first_of(m)]++;
    }
    kernel->barriers[number] = (struct barrier){0};
}

void barrier_recheck(struct kernel *kernel)
{
    for (uint32_t n = 0; n < BLOCK_BARRIERS; n++)
        if (kernel->barriers[n].waits && is_complete(kernel, n))
            release(kernel, n);
}

struct asked {
    uint32_t number, count; /* 0: all threads */
};

static struct asked asked_by(struct warp *w, const struct code_instruction *c, unsigned lane)
{
    bool counted = c->i->srcs_count > 1 && c->srcs[1] != CODE_NO_ROW;
    return (struct asked){(uint32_t)warp_row(w, c->src[0])[lane],
                          counted ? (uint32_t)warp_row(w, c->srcs[1])[lane] : 0};
}

/* The lanes that ask for the same as the first of them. */
static lanemask that_ask_the_same(struct warp *w, const struct code_instruction *c, lanemask lanes)
{
    const struct asked first = asked_by(w, c, first_of(lanes));
    lanemask same = 0;
    for (lanemask m = lanes; m != 0; m &= m - 1) {
        const struct asked other = asked_by(w, c, first_of(m));
        same |= other.number == first.number && other.count == first.count ? m & -m : 0;
    }
    return same;
}

/* False: no barrier is meant, and nothing after it has a meaning. */
static bool check_asked(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask lanes)
{
    const lanemask same = that_ask_the_same(w, c, lanes);
    const struct asked asked = asked_by(w, c, first_of(lanes));
    if (c->i->aligned && same != lanes)
        report_apart(w, KERNEL_APART_NUMBERS, same, lanes & ~same, at);
    else if (asked.number >= BLOCK_BARRIERS)
        report_apart(w, KERNEL_APART_NO_NUMBER, same, 0, at);
    else if (asked.count % WARP_LANES != 0)
        report_apart(w, KERNEL_APART_NO_COUNT, same, 0, at);
    else
        return true;
    kernel_stop(w->kernel, KERNEL_STOPPED, at);
    return false;
}

/* Lanes that ask for one barrier. */
static void arrive_at(struct warp *w, uint32_t at, const struct code_instruction *c, lanemask lanes)
{
    const struct asked asked = asked_by(w, c, first_of(lanes));
    struct barrier *b = &w->kernel->barriers[asked.number];
    if (asked.count)
        b->count = asked.count;
    if (c->i->op == OP_BAR_ARRIVE) {
        w->kernel->memory.changed = true;
        b->arrived += (uint32_t)__builtin_popcount(lanes) + (lanes & 1u ? lanes_that_never_were(w) : 0);
        for (lanemask m = lanes; m != 0; m &= m - 1)
            w->pc[first_of(m)] = at + 1;
        race_meet(&w->race, lanes);
    } else {
        b->waits = true;
        w->running &= ~lanes;
        w->blocked |= lanes;
        for (lanemask m = lanes; m != 0; m &= m - 1)
            w->barrier[first_of(m)] = asked.number;
    }
    if (b->waits && is_complete(w->kernel, asked.number))
        release(w->kernel, asked.number);
}

void barrier_arrive(struct warp *w, uint32_t at, lanemask lanes)
{
    const struct code_instruction *c = &w->kernel->code->instructions[at];
    for (unsigned n = 0; n < c->i->srcs_count && n < 3; n++) {
        if (c->srcs[n] == CODE_NO_ROW)
            continue;
        warp_note_unset(w, at, c->srcs[n], lanes);
        if (w->tainted[c->srcs[n]] & lanes)
            warp_report_use(w, at, c->srcs[n], w->tainted[c->srcs[n]] & lanes, KERNEL_BRANCHED);
    }
    if (w->kernel->stop)
        return;
    kernel_reach(w->kernel, at, lanes, ~lanes & ~w->exited);
    while (lanes != 0 && !w->kernel->stop && check_asked(w, at, c, lanes)) {
        const lanemask same = that_ask_the_same(w, c, lanes);
        arrive_at(w, at, c, same);
        lanes &= ~same;
    }
}

/* ---- deadlock ---- */

static void add_wait(struct kernel_event *event, const struct warp *w, lanemask lanes, bool at_barrier)
{
    if (event->waits_count == KERNEL_WAITS_MAX)
        return;
    uint32_t mask = at_barrier ? 0 : w->member[first_of(lanes)];
    lanemask needed = at_barrier ? UINT32_MAX : mask;
    event->waits[event->waits_count++] = (struct kernel_wait){.warp = w->number,
                                                              .at = w->pc[first_of(lanes)],
                                                              .lanes = lanes,
                                                              .mask = mask,
                                                              .missing = needed & ~w->exited & ~lanes};
}

/* The lanes that wait at one place with one membermask. */
static void add_waits(struct kernel_event *event, const struct warp *w)
{
    for (lanemask left = w->waiting | w->blocked; left != 0;) {
        const unsigned first = first_of(left);
        const bool at_barrier = w->blocked >> first & 1u;
        lanemask same = at_barrier ? at_one_place(w, left & w->blocked) : 0;
        for (lanemask m = at_barrier ? 0 : left & w->waiting; m != 0; m &= m - 1)
            if (w->pc[first_of(m)] == w->pc[first] && w->member[first_of(m)] == w->member[first])
                same |= m & -m;
        add_wait(event, w, same, at_barrier);
        left &= ~same;
    }
}

/* The lanes that run: for ever, or nobody would ask. */
static void add_circle(struct kernel_event *event, const struct warp *w)
{
    if (w->running && event->waits_count < KERNEL_WAITS_MAX)
        event->waits[event->waits_count++] = (struct kernel_wait){
            .warp = w->number, .at = w->pc[first_of(w->running)], .lanes = w->running, .circles = true};
}

static bool parts_at_barriers(const struct warp *w)
{
    return w->waiting == 0 && w->blocked != 0 && at_one_place(w, w->blocked) != w->blocked;
}

/* Puts the most telling warp first: one whose lanes wait for each other, else one that waits at a warp-level
 * instruction, else any. */
static unsigned tells(const struct warp *w)
{
    if (w->waiting && (w->blocked || w->running))
        return 3;
    return w->waiting || parts_at_barriers(w) ? 2 : w->blocked != 0;
}

void kernel_report_deadlock(struct kernel *kernel)
{
    struct kernel_event event = {.kind = KERNEL_DEADLOCK};
    struct warp *first = NULL;
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        if (!first || tells(kernel->warps[n]) > tells(first))
            first = kernel->warps[n];
    lanemask lanes = first->waiting ? first->waiting : first->blocked;
    if (lanes == 0)
        return;
    event.at = event.from = first->pc[first_of(lanes)];
    event.warp = first->number;
    add_waits(&event, first);
    event.lanes = event.waits[0].lanes;
    for (uint32_t n = 0; n < event.waits_count; n++)
        if (event.waits[n].mask) {
            event.at = event.from = event.waits[n].at;
            event.lanes = event.waits[n].lanes;
            event.mask = event.waits[n].mask;
            break;
        }
    if (parts_at_barriers(first) && instruction_of(first, first_of(first->blocked))->i->aligned) {
        event.kind = KERNEL_BARRIER;
        event.apart = places_apart(first, event.waits[0].lanes, event.waits[1].lanes, &event.from);
        event.others = event.waits[1].lanes;
    }
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        add_circle(&event, kernel->warps[n]);
    for (uint32_t n = 0; n < kernel->warps_count; n++)
        if (kernel->warps[n] != first)
            add_waits(&event, kernel->warps[n]);
    kernel_add_event(kernel, &event);
    kernel_stop(kernel, KERNEL_STOPPED, event.at);
}
