/* Words that are compared bit by bit, or slice by slice: a ballot for each bit, a byte at a time, two halves. */
#ifndef WARPCHECK_PROOFS_SLICES_H
#define WARPCHECK_PROOFS_SLICES_H

#include "proofs/logic.h"

/*
 * The conjunction x, where conjuncts that together say that all bits of two words (of at most 64 bits) are the same
 * are one equality of the words: an equivalent term. x itself where there are none, or where it is no conjunction.
 */
term slices_joined(struct smt *s, term x);

#endif
