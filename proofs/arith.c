#include "proofs/number.h"

#include <stdio.h>
#include <string.h>

/* Lists of Bools, one beside another: lane masks. */
static const struct scalar *bitwise_bits(struct maker *m, LLVMOpcode op, const struct scalar *x, const struct scalar *y)
{
    const unsigned width = x->width;
    term *a = arena_take(&m->arena, width * sizeof *a), *b = arena_take(&m->arena, width * sizeof *b);
    as_bits(m, x, a);
    as_bits(m, y, b);
    for (unsigned i = 0; i < width; i++)
        a[i] = op == LLVMAnd  ? b_and(m->s, a[i], b[i])
               : op == LLVMOr ? b_or(m->s, a[i], b[i])
                              : b_xor(m->s, a[i], b[i]);
    return make_bits(m, width, a);
}

/* Runs of one Bool against data: each run is a choice between the data and what ones make of it. */
static const struct scalar *bitwise_runs(struct maker *m, LLVMOpcode op, const struct scalar *mask,
                                         const struct scalar *data)
{
    term t = as_term(m, data), result = NULL;
    for (unsigned low = 0, end; low < mask->width; low = end) {
        term part, ones, with_ones, with_zeros;
        for (end = low + 1; end < mask->width && mask->bits[end] == mask->bits[low] && end - low < 64;)
            end++;
        part = v_extract(m->s, end - 1, low, t);
        ones = v_number(m->s, ~(uint64_t)0, end - low);
        with_ones = op == LLVMAnd ? part : op == LLVMOr ? ones : v_bitwise(m->s, V_XOR, part, ones);
        with_zeros = op == LLVMAnd ? v_number(m->s, 0, end - low) : part;
        part = v_ite(m->s, mask->bits[low], with_ones, with_zeros);
        result = result == NULL ? part : v_concat(m->s, part, result);
    }
    return make_term(m, result);
}

static unsigned runs(const struct scalar *x)
{
    unsigned n = 1;
    for (unsigned i = 1; i < x->width; i++)
        n += x->bits[i] != x->bits[i - 1];
    return n;
}

static const struct scalar *bitwise(struct maker *m, LLVMOpcode op, const struct scalar *x, const struct scalar *y)
{
    const enum v_bitwise v = op == LLVMAnd ? V_AND : op == LLVMOr ? V_OR : V_XOR;
    bool x_bits, y_bits;
    x = with_bits(m, x);
    y = with_bits(m, y);
    x_bits = x->kind == BITS;
    y_bits = y->kind == BITS;
    if (x->width == 1 || ((x_bits || x->kind == KNOWN) && (y_bits || y->kind == KNOWN) && (x_bits || y_bits)))
        return bitwise_bits(m, op, x, y);
    if ((x_bits && runs(x) <= x->width / 8) || (y_bits && runs(y) <= y->width / 8))
        return x_bits ? bitwise_runs(m, op, x, y) : bitwise_runs(m, op, y, x);
    if (x_bits || y_bits || x->kind == CHOICE || y->kind == CHOICE)
        return bitwise_bits(m, op, x, y);
    return make_term(m, v_bitwise(m->s, v, as_term(m, x), as_term(m, y)));
}

static const struct scalar *shift_by(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned by)
{
    const unsigned width = x->width;
    if (by == 0)
        return x;
    if (op == LLVMShl)
        return scalar_concat(m, scalar_slice(m, x, 0, width - by), make_known(m, by, 0));
    if (op == LLVMLShr)
        return scalar_concat(m, make_known(m, by, 0), scalar_slice(m, x, by, width - by));
    return arith_cast(m, LLVMSExt, scalar_slice(m, x, by, width - by), width);
}

/* Shifts by an unknown distance: each bit of the distance chooses. Distances of the width and more are poison. */
static const struct scalar *shift_unknown(struct maker *m, LLVMOpcode op, const struct scalar *x,
                                          const struct scalar *by)
{
    term *bits = arena_take(&m->arena, by->width * sizeof *bits), too_far = term_bool(m->s, false);
    as_bits(m, by, bits);
    for (unsigned i = 0; i < by->width; i++) {
        if (i < 31 && 1u << i < x->width)
            x = scalar_select(m, bits[i], shift_by(m, op, x, 1u << i), x);
        else
            too_far = b_or(m->s, too_far, bits[i]);
    }
    if (x->width & (x->width - 1))
        fail(m, "a shift of %u bits by an unknown distance is not translated", x->width);
    return with_poison(m, x, too_far);
}

