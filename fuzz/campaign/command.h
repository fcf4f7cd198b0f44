/*
 * The command line of an engine process.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_COMMAND_H
#define WARPCHECK_FUZZ_CAMPAIGN_COMMAND_H

#include "fuzz/campaign/job.h"

#define COMMAND_WORDS_MAX   96
#define COMMAND_OPTIONS_MAX 48u /* of them, that the user gives the engine */

/* Words of a command line, kept in one buffer. */
struct command_words {
    char *argv[COMMAND_WORDS_MAX];
    size_t count;
    char text[16 * JOB_PATH_MAX];
    size_t used;
};

/* Writes the job's command; argv ends by NULL. */
void command_make(const struct job *job, struct command_words *words);

/* Each call of a plugin has a limit of its own (check/impl/impl.h), which tells a hang from a slow implementation. */
bool plan_is_guarded(const struct job_plan *plan);
/* How long an input may take under libFuzzer, in seconds. */
unsigned plan_input_seconds(const struct job_plan *plan);

#endif
