/* Addresses: getelementptr and what `inbounds` promises of it, what lies at an address, and comparisons of addresses.
 */
#include "proofs/machine.h"

#include "proofs/number.h"
#include "proofs/packing.h"

#include <inttypes.h>
#include <stdio.h>
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
    int64_t least, most;
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
    if (range_of(index, &least, &most) && least >= span.low && most <= span.high)
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
    if (index->count_of == NULL) /* of a number of lanes it matters which are counted */
        index = as_choice(m, index);
    return index->width < 64 ? arith_cast(m, LLVMSExt, index, 64) : index;
}

/* Multiplies by a known number: the product, and whether it exceeds an offset. */
static bool product(uint64_t number, uint64_t unit, uint64_t *by)
{
    int64_t exact;
    *by = number * unit;
    return __builtin_mul_overflow(as_signed(number, 64), as_signed(unit, 64), &exact);
}

/*
 * `inbounds`: both the address before the move and the one after it lie in the object or at its end, and no product or
 * sum overflows. When both lie there and the index is unknown, the index is small, and so are product and sum.
 */
const struct scalar *machine_move(struct machine *machine, const struct scalar *p, const struct scalar *index,
                                  uint64_t unit, bool inbounds)
{
    struct maker *m = &machine->m;
    uint64_t number, by;
    bool too_far = false;
    const struct scalar *r;
    term poison;
    if (is_address_choice(p))
        return with_poison(m,
                           scalar_select(m, p->when, machine_move(machine, p->first, index, unit, inbounds),
                                         machine_move(machine, p->second, index, unit, inbounds)),
                           p->poison);
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

const struct scalar *machine_nth(struct machine *machine, const struct scalar *vector, unsigned i, unsigned width)
{
    if (i == 0)
        return vector;
    if (width % 8 != 0)
        fail(&machine->m, "a vector of elements of %u bits in memory is not translated", width);
    return machine_move(machine, vector, make_known(&machine->m, 64, i), width / 8, false);
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

/* `inbounds`, which has `nusw` in it, or nothing. */
static bool is_inbounds(struct machine *machine, LLVMValueRef element)
{
    const LLVMGEPNoWrapFlags flags = LLVMGEPGetNoWrapFlags(element);
    const bool inbounds = (flags & LLVMGEPFlagInBounds) != 0;
    if ((flags & ~(LLVMGEPNoWrapFlags)(LLVMGEPFlagInBounds | LLVMGEPFlagNUSW)) != 0 || (flags != 0 && !inbounds))
        fail(&machine->m, "the flag '%s' of an address is not translated",
             (flags & LLVMGEPFlagNUW) != 0 ? "nuw" : "nusw");
    return inbounds;
}

/* The elements of an instruction's vectors; what is no vector serves all of them. */
static unsigned elements(const struct step *s)
{
    unsigned n = 1;
    for (int i = 0; i < LLVMGetNumOperands(s->instruction); i++)
        n = s->operand(s, (unsigned)i)->n > n ? s->operand(s, (unsigned)i)->n : n;
    return n;
}

static const struct scalar *element_of(const struct step *s, unsigned operand, unsigned k)
{
    const struct value *x = s->operand(s, operand);
    return x->e[x->n == 1 ? 0 : k];
}

const struct value *machine_element(const struct step *s)
{
    struct machine *machine = s->machine;
    const bool inbounds = is_inbounds(machine, s->instruction);
    struct value *v = make_vector(&machine->m, elements(s));
    for (unsigned k = 0; k < v->n; k++) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(s->instruction);
        v->e[k] = element_of(s, 0, k);
        for (int i = 1; i < LLVMGetNumOperands(s->instruction); i++)
            v->e[k] = move_into(machine, v->e[k], element_of(s, (unsigned)i, k), &type, i == 1, inbounds);
    }
    return v;
}

/* `inrange(low, high)` restricts what may be reached from the address: the bytes from low on and below high. LLVM's C
 * interface has no question for it: it is read from what the constant is printed as. Where the word stands elsewhere in
 * that, in an operand or a name, it is refused: nothing is missed. */
static bool has_range(struct machine *machine, LLVMValueRef constant, int64_t *low, int64_t *high)
{
    char *text = LLVMPrintValueToString(constant);
    const bool found = sscanf(text, "ptr getelementptr inrange(%" SCNd64 ", %" SCNd64 ") ", low, high) == 2 ||
                       sscanf(text, "ptr getelementptr inbounds inrange(%" SCNd64 ", %" SCNd64 ") ", low, high) == 2;
    const bool elsewhere = !found && strstr(text, "inrange") != NULL;
    LLVMDisposeMessage(text);
    if (elsewhere)
        fail(&machine->m, "'inrange' in a part of a constant is not translated");
    return found;
}

const struct scalar *machine_element_constant(struct machine *machine, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(constant);
    const struct scalar *p = machine_constant(machine, LLVMGetOperand(constant, 0))->e[0]; /* vectors: one by one */
    const bool inbounds = is_inbounds(machine, constant);
    int64_t low, high;
    for (int i = 1; i < LLVMGetNumOperands(constant); i++)
        p = move_into(machine, p, machine_constant(machine, LLVMGetOperand(constant, (unsigned)i))->e[0], &type, i == 1,
                      inbounds);
    return has_range(machine, constant, &low, &high) ? machine_part(machine, constant, p, low, high) : p;
}

/* --- what lies at an address ------------------------------------------------------------------------------------- */

/* Notes a place that must not be reached. Always returns false. */
static bool undefined_here(struct machine *machine, const char *what)
{
    machine_oblige(machine, term_bool(machine->m.s, false), what);
    return false;
}

/* Is there a live object? False: the access is undefined wherever it is reached. */
static bool is_alive(struct machine *machine, const struct scalar *p, bool write)
{
    struct maker *m = &machine->m;
    const struct object *o;
    if (p->poison != NULL)
        machine_oblige(machine, b_not(m->s, p->poison), "access through a poison pointer");
    if (p->poison != NULL && is_true(m->s, p->poison))
        return false;
    if (p->kind != POINTER)
        fail(m, "%s", p->kind == UNMERGED ? p->why : "an access through a number that is no pointer");
    if (p->object == 0)
        return undefined_here(machine, "an access through a null pointer");
    o = &machine->objects[p->object];
    if (o->ended)
        return undefined_here(machine, "an access to a local variable of a function that has returned");
    if (machine->now.blocks[p->object] == NULL || o->function != NULL)
        fail(m, "an access to '%s', which is no variable here", o->name);
    /* what is read of a local variable then has no value, which is no access to it */
    if ((write || o->heap) && machine->now.blocks[p->object]->ended != NULL)
        machine_oblige(machine, b_not(m->s, machine->now.blocks[p->object]->ended),
                       write ? "a store to a variable outside its scope, or to freed memory"
                             : "a read of freed memory");
    return true;
}

/* Before cells are used: what was packed there becomes their content. */
static void settle(struct machine *machine, unsigned object, uint64_t at, uint64_t n)
{
    if (memory_packed(&machine->now, object, at, n))
        packing_settle(machine, object);
}

bool machine_accessible(struct machine *machine, const struct scalar *p, uint64_t n, bool write)
{
    const uint64_t size = p->kind == POINTER ? machine->sizes[p->object] : 0;
    if (!is_alive(machine, p, write))
        return false;
    if (p->index != NULL)
        fail(&machine->m, "a block of memory at an unknown place is not translated");
    if (p->number > size || n > size - p->number)
        return undefined_here(machine, "access out of bounds");
    machine_touch(machine, p->object, write);
    if (write && machine->objects[p->object].constant)
        fail(&machine->m, "a store to the constant '%s'", machine->objects[p->object].name);
    settle(machine, p->object, p->number, n);
    return true;
}

/* The bits that an index can have, at most; the solver is asked only about those from the fifth on. */
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
    /* Tries the index alone first, which mostly tells; the conditions on the way to this place are long. */
    return machine_possible_anywhere(machine, rest) && machine_possible(machine, rest) ? bits : 5;
}

