#include "proofs/machine.h"

#include "proofs/routine.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Linker.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define QUESTION_MS 5000

/* LLVM's own messages would go to standard error. */
static void be_quiet(LLVMDiagnosticInfoRef information, void *context)
{
    (void)information, (void)context;
}

static LLVMModuleRef read_module(LLVMContextRef context, const char *file, char *why, size_t why_size)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(file, &buffer, &message)) {
        snprintf(why, why_size, "cannot read %s: %s", file, message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    if (LLVMParseBitcodeInContext2(context, buffer, &module)) {
        snprintf(why, why_size, "%s is no bitcode that LLVM 14 reads (make it with: clang-14 -c -emit-llvm)", file);
        module = NULL;
    }
    LLVMDisposeMemoryBuffer(buffer);
    return module;
}

static LLVMModuleRef link_modules(LLVMContextRef context, const char *const *files, size_t n, char *why,
                                  size_t why_size)
{
    LLVMModuleRef all = read_module(context, files[0], why, why_size);
    for (size_t i = 1; i < n && all != NULL; i++) {
        LLVMModuleRef next = read_module(context, files[i], why, why_size);
        if (next == NULL || LLVMLinkModules2(all, next)) {
            if (next != NULL)
                snprintf(why, why_size, "%s cannot be linked with the others", files[i]);
            LLVMDisposeModule(all);
            return NULL;
        }
    }
    return all;
}

struct machine *machine_open(struct smt *s, const char *const *files, size_t n, char *why, size_t why_size)
{
    struct machine *machine = calloc(1, sizeof *machine);
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, be_quiet, NULL);
    if (machine != NULL)
        machine->module = link_modules(context, files, n, why, why_size);
    if (machine == NULL || machine->module == NULL) {
        LLVMContextDispose(context);
        free(machine);
        return NULL;
    }
    machine->layout = LLVMGetModuleDataLayout(machine->module);
    machine->m.s = s;
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
    machine->object_count = 0;
    machine->global_count = machine->path_count = machine->hypothesis_count = machine->obligation_count = 0;
    machine->depth = machine->effect_count = 0;
    machine->m.gave_up = false;
    machine->cut_function = NULL;
    machine->cut_wanted = NULL;
    machine->cut_block = NULL;
    machine->m.opaque_order = false;
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
    free(machine->hypotheses);
    free(machine->obligations);
    for (size_t i = 0; i < machine->impossible_count; i++)
        Z3_dec_ref(machine->m.s->z3, machine->impossible[i]);
    free(machine->impossible);
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
    if (machine->object_count == machine->object_room) {
        machine->object_room = machine->object_room == 0 ? 64 : 2 * machine->object_room;
        machine->objects = smt_grow(machine->objects, machine->object_room, sizeof *machine->objects);
        machine->sizes = smt_grow(machine->sizes, machine->object_room, sizeof *machine->sizes);
    }
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

void machine_assume(struct machine *machine, term hypothesis)
{
    machine->hypotheses = smt_grow(machine->hypotheses, machine->hypothesis_count + 1, sizeof *machine->hypotheses);
    machine->hypotheses[machine->hypothesis_count++] = hypothesis;
}

void machine_oblige(struct machine *machine, term condition, const char *what)
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
    if (machine->obligation_count == machine->obligation_room) {
        machine->obligation_room = machine->obligation_room == 0 ? 64 : 2 * machine->obligation_room;
        machine->obligations = smt_grow(machine->obligations, machine->obligation_room, sizeof *machine->obligations);
    }
    machine->obligations[machine->obligation_count++] = (struct obligation){holds, what};
}

