/* The x86 intrinsics that the SIMD variants use, by their documented meaning. */
#include "proofs/machine.h"

#include <string.h>

typedef const struct value *const *arguments;

static term sign_of(struct maker *m, const struct scalar *x)
{
    return as_bool(m, scalar_slice(m, x, x->width - 1, 1));
}

/* Does x, as a signed number, fit into `width` bits (of the other signedness: is it below 2^width)? By its bits alone.
 */
static bool fits(struct maker *m, const struct scalar *x, unsigned width, bool to_signed)
{
    term *bits = arena_take(&m->arena, x->width * sizeof *bits);
    as_bits(m, x, bits);
    for (unsigned i = width; i < x->width; i++)
        if (to_signed ? bits[i] != bits[width - 1] : !is_false(m->s, bits[i]))
            return false;
    return true;
}

static const struct scalar *saturate(struct maker *m, const struct scalar *x, unsigned width, bool to_signed)
{
    const uint64_t most = to_signed ? ((uint64_t)1 << (width - 1)) - 1 : ((uint64_t)1 << width) - 1;
    const uint64_t least = to_signed ? ~most : 0;
    const struct scalar *r = scalar_slice(m, x, 0, width);
    term above, below;
    if (fits(m, x, width, to_signed))
        return r;
    above = as_bool(m, arith_compare(m, LLVMIntSGT, x, make_known(m, x->width, most)));
    below = as_bool(m, arith_compare(m, LLVMIntSLT, x, make_known(m, x->width, least)));
    r = scalar_select(m, above, make_known(m, width, most), scalar_select(m, below, make_known(m, width, least), r));
    return with_poison(m, r, x->poison);
}

/* Within each 128-bit half: the elements of the first, then those of the second, narrowed with saturation. */
static const struct value *pack(struct maker *m, arguments a, bool to_signed)
{
    const unsigned width = a[0]->e[0]->width, half = 128 / width;
    struct value *v = make_vector(m, 2 * a[0]->n);
    for (unsigned i = 0; i < v->n; i++) {
        const unsigned block = i / (2 * half), at = i % (2 * half);
        const struct value *from = a[at < half ? 0 : 1];
        v->e[i] = saturate(m, from->e[block * half + at % half], width / 2, to_signed);
    }
    return v;
}

/* Byte i of each 16: 0 where bit 7 of the index is set, else the byte that bits 3..0 name. */
static const struct value *shuffle_bytes(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n);
    for (unsigned i = 0; i < v->n; i++) {
        const struct scalar *index = a[1]->e[i];
        const struct scalar *x = scalar_pick(m, &a[0]->e[i / 16 * 16], 16, scalar_slice(m, index, 0, 4));
        v->e[i] = scalar_select(m, as_bool(m, scalar_slice(m, index, 7, 1)), make_known(m, 8, 0), x);
        v->e[i] = with_poison(m, v->e[i], index->poison);
    }
    return v;
}

/* The sign of the mask's element chooses the second. */
static const struct value *blend(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n);
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] = with_poison(m, scalar_select(m, sign_of(m, a[2]->e[i]), a[1]->e[i], a[0]->e[i]), a[2]->e[i]->poison);
    return v;
}

/* Products of neighbouring signed half-words, added. */
static const struct value *multiply_add(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n / 2);
    const struct flags none = {0};
    for (unsigned i = 0; i < v->n; i++) {
        const struct scalar *product[2];
        for (unsigned k = 0; k < 2; k++)
            product[k] = arith_binary(m, LLVMMul, none, arith_cast(m, LLVMSExt, a[0]->e[2 * i + k], 32),
                                      arith_cast(m, LLVMSExt, a[1]->e[2 * i + k], 32));
        v->e[i] = arith_binary(m, LLVMAdd, none, product[0], product[1]);
    }
    return v;
}

/* Element i is the one of first, then second operand that the low bits of index i name. The index stands between. */
static const struct value *permute_two(struct maker *m, arguments a)
{
    const unsigned n = a[0]->n;
    const struct scalar *both[128];
    struct value *v = make_vector(m, n);
    unsigned bits = 0;
    while (1u << bits < 2 * n)
        bits++;
    memcpy(both, a[0]->e, n * sizeof *both);
    memcpy(both + n, a[2]->e, n * sizeof *both);
    for (unsigned i = 0; i < n; i++)
        v->e[i] = scalar_pick(m, both, 2 * n, scalar_slice(m, a[1]->e[i], 0, bits));
    return v;
}

