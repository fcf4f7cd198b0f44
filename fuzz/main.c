/*
 * Replays files without a fuzzing engine: one property, the inputs that the command line names (folders: each file in
 * them).
 */
#define _DEFAULT_SOURCE /* scandir */
#include "fuzz/harness.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX (1u << 20) /* as libFuzzer's default */

static size_t replayed;

/* Calls `each` for every entry of a folder that is not hidden, by name. False when it is no folder. */
static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int replay(const char *path);

static int replay_folder(const char *path, bool *is_folder)
{
    struct dirent **entries;
    int count = scandir(path, &entries, visible, alphasort), status = 0;
    *is_folder = count >= 0;
    for (int i = 0; i < count; i++) {
        char name[PATH_MAX];
        snprintf(name, sizeof name, "%s/%s", path, entries[i]->d_name);
        if (status == 0)
            status = replay(name);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return status;
}

static int replay(const char *path)
{
    bool is_folder;
    int status = replay_folder(path, &is_folder);
    uint8_t *data;
    size_t size;
    FILE *file;
    if (is_folder)
        return status;
    file = fopen(path, "rb");
    data = malloc(INPUT_MAX);
    if (file == NULL || data == NULL) {
        fprintf(stderr, "cannot read %s: %s\n", path, strerror(errno));
        if (file != NULL)
            fclose(file);
        free(data);
        return 2;
    }
    size = fread(data, 1, INPUT_MAX, file);
    fclose(file);
    /* An allocation of the input's size, so that a sanitizer sees reads past its end. */
    data = realloc(data, size > 0 ? size : 1);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    replayed++;
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    LLVMFuzzerInitialize(&argc, &argv);
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE|FOLDER...   replays inputs of this fuzz target\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc && status == 0; i++)
        status = replay(argv[i]);
    if (status == 0)
        printf("%zu inputs replayed, no failure\n", replayed);
    return status;
}
