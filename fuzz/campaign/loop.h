/*
 * A campaign: some engine processes over one target, watched until time is up, stopped in order.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_LOOP_H
#define WARPCHECK_FUZZ_CAMPAIGN_LOOP_H

#include "fuzz/campaign/job.h"

#define LOOP_JOBS_MAX     64u
#define LOOP_KNOWN_MAX    1024u
#define LOOP_RESTARTS_MAX 20u /* of one job, after crashes */

/* A campaign is over this long after its time is up, the engines' end apart (job_stop_all), or after one and a half of
 * the plan's limits and two seconds where that is more: for the last input that ended a target. */
#define LOOP_GRACE_SECONDS 5.0

/* Sums over the jobs. */
struct loop_totals {
    uint64_t executions, checks, refused, mismatches, duplicates, skipped;
    uint64_t hits[COVERAGE_BUCKETS];
    unsigned running, restarts;
};

struct loop_finding {
    const char *folder;  /* absolute */
    const char *line;    /* what it is, in one line */
    const char *command; /* that replays it */
};

struct loop {
    struct job_plan plan;
    unsigned jobs_count;
    double seconds; /* 0: until stopped */
    void *context;
    bool (*stop)(void *context);                                            /* asked often */
    void (*tick)(void *context, const struct loop *loop, double elapsed_s); /* about ten times a second */
    void (*finding)(void *context, const struct loop_finding *finding);     /* each new one, once, when it is on disk */
    void (*note)(void *context, const char *line);

    /* Results. */
    struct job jobs[LOOP_JOBS_MAX];
    struct loop_totals totals;
    uint64_t findings;       /* new ones */
    uint64_t known_before;   /* folders that were there at the start */
    uint64_t crashes;        /* known ones too; what the target saw itself (of a plugin) is a mismatch instead */
    uint64_t unkept;         /* findings that could not be written; `note` was told of the first */
    uint64_t unkept_crashes; /* the same of crashes; each was noted */
    size_t collected;        /* inputs that AFL++ added to the corpus */
    uint64_t undecided;      /* inputs that ended the target and were not looked at, for want of time */
    double start, stopped;   /* on clock_seconds()'s clock; 0: not yet */
    double elapsed_s;
    char known[LOOP_KNOWN_MAX][128];
    size_t known_count;
};

/* Runs the campaign. False with one line in `error` when it could not start, or an engine ended by itself. */
bool loop_run(struct loop *loop, char *error, size_t error_size);

/* How many buckets of the families (bit set) were hit, and how many some case can hit. */
struct loop_buckets {
    size_t hit, reachable, unreachable;
};
struct loop_buckets loop_buckets(const struct loop_totals *totals, uint32_t families);

#endif
