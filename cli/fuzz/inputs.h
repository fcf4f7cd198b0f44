/*
 * Examines inputs of a fuzz target as a campaign does (fuzz/campaign/rerun.h), for `warpcheck replay --target`.
 */
#ifndef WARPCHECK_CLI_FUZZ_INPUTS_H
#define WARPCHECK_CLI_FUZZ_INPUTS_H

#include "cli/command.h"

struct fuzz_inputs {
    const struct command *command;
    const char *target; /* "shfl_sync", "all", "laws", "program" */
    const char *impl;
    const char *out; /* where findings are kept */
};

/*
 * Asks the implementation what the target asks it on each of these files (folders: every file in them), reduces what is
 * wrong, keeps it and prints it. Returns the exit status: 1 when something is wrong, 2 with one line when something
 * cannot be read, kept or opened.
 */
int fuzz_inputs(const struct fuzz_inputs *request, char **paths, int count);

#endif
