/* Control flow: blocks, branches, merging, calls. */
#include "proofs/machine.h"

#include "proofs/routine.h"
#include "warpcheck/warp.h"
#include "proofs/warpcheck_compiled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEEPEST 64u /* calls */
/* A branch that ends a loop may fork so often before the solver is asked whether both sides are possible. */
#define FORKS_UNASKED   2u
#define FORKS_AT_BRANCH 4096u
#define CUT_PHIS        16u

enum ending { REACHED, RETURNED, DEAD };

/* The state at the end of one way through a function. */
struct left {
    term when; /* what holds on that way from the beginning of the loop, and on none that did not leave it before */
    const struct value **values;
    const struct value *returned;
    struct state memory;
    enum ending ending;
};

/* A loop that is followed from head to head: the ways that leave it end, and wait to be merged behind it. */
struct loop {
    const struct routine_loop *is;
    struct loop *outer;
    int exit;          /* the nearest block behind it through which every way leads, in the loop around it */
    size_t path;       /* conditions that held at its beginning */
    struct left *left; /* the ways that left it early, followed to its exit */
    unsigned left_count, left_seen;
    bool by_bits;     /* it is gone through once for each bit of a mask, and then ends */
    bool until_empty; /* its latch goes back to the head also when the mask is empty */
};