static const struct value *permute_one(struct maker *m, arguments a)
{
    const unsigned n = a[0]->n;
    struct value *v = make_vector(m, n);
    unsigned bits = 0;
    while (1u << bits < n)
        bits++;
    for (unsigned i = 0; i < n; i++)
        v->e[i] = scalar_pick(m, a[0]->e, n, scalar_slice(m, a[1]->e[i], 0, bits));
    return v;
}

/* f(y, z), bit 2y + z of the table. */
static const struct scalar *truth(struct maker *m, unsigned table, const struct scalar *y, const struct scalar *z)
{
    const struct flags none = {0};
    const struct scalar *r = make_known(m, y->width, 0);
    switch (table) {
    case 0x0:
        return r;
    case 0xf:
        return arith_not(m, r);
    case 0xc:
        return y;
    case 0xa:
        return z;
    case 0x3:
        return arith_not(m, y);
    case 0x5:
        return arith_not(m, z);
    case 0x6:
        return arith_binary(m, LLVMXor, none, y, z);
    default:
        break;
    }
    for (unsigned i = 0; i < 4; i++) {
        const struct scalar *term_i;
        if (!(table >> i & 1u))
            continue;
        term_i = arith_binary(m, LLVMAnd, none, i & 2u ? y : arith_not(m, y), i & 1u ? z : arith_not(m, z));
        r = arith_binary(m, LLVMOr, none, r, term_i);
    }
    return r;
}

/* Bit 4x + 2y + z of the table. */
static const struct value *ternary_logic(struct machine *machine, arguments a)
{
    struct maker *m = &machine->m;
    const struct flags none = {0};
    struct value *v = make_vector(m, a[0]->n);
    uint64_t table;
    if (!is_known(a[3]->e[0], &table))
        fail(m, "a truth table that is not known");
    for (unsigned i = 0; i < v->n; i++) {
        const struct scalar *x = a[0]->e[i], *y = a[1]->e[i], *z = a[2]->e[i];
        const struct scalar *yes = truth(m, (unsigned)(table >> 4 & 15u), y, z),
                            *no = truth(m, (unsigned)(table & 15u), y, z);
        v->e[i] = scalar_same(yes, no) ? yes
                                       : arith_binary(m, LLVMOr, none, arith_binary(m, LLVMAnd, none, x, yes),
                                                      arith_binary(m, LLVMAnd, none, arith_not(m, x), no));
    }
    return v;
}

/* Elements of the first, within each 128 bits, by the low bits of the index. */
static const struct value *permute_quarters(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n);
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] = scalar_pick(m, &a[0]->e[i / 4 * 4], 4, scalar_slice(m, a[1]->e[i], 0, 2));
    return v;
}

/* Sums of neighbours: within each 128 bits those of the first, then those of the second. */
static const struct value *add_neighbours(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n);
    const unsigned half = 64 / a[0]->e[0]->width;
    for (unsigned i = 0; i < v->n; i++) {
        const unsigned block = i / (2 * half) * 2 * half, at = i - block;
        const struct value *from = a[at < half ? 0 : 1];
        const unsigned k = block + 2 * (at % half);
        v->e[i] = arith_binary(m, LLVMAdd, (struct flags){0}, from->e[k], from->e[k + 1]);
    }
    return v;
}

/* The sign bits, the first element's lowest, below zeros. */
static const struct value *sign_bits(struct maker *m, arguments a)
{
    term bits[32], poison = NULL;
    for (unsigned i = 0; i < 32; i++) {
        bits[i] = i < a[0]->n ? sign_of(m, a[0]->e[i]) : term_bool(m->s, false);
        poison = i < a[0]->n ? poison_or(m, poison, a[0]->e[i]->poison) : poison;
    }
    return make_value(m, with_poison(m, make_bits(m, 32, bits), poison));
}

