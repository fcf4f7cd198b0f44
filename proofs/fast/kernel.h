/* The kernels: on one warp they give what the transcription gives one group, on several warps what they give on one. */
#ifndef WARPCHECK_COMPILED_KERNEL_H
#define WARPCHECK_COMPILED_KERNEL_H

#include "proofs/fast/proof.h"

/* The proof's kernel keeps the contract of strip.h, and its row is what the transcription computes. */
bool kernel_prove(struct proof *proof);
/* Proves that row w of a strip of n is the row of a strip of one warp with that group, for n up to 32. */
bool kernel_prove_strips(struct proof *proof);

#endif
