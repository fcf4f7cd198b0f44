/*
 * Arithmetic on bits. Signed values are handled as unsigned ones with the sign bit flipped or extended: no step can
 * overflow.
 */
#include "kernel/execute.h"

#include <string.h>

#define CANONICAL_NAN UINT32_C(0x7fffffff)

static float as_float(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static bool is_nan(uint64_t x)
{
    return (x & 0x7fffffff) > 0x7f800000;
}

static uint64_t from_float(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return is_nan(bits) ? CANONICAL_NAN : bits;
}

static uint64_t width_mask(enum ptx_type type)
{
    unsigned bits = ptx_type_bits(type);
    return bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

static bool is_signed(enum ptx_type type)
{
    return type == PTX_S32 || type == PTX_S64;
}

static uint64_t sign_bit(enum ptx_type type)
{
    return UINT64_C(1) << (ptx_type_bits(type) - 1);
}

/* Unsigned order of the keys is the order of the values. */
static uint64_t order_key(enum ptx_type type, uint64_t x)
{
    return is_signed(type) ? x ^ sign_bit(type) : x;
}

/* Order with -0 below +0, for values that are no NaN. */
static uint32_t float_key(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

static uint64_t float_extreme(enum program_op op, bool nan, uint64_t x, uint64_t y)
{
    if (is_nan(x) || is_nan(y)) {
        if (nan || (is_nan(x) && is_nan(y)))
            return CANONICAL_NAN;
        return is_nan(x) ? y : x;
    }
    bool x_less = float_key(x) < float_key(y);
    return (op == PROGRAM_MIN) == x_less ? x : y;
}

static uint64_t compute_float(enum program_op op, bool nan, uint64_t x, uint64_t y)
{
    switch (op) {
    case PROGRAM_ADD:
        return from_float(as_float(x) + as_float(y));
    case PROGRAM_SUB:
        return from_float(as_float(x) - as_float(y));
    case PROGRAM_MUL:
        return from_float(as_float(x) * as_float(y));
    case PROGRAM_MIN:
    case PROGRAM_MAX:
        return float_extreme(op, nan, x, y);
    case PROGRAM_NEG:
        return is_nan(x) ? CANONICAL_NAN : x ^ 0x80000000u;
    case PROGRAM_ABS:
        return is_nan(x) ? CANONICAL_NAN : x & 0x7fffffffu;
    case PROGRAM_WARP:
    case PROGRAM_EXIT:
    case PROGRAM_MOV:
    case PROGRAM_AND:
    case PROGRAM_OR:
    case PROGRAM_XOR:
    case PROGRAM_NOT:
    case PROGRAM_SHL:
    case PROGRAM_SHR:
    case PROGRAM_SELP:
    case PROGRAM_SETP:
    case PROGRAM_POPC:
    case PROGRAM_CLZ:
    case PROGRAM_BREV:
    case PROGRAM_PACK:
    case PROGRAM_UNPACK:
    case PROGRAM_OPS:
        break; /* mov */
    }
    return x;
}

static uint64_t shift_right(enum ptx_type type, uint64_t x, uint64_t amount)
{
    unsigned bits = ptx_type_bits(type);
    uint64_t sign = is_signed(type) && (x & sign_bit(type)) ? width_mask(type) : 0;
    if (amount >= bits)
        return sign;
    return x >> amount | (sign & ~(width_mask(type) >> amount));
}

static unsigned count_ones(uint64_t x)
{
    unsigned n = 0;
    for (; x != 0; x &= x - 1)
        n++;
    return n;
}

static uint64_t reverse(unsigned bits, uint64_t x)
{
    uint64_t y = 0;
    for (unsigned i = 0; i < bits; i++)
        y |= (x >> i & 1) << (bits - 1 - i);
    return y;
}

static unsigned leading_zeros(unsigned bits, uint64_t x)
{
    unsigned n = 0;
    while (n < bits && !(x >> (bits - 1 - n) & 1))
        n++;
    return n;
}

static uint64_t compute_integer(enum program_op op, enum ptx_type type, uint64_t x, uint64_t y)
{
    bool x_less = order_key(type, x) < order_key(type, y);
    switch (op) {
    case PROGRAM_ADD:
        return x + y;
    case PROGRAM_SUB:
        return x - y;
    case PROGRAM_MUL:
        return x * y;
    case PROGRAM_MIN:
        return x_less ? x : y;
    case PROGRAM_MAX:
        return x_less ? y : x;
    case PROGRAM_AND:
        return x & y;
    case PROGRAM_OR:
        return x | y;
    case PROGRAM_XOR:
        return x ^ y;
    case PROGRAM_NOT:
        return ~x;
    case PROGRAM_SHL:
        return y >= ptx_type_bits(type) ? 0 : x << y;
    case PROGRAM_SHR:
        return shift_right(type, x, y);
    case PROGRAM_NEG:
        return 0 - x;
    case PROGRAM_ABS:
        return x & sign_bit(type) ? 0 - x : x;
    case PROGRAM_POPC:
        return count_ones(x);
    case PROGRAM_CLZ:
        return leading_zeros(ptx_type_bits(type), x);
    case PROGRAM_BREV:
        return reverse(ptx_type_bits(type), x);
    case PROGRAM_WARP:
    case PROGRAM_EXIT:
    case PROGRAM_MOV:
    case PROGRAM_SELP:
    case PROGRAM_SETP:
    case PROGRAM_PACK:
    case PROGRAM_UNPACK:
    case PROGRAM_OPS:
        break; /* mov */
    }
    return x;
}

uint64_t program_compute(enum program_op op, enum ptx_type type, bool nan, uint64_t x, uint64_t y)
{
    if (type == PTX_F32)
        return compute_float(op, nan, x, y);
    return compute_integer(op, type, x, y) & width_mask(type);
}

static bool compare_order(enum program_compare compare, bool less, bool equal)
{
    switch (compare) {
    case PROGRAM_EQ:
        return equal;
    case PROGRAM_NE:
        return !equal;
    case PROGRAM_LT:
        return less;
    case PROGRAM_LE:
        return less || equal;
    case PROGRAM_GT:
        return !less && !equal;
    case PROGRAM_GE:
    case PROGRAM_EQU:
    case PROGRAM_NEU:
    case PROGRAM_LTU:
    case PROGRAM_LEU:
    case PROGRAM_GTU:
    case PROGRAM_GEU:
    case PROGRAM_NUM:
    case PROGRAM_NAN:
    case PROGRAM_COMPARES:
        break;
    }
    return !less;
}

bool program_compare_values(enum program_compare compare, enum ptx_type type, uint64_t x, uint64_t y)
{
    if (type != PTX_F32)
        return compare_order(compare, order_key(type, x) < order_key(type, y), x == y);
    bool unordered = is_nan(x) || is_nan(y);
    if (compare == PROGRAM_NUM || compare == PROGRAM_NAN)
        return unordered == (compare == PROGRAM_NAN);
    bool or_unordered = compare >= PROGRAM_EQU;
    if (unordered)
        return or_unordered;
    enum program_compare ordered = or_unordered ? (enum program_compare)(compare - PROGRAM_EQU + PROGRAM_EQ) : compare;
    return compare_order(ordered, as_float(x) < as_float(y), as_float(x) == as_float(y));
}
