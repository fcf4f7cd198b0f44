/* Control flow: blocks, branches, merging, calls. */
#include "proofs/machine.h"

#include "proofs/routine.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 64u /* calls */
#define FORKS_UNASKED                                                                                                  \
    2u /* of a branch that ends a loop, before the solver is asked whether both sides are possible                     \
        */
#define FORKS_AT_BRANCH 4096u
#define CUT_PHIS        16u

enum ending { REACHED, RETURNED, DEAD };

struct frame {
    struct machine *machine;
    const struct routine *routine;
    const struct value **values;
    const struct value *returned;
    unsigned *forks; /* a block */
};

static const struct value *value_of(const struct frame *f, LLVMValueRef operand)
{
    const int number = routine_number(f->routine, operand);
    if (number < 0)
        return machine_constant(f->machine, operand);
    if (f->values[number] == NULL)
        fail(&f->machine->m, "a value is used before it is computed");
    return f->values[number];
}

static const struct value *operand_of(const struct step *step, unsigned i)
{
    return value_of(step->context, LLVMGetOperand(step->instruction, i));
}

/* All phis of `to` take their values at once. */
static void take_edge(struct frame *f, int from, int to)
{
    const struct routine_block *b = &f->routine->blocks[to];
    const struct value **taken = smt_grow(NULL, b->phis + 1, sizeof *taken);
    LLVMBasicBlockRef source = f->routine->blocks[from].block;
    for (unsigned i = 0; i < b->phis; i++) {
        LLVMValueRef phi = b->steps[i].instruction;
        if (b->steps[i].flags.unknown != NULL) {
            free(taken);
            machine_refuse_unknown(f->machine, b->steps[i].flags);
        }
        taken[i] = NULL;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
            if (LLVMGetIncomingBlock(phi, k) == source)
                taken[i] = value_of(f, LLVMGetIncomingValue(phi, k));
    }
    for (unsigned i = 0; i < b->phis; i++)
        f->values[b->steps[i].number] = taken[i];
    free(taken);
}

static const struct value *merge_values(struct maker *m, term c, const struct value *x, const struct value *y)
{
    struct value *v;
    bool same = true;
    if (x == y || x == NULL || y == NULL)
        return x == NULL ? y : x; /* a value of one side alone is not used after the meeting */
    v = make_vector(m, x->n);
    for (unsigned i = 0; i < x->n; i++) {
        v->e[i] = scalar_select(m, c, x->e[i], y->e[i]);
        same &= v->e[i] == x->e[i];
    }
    return same ? x : v;
}

static void push_path(struct machine *machine, term condition)
{
    struct smt *s = machine->m.s;
    const unsigned n = b_conjuncts(s, condition);
    while (machine->path_count + n > machine->path_room) {
        machine->path_room = machine->path_room == 0 ? 256 : 2 * machine->path_room;
        machine->path = smt_grow(machine->path, machine->path_room, sizeof *machine->path);
    }
    for (unsigned i = 0; i < n; i++)
        machine->path[machine->path_count++] = b_conjunct(s, condition, i);
}

void machine_assume_here(struct machine *machine, term hypothesis)
{
    push_path(machine, hypothesis);
}

struct arm {
    term when; /* the first that is true; the last is */
    int to;
};

static enum ending region(struct frame *f, int block, int stop);

/* Follows one arm alone, under its condition. */
static enum ending follow(struct frame *f, int from, term condition, int to, int stop)
{
    const size_t before = f->machine->path_count;
    enum ending end;
    push_path(f->machine, condition);
    take_edge(f, from, to);
    end = region(f, to, stop);
    f->machine->path_count = before;
    return end;
}

static enum ending fork(struct frame *f, int from, const struct arm *arms, unsigned n, int stop);

