/*
 * A campaign: one reference, the implementations under check, and the stages that a run goes through.
 */
#ifndef WARPCHECK_CLI_WORK_CAMPAIGN_H
#define WARPCHECK_CLI_WORK_CAMPAIGN_H

#include "cli/work/findings.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"

#define SUBJECTS_MAX 16u
#define NOTES_MAX    64u

/* Kinds of check that count cases; each is a column of the final table. */
enum kind { KIND_ENUMERATE, KIND_REPLAY, KIND_RECORDED, KIND_RANDOM, KIND_BATCH, KINDS };

struct subject {
    const char *option; /* the name it was asked for by */
    const struct warp_impl *impl;
    struct findings_source source;
    struct checker kinds[KINDS];
};

struct campaign {
    const char *reference_option;
    const struct warp_impl *reference;
    struct subject *subjects; /* SUBJECTS_MAX */
    size_t count;
    struct checker own[KINDS]; /* the reference itself against what files expect and devices answered */
    struct findings findings;

    /* What to do. */
    uint64_t seed;
    double seconds;
    uint64_t cases;      /* of the random stage; 0: as many as fit into `seconds` */
    uint32_t families;   /* bit set */
    const char *corpus;  /* NULL: none */
    const char *crashes; /* NULL: none */
    const char *only;    /* one enumeration, or NULL */
    bool one_trial;      /* of the batches, this one alone */
    uint64_t trial;
    bool json;
    bool proofs; /* the catalogue of properties as well, where Z3 was built in */

    /* What happened. */
    double start;
    uint64_t files, other_files, recordings, expectations;
    uint64_t unreadable; /* files that are no cases: exit status 2 */
    uint64_t random_cases;
    uint64_t batches;
    uint64_t fuzzed_checks, fuzzed_mismatches; /* by the engine: in no column of the table */
    bool unproved;                             /* some property was not tried, or has another verdict than expected */
    uint64_t properties, properties_expected;  /* tried; with the verdict that is expected */
    char notes[NOTES_MAX][200];                /* lines for the report: what was left out, and why */
    size_t notes_count;
    bool failed; /* an implementation could not answer */
    char error[400];
};

/* One stage of a run. New kinds of check (a fuzzing engine, proofs) are lines of a table of these. */
struct stage {
    const char *name;
    const char *what;
    bool (*run)(struct campaign *campaign);          /* false: the campaign cannot go on; error says why */
    bool (*wanted)(const struct campaign *campaign); /* NULL: always */
};
extern const struct stage stage_enumerate, stage_replay, stage_recorded, stage_random, stage_batches, stage_fuzz,
    stage_prove;

/* Opens the implementations. False with one line on standard error. */
bool campaign_open(struct campaign *campaign, const char *reference, const char *const *options, size_t count,
                   const char *out);
void campaign_close(struct campaign *campaign);

/*
 * An implementation could not answer: the campaign ends, and what a plugin crashed on is kept as a finding. Always
 * false, but true where the person ended it (Ctrl-C ends a pipe's process as well).
 */
bool campaign_unanswered(struct campaign *campaign, const char *option, const struct warp_impl *impl,
                         const char *error);

/* Adds a line to the report: what was not done, and why. */
void campaign_note(struct campaign *campaign, const char *format, ...) PRINTF_LIKE(2, 3);

/* Checks that the folder for reproducers can be written, creating it. False with one line on standard error. */
bool campaign_folder(const char *dir);

/* Sweeps the cases over all subjects; counts go to the kind. */
bool campaign_sweep(struct campaign *campaign, enum kind kind, const char *label,
                    void (*make)(const void *context, uint64_t index, struct warp_case *c), const void *context,
                    uint64_t count, double seconds, uint64_t *made);

/* The `make` whose context is a struct enumeration. */
void campaign_make_enumerated(const void *context, uint64_t index, struct warp_case *c);

/* Runs the stages in order until one fails or Ctrl-C; prints a line for each. */
void campaign_run(struct campaign *campaign, const struct stage *const *stages, size_t count);

/* The final table, reasons and verdict, or the JSON. Returns the exit status. */
int campaign_finish(struct campaign *campaign, const char *command);

/* Sums over subjects, for the tables. */
struct checker_counts campaign_family(const struct campaign *campaign, enum kind kind, enum warp_family family);
struct checker_counts campaign_total(const struct campaign *campaign);
uint64_t subject_not_accepted(const struct subject *subject);
uint64_t subject_unanswered(const struct subject *subject);
int campaign_status(const struct campaign *campaign);
const char *campaign_verdict(const struct campaign *campaign);
extern const char *const kind_names[KINDS];
void campaign_json(const struct campaign *campaign, const char *command);

#endif