/* Does undoing the operation not lead from r back to x? */
static term shifted_out(struct maker *m, LLVMOpcode back, const struct scalar *x, const struct scalar *r,
                        const struct scalar *by)
{
    uint64_t n;
    const struct scalar *again = is_known(by, &n) ? shift_by(m, back, r, (unsigned)n) : shift_unknown(m, back, r, by);
    return b_not(m->s, as_bool(m, arith_compare(m, LLVMIntEQ, again, x)));
}

static const struct scalar *shift(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                  const struct scalar *y)
{
    uint64_t by, number;
    const struct scalar *r;
    if (!is_known(y, &by))
        r = shift_unknown(m, op, x, y);
    else if (by >= x->width)
        return with_poison(m, make_known(m, x->width, 0), term_bool(m->s, true));
    else if (is_known(x, &number))
        r = make_known(m, x->width,
                       op == LLVMShl    ? number << by
                       : op == LLVMLShr ? number >> by
                                        : (uint64_t)(as_signed(number, x->width) >> by));
    else
        r = shift_by(m, op, x, (unsigned)by);
    if (flags.nuw || flags.exact)
        r = with_poison(m, r, shifted_out(m, op == LLVMShl ? LLVMLShr : LLVMShl, x, r, y));
    if (flags.nsw)
        r = with_poison(m, r, shifted_out(m, LLVMAShr, x, r, y));
    return r;
}

/* Does the exact result of two numbers leave 0 .. 2^width - 1? */
static bool leaves_unsigned(LLVMOpcode op, unsigned width, uint64_t a, uint64_t b)
{
    const uint64_t most = mask_of_width(width);
    switch (op) {
    case LLVMAdd:
        return a > most - b;
    case LLVMSub:
        return a < b;
    default:
        return a != 0 && b > most / a;
    }
}

/* ... or the signed range? By magnitudes, so that nothing overflows here. */
static bool leaves_signed(LLVMOpcode op, unsigned width, uint64_t a, uint64_t b)
{
    const int64_t x = as_signed(a, width), y = as_signed(b, width);
    const uint64_t most = mask_of_width(width) >> 1;
    const uint64_t x_size = x < 0 ? 0 - (uint64_t)x : (uint64_t)x, y_size = y < 0 ? 0 - (uint64_t)y : (uint64_t)y;
    const bool y_negative = op == LLVMSub ? y > 0 : y < 0;
    if (op == LLVMMul)
        return leaves_unsigned(op, 64, x_size, y_size) || x_size * y_size > most + ((x < 0) != (y < 0) ? 1u : 0u);
    if ((x < 0) != y_negative)
        return op == LLVMSub && x >= 0 && y < 0 ? x_size + y_size > most : false;
    return x < 0 ? x_size > most + 1 - y_size : y_size > most - x_size;
}

static bool known_overflow(LLVMOpcode op, struct flags flags, unsigned width, uint64_t a, uint64_t b)
{
    return (flags.nuw && leaves_unsigned(op, width, a, b)) || (flags.nsw && leaves_signed(op, width, a, b));
}

static term product_fits(struct maker *m, bool is_signed, term x, term y)
{
    Z3_context z = m->s->z3;
    const unsigned width = term_width(m->s, x);
    term wide[2] = {x, y}, product, back;
    for (unsigned i = 0; i < 2; i++)
        wide[i] = smt_keep(m->s, is_signed ? Z3_mk_sign_ext(z, width, wide[i]) : Z3_mk_zero_ext(z, width, wide[i]));
    product = smt_keep(m->s, Z3_mk_bvmul(z, wide[0], wide[1]));
    back = smt_keep(m->s, Z3_mk_extract(z, width - 1, 0, product));
    back = smt_keep(m->s, is_signed ? Z3_mk_sign_ext(z, width, back) : Z3_mk_zero_ext(z, width, back));
    return smt_keep(m->s, Z3_mk_eq(z, product, back));
}

