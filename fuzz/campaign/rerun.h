/*
 * An input looked at again, in a process of its own: what is wrong on it, reduced and kept; and on which case the
 * implementation ends, if it does.
 *
 * The process asks case by case and says in shared memory what it asks, so that whoever waits for it knows the case
 * when it does not come back. It is started anew behind that case until the input was looked at whole.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_RERUN_H
#define WARPCHECK_FUZZ_CAMPAIGN_RERUN_H

#include "check/finding.h"
#include "fuzz/campaign/job.h"

#include <stdatomic.h>

#define EXAMINED_MAX   32u /* findings of one input */
#define EXAMINED_SORTS 512u
#define EXAMINED_NAME  64u

/* What was found, for the campaign. */
struct rerun_finding {
    enum finding_kind kind;
    bool kept, existed;           /* kept in `path`; else `error` says why not */
    bool unsure;                  /* as in struct finding */
    char path[FILE_PATH_MAX];     /* its folder */
    char observed[EXAMINED_NAME]; /* which of several variants shows it; "" where there is one implementation */
    char line[FINDING_LINE_MAX];
    char error[512];
};

/* The memory that both processes share. What an implementation did to it is checked before it is used. */
struct examination {
    _Atomic uint64_t since_us; /* when the call began in which the process is; 0: in none */
    _Atomic uint64_t asks;     /* calls */
    struct warp_case c;        /* its case, or the first of them */
    char observed[EXAMINED_NAME];
    _Atomic uint64_t slowest_us;
    _Atomic unsigned step;  /* what is looked at: the number of a case, a law, a run of the program */
    _Atomic bool reducing;  /* what was wrong there */
    _Atomic unsigned wrong; /* things that were seen wrong, those that were passed over too */
    _Atomic bool unsure;    /* a case was answered wrongly, and rightly when it was asked again */
    _Atomic unsigned count;
    struct rerun_finding found[EXAMINED_MAX];
    uint64_t sorts[EXAMINED_SORTS]; /* of all inputs: sorts of mismatches that were reduced, as in struct fuzz_status */
};

/* What a child does: looks at the input from step `from` on; with `reduce`, makes smaller what is wrong in that first
 * step. Without a path: asks cases alone, to see how long they take. Does not return. */
_Noreturn void examine(const struct job_plan *plan, const char *path, unsigned from, bool reduce,
                       struct examination *shared);

/* A variant's name as signatures have it: "avx2" of "fast-avx2", another as it is; NULL of "". */
const char *rerun_variant(const char *name);

struct rerun {
    const struct job_plan *plan;
    struct examination *shared; /* NULL until the first input */
    char path[FILE_PATH_MAX];   /* of the input; "": how long cases take */
    pid_t pid;                  /* 0: nothing is looked at */
    unsigned from, endings, hangs;
    unsigned reported; /* findings of the child that were told */
    bool reduce;
    double started;
    double (*limit_s)(const struct job_plan *plan, double slowest_s);
    /* Told of each finding, when it is on disk or could not be written. */
    void (*found)(void *context, const struct rerun_finding *finding);
    void *context;
    /* Of the input: */
    unsigned findings, endings_found;
    char trouble[512]; /* why it could not be looked at whole; "": it was */
};

/* Sets up; nothing is started. Memory is freed by rerun_end. */
void rerun_init(struct rerun *r, const struct job_plan *plan,
                void (*found)(void *context, const struct rerun_finding *finding), void *context);
/* Begins with an input ("": how long cases take). False: no process or memory, `trouble`. */
bool rerun_begin(struct rerun *r, const char *path);
/* Watches it; call it often. True when the input was looked at. */
bool rerun_poll(struct rerun *r);
/* rerun_begin, and rerun_poll until it is done or `end` (clock_seconds) has come. False: not done, given up. */
bool rerun_whole(struct rerun *r, const char *path, double end);
/* Gives up what is being looked at. */
void rerun_stop(struct rerun *r);
void rerun_end(struct rerun *r);

/*
 * An input that ended the target, or of which only the target can say what is wrong with it, kept as it is: `line` (a
 * file "INPUT.line", which the target wrote) has its name and what it said, else `name` is the name. `unsure`: it
 * showed nothing when it was looked at again.
 */
void rerun_keep_input(struct rerun *r, const char *path, const char *name, const char *what, bool unsure);

#endif
