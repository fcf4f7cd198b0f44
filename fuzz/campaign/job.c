/*
 * One engine process: its command line, its environment, its life, and what it leaves.
 */
#define _GNU_SOURCE /* scandir, O_NOFOLLOW */
#include "fuzz/campaign/command.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "base/random.h"
#include "base/text.h"
#include "check/impl/impl.h"
#include "fuzz/campaign/job.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SIGNALS        "16" /* libFuzzer keeps an input for what it sees first, and for the same in fewer bytes */
#define STOP_SECONDS   3.0  /* that a job may take to end when it was asked to */
#define WAIT_SECONDS   5.0  /* a job may be without progress for so long beyond the engine's own limit of an input */
#define LOAD_SECONDS   60.0 /* and when it starts */
#define TRACED_DERIVED 8u   /* relatives of a case, where the code under test leads the engine */
#define LOST_MAX       16u  /* of one job: what ends it at every turn is known by then */

/* UBSAN_OPTIONS with `more` behind them: clang links that runtime to libFuzzer's targets, and it takes signals
 * before libFuzzer does. */
static const char *runtime_options(const char *more)
{
    static char options[JOB_PATH_MAX];
    const char *given = getenv("UBSAN_OPTIONS");
    snprintf(options, sizeof options, "%s:%s", given != NULL ? given : "", more); /* the later counts */
    return options;
}

/* Starts the words with its output in the job's log. */
static bool spawn(struct job *job, char *const argv[], const struct process_variable *variables, size_t count,
                  struct error *error)
{
    const int log = file_log(job->log_path);
    const struct process_plan plan = {.argv = (const char *const *)argv,
                                      .folder = job->plan->work,
                                      .variables = variables,
                                      .variables_count = count,
                                      .in = PROCESS_NULL,
                                      .out = log >= 0 ? log : PROCESS_NULL,
                                      .err = log >= 0 ? log : PROCESS_NULL};
    job->pid = process_start(&plan, error);
    if (log >= 0)
        close(log);
    if (job->pid < 0)
        job->pid = 0;
    return job->pid != 0;
}

/* What leads the engine to the next input is the code that the case of this one took, which relatives would hide. */
static unsigned derived_of(const struct job_plan *plan, enum mutator_way way)
{
    const unsigned most = way == MUTATOR_BYTES ? 0 : plan->traced ? TRACED_DERIVED : plan->derived;
    return most < plan->derived ? most : plan->derived;
}

static bool launch(struct job *job, struct error *error)
{
    static struct command_words words; /* large */
    static const char *const ways[] = {[MUTATOR_OWN] = "own", [MUTATOR_BYTES] = "bytes", [MUTATOR_BOTH] = "both"};
    const struct job_plan *plan = job->plan;
    const enum mutator_way way = plan_way(plan, job->number);
    char families[16], derived[16], limit[16], mutator[2 * JOB_PATH_MAX], inputs[JOB_PATH_MAX + 64];
    bool afl = plan->engine == ENGINE_AFL,
         mutate = afl && way == MUTATOR_OWN && target_has_mutator(target_kind(plan->target));
    snprintf(families, sizeof families, "%u", (unsigned)plan->families);
    snprintf(derived, sizeof derived, "%u", derived_of(plan, way));
    snprintf(limit, sizeof limit, "%u", plan_limit_ms(plan));
    plan_inputs(plan, inputs);
    snprintf(mutator, sizeof mutator, "%s/libwarpcheck-afl-mutator.so", plan->targets);
    const struct process_variable variables[] = {
        {"WARPCHECK_FUZZ_IMPL", plan->impl},
        {"WARPCHECK_FUZZ_FAMILIES", plan->families != 0 ? families : NULL},
        {"WARPCHECK_FUZZ_DERIVED", derived},
        {"UBSAN_OPTIONS", afl ? getenv("UBSAN_OPTIONS") : runtime_options("exitcode=77")},
        {"WARPCHECK_FUZZ_SIGNALS", afl ? NULL : SIGNALS},
        {"WARPCHECK_FUZZ_MUTATOR", afl ? NULL : ways[way]},
        {"WARPCHECK_FUZZ_CALLS", plan->slow ? "short" : "long"},
        {"WARPCHECK_FUZZ_INPUTS", inputs},
        {"WARPCHECK_FUZZ_STATUS", job->status_path},
        {"WARPCHECK_FUZZ_KEEP_GOING", plan->stop_at_first ? NULL : "1"},
        {"WARPCHECK_FUZZ_PROGRAM", plan->program},
        {IMPL_TIMEOUT_VARIABLE, limit},
        {"AFL_CUSTOM_MUTATOR_LIBRARY", mutate ? mutator : NULL},
        {"AFL_CUSTOM_MUTATOR_ONLY", mutate ? "1" : NULL},
        {"AFL_DISABLE_TRIM", mutate ? "1" : NULL},
        {"AFL_AUTORESUME", "1"},
        {"AFL_NO_UI", "1"},
        {"AFL_TRY_AFFINITY", getenv("AFL_NO_AFFINITY") != NULL ? NULL : "1"},
        {"AFL_SKIP_CPUFREQ", "1"},
        {"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"},
        {"AFL_IGNORE_PROBLEMS", "1"},
        {"AFL_FAST_CAL", "1"}};
    command_make(plan, job->number, job->artifacts, &words);
    job->moved = clock_seconds();
    job->has_moved = false;
    return spawn(job, words.argv, variables, sizeof variables / sizeof variables[0], error);
}