/* Executes both sides from the same beginning and merges what they leave. */
static enum ending both_sides(struct frame *f, int from, const struct arm *arms, unsigned n, term c, int stop)
{
    struct machine *machine = f->machine;
    const size_t size = f->routine->values * sizeof *f->values, before = machine->path_count;
    const struct value **start = arena_take(&machine->m.arena, size), **first = arena_take(&machine->m.arena, size);
    const struct value *first_returned;
    struct state start_state = state_copy(&machine->now), first_state;
    enum ending first_end, second_end;
    machine->forks++;
    memcpy(start, f->values, size);
    first_end = follow(f, from, c, arms[0].to, stop);
    memcpy(first, f->values, size);
    first_state = machine->now;
    first_returned = f->returned;
    memcpy(f->values, start, size);
    machine->now = start_state;
    f->returned = NULL;
    push_path(machine, b_not(machine->m.s, c));
    second_end = fork(f, from, arms + 1, n - 1, stop);
    machine->path_count = before;
    if (first_end == DEAD) {
        state_free(&first_state);
        return second_end;
    }
    if (second_end == DEAD) {
        state_free(&machine->now);
        machine->now = first_state;
        memcpy(f->values, first, size);
        f->returned = first_returned;
        return first_end;
    }
    if (first_end != second_end)
        fail(&machine->m, "control flow that does not meet again");
    state_merge(&machine->m, c, &first_state, &machine->now, machine->sizes);
    machine->now = first_state;
    if (first_end == RETURNED)
        f->returned = merge_values(&machine->m, c, first_returned, f->returned);
    else
        for (unsigned i = 0; i < f->routine->values; i++)
            f->values[i] = merge_values(&machine->m, c, first[i], f->values[i]);
    return first_end;
}

static enum ending fork(struct frame *f, int from, const struct arm *arms, unsigned n, int stop)
{
    struct machine *machine = f->machine;
    struct smt *s = machine->m.s;
    term c;
    if (n == 1) {
        take_edge(f, from, arms[0].to);
        return region(f, arms[0].to, stop);
    }
    c = machine_here(machine, arms[0].when);
    if (!is_true(s, c) && !is_false(s, c)) {
        const unsigned count = f->forks[from]++;
        machine->m.gave_up = count > FORKS_AT_BRANCH;
        if (count > FORKS_AT_BRANCH)
            fail(&machine->m, "a branch on unknowns was taken more than %u times", FORKS_AT_BRANCH);
        const bool ask = f->routine->blocks[from].leaves_loop && count >= FORKS_UNASKED;
        if (ask && !machine_possible(machine, c))
            c = term_bool(s, false);
        else if (ask && !machine_possible(machine, b_not(s, c)))
            c = term_bool(s, true);
    }
    if (is_true(s, c)) {
        take_edge(f, from, arms[0].to);
        return region(f, arms[0].to, stop);
    }
    if (is_false(s, c))
        return fork(f, from, arms + 1, n - 1, stop);
    return both_sides(f, from, arms, n, c, stop);
}

static unsigned branch_arms(struct frame *f, LLVMValueRef branch, struct arm *arms)
{
    struct machine *machine = f->machine;
    struct smt *s = machine->m.s;
    const struct routine *r = f->routine;
    const struct scalar *x;
    unsigned n = 0;
    if (LLVMGetInstructionOpcode(branch) == LLVMBr && !LLVMIsConditional(branch)) {
        arms[0] = (struct arm){term_bool(s, true), routine_number(r, LLVMGetSuccessor(branch, 0))};
        return 1;
    }
    x = value_of(f, LLVMGetInstructionOpcode(branch) == LLVMBr ? LLVMGetCondition(branch) : LLVMGetOperand(branch, 0))
            ->e[0];
    if (x->poison != NULL)
        machine_oblige(machine, b_not(s, x->poison), "a branch on a poison or uninitialized value");
    if (LLVMGetInstructionOpcode(branch) == LLVMBr) {
        arms[0] = (struct arm){as_bool(&machine->m, x), routine_number(r, LLVMGetSuccessor(branch, 0))};
        arms[1] = (struct arm){term_bool(s, true), routine_number(r, LLVMGetSuccessor(branch, 1))};
        return 2;
    }
    for (unsigned i = 1; i < LLVMGetNumSuccessors(branch); i++) { /* operands: value, default, then number and block */
        const struct scalar *number = machine_constant(machine, LLVMGetOperand(branch, 2 * i))->e[0];
        term when = as_bool(&machine->m, arith_compare(&machine->m, LLVMIntEQ, x, number));
        arms[n++] = (struct arm){when, routine_number(r, LLVMGetSuccessor(branch, i))};
    }
    arms[n++] = (struct arm){term_bool(s, true), routine_number(r, LLVMGetSuccessor(branch, 0))};
    return n;
}