struct frame {
    struct machine *machine;
    const struct routine *routine;
    const struct value **values;
    const struct value *returned;
    unsigned *forks;   /* a block */
    struct loop *loop; /* in which it is; NULL: none */
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

static struct compiled_turns *watched;

void compiled_watch_turns(struct compiled_turns *turns)
{
    watched = turns;
}

/* A function that is called in a loop does not end that loop: only the outermost one forgets. */
static void note_turn(const struct frame *f, int from, int to)
{
    if (watched == NULL)
        return;
    if (f->routine->blocks[to].in_loop && to <= from) {
        if (watched->turns++ == 0)
            snprintf(watched->function, sizeof watched->function, "%s", f->machine->where);
    } else if (!f->routine->blocks[to].in_loop && f->machine->depth <= 1) {
        watched->turns = 0;
    }
}

/* All phis of `to` take their values at once. */
static void take_edge(struct frame *f, int from, int to)
{
    const struct routine_block *b = &f->routine->blocks[to];
    const struct value **taken = smt_grow(NULL, b->phis + 1, sizeof *taken);
    LLVMBasicBlockRef source = f->routine->blocks[from].block;
    note_turn(f, from, to);
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

/* f's values where ways meet at the block: `first` where c, else what they are. Those that are not used again go. */
static void merge_all(struct frame *f, term c, const struct value **first, int block)
{
    for (unsigned i = 0; i < f->routine->values; i++)
        if (first[i] != f->values[i])
            f->values[i] =
                routine_uses(f->routine, block, i) ? merge_values(&f->machine->m, c, first[i], f->values[i]) : NULL;
}

/* `loop`: what is pushed says that an earlier way out of it was not taken; NULL: it does not. */
static void push_path_of(struct machine *machine, term condition, const struct loop *loop)
{
    struct smt *s = machine->m.s;
    const unsigned n = b_conjuncts(s, condition);
    for (unsigned i = 0; i < n; i++) {
        machine->path = smt_room(machine->path, machine->path_count, &machine->path_room, sizeof *machine->path);
        machine->path_loop =
            smt_room(machine->path_loop, machine->path_count, &machine->path_loop_room, sizeof *machine->path_loop);
        machine->path_loop[machine->path_count] = loop;
        machine->path[machine->path_count++] = b_conjunct(s, condition, i);
    }
}

static void push_path(struct machine *machine, term condition)
{
    push_path_of(machine, condition, NULL);
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

static void keep_left(struct frame *f, struct loop *loop, term when, enum ending ending)
{
    const size_t size = f->routine->values * sizeof *f->values;
    struct left left = {.when = when, .returned = f->returned, .ending = ending};
    left.values = arena_take(&f->machine->m.arena, size);
    memcpy(left.values, f->values, size);
    left.memory = state_copy(&f->machine->now);
    loop->left = smt_grow(loop->left, loop->left_count + 1, sizeof *loop->left);
    loop->left[loop->left_count++] = left;
}

/* What holds on the way here from the loop's beginning, but that earlier ways out were not taken: these come first
 * where all are merged (join_left). */
static term way_out(const struct machine *machine, const struct loop *loop)
{
    const size_t n = machine->path_count - loop->path;
    term *own = smt_grow(NULL, n + 1, sizeof *own), when;
    size_t kept = 0;
    for (size_t i = loop->path; i < machine->path_count; i++)
        if (machine->path_loop[i] != loop)
            own[kept++] = machine->path[i];
    when = b_all(machine->m.s, own, kept);
    free(own);
    return when;
}

/* A way that leaves the loop early ends here; what it leaves at the loop's exit waits for the others. */
static enum ending leave_loop(struct frame *f, int from, int to)
{
    struct machine *machine = f->machine;
    struct loop *loop = f->loop;
    const struct value *returned = f->returned;
    term when = way_out(machine, loop);
    enum ending ending;
    f->loop = loop->outer;
    take_edge(f, from, to);
    ending = f->loop != NULL && !f->loop->is->body[to] ? leave_loop(f, from, to) : region(f, to, loop->exit);
    f->loop = loop;
    keep_left(f, loop, when, ending);
    f->returned = returned;
    return DEAD;
}

/* Follows one edge to `stop`, or out of the loop. */
static enum ending go(struct frame *f, int from, int to, int stop)
{
    if (f->loop != NULL && !f->loop->is->body[to])
        return leave_loop(f, from, to);
    take_edge(f, from, to);
    return region(f, to, stop);
}

/* Follows one arm alone, under its condition. */
static enum ending follow(struct frame *f, int from, term condition, int to, int stop)
{
    const size_t before = f->machine->path_count;
    enum ending end;
    push_path(f->machine, condition);
    end = go(f, from, to, stop);
    f->machine->path_count = before;
    return end;
}

static enum ending fork(struct frame *f, int from, const struct arm *arms, unsigned n, int stop);

/* From here on it is known that the ways which left the loop, from number `first` on, were not taken: that what they
 * need beside all that holds here does not hold. */
static void deny_from(struct frame *f, unsigned first)
{
    struct machine *machine = f->machine;
    for (unsigned i = first; f->loop != NULL && i < f->loop->left_count; i++)
        push_path_of(machine, b_not(machine->m.s, machine_here(machine, f->loop->left[i].when)), f->loop);
}

/* Executes both sides from the same beginning and merges what they leave. */
static enum ending both_sides(struct frame *f, int from, const struct arm *arms, unsigned n, term c, int stop)
{
    struct machine *machine = f->machine;
    const unsigned left = f->loop != NULL ? f->loop->left_count : 0;
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
    deny_from(f, left);
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
        merge_all(f, c, first, stop);
    return first_end;
}

/* Does the branch end a loop that would not end otherwise? That it cannot go on is worth a question. */
static bool may_end(const struct frame *f, int from, const struct arm *arms, unsigned n)
{
    bool ends = f->routine->blocks[from].leaves_loop;
    for (unsigned i = 0; ends && f->loop != NULL && f->loop->by_bits && i < n; i++)
        ends = f->loop->is->body[arms[i].to];
    return ends;
}

static enum ending fork(struct frame *f, int from, const struct arm *arms, unsigned n, int stop)
{
    struct machine *machine = f->machine;
    struct smt *s = machine->m.s;
    term c;
    if (n == 1)
        return go(f, from, arms[0].to, stop);
    c = machine_here(machine, arms[0].when);
    if (!is_true(s, c) && !is_false(s, c)) {
        const unsigned count = f->forks[from]++;
        if (count > FORKS_AT_BRANCH)
            fail_late(&machine->m, "a branch on unknowns was taken more than %u times", FORKS_AT_BRANCH);
        const bool ask = count >= FORKS_UNASKED && may_end(f, from, arms, n);
        if (ask && !machine_possible(machine, c))
            c = term_bool(s, false);
        else if (ask && !machine_possible(machine, b_not(s, c)))
            c = term_bool(s, true);
    }
    if (is_true(s, c))
        return go(f, from, arms[0].to, stop);
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
    if (LLVMGetInstructionOpcode(branch) == LLVMInvoke ||
        (LLVMGetInstructionOpcode(branch) == LLVMBr && !LLVMIsConditional(branch))) {
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

static void execute_step(struct frame *f, const struct routine_step *at)
{
    const struct step step = {f->machine, at->instruction, at->flags, operand_of, f};
    f->machine->steps++;
    f->values[at->number] = machine_step(&step);
    f->machine->where = LLVMGetValueName(f->routine->function);
}

/* Does somebody catch what the call throws? Those that only clean up pass it on. */
static bool may_catch(LLVMValueRef invoke)
{
    LLVMValueRef pad = LLVMGetFirstInstruction(LLVMGetUnwindDest(invoke));
    while (pad != NULL && LLVMIsAPHINode(pad) != NULL)
        pad = LLVMGetNextInstruction(pad);
    return pad == NULL || LLVMIsALandingPadInst(pad) == NULL || LLVMGetNumClauses(pad) > 0;
}

/* All but the terminator. A call that may throw ends its block: it throws nothing, because functions that throw are not
 * in the bitcode; they never return (step.c). */
static void execute(struct frame *f, const struct routine_block *b)
{
    const struct routine_step *last = &b->steps[b->n - 1];
    for (unsigned i = b->phis; i + 1 < b->n; i++)
        execute_step(f, &b->steps[i]);
    if (last->op == LLVMInvoke) {
        const unsigned catches = may_catch(last->instruction);
        f->machine->catches += catches;
        execute_step(f, last);
        f->machine->catches -= catches;
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
    return machine->cut_wanted(machine, machine->cut_context, phis, b->phis);
}

/* The first visit stands for all: every other one is reached from it, by a way on which what held there still holds. */
static bool is_from_first(struct machine *machine, bool again)
{
    const size_t size = machine->path_count * sizeof *machine->cut_prefix;
    if (!again) {
        machine->cut_path = machine->path_count;
        machine->cut_prefix = arena_take(&machine->m.arena, size == 0 ? 1 : size);
        memcpy(machine->cut_prefix, machine->path, size);
        return true;
    }
    return machine->path_count >= machine->cut_path &&
           memcmp(machine->cut_prefix, machine->path, machine->cut_path * sizeof *machine->path) == 0;
}

/* Returns true when this way ends here. */
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

/* Where the ways from a block meet, within the loop that is followed bit by bit. */
static int meet_of(const struct frame *f, int block)
{
    return f->loop != NULL ? f->loop->is->meet[block] : f->routine->blocks[block].meet;
}

/* One block and the way to the next that is certain, or to where its ways meet. */
static enum ending one_block(struct frame *f, int *block)
{
    const struct routine_block *b = &f->routine->blocks[*block];
    const struct routine_step *last = &b->steps[b->n - 1];
    const int from = *block;
    struct arm *arms;
    term c = NULL;
    unsigned n;
    if (at_cut(f, b))
        return DEAD;
    execute(f, b);
    machine_refuse_unknown(f->machine, last->flags);
    if (last->op != LLVMBr && last->op != LLVMSwitch && last->op != LLVMInvoke)
        return leave(f, last);
    if (f->loop != NULL && f->loop->until_empty && from == f->loop->is->latch) {
        *block = f->loop->is->head;
        take_edge(f, from, *block);
        return REACHED;
    }
    arms = arena_take(&f->machine->m.arena, (LLVMGetNumSuccessors(last->instruction) + 1) * sizeof *arms);
    n = branch_arms(f, last->instruction, arms);
    for (; n > 1; arms++, n--) { /* what is known needs no recursion */
        c = machine_here(f->machine, arms[0].when);
        if (!is_false(f->machine->m.s, c))
            break;
    }
    if (n > 1 && !is_true(f->machine->m.s, c)) {
        *block = meet_of(f, from);
        return fork(f, from, arms, n, *block);
    }
    *block = arms[0].to;
    if (f->loop != NULL && !f->loop->is->body[*block])
        return leave_loop(f, from, *block);
    take_edge(f, from, *block);
    return REACHED;
}

/* --- loops over the set bits of a mask --------------------------------------------------------------------------- */

/* Where the mask of the loop lies in memory, at its head; NULL: at no known place. */
static const struct scalar *place_of(struct frame *f, const struct routine_loop *loop)
{
    struct machine *machine = f->machine;
    const struct routine_word *word = &loop->word;
    const struct value *base = f->values[routine_number(f->routine, word->base)];
    const struct scalar *p = base == NULL ? NULL : base->e[0];
    for (unsigned i = 0; p != NULL; i++) {
        const unsigned width = i == word->loads ? loop->width : 64;
        uint64_t at;
        if (p->kind != POINTER || p->index != NULL || p->poison != NULL)
            return NULL;
        at = p->number + (uint64_t)word->offset[i];
        if (p->object >= machine->now.n || machine->now.blocks[p->object] == NULL ||
            machine->sizes[p->object] < width / 8 || at > machine->sizes[p->object] - width / 8)
            return NULL;
        p = i == word->loads ? machine_address(machine, p->object, at)
                             : memory_load(&machine->m, &machine->now, p->object, at, width);
        if (i == word->loads)
            return p;
    }
    return NULL;
}

/* The mask of the loop, at its head; NULL: it is no number. */
static const struct scalar *mask_of(struct frame *f, const struct routine_loop *loop)
{
    const struct scalar *x, *p;
    if (!loop->word.memory) {
        x = f->values[routine_number(f->routine, loop->word.base)]->e[0];
    } else {
        p = place_of(f, loop);
        if (p == NULL)
            return NULL;
        x = memory_load(&f->machine->m, &f->machine->now, p->object, p->number, loop->width);
    }
    return x->kind == POINTER || x->kind == UNMERGED || x->poison != NULL ? NULL : x;
}

static void set_mask(struct frame *f, const struct routine_loop *loop, const struct scalar *x)
{
    struct machine *machine = f->machine;
    const struct scalar *p;
    if (!loop->word.memory) {
        f->values[routine_number(f->routine, loop->word.base)] = make_value(&machine->m, x);
        return;
    }
    p = place_of(f, loop);
    memory_store(&machine->m, &machine->now, p->object, machine->sizes[p->object], p->number, x);
}

/* The head of a loop over the bits of a mask that is unknown? */
static bool has_bits(struct frame *f, const struct routine_loop *loop)
{
    const struct scalar *mask = loop->width == 0 ? NULL : mask_of(f, loop);
    return mask != NULL && mask->kind != KNOWN;
}

/* Is this the head of a loop that must be followed from head to head? Those with one exit need not. */
static const struct routine_loop *loop_at(struct frame *f, int block)
{
    const struct routine_loop *loop = f->machine->by_bits ? routine_loop_at(f->routine, block) : NULL;
    return loop != NULL && (loop->exits > 1 || has_bits(f, loop)) ? loop : NULL;
}

/* Executes the loop once, from its head to its head. */
static enum ending once(struct frame *f, int head)
{
    int block = head;
    const enum ending ending = one_block(f, &block);
    return ending != REACHED ? ending : region(f, block, head);
}

/* The same of those that left in the latest round. */
static void deny_left(struct frame *f, struct loop *loop)
{
    deny_from(f, loop->left_seen);
    loop->left_seen = loop->left_count;
}

/* The mask with the bit as it is assumed to be. */
static const struct scalar *with_bit(struct maker *m, const struct scalar *mask, unsigned at, bool one)
{
    term bits[64];
    as_bits(m, mask, bits);
    bits[at] = term_bool(m->s, one);
    return make_bits(m, mask->width, bits);
}

/* A bit of the mask: the loop is gone through once where it is set. DEAD: no way goes on. */
static enum ending one_bit(struct frame *f, struct loop *loop, unsigned at)
{
    struct machine *machine = f->machine;
    struct maker *m = &machine->m;
    const struct scalar *mask = mask_of(f, loop->is);
    const size_t size = f->routine->values * sizeof *f->values, before = machine->path_count;
    const struct value **start;
    struct state start_state, first;
    enum ending ending;
    term bits[64], c;
    if (mask == NULL)
        fail(m, "a loop over the bits of a mask that is no number");
    as_bits(m, mask, bits);
    c = machine_here(machine, bits[at]);
    if (is_false(m->s, c)) {
        if (!is_false(m->s, bits[at]))
            set_mask(f, loop->is, with_bit(m, mask, at, false));
        return REACHED;
    }
    if (is_true(m->s, c)) {
        set_mask(f, loop->is, with_bit(m, mask, at, true));
        return once(f, loop->is->head);
    }
    start = arena_take(&m->arena, size);
    memcpy(start, f->values, size);
    start_state = state_copy(&machine->now);
    machine->forks++;
    push_path(machine, c);
    set_mask(f, loop->is, with_bit(m, mask, at, true));
    ending = once(f, loop->is->head);
    machine->path_count = before;
    first = machine->now;
    machine->now = start_state;
    if (ending == DEAD) {
        state_free(&first);
        memcpy(f->values, start, size);
        set_mask(f, loop->is, with_bit(m, mask, at, false));
        push_path(machine, b_not(m->s, c));
        return REACHED;
    }
    {
        const struct value **other = arena_take(&m->arena, size);
        memcpy(other, f->values, size);
        memcpy(f->values, start, size);
        set_mask(f, loop->is, with_bit(m, mask, at, false));
        state_merge(m, c, &first, &machine->now, machine->sizes);
        machine->now = first;
        merge_all(f, c, other, loop->is->head);
    }
    return ending;
}

/* States that the loop does not return to a bit that was done. What its form does not show the solver may know. */
static void need_cleared(struct frame *f, const struct loop *loop, unsigned steps)
{
    struct maker *m = &f->machine->m;
    const struct scalar *mask = mask_of(f, loop->is);
    term bits[64];
    bool cleared = mask != NULL;
    if (cleared)
        as_bits(m, mask, bits);
    for (unsigned i = 0; cleared && i <= steps; i++) {
        const unsigned at = loop->is->highest_first ? mask->width - 1 - i : i;
        if (is_false(m->s, bits[at]))
            continue;
        cleared = !machine_possible(f->machine, bits[at]);
        bits[at] = term_bool(m->s, false);
        set_mask(f, loop->is, make_bits(m, mask->width, bits));
    }
    if (!cleared)
        fail_late(m, "a loop over the bits of a mask that does not clear each in its turn");
}

/* Merges, at the loop's exit, the states of the paths that left early and of the one that ran to its end. */
static enum ending join_left(struct frame *f, struct loop *loop, enum ending ending)
{
    struct machine *machine = f->machine;
    const size_t size = f->routine->values * sizeof *f->values;
    for (unsigned i = loop->left_count; i-- > 0;) {
        struct left *x = &loop->left[i];
        if (x->ending == DEAD) {
            state_free(&x->memory);
            continue;
        }
        if (ending == DEAD) {
            state_free(&machine->now);
            machine->now = x->memory;
            memcpy(f->values, x->values, size);
            f->returned = x->returned;
            ending = x->ending;
            continue;
        }
        if (ending != x->ending)
            fail(&machine->m, "control flow that does not meet again");
        state_merge(&machine->m, x->when, &x->memory, &machine->now, machine->sizes);
        machine->now = x->memory;
        if (ending == RETURNED)
            f->returned = merge_values(&machine->m, x->when, x->returned, f->returned);
        else
            merge_all(f, x->when, x->values, loop->exit);
    }
    free(loop->left);
    return ending;
}

/* A value that comes back to the loop's head is the head's phi in the next round, and after the last. */
static void take_phis(struct frame *f, const struct routine_loop *is)
{
    const struct routine_block *head = &f->routine->blocks[is->head];
    LLVMBasicBlockRef latch = f->routine->blocks[is->latch].block;
    for (unsigned i = 0; i < head->phis; i++) {
        LLVMValueRef phi = head->steps[i].instruction;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, k);
            const int next = routine_number(f->routine, value);
            if (LLVMGetIncomingBlock(phi, k) == latch && LLVMIsAInstruction(value) != NULL &&
                is->body[routine_number(f->routine, LLVMGetInstructionParent(value))] &&
                (LLVMIsAPHINode(value) == NULL ||
                 LLVMGetInstructionParent(value) != f->routine->blocks[is->head].block))
                f->values[next] = f->values[head->steps[i].number];
        }
    }
}

/*
 * `while (m != 0) { i = ctz(m); ...; m &= m - 1; }` for an unknown mask: bit by bit, in the order in which the loop
 * takes them. Where a bit is set, the loop is gone through once, with that bit known to be the first; where it is
 * clear, nothing happens; then both are merged. That is the loop over all positions with a condition, which has the
 * same effect. At last the mask is empty.
 */
static enum ending over_bits(struct frame *f, struct loop *loop)
{
    struct machine *machine = f->machine;
    struct maker *m = &machine->m;
    const struct routine_loop *is = loop->is;
    const struct scalar *mask = mask_of(f, is);
    term empty = as_bool(m, arith_compare(m, LLVMIntEQ, mask, make_known(m, is->width, 0)));
    enum ending ending = REACHED;
    loop->until_empty = is->latch != NO_BLOCK && !machine_possible(machine, empty);
    for (unsigned i = 0; ending == REACHED && i < is->width; i++) {
        ending = one_bit(f, loop, is->highest_first ? is->width - 1 - i : i);
        deny_left(f, loop);
        if (ending == REACHED)
            need_cleared(f, loop, i);
    }
    f->loop = loop->outer;
    if (ending != REACHED)
        return ending;
    if (loop->until_empty) {
        take_phis(f, is);
        return go(f, is->latch, is->behind, loop->exit);
    }
    if (machine->path_count > loop->path && !machine_possible(machine, term_bool(m->s, true)))
        return DEAD; /* an empty mask does not come to the end of this loop */
    return region(f, is->head, loop->exit);
}

#define MOST_ROUNDS 4096u

/* Round by round, until no way goes on. */
static enum ending over_rounds(struct frame *f, struct loop *loop)
{
    struct machine *machine = f->machine;
    enum ending ending = REACHED;
    for (unsigned i = 0; ending == REACHED; i++) {
        const unsigned before = loop->left_count;
        if (i == MOST_ROUNDS)
            fail_late(&machine->m, "a loop was gone through more than %u times", MOST_ROUNDS);
        ending = once(f, loop->is->head);
        deny_left(f, loop);
        if (ending == REACHED && loop->left_count > before && i > WARP_LANES &&
            !machine_possible(machine, term_bool(machine->m.s, true)))
            ending = DEAD;
    }
    f->loop = loop->outer;
    return ending;
}

static enum ending follow_loop(struct frame *f, const struct routine_loop *is, int exit)
{
    struct loop loop = {.is = is, .outer = f->loop, .exit = exit, .path = f->machine->path_count};
    const bool bits = has_bits(f, is);
    enum ending ending;
    loop.by_bits = bits;
    f->loop = &loop;
    ending = bits ? over_bits(f, &loop) : over_rounds(f, &loop);
    f->machine->path_count = loop.path;
    return join_left(f, &loop, ending);
}

static int exit_of(const struct frame *f, const struct routine_loop *loop)
{
    int block = loop->head;
    do
        block = meet_of(f, block);
    while (block != NO_BLOCK && loop->body[block] && block != (f->loop != NULL ? f->loop->is->head : NO_BLOCK));
    return block;
}

/* Executes from `block` to `stop`, which is not executed, or to the end of the function. */
static enum ending region(struct frame *f, int block, int stop)
{
    while (block != stop) {
        const struct routine_loop *loop = loop_at(f, block);
        const int exit = loop != NULL ? exit_of(f, loop) : NO_BLOCK;
        const enum ending ending = loop != NULL ? follow_loop(f, loop, exit) : one_block(f, &block);
        if (ending != REACHED)
            return ending;
        if (loop != NULL)
            block = exit;
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
    if (watched != NULL && machine->depth == 0)
        watched->turns = 0;
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
