/*
 * The plan of a campaign: which engine runs which target, on which implementation, and where its files lie.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_PLAN_H
#define WARPCHECK_FUZZ_CAMPAIGN_PLAN_H

#include "base/error.h"
#include "fuzz/campaign/target.h"
#include "fuzz/mutator.h"

#include <dirent.h>

#define JOB_PATH_MAX   4096u
#define PLAN_INPUT_MAX ((size_t)1 << 20) /* bytes of an input */

enum engine { ENGINE_LIBFUZZER, ENGINE_AFL };

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
    bool bytes;                 /* the engine itself changes the bytes in every job */
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
/* Each call of a plugin has a limit of its own (check/impl/impl.h), which tells a hang from a slow implementation. */
bool plan_is_guarded(const struct job_plan *plan);
/* How long an input may take under libFuzzer, in seconds. */
unsigned plan_input_seconds(const struct job_plan *plan);
/* The same under AFL++, in milliseconds. */
unsigned plan_afl_input_ms(const struct job_plan *plan);

/* A case counts as hung when, asked alone, it takes this many times as long as the slowest measured case, but at
 * least PLAN_LIMIT_LEAST_MS and at most LIMIT_MOST_MS. */
#define LIMIT_MOST_MS 10000u
#define LIMIT_TIMES   100.0

/* Makes the folders of a plan; false with one line in `error`. */
bool plan_make_folders(const struct job_plan *plan, struct error *error);
/*
 * Makes the plan's `work`, whose files have fixed names, this process's own until it closes the descriptor that is
 * returned, or ends in any way. -1 with one line in `error`: another campaign uses the folder.
 */
int plan_lock(const struct job_plan *plan, struct error *error);
/*
 * Sets the inputs apart that a campaign before this one wrote and did not examine: what they showed may have been
 * another implementation, or this one before it was mended. What cannot be moved stays with this campaign's own.
 */
void plan_set_apart(const struct job_plan *plan);
/* Gives such an input to libFuzzer's target again, which alone can judge it. False: it stays where it is. */
bool plan_ask_again(const struct job_plan *plan, const char *path);
/* The folder of the working corpus, which both engines fill. */
void plan_corpus(const struct job_plan *plan, char path[JOB_PATH_MAX + 64]);
/* The folders of inputs that show something: those that the campaign writes, and those that an earlier one left. */
void plan_inputs(const struct job_plan *plan, char path[JOB_PATH_MAX + 64]);
void plan_left(const struct job_plan *plan, char path[JOB_PATH_MAX + 64]);

/* Is it an input of such a folder, and no note beside them? For scandir. */
int plan_is_entry(const struct dirent *entry);

#endif