static enum ending leave(struct frame *f, const struct routine_step *last)
{
    if (last->op == LLVMRet) {
        f->returned =
            LLVMGetNumOperands(last->instruction) == 0 ? NULL : value_of(f, LLVMGetOperand(last->instruction, 0));
        f->returned = machine_returned(f->machine, NULL, f->routine->function, f->values, f->returned);
        return RETURNED;
    }
    if (last->op == LLVMUnreachable) {
        machine_oblige(f->machine, term_bool(f->machine->m.s, false), "a place that is never reached is reached");
        return DEAD;
    }
    fail(&f->machine->m, "terminator number %d is not translated", (int)last->op);
}

static void execute(struct frame *f, const struct routine_block *b)
{
    for (unsigned i = b->phis; i + 1 < b->n; i++) {
        const struct routine_step *at = &b->steps[i];
        const struct step step = {f->machine, at->instruction, at->flags, operand_of, f};
        f->machine->steps++;
        f->values[at->number] = machine_step(&step);
        f->machine->where = LLVMGetValueName(f->routine->function);
    }
}

static bool is_cut_function(const struct frame *f)
{
    return f->machine->cut_function != NULL &&
           strcmp(LLVMGetValueName(f->routine->function), f->machine->cut_function) == 0;
}

/* Does the loop that is cut begin here? */
static bool is_cut_block(struct machine *machine, const struct routine_block *b, const struct value *const *phis)
{
    if (machine->cut_block != NULL)
        return machine->cut_block == b->block;
    if (!b->in_loop || b->phis == 0)
        return false;
    return machine->cut_wanted == NULL ? b->calls_pointer
                                       : machine->cut_wanted(machine, machine->cut_context, phis, b->phis);
}

/* The first visit stands for all: every other one is reached from it, by a way on which what held there still holds. */
static bool is_from_first(struct machine *machine, bool again)
{
    const size_t size = machine->path_count * sizeof *machine->cut_prefix;
    if (machine->cut_wanted == NULL)
        return again || machine->path_count == machine->cut_path;
    if (!again) {
        machine->cut_path = machine->path_count;
        machine->cut_prefix = arena_take(&machine->m.arena, size == 0 ? 1 : size);
        memcpy(machine->cut_prefix, machine->path, size);
        return true;
    }
    return machine->path_count >= machine->cut_path &&
           memcmp(machine->cut_prefix, machine->path, machine->cut_path * sizeof *machine->path) == 0;
}

/* True: this way ends here. */
static bool at_cut(struct frame *f, const struct routine_block *b)
{
    struct machine *machine = f->machine;
    const struct value *phis[CUT_PHIS];
    const bool again = machine->cut_visits > 0;
    if (!is_cut_function(f))
        return false;
    for (unsigned i = 0; i < b->phis && i < CUT_PHIS; i++)
        phis[i] = f->values[b->steps[i].number];
    if (!is_cut_block(machine, b, phis))
        return false;
    machine->cut_block = b->block;
    if (b->phis > CUT_PHIS || !is_from_first(machine, again))
        fail(&machine->m, "the loop of '%s' cannot be cut", machine->cut_function);
    machine->cut_visits++;
    machine->cut(machine, machine->cut_context, again, phis, b->phis);
    for (unsigned i = 0; i < b->phis; i++)
        f->values[b->steps[i].number] = phis[i];
    return again;
}

