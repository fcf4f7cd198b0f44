#include "kernel/exec/real.h"

#include <fenv.h>

/* How a format is laid out: value = (-1)^sign * 1.fraction * 2^exponent, least normal exponent `least`. */
struct format {
    unsigned bits, fraction;
    int least;
    uint64_t nan;
};

static struct format format_of(enum ptx_type type)
{
    if (type == PTX_F16)
        return (struct format){16, 10, -14, 0x7fff};
    if (type == PTX_BF16)
        return (struct format){16, 7, -126, 0x7fff};
    if (type == PTX_F32)
        return (struct format){32, 23, -126, REAL_NAN_F32};
    return (struct format){64, 52, -1022, REAL_NAN_F64};
}

static uint64_t sign_of(struct format f)
{
    return UINT64_C(1) << (f.bits - 1);
}

static uint64_t infinity_of(struct format f)
{
    return (sign_of(f) - 1) >> f.fraction << f.fraction;
}

/* Does rounding make a cut number one larger? `rest` is the part that was cut, compared with `half`. */
static bool rounds_up(enum ptx_rounding rounding, bool negative, bool odd, uint64_t rest, uint64_t half)
{
    switch (rounding) {
    case ROUND_RZ:
    case ROUND_RZI:
        return false;
    case ROUND_RM:
    case ROUND_RMI:
        return negative && rest != 0;
    case ROUND_RP:
    case ROUND_RPI:
        return !negative && rest != 0;
    case ROUND_RNA:
        return rest >= half;
    case ROUND_NONE:
    case ROUND_RN:
    case ROUND_RNI:
        break;
    }
    return rest > half || (rest == half && odd);
}

/* The bits of m * 2^exponent, m not 0, rounded once. */
static uint64_t assemble(struct format f, bool negative, uint64_t m, int exponent, enum ptx_rounding rounding)
{
    unsigned zeros = (unsigned)__builtin_clzll(m);
    m <<= zeros;
    exponent -= (int)zeros;
    int highest = exponent + 63, scale = highest > f.least ? highest : f.least;
    unsigned shift = (unsigned)(scale - (int)f.fraction - exponent);
    uint64_t kept = shift >= 64 ? 0 : m >> shift;
    uint64_t rest = shift >= 64 ? m : m << (64 - shift), half = UINT64_C(1) << 63;
    if (shift > 64)
        rest = 1; /* less than half */
    uint64_t bits = ((uint64_t)(scale - f.least) << f.fraction) + kept;
    bits += rounds_up(rounding, negative, kept & 1, rest, half);
    if (bits >= infinity_of(f)) {
        bool to_infinity = rounds_up(rounding, negative, true, half, half);
        bits = infinity_of(f) - !to_infinity;
    }
    return bits | (negative ? sign_of(f) : 0);
}

double real_read(uint64_t bits, enum ptx_type type, bool ftz)
{
    struct format f = format_of(type);
    if (type == PTX_F64)
        return real_f64(bits);
    uint64_t magnitude = bits & (sign_of(f) - 1), least_normal = UINT64_C(1) << f.fraction;
    double value;
    if (magnitude > infinity_of(f))
        return NAN;
    if (magnitude == infinity_of(f))
        value = INFINITY;
    else if (magnitude >= least_normal)
        value = ldexp((double)((magnitude & (least_normal - 1)) | least_normal),
                      (int)(magnitude >> f.fraction) - 1 + f.least - (int)f.fraction);
    else
        value = ftz ? 0 : ldexp((double)magnitude, f.least - (int)f.fraction);
    return bits & sign_of(f) ? -value : value;
}

uint64_t real_write(double value, enum ptx_type type, enum ptx_rounding rounding)
{
    struct format f = format_of(type);
    int exponent;
    if (value != value)
        return f.nan;
    if (type == PTX_F64)
        return real_f64_bits(value);
    uint64_t sign = signbit(value) ? sign_of(f) : 0;
    if (value == 0)
        return sign;
    if (isinf(value))
        return sign | infinity_of(f);
    uint64_t m = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
    return assemble(f, sign != 0, m, exponent - 53, rounding);
}

