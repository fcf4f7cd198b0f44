/* What attributes, metadata and alignments promise of values and functions, by the language reference. */
#include "proofs/machine.h"

#include "proofs/attribute.h"

#include <string.h>

/* Is base + index * scale a multiple, where the base is one? Its lowest bits tell. */
static term is_multiple(struct machine *machine, const struct scalar *p, unsigned alignment)
{
    struct maker *m = &machine->m;
    const uint64_t offset = p->number & (alignment - 1), scale = p->scale & (alignment - 1);
    const struct scalar *low;
    unsigned bits = 0;
    if (p->index == NULL || scale == 0)
        return term_bool(m->s, offset == 0);
    while (1u << bits < alignment)
        bits++;
    low = arith_binary(m, LLVMMul, (struct flags){0}, scalar_slice(m, p->index, 0, bits), make_known(m, bits, scale));
    low = arith_binary(m, LLVMAdd, (struct flags){0}, low, make_known(m, bits, offset));
    return as_bool(m, arith_compare(m, LLVMIntEQ, low, make_known(m, bits, 0)));
}

/* The object promises less, so the address itself must be a multiple: only the program's own test of it can show that.
 */
static term is_tested(struct machine *machine, const struct scalar *p, unsigned alignment)
{
    struct maker *m = &machine->m;
    const struct scalar *low;
    if (p->index != NULL)
        return term_bool(m->s, false);
    low = arith_binary(m, LLVMAnd, (struct flags){0}, p, make_known(m, 64, alignment - 1));
    return as_bool(m, arith_compare(m, LLVMIntEQ, low, make_known(m, 64, 0)));
}

void machine_oblige_aligned(struct machine *machine, const struct scalar *pointer, uint64_t stated)
{
    const char *what = "an access at an address that need not be aligned as it says";
    const size_t before = machine->path_count;
    const unsigned alignment = (unsigned)stated;
    if (stated == 0 || stated > UINT32_MAX) /* 2^32, which LLVM may give as 0 */
        fail(&machine->m, "an alignment of 2^32 is not translated");
    if (alignment > 1 && is_address_choice(pointer)) {
        machine_assume_here(machine, pointer->when);
        machine_oblige_aligned(machine, pointer->first, alignment);
        machine->path_count = before;
        machine_assume_here(machine, b_not(machine->m.s, pointer->when));
        machine_oblige_aligned(machine, pointer->second, alignment);
        machine->path_count = before;
        return;
    }
    if (alignment <= 1 || pointer->kind != POINTER || pointer->object == 0) /* an access reports the others itself */
        return;
    if (machine->objects[pointer->object].alignment < alignment)
        machine_oblige(machine, is_tested(machine, pointer, alignment), what);
    else
        machine_oblige(machine, is_multiple(machine, pointer, alignment), what);
}

void machine_oblige_defined(struct machine *machine, const struct value *x, const char *what)
{
    struct maker *m = &machine->m;
    for (unsigned i = 0; i < x->n; i++) {
        if (x->e[i]->kind == UNMERGED && !is_address_choice(x->e[i]))
            fail(m, "%s", x->e[i]->why);
        if (x->e[i]->poison != NULL)
            machine_oblige(machine, b_not(m->s, x->e[i]->poison), what);
    }
}

/* --- attributes and metadata of values ------------------------------------------------------------------------- */

static const struct scalar *pointer_of(struct machine *machine, const struct value *x)
{
    const struct scalar *p = x->e[0];
    if (x->n != 1 || p->kind != POINTER)
        fail(&machine->m, "%s", p->kind == UNMERGED ? p->why : "a promise about a pointer of an unknown kind");
    return p;
}

static bool is_null(struct machine *machine, const struct scalar *p)
{
    if (p->object == 0 && p->index != NULL)
        fail(&machine->m, "a pointer that is null moved by an unknown distance is not translated");
    return p->object == 0 && p->number == 0;
}

/* `nonnull`: null is poison. */
static const struct value *not_null(struct machine *machine, const struct value *x)
{
    struct maker *m = &machine->m;
    const struct scalar *p = pointer_of(machine, x);
    return is_null(machine, p) ? make_value(m, with_poison(m, p, term_bool(m->s, true))) : x;
}

