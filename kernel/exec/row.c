#include "kernel/exec/row.h"

#include "kernel/exec/real.h"

#include <stdlib.h>

__extension__ typedef __int128 wide_int;
__extension__ typedef unsigned __int128 wide_word;

static int64_t extend(uint64_t x, uint64_t step)
{
    return (int64_t)(x << step) >> step;
}

/* Defines row_NAME: `expr` from the lane's sources A, B, C, E and the type t. */
#define A  s[0][l]
#define B  s[1][l]
#define C  s[2][l]
#define E  s[3][l]
#define SA extend(A, t->step)
#define SB extend(B, t->step)
#define SC extend(C, t->step)
#define ROW(name, expr)                                                                                                \
    static void row_##name(uint64_t *d, const uint64_t *const s[ROW_SOURCES], const struct row_type *t, lanemask mask) \
    {                                                                                                                  \
        (void)t;                                                                                                       \
        if (mask == UINT32_MAX) {                                                                                      \
            for (unsigned l = 0; l < WARP_LANES; l++)                                                                  \
                d[l] = (expr);                                                                                         \
            return;                                                                                                    \
        }                                                                                                              \
        for (; mask != 0; mask &= mask - 1) {                                                                          \
            unsigned l = (unsigned)__builtin_ctz(mask);                                                                \
            d[l] = (expr);                                                                                             \
        }                                                                                                              \
    }

/* ---- integers ---- */

static uint64_t mul_high(uint64_t a, uint64_t b, const struct row_type *t)
{
    if (t->is_signed)
        return (uint64_t)((wide_int)extend(a, t->step) * extend(b, t->step) >> t->bits);
    return (uint64_t)((wide_word)a * b >> t->bits);
}

static uint64_t mul_wide(uint64_t a, uint64_t b, const struct row_type *t)
{
    return t->is_signed ? (uint64_t)extend(a, t->step) * (uint64_t)extend(b, t->step) : a * b;
}

/* The lower or upper 32 of the 48 bits of a product of two 24-bit numbers. */
static uint64_t mul24(uint64_t a, uint64_t b, const struct row_type *t)
{
    uint64_t product = t->is_signed ? (uint64_t)(extend(a, 40) * extend(b, 40)) : (a & 0xffffff) * (b & 0xffffff);
    return t->i->part == PART_HI ? product >> 16 : product;
}

/* The manual leaves division by zero unspecified; every GPU so far gives all ones. */
static uint64_t divide(uint64_t a, uint64_t b, const struct row_type *t)
{
    if (b == 0)
        return UINT64_MAX;
    if (!t->is_signed)
        return a / b;
    int64_t x = extend(a, t->step), y = extend(b, t->step);
    return y == -1 ? 0 - (uint64_t)x : (uint64_t)(x / y);
}

static uint64_t remainder_of(uint64_t a, uint64_t b, const struct row_type *t)
{
    if (b == 0)
        return a;
    if (!t->is_signed)
        return a % b;
    int64_t x = extend(a, t->step), y = extend(b, t->step);
    return y == -1 ? 0 : (uint64_t)(x % y);
}

static bool less(uint64_t a, uint64_t b, const struct row_type *t)
{
    return t->is_signed ? extend(a, t->step) < extend(b, t->step) : a < b;
}

static uint64_t shift_left(uint64_t a, uint64_t by, const struct row_type *t)
{
    return by >= t->bits ? 0 : a << by;
}

static uint64_t shift_right(uint64_t a, uint64_t by, const struct row_type *t)
{
    uint64_t amount = by < t->bits ? by : t->bits;
    if (t->is_signed)
        return (uint64_t)(extend(a, t->step) >> (amount < 63 ? amount : 63));
    return amount == 64 ? 0 : a >> amount;
}

/* shf: the words {b, a}, a the lower, moved by c. */
static uint64_t funnel(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    uint64_t amount = t->i->wrap ? c & 31 : c < 32 ? c : 32;
    uint64_t both = b << 32 | a;
    return t->i->left ? both << amount >> 32 : both >> amount;
}