static uint64_t flush(uint64_t bits, enum ptx_type type)
{
    struct format f = format_of(type);
    bool subnormal = (bits & (sign_of(f) - 1)) < UINT64_C(1) << f.fraction;
    return subnormal && type != PTX_F64 ? bits & sign_of(f) : bits;
}

/* `near` is the double nearest to a number that lies `beyond` it (in sign): rounded to odd, so that rounding it once
 * more, to fewer bits, gives what rounding the number itself does. */
static double to_odd(double near, double beyond)
{
    uint64_t bits;
    memcpy(&bits, &near, sizeof bits);
    if (beyond == 0 || beyond != beyond || isinf(near) || bits & 1)
        return near;
    return nextafter(near, beyond > 0 ? INFINITY : -INFINITY);
}

static double add_odd(double x, double y)
{
    double sum = x + y, part = sum - x;
    return to_odd(sum, (x - (sum - part)) + (y - part));
}

static double divide_odd(double x, double y)
{
    double q = x / y;
    if (y == 0 || isinf(y) || isinf(x) || q != q)
        return q;
    double rest = fma(-q, y, x);
    return to_odd(q, signbit(y) ? -rest : rest);
}

static double root_odd(double x)
{
    double q = sqrt(x);
    return x > 0 && !isinf(x) ? to_odd(q, fma(-q, q, x)) : q;
}

/* Each operation in double; the result for the narrower formats must still be rounded. */
#define IN_DOUBLE(name, expression)                                                                                    \
    static double name(double x, double y, double z)                                                                   \
    {                                                                                                                  \
        (void)x, (void)y, (void)z;                                                                                     \
        return expression;                                                                                             \
    }
/* clang-format off */
IN_DOUBLE(double_add, add_odd(x, y))
IN_DOUBLE(double_sub, add_odd(x, -y))
IN_DOUBLE(double_mul, x * y)
IN_DOUBLE(double_fma, add_odd(x * y, z))
IN_DOUBLE(double_div, divide_odd(x, y))
IN_DOUBLE(double_rcp, divide_odd(1.0, x))
IN_DOUBLE(double_sqrt, root_odd(x))
IN_DOUBLE(double_rsqrt, 1.0 / sqrt(x))
IN_DOUBLE(double_sin, sin(x))
IN_DOUBLE(double_cos, cos(x))
IN_DOUBLE(double_lg2, log2(x))
IN_DOUBLE(double_ex2, exp2(x))
IN_DOUBLE(double_tanh, tanh(x))
/* clang-format on */

typedef double double_function(double x, double y, double z);
static double_function *const in_double[OPS] = {
    [OP_ADD] = double_add,     [OP_SUB] = double_sub,   [OP_MUL] = double_mul, [OP_MAD] = double_fma,
    [OP_FMA] = double_fma,     [OP_DIV] = double_div,   [OP_RCP] = double_rcp, [OP_SQRT] = double_sqrt,
    [OP_RSQRT] = double_rsqrt, [OP_SIN] = double_sin,   [OP_COS] = double_cos, [OP_LG2] = double_lg2,
    [OP_EX2] = double_ex2,     [OP_TANH] = double_tanh,
};

/* Operations on the bits alone, which round nothing. */
static bool is_on_bits(enum ptx_op op)
{
    return op == OP_MIN || op == OP_MAX || op == OP_NEG || op == OP_ABS || op == OP_COPYSIGN;
}

bool real_executes(enum ptx_op op)
{
    return in_double[op] != NULL || is_on_bits(op);
}

static int environment_of(enum ptx_rounding rounding)
{
    return rounding == ROUND_RZ   ? FE_TOWARDZERO
           : rounding == ROUND_RM ? FE_DOWNWARD
           : rounding == ROUND_RP ? FE_UPWARD
                                  : FE_TONEAREST;
}

/* f64: computed by the processor, in its rounding mode. */
static double compute_f64(enum ptx_op op, double x, double y, double z, enum ptx_rounding rounding)
{
    volatile double a = x, b = y, c = z, r;
    fesetround(environment_of(rounding));
    if (op == OP_ADD)
        r = a + b;
    else if (op == OP_SUB)
        r = a - b;
    else if (op == OP_MUL)
        r = a * b;
    else if (op == OP_MAD || op == OP_FMA)
        r = fma(a, b, c);
    else if (op == OP_DIV)
        r = a / b;
    else if (op == OP_RCP)
        r = 1.0 / a;
    else if (op == OP_SQRT)
        r = sqrt(a);
    else /* no rounding mode is among the qualifiers of the others */
        r = in_double[op](a, b, c);
    fesetround(FE_TONEAREST);
    return r;
}

