#include "kernel/differ.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Do both have the same fault, or none, at this instruction? */
static bool same_fault(const struct program_outcome *x, const struct program_outcome *y)
{
    return x->fault == y->fault && x->fault_lanes == y->fault_lanes;
}

static lanemask lanes_that_differ(const struct program_state *x, const struct program_state *y, uint32_t reg)
{
    lanemask lanes = x->defined[reg] ^ y->defined[reg];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((x->defined[reg] & y->defined[reg]) >> lane & 1u)
            lanes |= (lanemask)(x->value[reg][lane] != y->value[reg][lane]) << lane;
    return lanes;
}

/* The first destination that differs. Sets `d` and returns true where there is one. */
static bool destinations_differ(const struct program_instruction *i, const struct program_state *x,
                                const struct program_state *y, struct program_difference *d)
{
    for (size_t n = 0; n < 2; n++) {
        const uint32_t reg = i->dsts[n].reg;
        const lanemask lanes = i->dsts[n].kind == PROGRAM_REGISTER ? lanes_that_differ(x, y, reg) : 0;
        if (lanes == 0)
            continue;
        const int lane = __builtin_ctz(lanes);
        d->reg = reg;
        d->lanes = lanes;
        d->defined[0] = x->defined[reg] >> lane & 1u;
        d->defined[1] = y->defined[reg] >> lane & 1u;
        d->value[0] = x->value[reg][lane];
        d->value[1] = y->value[reg][lane];
        return true;
    }
    return false;
}

/* Executes instruction `at` alone, on both states. */
static enum program_comparison step(const struct program *program, const struct warp_impl *const impl[2],
                                    struct program_state *const state[2], struct program_difference *d, char *error,
                                    size_t error_size)
{
    struct program one = *program;
    one.instructions += d->at;
    one.instructions_count = 1;
    for (unsigned who = 0; who < 2; who++)
        if (!program_execute(&one, impl[who], state[who], &d->outcome[who], error, error_size))
            return PROGRAM_NOT_COMPARED;
    d->reg = PROGRAM_NO_REGISTER;
    d->lanes = d->outcome[0].fault_lanes ^ d->outcome[1].fault_lanes;
    if (!same_fault(&d->outcome[0], &d->outcome[1]))
        return PROGRAM_DIFFERS;
    return destinations_differ(&program->instructions[d->at], state[0], state[1], d) ? PROGRAM_DIFFERS : PROGRAM_AGREES;
}

static enum program_comparison walk(const struct program *program, const struct warp_impl *const impl[2],
                                    struct program_state *const state[2], struct program_difference *d, char *error,
                                    size_t error_size)
{
    for (d->at = 0; d->at < program->instructions_count; d->at++) {
        const enum program_comparison so_far = step(program, impl, state, d, error, error_size);
        if (so_far != PROGRAM_AGREES || d->outcome[0].fault != PROGRAM_FAULT_NONE)
            return so_far;
    }
    return PROGRAM_AGREES;
}

enum program_comparison program_find_difference(const struct program *program, const struct warp_impl *reference,
                                                const struct warp_impl *observed, uint64_t seed, uint64_t index,
                                                struct program_difference *difference, char *error, size_t error_size)
{
    const struct warp_impl *const impl[2] = {reference, observed};
    struct program whole = *program; /* with its target: one instruction alone may have another */
    enum program_comparison result = PROGRAM_NOT_COMPARED;
    snprintf(error, error_size, "out of memory");
    *difference = (struct program_difference){.seed = seed, .index = index};
    whole.target = program_target(program, error, error_size);
    if (whole.target == 0)
        return PROGRAM_NOT_COMPARED;
    struct program_state *const state[2] = {program_state_new(program), program_state_new(program)};
    if (state[0] != NULL && state[1] != NULL) {
        program_state_random(program, state[0], seed, index);
        program_state_copy(program, state[1], state[0]);
        result = walk(&whole, impl, state, difference, error, error_size);
    }
    program_state_free(state[0]);
    program_state_free(state[1]);
    return result;
}

struct finding program_difference_finding(const struct program *program, const struct program_difference *d,
                                          char instruction[FINDING_SIGNATURE_MAX])
{
    const struct program_instruction *i = &program->instructions[d->at];
    snprintf(instruction, FINDING_SIGNATURE_MAX, "arithmetic"); /* a defect of the executor itself */
    if (i->op == PROGRAM_WARP)
        finding_instruction(warp_form_get(i->form), instruction);
    return (struct finding){.kind = FINDING_PROGRAM, .property = instruction, .faults = d->reg == PROGRAM_NO_REGISTER};
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
    char whole[256];
    const char *clause;
    outcome.fault_at = d->at; /* it was executed alone */
    program_fault_text(program, &outcome, whole, sizeof whole);
    clause = strstr(whole, ": ");
    snprintf(text, 256, "%s", clause != NULL ? clause + 2 : "no fault");
}

size_t program_difference_text(const struct program *program, const struct program_difference *d, char *buf,
                               size_t size)
{
    char instruction[512], what[2][256];
    int n;
    program_print_instruction(program, &program->instructions[d->at], instruction, sizeof instruction);
    for (unsigned who = 0; who < 2; who++)
        if (d->reg == PROGRAM_NO_REGISTER)
            fault_text(program, d, who, what[who]);
        else
            value_text(d, who, what[who]);
    if (d->reg == PROGRAM_NO_REGISTER)
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
