/*
 * Terms as a straight list of operations on 64-bit numbers, for evaluating the same terms on many cases: Z3's own
 * simplifier takes some milliseconds a case. The list is made from the terms themselves, one operation for each node;
 * tests compare what it gives with what Z3's simplifier makes of the same terms.
 */
#ifndef WARPCHECK_SMT_FLAT_H
#define WARPCHECK_SMT_FLAT_H

#include "smt/term.h"

struct flat;

/*
 * The values of `results` as functions of the constants `inputs`; Bools are 0 and 1, words at most 64 bits wide. NULL
 * with a clause in `why` when a term has an operation that is not known here, or a constant that is no input.
 */
struct flat *flat_make(struct smt *s, const term *results, size_t results_count, const term *inputs,
                       size_t inputs_count, char *why, size_t why_size);
void flat_run(struct flat *f, const uint64_t *inputs, uint64_t *results);
void flat_free(struct flat *f);

#endif
