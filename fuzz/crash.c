#define _GNU_SOURCE /* mkdtemp, fsync */
#include "fuzz/crash.h"

#include "warpcheck/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_file(const char *folder, const char *name, const char *text)
{
    char path[PATH_MAX + 64];
    FILE *file;
    bool good;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file == NULL)
        return false;
    good = fputs(text, file) != EOF && fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && good;
}

bool crash_write(const char *findings, const char *name, const struct warp_case *c, const char *line, char *folder,
                 size_t folder_size)
{
    static char text[4 * WARP_TEXT_MAX];
    char temporary[PATH_MAX];
    size_t length = warp_case_to_file(c, line, NULL, 0, text, sizeof text);
    mkdir(findings, 0777);
    snprintf(folder, folder_size, "%s/%s", findings, name);
    if (access(folder, F_OK) == 0)
        return false;
    snprintf(temporary, sizeof temporary, "%s/.part-XXXXXX", findings);
    if (length >= sizeof text || mkdtemp(temporary) == NULL)
        return false;
    chmod(temporary, 0755);
    return write_file(temporary, "case.txt", text) && write_file(temporary, "finding.txt", line) &&
           write_file(
               temporary, "verdict.txt",
               "# status: open | defect of the implementation | defect of warpcheck\nstatus: open\nby:\nwhy:\n") &&
           rename(temporary, folder) == 0;
}
