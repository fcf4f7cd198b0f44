/*
 * A campaign: one reference, the implementations under check, the stages that they go through, and a verdict.
 *
 * The commands run, cross, exhaust and batch are campaigns with other stages. A stage that needs a part above this
 * folder (a fuzzing engine, the prover) is handed in. Nothing here prints a report: a view shows what happens, and who
 * asked for the campaign prints its end.
 *
 * A verdict is earned: each stage that was asked for says that it ran to its end, or why not; "all agree" needs all of
 * them, and at least one compared case of every implementation under check.
 */
#ifndef WARPCHECK_CHECK_CAMPAIGN_H
#define WARPCHECK_CHECK_CAMPAIGN_H

#include "base/error.h"
#include "check/campaign/causes.h"
#include "check/enumerate.h"
#include "check/checker.h"
#include "check/filter.h"

#define STAGES_MAX 16u
#define NOTES_MAX  64u

/* Kinds of check that count cases; each is a column of the final table. */
enum kind { KIND_ENUMERATE, KIND_REPLAY, KIND_RECORDED, KIND_RANDOM, KIND_BATCH, KINDS };
extern const char *const kind_names[KINDS];

struct subject {
    const char *option; /* the name on the command line */
    const struct warp_impl *impl;
    struct findings_source source;
    struct checker kinds[KINDS];
    uint32_t left_out; /* once it is closed: subject_left_out */
};

struct campaign;

/* A kind of check. New ones are lines of a table of these. */
struct stage {
    const char *name;
    const char *what;
    /*
     * Runs the stage and returns true when it ran to its end. Errors: ERROR_UNAVAILABLE when this build or machine
     * lacks what the stage needs; ERROR_INTERRUPTED and ERROR_TIMEOUT when it was ended early; any other error when it
     * could not be done.
     */
    bool (*run)(struct campaign *campaign, struct error *error);
    /* Has it anything to do for these implementations and options? False with a clause that says why not. NULL: always.
     */
    bool (*wanted)(const struct campaign *campaign, struct error *why);
    enum kind kind; /* the column that it counts in; KINDS: it counts otherwise */
    bool of_files;  /* what it asks is what files hold: none of it may concern these implementations and options */
};
extern const struct stage stage_enumerate, stage_replay, stage_recorded, stage_random, stage_batches;

enum stage_state {
    STAGE_RAN,
    STAGE_UNAVAILABLE, /* counts as not asked for; it is named in the verdict */
    STAGE_LEFT_OUT,    /* the same: it has nothing to do for these implementations and options */
    STAGE_NOTHING,     /* it went on to its end and compared nothing of an implementation under check */
    STAGE_UNFINISHED,
    STAGE_FAILED,
    STAGE_NOT_RUN /* the campaign ended before it */
};
const char *stage_state_name(enum stage_state state);

struct stage_report {
    const struct stage *stage;
    enum stage_state state;
    struct error why;  /* set for every state but STAGE_RAN */
    uint64_t compared; /* cases, or whatever else the stage counts */
    const char *unit;
    double seconds;
};

/* What one enumeration gave, over all subjects. */
struct enumeration_tally {
    const struct enumeration *enumeration;
    uint64_t compared, not_accepted, mismatches;
    double seconds;
    bool whole; /* every case was offered */
};

/* What shows a campaign to people while it runs. NULL, also of a member: nothing does. */
struct campaign_view {
    /* Progress of long work: begin, go on (called often; total 0: unknown; seconds 0: no limit), end. */
    void (*began)(const char *label, const char *unit);
    void (*progress)(uint64_t done, uint64_t total, double seconds, uint64_t mismatches);
    void (*over)(void);
    void (*enumerated)(const struct enumeration_tally *tally);
    void (*unreadable)(const struct error *error); /* a file does not hold a case */
    void (*stage_ended)(const struct stage_report *report);
};

/* How recordings of devices are read; gpu/ does it. */
struct recording_reader {
    const struct warp_impl *(*open)(const char *path, struct error *error);
    size_t (*count)(const struct warp_impl *device);
    void (*get)(const struct warp_impl *device, size_t index, struct warp_case *c);
};

struct campaign {
    const char *reference_option;
    const struct warp_impl *reference; /* accepts what the filter lets through */
    const struct warp_impl *opened;    /* the one behind it */
    struct filtered filtered;
    struct subject *subjects; /* SUBJECTS_MAX */
    size_t count;
    struct checker own[KINDS]; /* compares the reference with the expectations of files and the answers of devices */

    /* What to do. */
    struct findings *findings; /* check/campaign/findings.h; opened before the campaign */
    const char *out;           /* where they are kept */
    const char *program;       /* with which the commands begin that show them again */
    const struct campaign_view *view;
    const struct recording_reader *recordings_by; /* NULL: recordings cannot be read */
    uint64_t seed;
    double seconds;
    uint64_t cases;                  /* of the random stage; 0: as many as fit into `seconds` */
    uint32_t families;               /* bit set */
    struct case_filter filter;       /* cases that do not pass are counted as not accepted by the reference */
    const char *const *enumerations; /* their names; all of the families when there is none */
    size_t enumerations_count;
    const char *corpus;  /* NULL: none */
    const char *crashes; /* NULL: none */
    bool one_trial;      /* run only this batch */
    uint64_t trial;
    bool json;
    bool proofs;     /* the catalogue of properties as well, where Z3 was built in */
    bool every_fast; /* the subjects from "fast" on are those of "fast-all": a fuzz target asks them together */

