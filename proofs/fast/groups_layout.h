/* The structures of model/fast that hold outcomes and groups, by the names and the order of their fields. */
#ifndef WARPCHECK_COMPILED_GROUPS_LAYOUT_H
#define WARPCHECK_COMPILED_GROUPS_LAYOUT_H

#include "proofs/fast/groups.h"

#include <stdio.h>

enum { BATCH_TARGET = 1, BATCH_MEMBERMASK = 9, BATCH_WAITS_FOR = 13, BATCH_FIELDS = 19 };
enum { OUTCOMES_ACTIVE = 0, OUTCOMES_EXITED = 1, OUTCOMES_WAITING = 5, OUTCOMES_UNDEFINED = 6, OUTCOMES_FIELDS = 9 };
enum { GROUPS_N = 0, GROUPS_LANES = 1, GROUPS_DONE = 2, GROUPS_FIELDS = 3 };

static inline LLVMTypeRef type_named(struct machine *machine, const char *name, unsigned fields)
{
    LLVMTypeRef type = LLVMGetTypeByName2(LLVMGetModuleContext(machine->module), name);
    if (type == NULL || LLVMCountStructElementTypes(type) != fields)
        fail(&machine->m, "the bitcode has another %s than the proof expects", name);
    return type;
}

static inline uint64_t batch_at(struct machine *machine, unsigned field)
{
    return LLVMOffsetOfElement(machine->layout, type_named(machine, "struct.warp_batch", BATCH_FIELDS), field);
}

static inline uint64_t outcomes_at(struct machine *machine, unsigned field)
{
    return LLVMOffsetOfElement(machine->layout, type_named(machine, "struct.fast_outcomes", OUTCOMES_FIELDS), field);
}

static inline uint64_t groups_at(struct machine *machine, unsigned field)
{
    return LLVMOffsetOfElement(machine->layout, type_named(machine, "struct.fast_groups", GROUPS_FIELDS), field);
}

static inline void put(struct machine *machine, unsigned object, uint64_t at, const struct scalar *x)
{
    memory_store(&machine->m, &machine->now, object, machine->sizes[object], at, x);
}

static inline const struct scalar *get(struct machine *machine, unsigned object, uint64_t at, unsigned width)
{
    return memory_load(&machine->m, &machine->now, object, at, width);
}

static inline term named_bool(struct smt *s, const char *name, unsigned k)
{
    char full[64];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return term_constant(s, s->bool_sort, full);
}

static inline term named_word(struct smt *s, const char *name, unsigned k)
{
    char full[48];
    snprintf(full, sizeof full, "%s[%u]", name, k);
    return term_constant(s, s->word_sort, full);
}

static inline const struct scalar *any_bits(struct maker *m, const char *name)
{
    term bits[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = named_bool(m->s, name, k);
    return make_bits(m, WARP_LANES, bits);
}

/* The function at a place in the table of kernels. */
static inline LLVMValueRef kernel_at(struct machine *machine, const char *state, unsigned field)
{
    LLVMValueRef table = LLVMGetNamedGlobal(machine->module, state);
    const struct scalar *p;
    if (table == NULL)
        fail(&machine->m, "the bitcode has no variable '%s'", state);
    p = machine_global(machine, table);
    p = get(machine, p->object, 8 * (uint64_t)field, 64);
    if (p->kind != POINTER || machine->objects[p->object].function == NULL)
        fail(&machine->m, "'%s' does not begin with functions", state);
    return machine->objects[p->object].function;
}

enum { KERNELS_EQUAL = 0, KERNELS_UNIFY = 1 };

static inline unsigned put_membermasks(struct machine *machine)
{
    const unsigned object = machine_object(machine, "the membermasks", 4 * WARP_LANES, 4);
    for (unsigned k = 0; k < WARP_LANES; k++)
        put(machine, object, 4 * k, make_term(&machine->m, named_word(machine->m.s, "mm", k)));
    machine->objects[object].constant = true;
    return object;
}

static inline term all_same(struct maker *m, const struct scalar *x, const term expected[WARP_LANES])
{
    term bits[WARP_LANES], same;
    as_bits(m, x, bits);
    for (unsigned k = 0; k < WARP_LANES; k++)
        bits[k] = b_not(m->s, b_xor(m->s, bits[k], expected[k]));
    same = b_all(m->s, bits, WARP_LANES);
    return x->poison == NULL ? same : b_and(m->s, same, b_not(m->s, x->poison));
}

/* kernels->equal and kernels->unify, with `lane` the lowest active one, do what groups.h's contract builds on. */
bool groups_prove_equal(struct proof *proof);
bool groups_prove_unify(struct proof *proof, unsigned lane);

#endif
