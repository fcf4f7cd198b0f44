/*
 * What engines leave: AFL++'s queue into the working corpus, and inputs that crashed or hung as findings.
 */
#define _GNU_SOURCE /* scandir */
#include "fuzz/campaign/alone.h"
#include "base/clock.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define INPUT_MAX (1u << 16)

/* At most INPUT_MAX bytes of a file; 0 when it cannot be read. */
static size_t read_file(const char *path, uint8_t data[INPUT_MAX])
{
    FILE *file = fopen(path, "rb");
    size_t size = 0;
    if (file != NULL) {
        size = fread(data, 1, INPUT_MAX, file);
        fclose(file);
    }
    return size;
}

static bool write_file(const char *path, const void *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    bool good;
    if (file == NULL)
        return false;
    good = fwrite(data, 1, size, file) == size && fflush(file) == 0 && fsync(fileno(file)) == 0;
    return fclose(file) == 0 && good;
}

static uint64_t hash_bytes(const uint8_t *data, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ data[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Copies a file into a folder under the name of its content. True when it was not there. */
static bool copy_by_content(const char *from, const char *folder)
{
    static uint8_t data[INPUT_MAX];
    char path[JOB_PATH_MAX + 128];
    size_t size = read_file(from, data);
    snprintf(path, sizeof path, "%s/%016llx", folder, (unsigned long long)hash_bytes(data, size));
    return size > 0 && access(path, F_OK) != 0 && write_file(path, data, size);
}

static int is_entry(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strncmp(entry->d_name, "README", 6) != 0;
}

size_t job_collect_corpus(const struct job_plan *plan)
{
    char corpus[JOB_PATH_MAX + 64], root[JOB_PATH_MAX + 64];
    struct dirent **jobs;
    size_t fresh = 0;
    int count;
    if (plan->engine != ENGINE_AFL)
        return 0;
    plan_corpus(plan, corpus);
    snprintf(root, sizeof root, "%s/afl-%s", plan->work, plan->target);
    count = scandir(root, &jobs, is_entry, alphasort);
    for (int i = 0; i < count; i++) {
        char queue[2 * JOB_PATH_MAX], path[3 * JOB_PATH_MAX];
        struct dirent **inputs;
        int n;
        snprintf(queue, sizeof queue, "%s/%s/queue", root, jobs[i]->d_name);
        n = scandir(queue, &inputs, is_entry, alphasort);
        for (int k = 0; k < n; k++) {
            snprintf(path, sizeof path, "%s/%s", queue, inputs[k]->d_name);
            fresh += copy_by_content(path, corpus);
            free(inputs[k]);
        }
        if (n >= 0)
            free(inputs);
        free(jobs[i]);
    }
    if (count >= 0)
        free(jobs);
    return fresh;
}

/* One folder of inputs that ended a target. Those that were looked at have a hidden fellow. */
static struct job_crashes look_through(const struct job *job, const char *folder, struct job_time time,
                                       job_crash_fn found, void *context)
{
    struct job_crashes sum = {0, 0, 0};
    char path[2 * JOB_PATH_MAX], seen[3 * JOB_PATH_MAX];
    struct dirent **inputs;
    int n = scandir(folder, &inputs, is_entry, alphasort);
    for (int i = 0; i < n; i++) {
        enum alone_verdict verdict = ALONE_UNDECIDED;
        snprintf(path, sizeof path, "%s/%s", folder, inputs[i]->d_name);
        snprintf(seen, sizeof seen, "%s/.seen-%s", folder, inputs[i]->d_name);
        free(inputs[i]);
        if (access(seen, F_OK) == 0)
            continue;
        if (clock_seconds() < time.begin_until)
            verdict = alone_look(job->plan, job->number, path, time.end, found, context);
        sum.undecided += verdict == ALONE_UNDECIDED;
        sum.looked_at += verdict != ALONE_UNDECIDED;
        sum.confirmed += verdict == ALONE_ENDS;
        if (verdict != ALONE_UNDECIDED)
            write_file(seen, "", 0);
    }
    if (n >= 0)
        free(inputs);
    return sum;
}

struct job_crashes job_collect_crashes(const struct job *job, struct job_time time, job_crash_fn found, void *context)
{
    char folder[JOB_PATH_MAX + 96];
    struct job_crashes crashes, hangs;
    if (job->plan->engine != ENGINE_AFL)
        return look_through(job, job->artifacts, time, found, context);
    snprintf(folder, sizeof folder, "%s/crashes", job->artifacts);
    crashes = look_through(job, folder, time, found, context);
    snprintf(folder, sizeof folder, "%s/hangs", job->artifacts);
    hangs = look_through(job, folder, time, found, context);
    crashes.looked_at += hangs.looked_at;
    crashes.confirmed += hangs.confirmed;
    crashes.undecided += hangs.undecided;
    return crashes;
}

bool job_keep_asked(struct job *job)
{
    const struct fuzz_status *const status = job_status(job);
    const size_t size = status != NULL && status->asked_size > 0 ? (size_t)status->asked_size - 1 : 0;
    char path[JOB_PATH_MAX + 160];
    if (status == NULL || status->asked_size == 0 || size > FUZZ_ASKED_MAX)
        return false;
    snprintf(path, sizeof path, "%s/ended-%016llx", job->artifacts,
             (unsigned long long)hash_bytes(status->asked, size));
    return access(path, F_OK) == 0 || write_file(path, status->asked, size);
}

size_t job_try_first_input(const struct job *job, double end, job_crash_fn found, void *context)
{
    char path[JOB_PATH_MAX + 64];
    size_t confirmed;
    snprintf(path, sizeof path, "%s/empty/zero", job->plan->work);
    confirmed = alone_look(job->plan, job->number, path, end, found, context) == ALONE_ENDS;
    snprintf(path, sizeof path, "%s/driver-input", job->plan->work); /* AFL++'s driver runs it before any other */
    write_file(path, "##SI", 4);
    return confirmed + (alone_look(job->plan, job->number, path, end, found, context) == ALONE_ENDS);
}
