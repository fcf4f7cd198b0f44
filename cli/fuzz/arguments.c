#define _GNU_SOURCE /* realpath */
#include "cli/fuzz/arguments.h"

#include "cli/registry.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool fuzz_absolute_inputs(const char *path, char out[JOB_PATH_MAX])
{
    char found[PATH_MAX];
    struct stat about;
    const bool there = realpath(path, found) != NULL && stat(found, &about) == 0;
    if (there && !S_ISDIR(about.st_mode))
        errno = ENOTDIR;
    if (!there || !S_ISDIR(about.st_mode) || access(found, R_OK | X_OK) != 0) {
        fprintf(stderr, "warpcheck fuzz: cannot read the inputs in %s: %s (--seeds takes a folder)\n", path,
                strerror(errno));
        return false;
    }
    snprintf(out, JOB_PATH_MAX, "%s", found);
    return true;
}

bool fuzz_can_open(const char *name)
{
    char error[1024];
    const struct warp_impl *impl;
    if (strcmp(name, "fast-batch") == 0) /* a target's own */
        return true;
    if (strstr(name, ".so") == NULL && strcmp(name, "spec") != 0 && strncmp(name, "fast", 4) != 0) {
        fprintf(stderr,
                "warpcheck fuzz: a campaign cannot ask '%s': give fast, fast-VARIANT, spec, FILE.so or "
                "FILE.so:NAME\n",
                name);
        return false;
    }
    impl = registry_open(name, error, sizeof error);
    if (impl == NULL) {
        fprintf(stderr, "warpcheck fuzz: %s\n", error);
        return false;
    }
    registry_close(impl);
    return true;
}

bool fuzz_absolute_folder(const char *path, char out[JOB_PATH_MAX])
{
    char found[PATH_MAX];
    if ((mkdir(path, 0777) != 0 && errno != EEXIST) || realpath(path, found) == NULL || access(found, W_OK) != 0) {
        fprintf(stderr, "warpcheck fuzz: cannot write the folder %s: %s\n", path, strerror(errno));
        return false;
    }
    snprintf(out, JOB_PATH_MAX, "%s", found);
    return true;
}
