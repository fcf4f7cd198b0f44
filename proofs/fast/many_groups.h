/* Warps whose lanes pass different membermasks. */
#ifndef WARPCHECK_PROOFS_FAST_MANY_GROUPS_H
#define WARPCHECK_PROOFS_FAST_MANY_GROUPS_H

#include "proofs/fast/proof.h"

/* Finds the form's kernel. Kernels that keep their contract give the right result, where fast_settle_groups keeps its
 * own (groups.h). */
bool many_groups_prove(struct proof *proof);

#endif
