/* The kernels: on one warp they give what the transcription gives one group, on several warps what they give on one. */
#ifndef WARPCHECK_PROOFS_FAST_KERNEL_H
#define WARPCHECK_PROOFS_FAST_KERNEL_H

#include "base/random.h"
#include "proofs/fast/proof.h"
#include "proofs/hints.h"
#include "warpcheck/warp.h"

/* The proof's kernel keeps the contract of strip.h, and its row is what the transcription computes. */
bool kernel_prove(struct proof *proof);
/* Proves that row w of a strip of n is the row of a strip of one warp with that group, for n up to 32. */
bool kernel_prove_strips(struct proof *proof);

/* shfl, told the lanes' membermasks, "members"[lane][bit]: its row is `expected`, where the case split's group is done.
 */
bool kernel_prove_members(struct proof *proof, const struct split_result *expected);

/* Cases with a given number of groups, made of the words in a refuted claim. */

#define HINTED_CASES 992u /* each number of groups from 2 to 32, in 16 ways, twice */

/* The case number i, with the form and operands of `like` where no word of the hints stands for them. */
void hinted_case(struct warp_case *c, const struct warp_case *like, const struct hints *hints, unsigned i,
                 struct random *seed);

#endif