/* Compares the bits of two numbers, with -0 below +0. */
static bool below(uint64_t x, uint64_t y, struct format f)
{
    bool nx = x & sign_of(f), ny = y & sign_of(f);
    if (nx != ny)
        return nx;
    return nx ? x > y : x < y;
}

static bool is_nan(uint64_t bits, struct format f)
{
    return (bits & (sign_of(f) - 1)) > infinity_of(f);
}

static uint64_t extreme(const struct module_instruction *i, bool least, enum ptx_type type, uint64_t x, uint64_t y)
{
    struct format f = format_of(type);
    uint64_t sign = (x ^ y) & sign_of(f);
    if (is_nan(x, f) || is_nan(y, f)) {
        if (i->nan || (is_nan(x, f) && is_nan(y, f)))
            return f.nan;
        return is_nan(x, f) ? y : x;
    }
    if (i->abs || i->xorsign) {
        x &= sign_of(f) - 1;
        y &= sign_of(f) - 1;
    }
    return (below(x, y, f) == least ? x : y) | (i->xorsign ? sign : 0);
}

/* .sat: into [0, 1], NaN to +0. .relu: what is negative to 0, NaN stays. */
static double limit(double r, const struct module_instruction *i)
{
    if (i->sat)
        return r > 0 ? (r < 1 ? r : 1) : 0;
    if (i->relu && !(r > 0) && r == r)
        return 0;
    return r;
}

uint64_t real_compute(const struct module_instruction *i, enum ptx_type type, const uint64_t v[3])
{
    struct format f = format_of(type);
    uint64_t a = i->ftz ? flush(v[0], type) : v[0], b = i->ftz ? flush(v[1], type) : v[1];
    if (i->op == OP_MIN || i->op == OP_MAX)
        return extreme(i, i->op == OP_MIN, type, a, b);
    if (i->op == OP_NEG)
        return is_nan(a, f) ? f.nan : a ^ sign_of(f);
    if (i->op == OP_ABS)
        return is_nan(a, f) ? f.nan : a & (sign_of(f) - 1);
    if (i->op == OP_COPYSIGN) /* the sign of a, the rest of b */
        return (a & sign_of(f)) | (b & (sign_of(f) - 1));
    double x = real_read(v[0], type, i->ftz), y = real_read(v[1], type, i->ftz), z = real_read(v[2], type, i->ftz);
    if (type == PTX_F64) {
        uint64_t bits = real_f64_bits(limit(compute_f64(i->op, x, y, z, i->rounding), i));
        bool coarse = i->approx && i->ftz && (i->op == OP_RCP || i->op == OP_RSQRT);
        return coarse ? bits & UINT64_C(0xffffffff00000000) : bits; /* the manual: the low word is 0 */
    }
    if (i->op == OP_FMA && i->oob && (v[0] == f.nan || v[1] == f.nan))
        return 0;
    uint64_t bits = real_write(limit(in_double[i->op](x, y, z), i), type, i->rounding);
    return i->ftz ? flush(bits, type) : bits;
}

bool real_test(uint64_t bits, enum ptx_type type, enum ptx_test test)
{
    struct format f = format_of(type);
    uint64_t magnitude = bits & (sign_of(f) - 1), least_normal = UINT64_C(1) << f.fraction;
    switch (test) {
    case TEST_FINITE:
        return magnitude < infinity_of(f);
    case TEST_INFINITE:
        return magnitude == infinity_of(f);
    case TEST_NUMBER:
        return magnitude <= infinity_of(f);
    case TEST_NOTANUMBER:
        return magnitude > infinity_of(f);
    case TEST_NORMAL:
        return magnitude == 0 || (magnitude >= least_normal && magnitude < infinity_of(f));
    case TEST_SUBNORMAL: /* the manual (testp): zero of either sign is considered a normal number */
        return magnitude > 0 && magnitude < least_normal;
    case TEST_NONE:
        break;
    }
    return false;
}

