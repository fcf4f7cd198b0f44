/*
 * Words in a refuted claim. When the solver's values are no case of the whole program, cases made of these words may
 * still show the defect.
 */
#ifndef WARPCHECK_PROOFS_HINTS_H
#define WARPCHECK_PROOFS_HINTS_H

#include "proofs/logic.h"

#define HINTS 64u

struct hints {
    uint32_t word[HINTS]; /* all different */
    unsigned n;
};

/* Collects 32-bit numbers of the claim and the model: words, and Bools NAME[0] to NAME[31] as one word. */
void hints_take(struct hints *hints, struct smt *s, term claim, Z3_model model);

#endif