/* From `block` to `stop`, which is not executed, or to the end of the function. */
static enum ending region(struct frame *f, int block, int stop)
{
    while (block != stop) {
        const struct routine_block *b = &f->routine->blocks[block];
        const struct routine_step *last = &b->steps[b->n - 1];
        struct arm *arms;
        term c;
        unsigned n;
        if (at_cut(f, b))
            return DEAD;
        execute(f, b);
        machine_refuse_unknown(f->machine, last->flags);
        if (last->op != LLVMBr && last->op != LLVMSwitch)
            return leave(f, last);
        arms = arena_take(&f->machine->m.arena, (LLVMGetNumSuccessors(last->instruction) + 1) * sizeof *arms);
        n = branch_arms(f, last->instruction, arms);
        for (c = NULL; n > 1; arms++, n--) { /* what is known needs no recursion */
            c = machine_here(f->machine, arms[0].when);
            if (!is_false(f->machine->m.s, c))
                break;
        }
        if (n == 1 || is_true(f->machine->m.s, c)) {
            take_edge(f, block, arms[0].to);
            block = arms[0].to;
            continue;
        }
        {
            const enum ending end = fork(f, block, arms, n, b->meet);
            if (end != REACHED)
                return end;
            block = b->meet;
        }
    }
    return REACHED;
}

static const struct routine *routine_of(struct machine *machine, LLVMValueRef function)
{
    for (size_t i = 0; i < machine->routine_count; i++)
        if (machine->routines[i]->function == function)
            return machine->routines[i];
    machine->routines = smt_grow(machine->routines, machine->routine_count + 1, sizeof(struct routine *));
    machine->routines[machine->routine_count] = routine_make(function);
    return machine->routines[machine->routine_count++];
}

const struct value *machine_execute(struct machine *machine, LLVMValueRef function, LLVMValueRef call,
                                    const struct value *const *arguments, unsigned n)
{
    const char *where = machine->where;
    const unsigned first = machine->object_count, effects = machine->effect_count, frame = machine->frame;
    struct frame f = {.machine = machine};
    size_t size;
    if (LLVMIsDeclaration(function))
        fail(&machine->m, "the function '%s' is called, but is not in this bitcode", LLVMGetValueName(function));
    if (call != NULL && machine_replaceable(function))
        fail(&machine->m, "the function '%s' may be another one when linked (weak)", LLVMGetValueName(function));
    if (machine->depth >= DEEPEST)
        fail(&machine->m, "calls deeper than %u (recursion) are not translated", DEEPEST);
    f.routine = routine_of(machine, function);
    if (n != LLVMCountParams(function))
        fail(&machine->m, "'%s' is called with %u arguments, but has %u", LLVMGetValueName(function), n,
             LLVMCountParams(function));
    machine_refuse_unknown(machine, f.routine->flags);
    size = f.routine->values * sizeof *f.values;
    f.values = arena_take(&machine->m.arena, size == 0 ? 1 : size);
    f.forks = arena_take(&machine->m.arena, f.routine->n * sizeof *f.forks);
    for (unsigned i = 0; i < n; i++)
        f.values[i] = arguments[i];
    machine_limit_effects(machine, call, function);
    machine->frame = first;
    machine->depth++;
    machine->where = LLVMGetValueName(function);
    if (region(&f, 0, NO_BLOCK) == DEAD) {
        if (!is_cut_function(&f) || machine->cut_visits < 2)
            fail(&machine->m, "'%s' never returns", LLVMGetValueName(function));
        f.returned = NULL;
    }
    for (unsigned i = first; i < machine->object_count; i++)
        machine->objects[i].ended = machine->objects[i].local;
    machine->depth--;
    machine->frame = frame;
    machine->effect_count = effects;
    machine->where = where;
    return f.returned;
}

const struct value *machine_call_function(struct machine *machine, LLVMValueRef function,
                                          const struct value *const *arguments, unsigned n)
{
    const struct value **a = arena_take(&machine->m.arena, (n + 1) * sizeof *a);
    memcpy(a, arguments, n * sizeof *a);
    machine_oblige_arguments(machine, NULL, function, a, n);
    return machine_execute(machine, function, NULL, a, n);
}

const struct value *machine_call(struct machine *machine, const char *name, const struct value *const *arguments,
                                 unsigned n)
{
    LLVMValueRef function = LLVMGetNamedFunction(machine->module, name);
    if (function == NULL)
        fail(&machine->m, "the bitcode has no function '%s'", name);
    return machine_call_function(machine, function, arguments, n);
}
