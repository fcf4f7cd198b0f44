/*
 * A campaign: engine processes over one target, watched until the time is up and then stopped in order.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_LOOP_H
#define WARPCHECK_FUZZ_CAMPAIGN_LOOP_H

#include "fuzz/campaign/rerun.h"

#define LOOP_JOBS_MAX     64u
#define LOOP_KNOWN_MAX    1024u
#define LOOP_RESTARTS_MAX 20u /* of one job, after crashes */

/*
 * How long a campaign may examine inputs after its time is up (the end of the engines apart: job_stop_all). One and a
 * half of the plan's limits and two seconds apply instead when that is longer: enough for the last input that ended a
 * target.
 */
#define LOOP_GRACE_SECONDS 5.0

/* Sums over the jobs. */
struct loop_totals {
    uint64_t executions, checks, refused, mismatches, skipped;
    uint64_t hits[COVERAGE_BUCKETS];
    size_t pairs; /* of features, that some job reached */
    unsigned running, restarts;
};

struct loop_finding {
    enum finding_kind kind;
    const char *folder;   /* absolute */
    const char *line;     /* the finding in one line */
    const char *command;  /* the command that replays it */
    const char *observed; /* whose: one of the implementations under test */
    bool known;           /* it was kept before this campaign */
    bool fleeting;        /* a wrong answer that did not show again: only the campaign may come upon it */
};

/* An input that waits to be examined. */
struct waiting {
    char path[FILE_PATH_MAX];
    bool ended; /* it ended the target */
    bool left;  /* by an earlier campaign */
};

struct loop {
    struct job_plan plan;
    unsigned jobs_count;
    double seconds;    /* 0: until stopped */
    double patience_s; /* how much longer it may take until something was checked */
    bool is_race;      /* only when the first wrong answer came is asked for: it is not examined in the end */
    void *context;
    bool (*stop)(void *context);                                            /* asked often */
    void (*tick)(void *context, const struct loop *loop, double elapsed_s); /* about ten times a second */
    void (*finding)(void *context, const struct loop_finding *finding);     /* each one, once, when it is on disk */
    void (*note)(void *context, const char *line);

    /* Results. */
    struct job jobs[LOOP_JOBS_MAX];
    struct loop_totals totals;
    uint64_t findings;     /* new ones */
    uint64_t known_before; /* findings that were met again and had been kept before this campaign */
    uint64_t crashes;      /* cases that were not answered, known ones too; inputs that ended the target once */
    uint64_t unkept;       /* findings that could not be written; `note` was told of the first */
    size_t collected;      /* inputs that AFL++ added to the corpus */
    uint64_t undecided;    /* inputs that show something and were not examined, because the time was up */
    unsigned stuck;        /* jobs that did nothing any more and were killed; `note` was told */
    uint64_t outdated;     /* inputs that an earlier campaign left and that show nothing now */
    bool unlisted;         /* a folder of such inputs could not be read the last time */
    double start, stopped; /* on clock_seconds()'s clock; 0: not yet */
    double elapsed_s;

    /* Private to the campaign. */
    unsigned started; /* jobs */
    struct rerun rerun;
    struct waiting waiting; /* the input that is being examined */
    uint64_t looked_at, unwritten;
    uint64_t known[LOOP_KNOWN_MAX]; /* hashes of the folders that were met */
    size_t known_count;
};

/* The command that shows a kept finding again. `seconds` is the time limit of the campaign that found it. */
#define LOOP_COMMAND_MAX (4u * (4u * FILE_PATH_MAX + 256u))
void loop_command(const struct job_plan *plan, double seconds, const struct rerun_finding *f,
                  char command[LOOP_COMMAND_MAX]);

/* Runs the campaign. False with one line in `error` when it could not start, or an engine ended by itself. */
bool loop_run(struct loop *loop, struct error *error);

/* How many buckets of the families (bit set) were hit, and how many some case can hit. */
struct loop_buckets {
    size_t hit, reachable, unreachable;
};
struct loop_buckets loop_buckets(const struct loop_totals *totals, uint32_t families);

#endif
