/* The x86 intrinsics that the SIMD variants use, by their documented meaning. */
#include "proofs/machine.h"

#include <string.h>

typedef const struct value *const *arguments;

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

/* The sign of the mask's byte chooses the second. */
static const struct value *blend_bytes(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n);
    for (unsigned i = 0; i < v->n; i++)
        v->e[i] =
            with_poison(m, scalar_select(m, as_bool(m, scalar_slice(m, a[2]->e[i], 7, 1)), a[1]->e[i], a[0]->e[i]),
                        a[2]->e[i]->poison);
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

/* Distances of the width and more give 0. */
static const struct value *shift_right(struct maker *m, arguments a)
{
    struct value *v = make_vector(m, a[0]->n);
    for (unsigned i = 0; i < v->n; i++) {
        const struct scalar *x = a[0]->e[i], *by = a[1]->e[i];
        const unsigned bits = x->width == 32 ? 5 : 6;
        const struct scalar *low = arith_cast(m, LLVMZExt, scalar_slice(m, by, 0, bits), by->width);
        const struct scalar *near = arith_compare(m, LLVMIntULT, by, make_known(m, by->width, x->width));
        v->e[i] = scalar_select(m, as_bool(m, near), arith_binary(m, LLVMLShr, (struct flags){0}, x, low),
                                make_known(m, x->width, 0));
        v->e[i] = with_poison(m, v->e[i], by->poison);
    }
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

bool machine_x86(struct machine *machine, const char *name, const struct value *const *a, unsigned n,
                 unsigned result_width, const struct value **result)
{
    static const char prefix[] = "llvm.x86.";
    struct maker *m = &machine->m;
    const char *x = name + sizeof prefix - 1;
    (void)n, (void)result_width;
    if (strcmp(x, "avx2.packssdw") == 0 || strcmp(x, "avx2.packsswb") == 0)
        *result = pack(m, a, true);
    else if (strcmp(x, "avx2.packusdw") == 0 || strcmp(x, "avx2.packuswb") == 0)
        *result = pack(m, a, false);
    else if (strcmp(x, "avx2.pshuf.b") == 0 || strcmp(x, "avx512.pshuf.b.512") == 0)
        *result = shuffle_bytes(m, a);
    else if (strcmp(x, "avx2.pblendvb") == 0)
        *result = blend_bytes(m, a);
    else if (strcmp(x, "avx2.pmadd.wd") == 0 || strcmp(x, "avx512.pmaddw.d.512") == 0)
        *result = multiply_add(m, a);
    else if (strncmp(x, "avx512.vpermi2var.d.", 20) == 0 || strncmp(x, "avx512.vpermi2var.hi.", 21) == 0 ||
             strncmp(x, "avx512.vpermi2var.qi.", 21) == 0)
        *result = permute_two(m, a);
    else if (strcmp(x, "avx2.permd") == 0 || strncmp(x, "avx512.permvar.qi.", 18) == 0 ||
             strncmp(x, "avx512.permvar.si.", 18) == 0 || strncmp(x, "avx512.permvar.hi.", 18) == 0)
        *result = permute_one(m, a);
    else if (strncmp(x, "avx512.pternlog.d.", 18) == 0 || strncmp(x, "avx512.pternlog.q.", 18) == 0)
        *result = ternary_logic(machine, a);
    else if (strcmp(x, "avx512.psrlv.d.512") == 0 || strcmp(x, "avx2.psrlv.d.256") == 0 ||
             strcmp(x, "avx2.psrlv.d") == 0)
        *result = shift_right(m, a);
    else if (strncmp(x, "bmi.pext.", 9) == 0 || strncmp(x, "bmi.pdep.", 9) == 0)
        *result = gather_bits(m, a, x[5] == 'e');
    else
        return false;
    return true;
}