struct reach {
    uint64_t base, scale;
    unsigned n; /* elements at base + i * scale, i below n */
    const struct scalar *index;
};

/* Is the index below n, by its bits alone or by what is known here? */
static bool is_small(struct machine *machine, const struct scalar *index, uint64_t n)
{
    unsigned bits;
    if (index->kind == CHOICE) {
        for (unsigned i = 0; i < index->count; i++)
            if (index->from[i] >= n)
                return false;
        return true;
    }
    bits = index_bits(machine, index);
    return bits <= 8 && (uint64_t)1 << bits <= n;
}

/* The first place in the object that the index can reach, for an object of any length: counts start there. */
static void count_from_first(struct maker *m, struct reach *r)
{
    const int64_t base = as_signed(r->base, 64), scale = as_signed(r->scale, 64);
    const int64_t first = (base % scale + scale) % scale;
    r->index =
        arith_binary(m, LLVMAdd, (struct flags){0}, r->index, make_known(m, 64, (uint64_t)((base - first) / scale)));
    r->base = (uint64_t)first;
}

#define MOST_ELEMENTS 256u

static void need_few(struct maker *m, uint64_t elements)
{
    if (elements > MOST_ELEMENTS)
        fail(m, "an index into %llu elements is not translated", (unsigned long long)elements);
}

