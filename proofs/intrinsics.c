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
    if (to->kind != POINTER || from->kind != POINTER || to->index != NULL || from->index != NULL) {
        machine_copy(machine, to, from, n, apart);
        return;
    }
    if (!machine_accessible(machine, to, n, true) || !machine_accessible(machine, from, n, false))
        return;
    if (apart && to->object == from->object && to->number != from->number && to->number < from->number + n &&
        from->number < to->number + n)
        machine_oblige(machine, term_bool(machine->m.s, false), "memcpy between places that overlap");
    machine_copy_known(machine, to->object, to->number, from->object, from->number, n);
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

/* Begins or ends a local variable's life: either way its content is lost. */
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
    if (sum->kind != KNOWN && x->width >= 8) { /* comparisons of it look at the bits, and it is never negative */
        struct scalar *counted = arena_take(&m->arena, sizeof *counted);
        *counted = *sum;
        counted->count_of = x;
        sum = counted;
    }
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

/* {s,u}{add,sub,mul}.with.overflow: the results, then where each leaves its range: where the same operation with a flag
 * would be poison. */
static const struct value *with_overflow(struct machine *machine, const char *operation, const struct value *const *a)
{
    struct maker *m = &machine->m;
    const struct flags none = {0}, kept = {.nsw = operation[0] == 's', .nuw = operation[0] == 'u'};
    const LLVMOpcode op = operation[1] == 'a' ? LLVMAdd : operation[1] == 's' ? LLVMSub : LLVMMul;
    struct value *v = make_vector(m, 2 * a[0]->n);
    for (unsigned i = 0; i < a[0]->n; i++) {
        const struct scalar *x = without_poison(m, a[0]->e[i]), *y = without_poison(m, a[1]->e[i]);
        const term left = arith_binary(m, op, kept, x, y)->poison;
        v->e[i] = arith_binary(m, op, none, a[0]->e[i], a[1]->e[i]);
        v->e[a[0]->n + i] = with_poison(m, make_bool(m, left != NULL ? left : term_bool(m->s, false)), v->e[i]->poison);
    }
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
    machine_oblige_aligned(machine, a[0]->e[0], known(machine, a[1], "an alignment"));
    machine_oblige_defined(machine, a[2], "a masked load with a poison or uninitialized mask");
    for (unsigned i = 0; i < n; i++) {
        const struct scalar *p = machine_nth(machine, a[0]->e[0], i, width);
        v->e[i] = machine_load_where(machine, as_bool(m, a[2]->e[i]), p, width, a[3]->e[i]);
    }
    return v;
}

static void masked_store(struct machine *machine, const struct value *const *a)
{
    struct maker *m = &machine->m;
    machine_oblige_aligned(machine, a[1]->e[0], known(machine, a[2], "an alignment"));
    machine_oblige_defined(machine, a[3], "a masked store with a poison or uninitialized mask");
    for (unsigned i = 0; i < a[0]->n; i++) {
        const struct scalar *x = a[0]->e[i], *p = machine_nth(machine, a[1]->e[0], i, x->width);
        machine_store_where(machine, as_bool(m, a[3]->e[i]), p, x);
    }
}

/* Where the mask has the element, its address is aligned. */
static void oblige_aligned_where(struct machine *machine, term on, const struct scalar *p, uint64_t alignment)
{
    const size_t before = machine->path_count;
    if (is_false(machine->m.s, on))
        return;
    machine_assume_here(machine, on);
    machine_oblige_aligned(machine, p, alignment);
    machine->path_count = before;
}

/* An address for each element. */
static const struct value *masked_gather(struct machine *machine, const struct value *const *a, unsigned width)
{
    struct value *v = make_vector(&machine->m, a[0]->n);
    machine_oblige_defined(machine, a[2], "a masked gather with a poison or uninitialized mask");
    for (unsigned i = 0; i < v->n; i++) {
        const term on = as_bool(&machine->m, a[2]->e[i]);
        oblige_aligned_where(machine, on, a[0]->e[i], known(machine, a[1], "an alignment"));
        v->e[i] = machine_load_where(machine, on, a[0]->e[i], width, a[3]->e[i]);
    }
    return v;
}

/* In the order of the elements: where two have one address, the last stays. */
static void masked_scatter(struct machine *machine, const struct value *const *a)
{
    machine_oblige_defined(machine, a[3], "a masked scatter with a poison or uninitialized mask");
    for (unsigned i = 0; i < a[0]->n; i++) {
        const term on = as_bool(&machine->m, a[3]->e[i]);
        oblige_aligned_where(machine, on, a[1]->e[i], known(machine, a[2], "an alignment"));
        machine_store_where(machine, on, a[1]->e[i], a[0]->e[i]);
    }
}