/* `dereferenceable`: this many bytes can be read there. */
static void oblige_readable(struct machine *machine, const struct value *x, uint64_t bytes, bool or_null)
{
    const char *what = "a pointer to fewer bytes than are promised";
    struct smt *s = machine->m.s;
    const struct scalar *p = pointer_of(machine, x);
    machine_oblige_defined(machine, x, what);
    if (or_null && is_null(machine, p))
        return;
    if (machine->objects[p->object].ended)
        machine_oblige(machine, term_bool(s, false), what);
    machine_oblige(machine, b_not(s, machine_outside(machine, p, bytes)), what);
}

/* One place where attributes of one value stand. */
struct promises {
    LLVMValueRef call, function; /* one of them */
    unsigned at;
    bool any_size; /* what is said about the size is not looked at */
};

static LLVMAttributeRef promise(const struct promises *from, const char *name)
{
    return from->call != NULL ? attribute_of_call(from->call, from->at, name)
                              : attribute_of_function(from->function, from->at, name);
}

/* The compiler promises a range of values, which may go over the largest number: anything else is poison. */
static const struct value *in_range(struct machine *machine, uint64_t low, uint64_t high, const struct value *x)
{
    struct maker *m = &machine->m;
    struct value *v = make_vector(m, x->n);
    for (unsigned i = 0; i < x->n; i++) {
        const struct scalar *first = make_known(m, x->e[i]->width, low), *end = make_known(m, x->e[i]->width, high);
        term below = as_bool(m, arith_compare(m, LLVMIntULT, x->e[i], first)),
             above = as_bool(m, arith_compare(m, LLVMIntUGE, x->e[i], end));
        term outside = first->number < end->number ? b_or(m->s, below, above) : b_and(m->s, below, above);
        v->e[i] = with_poison(m, x->e[i], outside);
        if (x->e[i]->unset != NULL) /* its undefined bits may be any */
            v->e[i] = with_poison(m, v->e[i], x->e[i]->poison);
    }
    return v;
}

static const struct value *in_range_of(struct machine *machine, LLVMAttributeRef range, const struct value *x)
{
    uint64_t low, high;
    if (!attribute_range(LLVMGetModuleContext(machine->module), range, &low, &high))
        fail(&machine->m, "a range of such numbers is not translated");
    return in_range(machine, low, high, x);
}

static const struct value *keep_promises(struct machine *machine, const struct promises *from, const struct value *x,
                                         const char *undefined);

/* Both addresses, each where it is the one. */
static const struct value *keep_of_choice(struct machine *machine, const struct promises *from, const struct scalar *p,
                                          const char *undefined)
{
    struct maker *m = &machine->m;
    const size_t before = machine->path_count;
    const struct value *first, *second;
    machine_assume_here(machine, p->when);
    first = keep_promises(machine, from, make_value(m, p->first), undefined);
    machine->path_count = before;
    machine_assume_here(machine, b_not(m->s, p->when));
    second = keep_promises(machine, from, make_value(m, p->second), undefined);
    machine->path_count = before;
    return make_value(m, with_poison(m, scalar_select(m, p->when, first->e[0], second->e[0]), p->poison));
}

