/*
 * Replays files without a fuzzing engine: one property, the inputs that the command line names (folders: each file in
 * them).
 */
#define _DEFAULT_SOURCE /* scandir */
#include "fuzz/harness.h"

#include "base/text.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX (1u << 20) /* as libFuzzer's default */

static size_t replayed;

static int visible(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static int replay(const char *path);

/* Every entry that is not hidden, by name. */
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

/* The file's bytes, in an allocation of just their size, so that a sanitizer sees reads past the end. NULL: errno. */
static uint8_t *read_input(const char *path, size_t *size)
{
    static uint8_t room[INPUT_MAX];
    FILE *file = fopen(path, "rb");
    uint8_t *data = NULL;
    if (file == NULL)
        return NULL;
    *size = fread(room, 1, INPUT_MAX, file);
    if (!ferror(file))
        data = malloc(*size > 0 ? *size : 1);
    if (data != NULL)
        memcpy(data, room, *size);
    fclose(file);
    return data;
}

static int replay(const char *path)
{
    bool is_folder;
    int status = replay_folder(path, &is_folder);
    uint8_t *data;
    size_t size = 0;
    if (is_folder)
        return status;
    data = read_input(path, &size);
    if (data == NULL) {
        const int reason = errno;
        char shown[FILE_PATH_MAX];
        fprintf(stderr, "cannot read %s: %s\n", text_printable(path, strlen(path), shown, sizeof shown),
                strerror(reason));
        return 2;
    }
    harness_replays(path);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
    replayed++;
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    harness_replays(NULL);
    LLVMFuzzerInitialize(&argc, &argv);
    if (argc < 2) {
        fprintf(stderr, "usage: %s FILE|FOLDER...   replays inputs of this fuzz target\n", argv[0]);
        return 2;
    }
    for (int i = 1; i < argc && status == 0; i++)
        status = replay(argv[i]);
    if (status == 0 && harness_mismatches() > 0) { /* told to keep going */
        printf("%zu inputs replayed, %llu failures\n", replayed, (unsigned long long)harness_mismatches());
        return 1;
    }
    if (status == 0)
        printf("%zu inputs replayed, no failure\n", replayed);
    return status;
}