static term overflow(struct maker *m, LLVMOpcode op, bool is_signed, term x, term y)
{
    Z3_context z = m->s->z3;
    term fits;
    switch (op) {
    case LLVMAdd:
        fits = smt_keep(m->s, Z3_mk_bvadd_no_overflow(z, x, y, is_signed));
        if (is_signed)
            fits = b_and(m->s, fits, smt_keep(m->s, Z3_mk_bvadd_no_underflow(z, x, y)));
        break;
    case LLVMSub:
        fits = smt_keep(m->s, Z3_mk_bvsub_no_underflow(z, x, y, is_signed));
        if (is_signed)
            fits = b_and(m->s, fits, smt_keep(m->s, Z3_mk_bvsub_no_overflow(z, x, y)));
        break;
    default: /* in twice the width, as Z3 4.8.12 finds overflow of signed products where there is none */
        fits = product_fits(m, is_signed, x, y);
        break;
    }
    return b_not(m->s, smt_keep(m->s, Z3_simplify(z, fits)));
}

static const struct scalar *on_choice(struct maker *m, LLVMOpcode op, const struct scalar *x, uint64_t y, bool swapped)
{
    uint64_t *number = arena_take(&m->arena, x->count * sizeof *number);
    for (unsigned i = 0; i < x->count; i++) {
        const uint64_t a = swapped ? y : x->from[i], b = swapped ? x->from[i] : y;
        number[i] = op == LLVMAdd ? a + b : op == LLVMSub ? a - b : a * b;
    }
    return make_choice(m, x->width, x->count, x->bits, number);
}

/*
 * x - 1 or 0 - x, where the lowest set bit of x is known: the bits below it become ones and it is cleared, or it stays
 * and those above are inverted. NULL: it is not known. `nsw`: poison where only the sign bit is set.
 */
static const struct scalar *below_lowest(struct maker *m, struct flags flags, const struct scalar *x, bool negate)
{
    unsigned low = 0;
    term bits[64];
    if (x->kind != BITS || x->width > 64 || (negate && flags.nuw))
        return NULL;
    while (low < x->width && is_false(m->s, x->bits[low]))
        low++;
    if (low == x->width || !is_true(m->s, x->bits[low]) || (flags.nsw && low + 1 == x->width))
        return NULL;
    for (unsigned i = 0; i < x->width; i++)
        bits[i] =
            i > low ? (negate ? b_not(m->s, x->bits[i]) : x->bits[i]) : term_bool(m->s, negate ? i == low : i < low);
    return make_bits(m, x->width, bits);
}

/* Is x 0 or 1, by the Bool b? */
static bool is_one_bit(struct maker *m, const struct scalar *x, term *b)
{
    if (x->kind != BITS || x->width < 2 || x->width > 64)
        return false;
    for (unsigned i = 1; i < x->width; i++)
        if (!is_false(m->s, x->bits[i]))
            return false;
    *b = x->bits[0];
    return true;
}

static const struct scalar *repeated(struct maker *m, unsigned width, term b)
{
    term bits[64];
    for (unsigned i = 0; i < width; i++)
        bits[i] = b;
    return make_bits(m, width, bits);
}

/*
 * What makes a mask or a choice of a Bool: 0 - b, b - 1, and b times a number. Signed, none of them overflows. NULL: it
 * is something else.
 */
static const struct scalar *of_one_bit(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                       const struct scalar *y)
{
    uint64_t number;
    term b;
    if (op == LLVMMul && is_one_bit(m, y, &b))
        return scalar_select(m, b, x, make_known(m, x->width, 0));
    if (op == LLVMMul && is_one_bit(m, x, &b))
        return scalar_select(m, b, y, make_known(m, x->width, 0));
    if (flags.nuw)
        return NULL;
    if (op == LLVMSub && is_known(x, &number) && number == 0 && is_one_bit(m, y, &b))
        return repeated(m, x->width, b);
    if (is_one_bit(m, x, &b) && is_known(y, &number) &&
        number == (op == LLVMSub   ? 1
                   : op == LLVMAdd ? mask_of_width(x->width)
                                   : 0))
        return repeated(m, x->width, b_not(m->s, b));
    return NULL;
}