/* The value after the promise: poison where it breaks `nonnull` or `range`. */
static const struct value *keep_promises(struct machine *machine, const struct promises *from, const struct value *x,
                                         const char *undefined)
{
    LLVMAttributeRef align = promise(from, "align"),
                     readable = from->any_size ? NULL : promise(from, "dereferenceable"),
                     readable_or_null = promise(from, "dereferenceable_or_null"), range = promise(from, "range");
    LLVMTypeRef result = attribute_type(promise(from, "sret")), copied = attribute_type(promise(from, "byval"));
    if (x->n == 1 && is_address_choice(x->e[0])) {
        x = keep_of_choice(machine, from, x->e[0], undefined);
        if (promise(from, "noundef") != NULL)
            machine_oblige_defined(machine, x, undefined);
        return x;
    }
    if (range != NULL)
        x = in_range_of(machine, range, x);
    if (promise(from, "nonnull") != NULL)
        x = not_null(machine, x);
    if (promise(from, "noundef") != NULL)
        machine_oblige_defined(machine, x, undefined);
    if (align != NULL)
        machine_oblige_aligned(machine, x->e[0], LLVMGetEnumAttributeValue(align));
    if (readable != NULL)
        oblige_readable(machine, x, LLVMGetEnumAttributeValue(readable), false);
    if (readable_or_null != NULL)
        oblige_readable(machine, x, LLVMGetEnumAttributeValue(readable_or_null), true);
    if (result != NULL || copied != NULL)
        oblige_readable(machine, x, LLVMABISizeOfType(machine->layout, result != NULL ? result : copied), false);
    if ((result != NULL || promise(from, "writable") != NULL) &&
        machine->objects[pointer_of(machine, x)->object].constant)
        machine_oblige(machine, term_bool(machine->m.s, false), "a pointer to a constant, promised to be writable");
    return x;
}

/* LLVM makes a memset shorter and leaves the size that it had: the bytes that are written say which must be there. */
static bool is_of_memory(LLVMValueRef callee)
{
    return strncmp(LLVMGetValueName(callee), "llvm.mem", strlen("llvm.mem")) == 0;
}

void machine_oblige_arguments(struct machine *machine, LLVMValueRef call, LLVMValueRef callee, const struct value **a,
                              unsigned n)
{
    const char *undefined = "a poison or uninitialized value is handed over where none may be";
    if (call != NULL && LLVMGetNumOperandBundles(call) != 0)
        fail(&machine->m, "a call with operand bundles is not translated");
    for (unsigned i = 0; i < n; i++) {
        const struct promises of_call = {call, NULL, i + 1, is_of_memory(callee)},
                              of_function = {NULL, callee, i + 1, false};
        if (call != NULL)
            a[i] = keep_promises(machine, &of_call, a[i], undefined);
        if (i < LLVMCountParams(callee))
            a[i] = keep_promises(machine, &of_function, a[i], undefined);
    }
}

/* `returned`: the function gives back this argument. */
static void oblige_same(struct machine *machine, const struct value *x, const struct value *y)
{
    struct maker *m = &machine->m;
    for (unsigned i = 0; i < x->n; i++)
        if (!scalar_same(x->e[i], y->e[i]))
            machine_oblige(machine, as_bool(m, machine_compare(machine, LLVMIntEQ, x->e[i], y->e[i])),
                           "another value is returned than the argument that is promised");
}

const struct value *machine_returned(struct machine *machine, LLVMValueRef call, LLVMValueRef function,
                                     const struct value *const *a, const struct value *x)
{
    const unsigned on_function = (unsigned)LLVMAttributeFunctionIndex;
    const struct promises from = {call, call != NULL ? NULL : function, LLVMAttributeReturnIndex, false};
    const struct promises whole = {from.call, from.function, on_function, false};
    if (promise(&whole, "noreturn") != NULL)
        machine_oblige(machine, term_bool(machine->m.s, false), "a function returns that is said never to");
    if (x == NULL)
        return x;
    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        const struct promises of_argument = {from.call, from.function, i + 1, false};
        if (promise(&of_argument, "returned") != NULL)
            oblige_same(machine, x, a[i]);
    }
    return keep_promises(machine, &from, x, "a poison or uninitialized value is returned where none may be");
}

static const struct value *in_range_node(struct machine *machine, LLVMValueRef range, const struct value *x)
{
    LLVMValueRef bounds[2];
    if (LLVMGetMDNodeNumOperands(range) != 2 || x->n != 1)
        fail(&machine->m, "a range of several parts is not translated");
    LLVMGetMDNodeOperands(range, bounds);
    return in_range(machine, machine_constant(machine, bounds[0])->e[0]->number,
                    machine_constant(machine, bounds[1])->e[0]->number, x);
}

/* NULL: it has none of that name. */
static LLVMValueRef metadata(LLVMValueRef instruction, const char *name)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(instruction));
    return LLVMGetMetadata(instruction, LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)));
}