/* The word with its units (bytes, bits) in the other order. */
static const struct scalar *reversed(struct maker *m, const struct scalar *x, unsigned unit)
{
    const struct scalar *r = scalar_slice(m, x, 0, unit);
    for (unsigned at = unit; at < x->width; at += unit)
        r = scalar_concat(m, r, scalar_slice(m, x, at, unit));
    return r;
}

/* --- memory of the heap, which never runs out -------------------------------------------------------------------- */

/* Functions that belong together: C's, and operator new and delete, of one object and of an array. */
static const struct heap {
    const char *allocate, *release, *release_sized; /* the last is told the size, too */
} heaps[] = {{"malloc", "free", ""}, {"_Znwm", "_ZdlPv", "_ZdlPvm"}, {"_Znam", "_ZdaPv", "_ZdaPvm"}};

static const struct value *allocate(struct machine *machine, const struct heap *heap, uint64_t n, bool zeroed)
{
    unsigned alignment = 16; /* suits any type, but only types of that size */
    while (alignment > n && alignment > 1)
        alignment /= 2;
    const unsigned object = machine_object(machine, "allocated memory", n, alignment);
    machine->objects[object].heap = heap;
    for (uint64_t i = 0; zeroed && i < n; i++)
        memory_store(&machine->m, &machine->now, object, n, i, make_known(&machine->m, 8, 0));
    return make_value(&machine->m, machine_address(machine, object, 0));
}

/* `size`: what the function is told of it; NULL: nothing. */
static void release(struct machine *machine, const struct heap *heap, const struct scalar *p, const struct value *size)
{
    struct smt *s = machine->m.s;
    const char *what = "free of what was not allocated, or not so, or was freed before";
    if (p->kind != POINTER || p->index != NULL)
        fail(&machine->m, "free of an unknown place is not translated");
    if (p->poison != NULL)
        machine_oblige(machine, b_not(s, p->poison), what);
    if (p->object == 0 && p->number == 0)
        return;
    if (machine->objects[p->object].heap != heap || p->number != 0 || machine->now.blocks[p->object] == NULL ||
        (size != NULL && known(machine, size, "a length") != machine->sizes[p->object])) {
        machine_oblige(machine, term_bool(s, false), what);
        return;
    }
    if (machine->now.blocks[p->object]->ended != NULL)
        machine_oblige(machine, b_not(s, machine->now.blocks[p->object]->ended), what);
    machine_free(machine, p->object);
    memory_end(&machine->m, &machine->now, p->object, machine->sizes[p->object]);
}

#define MOST_COMPARED 256u

/* Of memory that differs the sign of the result is known, and not for `bcmp`; its number is any. */
static const struct scalar *differing(struct machine *machine, term less, bool any_sign)
{
    struct maker *m = &machine->m;
    term bits[32];
    as_bits(m, make_term(m, smt_keep(m->s, Z3_mk_fresh_const(m->s->z3, "difference", m->s->word_sort))), bits);
    bits[31] = any_sign ? bits[31] : less;
    bits[0] = b_or(m->s, bits[0], b_not(m->s, bits[31])); /* never 0 */
    return make_bits(m, 32, bits);
}

/* memcmp and bcmp: words of as many bytes as are left, from the last to the first. */
static const struct scalar *compare_memory(struct machine *machine, const struct scalar *p, const struct scalar *q,
                                           uint64_t n, bool any_sign)
{
    struct maker *m = &machine->m;
    term equal = term_bool(m->s, true), less = term_bool(m->s, false), poison = NULL;
    if (n > MOST_COMPARED)
        fail(m, "a comparison of more than %u bytes is not translated", MOST_COMPARED);
    for (uint64_t end = n; end > 0;) {
        const unsigned bytes = end % 8 == 0 ? 8 : end % 4 == 0 ? 4 : end % 2 == 0 ? 2 : 1;
        const struct scalar *at = make_known(m, 64, end -= bytes);
        const struct scalar *x = machine_load(machine, machine_move(machine, p, at, 1, false), 8 * bytes);
        const struct scalar *y = machine_load(machine, machine_move(machine, q, at, 1, false), 8 * bytes);
        term same = as_bool(m, arith_compare(m, LLVMIntEQ, x, y));
        term below = as_bool(m, arith_compare(m, LLVMIntULT, reversed(m, x, 8), reversed(m, y, 8)));
        equal = b_and(m->s, equal, same);
        less = any_sign ? less : b_ite(m->s, same, less, below);
        poison = poison_or(m, poison, poison_or(m, x->poison, y->poison));
    }
    return with_poison(m, scalar_select(m, equal, make_known(m, 32, 0), differing(machine, less, any_sign)), poison);
}