/* Adds a byte of known Bools and a number: the carries are Bools, too. */
static const struct scalar *byte_sum(struct maker *m, const struct scalar *x, uint64_t number)
{
    struct smt *s = m->s;
    term bits[8], carry = term_bool(s, false);
    for (unsigned i = 0; i < 8; i++) {
        const bool one = number >> i & 1u;
        term b = x->bits[i], half = one ? b_not(s, b) : b;
        bits[i] = b_xor(s, half, carry);
        carry = one ? b_or(s, b, carry) : b_and(s, b, carry);
    }
    return make_bits(m, 8, bits);
}

/* The sum of two numbers of true Bools is one, too, and never overflows. NULL: they are none, or too many. */
static const struct scalar *sum_of_counts(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    term bits[2 * COUNT_MOST];
    unsigned n = counted_bits(m, x, bits), more;
    if (n == COUNT_NONE)
        return NULL;
    more = counted_bits(m, y, bits + n);
    if (more == COUNT_NONE || n + more > COUNT_MOST)
        return NULL;
    return with_range(m,
                      with_count(m, make_term(m, smt_keep(m->s, Z3_mk_bvadd(m->s->z3, as_term(m, x), as_term(m, y)))),
                                 bits, n + more),
                      0, n + more);
}

/* The range of x + y or x - y, where it is known and below the width's: then nothing overflows. */
static bool range_of_sum(LLVMOpcode op, const struct scalar *x, const struct scalar *y, int64_t *low, int64_t *high)
{
    int64_t a, b, c, d, most;
    if (op == LLVMMul || x->width < 2 || x->width > 64 || !range_of(x, &a, &b) || !range_of(y, &c, &d))
        return false;
    most = (int64_t)(mask_of_width(x->width) >> 1);
    if (op == LLVMSub ? __builtin_sub_overflow(a, d, low) || __builtin_sub_overflow(b, c, high)
                      : __builtin_add_overflow(a, c, low) || __builtin_add_overflow(b, d, high))
        return false;
    return *low >= -most - 1 && *high <= most;
}

/* What overflows is poison; numbers of known ranges tell by these. */
static term sum_overflow(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                         const struct scalar *y)
{
    int64_t low, high, a, b;
    const bool fits = range_of_sum(op, x, y, &low, &high);
    term bad = NULL;
    if (flags.nsw && !fits)
        bad = overflow(m, op, true, as_term(m, x), as_term(m, y));
    /* where all three are not negative, they are the same unsigned */
    if (flags.nuw && !(fits && low >= 0 && range_of(x, &a, &b) && a >= 0 && range_of(y, &a, &b) && a >= 0))
        bad = poison_or(m, bad, overflow(m, op, false, as_term(m, x), as_term(m, y)));
    return bad;
}

static const struct scalar *sum(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                const struct scalar *y)
{
    uint64_t a, b;
    int64_t low, high;
    const bool x_known = is_known(x, &a), y_known = is_known(y, &b);
    const struct scalar *r;
    term tx, ty, t, bad;
    Z3_context z = m->s->z3;
    if (x_known && y_known) {
        r = make_known(m, x->width, op == LLVMAdd ? a + b : op == LLVMSub ? a - b : a * b);
        return known_overflow(op, flags, x->width, a, b) ? with_poison(m, r, term_bool(m->s, true)) : r;
    }
    if (y_known && ((op != LLVMMul && b == 0) || (op == LLVMMul && b == 1)))
        return x;
    if (x_known && ((op == LLVMAdd && a == 0) || (op == LLVMMul && a == 1)))
        return y;
    if (op == LLVMMul && ((x_known && a == 0) || (y_known && b == 0)))
        return make_known(m, x->width, 0);
    r = of_one_bit(m, op, flags, x, y);
    if (r != NULL)
        return r;
    if (((op == LLVMSub && y_known && b == 1) ||
         (op == LLVMAdd && y_known && b == mask_of_width(x->width) && !flags.nuw)) &&
        below_lowest(m, flags, x, false) != NULL)
        return below_lowest(m, flags, x, false);
    if (op == LLVMSub && x_known && a == 0 && below_lowest(m, flags, y, true) != NULL)
        return below_lowest(m, flags, y, true);
    if (op == LLVMAdd && x->width == 8 && !flags.nsw && !flags.nuw && x->kind == BITS && y_known)
        return byte_sum(m, x, b);
    if (op == LLVMAdd && sum_of_counts(m, x, y) != NULL)
        return sum_of_counts(m, x, y);
    x = y_known ? as_choice(m, x) : x;
    y = x_known ? as_choice(m, y) : y;
    tx = as_term(m, x);
    ty = as_term(m, y);
    bad = sum_overflow(m, op, flags, x, y);
    if (x->kind == CHOICE && y_known)
        return with_poison(m, on_choice(m, op, x, b, false), bad);
    if (y->kind == CHOICE && x_known)
        return with_poison(m, on_choice(m, op, y, a, true), bad);
    t = op == LLVMAdd ? Z3_mk_bvadd(z, tx, ty) : op == LLVMSub ? Z3_mk_bvsub(z, tx, ty) : Z3_mk_bvmul(z, tx, ty);
    r = make_term(m, smt_keep(m->s, t));
    if (range_of_sum(op, x, y, &low, &high))
        r = with_range(m, r, low, high);
    return with_poison(m, r, bad);
}

