/*
 * A checker of DRAT proofs, written for this project and sharing nothing with the solver that makes them: forward, by
 * unit propagation, with deletion, and resolution on the first literal where propagation alone does not do.
 */
#ifndef WARPCHECK_SMT_RUP_H
#define WARPCHECK_SMT_RUP_H

#include "base/error.h"

/*
 * Do the clauses of `dimacs` with the steps of `proof` (text, "d" deletes) lead to the empty clause, each step a
 * consequence (or a redundant addition) of what is there before it? False with one clause in `error`: a step that is
 * not, text that cannot be read, no empty clause; ERROR_TIMEOUT when clock_seconds() passes `deadline` (0: none).
 * Deletions of unit clauses are ignored, as every checker does.
 */
bool rup_check(const char *dimacs, const char *proof, double deadline, struct error *error);

#endif
