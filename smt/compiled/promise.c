/* What an instruction states of its operands beyond its meaning: `noundef` and alignment, by the language reference. */
#include "smt/compiled/machine.h"

#include <string.h>

static LLVMAttributeRef attribute(LLVMValueRef call, LLVMValueRef function, unsigned at, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAttributeRef found = call == NULL ? NULL : LLVMGetCallSiteEnumAttribute(call, at, kind);
    return found != NULL ? found : LLVMGetEnumAttributeAtIndex(function, at, kind);
}

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

void machine_oblige_aligned(struct machine *machine, const struct scalar *pointer, unsigned alignment)
{
    const char *what = "an access at an address that need not be aligned as it says";
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
        if (x->e[i]->kind == UNMERGED)
            fail(m, "%s", x->e[i]->why);
        if (x->e[i]->poison != NULL)
            machine_oblige(machine, b_not(m->s, x->e[i]->poison), what);
    }
}

void machine_oblige_arguments(struct machine *machine, LLVMValueRef call, LLVMValueRef callee,
                              const struct value *const *a, unsigned n)
{
    if (LLVMGetNumOperands(call) != (int)n + 1) /* the arguments and the function */
        fail(&machine->m, "a call with operand bundles is not translated");
    for (unsigned i = 0; i < n; i++) {
        LLVMAttributeRef align = attribute(call, callee, i + 1, "align");
        if (attribute(call, callee, i + 1, "noundef") != NULL)
            machine_oblige_defined(machine, a[i], "a poison or uninitialized value is handed over where none may be");
        if (align != NULL)
            machine_oblige_aligned(machine, a[i]->e[0], (unsigned)LLVMGetEnumAttributeValue(align));
    }
}

void machine_oblige_returned(struct machine *machine, LLVMValueRef call, LLVMValueRef function, const struct value *x)
{
    if (x != NULL && attribute(call, function, LLVMAttributeReturnIndex, "noundef") != NULL)
        machine_oblige_defined(machine, x, "a poison or uninitialized value is returned where none may be");
}