/* Divides by a power of 2 without a divider. NULL: the number is no power of 2. */
static const struct scalar *divide_by_power(struct maker *m, LLVMOpcode op, const struct scalar *x, uint64_t b)
{
    const struct flags none = {0};
    const bool is_signed = op == LLVMSDiv || op == LLVMSRem;
    const struct scalar *rounded = x, *quotient;
    unsigned by = 0;
    if (b == 0 || (b & (b - 1)) != 0 || (is_signed && b >> (x->width - 1) != 0))
        return NULL;
    while (b >> by != 1)
        by++;
    if (is_signed && by > 0) { /* to 0: one less than the divisor is added to what is negative */
        const struct scalar *sign = arith_binary(m, LLVMAShr, none, x, make_known(m, x->width, x->width - 1));
        rounded =
            arith_binary(m, LLVMAdd, none, x, arith_binary(m, LLVMAnd, none, sign, make_known(m, x->width, b - 1)));
    }
    quotient = arith_binary(m, is_signed ? LLVMAShr : LLVMLShr, none, rounded, make_known(m, x->width, by));
    if (op == LLVMUDiv || op == LLVMSDiv)
        return quotient;
    if (op == LLVMURem)
        return arith_binary(m, LLVMAnd, none, x, make_known(m, x->width, b - 1));
    return arith_binary(m, LLVMSub, none, x, arith_binary(m, LLVMShl, none, quotient, make_known(m, x->width, by)));
}

/* Divides by a number that is not 0, and not the least number by -1: the caller has made that an obligation. */
static const struct scalar *divide(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                   const struct scalar *y)
{
    Z3_context z = m->s->z3;
    const struct scalar *r = NULL;
    uint64_t b;
    term t, tx, ty;
    if (is_known(y, &b))
        r = divide_by_power(m, op, x, b);
    if (r == NULL) {
        tx = as_term(m, x);
        ty = as_term(m, y);
        t = op == LLVMUDiv   ? Z3_mk_bvudiv(z, tx, ty)
            : op == LLVMSDiv ? Z3_mk_bvsdiv(z, tx, ty)
            : op == LLVMURem ? Z3_mk_bvurem(z, tx, ty)
                             : Z3_mk_bvsrem(z, tx, ty);
        t = smt_keep(m->s, t);
        r = make_term(m, x->kind == KNOWN && y->kind == KNOWN ? smt_keep(m->s, Z3_simplify(z, t)) : t);
    }
    if (flags.exact) /* poison where something is left over */
        r = with_poison(
            m, r,
            b_not(m->s, as_bool(m, arith_compare(m, LLVMIntEQ, arith_binary(m, LLVMMul, (struct flags){0}, r, y), x))));
    return r;
}

/* The address of an object as a number: anywhere, but aligned. */
static const struct scalar *base_number(struct maker *m, unsigned object)
{
    const unsigned alignment = m->alignment_of == NULL ? 1 : m->alignment_of(m, object);
    const struct scalar *r;
    unsigned bits = 0;
    char name[32];
    snprintf(name, sizeof name, "address[%u]", object);
    r = make_term(m, term_constant(m->s, Z3_mk_bv_sort(m->s->z3, 64), name));
    while (1u << bits < alignment)
        bits++;
    return bits == 0 ? r : scalar_concat(m, scalar_slice(m, r, bits, 64 - bits), make_known(m, bits, 0));
}

