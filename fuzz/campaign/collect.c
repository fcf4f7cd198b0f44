/*
 * What engines leave: AFL++'s queue into the working corpus, and inputs that crashed or hung as findings.
 */
#define _GNU_SOURCE /* scandir, mkdtemp, nanosleep */
#include "fuzz/campaign/job.h"

#include "check/crash.h"
#include "warpcheck/text.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INPUT_MAX     (1u << 16)
#define CRASH_SECONDS 10 /* a case that takes longer hangs */

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

/* How a process ended, as one word; "" when it ended by itself. */
static const char *fate_of(int status, bool hung)
{
    static char text[32];
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (hung)
        return "hang";
    if (number == 0)
        return WIFEXITED(status) && WEXITSTATUS(status) != 0 ? "exit" : "";
    snprintf(text, sizeof text, "%s",
             number == SIGSEGV   ? "segv"
             : number == SIGFPE  ? "fpe"
             : number == SIGILL  ? "ill"
             : number == SIGBUS  ? "bus"
             : number == SIGABRT ? "abort"
                                 : "signal");
    return text;
}

/* Runs the target on one input, case by case, with a time limit; `pinpoint` then holds the last case it was asked. */
static const char *run_again(const struct job *job, const char *input, const char *pinpoint)
{
    const struct job_plan *plan = job->plan;
    char target[2 * JOB_PATH_MAX], copy[2 * JOB_PATH_MAX], derived[16], families[16];
    char *argv[] = {target, copy, NULL};
    int status = 0;
    pid_t pid;
    snprintf(target, sizeof target, "%s/%s", plan->targets, plan->target);
    snprintf(copy, sizeof copy, "%s", input);
    snprintf(derived, sizeof derived, "%u", plan->derived);
    snprintf(families, sizeof families, "%u", (unsigned)plan->families);
    const struct job_variable variables[] = {
        {"WARPCHECK_FUZZ_IMPL", plan->impl},   {"WARPCHECK_FUZZ_FAMILIES", plan->families != 0 ? families : NULL},
        {"WARPCHECK_FUZZ_DERIVED", derived},   {"WARPCHECK_FUZZ_FINDINGS", plan->findings},
        {"WARPCHECK_FUZZ_STATUS", NULL},       {"WARPCHECK_FUZZ_KEEP_GOING", "1"},
        {"WARPCHECK_FUZZ_PINPOINT", pinpoint}, {NULL, NULL}};
    pid = job_spawn(argv, variables, "/dev/null", plan->work);
    if (pid < 0)
        return "";
    for (int waited_ms = 0; waited_ms < CRASH_SECONDS * 1000; waited_ms += 10) {
        const struct timespec moment = {0, 10000000};
        if (waitpid(pid, &status, WNOHANG) == pid)
            return fate_of(status, false);
        nanosleep(&moment, NULL);
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return fate_of(status, true);
}

static void crash_of(struct job *job, const char *input, job_crash_fn found, void *context)
{
    static struct warp_text text;
    static uint8_t data[INPUT_MAX];
    static char line[2 * WARP_TEXT_MAX];
    char pinpoint[JOB_PATH_MAX + 64], folder[2 * JOB_PATH_MAX], name[CRASH_NAME_MAX], fate[CRASH_FATE_MAX];
    char why[2 * JOB_PATH_MAX];
    struct warp_text_error error;
    const char *ended;
    bool existed;
    uint8_t *reason;
    size_t size;
    snprintf(pinpoint, sizeof pinpoint, "%s/pinpoint-%u", job->plan->work, job->number);
    unlink(pinpoint);
    ended = run_again(job, input, pinpoint);
    size = read_file(pinpoint, data);
    reason = memchr(data, '\n', size);
    if (reason != NULL) {
        data[size - 1] = '\0'; /* the line break at the end of the second line */
        size = (size_t)(reason - data);
    }
    crash_fate(reason != NULL ? (const char *)reason + 1 : "", ended, fate);
    if (fate[0] == '\0' || size == 0 || !warp_text_parse((const char *)data, size, &text, &error)) {
        snprintf(line, sizeof line, "an input ended the target and does not when it runs alone, or is no case: %s",
                 input);
        found(context, input, line);
        return;
    }
    crash_name(&text.c, fate, name);
    snprintf(line, sizeof line, "%.*s => %s ends by: %s", (int)size, (const char *)data, job->plan->impl, fate);
    if (crash_write(job->plan->findings, name, &text.c, line, folder, sizeof folder, &existed, why, sizeof why)) {
        if (!existed)
            found(context, folder, line);
        return;
    }
    snprintf(line + strlen(line), sizeof line - strlen(line), " (the reproducer was not written: %s)", why);
    found(context, input, line);
}

size_t job_collect_crashes(struct job *job, job_crash_fn found, void *context)
{
    static const char *const afl[] = {"crashes", "hangs"};
    bool is_afl = job->plan->engine == ENGINE_AFL;
    size_t count = 0;
    for (size_t f = 0; f < (is_afl ? 2u : 1u); f++) {
        char folder[JOB_PATH_MAX + 96], path[2 * JOB_PATH_MAX], seen[3 * JOB_PATH_MAX];
        struct dirent **inputs;
        int n;
        snprintf(folder, sizeof folder, "%s%s%s", job->artifacts, is_afl ? "/" : "", is_afl ? afl[f] : "");
        n = scandir(folder, &inputs, is_entry, alphasort);
        for (int i = 0; i < n; i++) {
            snprintf(path, sizeof path, "%s/%s", folder, inputs[i]->d_name);
            snprintf(seen, sizeof seen, "%s/.seen-%s", folder, inputs[i]->d_name); /* hidden: looked at */
            if (access(seen, F_OK) != 0) {
                crash_of(job, path, found, context);
                write_file(seen, "", 0);
                count++;
            }
            free(inputs[i]);
        }
        if (n >= 0)
            free(inputs);
    }
    return count;
}

void job_try_first_input(struct job *job, job_crash_fn found, void *context)
{
    char path[JOB_PATH_MAX + 64];
    snprintf(path, sizeof path, "%s/empty/zero", job->plan->work);
    crash_of(job, path, found, context);
}
