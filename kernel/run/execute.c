/*
 * Programs over kernel/exec/: one warp, whose registers the inputs fill; what stops it becomes a fault.
 */
#include "kernel/run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct code_instruction *instruction_of(const struct warp *w, unsigned lane)
{
    return &w->kernel->code->instructions[w->pc[lane]];
}

static unsigned first_of(lanemask lanes)
{
    return (unsigned)__builtin_ctz(lanes);
}

/* ---- before and after ---- */

static void start(void *context, struct warp *w)
{
    struct program_runner *r = context;
    const struct program_state *state = r->state;
    size_t count = r->program->registers_count;
    uint16_t origin = kernel_origin(w->kernel, r->code->start);
    memcpy(warp_row(w, r->rows), state->value, count * sizeof *state->value);
    for (size_t n = 0; n < count; n++) {
        lanemask open = ~state->defined[n];
        w->unset[r->rows + n] = 0;
        for (; open != 0; open &= open - 1)
            warp_taint(w, r->rows + (uint32_t)n, first_of(open), origin);
    }
    w->exited = state->exited;
    w->running = state->active & ~state->exited;
}

static void finish(struct program_runner *r)
{
    const struct warp *w = r->kernel->warps[0];
    struct program_state *state = r->state;
    for (size_t n = 0; n < r->program->registers_count; n++)
        state->defined[n] = ~w->tainted[r->rows + n];
    memcpy(state->value, w->rows + (size_t)r->rows * WARP_LANES, r->program->registers_count * sizeof *state->value);
    state->exited = w->exited & ~w->ended;
}

/* The program's number of an instruction of the code, and of a register; callees have others. */
static size_t place_of(const struct program_runner *r, uint32_t at)
{
    uint32_t first = r->code->start;
    return at >= first && at - first < r->program->instructions_count ? at - first : 0;
}

static uint32_t register_of(const struct program_runner *r, uint32_t row)
{
    return row >= r->rows && row - r->rows < r->program->registers_count ? row - r->rows : MODULE_NONE;
}

static void note_use(struct program_runner *r, uint32_t at, uint32_t row, lanemask lanes)
{
    struct program_outcome *o = r->outcome;
    if (o->used || register_of(r, row) == MODULE_NONE)
        return;
    o->used = true;
    o->used_at = place_of(r, at);
    o->used_lanes = lanes;
    o->used_reg = register_of(r, row);
}

static void used(void *context, struct warp *w, uint32_t at, uint32_t row, lanemask lanes)
{
    (void)w;
    note_use(context, at, row, lanes);
}

static void answered(void *context, struct warp *w, lanemask lanes)
{
    struct program_runner *r = context;
    if (r->answered)
        r->answered(r, w, lanes);
}

/* ---- faults ---- */

static void fault(struct program_runner *r, enum program_fault_kind kind, uint32_t at, lanemask lanes)
{
    r->outcome->fault = kind;
    r->outcome->fault_at = place_of(r, at);
    r->outcome->fault_lanes = lanes;
}

/* The lanes that wait at the form at which the first of them in the text waits. */
static lanemask stuck_lanes(const struct warp *w)
{
    unsigned first = WARP_LANES;
    lanemask lanes = 0;
    for (lanemask m = w->waiting; m != 0; m &= m - 1)
        if (first == WARP_LANES || w->pc[first_of(m)] < w->pc[first])
            first = first_of(m);
    for (lanemask m = w->waiting; m != 0; m &= m - 1)
        if (instruction_of(w, first_of(m))->sync == instruction_of(w, first)->sync)
            lanes |= m & -m;
    return lanes;
}

static lanemask running_at(const struct warp *w, uint32_t at)
{
    lanemask lanes = 0;
    for (lanemask m = w->running; m != 0; m &= m - 1)
        if (w->pc[first_of(m)] == at)
            lanes |= m & -m;
    return lanes;
}

