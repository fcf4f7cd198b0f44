/*
 * What a case file expects, as an implementation: it answers that one case.
 */
#ifndef WARPCHECK_CLI_WORK_EXPECTED_H
#define WARPCHECK_CLI_WORK_EXPECTED_H

#include "warpcheck/bytes.h"
#include "warpcheck/impl.h"
#include "warpcheck/text.h"

struct expected {
    struct warp_impl impl;
    const struct warp_text *text;
};

/* The implementation lives as long as both arguments. The text must have a result. */
const struct warp_impl *expected_init(struct expected *expected, const struct warp_text *text);

/* The bit of the form's family in a set of families. */
#define WARP_FAMILY_BIT_OF(form) WARP_FAMILY_BIT((unsigned)warp_form_get(form)->family)

#endif
