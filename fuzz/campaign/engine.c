/*
 * The engines: their names, and the folder that holds their targets.
 */
#define _POSIX_C_SOURCE 200809L /* access, waitpid */
#include "fuzz/campaign/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* Targets that somebody else built: WARPCHECK_FUZZ_TARGETS/libfuzzer, /afl. */
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
    char shell[] = "/bin/sh", name[16];
    char *argv[] = {shell, script, name, build, NULL};
    const struct job_variable program[] = {{"WARPCHECK_PROGRAM", WARPCHECK_PROGRAM}, {NULL, NULL}};
    int status = -1;
    pid_t pid;
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
    pid = job_spawn(argv, program, NULL, NULL);
    if (pid > 0)
        waitpid(pid, &status, 0);
    if (pid <= 0 || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        snprintf(error, error_size, "the fuzz targets for %s could not be built (see above)", engine_name(engine));
        return false;
    }
    return true;
}
