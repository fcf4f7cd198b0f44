/* The code of `fast` around its kernels: outcomes, destinations, several groups. */
#ifndef WARPCHECK_PROOFS_FAST_ONE_GROUP_H
#define WARPCHECK_PROOFS_FAST_ONE_GROUP_H

#include "proofs/fast/proof.h"

/* Finds the form's kernel. All active lanes pass one membermask: kernels that keep their contract give the right
 * result. */
bool one_group_prove(struct proof *proof);

/* Runs prove() for each choice of destinations that are written (SPLIT_DSTS). */
bool one_group_for_dsts(struct proof *proof, bool (*prove)(struct proof *proof, uint32_t dst));

#endif
