/* `warpcheck score --prover`: drawn functions of which it is known whether they are right, against the prover. */
#ifndef WARPCHECK_CLI_PROVE_DRAWN_H
#define WARPCHECK_CLI_PROVE_DRAWN_H

#include <stdint.h>

struct drawn_request {
    uint64_t seed, first, count, jobs;
    double timeout, limit; /* of one question, of one function (of processor time) */
    const char *out;       /* wrong verdicts are kept there */
    const char *only;      /* text in the name of the step in which a wrong function differs; NULL: any */
};

/* Prints a table, and each wrong verdict with its source's file. Returns an exit status: 1 for a wrong verdict. */
int score_prover(const struct drawn_request *r);

#endif
