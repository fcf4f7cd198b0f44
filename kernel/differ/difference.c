/*
 * Both implementations execute the whole program, one after the other. What the reference's groups left in their
 * registers is written down; the observed one is held against it, group by group, and stopped at the first difference.
 */
#include "kernel/differ.h"

#include "base/buffer.h"
#include "kernel/run/runner.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What one group has in its destinations. */
struct answer {
    lanemask lanes;
    uint32_t at[WARP_LANES];
    uint64_t value[2][WARP_LANES];
    lanemask defined[2];
};

#define ANSWERS_MAX 65536u /* groups of one execution that are compared */

struct trace {
    struct answer *answers;
    size_t count, room, next;
    bool no_memory;
    struct program_difference *difference;
};

static void take_answer(const struct warp *w, lanemask lanes, struct answer *a)
{
    memset(a, 0, sizeof *a);
    a->lanes = lanes;
    for (lanemask m = lanes; m != 0; m &= m - 1) {
        unsigned lane = (unsigned)__builtin_ctz(m);
        const struct code_instruction *c = &w->kernel->code->instructions[w->pc[lane]];
        a->at[lane] = w->pc[lane];
        for (unsigned n = 0; n < c->i->dsts_count && n < 2; n++) {
            if (c->dsts[n] == CODE_NO_ROW)
                continue;
            a->value[n][lane] = w->rows[(size_t)c->dsts[n] * WARP_LANES + lane];
            a->defined[n] |= (m & -m) & ~w->tainted[c->dsts[n]];
        }
    }
}

static void write_down(struct program_runner *r, struct warp *w, lanemask lanes)
{
    struct trace *t = r->context;
    if (t->count == ANSWERS_MAX)
        return;
    struct answer *larger = array_grow(t->answers, t->count, &t->room, sizeof *larger);
    t->no_memory |= !larger;
    if (!larger)
        return;
    t->answers = larger;
    take_answer(w, lanes, &t->answers[t->count++]);
}

static lanemask lanes_that_differ(const struct answer *x, const struct answer *y, unsigned n)
{
    lanemask lanes = x->defined[n] ^ y->defined[n];
    for (lanemask m = x->defined[n] & y->defined[n]; m != 0; m &= m - 1)
        if (x->value[n][__builtin_ctz(m)] != y->value[n][__builtin_ctz(m)])
            lanes |= m & -m;
    return lanes;
}

/* Fills in the difference of destination n in the lanes; the first of them says at which instruction. */
static void describe(const struct program_runner *r, const struct warp *w, const struct answer *x,
                     const struct answer *y, unsigned n, lanemask lanes)
{
    struct program_difference *d = ((struct trace *)r->context)->difference;
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    const struct code_instruction *c = &w->kernel->code->instructions[x->at[lane]];
    uint32_t at = x->at[lane] - r->code->start;
    d->at = at < r->program->instructions_count ? at : 0; /* a called function has no place in the program */
    d->reg = c->dsts[n] >= r->rows && c->dsts[n] - r->rows < r->program->registers_count ? c->dsts[n] - r->rows : 0;
    d->lanes = lanes;
    d->defined[0] = x->defined[n] >> lane & 1u;
    d->defined[1] = y->defined[n] >> lane & 1u;
    d->value[0] = x->value[n][lane];
    d->value[1] = y->value[n][lane];
}

static void hold_against(struct program_runner *r, struct warp *w, lanemask lanes)
{
    struct trace *t = r->context;
    struct answer y;
    if (t->next == t->count)
        return;
    const struct answer *x = &t->answers[t->next++];
    take_answer(w, lanes, &y);
    for (unsigned n = 0; n < 2 && !r->stopped; n++) {
        lanemask differ = lanes_that_differ(x, &y, n) & x->lanes;
        if (differ == 0)
            continue;
        describe(r, w, x, &y, n, differ);
        r->stopped = true;
        kernel_stop(w->kernel, KERNEL_STOPPED, w->pc[__builtin_ctz(lanes)]);
    }
}

static bool same_fault(const struct program_outcome *x, const struct program_outcome *y)
{
    return x->fault == y->fault && x->fault_lanes == y->fault_lanes;
}

static enum program_comparison compare_faults(struct program_difference *d)
{
    const struct program_outcome *x = &d->outcome[0], *y = &d->outcome[1];
    if (same_fault(x, y))
        return PROGRAM_AGREES;
    d->at = x->fault != PROGRAM_FAULT_NONE ? x->fault_at : y->fault_at;
    d->reg = MODULE_NONE;
    d->lanes = x->fault_lanes ^ y->fault_lanes;
    return PROGRAM_DIFFERS;
}

