/* The table of variants, and what this CPU has. */
#include "variant.h"

#include <stddef.h>

#if defined(WARPCHECK_FAST_X86)
#define X86(kernels) &(kernels)
#else
#define X86(kernels) NULL
#endif
#if defined(WARPCHECK_FAST_NEON)
#define NEON(kernels) &(kernels)
#else
#define NEON(kernels) NULL
#endif

/* This file is compiled for the oldest CPU, because it may run on any. The builtins also ask whether the system
 * saves the registers. */
static const char *missing_avx2(void)
{
#if defined(WARPCHECK_FAST_X86)
    return __builtin_cpu_supports("avx2") ? NULL : "this CPU lacks AVX2";
#else
    return NULL;
#endif
}

static const char *missing_avx512(void)
{
#if defined(WARPCHECK_FAST_X86)
    if (!__builtin_cpu_supports("avx512f"))
        return "this CPU lacks AVX-512";
    if (!__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
        !__builtin_cpu_supports("avx512cd"))
        return "this CPU lacks AVX-512 BW, VL or CD";
    if (!__builtin_cpu_supports("bmi") || !__builtin_cpu_supports("bmi2"))
        return "this CPU lacks BMI1 or BMI2";
#endif
    return NULL;
}

static const struct variant_info variants[] = {
    {"fast-portable", "portable C that compilers vectorize", &fast_kernels_portable, NULL},
    {"fast-neon", "Arm NEON", NEON(fast_kernels_neon), NULL},
    {"fast-avx2", "x86 AVX2", X86(fast_kernels_avx2), missing_avx2},
    {"fast-avx512", "x86 AVX-512 (F, BW, VL, CD)", X86(fast_kernels_avx512), missing_avx512},
};

const struct variant_info *fast_variants(size_t *count)
{
    *count = sizeof variants / sizeof variants[0];
    return variants;
}

const char *fast_variant_obstacle(const struct variant_info *variant)
{
    if (variant->kernels == NULL)
        return "not compiled for this processor";
    return variant->missing == NULL ? NULL : variant->missing();
}
