/*
 * The prover's own encoding (smt/encode) against the compiled transcription: for each lane, encode_lane's outcome, d,
 * d_defined and p are what the transcription's bitcode leaves, whatever membermask each lane passes.
 *
 * Two parts. The outcome of a lane is that of its class (wait.h). What a done lane gets is a function of its group and
 * the operands: the terms of the encoding, with any group in the place of its own, are those of the transcription's
 * instruction for that group (transcription.h).
 */
#ifndef WARPCHECK_PROOFS_FAST_ENCODING_H
#define WARPCHECK_PROOFS_FAST_ENCODING_H

#include "proofs/fast/proof.h"
#include "smt/encode/encode.h"

bool encoding_prove(struct proof *proof);

/* Every lane has the outcome, the group and the waits_for of its class. */
bool encoding_prove_outcomes(struct proof *proof);

/* For a term that stands for the lane, encode_lane gives the same as for each number of a lane in its place. */
bool encoding_prove_any_lane(struct proof *proof);

/*
 * f32 redux: d is the number of the least (greatest) key of the group (redux_float.h), lane after lane. For a group
 * with a lane in it, which the group of a done lane is.
 */
bool encoding_prove_keys(struct proof *proof);

/* The encoding's warp in the names of the proofs: operands as case splits call them, membermasks "mm[lane]". */
void encoding_warp(struct proof *proof, uint32_t dst, const term active[WARP_LANES], const term exited[WARP_LANES],
                   struct smt_warp *w);
/* d where it is defined. */
term encoding_value(struct smt *s, const struct smt_lane *r);
/* x where the lane is done (or is not), with the case split's group in the place of its own. */
term encoding_in_group(struct proof *proof, const struct smt_lane *r, bool done, term x);

/* What the encoding gives a lane, with any of the case split's destinations. */
struct encoded {
    term d; /* NULL: d is never defined */
    term d_defined, p;
};
/* Lane k is done, in the case split's group; or (done false) it is not done. */
void encoding_lane(struct proof *proof, unsigned k, bool done, struct encoded *e);

#endif