/* Is x & y (`inverted`: ~x & y) nothing but zeros? */
static const struct scalar *no_bit_of(struct maker *m, arguments a, bool inverted)
{
    const struct scalar *none = make_known(m, 1, 1);
    for (unsigned i = 0; i < a[0]->n; i++) {
        const struct scalar *x = inverted ? arith_not(m, a[0]->e[i]) : a[0]->e[i];
        const struct scalar *both = arith_binary(m, LLVMAnd, (struct flags){0}, x, a[1]->e[i]);
        const struct scalar *zero = arith_compare(m, LLVMIntEQ, both, make_known(m, both->width, 0));
        none = arith_binary(m, LLVMAnd, (struct flags){0}, none, zero);
    }
    return none;
}

/* ptest: 'z' no bit of both, 'c' no bit of the second alone, 'n' neither of these. */
static const struct value *test_bits(struct maker *m, arguments a, char what)
{
    const struct scalar *r;
    if (what == 'n')
        r = arith_binary(m, LLVMAnd, (struct flags){0}, arith_not(m, no_bit_of(m, a, false)),
                         arith_not(m, no_bit_of(m, a, true)));
    else
        r = no_bit_of(m, a, what == 'c');
    return make_value(m, arith_cast(m, LLVMZExt, r, 32));
}

/* x shifted; distances of the width and more give 0, or (arithmetic) copies of the sign. */
static const struct scalar *shifted(struct maker *m, LLVMOpcode op, const struct scalar *x, const struct scalar *by)
{
    const struct flags none = {0};
    const unsigned bits = x->width == 16 ? 4 : x->width == 32 ? 5 : 6;
    const struct scalar *low = arith_cast(m, LLVMZExt, scalar_slice(m, by, 0, bits), x->width), *far;
    const struct scalar *near = arith_compare(m, LLVMIntULT, by, make_known(m, by->width, x->width));
    far = op == LLVMAShr ? arith_binary(m, op, none, x, make_known(m, x->width, x->width - 1))
                         : make_known(m, x->width, 0);
    return with_poison(m, scalar_select(m, as_bool(m, near), arith_binary(m, op, none, x, low), far), by->poison);
}

enum distance { EACH, ONE, LOW_HALF }; /* each element its own; one number for all; the low 64 bits of a vector */

static const struct value *shift(struct maker *m, arguments a, LLVMOpcode op, enum distance distance)
{
    struct value *v = make_vector(m, a[0]->n);
    const struct scalar *by = a[1]->e[0];
    for (unsigned i = 1; distance == LOW_HALF && i < 64 / a[1]->e[0]->width; i++)
        by = scalar_concat(m, a[1]->e[i], by);
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] = shifted(m, op, a[0]->e[i], distance == EACH ? a[1]->e[i] : by);
    return v;
}

/* --- memory ---------------------------------------------------------------------------------------------------- */

static const struct value *masked_load(struct machine *machine, arguments a)
{
    struct maker *m = &machine->m;
    const unsigned width = a[1]->e[0]->width;
    struct value *v = make_vector(m, a[1]->n);
    machine_oblige_defined(machine, a[1], "a masked load with a poison or uninitialized mask");
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] = machine_load_where(machine, sign_of(m, a[1]->e[i]), machine_nth(machine, a[0]->e[0], i, width), width,
                                     make_known(m, width, 0));
    return v;
}

static void masked_store(struct machine *machine, arguments a)
{
    struct maker *m = &machine->m;
    machine_oblige_defined(machine, a[1], "a masked store with a poison or uninitialized mask");
    for (unsigned i = 0; i < a[2]->n; i++) {
        const struct scalar *x = a[2]->e[i], *p = machine_nth(machine, a[0]->e[0], i, x->width);
        machine_store_where(machine, sign_of(m, a[1]->e[i]), p, x);
    }
}

/* gather: what the mask leaves out comes from the first; indices are signed, in units of bytes that are known. */
static const struct value *gather(struct machine *machine, arguments a)
{
    struct maker *m = &machine->m;
    struct value *v = make_vector(m, a[0]->n);
    uint64_t scale;
    if (!is_known(a[4]->e[0], &scale) || a[2]->n != a[0]->n)
        fail(m, "a gather of this kind is not translated");
    machine_oblige_defined(machine, a[3], "a gather with a poison or uninitialized mask");
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] = machine_load_where(machine, sign_of(m, a[3]->e[i]),
                                     machine_move(machine, a[1]->e[0], a[2]->e[i], scale, false), a[0]->e[i]->width,
                                     a[0]->e[i]);
    return v;
}

