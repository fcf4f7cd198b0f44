/*
 * One property, in this process: hypotheses satisfiable, each claim's negation not, witnesses replayed.
 */
#ifndef WARPCHECK_SMT_PROVE_H
#define WARPCHECK_SMT_PROVE_H

#include "smt/goal.h"

/* Never fails: what goes wrong is the verdict SMT_ERROR with a note. Lemmas are not looked at. */
void prove_entry(const struct property_entry *entry, const struct smt_options *options, struct smt_outcome *outcome);

#endif