#define MOST_ALLOCATED 65536u

/* How much a call allocates; false: it does not. */
static bool allocates(struct machine *machine, const struct heap *heap, const char *name, const struct value *const *a,
                      unsigned n, uint64_t *size)
{
    if (strcmp(name, heap->allocate) == 0 && n == 1)
        *size = known(machine, a[0], "a length");
    else if (heap == &heaps[0] && strcmp(name, "calloc") == 0 && n == 2 && known(machine, a[1], "a length") != 0)
        *size = known(machine, a[0], "a length") > MOST_ALLOCATED
                    ? MOST_ALLOCATED + 1
                    : known(machine, a[0], "a length") * known(machine, a[1], "a length");
    else
        return false;
    if (*size > MOST_ALLOCATED)
        fail(&machine->m, "an allocation of more than %u bytes is not translated", MOST_ALLOCATED);
    return true;
}

/* Functions of the C and C++ library that the bitcode only declares. False: it is none of them. */
static bool library(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                    const struct value **result)
{
    uint64_t size = 0;
    if ((strcmp(name, "memcmp") == 0 || strcmp(name, "bcmp") == 0) && n == 3) {
        *result = make_value(&machine->m, compare_memory(machine, a[0]->e[0], a[1]->e[0],
                                                         known(machine, a[2], "a length"), name[0] == 'b'));
        return true;
    }
    for (size_t i = 0; i < sizeof heaps / sizeof *heaps; i++) {
        const bool sized = strcmp(name, heaps[i].release_sized) == 0 && n == 2;
        if (sized || (strcmp(name, heaps[i].release) == 0 && n == 1)) {
            release(machine, &heaps[i], a[0]->e[0], sized ? a[1] : NULL);
            return true;
        }
        if (allocates(machine, &heaps[i], name, a, n, &size)) {
            *result = allocate(machine, &heaps[i], size, name[0] == 'c');
            return true;
        }
    }
    return false;
}

/* --- arithmetic -------------------------------------------------------------------------------------------------- */

/* fshl, fshr: the high (low) word of the two, shifted by the number modulo the width. */
static const struct scalar *funnel(struct maker *m, bool left, const struct scalar *high, const struct scalar *low,
                                   const struct scalar *by)
{
    const struct flags none = {0};
    const unsigned width = high->width;
    const struct scalar *n, *back, *zero, *r;
    if ((width & (width - 1)) != 0)
        fail(m, "a funnel shift of %u bits is not translated", width);
    n = arith_binary(m, LLVMAnd, none, by, make_known(m, width, width - 1));
    back = arith_binary(m, LLVMAnd, none, arith_binary(m, LLVMSub, none, make_known(m, width, width), n),
                        make_known(m, width, width - 1));
    zero = arith_compare(m, LLVMIntEQ, n, make_known(m, width, 0));
    r = left ? arith_binary(m, LLVMOr, none, arith_binary(m, LLVMShl, none, high, n),
                            arith_binary(m, LLVMLShr, none, low, back))
             : arith_binary(m, LLVMOr, none, arith_binary(m, LLVMShl, none, high, back),
                            arith_binary(m, LLVMLShr, none, low, n));
    r = with_poison(m, scalar_select(m, as_bool(m, zero), left ? high : low, r), by->poison);
    /* both words count, also where the distance leaves one of them out */
    return scalar_same(high, low) ? r : with_poison(m, r, poison_or(m, high->poison, low->poison));
}

/* `poison`: the least number's is none. */
static const struct scalar *absolute(struct maker *m, const struct scalar *x, bool poison)
{
    const struct scalar *zero = make_known(m, x->width, 0), *negative = arith_compare(m, LLVMIntSLT, x, zero);
    const struct scalar *least = arith_compare(m, LLVMIntEQ, x, make_known(m, x->width, (uint64_t)1 << (x->width - 1)));
    const struct scalar *r =
        scalar_select(m, as_bool(m, negative), arith_binary(m, LLVMSub, (struct flags){0}, zero, x), x);
    r = with_poison(m, r, negative->poison);
    return poison ? with_poison(m, r, as_bool(m, least)) : r;
}