static uint64_t reverse(uint64_t x, unsigned bits)
{
    uint64_t y = 0;
    for (unsigned n = 0; n < bits; n++)
        y |= (x >> n & 1) << (bits - 1 - n);
    return y;
}

static uint64_t leading_zeros(uint64_t x, unsigned bits)
{
    return x == 0 ? bits : (uint64_t)__builtin_clzll(x) - (64 - bits);
}

/* The place of the most significant bit that is no sign bit; all ones when there is none. */
static uint64_t find_bit(uint64_t a, const struct row_type *t)
{
    uint64_t x = t->is_signed && extend(a, t->step) < 0 ? ~a & (UINT64_MAX >> t->step) : a;
    if (x == 0)
        return UINT32_MAX;
    uint64_t zeros = leading_zeros(x, t->bits);
    return t->i->shiftamt ? zeros : t->bits - 1 - zeros;
}

/* bfe: the sign comes from the last bit of the field, or of the word where the field leaves it. */
static uint64_t extract(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    uint64_t from = b & 0xff, size = c & 0xff;
    if (size == 0)
        return 0;
    uint64_t last = from + size - 1 < t->bits - 1 ? from + size - 1 : t->bits - 1;
    uint64_t sign = t->is_signed ? a >> last & 1 : 0;
    uint64_t field = from >= t->bits ? 0 : a >> from;
    uint64_t valid = from >= t->bits ? 0 : last - from + 1; /* bits that are in the word */
    uint64_t ones = valid >= 64 ? UINT64_MAX : (UINT64_C(1) << valid) - 1;
    return (field & ones) | (sign ? ~ones : 0);
}

/* bfi: a into b, from bit c on, so many bits as e says. */
static uint64_t insert(uint64_t a, uint64_t b, uint64_t c, uint64_t e, const struct row_type *t)
{
    uint64_t from = c & 0xff, size = e & 0xff;
    if (size == 0 || from >= t->bits)
        return b;
    uint64_t ones = (size >= 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1) << from;
    return (b & ~ones) | (a << from & ones);
}

static uint64_t bit_mask(uint64_t a, uint64_t b, const struct row_type *t)
{
    uint64_t from = t->i->wrap ? a & 31 : a, size = t->i->wrap ? b & 31 : b;
    if (from >= 32 || size == 0)
        return 0;
    return (size >= 32 ? UINT32_MAX : (UINT64_C(1) << size) - 1) << from;
}

static uint64_t extend_from(uint64_t a, uint64_t b, const struct row_type *t)
{
    uint64_t size = t->i->wrap ? b & 31 : b;
    if (size >= 32)
        return a;
    if (size == 0)
        return 0;
    return t->is_signed ? (uint64_t)extend(a, 64 - size) : a & ((UINT64_C(1) << size) - 1);
}