/* Lanes that do not go on by the rules of groups: what that is, the implementation says. */
static void ask_about(struct program_runner *r, struct warp *w, uint32_t at, lanemask lanes)
{
    struct warp_result result;
    if (instruction_of(w, first_of(lanes))->i->op != OP_WARP) {
        fault(r, running_at(w, at) ? PROGRAM_FAULT_UNDEFINED : PROGRAM_FAULT_WAITS, at, lanes);
        for (lanemask m = lanes; m != 0; m &= m - 1)
            r->outcome->waits_for |= w->member[first_of(m)] & ~lanes & ~w->exited;
        return;
    }
    if (!warp_ask(w, lanes, &result))
        return;
    if (result.undefined) {
        fault(r, PROGRAM_FAULT_UNDEFINED, at, result.undefined);
        return;
    }
    if ((lanes & ~result.done) == 0)
        return;
    fault(r, PROGRAM_FAULT_WAITS, at, lanes & ~result.done);
    for (lanemask m = result.waiting; m != 0; m &= m - 1)
        r->outcome->waits_for |= result.waits_for[first_of(m)];
}

static void fault_of_use(struct program_runner *r, struct warp *w, const struct kernel_event *e)
{
    const struct code_instruction *c = &r->code->instructions[e->at];
    bool guard = c->guard != CODE_NO_ROW && (w->tainted[c->guard] & e->lanes) != 0;
    bool operand = e->use == KERNEL_MASKED;
    if (guard)
        note_use(r, e->at, c->guard, e->lanes);
    fault(r, guard ? PROGRAM_FAULT_GUARD : operand ? PROGRAM_FAULT_OPERAND : PROGRAM_FAULT_USE, e->at, e->lanes);
}

static void fault_of_event(struct program_runner *r, struct warp *w, const struct kernel_event *e)
{
    switch (e->kind) {
    case KERNEL_UNDEFINED:
        ask_about(r, w, e->at, running_at(w, e->at));
        break;
    case KERNEL_CONVERGENCE:
        ask_about(r, w, e->at, w->waiting & (e->lanes | e->others));
        if (r->outcome->fault == PROGRAM_FAULT_NONE && e->others)
            fault(r, PROGRAM_FAULT_UNDEFINED, e->at, e->lanes | e->others);
        break;
    case KERNEL_UNPREDICTABLE:
        fault_of_use(r, w, e);
        break;
    case KERNEL_BARRIER:
        fault(r, PROGRAM_FAULT_BARRIER, e->at, e->lanes);
        break;
    case KERNEL_RACE:
        fault(r, PROGRAM_FAULT_RACE, e->at, e->lanes | e->others);
        break;
    case KERNEL_DEADLOCK: /* found here, not by the kernel */
    case KERNEL_PAIRS:
    case KERNEL_PARTITION:
    case KERNEL_UNINITIALIZED:
    case KERNEL_EXITED:
    case KERNEL_KINDS:
        break;
    }
}

static void find_fault(struct program_runner *r, struct warp *w)
{
    for (uint32_t n = 0; n < r->kernel_outcome.events_count && r->outcome->fault == PROGRAM_FAULT_NONE; n++)
        fault_of_event(r, w, &r->kernel_outcome.events[n]);
    bool stopped = r->kernel_outcome.ending != KERNEL_ENDED || r->stopped;
    if (r->outcome->fault != PROGRAM_FAULT_NONE || stopped)
        return;
    lanemask lanes = stuck_lanes(w);
    if (lanes) {
        uint32_t at = UINT32_MAX;
        for (lanemask m = lanes; m != 0; m &= m - 1)
            at = w->pc[first_of(m)] < at ? w->pc[first_of(m)] : at;
        ask_about(r, w, at, lanes);
    } else if (w->blocked) {
        fault(r, PROGRAM_FAULT_WAITS, w->pc[first_of(w->blocked)], w->blocked);
        r->outcome->waits_for = ~(w->blocked | w->exited);
    }
}

