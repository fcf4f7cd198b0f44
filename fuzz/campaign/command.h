/*
 * The command line of an engine process.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_COMMAND_H
#define WARPCHECK_FUZZ_CAMPAIGN_COMMAND_H

#include "fuzz/campaign/plan.h"

#define COMMAND_WORDS_MAX   96
#define COMMAND_OPTIONS_MAX 48u /* of them, that the user gives the engine */

/* Words of a command line, kept in one buffer. */
struct command_words {
    char *argv[COMMAND_WORDS_MAX];
    size_t count;
    char text[16 * JOB_PATH_MAX];
    size_t used;
};

/* Writes the command of the plan's job of this number, which leaves inputs that crash or hang in the folder
 * `artifacts`. argv ends by NULL. */
void command_make(const struct job_plan *plan, unsigned number, const char *artifacts, struct command_words *words);

#endif
