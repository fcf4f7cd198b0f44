/* Cases with a given number of groups, made of the words in a refuted claim. */
#ifndef WARPCHECK_COMPILED_HINTED_H
#define WARPCHECK_COMPILED_HINTED_H

#include "proofs/hints.h"
#include "warpcheck/warp.h"

#define HINTED_CASES 992u /* each number of groups from 2 to 32, in 16 ways, twice */

/* The case number i, with the form and operands of `like` where no word of the hints stands for them. */
void hinted_case(struct warp_case *c, const struct warp_case *like, const struct hints *hints, unsigned i,
                 uint64_t *seed);

#endif
