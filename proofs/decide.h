/* Claims about case splits, decided by rewriting, by the algebra of reductions, or by the solver. */
#ifndef WARPCHECK_PROOFS_DECIDE_H
#define WARPCHECK_PROOFS_DECIDE_H

#include "proofs/algebra.h"
#include "proofs/hints.h"
#include "proofs/case_split.h"
#include "proofs/warpcheck_compiled.h"

/* The decisions in one context, for one form and variant. */
struct decider {
    struct smt *s;
    const struct compiled_options *options;
    struct compiled_outcome *outcome;
    struct term_list proved; /* claims that hold, so that none is asked twice; kept from run to run */
    struct hints hints;      /* of the claim that was refuted */
    bool floats;             /* goals may have terms of the floating-point theory, which compiled code never has */
};

void decider_free(struct decider *d);

/* The operation of an integer redux; false when the form is none. */
bool claims_algebra(const struct warp_form_info *info, enum algebra *op);

/* Returns false when the claim is refuted or not decided; the outcome then says so. */
bool decide(struct decider *d, const struct case_split *split, term claim, const char *what, unsigned lane);
/* The same for a claim that something is not undefined: `undefined` in the outcome says so when it is refuted. */
bool decide_defined(struct decider *d, const struct case_split *split, term claim, const char *what, unsigned lane);
/* Decides the obligations of the machine's program: what it must not do, and what it checks. */
bool decide_obligations(struct decider *d, const struct case_split *split, const struct machine *machine,
                        const char *whose);
/* done, waiting, undefined, waits_for and reserved words are what the case split says. */
bool decide_outcome(struct decider *d, struct maker *m, const struct case_split *split, const struct split_result *r,
                    const char *whose);
/* d, d_defined and p of the group's lanes agree, and are 0 elsewhere (d: where the reference defines it). `only`: one
 * lane; WARP_LANES: all. */
bool decide_results(struct decider *d, struct maker *reference_maker, const struct split_result *reference,
                    struct maker *m, const struct case_split *split, const struct split_result *r, unsigned only);

#endif