/* ---- running ---- */

#define VARIABLES_MAX (UINT64_C(1) << 20) /* bytes of .global, .const and .shared variables */

static bool is_small(const struct program *program)
{
    uint64_t bytes = 0;
    for (uint32_t v = 0; v < program->module->variables_count; v++)
        if (program->module->variables[v].size > VARIABLES_MAX - bytes)
            return false;
        else
            bytes += program->module->variables[v].size;
    return true;
}

bool program_runner_open(struct program_runner *r, const struct program *program, const struct warp_impl *impl,
                         struct error *error)
{
    *r = (struct program_runner){.program = program};
    const uint32_t target = program_target(program, error);
    if (target == 0)
        return false;
    if (!is_small(program))
        return error_set(error, ERROR_UNSUPPORTED, "more than 1 MiB of variables");
    r->code = code_new(program->module, program->function, error);
    if (!r->code)
        return false;
    r->kernel = kernel_new(r->code, impl);
    if (!r->kernel) {
        program_runner_close(r);
        return error_set(error, ERROR_SYSTEM, "out of memory");
    }
    for (uint32_t n = 0; n < r->code->functions_count; n++)
        if (r->code->functions[n].function == program->function)
            r->rows = r->code->functions[n].rows;
    r->watch = (struct kernel_watch){.context = r, .start = start, .used = used, .answered = answered};
    r->kernel->target = target;
    r->kernel->watch = &r->watch;
    return true;
}

void program_runner_close(struct program_runner *r)
{
    kernel_free(r->kernel);
    code_free(r->code);
    r->kernel = NULL;
    r->code = NULL;
}

bool program_runner_execute(struct program_runner *r, struct program_state *state, struct program_outcome *outcome,
                            struct error *error)
{
    const struct kernel_input input = {.block = {WARP_LANES, 1, 1}, .grid = {1, 1, 1}, .seed = 1};
    memset(outcome, 0, sizeof *outcome);
    r->state = state;
    r->outcome = outcome;
    r->stopped = false;
    if (!kernel_execute(r->kernel, &input, PROGRAM_STEPS_MAX, &r->kernel_outcome))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    find_fault(r, r->kernel->warps[0]);
    finish(r);
    const struct kernel_outcome *o = &r->kernel_outcome;
    uint32_t line = r->code->instructions[o->ended_at].i->line;
    if (o->ending == KERNEL_UNANSWERED)
        return error_set(error, ERROR_DECLINED, "line %u: %s", line, o->why);
    if (o->ending == KERNEL_ENDLESS)
        return error_set(error, ERROR_TIMEOUT, "line %u: no end after %u instructions", line, PROGRAM_STEPS_MAX);
    if (o->ending == KERNEL_TRAPPED)
        return error_set(error, ERROR_UNSUPPORTED, "line %u: a trap", line);
    if (o->why[0] != '\0') /* of lanes that do not go on */
        return error_set(error, ERROR_UNSUPPORTED, "line %u: %s", line, o->why);
    return true;
}

bool program_execute(const struct program *program, const struct warp_impl *impl, struct program_state *state,
                     struct program_outcome *outcome, struct error *error)
{
    struct program_runner r;
    if (!program_runner_open(&r, program, impl, error))
        return false;
    bool ok = program_runner_execute(&r, state, outcome, error);
    program_runner_close(&r);
    return ok;
}

/* ---- in words ---- */

static const char *undefined_reason(const struct program *program)
{
    if (warp_target_needs_convergence(program_target(program, NULL)))
        return ": not in their membermask, or (up to sm_6x) not all of it executes this together";
    return ", which are not in their membermask";
}

