#include "proofs/machine.h"

#include "base/clock.h"
#include "proofs/bitcode.h"
#include "proofs/routine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define QUESTION_MS 5000

static LLVMModuleRef link_modules(LLVMContextRef context, const char *const *files, size_t n, struct error *error)
{
    LLVMModuleRef all = bitcode_read(context, files[0], error);
    for (size_t i = 1; i < n && all != NULL; i++) {
        LLVMModuleRef next = bitcode_read(context, files[i], error);
        if (next == NULL || LLVMLinkModules2(all, next)) {
            if (next != NULL)
                error_set(error, ERROR_INPUT, "%s cannot be linked with the others", files[i]);
            LLVMDisposeModule(all);
            return NULL;
        }
    }
    return all;
}

/* The maker stands first in its machine. */
static unsigned alignment_of(const struct maker *m, unsigned object)
{
    return ((const struct machine *)m)->objects[object].alignment;
}

struct machine *machine_open(struct smt *s, const char *const *files, size_t n, struct error *error)
{
    struct machine *machine;
    LLVMContextRef context = llvm_open(error);
    if (context == NULL)
        return NULL;
    machine = calloc(1, sizeof *machine);
    if (machine != NULL)
        machine->module = link_modules(context, files, n, error);
    if (machine == NULL || machine->module == NULL) {
        LLVMContextDispose(context);
        free(machine);
        return NULL;
    }
    machine->layout = LLVMGetModuleDataLayout(machine->module);
    machine->m.s = s;
    machine->m.alignment_of = alignment_of;
    machine_reset(machine);
    return machine;
}

void machine_reset(struct machine *machine)
{
    state_free(&machine->now);
    arena_free(&machine->m.arena);
    free(machine->m.defined);
    machine->m.defined = NULL;
    machine->m.defined_count = 0;
    machine->m.packing = NULL;
    machine->object_count = 0;
    machine->global_count = machine->path_count = machine->hypothesis_count = machine->obligation_count = 0;
    machine->depth = machine->effect_count = machine->frame = 0;
    error_clear(&machine->m.error);
    machine->catches = 0;
    machine->cut_function = NULL;
    machine->cut_wanted = NULL;
    machine->cut_block = NULL;
    machine->m.opaque_order = machine->m.takes_apart = false;
    machine->by_bits = false;
    machine->cut_visits = 0;
    machine->steps = machine->forks = machine->questions = 0;
    machine->question_seconds = 0;
    machine_object(machine, "null", 0, 1);
}

void machine_close(struct machine *machine)
{
    LLVMContextRef context = LLVMGetModuleContext(machine->module);
    machine_reset(machine);
    state_free(&machine->now);
    arena_free(&machine->m.arena);
    for (size_t i = 0; i < machine->routine_count; i++)
        routine_free(machine->routines[i]);
    free(machine->routines);
    free(machine->objects);
    free(machine->sizes);
    free(machine->globals);
    free(machine->path);
    free(machine->path_loop);
    free(machine->hypotheses);
    free(machine->obligations);
    term_list_release(machine->m.s, &machine->impossible);
    LLVMDisposeModule(machine->module);
    LLVMContextDispose(context);
    free(machine);
}

bool machine_try(struct machine *machine, void (*work)(struct machine *machine, void *context), void *context)
{
    if (setjmp(machine->m.stop) != 0)
        return false;
    work(machine, context);
    return true;
}

unsigned machine_object(struct machine *machine, const char *name, uint64_t size, unsigned alignment)
{
    const unsigned number = machine->object_count;
    machine->objects = smt_room(machine->objects, number, &machine->object_room, sizeof *machine->objects);
    machine->sizes = smt_room(machine->sizes, number, &machine->size_room, sizeof *machine->sizes);
    machine->objects[number] = (struct object){.name = name, .alignment = alignment};
    machine->sizes[number] = size;
    machine->object_count++;
    state_add(&machine->now, number, size);
    return number;
}

const struct scalar *machine_address(struct machine *machine, unsigned object, uint64_t offset)
{
    return make_pointer(&machine->m, object, offset, NULL, 1);
}