/* The elements up to the last that the index, a number or a choice between numbers, can name. */
static unsigned elements_of_choice(struct maker *m, const struct scalar *index)
{
    uint64_t last = index->kind == KNOWN ? index->number : 0;
    for (unsigned i = 0; index->kind == CHOICE && i < index->count; i++)
        last = index->from[i] > last ? index->from[i] : last;
    need_few(m, last + 1);
    return (unsigned)last + 1;
}

/* Finds the places that an access through an unknown index may touch. That it touches no other is an obligation. */
static bool reach_index(struct machine *machine, uint64_t size, unsigned bytes, struct reach *r)
{
    struct maker *m = &machine->m;
    uint64_t limit;
    const bool inside = r->base <= size && bytes <= size - r->base;
    if (!inside || (r->base >= r->scale && !is_small(machine, r->index, (size - r->base - bytes) / r->scale + 1)))
        count_from_first(m, r);
    if (r->base > size || bytes > size - r->base)
        return undefined_here(machine, "access out of bounds");
    limit = (size - r->base - bytes) / r->scale + 1;
    if (!is_small(machine, r->index, limit)) {
        const struct scalar *within = arith_compare(m, LLVMIntULT, r->index, make_known(m, 64, limit));
        machine_oblige(machine, as_bool(m, within), "access out of bounds");
        need_few(m, limit);
        r->n = (unsigned)limit;
    } else if (r->index->kind == CHOICE || r->index->kind == KNOWN) {
        r->n = elements_of_choice(m, r->index);
    } else {
        r->n = 1u << index_bits(machine, r->index);
    }
    return true;
}

/* Returns false when the access is undefined wherever it is reached. */
static bool reach_of(struct machine *machine, const struct scalar *p, unsigned bytes, bool write, struct reach *r)
{
    uint64_t size, number;
    if (!is_alive(machine, p, write))
        return false;
    size = machine->sizes[p->object];
    *r = (struct reach){.base = p->number, .scale = p->scale, .n = 1, .index = p->scale == 0 ? NULL : p->index};
    if (r->index != NULL && is_known(r->index, &number)) {
        r->base += number * p->scale;
        r->index = NULL;
    }
    if (r->index != NULL)
        return reach_index(machine, size, bytes, r);
    if (r->base > size || bytes > size - r->base)
        return undefined_here(machine, "access out of bounds");
    return true;
}

/* An integer of no whole bytes lies in memory with zeros above it; what has something else there is poison. */
static const struct scalar *load_part(struct machine *machine, const struct scalar *pointer, unsigned width)
{
    struct maker *m = &machine->m;
    const unsigned bytes = (width + 7) / 8;
    const struct scalar *x = machine_load(machine, pointer, 8 * bytes), *above;
    above =
        arith_compare(m, LLVMIntNE, scalar_slice(m, x, width, 8 * bytes - width), make_known(m, 8 * bytes - width, 0));
    return with_poison(m, scalar_slice(m, x, 0, width), as_bool(m, above));
}

/* Is it an address in one object or another? That it is no poison is then an obligation. */
static bool is_either(struct machine *machine, const struct scalar *pointer)
{
    if (!is_address_choice(pointer))
        return false;
    if (pointer->poison != NULL)
        machine_oblige(machine, b_not(machine->m.s, pointer->poison), "access through a poison pointer");
    return true;
}

static const struct scalar *load_either(struct machine *machine, const struct scalar *pointer, unsigned width)
{
    struct maker *m = &machine->m;
    const size_t before = machine->path_count;
    term when = machine_here(machine, pointer->when);
    const struct scalar *first, *second;
    if (is_true(m->s, when) || is_false(m->s, when))
        return machine_load(machine, is_true(m->s, when) ? pointer->first : pointer->second, width);
    machine_assume_here(machine, when);
    first = machine_load(machine, pointer->first, width);
    machine->path_count = before;
    machine_assume_here(machine, b_not(m->s, when));
    second = machine_load(machine, pointer->second, width);
    machine->path_count = before;
    return scalar_select(m, when, first, second);
}

