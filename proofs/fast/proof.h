/* The state of a proof about one form and one variant, which its parts share. SOUNDNESS.md ("Compiled code") has the
 * argument. */
#ifndef WARPCHECK_PROOFS_FAST_PROOF_H
#define WARPCHECK_PROOFS_FAST_PROOF_H

#include "proofs/decide.h"
#include "proofs/fast/strip.h"

struct proof {
    struct decider d;
    const struct warp_form_info *info;
    const char *variant;         /* its name */
    const char *state;           /* the variable with its kernels */
    struct machine *spec, *fast; /* fast NULL: the other side is the encoding */
    LLVMValueRef kernel;         /* that the form uses in this variant; NULL: none (or not yet known) */
    struct case_split split;
    struct split_result spec_result, fast_result;
};

/* Runs work(machine, context) on the machine, which forgets what it did before; an error becomes the outcome's. */
bool proof_run(struct proof *proof, struct machine *machine, void (*work)(struct machine *, void *), void *context);
/* Every undefined behaviour of the machine's run is excluded in the case split. */
bool proof_obligations(struct proof *proof, const struct machine *machine);
/* Notes that the form is not decided, and why. Returns false. */
bool proof_open(struct proof *proof, const char *why);
/* Adds the place "what n" to the note of a form that is not decided. Returns false. */
bool proof_tell(struct proof *proof, const char *what, unsigned n);

#endif
