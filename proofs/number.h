/* Numbers of a given width, for the files that compute with scalars. */
#ifndef WARPCHECK_PROOFS_NUMBER_H
#define WARPCHECK_PROOFS_NUMBER_H

#include "proofs/arith.h"

#include <string.h>

#define NUMBER_OF_POINTER "a number made of a pointer is not translated"

static inline bool is_data(const struct scalar *x)
{
    return x->kind != POINTER && x->kind != UNMERGED;
}

/* x; stops where it is an address, or nothing that can be used. */
static inline const struct scalar *need_data(struct maker *m, const struct scalar *x)
{
    if (!is_data(x))
        fail(m, "%s", x->kind == UNMERGED ? x->why : NUMBER_OF_POINTER);
    return x;
}

static inline uint64_t mask_of_width(unsigned width)
{
    return width >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << width) - 1;
}

static inline int64_t as_signed(uint64_t x, unsigned width)
{
    const uint64_t sign = (uint64_t)1 << (width - 1);
    const uint64_t extended = (x ^ sign) - sign;
    int64_t r;
    memcpy(&r, &extended, sizeof r);
    return r;
}

#endif
