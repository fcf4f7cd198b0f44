/*
 * Warps with several groups, where a lane's result is by the lanes of its group (strip_by_lane): `fast` runs the kernel
 * once, as if all done lanes were one group D. The group of a done lane k is what its membermask has of D; so k is in
 * it.
 */
#ifndef WARPCHECK_PROOFS_FAST_MEMBERS_H
#define WARPCHECK_PROOFS_FAST_MEMBERS_H

#include "proofs/fast/proof.h"

/*
 * shfl: the kernel that is told the membermasks gives each lane what the transcription gives it in its group.
 * match.any: what the transcription gives a lane in a group is what it gives it in the whole warp, without the lanes
 * outside. vote: nothing, its kernel is that of one group.
 */
bool members_prove(struct proof *proof);

/* x with other lanes in the case split's group. */
term members_with_group(struct proof *proof, term x, const term group[WARP_LANES]);

#endif
