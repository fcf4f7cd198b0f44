/*
 * Examines an input in a process of its own: finds what is wrong on it, reduces and keeps that; and finds the case on
 * which the implementation ends, if it does.
 *
 * A plugin has another process, so that the one that examines is not touched by it. What is built in runs in the one
 * that examines. That asks case by case and says in shared memory what it asks, so that its parent knows the case when
 * it does not come back. The parent then starts it again behind that case, until the whole input was examined.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_RERUN_H
#define WARPCHECK_FUZZ_CAMPAIGN_RERUN_H

#include "check/finding.h"
#include "fuzz/campaign/job.h"

#include <stdatomic.h>

#define EXAMINED_MAX      32u /* findings of one input */
#define EXAMINED_SORTS    512u
#define EXAMINED_NAME     64u

#define RERUN_ENDINGS_MAX 8u /* of one input, after which the rest of it is left */
#define RERUN_HANG_WEIGHS 4u /* a hang counts as so many endings */

/* A finding, as the child reports it to the campaign. */
struct rerun_finding {
    enum finding_kind kind;
    bool kept, existed;           /* kept in `path`; else `error` says why not */
    bool unsure;                  /* as in struct finding */
    char path[FILE_PATH_MAX];     /* its folder */
    char observed[EXAMINED_NAME]; /* which of several variants shows it; "" where there is one implementation */
    char line[FINDING_LINE_MAX];
    char error[512];
};

/* The memory that both processes share. The implementation may have damaged it, so the parent checks it before use. */
struct examination {
    _Atomic uint64_t since_us; /* when the current call began; 0: the process is in no call */
    _Atomic uint64_t asks;     /* calls */
    _Atomic uint64_t answered; /* cases of this input; 0: nothing of it was compared */
    struct warp_case c;        /* its case, or the first of them */
    char observed[EXAMINED_NAME];
    _Atomic uint64_t slowest_us;
    _Atomic unsigned step;  /* what is being examined: the number of a case, a law, a run of the program */
    _Atomic bool reducing;  /* the process is reducing what was wrong at that step */
    _Atomic unsigned wrong; /* failures that were seen, including those that were passed over */
    _Atomic bool unsure;    /* a case was answered wrongly, and rightly when it was asked again */
    _Atomic unsigned count;
    struct rerun_finding found[EXAMINED_MAX];
    uint64_t sorts[EXAMINED_SORTS]; /* of all inputs: sorts of mismatches that were reduced, as in struct fuzz_status */
};

/* The work of the child: examines the input from step `from` on; with `reduce`, reduces what is wrong in that first
 * step. Without a path it asks cases one at a time, to measure how long they take. Does not return. */
_Noreturn void examine(const struct job_plan *plan, const char *path, unsigned from, bool reduce,
                       struct examination *shared);

/* Keeps a finding of the implementation `observed` ("": there is only one), and fills in what is reported of it. */
void rerun_keep(const struct job_plan *plan, const struct finding *f, const char *observed, finding_shows_fn shows,
                void *context, struct rerun_finding *found);

/* A variant's name as signatures have it: "avx2" of "fast-avx2", another as it is; NULL of "". */
const char *rerun_variant(const char *name);

/* May the input merely have been slow, on a busy machine? One that timed out is no finding when it is answered now. */
bool rerun_may_be_slow(const char *path);

struct rerun {
    const struct job_plan *plan;
    struct examination *shared; /* NULL until the first input */
    char path[FILE_PATH_MAX];   /* of the input; "": it measures how long cases take */
    pid_t pid;                  /* 0: nothing is being examined */
    unsigned from, endings, hangs;
    unsigned reported; /* number of the child's findings that were passed on */
    bool reduce;
    double started;
    double (*limit_s)(const struct job_plan *plan, double slowest_s);
    /* Called for each finding, when it is on disk or could not be written. */
    void (*found)(void *context, const struct rerun_finding *finding);
    void *context;
    /* About the current input: */
    unsigned findings, endings_found;
    char trouble[512]; /* why it could not be examined to its end; "": it was */
};

/* Sets up; nothing is started. Memory is freed by rerun_end. */
void rerun_init(struct rerun *r, const struct job_plan *plan,
                void (*found)(void *context, const struct rerun_finding *finding), void *context);
/* Begins to examine an input ("": measures how long cases take). Returns false when there is no process or memory;
 * `trouble` says why. */
bool rerun_begin(struct rerun *r, const char *path);
/* Watches the child; call it often. Returns true when the input was examined. */
bool rerun_poll(struct rerun *r);
/* Calls rerun_begin, then rerun_poll until the input was examined, `end` (clock_seconds) has come, or `stop` (may be
 * NULL) says so. Returns false when it was given up. */
bool rerun_whole(struct rerun *r, const char *path, double end, bool (*stop)(void));
/* Gives up the current input. */
void rerun_stop(struct rerun *r);
void rerun_end(struct rerun *r);

/*
 * Keeps an input as it is: one that ended the target, or one that only the target can judge. `line` is a file
 * "INPUT.line", which the target wrote, with the finding's name and line; without it `name` is the name. `unsure` says
 * that it showed nothing when it was examined again.
 */
void rerun_keep_input(struct rerun *r, const char *path, const char *name, const char *what, bool unsure);

#endif