/* x, which was read from the object, is not what an earlier call left there. */
static void need_written(struct machine *machine, unsigned object, const struct scalar *x)
{
    if (machine->objects[object].kept && (x->poison != NULL || x->kind == UNMERGED))
        fail(&machine->m,
             "the variable '%s' keeps its value from one call to the next, which is not translated: make it const, a "
             "local variable or a parameter, or write it before it is read",
             machine->objects[object].name);
}

void machine_copy_known(struct machine *machine, unsigned to, uint64_t to_at, unsigned from, uint64_t from_at,
                        uint64_t n)
{
    for (uint64_t i = 0; machine->objects[from].kept && i < n; i++)
        need_written(machine, from, memory_load(&machine->m, &machine->now, from, from_at + i, 8));
    memory_copy(&machine->now, to, machine->sizes[to], to_at, from, from_at, n);
}

const struct scalar *machine_load(struct machine *machine, const struct scalar *pointer, unsigned width)
{
    struct maker *m = &machine->m;
    const struct scalar *x[MOST_ELEMENTS];
    struct reach r;
    if (width % 8 != 0)
        return load_part(machine, pointer, width);
    if (is_either(machine, pointer))
        return load_either(machine, pointer, width);
    if (!reach_of(machine, pointer, width / 8, false, &r))
        return with_poison(m, make_known(m, width, 0), term_bool(m->s, true));
    machine_touch(machine, pointer->object, false);
    settle(machine, pointer->object, r.base, (r.n - 1) * r.scale + width / 8);
    for (unsigned i = 0; i < r.n; i++) {
        x[i] = memory_load(m, &machine->now, pointer->object, r.base + i * r.scale, width);
        need_written(machine, pointer->object, x[i]);
    }
    return r.index == NULL ? x[0] : scalar_pick(m, x, r.n, r.index);
}

