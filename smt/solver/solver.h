/*
 * Solvers: each takes a query, the conjunction of some terms, and says whether any values satisfy it.
 */
#ifndef WARPCHECK_SMT_SOLVER_H
#define WARPCHECK_SMT_SOLVER_H

#include "smt/term.h"

enum answer { ANSWER_UNSAT, ANSWER_SAT, ANSWER_TIMEOUT, ANSWER_UNKNOWN, ANSWER_UNAVAILABLE, ANSWER_ERROR };

struct query {
    struct term_list parts;          /* all of them hold */
    const char *name;                /* for a file */
    bool brief;                      /* Z3 may give up early, by steps that are the same on every machine */
    char logic[24];                  /* of SMT-LIB, found from the sorts and operators; query_inspect fills it */
    bool only_bits;                  /* Bool and bit-vectors without functions: bit-blasting decides it */
    bool has_functions;              /* bit-vectors with functions that have no fixed meaning, and nothing else */
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
/* The query as SMT-LIB text, with the command line of cvc5 that decides it; `values` asks for the constants' values
 * too. A file of that name is written whole or not at all. */
bool query_write(struct smt *s, const struct query *query, const char *path, bool values, struct error *error);

/* `error` gets one clause for answers other than sat and unsat; `found` (may be NULL) the values when sat. */
enum answer z3_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found,
                   struct error *error);
enum answer cvc5_ask(struct smt *s, const struct query *query, double timeout_s, struct assignment *found,
                     struct error *error);

/* Translates the query to clauses, has cadical prove that nothing satisfies them, and checks the proof here. */
enum drat_verdict {
    DRAT_CHECKED,
    DRAT_TRIVIAL,   /* rewriting left no clause */
    DRAT_UNDECIDED, /* no time, or a proof too long to be read */
    DRAT_FAILED     /* no proof, or one that does not hold */
};
struct drat_times {
    double cadical_s, checker_s;
};
enum drat_verdict drat_prove(struct smt *s, const struct query *query, double timeout_s, struct drat_times *times,
                             struct error *error);

#endif
