#include "cli/work/load.h"

#include <stdio.h>
#include <stdlib.h>

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
