/* The table of variants of the emulated program: in place of model/fast/variant.c, without a question to the CPU. */
#include "variant.h"

static const struct variant_info variants[] = {
    {"fast-portable", "portable C", &fast_kernels_portable, NULL},
    {"fast-avx512", "AVX-512, its instructions emulated in C", &fast_kernels_avx512, NULL},
};

const struct variant_info *fast_variants(size_t *count)
{
    *count = sizeof variants / sizeof variants[0];
    return variants;
}

const char *fast_variant_obstacle(const struct variant_info *variant)
{
    (void)variant;
    return NULL;
}
