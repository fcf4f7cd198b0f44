/*
 * Loops over the set bits of a mask: where the mask is. This is a guess by the form of the code. Whether a loop does
 * clear the mask's bits one after the other is seen when it is followed (run.c), so a wrong guess proves nothing wrong.
 */
#ifndef WARPCHECK_PROOFS_MASK_H
#define WARPCHECK_PROOFS_MASK_H

#include "proofs/routine.h"

/* Fills width, highest_first and the word of the loop, whose head and body are known; width 0: it has no mask. */
void mask_find(const struct routine *r, struct routine_loop *loop);

#endif
