/*
 * Z3: the terms as an implementation, the catalogue of properties, and the prover. No type of Z3 is seen outside this
 * folder.
 */
#ifndef WARPCHECK_SMT_H
#define WARPCHECK_SMT_H

#include "base/error.h"
#include "warpcheck/impl.h"

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The implementation named "smt": the terms of a form are made once and evaluated on each case's values, node by node.
 * Accepts every case, provides every part. Only one thread may ask it. NULL and an error when Z3 cannot start.
 */
const struct warp_impl *smt_get(struct error *error);
/* The implementation whose terms Z3's own simplifier evaluates: some hundred times slower. Tests hold smt_get's against
 * it. */
const struct warp_impl *smt_simplified_get(struct error *error);

/* What a proof attempt ends with. Only the first two can be expected; the others never count as a proof. */
enum smt_verdict {
    SMT_PROVED,  /* every claim holds for all values that satisfy the hypotheses, and some do */
    SMT_REFUTED, /* a claim fails on a witness, and the witness fails on every implementation; or it has no warp to
                    execute */
    SMT_VACUOUS, /* no value satisfies the hypotheses */
    SMT_TIMEOUT,
    SMT_UNKNOWN, /* the solver gave up, or is not installed, or a lemma is not proved */
    SMT_ERROR,   /* a witness does not replay, the solvers disagree, or a solver failed */
    SMT_VERDICTS
};
const char *smt_verdict_name(enum smt_verdict verdict);

enum smt_solver { SMT_Z3, SMT_CVC5, SMT_SOLVERS };
const char *smt_solver_name(enum smt_solver solver);

/* An entry of the catalogue. Texts are constant. */
struct smt_property {
    const char *name;     /* stable, a-z, 0-9 and '-' */
    const char *family;   /* shfl, outcome, vote, match, redux, redux-f32, program, legality, lemma */
    const char *sentence; /* what is claimed */
    const char *clause;   /* where the manual says so, or what follows from which clause */
    enum smt_verdict expected;
    enum smt_solver solver; /* the one that can take the goal; SMT_Z3 where both can */
    const char *trick;      /* how the goal was made tractable; "" when it is asked directly */
    const char *lemmas;     /* names of properties it rests on, by spaces; "" for none */
};

size_t smt_property_count(void);
const struct smt_property *smt_property_get(size_t i); /* NULL past the end */
const struct smt_property *smt_property_find(const char *name);

#define SMT_NAME_MAX 96u
/* Takes the next of the names that blanks separate; returns false at the end. `rest` is the text that is left. */
bool smt_name_next(const char **rest, char name[SMT_NAME_MAX]);

/* The catalogue as a page (docs/generated/properties.md). */
void smt_properties_markdown(FILE *out);

#define SMT_WITNESS_CASES 6

struct smt_outcome {
    enum smt_verdict verdict;
    char solver[48]; /* which solvers answered, with their versions */
    double seconds;
    double solver_s[SMT_SOLVERS]; /* of these: each solver's own */
    double cadical_s;             /* clauses and the proof */
    double checker_s;             /* our check of the proof */
    bool not_tried;               /* UNKNOWN because the run ended first: it, or a lemma of it, was not tried */
    unsigned claims;              /* queries that were decided */
    unsigned agreed;              /* of these: cvc5 gave the same answer as Z3 */
    unsigned undecided;           /* of these: cvc5 was asked and had no answer in its time */
    unsigned drat_checked;        /* of these: with a DRAT proof that our checker accepted */
    unsigned drat_undecided;      /* of these: no clausal proof, made and checked, in its time */
    unsigned drat_unable;         /* of these: no bit-vector claim, so that there are no clauses */
    unsigned drat_trivial;        /* of these: closed by rewriting before any clause was left */
    char undecided_why[96];       /* the last such answer of cvc5 */
    char note[240];               /* one clause: the claim that failed, the reason of a time-out or error */
    char witness[400];            /* the values of the goal's own unknowns */
    unsigned cases;               /* cases of the witness, in the order in which they are executed */
    struct warp_case c[SMT_WITNESS_CASES];
    lanemask lanes[SMT_WITNESS_CASES]; /* the lanes that matter */
    unsigned replayed;                 /* implementations on which it was replayed with the same verdict; 0: no warp */
};

struct smt_options {
    double timeout_s;                      /* for one property */
    unsigned jobs;                         /* properties at a time, each in a process and a context of Z3 */
    unsigned memory_mb;                    /* for each process; 0: no limit */
    bool cross;                            /* ask cvc5 as well as Z3 wherever it can take the goal */
    bool cvc5_only;                        /* ask cvc5 alone */
    bool drat;                             /* bit-vector claims: also a DRAT proof by cadical, checked here */
    const char *smtlib_dir;                /* writes each query there; NULL: nowhere */
    const char *programs_dir;              /* where the programs' PTX files lie */
    const struct warp_impl *const *replay; /* implementations for witnesses; every one must agree */
    size_t replay_count;
    /* Asked several times a second; true (or Ctrl-C) ends the run, and properties without a verdict are then
     * UNKNOWN. NULL: never ends it. */
    bool (*stop)(void *context);
    /* Called when a property begins (outcome NULL) and when it ends; may be NULL. */
    void (*progress)(void *context, const struct smt_property *property, const struct smt_outcome *outcome);
    void *context;
};

void smt_options_init(struct smt_options *options);

/*
 * Tries the n properties (and the lemmas they rest on must be among them, else they count as not proved). outcomes[i]
 * belongs to properties[i]. A process that dies is an ERROR of its property alone. False with one clear line in `error`
 * when nothing could be started (a folder that cannot be written, no process).
 */
bool smt_prove(const struct smt_property *const *properties, size_t n, const struct smt_options *options,
               struct smt_outcome *outcomes, struct error *error);

/* "4.8.12", and cvc5's and cadical's where they can be started, else NULL; `find` says why not. */
const char *smt_z3_version(void);
const char *smt_cvc5_version(void);
const char *smt_cadical_version(void);
const char *smt_cvc5_find(struct error *error);
const char *smt_cadical_find(struct error *error);

#ifdef __cplusplus
}
#endif

#endif
