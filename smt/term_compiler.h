/*
 * Terms compiled to a straight list of operations on 64-bit numbers, for evaluating the same terms on many cases: Z3's
 * own simplifier takes some milliseconds a case. The list is made from the terms themselves, one operation for each
 * node; tests compare what it gives with what Z3's simplifier makes of the same terms.
 */
#ifndef WARPCHECK_SMT_TERM_COMPILER_H
#define WARPCHECK_SMT_TERM_COMPILER_H

#include "smt/term.h"

struct term_code;

/*
 * The values of `results` as functions of the constants `inputs`; Bools are 0 and 1, words at most 64 bits wide. NULL
 * with a clause in `error` when a term has an operation that is not known here, or a constant that is no input.
 */
struct term_code *term_compile(struct smt *s, const term *results, size_t results_count, const term *inputs,
                               size_t inputs_count, struct error *error);
void term_code_run(struct term_code *f, const uint64_t *inputs, uint64_t *results);
void term_code_free(struct term_code *f);

#endif
