/* A witness against a part of the code need not be one against the whole. These functions execute the translation
 * on it. */
#ifndef WARPCHECK_PROOFS_FAST_CONFIRM_H
#define WARPCHECK_PROOFS_FAST_CONFIRM_H

#include "proofs/fast/proof.h"

/* Do they differ on the outcome's witness, on a case near it, or on one of many pseudo-random cases? That case is
 * then the witness. */
bool confirm_witness(struct proof *proof);
/* Compares both translations with the native code on as many pseudo-random cases as the options ask for. */
bool confirm_native(struct proof *proof);

#endif
