/*
 * Laws: relations that must hold between one implementation's own answers, without a reference.
 */
#ifndef WARPCHECK_FUZZ_LAWS_H
#define WARPCHECK_FUZZ_LAWS_H

#include "warpcheck/impl.h"

struct law {
    const char *name;
    const char *statement;
    uint32_t families; /* of the cases that it is tried on */
    /* Returns NULL when the law holds, or says nothing about the case (`*tried` is then false); else what is wrong. */
    const char *(*check)(const struct warp_impl *impl, const struct warp_case *c, bool *tried);
};

/* The i-th law, or NULL past the end. */
const struct law *law_get(size_t i);

#endif
