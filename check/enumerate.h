/*
 * Enumerations: finite spaces of cases. Each is a function from an index to a case, so that cases can be counted, split
 * over threads, and resumed.
 */
#ifndef WARPCHECK_CHECK_ENUMERATE_H
#define WARPCHECK_CHECK_ENUMERATE_H

#include "warpcheck/warp.h"

struct enumeration {
    const char *name;  /* "shfl-points" */
    const char *what;  /* one line: the space, and whether it is complete, bounded or sampled */
    uint32_t families; /* bit set of enum warp_family */
    const char *point; /* what is counted: "lane points", "cases" */
    uint64_t points_per_case;
    uint64_t (*count)(void);                           /* number of cases */
    void (*make)(uint64_t index, struct warp_case *c); /* index < count(); the case passes warp_case_check */
};

/* The i-th enumeration, or NULL past the end. */
const struct enumeration *enumeration_get(size_t i);

#endif