    /* Results, filled in as the campaign goes on. */
    struct stage_report reports[STAGES_MAX];
    size_t reports_count;
    double start;
    uint64_t files, other_files, recording_files, recordings, recorded_cases, expectations;
    uint64_t unreadable; /* files that are no cases: exit status 2 */
    uint64_t random_cases;
    /* An enumeration or recording was not asked to its end, because a pipe is slow: a note says how far. */
    bool sampled;
    uint64_t batches;
    uint64_t fuzzed_checks, fuzzed_mismatches; /* by the engine: in no column of the table */
    uint64_t properties, properties_expected;  /* tried; with the verdict that is expected */
    char notes[NOTES_MAX][200];                /* lines for the report: what was left out, and why */
    size_t notes_count;
    char lacking[NOTES_MAX][200]; /* what this build or machine does not have, by name */
    size_t lacking_count;
    bool unkept;        /* a finding could not be kept: exit status 2 */
    bool ended;         /* an implementation could not answer, or a finding could not be kept: no further stage */
    struct error error; /* then: why */
};

/* Opens the implementations. False with one line. */
bool campaign_open(struct campaign *campaign, const char *reference, const char *const *options, size_t count,
                   struct error *error);
/*
 * Closes the implementations; call it before the report. An implementation that does not end as it should is a failure
 * of the campaign, and its notes are added to the campaign's. Names stay valid.
 */
void campaign_end(struct campaign *campaign);
void campaign_close(struct campaign *campaign);

/* Runs the stages in order; after one that ends the campaign and after Ctrl-C the others are reported as not run. */
void campaign_run(struct campaign *campaign, const struct stage *const *stages, size_t count);

/*
 * Ends the campaign because an implementation could not answer, and keeps the case on which a plugin crashed as a
 * finding. Always returns false with one line; the code is ERROR_INTERRUPTED when the person ended the program (Ctrl-C
 * also ends a pipe's process).
 */
bool campaign_unanswered(struct campaign *campaign, const char *option, const struct warp_impl *impl,
                         const struct error *why, struct error *error);

/* Reports what was gathered. False with one line: one could not be kept, which ends the campaign. */
bool campaign_report(struct campaign *campaign, struct error *error);
/* Ends the campaign because a finding could not be kept. Always returns false. */
bool campaign_unkept(struct campaign *campaign, const struct error *error);

/* Adds a line to the report: what was done or left out, and why; the second function, what is UNAVAILABLE here. */
void campaign_note(struct campaign *campaign, const char *format, ...) PRINTF_LIKE(2, 3);
void campaign_lacks(struct campaign *campaign, const char *format, ...) PRINTF_LIKE(2, 3);

/* Checks that the folder for reproducers can be written, creating it. False with one line. */
bool campaign_folder(const char *dir, struct error *error);

/* Do all implementations answer each case by itself, from several threads at once? */
bool campaign_is_stateless(const struct campaign *campaign);

/*
 * Offers the cases to all subjects, but for those of which `make` says false. Counts go to the column `kind`; `made`
 * receives the number of cases. Reaching the limit of `seconds` (0: no limit) ends the sweep and is no error.
 */
bool campaign_sweep(struct campaign *campaign, enum kind kind, const char *label,
                    bool (*make)(const void *context, uint64_t index, struct warp_case *c), const void *context,
                    uint64_t count, double seconds, uint64_t *made, struct error *error);

/* Sums over all subjects. */
struct checker_counts campaign_family(const struct campaign *campaign, enum kind kind, enum warp_family family);
struct checker_counts campaign_total(const struct campaign *campaign);
/* The same without the comparisons of the reference itself. */
struct checker_counts campaign_asked(const struct campaign *campaign);
struct checker_counts subject_total(const struct subject *subject);
uint64_t subject_not_accepted(const struct subject *subject);
/* Parts of a result (WARP_PART_...) that the compared forms have, and that were not compared because the reference or
 * the subject does not provide them. */
uint32_t subject_left_out(const struct subject *subject);

/* Bit sets of enum warp_form: the forms of which the subject was offered cases and accepted none; those of which some
 * subject answered a case; and those that some subject refused. */
uint64_t subject_forms_refused(const struct subject *subject);
uint64_t campaign_forms_compared(const struct campaign *campaign);
uint64_t campaign_forms_refused(const struct campaign *campaign);

enum verdict {
    VERDICT_AGREE,            /* every case that was offered was compared */
    VERDICT_AGREE_PARTLY,     /* some were not accepted, or parts of their results are not provided */
    VERDICT_MISMATCH,         /* at least one mismatch */
    VERDICT_FAILED,           /* a stage could not be done, or an implementation could not answer */
    VERDICT_INTERRUPTED,      /* by a person */
    VERDICT_UNREADABLE,       /* a file does not hold a case */
    VERDICT_NOT_KEPT,         /* a finding could not be written */
    VERDICT_NOT_ALL_PROVED,   /* a property has another verdict than is expected */
    VERDICT_UNFINISHED,       /* a stage ran out of time */
    VERDICT_NOTHING_COMPARED, /* some implementation under check was never compared */
};
enum verdict campaign_verdict(const struct campaign *campaign);
const char *verdict_name(enum verdict verdict);

#endif