/* The address as a number. */
static const struct scalar *address_number(struct maker *m, const struct scalar *p)
{
    const struct flags none = {0};
    const struct scalar *r;
    if (p->kind != POINTER)
        return p;
    r = make_known(m, 64, p->number);
    if (p->index != NULL)
        r = arith_binary(m, LLVMAdd, none, arith_binary(m, LLVMMul, none, p->index, make_known(m, 64, p->scale)), r);
    if (p->object != 0)
        r = arith_binary(m, LLVMAdd, none, base_number(m, p->object), r);
    return with_poison(m, r, p->poison);
}

/* The same, where of both numbers only the difference matters: that of two addresses in one object is known. */
static void address_numbers(struct maker *m, LLVMOpcode op, const struct scalar **x, const struct scalar **y)
{
    struct scalar *places[2];
    const bool same = op == LLVMSub && (*x)->kind == POINTER && (*y)->kind == POINTER && (*x)->object == (*y)->object;
    for (unsigned i = 0; same && i < 2; i++) {
        places[i] = arena_take(&m->arena, sizeof *places[i]);
        *places[i] = i == 0 ? **x : **y;
        places[i]->object = 0;
    }
    *x = address_number(m, same ? places[0] : *x);
    *y = address_number(m, same ? places[1] : *y);
}

/* x & -x: the lowest bit that is set, as a choice between them. NULL: it is something else. */
static const struct scalar *lowest_bit(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    term *when = arena_take(&m->arena, (x->width + 1) * sizeof *when);
    uint64_t *number = arena_take(&m->arena, (x->width + 1) * sizeof *number);
    if (x->kind != BITS || x->width > 64 || y->negative_of == NULL || !scalar_same(y->negative_of, x))
        return NULL;
    memcpy(when, x->bits, x->width * sizeof *when);
    for (unsigned i = 0; i < x->width; i++)
        number[i] = (uint64_t)1 << i;
    when[x->width] = term_bool(m->s, true);
    number[x->width] = 0;
    return make_choice(m, x->width, x->width + 1, when, number);
}

static const struct scalar *negative(struct maker *m, const struct scalar *x, const struct scalar *r)
{
    struct scalar *y = arena_take(&m->arena, sizeof *y);
    *y = *r;
    y->negative_of = x;
    return y;
}

static bool maps_choice(LLVMOpcode op)
{
    return op == LLVMAnd || op == LLVMOr || op == LLVMXor || op == LLVMShl || op == LLVMLShr || op == LLVMAShr;
}

/* Applies the operation with a number to each alternative of a choice. */
static const struct scalar *map_choice(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                       const struct scalar *y)
{
    const struct scalar *choice = x->kind == CHOICE ? x : y;
    uint64_t *number = arena_take(&m->arena, choice->count * sizeof *number);
    for (unsigned i = 0; i < choice->count; i++) {
        const struct scalar *one = make_known(m, choice->width, choice->from[i]), *r;
        r = arith_binary(m, op, flags, choice == x ? one : x, choice == x ? y : one);
        if (r->kind != KNOWN || r->poison != NULL)
            return NULL;
        number[i] = r->number;
    }
    return make_choice(m, choice->width, choice->count, choice->bits, number);
}

static const struct scalar *on_choices(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                       const struct scalar *y)
{
    const struct scalar *r = NULL;
    if (op == LLVMAnd)
        r = lowest_bit(m, x, y) != NULL ? lowest_bit(m, x, y) : lowest_bit(m, y, x);
    if (r == NULL && maps_choice(op) && x->width > 1 && x->width <= 64 &&
        ((x->kind == CHOICE && y->kind == KNOWN) || (x->kind == KNOWN && y->kind == CHOICE)))
        r = map_choice(m, op, flags, x, y);
    return r;
}

