#include "cli/work/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool path_is_case(const char *path)
{
    static const char *const others[] = {".md",      ".rec",         ".ptx",         ".cu",       ".json",   ".dict",
                                         ".options", "/finding.txt", "/verdict.txt", "/note.txt", ".sha256", "/input"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (text_ends(path, others[i]))
            return false;
    return true;
}

bool path_is_fuzz(const char *path)
{
    static const char name[] = "/fuzz";
    const char *end = strrchr(path, '/');
    size_t length = end ? (size_t)(end - path) : 0;
    if (length == sizeof name - 2) /* "fuzz/FILE" */
        return memcmp(path, name + 1, length) == 0;
    return length >= sizeof name - 1 && memcmp(end - (sizeof name - 1), name, sizeof name - 1) == 0;
}

bool load_default_folder(const char *name, char *path, size_t path_size)
{
    const char *root = getenv("WARPCHECK_ROOT");
    if (root && root[0] != '\0') {
        snprintf(path, path_size, "%s/%s", root, name);
        return file_is_folder(path);
    }
    snprintf(path, path_size, "%s/%s", WARPCHECK_SOURCE_DIR, name);
    if (file_is_folder(path))
        return true;
    snprintf(path, path_size, "./%s", name);
    return file_is_folder(path);
}
