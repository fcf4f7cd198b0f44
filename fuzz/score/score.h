/*
 * Measures the checker: planted defects, which check catches each, after how many cases and how long.
 */
#ifndef WARPCHECK_FUZZ_SCORE_H
#define WARPCHECK_FUZZ_SCORE_H

#include "fuzz/campaign/job.h"
#include "warpcheck/impl.h"

#include <stdio.h>

enum score_check {
    SCORE_ENUMERATE,
    SCORE_REPLAY,
    SCORE_RANDOM,
    SCORE_BATCHES,
    SCORE_LAWS,
    SCORE_LIBFUZZER,
    SCORE_AFL,
    SCORE_BYTES, /* libFuzzer with its own changes of bytes alone */
    SCORE_TRAPS, /* the checks of `run` on a build with bounds and shift checks, for mutants that no other check caught
                  */
    SCORE_CHECKS
};
const char *score_check_name(enum score_check check); /* in tables */
const char *score_check_word(enum score_check check); /* in options and files */
/* What `run` does. */
#define SCORE_OF_CASES   ((1u << SCORE_ENUMERATE) | (1u << SCORE_REPLAY) | (1u << SCORE_RANDOM))
#define SCORE_RUN_CHECKS (SCORE_OF_CASES | (1u << SCORE_BATCHES))

/* Not measured with mechanical mutants. */
#define SCORE_HAND_ONLY       ((1u << SCORE_LAWS) | (1u << SCORE_AFL) | (1u << SCORE_BYTES))
#define SCORE_MECHANICAL_ONLY ((1u << SCORE_BATCHES) | (1u << SCORE_TRAPS)) /* the others answer cases alone */
#define SCORE_ENGINES         ((1u << SCORE_LIBFUZZER) | (1u << SCORE_AFL) | (1u << SCORE_BYTES))
#define SCORE_ORDINARY        (~(1u << SCORE_TRAPS)) /* of the code as it is shipped */

enum score_verdict { SCORE_NOT_RUN, SCORE_MISSED, SCORE_CAUGHT, SCORE_CRASHED, SCORE_HUNG, SCORE_FAILED };
/* Caught by a wrong answer, a crash or a hang. */
bool score_is_caught(enum score_verdict verdict);

/* What the proofs about compiled code say about all forms that a changed function serves: not asked, or not decided;
 * right for some cases of some form; right for all; wrong. */
enum score_proof { SCORE_UNPROVED, SCORE_BOUNDED, SCORE_PROVED, SCORE_REFUTED };

#define SCORE_GUARD_MS 2000u /* a call that takes longer hangs; it costs as much again to find the case */
/* The limit of a call in the engines' campaigns. Their own limit is at least 1.5 s, to be fair to slow implementations;
 * the mutants are known to be quick. */
#define SCORE_ENGINE_GUARD_MS 200u
#define SCORE_SEEDS_MAX       64u
struct score_result {
    enum score_verdict verdict; /* for an engine: MISSED when the run of any seed missed it */
    double seconds;             /* until caught; over several seeds the median */
    double worst_s;
    uint64_t cases;               /* checked until then; the median */
    unsigned seeds, caught;       /* runs, and how many of them caught it */
    unsigned jobs, processors;    /* measurements at a time, and what they shared */
    double limit_s, share;        /* of a run; of a processor that it had, all its processes together */
    float times[SCORE_SEEDS_MAX]; /* of each run in seconds, ascending; INFINITY where it missed */
};

struct score_subject {
    char name[64];
    char spec[JOB_PATH_MAX + 128]; /* FILE.so or FILE.so:NAME */
    char what[320];                /* class of mistake, or the change in the source */
    char reason[512];              /* why it is equivalent, or is not caught; "" when nobody has said it */
    bool known_missed;             /* it is no equivalent, and the reason says why it is not caught */
    char proof[256]; /* what the proofs about compiled code say of it (prove.sh); "" when they were not asked */
    bool mechanical;
    bool same_code; /* the compiler makes the same object code: equivalent */
    enum score_proof proved;
    struct score_result results[SCORE_CHECKS];
};

struct score_plan {
    uint32_t checks; /* bit set of enum score_check */
    const struct warp_case *corpus;
    size_t corpus_count;
    uint64_t random_cases;
    uint64_t law_cases;
    double limit_s;     /* of one check */
    double engine_s[2]; /* of one run, by enum engine */
    unsigned seeds[2];  /* runs, by enum engine */
    unsigned draws;     /* runs of random cases and of laws with a seed each; 0: one */
    unsigned jobs, processors;
    bool rare;              /* defects that a limit of time may hide from every method */
    const char *targets[2]; /* folders, by enum engine; NULL: not measured */
    const char *program;
    const char *work; /* absolute; a folder of its own for each run is made in it, and removed */
};

/* Adds all mutants of a plugin but the one called "base". Returns how many were added, or -1 with one line in
 * `error`. */
