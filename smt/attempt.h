/* One attempt at a property, in this process: what prove.c and second.c share. */
#ifndef WARPCHECK_SMT_ATTEMPT_H
#define WARPCHECK_SMT_ATTEMPT_H

#include "smt/goal.h"
#include "smt/solver/solver.h"

struct attempt {
    struct smt *s;
    const struct property_entry *entry;
    const struct smt_options *options;
    struct smt_outcome *outcome;
    struct goal goal;
    struct term_list any; /* what stands for goal.abstracted */
    double deadline;
    double cross_left; /* seconds for the second solver */
    double drat_left;  /* seconds for clausal proofs */
    bool used[SMT_SOLVERS];
};

/* Ends the attempt with this verdict and note: always false. */
bool attempt_give_up(struct attempt *a, enum smt_verdict verdict, const char *what, const char *why);
/* The solver that is asked first. */
enum smt_solver attempt_solver(const struct attempt *a);

/*
 * Where they are asked for; `what` names the claim. False: the attempt is over, by a disagreement or a proof that does
 * not hold. No answer in time is counted as undecided and changes nothing.
 */
bool attempt_cross_check(struct attempt *a, const struct query *query, enum answer first, const char *what);
bool attempt_add_drat(struct attempt *a, const struct query *query, const char *what);

#endif
