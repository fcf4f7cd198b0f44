#include "cli/work/load.h"

#include "base/buffer.h"
#include "base/file.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

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

void load_program(char *path, size_t path_size)
{
    const char *root = getenv("WARPCHECK_ROOT");
    snprintf(path, path_size, "%s/warpcheck", root ? root : "");
    if (root && root[0] != '\0' && access(path, X_OK) == 0)
        return;
    ssize_t length = readlink("/proc/self/exe", path, path_size - 1);
    if (length > 0)
        path[length] = '\0';
    else
        snprintf(path, path_size, "warpcheck");
}

static bool has_headers(const char *folder)
{
    char path[FILE_PATH_MAX];
    return file_join(folder, "warpcheck/cuda.h", path, NULL) && file_exists(path);
}

/* An installed program stands in PREFIX/bin, its headers in PREFIX/include. */
static bool load_installed_headers(char *path, size_t path_size)
{
    char program[FILE_PATH_MAX], folder[FILE_PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    for (ssize_t i = length - 1, level = 0; i > 0; i--) {
        if (program[i] != '/' || ++level < 2)
            continue;
        program[i] = '\0';
        if (!file_join(program, "include", folder, NULL) || !has_headers(folder))
            return false;
        snprintf(path, path_size, "%s", folder);
        return true;
    }
    return false;
}

bool load_headers(char *path, size_t path_size)
{
    return load_installed_headers(path, path_size) ||
           (load_default_folder("model/include", path, path_size) && has_headers(path));
}

bool load_cases(const struct command *command, const char *folder, struct warp_case **cases, size_t *count)
{
    struct path_list list = {0};
    struct load_rules rules = {0};
    struct error error;
    size_t room = 0;
    bool good = path_list_find(&list, folder, &error);
    if (!good)
        complain("warpcheck %s: %s", command->name, error.text);
    for (size_t i = 0; i < list.count; i++) {
        struct case_file file;
        struct warp_case *more;
        if (!path_is_case(list.paths[i]))
            continue;
        rules.guess = path_is_fuzz(list.paths[i]);
        if (!case_file_load(list.paths[i], &rules, &file, &error)) {
            complain("warpcheck %s: %s", command->name, error.text);
            good = false;
            continue;
        }
        for (size_t k = 0; k < file.count; k++) {
            if ((more = array_grow(*cases, *count, &room, sizeof *more)) == NULL) {
                complain("warpcheck %s: %s: out of memory: some of its cases are left out", command->name,
                         shown(list.paths[i]));
                good = false;
                break;
            }
            *cases = more;
            more[(*count)++] = file.texts[k].c;
        }
        case_file_free(&file);
    }
    path_list_free(&list);
    return good;
}