int score_add_plugin(struct score_subject *subjects, size_t room, const char *path, struct error *error);
/* Adds the mutants of a folder that test/mutants/mechanical/build.sh made; `reasons` is the file of equivalent ones. */
int score_add_mechanical(struct score_subject *subjects, size_t room, const char *folder, const char *reasons,
                         struct error *error);

/* Fills `proof` and `proved` from what prove.sh wrote; a file that is not there has none. */
void score_load_proofs(const char *path, struct score_subject *subjects, size_t count);

/* One run of a check. */
struct score_run {
    enum score_verdict verdict;
    double seconds;
    uint64_t cases;
};
/* The result of `n` runs, 1 to SCORE_SEEDS_MAX. */
void score_sum_up(struct score_result *result, const struct score_run *runs, unsigned n);

/* Measures one subject by one check. Crashes and hangs are its own. */
void score_measure(struct score_subject *subject, enum score_check check, const struct score_plan *plan);
/* The same by an engine, where the plan has its targets. */
void score_measure_engine(struct score_subject *subject, enum score_check check, const struct score_plan *plan);

/* A mechanical mutant's build with bounds and shift checks: FILE-traps.so; false where the compiler has none. */
void score_traps_path(const struct score_subject *subject, char *path, size_t size);
bool score_has_traps(const struct score_subject *subject);

/* Appends one result to a file; false when it cannot be written. Reads all results of a file that are of these
 * subjects and of as many seeds and the limit that the plan has, and returns how many there were (none where there is
 * no file). */
bool score_save(const char *path, const struct score_subject *subject, enum score_check check);
size_t score_load(const char *path, const struct score_plan *plan, struct score_subject *subjects, size_t count);
/* Runs with a seed each of a check, at most SCORE_SEEDS_MAX. */
unsigned score_seeds(const struct score_plan *plan, enum score_check check, bool mechanical);
/* The limit of one run. */
double score_limit(const struct score_plan *plan, enum score_check check);

/* True when some check of the set caught it. */
bool score_caught_by(const struct score_subject *subject, uint32_t checks);
/* Some check could not run, and neither the other checks nor the proofs had an answer: the mutant is neither caught
 * nor missed. */
bool score_failed(const struct score_subject *subject);
/* A mutant is missed when nothing caught it although a check ran or none was asked for, and it is not equivalent, or
 * nobody has shown that it is. Where the proofs refuted equivalence no argument counts. */
bool score_missed(const struct score_subject *subject);
/*
 * Counts of mutants: caught, missed, equivalent. Of the equivalent ones: proved; argued and proved for some cases;
 * argued alone. failed: score_failed. by_traps: caught only in a build with bounds and shift checks. by_crash: of the
 * others, those that every check that caught them caught by a crash and none by an answer.
 */
struct score_sums {
    size_t all, caught, by_run, by_traps, by_crash, missed, failed, equivalent, proved, bounded, argued;
};
void score_add(struct score_sums *sums, const struct score_subject *subject);
/* One line about a mutant that nothing caught: "equivalent, proved: ...", "equivalent, argued: ..." or "MISSED:
 * ...". */
#define SCORE_VERDICT_MAX 1200u
void score_verdict_text(const struct score_subject *subject, char fate[SCORE_VERDICT_MAX]);

/*
 * Wrong programs (corpus/programs/wrong), and what a person who wrote one and claims that it is right would be told.
 * `lint`: its first line about undefined behaviour. `claim`: the first claim that some input refutes.
 */
#define SCORE_PROGRAMS_MAX 256u
struct score_program {
    char name[64];
    char what[256]; /* the mistake: the first line of its text */
    char from[200]; /* where it was seen */
    char lint[280], claim[176];
    uint64_t failed, inputs;
    double seconds; /* of both */
};
/* Right programs: all others below the folder's parent; how many claims they have, and how many of these are
 * refuted. */
struct score_control {
    size_t programs, claims, refuted, faults;
};
/* Runs the checks on every program of the folder, in the order of their names. -1 with one line in `error`. */
int score_programs(const char *folder, struct score_program *programs, size_t room, struct score_control *control,
                   struct error *error);
bool score_program_caught(const struct score_program *program);

/*
 * Methods side by side, as text: when each found each hand-written mutant (the median, "> LIMIT" where most runs missed
 * it), how many were found within a time and the course of that, and how likely a run of one is sooner than a run of
 * another (Vargha and Delaney's A12). Nothing where fewer than two checks were measured.
 */
void score_compare(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan);
/* How likely a run of `x` is sooner than a run of `y`; two that miss are equal, as two of one time are. */
double score_a12(const struct score_result *x, const struct score_result *y);

/* The tables as Markdown. */
void score_report(FILE *out, const struct score_subject *subjects, size_t count, const struct score_plan *plan);
void score_report_programs(FILE *out, const struct score_program *programs, size_t count,
                           const struct score_control *control);

#endif
