/*
 * Further cases made from one: many checks for one input.
 *
 * An engine pays for each input, AFL++ far more than a check costs, so one input stands for the case that it decodes to
 * and for its relatives: the other forms of the family, the lanes in other places, other masks, operands turned round.
 * Each is a case of its own, found again without the input.
 */
#ifndef WARPCHECK_FUZZ_DERIVE_H
#define WARPCHECK_FUZZ_DERIVE_H

#include "warpcheck/warp.h"

#define DERIVED_MAX 64u

/* The k-th relative of `base`, k < DERIVED_MAX; passes warp_case_check when base does. Its family is the base's. */
void derive_case(const struct warp_case *base, unsigned k, struct warp_case *c);

#endif