static uint64_t number_of(struct machine *machine, LLVMValueRef node)
{
    LLVMValueRef number;
    if (LLVMGetMDNodeNumOperands(node) != 1)
        fail(&machine->m, "metadata of several parts is not translated");
    LLVMGetMDNodeOperands(node, &number);
    return LLVMConstIntGetZExtValue(number);
}

const struct value *machine_promised(struct machine *machine, LLVMValueRef instruction, const struct value *x)
{
    LLVMValueRef range = metadata(instruction, "range"), align = metadata(instruction, "align"),
                 readable = metadata(instruction, "dereferenceable"),
                 readable_or_null = metadata(instruction, "dereferenceable_or_null");
    if (x == NULL)
        return x;
    if (range != NULL)
        x = in_range_node(machine, range, x);
    if (metadata(instruction, "nonnull") != NULL)
        x = not_null(machine, x);
    if (metadata(instruction, "noundef") != NULL)
        machine_oblige_defined(machine, x, "a poison or uninitialized value is loaded where none may be");
    if (align != NULL)
        machine_oblige_aligned(machine, x->e[0], number_of(machine, align));
    if (readable != NULL)
        oblige_readable(machine, x, number_of(machine, readable), false);
    if (readable_or_null != NULL)
        oblige_readable(machine, x, number_of(machine, readable_or_null), true);
    return x;
}

/* --- functions that read or write nothing that others see -------------------------------------------------------- */

/* What `memory` lets be done anywhere that a program here reaches: reads (1), writes (2). Two bits a kind of place: by
 * the arguments, where nobody else looks, elsewhere. */
static unsigned effects_of(LLVMAttributeRef memory)
{
    const uint64_t bits = memory == NULL ? 3 : LLVMGetEnumAttributeValue(memory);
    return (unsigned)(bits | bits >> 4) & 3u;
}

void machine_limit_effects(struct machine *machine, LLVMValueRef call, LLVMValueRef function)
{
    const unsigned at = (unsigned)LLVMAttributeFunctionIndex;
    const unsigned may =
        effects_of(attribute_of_call(call, at, "memory")) & effects_of(attribute_of_function(function, at, "memory"));
    const struct effect e = {.no_read = (may & 1u) == 0,
                             .no_write = (may & 2u) == 0,
                             .no_free = attribute_promised(call, function, "nofree"),
                             .once = attribute_promised(call, function, "norecurse") ? function : NULL,
                             .first = machine->object_count};
    for (unsigned i = 0; i < machine->effect_count; i++)
        if (machine->effects[i].once == function)
            machine_oblige(machine, term_bool(machine->m.s, false), "a function calls itself that promises not to");
    if (e.no_read || e.no_write || e.no_free || e.once != NULL)
        machine->effects[machine->effect_count++] = e;
}

void machine_limit_tail(struct machine *machine, unsigned end)
{
    machine->effects[machine->effect_count++] = (struct effect){.tail_from = machine->frame, .tail_to = end};
}

void machine_touch(struct machine *machine, unsigned object, bool write)
{
    const struct object *o = &machine->objects[object];
    for (unsigned i = 0; i < machine->effect_count; i++) {
        const struct effect *e = &machine->effects[i];
        if (o->local && object >= e->tail_from && object < e->tail_to)
            machine_oblige(machine, term_bool(machine->m.s, false),
                           "a call that is marked `tail` uses a local variable of its caller");
        if (!(write ? e->no_write : e->no_read) || (o->local && object >= e->first) || (!write && o->fixed))
            continue;
        machine_oblige(machine, term_bool(machine->m.s, false),
                       write ? "memory is written where a function promises that it writes none"
                             : "memory is read where a function promises that it reads none");
    }
}

void machine_free(struct machine *machine, unsigned object)
{
    for (unsigned i = 0; i < machine->effect_count; i++)
        if (machine->effects[i].no_free && object < machine->effects[i].first)
            machine_oblige(machine, term_bool(machine->m.s, false),
                           "memory is freed where a function promises that it frees none");
}
