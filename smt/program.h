/*
 * The claims of anybody's programs (ptx/program.h), proved or refuted.
 */
#ifndef WARPCHECK_SMT_PROGRAM_H
#define WARPCHECK_SMT_PROGRAM_H

#include "ptx/program.h"
#include "smt/warpcheck_smt.h"

struct smt_claim {
    const struct program *program;
    size_t claim; /* of program->claims */
    struct smt_outcome outcome;
};

/*
 * Tries each claim in a process of its own, and the catalogue's laws of operations that such proofs rest on. A `claim`
 * is to be PROVED, a `refute` REFUTED; a claim that the prover does not read is an ERROR with the reason in its note.
 * False with one clear line in `error` when nothing could be started.
 */
bool smt_prove_claims(struct smt_claim *claims, size_t n, const struct smt_options *options, struct error *error);

#endif
