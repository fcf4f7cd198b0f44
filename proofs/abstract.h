/* Claims about equalities, as claims about Bools. */
#ifndef WARPCHECK_PROOFS_ABSTRACT_H
#define WARPCHECK_PROOFS_ABSTRACT_H

#include "proofs/logic.h"

/*
 * x with a Bool of its own in the place of each equality of words: where that is true for all Bools, x is true. The
 * names hold as long as the terms do. NULL: there is no such equality in x.
 */
term abstract_equalities(struct smt *s, term x);

#endif
