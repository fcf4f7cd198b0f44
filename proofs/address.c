/* Addresses: getelementptr, and what `inbounds` promises of it. */
#include "proofs/machine.h"

#include "proofs/number.h"

#include <string.h>

/* Offsets as signed numbers: base + index * scale is in 0 .. room for the indices low .. high. */
struct span {
    int64_t low, high;
};

static struct span span_of(int64_t base, int64_t scale, int64_t room)
{
    const int64_t down = -base, up = room - base;
    /* division rounds to 0; here down is rounded up, and up down */
    return (struct span){down / scale + (down % scale > 0), up / scale - (up % scale < 0)};
}

static bool in_span(struct span span, uint64_t index)
{
    return as_signed(index, 64) >= span.low && as_signed(index, 64) <= span.high;
}

static term index_outside(struct machine *machine, const struct scalar *index, struct span span)
{
    struct maker *m = &machine->m;
    Z3_context z = m->s->z3;
    unsigned bits = index->width;
    term *b, t, low, high;
    uint64_t number;
    if (is_known(index, &number))
        return term_bool(m->s, !in_span(span, number));
    if (index->kind == CHOICE) {
        term r = term_bool(m->s, !in_span(span, index->from[index->count - 1]));
        for (unsigned i = index->count - 1; i-- > 0;)
            r = b_ite(m->s, index->bits[i], term_bool(m->s, !in_span(span, index->from[i])), r);
        return r;
    }
    b = arena_take(&m->arena, bits * sizeof *b);
    as_bits(m, index, b);
    while (bits > 0 && is_false(m->s, b[bits - 1]))
        bits--;
    if (span.low <= 0 && bits < 63 && ((int64_t)1 << bits) - 1 <= span.high)
        return term_bool(m->s, false);
    t = as_term(m, index);
    low = smt_keep(m->s, Z3_mk_bvsge(z, t, v_number(m->s, (uint64_t)span.low, 64)));
    high = smt_keep(m->s, Z3_mk_bvsle(z, t, v_number(m->s, (uint64_t)span.high, 64)));
    return b_not(m->s, b_and(m->s, low, high));
}

term machine_outside(struct machine *machine, const struct scalar *p, uint64_t room)
{
    const uint64_t size = machine->sizes[p->object];
    struct smt *s = machine->m.s;
    if (room > size)
        return term_bool(s, true);
    if (p->index == NULL || p->scale == 0)
        return term_bool(s, p->number > size - room);
    return index_outside(machine, p->index,
                         span_of(as_signed(p->number, 64), as_signed(p->scale, 64), (int64_t)(size - room)));
}

/* An index as a signed number of 64 bits. */
static const struct scalar *extended(struct maker *m, const struct scalar *index)
{
    uint64_t *number;
    if (index->width >= 64 || index->kind != CHOICE)
        return index->width < 64 ? arith_cast(m, LLVMSExt, index, 64) : index;
    number = arena_take(&m->arena, index->count * sizeof *number);
    for (unsigned i = 0; i < index->count; i++)
        number[i] = (uint64_t)as_signed(index->from[i], index->width);
    return with_poison(m, make_choice(m, 64, index->count, index->bits, number), index->poison);
}

/* By a number that is known: the product, and whether it is more than an offset can be. */
static bool product(uint64_t number, uint64_t unit, uint64_t *by)
{
    int64_t exact;
    *by = number * unit;
    return __builtin_mul_overflow(as_signed(number, 64), as_signed(unit, 64), &exact);
}

/*
 * `inbounds`: the address that is moved and what becomes of it lie in the object or at its end, and no product or sum
 * overflows. Where both lie there, and the index is unknown, the index itself is small, and so are they.
 */
const struct scalar *machine_move(struct machine *machine, const struct scalar *p, const struct scalar *index,
                                  uint64_t unit, bool inbounds)
{
    struct maker *m = &machine->m;
    uint64_t number, by;
    bool too_far = false;
    const struct scalar *r;
    term poison;
    if (p->kind != POINTER)
        fail(m, "%s", p->kind == UNMERGED ? p->why : "an address is computed from a number");
    index = extended(m, index);
    if (is_known(index, &number)) {
        too_far = product(number, unit, &by);
        r = make_pointer(m, p->object, p->number + by, p->index, p->scale);
    } else if (p->index == NULL) {
        r = make_pointer(m, p->object, p->number, index, unit);
    } else if (p->scale == unit) {
        r = make_pointer(m, p->object, p->number, arith_binary(m, LLVMAdd, (struct flags){0}, p->index, index), unit);
    } else {
        fail(m, "an address with two unknown indices is not translated");
    }
    poison = poison_or(m, p->poison, index->poison);
    if (inbounds) {
        poison = poison_or(m, poison, term_bool(m->s, too_far));
        poison = poison_or(m, poison, machine_outside(machine, p, 0));
        poison = poison_or(m, poison, machine_outside(machine, r, 0));
    }
    return with_poison(m, r, poison);
}

/* The next index: into what `type` says, which becomes the type of the element (`first`: stays what it is). */
static const struct scalar *move_into(struct machine *machine, const struct scalar *p, const struct scalar *index,
                                      LLVMTypeRef *type, bool first, bool inbounds)
{
    uint64_t field;
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        const struct scalar *by;
        if (!is_known(index, &field))
            fail(&machine->m, "a field of a structure that is not known is not translated");
        by = make_known(&machine->m, 64, LLVMOffsetOfElement(machine->layout, *type, (unsigned)field));
        *type = LLVMStructGetTypeAtIndex(*type, (unsigned)field);
        return machine_move(machine, p, by, 1, inbounds);
    }
    if (!first)
        *type = LLVMGetElementType(*type);
    return machine_move(machine, p, index, LLVMABISizeOfType(machine->layout, *type), inbounds);
}

static const struct scalar *only_one(struct machine *machine, const struct value *x)
{
    if (x->n != 1)
        fail(&machine->m, "a vector of pointers is not translated");
    return x->e[0];
}

const struct value *machine_element(const struct step *s)
{
    struct machine *machine = s->machine;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(s->instruction);
    const struct scalar *p = only_one(machine, s->operand(s, 0));
    for (int i = 1; i < LLVMGetNumOperands(s->instruction); i++)
        p = move_into(machine, p, only_one(machine, s->operand(s, (unsigned)i)), &type, i == 1,
                      LLVMIsInBounds(s->instruction) != 0);
    return make_value(&machine->m, p);
}

/* `inrange` restricts what may be reached from the address; LLVM's C interface has no question for it. */
static bool has_inrange(LLVMValueRef constant)
{
    char *text = LLVMPrintValueToString(constant);
    const bool found = strstr(text, "inrange") != NULL;
    LLVMDisposeMessage(text);
    return found;
}

const struct scalar *machine_element_constant(struct machine *machine, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(constant, 0)));
    const struct scalar *p = only_one(machine, machine_constant(machine, LLVMGetOperand(constant, 0)));
    if (has_inrange(constant))
        fail(&machine->m, "'inrange' is not translated");
    for (int i = 1; i < LLVMGetNumOperands(constant); i++)
        p = move_into(machine, p, only_one(machine, machine_constant(machine, LLVMGetOperand(constant, (unsigned)i))),
                      &type, i == 1, LLVMIsInBounds(constant) != 0);
    return p;
}