/* Where is bit i of x defined, and what decides the operation: a 0 of `and`, a 1 of `or`? NULL: nowhere. */
static term decides(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned i)
{
    term bit, decided;
    if (op == LLVMXor || (x->kind != BITS && (x->kind != KNOWN || i >= 64)))
        return NULL;
    bit = x->kind == BITS ? x->bits[i] : term_bool(m->s, (x->number >> i & 1u) != 0);
    decided = op == LLVMOr ? bit : b_not(m->s, bit);
    return x->unset == NULL || x->unset[i] == NULL ? decided : b_and(m->s, decided, b_not(m->s, x->unset[i]));
}

/* The bits of x that are undefined in x op y, too. */
static const term *not_decided(struct maker *m, LLVMOpcode op, const struct scalar *x, const struct scalar *y)
{
    term *unset = no_unset(m, x->width);
    for (unsigned i = 0; x->unset != NULL && i < x->width; i++) {
        term decided = x->unset[i] == NULL ? NULL : decides(m, op, y, i);
        if (decided == NULL)
            unset[i] = x->unset[i];
        else if (decided != x->unset[i] && !is_true(m->s, decided)) /* otherwise none is left */
            unset[i] = b_and(m->s, x->unset[i], b_not(m->s, decided));
    }
    return unset;
}

/* The bits of x that are undefined, as a number that has ones there. */
static const struct scalar *number_of_unset(struct maker *m, const struct scalar *x)
{
    term *ones = arena_take(&m->arena, x->width * sizeof *ones);
    for (unsigned i = 0; i < x->width; i++)
        ones[i] = x->unset[i] == NULL ? term_bool(m->s, false) : x->unset[i];
    return make_bits(m, x->width, ones);
}

/* The bits of x that are undefined, after a shift by a number. *poison: where the flags promise something of such a
 * bit. */
static const term *shifted_by(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x, unsigned by,
                              term *poison)
{
    term *moved = no_unset(m, x->width);
    if (op == LLVMShl)
        memcpy(moved + by, x->unset, (x->width - by) * sizeof *moved);
    else
        memcpy(moved, x->unset + by, (x->width - by) * sizeof *moved);
    for (unsigned i = 0; op == LLVMAShr && i < by; i++)
        moved[x->width - 1 - i] = x->unset[x->width - 1];
    if (flags.nuw || flags.nsw) /* of what goes out at the top; the sign that is left is like it */
        *poison = unset_among(m, x, x->width - by - flags.nsw, by + flags.nsw);
    if (flags.exact)
        *poison = unset_among(m, x, 0, by);
    return moved;
}

/* ... by an unknown distance: which bits are undefined is a number that is shifted like x. */
static const term *shifted_anywhere(struct maker *m, LLVMOpcode op, const struct scalar *x, const struct scalar *by)
{
    term *moved = no_unset(m, x->width);
    as_bits(m, without_poison(m, shift_unknown(m, op, number_of_unset(m, x), without_poison(m, by))), moved);
    for (unsigned i = 0; i < x->width; i++)
        moved[i] = is_false(m->s, moved[i]) ? NULL : moved[i];
    return moved;
}

/* After any shift. NULL: all is poison where a bit of x or y is undefined. */
static const term *shifted_unset(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                 const struct scalar *y, term *poison)
{
    uint64_t by;
    if (y->unset != NULL)
        return NULL;
    if (is_known(y, &by))
        return by < x->width ? shifted_by(m, op, flags, x, (unsigned)by, poison) : NULL;
    return flags.nuw || flags.nsw || flags.exact ? NULL : shifted_anywhere(m, op, x, y);
}

/* The zeros at the low end of a known number; of others none are known. */
static unsigned low_zeros(const struct scalar *x)
{
    uint64_t number;
    if (x->unset != NULL || !is_known(x, &number))
        return 0;
    return number == 0 ? x->width : (unsigned)__builtin_ctzll(number);
}

/* The bits of a sum, difference or product that are undefined because one of x is: carries go upwards, and begin above
 * the `zeros` at the low end of what is added or subtracted; a product moves x by them. */
static const term *carried_unset(struct maker *m, LLVMOpcode op, const struct scalar *x, unsigned zeros)
{
    term *unset = no_unset(m, x->width), below = NULL;
    if (x->unset == NULL)
        return unset;
    if (op != LLVMMul)
        memcpy(unset, x->unset, zeros * sizeof *unset);
    for (unsigned i = zeros; i < x->width; i++)
        unset[i] = below = poison_or(m, below, x->unset[op == LLVMMul ? i - zeros : i]);
    return unset;
}