bool job_start(struct job *job, const struct job_plan *plan, unsigned number, struct error *error)
{
    memset(job, 0, sizeof *job);
    job->plan = plan;
    job->number = number;
    snprintf(job->status_path, sizeof job->status_path, "%s/counters-%u", plan->work, number);
    snprintf(job->log_path, sizeof job->log_path, "%s/log-%u", plan->work, number);
    if (plan->engine == ENGINE_AFL)
        snprintf(job->artifacts, sizeof job->artifacts, "%s/afl-%s/job%u", plan->work, plan->target, number);
    else
        snprintf(job->artifacts, sizeof job->artifacts, "%s/artifacts", plan->work);
    if (plan->engine == ENGINE_LIBFUZZER && !folder_make(job->artifacts, error))
        return false;
    unlink(job->status_path);
    unlink(job->log_path);
    return launch(job, error);
}

bool job_restart(struct job *job, struct error *error)
{
    job->restarts++;
    if (job_status(job) != NULL)
        job->status->asked_size = 0; /* the process before asked */
    return launch(job, error);
}

struct fuzz_status *job_status(struct job *job)
{
    if (job->status == NULL)
        job->status = status_read(job->status_path);
    return job->status;
}

bool job_running(struct job *job, struct process_end *end)
{
    if (job->pid == 0)
        return false;
    *end = process_wait(job->pid, 0);
    if (end->ending == PROCESS_RUNS)
        return true;
    job->pid = 0;
    return false;
}

/* --- does it go on? --- */

/* Looks at its counters. Returns since when they stand still. */
static double stands_since(struct job *job)
{
    const struct fuzz_status *const status = job_status(job);
    const uint64_t progress = status != NULL ? status->asks + status->executions : 0;
    if (progress != job->progress) {
        job->has_moved = true;
        job->progress = progress;
        job->moved = clock_seconds();
    }
    return job->moved;
}

/* Is it checking an input? */
static bool is_asking(struct job *job)
{
    const struct fuzz_status *const status = job_status(job);
    return job->plan->engine == ENGINE_LIBFUZZER && status != NULL && status->asked_size > 0;
}

bool job_is_stuck(struct job *job)
{
    const double limit_s = plan_input_seconds(job->plan) + WAIT_SECONDS;
    const double stood_s = clock_seconds() - stands_since(job);
    if (job->plan->engine != ENGINE_LIBFUZZER || job->pid == 0)
        return false;
    if (is_asking(job))
        return stood_s > limit_s;
    return plan_is_guarded(job->plan) && stood_s > (job->has_moved ? limit_s : limit_s + LOAD_SECONDS);
}

/* --- its end --- */

/* Waits until the input that is being checked is done, as long as an input may take. False: it has not come back. One
 * that ends the process meanwhile is kept. */
