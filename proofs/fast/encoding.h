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

#endif