size_t program_fault_clause(const struct program *program, const struct program_outcome *outcome, char *buf,
                            size_t size)
{
    int n = 0;
    lanemask lanes = outcome->fault_lanes;
    if (size > 0)
        buf[0] = '\0';
    switch (outcome->fault) {
    case PROGRAM_FAULT_NONE:
        return 0;
    case PROGRAM_FAULT_UNDEFINED:
        n = snprintf(buf, size, "undefined for lanes 0x%08x%s", lanes, undefined_reason(program));
        break;
    case PROGRAM_FAULT_WAITS:
        n = snprintf(buf, size, "lanes 0x%08x wait for lanes 0x%08x, which do not execute it with that membermask",
                     lanes, outcome->waits_for);
        break;
    case PROGRAM_FAULT_GUARD:
        n = snprintf(buf, size, "the guard is unpredictable in lanes 0x%08x", lanes);
        break;
    case PROGRAM_FAULT_OPERAND:
        n = snprintf(buf, size, "b, c or membermask is unpredictable in lanes 0x%08x", lanes);
        break;
    case PROGRAM_FAULT_USE:
        n = snprintf(buf, size, "an unpredictable value reaches memory or a branch in lanes 0x%08x", lanes);
        break;
    case PROGRAM_FAULT_BARRIER:
        n = snprintf(buf, size, "a part of the warp, lanes 0x%08x, is at this block barrier", lanes);
        break;
    case PROGRAM_FAULT_RACE:
        n = snprintf(buf, size, "lanes 0x%08x touch one shared word, and nothing orders them", lanes);
        break;
    }
    return n > 0 ? (size_t)n : 0;
}

size_t program_fault_text(const struct program *program, const struct program_outcome *outcome, char *buf, size_t size)
{
    char what[160];
    if (program_fault_clause(program, outcome, what, sizeof what) == 0) {
        if (size > 0)
            buf[0] = '\0';
        return 0;
    }
    int n = snprintf(buf, size, "line %u: %s", program->instructions[outcome->fault_at].line, what);
    return n > 0 ? (size_t)n : 0;
}

/* ---- arithmetic of claims ---- */

static void compute_row(const struct module_instruction *i, uint64_t d[WARP_LANES], const uint64_t x[WARP_LANES],
                        const uint64_t y[WARP_LANES], lanemask lanes)
{
    static const uint64_t zero[WARP_LANES];
    const uint64_t *const sources[ROW_SOURCES] = {x, y, zero, zero};
    struct row_type type;
    struct error error;
    row_function *compute = row_find(i, &type, &error);
    if (compute)
        compute(d, sources, &type, lanes);
}

static struct module_instruction operation(enum ptx_op op, enum ptx_type type, bool nan)
{
    bool low = op == OP_MUL && type != PTX_F32;
    return (struct module_instruction){.op = op, .type = type, .nan = nan, .part = low ? PART_LO : PART_NONE};
}

void program_compute_row(enum ptx_op op, enum ptx_type type, uint64_t d[WARP_LANES], const uint64_t y[WARP_LANES],
                         lanemask lanes)
{
    const struct module_instruction i = operation(op, type, false);
    compute_row(&i, d, d, y, lanes);
}

static uint64_t compute_one(const struct module_instruction *i, uint64_t x, uint64_t y)
{
    const uint64_t a[WARP_LANES] = {x}, b[WARP_LANES] = {y};
    uint64_t d[WARP_LANES] = {0};
    compute_row(i, d, a, b, 1);
    return d[0];
}

uint64_t program_compute(enum ptx_op op, enum ptx_type type, bool nan, uint64_t x, uint64_t y)
{
    const struct module_instruction i = {
        .op = op, .type = type, .nan = nan, .part = op == OP_MUL && type != PTX_F32 ? PART_LO : PART_NONE};
    return compute_one(&i, x, y);
}

bool program_compare_values(enum ptx_compare compare, enum ptx_type type, uint64_t x, uint64_t y)
{
    const struct module_instruction i = {.op = OP_SETP, .type = type, .compare = compare};
    return compute_one(&i, x, y) & 1;
}