/* ... because one of x or y is. NULL: all is poison then, which the flags promise. */
static const term *sum_unset(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                             const struct scalar *y)
{
    if (flags.nuw || flags.nsw)
        return NULL;
    return both_unset(m, NULL, carried_unset(m, op, x, low_zeros(y)),
                      carried_unset(m, op, y, op == LLVMSub ? 0 : low_zeros(x)), x->width);
}

/* Where is each bit of x op y undefined because one of x or y is? *poison: where all of it is. NULL: it is not that
 * simple. */
static const term *keeps_unset(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                               const struct scalar *y, term *poison)
{
    switch (op) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return both_unset(m, NULL, not_decided(m, op, x, y), not_decided(m, op, y, x), x->width);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
        return sum_unset(m, op, flags, x, y);
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return shifted_unset(m, op, flags, x, y, poison);
    default:
        return NULL;
    }
}

static const struct scalar *binary(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                   const struct scalar *y);

/* Bits that are undefined may be ones. */
static const struct scalar *at_most(struct maker *m, const struct scalar *x)
{
    const struct scalar *y = without_poison(m, x);
    return x->unset == NULL ? y : bitwise(m, LLVMOr, y, number_of_unset(m, x));
}

/* `disjoint`: poison where both have a one. */
static term overlap(struct maker *m, const struct scalar *x, const struct scalar *y)
{
    const struct scalar *both = bitwise(m, LLVMAnd, at_most(m, x), at_most(m, y));
    return as_bool(m, arith_compare(m, LLVMIntNE, both, make_known(m, x->width, 0)));
}

const struct scalar *arith_binary(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                  const struct scalar *y)
{
    term poison = poison_or(m, x->poison, y->poison), broken = NULL;
    const term *unset;
    if (flags.disjoint && is_data(x) && is_data(y)) {
        const struct flags none = {0};
        return with_poison(m, arith_binary(m, op, none, x, y), overlap(m, x, y));
    }
    unset = x->unset == NULL && y->unset == NULL ? NULL : keeps_unset(m, op, flags, x, y, &broken);
    if (unset == NULL)
        return with_poison(m, binary(m, op, flags, x, y), poison);
    poison = poison_or(m, broken, poison_or(m, whole_poison(x), whole_poison(y)));
    return with_unset(m, with_poison(m, binary(m, op, flags, without_poison(m, x), without_poison(m, y)), poison),
                      unset);
}

/* The same without the poison of the operands. */
static const struct scalar *binary(struct maker *m, LLVMOpcode op, struct flags flags, const struct scalar *x,
                                   const struct scalar *y)
{
    const struct scalar *r;
    uint64_t zero;
    if (op == LLVMAnd || op == LLVMAdd || (op == LLVMSub && !flags.nuw && !flags.nsw))
        address_numbers(m, op, &x, &y);
    if (!is_data(x) || !is_data(y))
        fail(m, "%s", NUMBER_OF_POINTER);
    r = on_choices(m, op, flags, x, y);
    if (r != NULL)
        return r;
    switch (op) {
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        r = bitwise(m, op, x, y);
        break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
        r = sum(m, op, flags, x, y);
        if (op == LLVMSub && (y->kind == BITS || y->count_of != NULL) && is_known(x, &zero) && zero == 0)
            r = negative(m, y, r);
        break;
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        r = shift(m, op, flags, x, y);
        break;
    case LLVMUDiv:
    case LLVMURem:
    case LLVMSDiv:
    case LLVMSRem:
        r = divide(m, op, flags, x, y);
        break;
    default:
        fail(m, "binary operation number %d is not translated", (int)op);
    }
    return r;
}

const struct scalar *arith_not(struct maker *m, const struct scalar *x)
{
    if (x->width > 64) {
        term t = as_term(m, x);
        return with_poison(m, make_term(m, smt_keep(m->s, Z3_mk_bvnot(m->s->z3, t))), x->poison);
    }
    return arith_binary(m, LLVMXor, (struct flags){0}, x, make_known(m, x->width, ~(uint64_t)0));
}
