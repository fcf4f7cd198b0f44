/*
 * match.any: each lane of the group gets the lanes of the group that have its operand.
 *
 * The kernels find these classes in three ways: the first lane's operand, and a second one; all lanes' hashes, which
 * are then checked; and, when two operands have one hash, one operand after the other, in a loop. Only equality matters
 * (equality.h), and the loop is cut: one round, from any set of lanes that are left which is a union of classes.
 */
#ifndef WARPCHECK_COMPILED_CLASSES_H
#define WARPCHECK_COMPILED_CLASSES_H

#include "proofs/fast/proof.h"

bool classes_apply(const struct warp_form_info *info);
/* On one warp, with the setting's group, the proof's kernel leaves each lane's class, which is what the transcription
 * gives it. */
bool classes_prove(struct proof *proof);

#endif
