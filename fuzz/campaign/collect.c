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

#define NO_HANDLERS "handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:handle_sigfpe=0"

/* Runs the target on one input, case by case, with a time limit; `pinpoint` then holds the last case it was asked. */
static const char *run_again(const struct job *job, const char *input, const char *pinpoint)
{
    const struct job_plan *plan = job->plan;
    char target[2 * JOB_PATH_MAX], copy[2 * JOB_PATH_MAX], derived[16], families[16];
    char segv[] = "-handle_segv=0", bus[] = "-handle_bus=0", abrt[] = "-handle_abrt=0", ill[] = "-handle_ill=0",
         fpe[] = "-handle_fpe=0"; /* with NO_HANDLERS, or the target exits and the signal is not known */
    char *argv[] = {target, copy, segv, bus, abrt, ill, fpe, NULL};
    int status = 0;
    pid_t pid;
    if (plan->engine != ENGINE_LIBFUZZER)
        argv[2] = NULL;
    snprintf(target, sizeof target, "%s/%s", plan->targets, plan->target);
    snprintf(copy, sizeof copy, "%s", input);
    snprintf(derived, sizeof derived, "%u", plan->derived);
    snprintf(families, sizeof families, "%u", (unsigned)plan->families);
    const struct job_variable variables[] = {{"WARPCHECK_FUZZ_IMPL", plan->impl},
                                             {"WARPCHECK_FUZZ_FAMILIES", plan->families != 0 ? families : NULL},
                                             {"WARPCHECK_FUZZ_DERIVED", derived},
                                             {"WARPCHECK_FUZZ_FINDINGS", plan->findings},
                                             {"WARPCHECK_FUZZ_STATUS", NULL},
                                             {"WARPCHECK_FUZZ_KEEP_GOING", "1"},
                                             {"WARPCHECK_FUZZ_PINPOINT", pinpoint},
                                             {"UBSAN_OPTIONS", job_runtime_options(NO_HANDLERS)},
                                             {NULL, NULL}};
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

/* What run_again left: the case, the variant that was asked (or ""), the reason that it gave (or ""). Ends the lines by
 * NUL in place. */
struct pinpointed {
    const char *text, *variant, *why;
    size_t text_size;
};

static struct pinpointed read_pinpoint(const char *path, uint8_t data[INPUT_MAX])
{
    struct pinpointed p = {"", "", "", 0};
    size_t size = read_file(path, data);
    const char **field[] = {&p.text, &p.variant, &p.why};
    char *at = (char *)data;
    for (size_t i = 0; i < 3; i++) {
        char *end = memchr(at, '\n', size - (size_t)(at - (char *)data));
        if (end == NULL)
            break;
        *end = '\0';
        *field[i] = at;
        at = end + 1;
    }
    p.text_size = strlen(p.text);
    return p;
}

/* "shfl.sync-segv", or "shfl.sync-segv-avx2" for a variant. */
static void name_crash(const struct warp_case *c, const char *fate, const char *variant, char *name, size_t size)
{
    char base[CRASH_NAME_MAX];
    crash_name(c, fate, base);
    snprintf(name, size, "%s%s", base, variant[0] != '\0' ? strchr(variant, '-') : "");
}

static void crash_of(struct job *job, const char *input, job_crash_fn found, void *context)
{
    static struct warp_text text;
    static uint8_t data[INPUT_MAX];
    static char line[2 * WARP_TEXT_MAX];
    char pinpoint[JOB_PATH_MAX + 64], folder[2 * JOB_PATH_MAX], name[CRASH_NAME_MAX + 64], fate[CRASH_FATE_MAX];
    char why[2 * JOB_PATH_MAX];
    struct warp_text_error error;
    struct pinpointed at;
    const char *ended;
    bool existed;
    snprintf(pinpoint, sizeof pinpoint, "%s/pinpoint-%u", job->plan->work, job->number);
    unlink(pinpoint);
    ended = run_again(job, input, pinpoint);
    at = read_pinpoint(pinpoint, data);
    crash_fate(at.why, ended, fate);
    if (fate[0] == '\0' || at.text_size == 0 || !warp_text_parse(at.text, at.text_size, &text, &error)) {
        snprintf(line, sizeof line, "an input ended the target and does not when it runs alone, or is no case: %s",
                 input);
        found(context, input, line);
        return;
    }
    name_crash(&text.c, fate, at.variant, name, sizeof name);
    snprintf(line, sizeof line, "%s => %s ends by: %s", at.text, at.variant[0] != '\0' ? at.variant : job->plan->impl,
             fate);
    if (crash_write(job->plan->findings, name, &text.c, line, folder, sizeof folder, &existed, why, sizeof why)) {
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
    snprintf(path, sizeof path, "%s/driver-input", job->plan->work); /* AFL++'s driver runs it before any other */
    write_file(path, "##SI", 4);
    crash_of(job, path, found, context);
}