static bool come_back(struct job *job)
{
    const double limit_s = plan_input_seconds(job->plan), since = stands_since(job);
    struct process_end end;
    while (job_running(job, &end)) {
        if (!is_asking(job) || stands_since(job) > since)
            return true;
        if (clock_seconds() - since > limit_s)
            return false;
        clock_sleep(0.005);
    }
    if (is_asking(job))
        job_keep_asked(job);
    return true;
}

static void kill_job(struct job *job, enum job_stop stop)
{
    if (stop == JOB_STUCK)
        job_keep_asked(job);
    process_kill(job->pid);
    job->pid = 0;
    job->stop = stop;
}

/* After it was asked to end: it has, or is killed. */
static void await_end(struct job *job, double until)
{
    struct process_end end;
    uint64_t before;
    while (job_running(job, &end) && clock_seconds() < until)
        clock_sleep(0.005);
    if (job->pid == 0)
        return;
    stands_since(job);
    before = job->progress;
    for (unsigned i = 0; i < 100 && job_running(job, &end) && stands_since(job) > 0 && job->progress == before; i++)
        clock_sleep(0.005);
    if (job->pid != 0)
        kill_job(job, job->progress != before || job->plan->engine != ENGINE_LIBFUZZER ? JOB_KILLED : JOB_STUCK);
}

void job_stop_all(struct job *jobs, unsigned n)
{
    double until;
    for (unsigned i = 0; i < n; i++)
        if (jobs[i].pid != 0 && !come_back(&jobs[i]))
            kill_job(&jobs[i], JOB_STUCK);
    until = clock_seconds() + STOP_SECONDS;
    for (unsigned i = 0; i < n; i++)
        if (jobs[i].pid != 0)
            kill(jobs[i].pid, SIGINT);
    for (unsigned i = 0; i < n; i++)
        await_end(&jobs[i], until);
}

void job_close(struct job *job)
{
    status_close(job->status);
    job->status = NULL;
}

void job_folders(const struct job *job, struct job_folders *folders)
{
    memset(folders, 0, sizeof *folders);
    plan_inputs(job->plan, folders->path[folders->count++]);
    plan_left(job->plan, folders->path[folders->count]);
    folders->left[folders->count++] = true;
    if (job->plan->engine != ENGINE_AFL) {
        snprintf(folders->path[folders->count], sizeof folders->path[0], "%s", job->artifacts);
        folders->ended[folders->count++] = true;
        return;
    }
    snprintf(folders->path[folders->count], sizeof folders->path[0], "%s/crashes", job->artifacts);
    folders->ended[folders->count++] = true;
    snprintf(folders->path[folders->count], sizeof folders->path[0], "%s/hangs", job->artifacts);
    folders->ended[folders->count++] = true;
    snprintf(folders->path[folders->count], sizeof folders->path[0], "%s/lost-%u", job->plan->work, job->number);
    folders->ended[folders->count++] = true;
}

void job_keep_lost(struct job *job)
{
    const struct fuzz_status *const status = job_status(job);
    char folder[JOB_PATH_MAX + 64], path[JOB_PATH_MAX + 160];
    struct error error;
    bool existed;
    if (job->plan->engine != ENGINE_AFL || status == NULL || status->lost == job->lost ||
        status->lost_size > FUZZ_ASKED_MAX || job->lost_kept >= LOST_MAX)
        return;
    job->lost = status->lost;
    snprintf(folder, sizeof folder, "%s/lost-%u", job->plan->work, job->number);
    /* AFL++ itself ends one that is slow: of that no more is said than of its own time-outs. */
    snprintf(path, sizeof path, "%s/timeout-%016llx", folder,
             (unsigned long long)hash_bytes(HASH_START, status->lost_input, status->lost_size));
    if (folder_make(folder, &error))
        job->lost_kept += file_create(path, status->lost_input, status->lost_size, &existed, &error);
}

bool job_keep_asked(struct job *job)
{
    const struct fuzz_status *const status = job_status(job);
    const size_t size = status != NULL && status->asked_size > 0 ? (size_t)status->asked_size - 1 : 0;
    char path[JOB_PATH_MAX + 160];
    struct error error;
    bool existed;
    if (status == NULL || status->asked_size == 0 || size > FUZZ_ASKED_MAX)
        return false;
    snprintf(path, sizeof path, "%s/ended-%016llx", job->artifacts,
             (unsigned long long)hash_bytes(HASH_START, status->asked, size));
    return file_create(path, status->asked, size, &existed, &error);
}