/* uadd.sat and its like: in one bit more (two for signed ones), then the nearest number that fits. */
static const struct scalar *saturated(struct maker *m, bool is_signed, LLVMOpcode op, const struct scalar *x,
                                      const struct scalar *y)
{
    const unsigned width = x->width, wide = width + 2;
    const LLVMOpcode extend = is_signed ? LLVMSExt : LLVMZExt;
    const uint64_t sign = (uint64_t)1 << (width - 1), most = is_signed ? sign - 1 : 2 * sign - 1;
    const struct scalar *r, *above, *below;
    if (wide > 64)
        fail(m, "saturated arithmetic of %u bits is not translated", width);
    r = arith_binary(m, op, (struct flags){0}, arith_cast(m, extend, x, wide), arith_cast(m, extend, y, wide));
    above = arith_compare(m, LLVMIntSGT, r, make_known(m, wide, most));
    below = arith_compare(m, LLVMIntSLT, r, make_known(m, wide, is_signed ? 0 - sign : 0));
    r = scalar_select(m, as_bool(m, above), make_known(m, wide, most),
                      scalar_select(m, as_bool(m, below), make_known(m, wide, is_signed ? 0 - sign : 0), r));
    return with_poison(m, scalar_slice(m, r, 0, width), poison_or(m, x->poison, y->poison));
}

/* Any NaN: which one an operation gives is not said. */
static const struct scalar *any_nan(struct maker *m)
{
    const struct scalar *any =
        make_term(m, smt_keep(m->s, Z3_mk_fresh_const(m->s->z3, "nan", Z3_mk_bv_sort(m->s->z3, 32))));
    const struct scalar *is_nan = arith_float_compare(m, LLVMRealUNO, any, any);
    return scalar_select(m, as_bool(m, is_nan), any, make_known(m, 32, 0x7fc00000u));
}

static term is_nan(void *maker, term x)
{
    const struct scalar *word = make_term(maker, x);
    return as_bool(maker, arith_float_compare(maker, LLVMRealUNO, word, word));
}

static term is_negative(void *maker, term x)
{
    const struct scalar *word = make_term(maker, x);
    return as_bool(maker, scalar_slice(maker, word, word->width - 1, 1));
}

/* The property of a word; false where no choice of which it is made has it. */
static term has(struct maker *m, term (*property)(void *maker, term x), const struct scalar *x)
{
    term word = as_term(m, x);
    return v_is_never(m->s, word, property, m) ? term_bool(m->s, false) : property(m, word);
}

/* minnum, maxnum: the other one where one is NaN; which of two zeros is not said, so either. Other numbers that are
 * equal have the same bits. */
static const struct scalar *float_min_max(struct machine *machine, bool max, const struct scalar *x,
                                          const struct scalar *y)
{
    struct maker *m = &machine->m;
    struct smt *s = m->s;
    term x_nan = machine_here(machine, has(m, is_nan, x)), y_nan = machine_here(machine, has(m, is_nan, y));
    term opposite = b_xor(s, has(m, is_negative, x), has(m, is_negative, y));
    const struct scalar *first = arith_float_compare(m, max ? LLVMRealOGT : LLVMRealOLT, x, y);
    const struct scalar *same = arith_float_compare(m, LLVMRealOEQ, x, y);
    term either = smt_keep(s, Z3_mk_fresh_const(s->z3, "either", s->bool_sort));
    term chosen = b_or(s, as_bool(m, first), b_and(s, as_bool(m, same), b_and(s, opposite, either)));
    const struct scalar *r = scalar_select(m, b_or(s, y_nan, b_and(s, chosen, b_not(s, x_nan))), x, y);
    r = scalar_select(m, b_and(s, x_nan, y_nan), any_nan(m), r);
    return with_poison(m, r, first->poison);
}

/* is.fpclass: is x of one of the classes in `wanted`? From bit 0: signalling NaN, quiet NaN; from minus infinity up to
 * infinity: infinite, normal, subnormal, zero, and the same of positive ones in reverse. */
