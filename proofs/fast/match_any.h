/*
 * match.any: each lane of the group gets the lanes of the group that have its operand.
 *
 * The kernels find these classes in three ways: the first lane's operand, and a second one; all lanes' hashes, which
 * are then checked; and, when two operands have one hash, one operand after the other, in a loop. Only equality matters
 * (equality.h), and the loop is cut: one round, from any set of lanes that are left which is a union of classes.
 */
#ifndef WARPCHECK_PROOFS_FAST_MATCH_ANY_H
#define WARPCHECK_PROOFS_FAST_MATCH_ANY_H

#include "proofs/equality.h"
#include "proofs/fast/proof.h"

bool classes_apply(const struct warp_form_info *info);
/* On one warp, with the case split's group, the proof's kernel leaves each lane's class, which is what the
 * transcription gives it. */
bool classes_prove(struct proof *proof);

#endif
