/* Harnesses: proofs that are written as C functions (any.h), and executed like the code that they are about. */
#ifndef WARPCHECK_PROOFS_HARNESS_H
#define WARPCHECK_PROOFS_HARNESS_H

#include "proofs/fast/proof.h"

struct harness {
    const struct proof *proof;
    const char *contracts; /* X: in place of NAME, X_NAME is called wherever there is one, but by itself; NULL: none */
    unsigned number;       /* given_number */
};

/* A hook (machine.h), or to be asked first by one: answers what any.h declares, and calls contracts. What they check
 * becomes an obligation of the run. */
bool harness_answer(struct machine *machine, void *harness, const char *name, const struct value *const *a, unsigned n,
                    const struct value **result);

/*
 * Executes the harness `name`, which is handed the variant's struct fast_kernels. Proves what it checks, and that
 * nothing in it is undefined. The case has any target for which the form is legal.
 */
bool harness_prove(struct proof *proof, const char *name, const char *contracts, unsigned number);

#endif
