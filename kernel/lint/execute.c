#include "kernel/lint/lint_internal.h"

#include "kernel/run/runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_EXECUTIONS 256u
#define LINT_SEED          1u

/* Does the instruction pass on the bits of its sources, not only which lanes take part? */
static bool passes_values(const struct module_instruction *i)
{
    return i->op != OP_WARP || warp_form_passes_values(warp_form_get(i->form));
}

static bool is_marked(const struct module_operand *o, const bool *marked)
{
    return o->kind == OPERAND_REGISTER && marked[o->reg];
}

struct origin {
    bool implicit[PROGRAM_REGISTERS_MAX]; /* comes from outside the text, and no input line describes it */
    bool derived[PROGRAM_REGISTERS_MAX];  /* ... or is made of such a value */
};

static void find_implicit(const struct program *program, struct origin *origin)
{
    memset(origin, 0, sizeof *origin);
    for (size_t r = 0; r < program->registers_count; r++)
        origin->implicit[r] = origin->derived[r] = program->registers[r].input.implicit;
}

static void pass_on(const struct module_instruction *i, bool *derived)
{
    bool any = i->guard != MODULE_NONE && derived[i->guard];
    for (size_t k = 0; k < i->srcs_count; k++)
        any |= is_marked(&i->srcs[k], derived);
    for (size_t k = 0; k < i->dsts_count && any && passes_values(i); k++)
        if (i->dsts[k].kind == OPERAND_REGISTER)
            derived[i->dsts[k].reg] = true;
}

/*
 * A membermask or a guard of a .sync instruction may be made of a register from outside the text. It is then unknown
 * which lanes arrive, and an execution shows nothing certain. Returns the reason, or NULL.
 */
static const char *unknown_lanes(const struct program *program, struct origin *origin, const char **name)
{
    for (size_t n = 0; n < program->instructions_count; n++) {
        const struct module_instruction *i = &program->instructions[n];
        const struct module_operand *mask = program_source(i, OPERAND_MEMBERMASK);
        bool sync = i->op == OP_WARP && mask->kind != OPERAND_NONE;
        *name = NULL;
        if (sync && is_marked(mask, origin->derived))
            *name = program->registers[mask->reg].name;
        if (*name)
            return "membermask";
        if (sync && i->guard != MODULE_NONE && origin->implicit[i->guard])
            *name = program->registers[i->guard].name;
        if (*name)
            return "the guard";
        pass_on(i, origin->derived);
    }
    return NULL;
}

/* The lanes that run a text that does not name them: those that every constant membermask names. */
static lanemask common_lanes(const struct program *program)
{
    lanemask lanes = UINT32_MAX;
    for (size_t n = 0; n < program->instructions_count; n++) {
        const struct module_instruction *i = &program->instructions[n];
        if (i->op == OP_WARP && i->srcs[OPERAND_MEMBERMASK].kind == OPERAND_IMMEDIATE)
            lanes &= (lanemask)i->srcs[OPERAND_MEMBERMASK].value;
    }
    return lanes;
}

struct seen {
    bool fault[PROGRAM_INSTRUCTIONS_MAX];
    bool use[PROGRAM_INSTRUCTIONS_MAX];
};

static void report_outcome(const struct program *program, const struct program_outcome *o, uint64_t index,
                           struct seen *seen, struct lint_report *report)
{
    char text[256];
    if (o->fault != PROGRAM_FAULT_NONE && !seen->fault[o->fault_at]) {
        seen->fault[o->fault_at] = true;
        program_fault_clause(program, o, text, sizeof text);
        lint_add(report, LINT_UNDEFINED, program->instructions[o->fault_at].line, 1, "%s %s (inputs %llu of seed %u)",
                 o->fault == PROGRAM_FAULT_WAITS ? "may wait for ever:" : "may be undefined:", text,
                 (unsigned long long)index, LINT_SEED);
    }
    if (o->used && !seen->use[o->used_at]) {
        seen->use[o->used_at] = true;
        struct lint_finding *f =
            lint_add(report, LINT_UNDEFINED, program->instructions[o->used_at].line, 1,
                     "may use an unpredictable value: %s in lanes 0x%08x (inputs %llu of seed %u)",
                     program->registers[o->used_reg].name, o->used_lanes, (unsigned long long)index, LINT_SEED);
        if (f)
            f->of_value = true;
    }
}

static void execute_all(const struct program *program, const struct lint_options *options, struct lint_report *report)
{
    static const struct seen nothing;
    struct seen seen = nothing;
    uint64_t count = options->executions ? options->executions : DEFAULT_EXECUTIONS;
    struct program_state *state = program_state_new(program);
    struct program_runner *r = malloc(sizeof *r);
    bool opened = state && r && program_runner_open(r, program, options->impl, &report->not_executed);
    bool ok = opened;
    for (uint64_t index = 0; ok && index < count; index++) {
        struct program_outcome outcome;
        program_state_random(program, state, LINT_SEED, index);
        ok = program_runner_execute(r, state, &outcome, &report->not_executed);
        if (ok) {
            report_outcome(program, &outcome, index, &seen, report);
            report->executed++;
        }
    }
    report->failed = !state || !r || (opened && !ok);
    if (!state || !r)
        error_set(&report->not_executed, ERROR_SYSTEM, "out of memory");
    if (opened)
        program_runner_close(r);
    free(r);
    program_state_free(state);
}

static void execute_program(struct program *program, const struct lint_options *options, struct lint_report *report)
{
    struct origin origin;
    const char *name;
    const struct module_instruction *unplain;
    const char *why;
    if (!program->is_plain && program->notes_count == 0) {
        bool found = program_find_unplain(program, &unplain, &why);
        error_set(&report->not_executed, ERROR_UNSUPPORTED, "%s: `warpcheck kernel` executes kernels",
                  found && !program->is_kernel ? "it is more than a straight line" : "a whole kernel");
        return;
    }
    find_implicit(program, &origin);
    const char *unknown = unknown_lanes(program, &origin, &name);
    if (unknown) {
        error_set(&report->not_executed, ERROR_UNSUPPORTED, "%s %s comes from outside the text", unknown, name);
        return;
    }
    program->target = report->target;
    if (program->notes_count == 0)
        program->active = common_lanes(program);
    if (program->active == 0)
        error_set(&report->not_executed, ERROR_UNSUPPORTED, "no lane is in every membermask");
    else
        execute_all(program, options, report);
}

void lint_execute(const char *text, size_t size, const struct lint_options *options, struct lint_report *report)
{
    struct program_options read = {.implicit_inputs = true};
    struct warp_text_error error = {.no_memory = false};
    const char *why = NULL;
    if (!options->impl)
        why = "no implementation";
    else if (report->instructions == 0)
        why = "no warp instruction";
    else if (report->counts[LINT_ILLEGAL] != 0)
        why = "there are illegal instructions";
    if (why) {
        error_set(&report->not_executed, ERROR_NOTHING, "%s", why);
        return;
    }
    struct program *program = program_parse(text, size, &read, &error);
    if (program)
        execute_program(program, options, report);
    else
        error_set(&report->not_executed, ERROR_INPUT, "not a straight-line program: %zu:%zu: %s", error.line,
                  error.column, error.what);
    report->failed |= error.no_memory;
    program_free(program);
}