/* The places in {b, a} from which prmt's modes take the four bytes, for each value of the lowest two bits of c. */
static uint64_t select_of(enum ptx_prmt_mode mode, uint64_t c)
{
    static const uint16_t places[][4] = {
        [PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
        [PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return mode == PRMT_NONE ? c : places[mode][c & 3];
}

static uint64_t permute(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    uint64_t bytes = b << 32 | a, select = select_of(t->i->prmt_mode, c), d = 0;
    for (unsigned n = 0; n < 4; n++) {
        uint64_t place = select >> (4 * n) & 15, byte = bytes >> (8 * (place & 7)) & 0xff;
        if (place & 8)
            byte = byte & 0x80 ? 0xff : 0;
        d |= byte << (8 * n);
    }
    return d;
}

/* lop3: bit (a, b, c) of the table. */
static uint64_t logic3(uint64_t a, uint64_t b, uint64_t c, uint64_t table)
{
    uint64_t d = 0;
    d |= table & 0x01 ? ~a & ~b & ~c : 0;
    d |= table & 0x02 ? ~a & ~b & c : 0;
    d |= table & 0x04 ? ~a & b & ~c : 0;
    d |= table & 0x08 ? ~a & b & c : 0;
    d |= table & 0x10 ? a & ~b & ~c : 0;
    d |= table & 0x20 ? a & ~b & c : 0;
    d |= table & 0x40 ? a & b & ~c : 0;
    d |= table & 0x80 ? a & b & c : 0;
    return d;
}

/* fns: the c-th set bit of a, counted from bit b upwards, or downwards when c is negative. */
static uint64_t find_nth(uint64_t a, uint64_t b, uint64_t c)
{
    int32_t n = (int32_t)(uint32_t)c;
    int64_t at = (int64_t)(b & 31), step = n < 0 ? -1 : 1;
    uint32_t left = n < 0 ? 0u - (uint32_t)n : (uint32_t)n;
    if (n == 0)
        return a >> at & 1 ? (uint64_t)at : UINT32_MAX;
    for (; at >= 0 && at < 32; at += step)
        if (a >> at & 1 && --left == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}

static int64_t part_of(uint64_t x, unsigned from, unsigned bits, bool is_signed)
{
    uint64_t field = x >> from & ((UINT64_C(1) << bits) - 1);
    return is_signed ? extend(field, 64 - bits) : (int64_t)field;
}

static uint64_t dot4(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    bool sa = ptx_type_is_signed(t->i->type), sb = ptx_type_is_signed(t->i->type2);
    uint64_t sum = c;
    for (unsigned n = 0; n < 4; n++)
        sum += (uint64_t)(part_of(a, 8 * n, 8, sa) * part_of(b, 8 * n, 8, sb));
    return sum;
}

static uint64_t dot2(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    bool sa = ptx_type_is_signed(t->i->type), sb = ptx_type_is_signed(t->i->type2);
    unsigned from = t->i->part == PART_HI ? 16 : 0;
    uint64_t sum = c;
    for (unsigned n = 0; n < 2; n++)
        sum += (uint64_t)(part_of(a, 16 * n, 16, sa) * part_of(b, from + 8 * n, 8, sb));
    return sum;
}

static uint64_t add_carry(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    return (uint64_t)(((wide_word)a + b + c) >> t->bits) & 1;
}

static uint64_t sub_borrow(uint64_t a, uint64_t b, uint64_t c)
{
    return (wide_word)b + c > a;
}

/* The carry of a * b (its lower or upper half) + c + carry. */
static uint64_t mad_carry(uint64_t a, uint64_t b, uint64_t c, uint64_t e, const struct row_type *t)
{
    uint64_t product = t->i->part == PART_HI ? mul_high(a, b, t) : a * b;
    return add_carry(product & t->mask, c, e, t);
}

ROW(mov, A & t->mask)
ROW(add, (A + B) & t->mask)
ROW(addc, (A + B + C) & t->mask)
ROW(sub, (A - B) & t->mask)
ROW(subc, (A - B - C) & t->mask)
ROW(mul_lo, A *B & t->mask)
ROW(mul_hi, mul_high(A, B, t) & t->mask)
ROW(mul_wide, mul_wide(A, B, t) & t->mask)
ROW(mul24, mul24(A, B, t) & t->mask)
ROW(mad_lo, (A * B + C) & t->mask)
ROW(mad_hi, (mul_high(A, B, t) + C) & t->mask)
ROW(mad_wide, (mul_wide(A, B, t) + C) & t->mask)
ROW(mad24, (mul24(A, B, t) + C) & t->mask)
ROW(madc_lo, (A * B + C + E) & t->mask)
ROW(madc_hi, (mul_high(A, B, t) + C + E) & t->mask)
ROW(sad, (C + (less(A, B, t) ? B - A : A - B)) & t->mask)
ROW(div, divide(A, B, t) & t->mask)
ROW(rem, remainder_of(A, B, t) & t->mask)
ROW(min_u, A < B ? A : B)
ROW(max_u, A < B ? B : A)
ROW(min_s, SA < SB ? A : B)
ROW(max_s, SA < SB ? B : A)
ROW(neg, (0 - A) & t->mask)
ROW(abs, (SA < 0 ? 0 - A : A) & t->mask)
ROW(and, A &B)
ROW(or, A | B)
ROW(xor, A ^ B)
ROW(not, ~A & t->mask)
ROW(cnot, A == 0)
ROW(shl, shift_left(A, B, t) & t->mask)
ROW(shr, shift_right(A, B, t) & t->mask)
ROW(shf, funnel(A, B, C, t) & t->mask)
ROW(popc, (uint64_t)__builtin_popcountll(A))
ROW(clz, leading_zeros(A, t->bits))
ROW(brev, reverse(A, t->bits))
ROW(bfind, find_bit(A, t))
ROW(bfe, extract(A, B, C, t) & t->mask)
ROW(bfi, insert(A, B, C, E, t) & t->mask)
ROW(bmsk, bit_mask(A, B, t) & t->mask)
ROW(szext, extend_from(A, B, t) & t->mask)
ROW(fns, find_nth(A, B, C))
ROW(prmt, permute(A, B, C, t))
ROW(lop3, logic3(A, B, C, E) & t->mask)
ROW(selp, (C & 1 ? A : B) & t->mask)
ROW(slct, (extend(C, 32) >= 0 ? A : B) & t->mask)
ROW(slct_f, (real_is_not_negative(C, t->i->ftz) ? A : B) & t->mask)
ROW(dp4a, dot4(A, B, C, t) & t->mask)
ROW(dp2a, dot2(A, B, C, t) & t->mask)
ROW(add_carry, add_carry(A, B, 0, t))
ROW(addc_carry, add_carry(A, B, C, t))
ROW(sub_borrow, sub_borrow(A, B, 0))
ROW(subc_borrow, sub_borrow(A, B, C))
ROW(mad_carry, mad_carry(A, B, C, 0, t))
ROW(madc_carry, mad_carry(A, B, C, E, t))

/* mov d, {a, b, ...}: the lowest first. */
static void row_pack(uint64_t *d, const uint64_t *const s[ROW_SOURCES], const struct row_type *t, lanemask mask)
{
    unsigned count = t->i->srcs_count, bits = ptx_type_bits(t->i->type) / count;
    for (; mask != 0; mask &= mask - 1) {
        unsigned l = (unsigned)__builtin_ctz(mask);
        uint64_t value = 0;
        for (unsigned n = 0; n < count; n++)
            value |= s[n][l] << (bits * n);
        d[l] = value;
    }
}

/* ---- comparisons ---- */

static bool compare_order(enum ptx_compare compare, bool is_less, bool equal)
{
    switch (compare) {
    case COMPARE_EQ:
    case COMPARE_EQU:
        return equal;
    case COMPARE_NE:
    case COMPARE_NEU:
        return !equal;
    case COMPARE_LT:
    case COMPARE_LTU:
        return is_less;
    case COMPARE_LE:
    case COMPARE_LEU:
        return is_less || equal;
    case COMPARE_GT:
    case COMPARE_GTU:
        return !is_less && !equal;
    case COMPARE_GE:
    case COMPARE_GEU:
        return !is_less;
    case COMPARE_NUM:
    case COMPARE_NAN:
    case COMPARE_NONE:
        break;
    }
    return false;
}

static bool compare_reals(enum ptx_compare compare, double x, double y)
{
    bool unordered = x != x || y != y;
    if (compare == COMPARE_NUM || compare == COMPARE_NAN)
        return unordered == (compare == COMPARE_NAN);
    if (unordered)
        return compare >= COMPARE_EQU && compare <= COMPARE_GEU;
    return compare_order(compare, x < y, x == y);
}

static bool compare_values(uint64_t a, uint64_t b, const struct row_type *t)
{
    if (ptx_type_is_float(t->type))
        return compare_reals(t->i->compare, real_read(a, t->type, t->i->ftz), real_read(b, t->type, t->i->ftz));
    return compare_order(t->i->compare, less(a, b, t), a == b);
}

static bool meets(bool x, uint64_t c, const struct row_type *t)
{
    bool y = c & 1;
    return t->i->bool_op == ATOMIC_AND ? x && y : t->i->bool_op == ATOMIC_OR ? x || y : x != y;
}

/* set: true is all ones, or 1.0. */
static uint64_t set_value(bool x, const struct row_type *t)
{
    if (!x)
        return 0;
    return ptx_type_is_float(t->to) ? real_write(1.0, t->to, ROUND_NONE) : UINT64_MAX;
}

ROW(eq, A == B)
ROW(ne, A != B)
ROW(lt_u, A < B)
ROW(le_u, A <= B)
ROW(gt_u, A > B)
ROW(ge_u, A >= B)
ROW(lt_s, SA < SB)
ROW(le_s, SA <= SB)
ROW(gt_s, SA > SB)
ROW(ge_s, SA >= SB)
ROW(setp, compare_values(A, B, t))
ROW(setp_not, !compare_values(A, B, t))
ROW(setp_bool, meets(compare_values(A, B, t), C, t))
ROW(setp_bool_not, meets(!compare_values(A, B, t), C, t))
ROW(set, set_value(compare_values(A, B, t), t) & t->mask)
ROW(set_bool, set_value(meets(compare_values(A, B, t), C, t), t) & t->mask)

/* Pairs: each half by itself. setp gives the low one's answer in d and the high one's in q. */
static bool compare_half(uint64_t a, uint64_t b, uint64_t c, unsigned half, const struct row_type *t)
{
    bool x = compare_values(a >> 16 * half & 0xffff, b >> 16 * half & 0xffff, t);
    return t->i->bool_op == ATOMIC_NONE ? x : meets(x, c, t);
}

static uint64_t set_pair(uint64_t a, uint64_t b, uint64_t c, const struct row_type *t)
{
    uint64_t low = set_value(compare_half(a, b, c, 0, t), t), high = set_value(compare_half(a, b, c, 1, t), t);
    return (low & 0xffff) | (high & 0xffff) << 16;
}

static bool less_half(uint64_t a, uint64_t b, const struct row_type *t)
{
    return t->is_signed ? (int16_t)a < (int16_t)b : (uint16_t)a < (uint16_t)b;
}

static uint64_t integer_half(uint64_t a, uint64_t b, const struct row_type *t)
{
    if (t->i->op == OP_ADD)
        return (a + b) & 0xffff;
    uint64_t x = (less_half(a, b, t) == (t->i->op == OP_MIN) ? a : b) & 0xffff;
    return t->i->relu && (int16_t)x < 0 ? 0 : x;
}

ROW(setp_low, compare_half(A, B, C, 0, t))
ROW(setp_high, compare_half(A, B, C, 1, t))
ROW(set_pair, set_pair(A, B, C, t))
ROW(integer_pair, integer_half(A, B, t) | integer_half(A >> 16, B >> 16, t) << 16)

/* ---- floating point ---- */

/* Whole rows of the usual kind: f32 and f64, to nearest, without modifiers. The rest goes lane by lane. */
ROW(add_f32, real_f32_bits(real_f32(A) + real_f32(B)))
ROW(sub_f32, real_f32_bits(real_f32(A) - real_f32(B)))
ROW(mul_f32, real_f32_bits(real_f32(A) * real_f32(B)))
ROW(fma_f32, real_f32_bits(real_fmaf(real_f32(A), real_f32(B), real_f32(C))))
ROW(add_f64, real_f64_bits(real_f64(A) + real_f64(B)))
ROW(sub_f64, real_f64_bits(real_f64(A) - real_f64(B)))
ROW(mul_f64, real_f64_bits(real_f64(A) * real_f64(B)))
ROW(fma_f64, real_f64_bits(real_fma(real_f64(A), real_f64(B), real_f64(C))))

/* Each half of a pair by itself. */
static uint64_t real_lane(const uint64_t *const s[ROW_SOURCES], unsigned l, const struct row_type *t)
{
    uint64_t v[3] = {s[0] ? s[0][l] : 0, s[1] ? s[1][l] : 0, s[2] ? s[2][l] : 0};
    if (!t->pair)
        return real_compute(t->i, t->type, v);
    uint64_t low[3] = {v[0] & 0xffff, v[1] & 0xffff, v[2] & 0xffff}, high[3] = {v[0] >> 16, v[1] >> 16, v[2] >> 16};
    return real_compute(t->i, t->type, high) << 16 | real_compute(t->i, t->type, low);
}
ROW(real, real_lane(s, l, t))
ROW(testp, real_test(A, t->type, t->i->test))

/* ---- cvt ---- */

static uint64_t saturate_integer(wide_int x, unsigned bits, bool is_signed)
{
    wide_int least = is_signed ? -((wide_int)1 << (bits - 1)) : 0;
    wide_int most = ((wide_int)1 << (is_signed ? bits - 1 : bits)) - 1;
    return (uint64_t)(x < least ? least : x > most ? most : x);
}

static uint64_t convert(uint64_t a, const struct row_type *t)
{
    bool from_real = ptx_type_is_float(t->type), to_real = ptx_type_is_float(t->to);
    if (from_real && to_real)
        return real_convert(a, t->type, t->to, t->i);
    if (from_real)
        return real_to_integer(a, t->type, t->bits_to, ptx_type_is_signed(t->to), t->i);
    uint64_t x = a & (UINT64_MAX >> t->step);
    if (to_real)
        return real_from_integer(t->is_signed ? (uint64_t)extend(x, t->step) : x, t->is_signed, t->to, t->i);
    if (t->i->sat)
        return saturate_integer(t->is_signed ? (wide_int)extend(x, t->step) : (wide_int)x, t->bits_to,
                                ptx_type_is_signed(t->to));
    return t->is_signed ? (uint64_t)extend(x, t->step) : x;
}

/* A signed result fills a wider register with its sign. */
static uint64_t fill_room(uint64_t x, const struct row_type *t)
{
    return t->room == t->mask ? x & t->mask : (uint64_t)extend(x & t->mask, 64 - t->bits_to) & t->room;
}

ROW(cvt, fill_room(convert(A, t), t))
/* cvt.rn.f16x2.f32 d, a, b: a becomes the upper half. */
ROW(cvt_pair, real_convert(A, t->type, t->to, t->i) << 16 | real_convert(B, t->type, t->to, t->i))

/* ---- which function ---- */

static row_function *find_compare(const struct module_instruction *i, const struct row_type *t)
{
    if (i->op == OP_SET)
        return i->bool_op != ATOMIC_NONE ? row_set_bool : row_set;
    if (i->bool_op != ATOMIC_NONE)
        return row_setp_bool;
    if (ptx_type_is_float(t->type))
        return row_setp;
    switch (i->compare) {
    case COMPARE_EQ:
        return row_eq;
    case COMPARE_NE:
        return row_ne;
    case COMPARE_LT:
        return t->is_signed ? row_lt_s : row_lt_u;
    case COMPARE_LE:
        return t->is_signed ? row_le_s : row_le_u;
    case COMPARE_GT:
        return t->is_signed ? row_gt_s : row_gt_u;
    case COMPARE_GE:
        return t->is_signed ? row_ge_s : row_ge_u;
    case COMPARE_NONE:
    case COMPARE_EQU:
    case COMPARE_NEU:
    case COMPARE_LTU:
    case COMPARE_LEU:
    case COMPARE_GTU:
    case COMPARE_GEU:
    case COMPARE_NUM:
    case COMPARE_NAN:
        break;
    }
    return row_setp;
}

/* f32 and f64 to nearest, without modifiers. */
static row_function *find_plain_real(const struct module_instruction *i)
{
    bool f32 = i->type == PTX_F32;
    if ((!f32 && i->type != PTX_F64) || i->ftz || i->sat || i->relu || i->oob ||
        (i->rounding != ROUND_NONE && i->rounding != ROUND_RN))
        return row_real;
    switch (i->op) {
    case OP_ADD:
        return f32 ? row_add_f32 : row_add_f64;
    case OP_SUB:
        return f32 ? row_sub_f32 : row_sub_f64;
    case OP_MUL:
        return f32 ? row_mul_f32 : row_mul_f64;
    case OP_MAD:
    case OP_FMA:
        return f32 ? row_fma_f32 : row_fma_f64;
    case OP_MOV:
    case OP_PACK:
    case OP_UNPACK:
    case OP_SELP:
    case OP_SETP:
    case OP_ADDC:
    case OP_SUBC:
    case OP_MADC:
    case OP_MIN:
    case OP_MAX:
    case OP_NEG:
    case OP_ABS:
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OPS_LOGIC:
    case OPS_BITCOUNT:
    case OPS_INTEGER:
    case OPS_SIZED:
    case OPS_TYPED:
    case OPS_REAL:
    case OPS_NO_VALUE:
        break;
    }
    return row_real;
}

/* mul and mad: by part. */
static row_function *find_product(const struct module_instruction *i, bool add)
{
    switch (i->part) {
    case PART_HI:
        return add ? row_mad_hi : row_mul_hi;
    case PART_WIDE:
        return add ? row_mad_wide : row_mul_wide;
    case PART_LO:
    case PART_NONE:
        break;
    }
    return add ? row_mad_lo : row_mul_lo;
}

/* One function for each operation on integers and bits; those that depend on more are found above. */
static row_function *const plain[OPS] = {
    [OP_MOV] = row_mov,     [OP_PACK] = row_pack,   [OP_ADD] = row_add,     [OP_ADDC] = row_addc, [OP_SUB] = row_sub,
    [OP_SUBC] = row_subc,   [OP_MUL24] = row_mul24, [OP_MAD24] = row_mad24, [OP_DIV] = row_div,   [OP_REM] = row_rem,
    [OP_SAD] = row_sad,     [OP_NEG] = row_neg,     [OP_ABS] = row_abs,     [OP_AND] = row_and,   [OP_OR] = row_or,
    [OP_XOR] = row_xor,     [OP_NOT] = row_not,     [OP_CNOT] = row_cnot,   [OP_LOP3] = row_lop3, [OP_SHL] = row_shl,
    [OP_SHR] = row_shr,     [OP_SHF] = row_shf,     [OP_SELP] = row_selp,   [OP_POPC] = row_popc, [OP_CLZ] = row_clz,
    [OP_BREV] = row_brev,   [OP_BFIND] = row_bfind, [OP_BFE] = row_bfe,     [OP_BFI] = row_bfi,   [OP_BMSK] = row_bmsk,
    [OP_SZEXT] = row_szext, [OP_FNS] = row_fns,     [OP_PRMT] = row_prmt,   [OP_DP4A] = row_dp4a, [OP_DP2A] = row_dp2a,
    [OP_TESTP] = row_testp,
};

static enum ptx_type half_of(enum ptx_type type)
{
    return type == PTX_F16X2 ? PTX_F16 : type == PTX_BF16X2 ? PTX_BF16 : type;
}

static uint64_t ones(unsigned bits)
{
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static void describe(const struct module_instruction *i, struct row_type *t)
{
    bool second = i->op == OP_CVT || i->op == OP_SET;
    enum ptx_type sources = second ? i->type2 : i->type;
    unsigned to = ptx_type_bits(i->type) * (i->part == PART_WIDE ? 2 : 1);
    *t = (struct row_type){.i = i, .type = half_of(sources), .to = half_of(i->type)};
    t->bits = ptx_type_bits(t->type);
    t->bits_to = ptx_type_bits(t->to);
    t->step = t->bits && t->bits <= 64 ? 64 - t->bits : 0;
    t->mask = t->room = ones(to);
    t->is_signed = ptx_type_is_signed(t->type);
    t->pair = t->type != sources;
}

row_function *row_find(const struct module_instruction *i, struct row_type *t, struct error *error)
{
    describe(i, t);
    if (i->type == PTX_U16X2 || i->type == PTX_S16X2)
        return row_integer_pair; /* add, min and max alone are read with them */
    if (real_executes(i->op) && ptx_type_is_float(i->type))
        return find_plain_real(i);
    switch (i->op) {
    case OP_SETP:
    case OP_SET:
        if (t->pair)
            return i->op == OP_SET ? row_set_pair : row_setp_low;
        return find_compare(i, t);
    case OP_MUL:
        return find_product(i, false);
    case OP_MAD:
        return find_product(i, true);
    case OP_MADC:
        return i->part == PART_HI ? row_madc_hi : row_madc_lo;
    case OP_MIN:
        return t->is_signed ? row_min_s : row_min_u;
    case OP_MAX:
        return t->is_signed ? row_max_s : row_max_u;
    case OP_SLCT:
        return i->type2 == PTX_F32 ? row_slct_f : row_slct;
    case OP_CVT:
        if (t->pair)
            break;
        return i->srcs_count == 2 ? row_cvt_pair : row_cvt;
    case OP_BMSK:
    case OP_SZEXT:
    case OP_SHF:
        t->bits = 32;
        t->step = 32;
        return plain[i->op];
    case OP_MOV:
    case OP_PACK:
    case OP_UNPACK:
    case OP_SELP:
    case OP_ADD:
    case OP_ADDC:
    case OP_SUB:
    case OP_SUBC:
    case OP_FMA:
    case OP_NEG:
    case OP_ABS:
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OPS_LOGIC:
    case OPS_BITCOUNT:
    case OPS_INTEGER:
    case OPS_REAL:
    case OPS_NO_VALUE:
        break;
    }
    if (!plain[i->op] || t->pair)
        error_set(error, ERROR_UNSUPPORTED, "%s is not executed", i->name);
    return t->pair ? NULL : plain[i->op];
}

row_function *row_find_second(const struct module_instruction *i)
{
    switch (i->op) {
    case OP_ADD:
        return i->cc ? row_add_carry : NULL;
    case OP_ADDC:
        return i->cc ? row_addc_carry : NULL;
    case OP_SUB:
        return i->cc ? row_sub_borrow : NULL;
    case OP_SUBC:
        return i->cc ? row_subc_borrow : NULL;
    case OP_MAD:
        return i->cc ? row_mad_carry : NULL;
    case OP_MADC:
        return i->cc ? row_madc_carry : NULL;
    case OP_SETP:
        if (i->dsts_count == 2 && (i->type == PTX_F16X2 || i->type == PTX_BF16X2))
            return row_setp_high;
        return i->dsts_count < 2 ? NULL : i->bool_op != ATOMIC_NONE ? row_setp_bool_not : row_setp_not;
    case OP_MOV:
    case OP_PACK:
    case OP_UNPACK:
    case OP_SELP:
    case OP_MUL:
    case OP_FMA:
    case OP_MIN:
    case OP_MAX:
    case OP_NEG:
    case OP_ABS:
    case OP_NOT:
    case OP_SHL:
    case OP_SHR:
    case OPS_LOGIC:
    case OPS_BITCOUNT:
    case OPS_INTEGER:
    case OPS_SIZED:
    case OPS_TYPED:
    case OPS_REAL:
    case OPS_NO_VALUE:
        break;
    }
    return NULL;
}

uint64_t row_atomic(const struct module_instruction *i, uint64_t old, uint64_t b, uint64_t c, bool is_global)
{
    struct row_type t;
    describe(i, &t);
    switch (i->atomic) {
    case ATOMIC_AND:
        return old & b;
    case ATOMIC_OR:
        return old | b;
    case ATOMIC_XOR:
        return old ^ b;
    case ATOMIC_ADD:
        if (ptx_type_is_float(i->type))
            return real_atomic_add(i, old, b, is_global);
        return (old + b) & t.mask;
    case ATOMIC_MIN:
    case ATOMIC_MAX:
        if (ptx_type_is_float(i->type))
            return real_atomic_extreme(i, old, b);
        return less(old, b, &t) == (i->atomic == ATOMIC_MIN) ? old : b;
    case ATOMIC_INC:
        return old >= b ? 0 : old + 1;
    case ATOMIC_DEC:
        return old == 0 || old > b ? b : old - 1;
    case ATOMIC_EXCH:
        return b;
    case ATOMIC_CAS:
        return old == b ? c : old;
    case ATOMIC_POPC:
    case ATOMIC_NONE:
        break;
    }
    return old;
}