static void oblige(struct machine *machine, term condition, const char *what, bool checked)
{
    struct smt *s = machine->m.s;
    term holds;
    if (is_true(s, condition))
        return;
    holds = b_or(s, b_not(s, b_all(s, machine->path, machine->path_count)), condition);
    if (is_true(s, holds))
        return;
    for (size_t i = 0; i < machine->obligation_count; i++)
        if (machine->obligations[i].holds == holds)
            return;
    machine->obligations = smt_room(machine->obligations, machine->obligation_count, &machine->obligation_room,
                                    sizeof *machine->obligations);
    machine->obligations[machine->obligation_count++] = (struct obligation){holds, what, checked};
}

void machine_oblige(struct machine *machine, term condition, const char *what)
{
    oblige(machine, condition, what, false);
}

void machine_check(struct machine *machine, term condition, const char *what)
{
    oblige(machine, condition, what, true);
}

/* Asks the solver, and gives it back: can the condition hold, and with `here` all that holds at this place? */
static Z3_lbool answer_of(struct machine *machine, Z3_solver solver, term condition, bool here)
{
    Z3_context z = machine->m.s->z3;
    Z3_lbool answer;
    for (size_t i = 0; here && i < machine->hypothesis_count; i++)
        Z3_solver_assert(z, solver, machine->hypotheses[i]);
    for (size_t i = 0; here && i < machine->path_count; i++)
        Z3_solver_assert(z, solver, machine->path[i]);
    Z3_solver_assert(z, solver, condition);
    answer = Z3_solver_check(z, solver);
    Z3_solver_dec_ref(z, solver);
    return answer;
}

#define EASY_STEPS 20000u /* what is about Bools alone needs fewer, and no preparation */

static bool possible(struct machine *machine, term condition, bool here)
{
    struct smt *s = machine->m.s;
    const double start = clock_seconds();
    Z3_lbool answer =
        answer_of(machine, limited_solver(s, Z3_mk_simple_solver(s->z3), "rlimit", EASY_STEPS), condition, here);
    if (answer == Z3_L_UNDEF)
        answer = answer_of(machine, limited_solver(s, bits_solver(s), "timeout", QUESTION_MS), condition, here);
    machine->questions++;
    machine->question_seconds += clock_seconds() - start;
    return answer != Z3_L_FALSE;
}

bool machine_possible(struct machine *machine, term condition)
{
    return possible(machine, condition, true);
}

static bool on_path(const struct machine *machine, term x)
{
    for (size_t i = machine->path_count; i-- > 0;)
        if (machine->path[i] == x)
            return true;
    return false;
}

/* Does a disjunction on the path say that the conjuncts of the condition do not all hold? */
static bool denied(const struct machine *machine, term condition)
{
    struct smt *s = machine->m.s;
    const unsigned n = b_conjuncts(s, condition);
    for (size_t p = 0; p < machine->path_count && n > 1; p++) {
        term nor;
        bool all = b_is_or(s, machine->path[p]);
        if (!all)
            continue;
        nor = b_not(s, machine->path[p]);
        for (unsigned i = 0; all && i < b_conjuncts(s, nor); i++) {
            bool found = false;
            for (unsigned k = 0; !found && k < n; k++)
                found = b_conjunct(s, condition, k) == b_conjunct(s, nor, i);
            all = found;
        }
        if (all)
            return true;
    }
    return false;
}

term machine_here(struct machine *machine, term condition)
{
    struct smt *s = machine->m.s;
    term negated = b_not(s, condition), left[64];
    const unsigned n = b_conjuncts(s, condition);
    unsigned kept = 0;
    if (on_path(machine, condition))
        return term_bool(s, true);
    if (on_path(machine, negated))
        return term_bool(s, false);
    if (denied(machine, condition))
        return term_bool(s, false);
    if (b_is_or(s, condition)) {
        if (denied(machine, negated))
            return term_bool(s, true);
        term other = negated; /* the negation is a conjunction */
        for (unsigned i = 0; i < b_conjuncts(s, other); i++)
            if (on_path(machine, b_not(s, b_conjunct(s, other, i))))
                return term_bool(s, true);
        return condition;
    }
    for (unsigned i = 0; i < n && n <= 64; i++) {
        term x = b_conjunct(s, condition, i);
        if (on_path(machine, b_not(s, x)))
            return term_bool(s, false);
        if (!on_path(machine, x))
            left[kept++] = x;
    }
    return n > 64 ? condition : b_all(s, left, kept);
}

bool machine_possible_anywhere(struct machine *machine, term condition)
{
    if (term_list_has(&machine->impossible, condition))
        return false;
    if (possible(machine, condition, false))
        return true;
    term_list_keep(machine->m.s, &machine->impossible, condition);
    return false;
}