/* The bits that the mask names, close together (pext), or the low bits to the places that it names (pdep). */
static const struct value *gather_bits(struct maker *m, arguments a, bool extract)
{
    const struct scalar *x = a[0]->e[0];
    term *bits = arena_take(&m->arena, x->width * sizeof *bits), *r = arena_take(&m->arena, x->width * sizeof *r);
    uint64_t mask;
    unsigned n = 0;
    if (!is_known(a[1]->e[0], &mask))
        fail(m, "pext or pdep with a mask that is not known is not translated");
    as_bits(m, x, bits);
    for (unsigned i = 0; i < x->width; i++)
        r[i] = term_bool(m->s, false);
    for (unsigned i = 0; i < x->width; i++)
        if (mask >> i & 1u) {
            r[extract ? n : i] = bits[extract ? i : n];
            n++;
        }
    return make_value(m, with_poison(m, make_bits(m, x->width, r), poison_or(m, x->poison, a[1]->e[0]->poison)));
}

/* --- by name --------------------------------------------------------------------------------------------------- */

/* Shifts: psll, psrl, psra of elements w, d or q; by an immediate number (i), each its own (v), or a vector's low half.
 * False: it is something else. */
static bool shift_by_name(struct maker *m, const char *name, arguments a, const struct value **result)
{
    static const char *const families[] = {"sse2.ps", "avx2.ps", "avx512.ps"};
    const char *x = NULL;
    enum distance distance;
    LLVMOpcode op;
    for (size_t i = 0; x == NULL && i < sizeof families / sizeof *families; i++)
        if (strncmp(name, families[i], strlen(families[i])) == 0)
            x = name + strlen(families[i]);
    if (x == NULL || (strncmp(x, "ll", 2) != 0 && strncmp(x, "rl", 2) != 0 && strncmp(x, "ra", 2) != 0))
        return false;
    op = x[0] == 'l' ? LLVMShl : x[1] == 'l' ? LLVMLShr : LLVMAShr;
    x += 2;
    distance = x[0] == 'i' ? ONE : x[0] == 'v' ? EACH : LOW_HALF;
    x += distance == LOW_HALF ? 0 : 1;
    if (x[0] != '.' || x[1] == '\0' || strchr("wdq", x[1]) == NULL || (x[2] != '\0' && x[2] != '.'))
        return false;
    *result = shift(m, a, op, distance);
    return true;
}

enum simd {
    PACK_SIGNED,
    PACK_UNSIGNED,
    SHUFFLE_BYTES,
    BLEND,
    MULTIPLY_ADD,
    PERMUTE_ONE,
    PERMUTE_TWO,
    PERMUTE_QUARTERS,
    ADD_NEIGHBOURS,
    TERNARY,
    SIGN_BITS,
    TEST_ZERO,
    TEST_CARRY,
    TEST_NEITHER,
    MASKED_LOAD,
    MASKED_STORE,
    GATHER,
    EXTRACT_BITS,
    DEPOSIT_BITS,
};

