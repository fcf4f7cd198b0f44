/* A witness against a part of the code need not be one against the whole: the translation is executed on it. */
#ifndef WARPCHECK_COMPILED_CONFIRM_H
#define WARPCHECK_COMPILED_CONFIRM_H

#include "proofs/fast/proof.h"

/* Do the compiled programs, as translated, differ on the case? (Of the encoding: its terms, evaluated.) */
bool confirm_case(struct proof *proof, const struct warp_case *c);
/* ... on the outcome's witness, or on a case near it, or on one of many pseudo-random ones, which is the witness then.
 */
bool confirm_witness(struct proof *proof);
/* Both translations against the native code on pseudo-random cases, as many as the options want. */
bool confirm_native(struct proof *proof);

#endif
