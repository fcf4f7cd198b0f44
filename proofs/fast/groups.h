/*
 * Warps whose lanes pass different membermasks: how `fast` finds their groups.
 *
 * fast_settle_groups takes the active lanes class by class; a class is the active lanes that pass one membermask. Its
 * contract, for a class C with the membermask M:
 *   lanes of C outside M are undefined;
 *   when nobody is missing (M without exited lanes and C is empty) and C has members, these are one of the groups;
 *   otherwise the members wait for the missing lanes, or are undefined where the target needs convergence.
 */
#ifndef WARPCHECK_PROOFS_FAST_GROUPS_H
#define WARPCHECK_PROOFS_FAST_GROUPS_H

#include "proofs/fast/proof.h"

#define GROUPS_FUNCTION "fast_settle_groups"

/* Proves that one iteration of the function fulfils the contract for the class of the lowest lane that is left, for
 * any state before. */
bool groups_prove(struct proof *proof);
/* The lane numbers and bits of group g, in groups_answer's answer. */
void groups_bits(struct smt *s, unsigned g, term bits[WARP_LANES]);
term groups_member(struct smt *s, unsigned g, unsigned k);
term groups_bit(struct smt *s, const char *name, unsigned k); /* "undefined", "waiting" */
term groups_missing(struct smt *s, unsigned k);               /* the lanes that lane k waits for */
/* Answers in place of the function: n groups of any lanes, and any lanes undefined or waiting. `waits_for` is the
 * place where the batch wants it. Returns the conditions that the caller must have met. */
term groups_answer(struct machine *machine, unsigned n, const struct value *const *a, unsigned count,
                   const struct scalar *waits_for, unsigned case_object);
LLVMValueRef groups_unify(struct machine *machine, const char *state); /* kernels->unify */

#endif
