/*
 * What `warpcheck fuzz` is given, looked at before anything is built or started. Each function returns false after one
 * line on standard error.
 */
#ifndef WARPCHECK_CLI_FUZZ_ARGUMENTS_H
#define WARPCHECK_CLI_FUZZ_ARGUMENTS_H

#include "fuzz/campaign/job.h"

/* Opens an implementation, as a target will, and closes it: or each process of a campaign would fail on it, in its own
 * words. */
bool fuzz_can_open(const char *name);

/* A folder of inputs, which must be there, made absolute. */
bool fuzz_absolute_inputs(const char *path, char out[JOB_PATH_MAX]);

/* A folder that may not exist yet, made absolute. */
bool fuzz_absolute_folder(const char *path, char out[JOB_PATH_MAX]);

#endif
