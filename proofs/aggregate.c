/* Values of structures and arrays, as functions return them: the scalars in them, in order. */
#include "proofs/machine.h"

/* Where a scalar of an aggregate lies in memory. */
struct part {
    uint64_t offset;
    struct shape shape;
};

struct parts {
    unsigned n;
    struct part part[64];
};

bool machine_is_aggregate(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind || LLVMGetTypeKind(type) == LLVMArrayTypeKind;
}

static unsigned members_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : LLVMGetArrayLength(type);
}

static LLVMTypeRef member_type(LLVMTypeRef type, unsigned i)
{
    return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
}

static void add_parts(struct machine *machine, LLVMTypeRef type, uint64_t offset, struct parts *parts)
{
    const unsigned most = sizeof parts->part / sizeof *parts->part;
    if (!machine_is_aggregate(type)) {
        const struct shape shape = machine_shape(machine, type);
        if (shape.n != 1 || parts->n == most)
            fail(&machine->m, "a structure with vectors, or of more than %u scalars, as a value is not translated",
                 most);
        parts->part[parts->n++] = (struct part){offset, shape};
        return;
    }
    for (unsigned i = 0; i < members_of(type); i++) {
        const uint64_t at = LLVMGetTypeKind(type) == LLVMStructTypeKind
                                ? LLVMOffsetOfElement(machine->layout, type, i)
                                : i * LLVMABISizeOfType(machine->layout, member_type(type, i));
        add_parts(machine, member_type(type, i), offset + at, parts);
    }
}

static struct parts parts_of(struct machine *machine, LLVMTypeRef type)
{
    struct parts parts = {.n = 0};
    add_parts(machine, type, 0, &parts);
    return parts;
}

static const struct scalar *moved(struct machine *machine, const struct scalar *p, uint64_t by)
{
    return by == 0 ? p : machine_move(machine, p, make_known(&machine->m, 64, by), 1, false);
}

const struct value *machine_load_aggregate(struct machine *machine, LLVMTypeRef type, const struct scalar *p)
{
    const struct parts parts = parts_of(machine, type);
    struct value *v = make_vector(&machine->m, parts.n);
    for (unsigned i = 0; i < parts.n; i++)
        v->e[i] = machine_load(machine, moved(machine, p, parts.part[i].offset), parts.part[i].shape.width);
    return v;
}

void machine_store_aggregate(struct machine *machine, LLVMTypeRef type, const struct scalar *p, const struct value *x)
{
    const struct parts parts = parts_of(machine, type);
    const uint64_t size = LLVMABISizeOfType(machine->layout, type);
    uint64_t done = 0;
    for (unsigned i = 0; i <= parts.n; i++) { /* padding becomes anything */
        const uint64_t next = i < parts.n ? parts.part[i].offset : size;
        for (; done < next; done++)
            machine_store(machine, moved(machine, p, done), make_unset(&machine->m, 8));
        if (i < parts.n)
            machine_store(machine, moved(machine, p, next), x->e[i]);
        done = i < parts.n ? next + (parts.part[i].shape.width + 7) / 8 : done;
    }
}

const struct value *machine_aggregate_constant(struct machine *machine, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    struct value *v = make_vector(&machine->m, parts_of(machine, type).n);
    unsigned n = 0;
    for (unsigned i = 0; i < members_of(type); i++) {
        LLVMValueRef member = LLVMGetAggregateElement(constant, i);
        const struct value *x;
        if (member == NULL)
            fail(&machine->m, "a constant of an unknown kind");
        x = machine_constant(machine, member);
        for (unsigned k = 0; k < x->n; k++)
            v->e[n++] = x->e[k];
    }
    return v;
}

/* The number of the first scalar that the instruction's indices name; `type` becomes the type of what they name. */
static unsigned first_part(struct machine *machine, LLVMValueRef instruction, LLVMTypeRef *type)
{
    const unsigned *indices = LLVMGetIndices(instruction);
    unsigned first = 0;
    for (unsigned k = 0; k < LLVMGetNumIndices(instruction); k++) {
        for (unsigned i = 0; i < indices[k]; i++) {
            struct parts before = {.n = 0};
            add_parts(machine, member_type(*type, i), 0, &before);
            first += before.n;
        }
        *type = member_type(*type, indices[k]);
    }
    return first;
}

const struct value *machine_extract(struct machine *machine, LLVMValueRef instruction, const struct value *x)
{
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(instruction, 0));
    const unsigned first = first_part(machine, instruction, &type), n = parts_of(machine, type).n;
    struct value *v = make_vector(&machine->m, n);
    for (unsigned i = 0; i < n; i++)
        v->e[i] = x->e[first + i];
    return v;
}

const struct value *machine_insert(struct machine *machine, LLVMValueRef instruction, const struct value *x,
                                   const struct value *member)
{
    LLVMTypeRef type = LLVMTypeOf(instruction);
    const unsigned first = first_part(machine, instruction, &type);
    struct value *v = make_vector(&machine->m, x->n);
    for (unsigned i = 0; i < x->n; i++)
        v->e[i] = i >= first && i < first + member->n ? member->e[i - first] : x->e[i];
    return v;
}

/* --- structures that are handed over by value -------------------------------------------------------------------- */

const struct value *machine_by_value(struct machine *machine, LLVMTypeRef type, unsigned alignment,
                                     const struct value *x)
{
    const uint64_t size = LLVMABISizeOfType(machine->layout, type);
    const unsigned natural = LLVMABIAlignmentOfType(machine->layout, type);
    const struct scalar *p = x->e[0];
    unsigned copy;
    copy = machine_object(machine, "a copy of an argument", size, alignment > natural ? alignment : natural);
    machine->objects[copy].local = true;
    if (p->kind != POINTER || p->index != NULL)
        machine_copy(machine, machine_address(machine, copy, 0), p, size, false);
    else if (machine_accessible(machine, p, size, false))
        machine_copy_known(machine, copy, 0, p->object, p->number, size);
    return make_value(&machine->m, machine_address(machine, copy, 0));
}
