/*
 * Solvers: each takes a query, the conjunction of some terms, and says whether any values satisfy it.
 */
#ifndef WARPCHECK_SMT_SOLVER_H
#define WARPCHECK_SMT_SOLVER_H

#include "smt/goal.h"

enum answer { ANSWER_UNSAT, ANSWER_SAT, ANSWER_TIMEOUT, ANSWER_UNKNOWN, ANSWER_UNAVAILABLE, ANSWER_ERROR };

struct query {
    struct term_list parts;          /* all of them hold */
    const char *name;                /* for a file */
    char logic[24];                  /* of SMT-LIB, found from the sorts and operators; query_inspect fills it */
    bool only_bits;                  /* Bool and bit-vectors without functions: bit-blasting decides it */
    struct term_list free;           /* its constants */
    struct term_list bits_of_floats; /* fp.to_ieee_bv(x), which Z3 alone knows: SMT-LIB has only the way back */
};

/* Values of constants. */
struct assignment {
    struct term_list unknown;
    struct term_list value;
    Z3_model model; /* of functions without a fixed meaning; NULL: none is known */
};
void assignment_free(struct smt *s, struct assignment *a);

/* Derives logic, only_bits and free from the parts. */
void query_inspect(struct smt *s, struct query *query);
void query_free(struct query *query);
/* Writes the query as SMT-LIB text; `values` asks for the constants' values too. False with a clause in `why`. */
bool query_write(struct smt *s, const struct query *query, const char *path, bool values, char *why, size_t why_size);

/* `why` gets one clause for answers other than sat and unsat; `found` the values when sat. */
enum answer z3_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found, char *why,
                   size_t why_size);
enum answer cvc5_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found, char *why,
                     size_t why_size);

/* Runs argv with a time limit, output (cut to out_size) into `out`. The exit status; -1: it could not run; -2: out of
 * time. */
int solver_run(const char *const argv[], double timeout_s, char *out, size_t out_size);
/* For a process that tries a property: SIGTERM then ends the program that solver_run waits for, and the process. */
void process_end_on_sigterm(void);
double smt_clock(void);

/*
 * The query as clauses, cadical's proof that none satisfies them, and our check of the proof. `trivial`: no clause was
 * left. False with a clause in `why` otherwise. `times`: how long each took.
 */
struct drat_times {
    double cadical_s, checker_s;
};
bool drat_prove(struct smt *s, const struct query *query, double timeout_s, bool *trivial, struct drat_times *times,
                char *why, size_t why_size);

#endif
