/* The intrinsics of LLVM itself, by the language reference. */
#include "proofs/machine.h"

#include <string.h>

static bool starts(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

static uint64_t known(struct machine *machine, const struct value *x, const char *what)
{
    uint64_t number;
    if (!is_known(x->e[0], &number))
        fail(&machine->m, "%s that is not known is not translated", what);
    machine_oblige_defined(machine, x, "an intrinsic is told a poison or uninitialized number");
    return number;
}

static void need_plain(struct machine *machine, const struct value *is_volatile)
{
    if (known(machine, is_volatile, "a flag") != 0)
        fail(&machine->m, "a volatile copy or filling of memory is not translated");
}

/* `apart`: memcpy, whose places are the same or do not overlap. */
static void copy(struct machine *machine, const struct value *const *a, bool apart)
{
    const uint64_t n = known(machine, a[2], "a length");
    const struct scalar *to = a[0]->e[0], *from = a[1]->e[0];
    need_plain(machine, a[3]);
    if (n == 0)
        return;
    if (!machine_accessible(machine, to, n, true) || !machine_accessible(machine, from, n, false))
        return;
    if (apart && to->object == from->object && to->number != from->number && to->number < from->number + n &&
        from->number < to->number + n)
        machine_oblige(machine, term_bool(machine->m.s, false), "memcpy between places that overlap");
    memory_copy(&machine->now, to->object, machine->sizes[to->object], to->number, from->object, from->number, n);
}

static void set(struct machine *machine, const struct value *const *a)
{
    const uint64_t n = known(machine, a[2], "a length");
    const struct scalar *to = a[0]->e[0];
    need_plain(machine, a[3]);
    if (n == 0)
        return;
    if (!machine_accessible(machine, to, n, true))
        return;
    for (uint64_t i = 0; i < n; i++)
        memory_store(&machine->m, &machine->now, to->object, machine->sizes[to->object], to->number + i, a[1]->e[0]);
}

/* A local variable's life begins or ends: either way nothing is left of what was there. */
static void live(struct machine *machine, const struct value *const *a, bool begins)
{
    const struct scalar *p = a[1]->e[0];
    if (p->kind != POINTER || !machine->objects[p->object].local || p->index != NULL || p->number != 0)
        fail(&machine->m, "the life of something else than a whole local variable is not translated");
    machine_oblige_defined(machine, a[1], "a life begins or ends at a poison pointer");
    if (begins)
        state_add(&machine->now, p->object, machine->sizes[p->object]);
    else
        memory_end(&machine->m, &machine->now, p->object, machine->sizes[p->object]);
}

/* The number of the lowest (highest) bit that is set; `zero_poison`: poison when none is, else the width. */
static const struct scalar *first_bit(struct machine *machine, const struct scalar *x, bool lowest, bool zero_poison)
{
    struct maker *m = &machine->m;
    const unsigned width = x->width;
    term *when = arena_take(&m->arena, (width + 1) * sizeof *when), *bits = arena_take(&m->arena, width * sizeof *bits);
    uint64_t *number = arena_take(&m->arena, (width + 1) * sizeof *number);
    term none = term_bool(m->s, true);
    const struct scalar *r;
    as_bits(m, x, bits);
    for (unsigned i = 0; i < width; i++) {
        when[i] = bits[lowest ? i : width - 1 - i];
        number[i] = i;
        none = b_and(m->s, none, b_not(m->s, when[i]));
    }
    when[width] = term_bool(m->s, true);
    number[width] = width;
    if (zero_poison && !is_false(m->s, none)) { /* the last number stands in where the result is poison */
        r = make_choice(m, width, width, when, number);
        return with_poison(m, r, poison_or(m, x->poison, none));
    }
    r = make_choice(m, width, is_false(m->s, none) ? width : width + 1, when, number);
    return with_poison(m, r, x->poison);
}

static const struct scalar *population(struct machine *machine, const struct scalar *x)
{
    struct maker *m = &machine->m;
    const struct scalar *sum = make_known(m, x->width, 0);
    for (unsigned i = 0; i < x->width; i++)
        sum = arith_binary(m, LLVMAdd, (struct flags){0}, sum,
                           arith_cast(m, LLVMZExt, scalar_slice(m, x, i, 1), x->width));
    return with_poison(m, sum, x->poison);
}

static const struct value *bit_counts(struct machine *machine, const char *name, const struct value *const *a)
{
    struct value *v = make_vector(&machine->m, a[0]->n);
    for (unsigned i = 0; i < a[0]->n; i++)
        v->e[i] = starts(name, "llvm.ctpop.")
                      ? population(machine, a[0]->e[i])
                      : first_bit(machine, a[0]->e[i], starts(name, "llvm.cttz."), known(machine, a[1], "a flag") != 0);
    return v;
}

static const struct value *min_max(struct machine *machine, const char *name, const struct value *const *a)
{
    struct value *v = make_vector(&machine->m, a[0]->n);
    for (unsigned i = 0; i < a[0]->n; i++)
        v->e[i] = arith_min_max(&machine->m, name[7] == 'a', name[5] == 's', a[0]->e[i], a[1]->e[i]);
    return v;
}

static const struct value *reduce(struct machine *machine, const char *operation, const struct value *x)
{
    struct maker *m = &machine->m;
    static const struct {
        const char *name;
        LLVMOpcode op;
    } plain[] = {{"add.", LLVMAdd}, {"mul.", LLVMMul}, {"and.", LLVMAnd}, {"or.", LLVMOr}, {"xor.", LLVMXor}};
    const struct scalar *r = x->e[0];
    for (unsigned i = 1; i < x->n; i++) {
        bool done = false;
        for (size_t k = 0; k < sizeof plain / sizeof *plain && !done; k++)
            if (starts(operation, plain[k].name)) {
                r = arith_binary(m, plain[k].op, (struct flags){0}, r, x->e[i]);
                done = true;
            }
        if (!done && (starts(operation, "smin.") || starts(operation, "smax.") || starts(operation, "umin.") ||
                      starts(operation, "umax.")))
            r = arith_min_max(m, operation[2] == 'a', operation[0] == 's', r, x->e[i]);
        else if (!done)
            fail(m, "the reduction '%s' is not translated", operation);
    }
    return make_value(m, r);
}

static const struct value *masked_load(struct machine *machine, const struct value *const *a, unsigned n,
                                       unsigned width)
{
    struct maker *m = &machine->m;
    struct value *v = make_vector(m, n);
    machine_oblige_aligned(machine, a[0]->e[0], (unsigned)known(machine, a[1], "an alignment"));
    machine_oblige_defined(machine, a[2], "a masked load with a poison or uninitialized mask");
    for (unsigned i = 0; i < n; i++) {
        const struct scalar *p = a[0]->e[0];
        term on = as_bool(m, a[2]->e[i]);
        if (is_true(m->s, on))
            v->e[i] = machine_load(machine, machine_move(machine, p, make_known(m, 64, i), width / 8, false), width);
        else if (is_false(m->s, on))
            v->e[i] = a[3]->e[i];
        else
            fail(m, "a masked load with an unknown mask is not translated");
    }
    return v;
}

static void assume(struct machine *machine, const struct value *x)
{
    machine_oblige_defined(machine, x, "an assumption of the compiler about a poison or uninitialized value");
    machine_oblige(machine, as_bool(&machine->m, x->e[0]), "an assumption of the compiler");
}

bool machine_intrinsic(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                       unsigned result_n, unsigned result_width, const struct value **result)
{
    *result = NULL;
    if (starts(name, "llvm.experimental.noalias"))
        return true;
    if (starts(name, "llvm.x86."))
        return machine_x86(machine, name, a, n, result_width, result);
    if (starts(name, "llvm.lifetime.start.") || starts(name, "llvm.lifetime.end."))
        live(machine, a, starts(name, "llvm.lifetime.start."));
    else if (starts(name, "llvm.memcpy.") || starts(name, "llvm.memmove."))
        copy(machine, a, starts(name, "llvm.memcpy."));
    else if (starts(name, "llvm.memset."))
        set(machine, a);
    else if (starts(name, "llvm.assume"))
        assume(machine, a[0]);
    else if (starts(name, "llvm.cttz.") || starts(name, "llvm.ctlz.") || starts(name, "llvm.ctpop."))
        *result = bit_counts(machine, name, a);
    else if (starts(name, "llvm.smin.") || starts(name, "llvm.smax.") || starts(name, "llvm.umin.") ||
             starts(name, "llvm.umax."))
        *result = min_max(machine, name, a);
    else if (starts(name, "llvm.vector.reduce."))
        *result = reduce(machine, name + strlen("llvm.vector.reduce."), a[0]);
    else if (starts(name, "llvm.masked.load."))
        *result = masked_load(machine, a, result_n, result_width);
    else
        return false;
    return true;
}