static const struct scalar *is_of_class(struct maker *m, const struct scalar *x, uint64_t wanted)
{
    static const uint64_t above[] = {0x7f800000, 0x00800000, 1, 0}; /* the lowest of a class without its sign */
    const struct scalar *size, *r, *quiet, *sign;
    term class[4], in = term_bool(m->s, false), nan, lower = term_bool(m->s, true);
    if (x->width != 32)
        fail(m, "a class of floating-point numbers of %u bits is not translated", x->width);
    size = arith_binary(m, LLVMAnd, (struct flags){0}, x, make_known(m, 32, 0x7fffffffu));
    sign = scalar_slice(m, x, 31, 1);
    quiet = scalar_slice(m, x, 22, 1);
    nan = as_bool(m, arith_compare(m, LLVMIntUGT, size, make_known(m, 32, 0x7f800000)));
    lower = b_not(m->s, nan);
    for (unsigned i = 0; i < 4; i++) {
        term reached = as_bool(m, arith_compare(m, LLVMIntUGE, size, make_known(m, 32, above[i])));
        class[i] = b_and(m->s, lower, reached);
        lower = b_and(m->s, lower, b_not(m->s, reached));
    }
    for (unsigned i = 0; i < 4; i++) {
        if (wanted >> (2 + i) & 1)
            in = b_or(m->s, in, b_and(m->s, class[i], as_bool(m, sign)));
        if (wanted >> (9 - i) & 1)
            in = b_or(m->s, in, b_and(m->s, class[i], b_not(m->s, as_bool(m, sign))));
    }
    if ((wanted & 3) == 3)
        in = b_or(m->s, in, nan);
    else if ((wanted & 3) != 0)
        in = b_or(m->s, in, b_and(m->s, nan, (wanted & 1) ? b_not(m->s, as_bool(m, quiet)) : as_bool(m, quiet)));
    r = make_bool(m, in);
    return with_poison(m, r, x->poison);
}

static const struct scalar *on_scalars(struct machine *machine, const char *name, const struct value *const *a,
                                       unsigned n, unsigned i)
{
    struct maker *m = &machine->m;
    const struct scalar *x = a[0]->e[i], *y = n > 1 && a[1]->n > i ? a[1]->e[i] : NULL;
    if (starts(name, "llvm.fshl.") || starts(name, "llvm.fshr."))
        return funnel(m, name[8] == 'l', x, y, a[2]->e[i]);
    if (starts(name, "llvm.bswap."))
        return reversed(m, x, 8);
    if (starts(name, "llvm.bitreverse."))
        return reversed(m, x, 1);
    if (starts(name, "llvm.abs."))
        return absolute(m, x, known(machine, a[1], "a flag") != 0);
    if (starts(name, "llvm.is.fpclass."))
        return is_of_class(m, x, known(machine, a[1], "a flag"));
    if (starts(name, "llvm.fabs.f32") || starts(name, "llvm.fabs.v"))
        return arith_binary(m, LLVMAnd, (struct flags){0}, x, make_known(m, 32, 0x7fffffffu));
    if (starts(name, "llvm.minnum.") || starts(name, "llvm.maxnum."))
        return float_min_max(machine, name[6] == 'a', x, y);
    if (starts(name, "llvm.uadd.sat.") || starts(name, "llvm.sadd.sat."))
        return saturated(m, name[5] == 's', LLVMAdd, x, y);
    if (starts(name, "llvm.usub.sat.") || starts(name, "llvm.ssub.sat."))
        return saturated(m, name[5] == 's', LLVMSub, x, y);
    return NULL;
}

/* False: it is none of those. */
static bool element_by_element(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                               const struct value **result)
{
    struct value *v;
    if (n == 0 || on_scalars(machine, name, a, n, 0) == NULL)
        return false;
    v = make_vector(&machine->m, a[0]->n);
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] = on_scalars(machine, name, a, n, i);
    *result = v;
    return true;
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
    else if (starts(name, "llvm.threadlocal.address.")) /* there is one thread */
        *result = a[0];
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
    else if (starts(name, "llvm.") && strstr(name, ".with.overflow.") != NULL)
        *result = with_overflow(machine, name + strlen("llvm."), a);
    else if (starts(name, "llvm.vector.reduce."))
        *result = reduce(machine, name + strlen("llvm.vector.reduce."), a[0]);
    else if (starts(name, "llvm.masked.load."))
        *result = masked_load(machine, a, result_n, result_width);
    else if (starts(name, "llvm.masked.store."))
        masked_store(machine, a);
    else if (starts(name, "llvm.masked.gather."))
        *result = masked_gather(machine, a, result_width);
    else if (starts(name, "llvm.masked.scatter."))
        masked_scatter(machine, a);
    else
        return element_by_element(machine, name, a, n, result) || library(machine, name, a, n, result);
    return true;
}
