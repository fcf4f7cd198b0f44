#include "cli/work/load.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define PATH_LENGTH_MAX 4096u
#define DEPTH_MAX       16

bool path_ends(const char *path, const char *suffix)
{
    size_t n = strlen(path);
    size_t m = strlen(suffix);
    return n >= m && strcmp(path + n - m, suffix) == 0;
}

bool path_is_case(const char *path)
{
    static const char *const others[] = {".md",      ".rec",         ".ptx",         ".cu",       ".json",   ".dict",
                                         ".options", "/finding.txt", "/verdict.txt", "/note.txt", ".sha256", "/input"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (path_ends(path, others[i]))
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

static bool add_path(struct path_list *list, const char *path)
{
    char **paths = realloc(list->paths, (list->count + 1) * sizeof *paths);
    if (!paths)
        return false;
    list->paths = paths;
    size_t size = strlen(path) + 1;
    char *copy = malloc(size);
    if (!copy)
        return false;
    memcpy(copy, path, size);
    list->paths[list->count++] = copy;
    return true;
}

static int by_name(const void *x, const void *y)
{
    return strcmp(*(char *const *)x, *(char *const *)y);
}

static bool add_any(struct path_list *list, const char *path, int depth, char *error, size_t error_size);

static bool add_folder(struct path_list *list, const char *path, int depth, char *error, size_t error_size)
{
    DIR *folder = depth < DEPTH_MAX ? opendir(path) : NULL;
    if (!folder) {
        snprintf(error, error_size, "%s: cannot be read: %s", path,
                 depth < DEPTH_MAX ? strerror(errno) : "folders are nested too deep");
        return false;
    }
    bool good = true;
    for (struct dirent *entry = readdir(folder); good && entry; entry = readdir(folder)) {
        char below[PATH_LENGTH_MAX];
        if (entry->d_name[0] == '.')
            continue;
        int length = snprintf(below, sizeof below, "%s/%s", path, entry->d_name);
        if (length < 0 || (size_t)length >= sizeof below) {
            snprintf(error, error_size, "%s: path too long", path);
            good = false;
        } else {
            good = add_any(list, below, depth + 1, error, error_size);
        }
    }
    closedir(folder);
    return good;
}

static bool add_any(struct path_list *list, const char *path, int depth, char *error, size_t error_size)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        snprintf(error, error_size, "%s: %s", path, strerror(errno));
        return false;
    }
    if (S_ISDIR(status.st_mode))
        return add_folder(list, path, depth, error, error_size);
    if (!add_path(list, path)) {
        snprintf(error, error_size, "%s: out of memory", path);
        return false;
    }
    return true;
}

bool path_list_add(struct path_list *list, const char *path, char *error, size_t error_size)
{
    size_t before = list->count;
    char start[PATH_LENGTH_MAX];
    size_t length = strlen(path);
    if (strcmp(path, "-") == 0)
        return add_path(list, path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    snprintf(start, sizeof start, "%.*s", (int)length, path);
    bool good = add_any(list, start, 0, error, error_size);
    if (list->count > before)
        qsort(list->paths + before, list->count - before, sizeof *list->paths, by_name);
    return good;
}

void path_list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    free(list->paths);
    memset(list, 0, sizeof *list);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

bool load_default_folder(const char *name, char *path, size_t path_size)
{
    const char *root = getenv("WARPCHECK_ROOT");
    if (root && root[0] != '\0') {
        snprintf(path, path_size, "%s/%s", root, name);
        return is_folder(path);
    }
    snprintf(path, path_size, "%s/%s", WARPCHECK_SOURCE_DIR, name);
    if (is_folder(path))
        return true;
    snprintf(path, path_size, "./%s", name);
    return is_folder(path);
}