/* Copies a file into a folder under the name of its content. True when it was not there. */
static bool copy_by_content(const char *from, const char *folder)
{
    char path[JOB_PATH_MAX + 128];
    struct error error;
    bool existed = true;
    size_t size = 0;
    char *data = file_read(from, PLAN_INPUT_MAX, &size, &error);
    snprintf(path, sizeof path, "%s/%016llx", folder,
             (unsigned long long)(data != NULL ? hash_bytes(HASH_START, data, size) : 0));
    if (data != NULL && size > 0 && !file_exists(path) && !file_create(path, data, size, &existed, &error))
        existed = true;
    free(data);
    return !existed;
}

static size_t collect_queue(const char *queue, const char *corpus)
{
    char path[3 * JOB_PATH_MAX];
    struct dirent **inputs;
    const int n = scandir(queue, &inputs, plan_is_entry, alphasort);
    size_t fresh = 0;
    for (int i = 0; i < n; i++) {
        snprintf(path, sizeof path, "%s/%s", queue, inputs[i]->d_name);
        fresh += copy_by_content(path, corpus);
        free(inputs[i]);
    }
    if (n >= 0)
        free(inputs);
    return fresh;
}

size_t job_collect_corpus(const struct job_plan *plan)
{
    char corpus[JOB_PATH_MAX + 64], root[JOB_PATH_MAX + 64], queue[2 * JOB_PATH_MAX];
    struct dirent **jobs;
    size_t fresh = 0;
    int count;
    if (plan->engine != ENGINE_AFL)
        return 0;
    plan_corpus(plan, corpus);
    snprintf(root, sizeof root, "%s/afl-%s", plan->work, plan->target);
    count = scandir(root, &jobs, plan_is_entry, alphasort);
    for (int i = 0; i < count; i++) {
        snprintf(queue, sizeof queue, "%s/%s/queue", root, jobs[i]->d_name);
        fresh += collect_queue(queue, corpus);
        free(jobs[i]);
    }
    if (count >= 0)
        free(jobs);
    return fresh;
}

/* --- engines --- */

static const char *const names[] = {"libfuzzer", "afl"};

const char *engine_name(enum engine engine)
{
    return names[engine];
}

bool engine_find(const char *name, enum engine *engine)
{
    for (int i = 0; i < 2; i++)
        if (strcmp(name, names[i]) == 0) {
            *engine = (enum engine)i;
            return true;
        }
    return false;
}

/* Targets that were built elsewhere: WARPCHECK_FUZZ_TARGETS/libfuzzer, /afl. */
static bool given_targets(enum engine engine, char folder[JOB_PATH_MAX])
{
    const char *given = getenv("WARPCHECK_FUZZ_TARGETS");
    if (given == NULL || given[0] == '\0')
        return false;
    snprintf(folder, JOB_PATH_MAX, "%s/%s", given, engine_name(engine));
    return true;
}

bool engine_built(enum engine engine)
{
    char folder[JOB_PATH_MAX], target[JOB_PATH_MAX + 16];
    if (!given_targets(engine, folder))
        snprintf(folder, sizeof folder, "%s/engines/%s/fuzz", WARPCHECK_BINARY_DIR, engine_name(engine));
    snprintf(target, sizeof target, "%s/fuzz_all", folder);
    return access(target, X_OK) == 0;
}

/* Is there a program of this name in PATH, or at this path? */
static bool has_program(const char *name)
{
    char word[JOB_PATH_MAX + 32], command[2 * JOB_PATH_MAX];
    const char *const argv[] = {"/bin/sh", "-c", command, NULL};
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL, .out = PROCESS_NULL, .err = PROCESS_NULL};
    struct error error;
    snprintf(command, sizeof command, "command -v %s", text_quote(name, word, sizeof word));
    return process_run(&plan, 0, NULL, 0, &error);
}