static double now_s(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static Z3_solver new_solver(Z3_context z)
{
    Z3_solver solver = Z3_mk_solver_for_logic(z, Z3_mk_string_symbol(z, "QF_BV"));
    Z3_params params;
    Z3_solver_inc_ref(z, solver); /* before anything else is made: until then the next object frees it */
    params = Z3_mk_params(z);
    Z3_params_inc_ref(z, params);
    Z3_params_set_uint(z, params, Z3_mk_string_symbol(z, "timeout"), QUESTION_MS);
    Z3_solver_set_params(z, solver, params);
    Z3_params_dec_ref(z, params);
    return solver;
}

static bool possible(struct machine *machine, term condition, bool here)
{
    Z3_context z = machine->m.s->z3;
    Z3_solver solver = new_solver(z);
    Z3_lbool answer;
    const double start = now_s();
    for (size_t i = 0; here && i < machine->hypothesis_count; i++)
        Z3_solver_assert(z, solver, machine->hypotheses[i]);
    for (size_t i = 0; here && i < machine->path_count; i++)
        Z3_solver_assert(z, solver, machine->path[i]);
    Z3_solver_assert(z, solver, condition);
    answer = Z3_solver_check(z, solver);
    Z3_solver_dec_ref(z, solver);
    machine->questions++;
    machine->question_seconds += now_s() - start;
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

/* Does a disjunction on the path say that not all conjuncts of the condition hold? */
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

/* Can it hold anywhere? The answer does not depend on the way here, so it is kept from run to run. */
static bool possible_anywhere(struct machine *machine, term condition)
{
    for (size_t i = 0; i < machine->impossible_count; i++)
        if (machine->impossible[i] == condition)
            return false;
    if (possible(machine, condition, false))
        return true;
    machine->impossible = smt_grow(machine->impossible, machine->impossible_count + 1, sizeof *machine->impossible);
    machine->impossible[machine->impossible_count++] = condition;
    Z3_inc_ref(machine->m.s->z3, condition);
    return false;
}

/* Numbers of elements that an index below 2^bits can reach. */
static unsigned index_bits(struct machine *machine, const struct scalar *index)
{
    struct maker *m = &machine->m;
    unsigned bits = index->width;
    term *b = arena_take(&m->arena, index->width * sizeof *b), rest;
    as_bits(m, index, b);
    while (bits > 0 && is_false(m->s, b[bits - 1]))
        bits--;
    if (bits <= 5)
        return bits;
    rest = term_bool(m->s, false);
    for (unsigned i = 5; i < bits; i++)
        rest = b_or(m->s, rest, b[i]);
    /* Mostly the index alone tells; the way to this place is a long story. */
    return possible_anywhere(machine, rest) && possible(machine, rest, true) ? bits : 5;
}

struct reach {
    uint64_t base, scale;
    unsigned n; /* elements at base + i * scale, i below n */
    const struct scalar *index;
};

/* Which places an access may touch; that it touches no other is an obligation. */
static struct reach reach_of(struct machine *machine, const struct scalar *p, unsigned bytes)
{
    struct maker *m = &machine->m;
    struct reach r = {.base = p->number, .scale = p->scale, .n = 1, .index = p->index};
    uint64_t size, limit, number;
    unsigned bits;
    if (p->kind != POINTER)
        fail(m, "%s", p->kind == UNMERGED ? p->why : "an access through a number that is no pointer");
    if (p->object == 0 || machine->now.blocks[p->object] == NULL || machine->objects[p->object].function != NULL ||
        machine->objects[p->object].ended)
        fail(m, "an access through a null or dangling pointer");
    if (p->poison != NULL)
        machine_oblige(machine, b_not(m->s, p->poison), "access through a poison pointer");
    size = machine->sizes[p->object];
    if (p->index != NULL && is_known(p->index, &number)) {
        r.base += number * p->scale;
        r.index = NULL;
    }
    if (r.base > size || bytes > size - r.base)
        fail(m, "an access of %u bytes at offset %lld of '%s' (%llu bytes)", bytes, (long long)r.base,
             machine->objects[p->object].name, (unsigned long long)size);
    if (r.index == NULL)
        return r;
    limit = (size - r.base - bytes) / p->scale + 1;
    if (p->index->kind == CHOICE) {
        for (unsigned i = 0; i < p->index->count; i++)
            if (p->index->from[i] >= limit)
                fail(m, "an index that may leave '%s'", machine->objects[p->object].name);
        r.n = limit < 256 ? (unsigned)limit : 256;
        return r;
    }
    bits = index_bits(machine, p->index);
    if (bits > 8 || (uint64_t)1 << bits > limit) {
        term within = smt_keep(m->s, Z3_mk_bvult(m->s->z3, as_term(m, p->index), v_number(m->s, limit, 64)));
        machine_oblige(machine, within, "access out of bounds");
        if (limit > 256)
            fail(m, "an index into %llu elements of '%s'", (unsigned long long)limit, machine->objects[p->object].name);
        r.n = (unsigned)limit;
    } else {
        r.n = 1u << bits;
    }
    return r;
}

const struct scalar *machine_load(struct machine *machine, const struct scalar *pointer, unsigned width)
{
    struct maker *m = &machine->m;
    const struct reach r = reach_of(machine, pointer, width / 8);
    const struct scalar *x[256];
    machine_touch(machine, pointer->object, false);
    if (width % 8 != 0)
        fail(m, "a load of %u bits is not translated", width);
    for (unsigned i = 0; i < r.n; i++)
        x[i] = memory_load(m, &machine->now, pointer->object, r.base + i * r.scale, width);
    return r.index == NULL ? x[0] : scalar_pick(m, x, r.n, r.index);
}

void machine_store(struct machine *machine, const struct scalar *pointer, const struct scalar *x)
{
    struct maker *m = &machine->m;
    const struct reach r = reach_of(machine, pointer, x->width / 8);
    const uint64_t size = machine->sizes[pointer->object];
    if (x->width % 8 != 0)
        fail(m, "a store of %u bits is not translated", x->width);
    machine_touch(machine, pointer->object, true);
    if (machine->objects[pointer->object].constant)
        fail(m, "a store to the constant '%s'", machine->objects[pointer->object].name);
    if (r.index == NULL) {
        memory_store(m, &machine->now, pointer->object, size, r.base, x);
        return;
    }
    if (r.scale < x->width / 8)
        fail(m, "a store through an index to overlapping places is not translated");
    for (unsigned i = 0; i < r.n; i++) {
        const uint64_t at = r.base + i * r.scale;
        const struct scalar *old = memory_load(m, &machine->now, pointer->object, at, x->width);
        term here = as_bool(m, arith_compare(m, LLVMIntEQ, r.index, make_known(m, r.index->width, i)));
        memory_store(m, &machine->now, pointer->object, size, at, scalar_select(m, here, x, old));
    }
}
