/*
 * Floating-point numbers as bits: f16, bf16, f32, f64, with PTX's roundings and modifiers.
 *
 * f16, bf16 and f32 are computed in double, rounded to odd, and rounded once more to the format: that is exact, since a
 * double has more than two bits beyond each of them. Every NaN result is the canonical one of its format. The .approx
 * functions give the correctly rounded values of the C library's function in double, within the manual's error bounds,
 * not the bits of a GPU (docs/kernels.md).
 */
#ifndef WARPCHECK_KERNEL_EXEC_REAL_H
#define WARPCHECK_KERNEL_EXEC_REAL_H

#include "ptx/module.h"

#include <math.h>
#include <string.h>

#define REAL_NAN_F32 UINT32_C(0x7fffffff)
#define REAL_NAN_F64 UINT64_C(0xfff8000000000000)

static inline float real_f32(uint64_t x)
{
    uint32_t bits = (uint32_t)x;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline uint64_t real_f32_bits(float f)
{
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits & 0x7fffffffu) > 0x7f800000u ? REAL_NAN_F32 : bits;
}
static inline double real_f64(uint64_t bits)
{
    double f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
static inline uint64_t real_f64_bits(double f)
{
    uint64_t bits;
    memcpy(&bits, &f, sizeof bits);
    return (bits & UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000) ? REAL_NAN_F64 : bits;
}
#define real_fmaf fmaf
#define real_fma  fma

/* The value of f16, bf16, f32 or f64 bits; with `ftz` subnormal f16 and f32 are zeros of their sign. */
double real_read(uint64_t bits, enum ptx_type type, bool ftz);
/* The bits of the value, rounded to the type (ROUND_NONE: to nearest). */
uint64_t real_write(double value, enum ptx_type type, enum ptx_rounding rounding);

/* Is the operation among those of real_compute? */
bool real_executes(enum ptx_op op);

/* One arithmetic instruction of the type (add, fma, min, sqrt, ex2, ...) on bits. */
uint64_t real_compute(const struct module_instruction *i, enum ptx_type type, const uint64_t v[3]);

/* testp. */
bool real_test(uint64_t bits, enum ptx_type type, enum ptx_test test);
/* slct's question: +0, -0 and all above; not NaN. */
bool real_is_not_negative(uint64_t f32, bool ftz);

/* cvt. */
uint64_t real_convert(uint64_t bits, enum ptx_type from, enum ptx_type to, const struct module_instruction *i);
uint64_t real_to_integer(uint64_t bits, enum ptx_type from, unsigned bits_to, bool to_signed,
                         const struct module_instruction *i);
uint64_t real_from_integer(uint64_t value, bool is_signed, enum ptx_type to, const struct module_instruction *i);

/* atom.add, atom.min and atom.max, also of pairs. atom.add.f32 of global memory takes and leaves no subnormal numbers,
 * but zeros of their sign; of shared memory it does (the manual, atom). */
uint64_t real_atomic_add(const struct module_instruction *i, uint64_t old, uint64_t b, bool is_global);
uint64_t real_atomic_extreme(const struct module_instruction *i, uint64_t old, uint64_t b);

#endif