bool engine_begin(enum engine engine, const char *target, struct error *error)
{
    static char script[] = WARPCHECK_SOURCE_DIR "/fuzz/engine.sh";
    char build[JOB_PATH_MAX - 8], folder[JOB_PATH_MAX];
    const char *const told = getenv("WARPCHECK_FUZZ_BUILD");
    const char *const given = getenv(engine == ENGINE_AFL ? "WARPCHECK_AFL_CC" : "WARPCHECK_CLANG");
    const char *const compiler = given != NULL ? given : engine == ENGINE_AFL ? "afl-clang-fast" : "clang";
    const char *const argv[] = {"nice", "/bin/sh", script, engine_name(engine), build, "none", target, NULL};
    const struct process_variable program = {"WARPCHECK_PROGRAM", WARPCHECK_PROGRAM};
    const struct process_plan plan = {.argv = argv,
                                      .variables = &program,
                                      .variables_count = 1,
                                      .in = PROCESS_NULL,
                                      .out = PROCESS_NULL,
                                      .err = PROCESS_NULL,
                                      .whole = true};
    if (given_targets(engine, folder))
        return true;
    if (told != NULL && strcmp(told, "0") == 0)
        return error_set(error, ERROR_UNAVAILABLE, "the targets are not built, and WARPCHECK_FUZZ_BUILD is 0");
    if (access(script, R_OK) != 0)
        return error_set(error, ERROR_UNAVAILABLE, "the targets are not built, and the sources are not at %s any more",
                         WARPCHECK_SOURCE_DIR);
    if (!has_program(compiler))
        return error_set(error, ERROR_UNAVAILABLE, "the targets are not built: %.100s is not installed (Debian: %s)",
                         compiler, engine == ENGINE_AFL ? "afl++" : "clang libclang-rt-dev");
    snprintf(build, sizeof build, "%s/engines/%s", WARPCHECK_BINARY_DIR, engine_name(engine));
    return process_start(&plan, error) > 0;
}

bool engine_prepare(enum engine engine, const char *target, char folder[JOB_PATH_MAX], struct error *error)
{
    char script[] = WARPCHECK_SOURCE_DIR "/fuzz/engine.sh", build[JOB_PATH_MAX - 8];
    char name[16];
    const char *const argv[] = {"/bin/sh", script, name, build, target != NULL ? "none" : NULL, target, NULL};
    const struct process_variable program = {"WARPCHECK_PROGRAM", WARPCHECK_PROGRAM};
    struct error why;
    if (given_targets(engine, folder))
        return true;
    snprintf(name, sizeof name, "%s", engine_name(engine));
    snprintf(build, sizeof build, "%s/engines/%s", WARPCHECK_BINARY_DIR, engine_name(engine));
    snprintf(folder, JOB_PATH_MAX, "%s/fuzz", build);
    if (access(script, R_OK) != 0)
        return error_set(error, ERROR_UNAVAILABLE,
                         "the sources are not at %s any more: build the fuzz targets with fuzz/engine.sh and set "
                         "WARPCHECK_FUZZ_TARGETS",
                         WARPCHECK_SOURCE_DIR);
    /* Results alone are on standard output. */
    const struct process_plan plan = {.argv = argv,
                                      .variables = &program,
                                      .variables_count = 1,
                                      .in = PROCESS_NULL,
                                      .out = STDERR_FILENO,
                                      .err = PROCESS_SAME,
                                      .whole = true};
    const pid_t pid = process_start(&plan, &why);
    struct process_end end = {.ending = PROCESS_RUNS};
    if (pid <= 0)
        return error_set(error, why.code, "%s", why.text);
    while (end.ending == PROCESS_RUNS && !interrupted())
        end = process_wait(pid, clock_seconds() + 0.1);
    if (end.ending == PROCESS_RUNS) {
        process_signal(pid, SIGTERM);
        if (process_wait(pid, clock_seconds() + STOP_SECONDS).ending == PROCESS_RUNS)
            process_kill(pid);
        return error_set(error, ERROR_INTERRUPTED, "the fuzz targets for %s are not built: it was interrupted",
                         engine_name(engine));
    }
    if (end.ending != PROCESS_EXITED || end.number != 0)
        return error_set(error, ERROR_SYSTEM, "the fuzz targets for %s could not be built (see above)",
                         engine_name(engine));
    return true;
}
