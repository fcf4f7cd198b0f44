/*
 * The engines: their names, and the folder that holds their targets.
 */
#define _POSIX_C_SOURCE 200809L /* access, waitpid */
#include "fuzz/campaign/job.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"libfuzzer", "afl"};

const char *engine_name(enum engine engine)
{
    return names[engine];
}

bool engine_find(const char *name, enum engine *engine)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(name, names[i]) == 0) {
            *engine = (enum engine)i;
            return true;
        }
    return false;
}

/* Targets that were built elsewhere: WARPCHECK_FUZZ_TARGETS/libfuzzer, /afl. */
static bool given_targets(enum engine engine, char folder[JOB_PATH_MAX])
{
    const char *given = getenv("WARPCHECK_FUZZ_TARGETS");
    if (given == NULL || given[0] == '\0')
        return false;
    snprintf(folder, JOB_PATH_MAX, "%s/%s", given, engine_name(engine));
    return true;
}

bool engine_built(enum engine engine)
{
    char folder[JOB_PATH_MAX], target[JOB_PATH_MAX + 16];
    if (!given_targets(engine, folder))
        snprintf(folder, sizeof folder, "%s/engines/%s/fuzz", WARPCHECK_BINARY_DIR, engine_name(engine));
    snprintf(target, sizeof target, "%s/fuzz_all", folder);
    return access(target, X_OK) == 0;
}

bool engine_prepare(enum engine engine, char folder[JOB_PATH_MAX], char *error, size_t error_size)
{
    char script[] = WARPCHECK_SOURCE_DIR "/fuzz/engine.sh", build[JOB_PATH_MAX - 8];
    char name[16];
    const char *const argv[] = {"/bin/sh", script, name, build, NULL};
    const struct process_variable program = {"WARPCHECK_PROGRAM", WARPCHECK_PROGRAM};
    struct error why;
    if (given_targets(engine, folder))
        return true;
    snprintf(name, sizeof name, "%s", engine_name(engine));
    snprintf(build, sizeof build, "%s/engines/%s", WARPCHECK_BINARY_DIR, engine_name(engine));
    snprintf(folder, JOB_PATH_MAX, "%s/fuzz", build);
    if (access(script, R_OK) != 0) {
        snprintf(error, error_size,
                 "the sources are not at %s any more: build the fuzz targets with fuzz/engine.sh and set "
                 "WARPCHECK_FUZZ_TARGETS",
                 WARPCHECK_SOURCE_DIR);
        return false;
    }
    /* Results alone are on standard output. */
    const struct process_plan plan = {.argv = argv,
                                      .variables = &program,
                                      .variables_count = 1,
                                      .in = PROCESS_NULL,
                                      .out = STDERR_FILENO,
                                      .err = PROCESS_SAME};
    const pid_t pid = process_start(&plan, &why);
    const struct process_end end = pid > 0 ? process_wait(pid, INFINITY) : (struct process_end){PROCESS_SIGNALED, 0};
    if (end.ending != PROCESS_EXITED || end.number != 0) {
        snprintf(error, error_size, "the fuzz targets for %s could not be built (see above)", engine_name(engine));
        return false;
    }
    return true;
}
