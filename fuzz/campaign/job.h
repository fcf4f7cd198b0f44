/*
 * Fuzzing engines as child processes: builds their targets, starts and stops them, and finds what they leave.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_JOB_H
#define WARPCHECK_FUZZ_CAMPAIGN_JOB_H

#include "base/process.h"
#include "fuzz/campaign/target.h"
#include "fuzz/mutator.h"
#include "fuzz/status.h"

#define JOB_PATH_MAX 4096u

enum engine { ENGINE_LIBFUZZER, ENGINE_AFL };
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

/* What a campaign runs. The strings live as long as its jobs. */
struct job_plan {
    enum engine engine;
    const char *targets;        /* folder, from engine_prepare */
    const char *target;         /* "fuzz_shfl_sync" */
    uint32_t families;          /* 0: all that the target has */
    const char *impl;           /* as WARPCHECK_FUZZ_IMPL */
    const char *work;           /* absolute: corpus, inputs, logs, counters of the campaign */
    const char *findings;       /* absolute */
    const char *seeds;          /* folder of inputs to begin with, or NULL */
    const char *program;        /* absolute path of warpcheck */
    uint64_t seed;              /* 0: the engine chooses */
    unsigned derived;           /* relatives of each case */
    bool stop_at_first;         /* end at the first mismatch instead of going on */
    unsigned limit_ms;          /* a case that takes longer alone hangs; 0: PLAN_LIMIT_LEAST_MS */
    unsigned jobs;              /* how many run together */
    bool slow;                  /* long calls would take too long */
    bool traced;                /* the implementation was compiled for coverage, which leads the engine */
    const char *const *options; /* further ones of the engine, ended by NULL; or NULL */
};

/*
 * Where the implementation was compiled for coverage, every second job has the engine itself change the bytes, with
 * what it knows of values that the code compares (libFuzzer's value profile, AFL++'s CMPLOG). A job alone takes turns,
 * as far as the engine can.
 */
enum mutator_way plan_way(const struct job_plan *plan, unsigned job);

/* The limit of a call in milliseconds. WARPCHECK_PLUGIN_TIMEOUT_MS in the environment is it where it is set. */
#define PLAN_LIMIT_LEAST_MS 1500u
unsigned plan_limit_ms(const struct job_plan *plan);
/* The limit in the environment; 0: none is given (what is no number is refused by the target). */
unsigned plan_given_limit_ms(void);

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

/* Makes the folders of a plan; false with one line in `error`. */
bool plan_make_folders(const struct job_plan *plan, struct error *error);
/*
 * Sets the inputs apart that a campaign before this one wrote and did not examine: what they showed may have been
 * another implementation, or this one before it was mended. What cannot be moved stays with this campaign's own.
 */
void plan_set_apart(const struct job_plan *plan);
/* Gives such an input to libFuzzer's target again, which alone can judge it. False: it stays where it is. */
bool plan_ask_again(const struct job_plan *plan, const char *path);
/* The folder of the working corpus, which both engines fill. */
void plan_corpus(const struct job_plan *plan, char path[JOB_PATH_MAX + 64]);

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
