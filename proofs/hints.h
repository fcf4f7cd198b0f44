/*
 * Words that a refuted claim speaks of: where the solver's values are no case of the whole, cases that are made of them
 * may still show the defect.
 */
#ifndef WARPCHECK_COMPILED_HINTS_H
#define WARPCHECK_COMPILED_HINTS_H

#include "proofs/logic.h"

#define HINTS 64u

struct hints {
    uint32_t word[HINTS]; /* all different */
    unsigned n;
};

/* Numbers of 32 bits that stand in the claim, and the model's: words, and Bools NAME[0] to NAME[31] as one. */
void hints_take(struct hints *hints, struct smt *s, term claim, Z3_model model);

#endif