void machine_store(struct machine *machine, const struct scalar *pointer, const struct scalar *x)
{
    struct maker *m = &machine->m;
    struct reach r;
    uint64_t size;
    bool packed;
    if (x->width % 8 != 0)
        x = arith_cast(m, LLVMZExt, x, (x->width + 7) / 8 * 8);
    if (is_either(machine, pointer)) {
        term when = machine_here(machine, pointer->when);
        machine_store_where(machine, when, pointer->first, x);
        machine_store_where(machine, b_not(m->s, when), pointer->second, x);
        return;
    }
    packed = packing_wanted(machine, pointer);
    if (packed ? !is_alive(machine, pointer, true) : !reach_of(machine, pointer, x->width / 8, true, &r))
        return;
    size = machine->sizes[pointer->object];
    machine_touch(machine, pointer->object, true);
    if (machine->objects[pointer->object].constant)
        fail(m, "a store to the constant '%s'", machine->objects[pointer->object].name);
    if (packed) {
        packing_store(machine, pointer, x);
        return;
    }
    settle(machine, pointer->object, r.base, (r.n - 1) * r.scale + x->width / 8);
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

const struct scalar *machine_load_where(struct machine *machine, term on, const struct scalar *pointer, unsigned width,
                                        const struct scalar *otherwise)
{
    const size_t before = machine->path_count;
    const struct scalar *x;
    if (is_false(machine->m.s, on))
        return otherwise;
    if (!is_true(machine->m.s, on))
        machine_assume_here(machine, on);
    x = machine_load(machine, pointer, width);
    machine->path_count = before;
    return scalar_select(&machine->m, on, x, otherwise);
}

void machine_store_where(struct machine *machine, term on, const struct scalar *pointer, const struct scalar *x)
{
    const size_t before = machine->path_count;
    if (is_false(machine->m.s, on))
        return;
    if (!is_true(machine->m.s, on)) {
        machine_assume_here(machine, on);
        x = scalar_select(&machine->m, on, x, machine_load(machine, pointer, x->width));
    }
    machine_store(machine, pointer, x);
    machine->path_count = before;
}

/* The place of the address in its object. */
static const struct scalar *offset_of(struct maker *m, const struct scalar *p)
{
    const struct flags none = {0};
    const struct scalar *base = make_known(m, 64, p->number);
    if (p->index == NULL)
        return base;
    return arith_binary(m, LLVMAdd, none, arith_binary(m, LLVMMul, none, p->index, make_known(m, 64, p->scale)), base);
}

/* --- blocks of memory at unknown places -------------------------------------------------------------------------- */

/* The bytes of the scalar that begins `at` bytes behind the first place that the pointer may have, as far as they are
 * copied; else 1. Any number of bytes would be right; whole scalars stay whole. */
static unsigned piece_at(const struct machine *machine, const struct scalar *p, uint64_t at, uint64_t left)
{
    const struct block *b = p->kind == POINTER ? machine->now.blocks[p->object] : NULL;
    const int64_t scale = b == NULL || p->index == NULL ? 0 : as_signed(p->scale, 64);
    uint64_t place = p->number;
    if (scale > 0)
        place = (uint64_t)((as_signed(place, 64) % scale + scale) % scale);
    for (place += at; b != NULL && place < machine->sizes[p->object]; place += (uint64_t)scale) {
        const struct cell cell = b->c[place];
        const unsigned bytes = cell.v == NULL ? 0 : cell.v->width / 8;
        if (cell.v != NULL && cell.byte == 0 && bytes <= left && bytes <= 8 && (bytes & (bytes - 1)) == 0)
            return bytes;
        if (cell.v != NULL || scale <= 0)
            break;
    }
    return 1;
}

static const struct scalar *behind(struct machine *machine, const struct scalar *p, uint64_t by)
{
    return by == 0 ? p : machine_move(machine, p, make_known(&machine->m, 64, by), 1, false);
}

/* memcpy is for places that are the same or do not overlap. */
static void oblige_apart(struct machine *machine, const struct scalar *to, const struct scalar *from, uint64_t n)
{
    struct maker *m = &machine->m;
    const struct scalar *size = make_known(m, 64, n), *ahead, *back;
    term apart;
    if (is_address_choice(to) || is_address_choice(from))
        fail(m, "a copy between places in objects that are not known is not translated");
    if (to->kind != POINTER || from->kind != POINTER || to->object != from->object)
        return;
    ahead = arith_binary(m, LLVMSub, (struct flags){0}, offset_of(m, to), offset_of(m, from));
    back = arith_binary(m, LLVMSub, (struct flags){0}, offset_of(m, from), offset_of(m, to));
    apart = b_and(m->s, as_bool(m, arith_compare(m, LLVMIntUGE, ahead, size)),
                  as_bool(m, arith_compare(m, LLVMIntUGE, back, size)));
    apart = b_or(m->s, apart, as_bool(m, arith_compare(m, LLVMIntEQ, ahead, make_known(m, 64, 0))));
    machine_oblige(machine, apart, "memcpy between places that overlap");
}

#define MOST_COPIED 256u

/* All is read before something is written, as memmove does. */
void machine_copy(struct machine *machine, const struct scalar *to, const struct scalar *from, uint64_t n, bool apart)
{
    const struct scalar *x[MOST_COPIED];
    uint64_t at = 0;
    unsigned count = 0;
    if (n > MOST_COPIED)
        fail(&machine->m, "a block of more than %u bytes at an unknown place is not translated", MOST_COPIED);
    if (apart)
        oblige_apart(machine, to, from, n);
    for (at = 0; at < n; at += x[count++]->width / 8)
        x[count] = machine_load(machine, behind(machine, from, at), 8 * piece_at(machine, from, at, n - at));
    at = 0;
    for (unsigned i = 0; i < count; i++) {
        machine_store(machine, behind(machine, to, at), x[i]);
        at += x[i]->width / 8;
    }
}

/* --- comparisons of addresses ------------------------------------------------------------------------------------ */

/* Is the address a place of the object, or (`or_end`) its end, whatever the unknowns are? */
static bool is_within(struct machine *machine, const struct scalar *p, bool or_end)
{
    struct smt *s = machine->m.s;
    const bool function = machine->objects[p->object].function != NULL;
    term outside =
        function ? term_bool(s, p->index != NULL || p->number != 0) : machine_outside(machine, p, or_end ? 0 : 1);
    return is_false(s, outside) || (!is_true(s, outside) && !machine_possible(machine, outside));
}

/* Two constants may lie at one place when nothing depends on their addresses. */
static bool may_be_merged(struct machine *machine, unsigned object)
{
    for (size_t i = 0; i < machine->global_count; i++)
        if (machine->globals[i].object == object)
            return LLVMGetUnnamedAddress(machine->globals[i].value) != LLVMNoUnnamedAddr;
    return false;
}

static bool is_gone(struct machine *machine, const struct scalar *p)
{
    const struct block *b = machine->now.blocks[p->object];
    return machine->objects[p->object].ended || (b != NULL && b->ended != NULL);
}

/* Objects are apart, and none is at null: true of places in them, not of their ends and what lies beyond. */
static term same_place(struct machine *machine, const struct scalar *x, const struct scalar *y)
{
    struct maker *m = &machine->m;
    if (x->object == y->object)
        return as_bool(m, arith_compare(m, LLVMIntEQ, offset_of(m, x), offset_of(m, y)));
    if (x->object == 0 || y->object == 0) {
        const struct scalar *null = x->object == 0 ? x : y, *other = x->object == 0 ? y : x;
        if (null->index != NULL || null->number != 0 || !is_within(machine, other, true))
            fail(m, "a comparison of null with an address outside its object is not translated");
    } else if (!is_within(machine, x, false) || !is_within(machine, y, false) ||
               (may_be_merged(machine, x->object) && may_be_merged(machine, y->object))) {
        fail(m, "a comparison of addresses of different objects, of which one is no place in its object, is not "
                "translated");
    } else if (machine->objects[x->object].part || machine->objects[y->object].part) {
        fail(m, "a comparison with an address in a table of constants is not translated");
    } else if (is_gone(machine, x) || is_gone(machine, y)) {
        fail(m, "a comparison with the address of a variable whose life is over is not translated");
    }
    return term_bool(m->s, false);
}

/* Objects lie in any order: the answer for two of them is an unknown of its own. Within an object, and at its end, the
 * offsets decide. */
static term pointer_order(struct machine *machine, LLVMIntPredicate predicate, const struct scalar *x,
                          const struct scalar *y)
{
    struct maker *m = &machine->m;
    char name[96];
    if (x->object == 0 || y->object == 0 || predicate == LLVMIntSLT || predicate == LLVMIntSLE ||
        predicate == LLVMIntSGT || predicate == LLVMIntSGE)
        fail(m, "an order of addresses as signed numbers, or with null, is not translated");
    if (!is_within(machine, x, true) || !is_within(machine, y, true))
        fail(m, "the order of an address outside its object is not translated");
    if (x->object == y->object)
        return as_bool(m, arith_compare(m, predicate, offset_of(m, x), offset_of(m, y)));
    if (x->index != NULL || y->index != NULL)
        fail(m, "an order of addresses in different objects is not translated");
    snprintf(name, sizeof name, "order[%d][%u+%llu][%u+%llu]", (int)predicate, x->object, (unsigned long long)x->number,
             y->object, (unsigned long long)y->number);
    return term_constant(m->s, m->s->bool_sort, name);
}

/* Bytes of zeros, loaded as an address, are the null pointer. */
static const struct scalar *null_of_zeros(struct machine *machine, const struct scalar *x)
{
    return x->kind == KNOWN && x->number == 0 && x->poison == NULL ? machine_address(machine, 0, 0) : x;
}

const struct scalar *machine_compare(struct machine *machine, LLVMIntPredicate predicate, const struct scalar *x,
                                     const struct scalar *y)
{
    struct maker *m = &machine->m;
    const struct scalar *index = NULL;
    term r, poison;
    if (is_address_choice(x) || is_address_choice(y)) {
        const struct scalar *p = is_address_choice(x) ? x : y, *first = p->first, *second = p->second;
        return with_poison(m,
                           scalar_select(m, p->when,
                                         machine_compare(machine, predicate, p == x ? first : x, p == x ? y : first),
                                         machine_compare(machine, predicate, p == x ? second : x, p == x ? y : second)),
                           p->poison);
    }
    if (x->kind != POINTER && y->kind != POINTER)
        return arith_compare(m, predicate, x, y);
    x = null_of_zeros(machine, x);
    y = null_of_zeros(machine, y);
    if (x->kind != POINTER || y->kind != POINTER)
        fail(m, "%s", x->kind == UNMERGED ? x->why : y->kind == UNMERGED ? y->why : NUMBER_OF_POINTER);
    if (predicate == LLVMIntEQ || predicate == LLVMIntNE) {
        r = same_place(machine, x, y);
        r = predicate == LLVMIntEQ ? r : b_not(m->s, r);
    } else {
        r = pointer_order(machine, predicate, x, y);
    }
    poison = poison_or(m, x->poison, y->poison);
    for (unsigned i = 0; i < 2; i++) {
        index = i == 0 ? x->index : y->index;
        poison = index == NULL ? poison : poison_or(m, poison, index->poison);
    }
    return with_poison(m, make_bool(m, r), poison);
}
