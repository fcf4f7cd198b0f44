/*
 * The transcription before the instruction: spec_eval hands a cleared result and the outcome of spec_wait to it, and
 * spec_wait settles the active lanes class by class (a class: the active lanes that pass one membermask), by the same
 * rules as those in groups.h.
 */
#ifndef WARPCHECK_COMPILED_WAIT_H
#define WARPCHECK_COMPILED_WAIT_H

#include "smt/compiled/proof/proof.h"

bool wait_prove(struct proof *proof);

#endif
