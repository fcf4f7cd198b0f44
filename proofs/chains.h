/* Words of which a conjunction says that they are equal: one after the other, each with the first, two at a time. */
#ifndef WARPCHECK_PROOFS_CHAINS_H
#define WARPCHECK_PROOFS_CHAINS_H

#include "proofs/logic.h"

/*
 * A term equivalent to x, a Bool: each conjunction in it, and each disjunction of the contrary, says of all its equal
 * words that they are what one of them is. So two conjunctions by which the same words are equal become the same.
 */
term chains_normal(struct smt *s, term x);

#endif