bool real_is_not_negative(uint64_t bits, bool ftz)
{
    return real_read(bits, PTX_F32, ftz) >= 0;
}

static double to_whole(double x, enum ptx_rounding rounding)
{
    switch (rounding) {
    case ROUND_RNI:
        return nearbyint(x);
    case ROUND_RZI:
        return trunc(x);
    case ROUND_RMI:
        return floor(x);
    case ROUND_RPI:
        return ceil(x);
    case ROUND_NONE:
    case ROUND_RN:
    case ROUND_RZ:
    case ROUND_RM:
    case ROUND_RP:
    case ROUND_RNA:
        break;
    }
    return x;
}

uint64_t real_convert(uint64_t bits, enum ptx_type from, enum ptx_type to, const struct module_instruction *i)
{
    struct format f = format_of(to);
    double x = limit(to_whole(real_read(bits, from, i->ftz && from == PTX_F32), i->rounding), i);
    uint64_t result;
    if (to == PTX_F64 || from == to)
        result = real_write(x, to, ROUND_NONE);
    else
        result = real_write(x, to, i->rounding);
    if (i->satfinite && (result & (sign_of(f) - 1)) == infinity_of(f))
        result--;
    return i->ftz && to == PTX_F32 ? flush(result, to) : result;
}

uint64_t real_to_integer(uint64_t bits, enum ptx_type from, unsigned bits_to, bool to_signed,
                         const struct module_instruction *i)
{
    double x = to_whole(real_read(bits, from, i->ftz && from == PTX_F32), i->rounding);
    unsigned digits = to_signed ? bits_to - 1 : bits_to;
    double beyond = ldexp(1.0, (int)digits);
    uint64_t most = digits >= 64 ? UINT64_MAX : (UINT64_C(1) << digits) - 1;
    if (x != x)
        return from == PTX_F64 || bits_to == 64 ? UINT64_C(1) << (bits_to - 1) : 0;
    if (x >= beyond)
        return most;
    if (to_signed && x < -beyond)
        return ~most;
    if (x < 0)
        return to_signed ? (uint64_t)(int64_t)x : 0;
    return (uint64_t)x;
}

uint64_t real_from_integer(uint64_t value, bool is_signed, enum ptx_type to, const struct module_instruction *i)
{
    bool negative = is_signed && value >> 63;
    uint64_t magnitude = negative ? 0 - value : value;
    if (i->sat) /* into [0, 1] */
        return negative || value == 0 ? 0 : real_write(1.0, to, ROUND_NONE);
    return magnitude == 0 ? 0 : assemble(format_of(to), negative, magnitude, 0, i->rounding);
}

/* Computes each half of a pair, or the whole. */
static uint64_t each(const struct module_instruction *i, uint64_t a, uint64_t b,
                     uint64_t (*compute)(const struct module_instruction *, enum ptx_type, uint64_t, uint64_t))
{
    enum ptx_type half = i->type == PTX_F16X2 ? PTX_F16 : i->type == PTX_BF16X2 ? PTX_BF16 : i->type;
    if (half == i->type)
        return compute(i, half, a, b);
    return compute(i, half, a >> 16, b >> 16) << 16 | compute(i, half, a & 0xffff, b & 0xffff);
}

static uint64_t add_one(const struct module_instruction *i, enum ptx_type type, uint64_t a, uint64_t b)
{
    const uint64_t v[3] = {a, b, 0};
    struct module_instruction add = {.op = OP_ADD, .type = i->type, .ftz = i->ftz};
    return real_compute(&add, type, v);
}

static uint64_t extreme_one(const struct module_instruction *i, enum ptx_type type, uint64_t a, uint64_t b)
{
    return extreme(i, i->atomic == ATOMIC_MIN, type, a, b);
}

uint64_t real_atomic_add(const struct module_instruction *i, uint64_t old, uint64_t b, bool is_global)
{
    struct module_instruction add = {.type = i->type, .ftz = is_global && i->type == PTX_F32};
    return each(&add, old, b, add_one);
}

uint64_t real_atomic_extreme(const struct module_instruction *i, uint64_t old, uint64_t b)
{
    return each(i, old, b, extreme_one);
}
