/*
 * The variants of fast: which were compiled in, and which this CPU can run.
 */
#ifndef WARPCHECK_FAST_VARIANT_H
#define WARPCHECK_FAST_VARIANT_H

#include "kernels.h"

struct variant_info {
    const char *name; /* with the prefix "fast-" */
    const char *description;
    const struct fast_kernels *kernels; /* NULL: not compiled in */
    const char *(*missing)(void);       /* the CPU features that are missing, or NULL; itself NULL: needs none */
};

/* The variants, slowest first; *count receives their number. */
const struct variant_info *fast_variants(size_t *count);

/* Why the variant cannot be used here, or NULL. */
const char *fast_variant_obstacle(const struct variant_info *variant);

#endif
