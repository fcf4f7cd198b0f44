/*
 * Fuzzing engines as child processes: builds their targets, starts and stops them, and finds what they leave.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_JOB_H
#define WARPCHECK_FUZZ_CAMPAIGN_JOB_H

#include "base/process.h"
#include "fuzz/campaign/plan.h"
#include "fuzz/status.h"

const char *engine_name(enum engine engine);
bool engine_find(const char *name, enum engine *engine);

/*
 * Makes sure that the engine's target is built (NULL: all are), saying so on standard error when it takes time, and
 * writes the folder that holds them. False with one clear line in `error` when they cannot be (compiler not installed,
 * sources not here).
 */
bool engine_prepare(enum engine engine, const char *target, char folder[JOB_PATH_MAX], struct error *error);

/*
 * Begins to build the one target in the background, at a low priority: engine_prepare then waits for that. False when
 * they cannot be built here, with a clause that says why: no compiler for the engine, no sources, or told not to
 * (WARPCHECK_FUZZ_BUILD=0).
 */
bool engine_begin(enum engine engine, const char *target, struct error *error);

/* Have the engine's targets been built before? They may be older than the sources. */
bool engine_built(enum engine engine);

/* How a job came to its end when the campaign was over. */
enum job_stop {
    JOB_STOPPED, /* it ended when it was asked to, or had ended before */
    JOB_KILLED,  /* it did not, but went on with its work */
    JOB_STUCK    /* it did nothing any more */
};

struct job {
    const struct job_plan *plan;
    unsigned number; /* from 0; AFL++: 0 is the main instance */
    pid_t pid;       /* 0: not running */
    unsigned restarts;
    uint64_t progress; /* of its counters, when it was looked at last, */
    double moved;      /* and when they last changed (clock_seconds) */
    bool has_moved;    /* since it was started */
    enum job_stop stop;
    uint64_t lost;      /* of its counters, when job_keep_lost looked last */
    unsigned lost_kept; /* inputs that it kept */
    char status_path[JOB_PATH_MAX + 64];
    char log_path[JOB_PATH_MAX + 64];
    char artifacts[JOB_PATH_MAX + 64]; /* folder for inputs that crash or hang */
    struct fuzz_status *status;        /* NULL until the target has made it */
};

/* Starts the engine with new counters, or after a crash with the counters that it has. */
bool job_start(struct job *job, const struct job_plan *plan, unsigned number, struct error *error);
bool job_restart(struct job *job, struct error *error);
/* The counters, as soon as there are any. */
struct fuzz_status *job_status(struct job *job);
/* How libFuzzer ends after a crash and after a hang. */
enum { JOB_CRASH_STATUS = 77, JOB_HANG_STATUS = 70 };
/* False once the process has ended; `*end` then says how. */
bool job_running(struct job *job, struct process_end *end);
/*
 * Does it do nothing any more? libFuzzer's process holds the implementation, which may have taken from it every means
 * to notice that: signals, threads, its program. So it is looked at from outside, by its counters. Call it often.
 */
bool job_is_stuck(struct job *job);
/*
 * Asks the engines to end, waits 3 seconds at most, then kills them; `stop` then says of each how it ended. One that is
 * in the midst of an input gets as long as an input may take, and the input is kept for examination when that was not
 * enough.
 */
void job_stop_all(struct job *jobs, unsigned n);
/* Frees a job whose process does not run. */
void job_close(struct job *job);

/* AFL++: copies what its instances found into the working corpus. Returns how many inputs are new. */
size_t job_collect_corpus(const struct job_plan *plan);

/* The folders with inputs of a job that the campaign must examine. */
#define JOB_FOLDERS 5u
struct job_folders {
    char path[JOB_FOLDERS][JOB_PATH_MAX + 128];
    bool ended[JOB_FOLDERS]; /* its inputs ended the target */
    bool left[JOB_FOLDERS];  /* an earlier campaign left them (plan_set_apart) */
    size_t count;
};
void job_folders(const struct job *job, struct job_folders *folders);

/* AFL++ does not take exit() for a crash. Writes the input during whose check the process exited. */
void job_keep_lost(struct job *job);

/* Writes the input that a libFuzzer job was checking when it ended or was ended, where the engine keeps none. Returns
 * false when that input is not known. */
bool job_keep_asked(struct job *job);

#endif
