/*
 * Warps with several groups, where each lane has a result of its own (strip_moves): `fast` runs the kernel once, as
 * if all done lanes were one group D. The group of a done lane k is what its membermask has of D; so k is in it.
 */
#ifndef WARPCHECK_PROOFS_FAST_MEMBERS_H
#define WARPCHECK_PROOFS_FAST_MEMBERS_H

#include "proofs/fast/proof.h"

/*
 * shfl: the kernel that is told the membermasks gives each lane what the transcription gives it in its group.
 * match.any: what the transcription gives a lane in a group is what it gives it in the whole warp, without the lanes
 * outside.
 */
bool members_prove(struct proof *proof);

#endif
