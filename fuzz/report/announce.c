#define _XOPEN_SOURCE 700 /* realpath, readlink */
#include "fuzz/report/report.h"

#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void report_end_target(const struct harness *h)
{
    fflush(NULL);
    if (h->keep_going)
        return;
    if (h->replays)
        exit(1);
    abort();
}

void report_absolute(const char *path, char out[REPORT_PATH_MAX])
{
    size_t length = strlen(path);
    if (realpath(path, out) != NULL)
        return;
    length = length < REPORT_PATH_MAX ? length : REPORT_PATH_MAX - 1;
    memcpy(out, path, length);
    out[length] = '\0';
}

/* What a command is to call the implementation, quoted for the shell. */
static const char *implementation(const struct harness *h, char quoted[REPORT_QUOTED_MAX])
{
    char path[REPORT_PATH_MAX], copy[REPORT_PATH_MAX], whole[REPORT_PATH_MAX + 256];
    const char *name = strstr(h->observed_spec, ".so:");
    if (strstr(h->observed_spec, ".so") == NULL)
        return h->tested_count > 1 ? h->observed->name : h->observed_spec;
    snprintf(copy, sizeof copy, "%.*s",
             (int)(name != NULL ? (size_t)(name - h->observed_spec) + 3 : strlen(h->observed_spec)), h->observed_spec);
    report_absolute(copy, path);
    snprintf(whole, sizeof whole, "%s%.200s", path, name != NULL ? name + 3 : "");
    return text_quote(whole, quoted, REPORT_QUOTED_MAX);
}

void report_implementation_option(const struct harness *h)
{
    char quoted[REPORT_QUOTED_MAX];
    fprintf(stderr, " --impl %s", implementation(h, quoted));
}

/* Adds a name after a separator, as much of it as there is room for. */
static void add_name(char names[REPORT_NAMES_MAX], char separator, const char *name)
{
    const size_t used = strlen(names);
    snprintf(names + used, REPORT_NAMES_MAX - used, "%.*s%.16s", used > 0, &separator, name);
}

size_t report_name_differing(const struct harness *h, report_shows_fn shows, void *context, char all[REPORT_NAMES_MAX],
                             char only[REPORT_NAMES_MAX + 1])
{
    char short_names[REPORT_NAMES_MAX] = "";
    size_t count = 0;
    all[0] = only[0] = '\0';
    for (size_t i = 0; i < h->tested_count; i++) {
        const char *const name = h->tested[i]->name;
        if (!shows(context, h->tested[i]))
            continue;
        if (h->tested_count == 1) { /* whole, however long */
            snprintf(all, REPORT_NAMES_MAX, "%s", name);
            return 1;
        }
        add_name(all, ',', name);
        add_name(short_names, '.', name + (strncmp(name, "fast-", 5) == 0 ? 5 : 0));
        count++;
    }
    if (count < h->tested_count)
        snprintf(only, REPORT_NAMES_MAX + 1, "-%s", short_names);
    return count;
}

void report_command(const struct harness *h, const char *folder, const char *file, const char *replay)
{
    char path[REPORT_PATH_MAX], self[REPORT_PATH_MAX] = "TARGET", whole[REPORT_PATH_MAX + 64];
    char program[REPORT_QUOTED_MAX], quoted[REPORT_QUOTED_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    report_absolute(folder, path);
    snprintf(whole, sizeof whole, "%s/%s", path, file);
    text_quote(whole, quoted, sizeof quoted);
    if (replay != NULL) {
        fprintf(stderr, "warpcheck: replay with: %s %s %s", text_quote(h->program, program, sizeof program), replay,
                quoted);
        report_implementation_option(h);
        fprintf(stderr, "\n");
        return;
    }
    self[length > 0 ? (size_t)length : strlen("TARGET")] = '\0';
    fprintf(stderr, "warpcheck: replay with: WARPCHECK_FUZZ_IMPL=%s %s %s\n", implementation(h, program),
            text_quote(self, whole, sizeof whole), quoted);
}

void report_keep(struct harness *h, const struct finding_entry *entry, const char *replay)
{
    const struct finding_file line = {"finding.txt", entry->line, strlen(entry->line)};
    char folder[REPORT_PATH_MAX], error[512];
    bool existed = false;
    fprintf(stderr, "\nwarpcheck: FAILURE %s", entry->line);
    if (h->replays && !h->keeps)
        return;
    if (!finding_write_entry(entry, h->findings, folder, sizeof folder, &existed, error, sizeof error)) {
        harness_unkept(h, error);
        return;
    }
    if (existed && replay == NULL && /* the earlier input may be mended */
        (!finding_replace_file(folder, &entry->file, error, sizeof error) ||
         !finding_replace_file(folder, &line, error, sizeof error)))
        harness_unkept(h, error);
    *(existed ? &h->status->duplicates : &h->status->findings) += 1;
    report_command(h, folder, entry->file.name, replay);
}
