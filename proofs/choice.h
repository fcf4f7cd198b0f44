/*
 * Words that were moved byte by byte: AVX2 looks up each byte in the two halves of a table, one of which gives 0, by
 * the bits of a lane's number, and puts the bytes together again.
 */
#ifndef WARPCHECK_PROOFS_CHOICE_H
#define WARPCHECK_PROOFS_CHOICE_H

#include "proofs/logic.h"

/*
 * The concatenation of two words that are chosen by the same conditions in the same order, as a choice between
 * concatenations (a term that is equal to it). NULL: they are not.
 */
term choice_joined(struct smt *s, term high, term low);

#endif