/* A name that ends in a dot stands for all that begin like it. */
static const struct {
    const char *name;
    enum simd what;
} known_names[] = {
    {"sse2.packssdw.128", PACK_SIGNED},
    {"sse2.packsswb.128", PACK_SIGNED},
    {"avx2.packssdw", PACK_SIGNED},
    {"avx2.packsswb", PACK_SIGNED},
    {"sse41.packusdw", PACK_UNSIGNED},
    {"sse2.packuswb.128", PACK_UNSIGNED},
    {"avx2.packusdw", PACK_UNSIGNED},
    {"avx2.packuswb", PACK_UNSIGNED},
    {"ssse3.pshuf.b.128", SHUFFLE_BYTES},
    {"avx2.pshuf.b", SHUFFLE_BYTES},
    {"avx512.pshuf.b.512", SHUFFLE_BYTES},
    {"sse41.pblendvb", BLEND},
    {"avx2.pblendvb", BLEND},
    {"sse41.blendvps", BLEND},
    {"avx.blendv.ps.256", BLEND},
    {"sse2.pmadd.wd", MULTIPLY_ADD},
    {"avx2.pmadd.wd", MULTIPLY_ADD},
    {"avx512.pmaddw.d.512", MULTIPLY_ADD},
    {"avx512.vpermi2var.d.", PERMUTE_TWO},
    {"avx512.vpermi2var.hi.", PERMUTE_TWO},
    {"avx512.vpermi2var.qi.", PERMUTE_TWO},
    {"avx2.permd", PERMUTE_ONE},
    {"avx2.permps", PERMUTE_ONE},
    {"avx512.permvar.qi.", PERMUTE_ONE},
    {"avx512.permvar.si.", PERMUTE_ONE},
    {"avx512.permvar.hi.", PERMUTE_ONE},
    {"avx.vpermilvar.ps", PERMUTE_QUARTERS},
    {"avx.vpermilvar.ps.256", PERMUTE_QUARTERS},
    {"ssse3.phadd.d.128", ADD_NEIGHBOURS},
    {"avx2.phadd.d", ADD_NEIGHBOURS},
    {"avx512.pternlog.d.", TERNARY},
    {"avx512.pternlog.q.", TERNARY},
    {"sse.movmsk.ps", SIGN_BITS},
    {"avx.movmsk.ps.256", SIGN_BITS},
    {"sse2.pmovmskb.128", SIGN_BITS},
    {"avx2.pmovmskb", SIGN_BITS},
    {"sse41.ptestz", TEST_ZERO},
    {"avx.ptestz.256", TEST_ZERO},
    {"sse41.ptestc", TEST_CARRY},
    {"avx.ptestc.256", TEST_CARRY},
    {"sse41.ptestnzc", TEST_NEITHER},
    {"avx.ptestnzc.256", TEST_NEITHER},
    {"avx2.maskload.d", MASKED_LOAD},
    {"avx2.maskload.d.256", MASKED_LOAD},
    {"avx.maskload.ps", MASKED_LOAD},
    {"avx.maskload.ps.256", MASKED_LOAD},
    {"avx2.maskstore.d", MASKED_STORE},
    {"avx2.maskstore.d.256", MASKED_STORE},
    {"avx.maskstore.ps", MASKED_STORE},
    {"avx.maskstore.ps.256", MASKED_STORE},
    {"avx2.gather.d.d", GATHER},
    {"avx2.gather.d.d.256", GATHER},
    {"avx2.gather.d.ps", GATHER},
    {"avx2.gather.d.ps.256", GATHER},
    {"bmi.pext.", EXTRACT_BITS},
    {"bmi.pdep.", DEPOSIT_BITS},
};

static const struct value *apply(struct machine *machine, enum simd what, arguments a)
{
    struct maker *m = &machine->m;
    switch (what) {
    case PACK_SIGNED:
    case PACK_UNSIGNED:
        return pack(m, a, what == PACK_SIGNED);
    case SHUFFLE_BYTES:
        return shuffle_bytes(m, a);
    case BLEND:
        return blend(m, a);
    case MULTIPLY_ADD:
        return multiply_add(m, a);
    case PERMUTE_ONE:
        return permute_one(m, a);
    case PERMUTE_TWO:
        return permute_two(m, a);
    case PERMUTE_QUARTERS:
        return permute_quarters(m, a);
    case ADD_NEIGHBOURS:
        return add_neighbours(m, a);
    case TERNARY:
        return ternary_logic(machine, a);
    case SIGN_BITS:
        return sign_bits(m, a);
    case TEST_ZERO:
        return test_bits(m, a, 'z');
    case TEST_CARRY:
        return test_bits(m, a, 'c');
    case TEST_NEITHER:
        return test_bits(m, a, 'n');
    case MASKED_LOAD:
        return masked_load(machine, a);
    case MASKED_STORE:
        masked_store(machine, a);
        return NULL;
    case GATHER:
        return gather(machine, a);
    case EXTRACT_BITS:
    case DEPOSIT_BITS:
        return gather_bits(m, a, what == EXTRACT_BITS);
    }
    return NULL;
}

bool machine_x86(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                 unsigned result_width, const struct value **result)
{
    const char *x = name + strlen("llvm.x86.");
    (void)n, (void)result_width;
    for (size_t i = 0; i < sizeof known_names / sizeof *known_names; i++) {
        const char *known = known_names[i].name;
        const size_t length = strlen(known);
        if (known[length - 1] == '.' ? strncmp(x, known, length) == 0 : strcmp(x, known) == 0) {
            *result = apply(machine, known_names[i].what, a);
            return true;
        }
    }
    return shift_by_name(&machine->m, x, a, result);
}