/* Executes the program on the state over one implementation, with the trace. */
static bool execute(const struct program *program, const struct warp_impl *impl, struct trace *trace, unsigned who,
                    struct program_state *state, struct error *error)
{
    struct program_runner *r = malloc(sizeof *r);
    bool ok;
    if (r == NULL)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    ok = program_runner_open(r, program, impl, error);
    if (ok) {
        r->answered = who == 0 ? write_down : hold_against;
        r->context = trace;
        ok = program_runner_execute(r, state, &trace->difference->outcome[who], error);
        ok |= r->stopped;
        program_runner_close(r);
    }
    free(r);
    return ok && (!trace->no_memory || error_set(error, ERROR_SYSTEM, "out of memory"));
}

static enum program_comparison compare(const struct program *program, const struct warp_impl *const impl[2],
                                       struct program_state *const state[2], struct program_difference *d,
                                       struct error *error)
{
    struct trace trace = {.difference = d};
    enum program_comparison result = PROGRAM_NOT_COMPARED;
    d->reg = MODULE_NONE;
    if (execute(program, impl[0], &trace, 0, state[0], error) && execute(program, impl[1], &trace, 1, state[1], error))
        result = d->lanes ? PROGRAM_DIFFERS : compare_faults(d);
    free(trace.answers);
    return result;
}

enum program_comparison program_find_difference(const struct program *program, const struct warp_impl *reference,
                                                const struct warp_impl *observed, uint64_t seed, uint64_t index,
                                                struct program_difference *difference, struct error *error)
{
    const struct warp_impl *const impl[2] = {reference, observed};
    enum program_comparison result = PROGRAM_NOT_COMPARED;
    *difference = (struct program_difference){.seed = seed, .index = index};
    struct program_state *const state[2] = {program_state_new(program), program_state_new(program)};
    if (state[0] != NULL && state[1] != NULL) {
        program_state_random(program, state[0], seed, index);
        program_state_copy(program, state[1], state[0]);
        result = compare(program, impl, state, difference, error);
    } else {
        error_set(error, ERROR_SYSTEM, "out of memory");
    }
    program_state_free(state[0]);
    program_state_free(state[1]);
    return result;
}

struct finding program_difference_finding(const struct program *program, const struct program_difference *d,
                                          char instruction[FINDING_SIGNATURE_MAX])
{
    const struct module_instruction *i = &program->instructions[d->at];
    snprintf(instruction, FINDING_SIGNATURE_MAX, "arithmetic"); /* a defect of the executor itself */
    if (i->op == OP_WARP)
        finding_instruction(warp_form_get(i->form), instruction);
    return (struct finding){.kind = FINDING_PROGRAM, .property = instruction, .faults = d->reg == MODULE_NONE};
}

static void value_text(const struct program_difference *d, unsigned who, char text[32])
{
    if (d->defined[who])
        snprintf(text, 32, "0x%" PRIx64, d->value[who]);
    else
        snprintf(text, 32, "unpredictable");
}

/* Without the line, which the text begins with. */
static void fault_text(const struct program *program, const struct program_difference *d, unsigned who, char text[256])
{
    struct program_outcome outcome = d->outcome[who];
    outcome.fault_at = d->at;
    if (program_fault_clause(program, &outcome, text, 256) == 0)
        snprintf(text, 256, "no fault");
}

size_t program_difference_text(const struct program *program, const struct program_difference *d, char *buf,
                               size_t size)
{
    char instruction[512], what[2][256];
    int n;
    program_print_instruction(program, &program->instructions[d->at], instruction, sizeof instruction);
    for (unsigned who = 0; who < 2; who++)
        if (d->reg == MODULE_NONE)
            fault_text(program, d, who, what[who]);
        else
            value_text(d, who, what[who]);
    if (d->reg == MODULE_NONE)
        n = snprintf(buf, size, "line %u, `%s`: %s; expected: %s (input %" PRIu64 " of seed %" PRIu64 ")",
                     program->instructions[d->at].line, instruction, what[1], what[0], d->index, d->seed);
    else
        n = snprintf(buf, size,
                     "line %u, `%s`: %s in lane %d is %s, expected %s (lanes 0x%08x; input %" PRIu64 " of seed %" PRIu64
                     ")",
                     program->instructions[d->at].line, instruction, program->registers[d->reg].name,
                     __builtin_ctz(d->lanes), what[1], what[0], d->lanes, d->index, d->seed);
    return n > 0 ? (size_t)n : 0;
}
