/*
 * Checks the arguments of `warpcheck fuzz` before anything is built or started. A function that returns false has
 * printed one line on standard error.
 */
#ifndef WARPCHECK_CLI_FUZZ_ARGUMENTS_H
#define WARPCHECK_CLI_FUZZ_ARGUMENTS_H

#include "cli/command.h"
#include "fuzz/campaign/job.h"

/* Opens an implementation as a target will, and closes it. Without this each process of a campaign would fail on it
 * in its own words. */
bool fuzz_can_open(const char *name);

/*
 * Reads the kernels of --kernel as the target will, and tells it of them by the environment. Sets the target where none
 * is chosen; another one than "kernel" is refused.
 */
bool fuzz_can_execute(const struct command *command, const char *path, const char **target);

/* The family of a target's cases by the target's name ("shfl_sync"); 0: no target of one family has that name. */
uint32_t fuzz_target_family(const char *name);

/* Is it a plugin that was compiled for coverage? */
bool fuzz_is_traced(const char *name);

/* Makes the path of an existing folder of inputs absolute. */
bool fuzz_absolute_inputs(const char *path, char out[JOB_PATH_MAX]);

/* Makes the path of a folder absolute that may not exist yet. */
bool fuzz_absolute_folder(const char *path, char out[JOB_PATH_MAX]);

#endif
