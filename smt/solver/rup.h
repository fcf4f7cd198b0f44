/*
 * A checker of DRAT proofs, written for this project and sharing nothing with the solver that makes them: forward, by
 * unit propagation, with deletion, and resolution on the first literal where propagation alone does not do.
 */
#ifndef WARPCHECK_SMT_RUP_H
#define WARPCHECK_SMT_RUP_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Do the clauses of `dimacs` with the steps of `proof` (text, "d" deletes) lead to the empty clause, each step a
 * consequence (or a redundant addition) of what is there before it? False with one clause in `why`: a step that is not,
 * text that cannot be read, no empty clause, or a
 * "timeout" when smt_clock passes `deadline` (0: none). Deletions of unit clauses are ignored, as every checker does.
 */
bool rup_check(const char *dimacs, const char *proof, double deadline, char *why, size_t why_size);

#endif
