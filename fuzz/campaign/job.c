/*
 * One engine process: its command line, its environment, its life.
 */
#define _GNU_SOURCE /* setpgid, prctl, environ */
#include "fuzz/campaign/command.h"

#include "base/clock.h"
#include "check/impl/impl.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SIGNALS        "16" /* libFuzzer keeps an input for what it sees first, and for the same in fewer bytes */
#define REPORT_SECONDS 4.0  /* that a job may take to finish a report before it is stopped */
#define STOP_SECONDS   3.0  /* and to end when it was asked to */

static void redirect(const char *log_path)
{
    int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int log = log_path != NULL ? open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666) : -1;
    if (null >= 0)
        dup2(null, STDIN_FILENO);
    if (log >= 0) {
        dup2(log, STDOUT_FILENO);
        dup2(log, STDERR_FILENO);
    } else {
        dup2(STDERR_FILENO, STDOUT_FILENO); /* results alone are on standard output */
    }
}

pid_t job_spawn(char *const argv[], const struct job_variable *variables, const char *log_path, const char *folder)
{
    pid_t parent = getpid(), pid;
    fflush(NULL);
    pid = fork();
    if (pid != 0)
        return pid;
    setpgid(0, 0); /* Ctrl-C is for the campaign, which then stops its jobs in order */
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent)
        _exit(127);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    for (; variables != NULL && variables->name != NULL; variables++)
        if (variables->value != NULL)
            setenv(variables->name, variables->value, 1);
        else
            unsetenv(variables->name);
    redirect(log_path);
    if (folder != NULL && chdir(folder) != 0)
        _exit(127);
    execvp(argv[0], argv);
    fprintf(stderr, "warpcheck: cannot start %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

void job_run(char *const argv[])
{
    pid_t pid = job_spawn(argv, NULL, "/dev/null", NULL);
    if (pid > 0)
        waitpid(pid, NULL, 0);
}

const char *job_runtime_options(const char *more)
{
    static char options[JOB_PATH_MAX];
    const char *given = getenv("UBSAN_OPTIONS");
    snprintf(options, sizeof options, "%s:%s", given != NULL ? given : "", more); /* the later counts */
    return options;
}

void plan_corpus(const struct job_plan *plan, char path[JOB_PATH_MAX + 64])
{
    snprintf(path, JOB_PATH_MAX + 64, "%s/corpus-%s", plan->work, plan->target);
}

static bool make_folder(const char *path, char *error, size_t error_size)
{
    struct stat about;
    if (mkdir(path, 0777) == 0 || (errno == EEXIST && stat(path, &about) == 0 && S_ISDIR(about.st_mode)))
        return true;
    snprintf(error, error_size, "cannot make the folder %s: %s", path, strerror(errno));
    return false;
}

bool plan_make_folders(const struct job_plan *plan, char *error, size_t error_size)
{
    char corpus[JOB_PATH_MAX + 64], start[JOB_PATH_MAX + 64], seed[JOB_PATH_MAX + 80];
    FILE *file;
    plan_corpus(plan, corpus);
    snprintf(start, sizeof start, "%s/empty", plan->work);
    if (!make_folder(plan->work, error, error_size) || !make_folder(plan->findings, error, error_size) ||
        !make_folder(corpus, error, error_size) || !make_folder(start, error, error_size))
        return false;
    snprintf(seed, sizeof seed, "%s/zero", start); /* AFL++ cannot begin with nothing */
    file = fopen(seed, "wb");
    if (file == NULL || fputc(0, file) == EOF) {
        snprintf(error, error_size, "cannot write %s: %s", seed, strerror(errno));
        if (file != NULL)
            fclose(file);
        return false;
    }
    return fclose(file) == 0;
}

static bool launch(struct job *job, char *error, size_t error_size)
{
    static struct command_words words; /* large */
    const struct job_plan *plan = job->plan;
    char families[16], derived[16], limit[16], mutator[2 * JOB_PATH_MAX];
    bool afl = plan->engine == ENGINE_AFL,
         mutate = afl && !plan_takes_text(plan) && strcmp(plan->target, "fuzz_bytes") != 0;
    snprintf(families, sizeof families, "%u", (unsigned)plan->families);
    snprintf(derived, sizeof derived, "%u", plan->derived);
    snprintf(limit, sizeof limit, "%u", plan_limit_ms(plan));
    snprintf(mutator, sizeof mutator, "%s/libwarpcheck-afl-mutator.so", plan->targets);
    const struct job_variable variables[] = {
        {"WARPCHECK_FUZZ_IMPL", plan->impl},
        {"WARPCHECK_FUZZ_FAMILIES", plan->families != 0 ? families : NULL},
        {"WARPCHECK_FUZZ_DERIVED", derived},
        {"UBSAN_OPTIONS", afl ? getenv("UBSAN_OPTIONS") : job_runtime_options("exitcode=77")},
        {"WARPCHECK_FUZZ_SIGNALS", afl ? NULL : SIGNALS},
        {"WARPCHECK_FUZZ_FINDINGS", plan->findings},
        {"WARPCHECK_FUZZ_STATUS", job->status_path},
        {"WARPCHECK_FUZZ_KEEP_GOING", plan->stop_at_first ? NULL : "1"},
        {"WARPCHECK_FUZZ_PROGRAM", plan->program},
        {"WARPCHECK_FUZZ_ARTIFACTS", afl ? "-" : job->artifacts},
        {IMPL_TIMEOUT_VARIABLE, limit},
        {"AFL_CUSTOM_MUTATOR_LIBRARY", mutate ? mutator : NULL},
        {"AFL_CUSTOM_MUTATOR_ONLY", mutate ? "1" : NULL},
        {"AFL_DISABLE_TRIM", mutate ? "1" : NULL},
        {"AFL_AUTORESUME", "1"},
        {"AFL_NO_UI", "1"},
        {"AFL_TRY_AFFINITY", "1"},
        {"AFL_SKIP_CPUFREQ", "1"},
        {"AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES", "1"},
        {"AFL_IGNORE_PROBLEMS", "1"},
        {"AFL_FAST_CAL", "1"},
        {NULL, NULL}};
    command_make(job, &words);
    job->pid = job_spawn(words.argv, variables, job->log_path, plan->work);
    if (job->pid > 0)
        return true;
    job->pid = 0;
    snprintf(error, error_size, "cannot start %s: %s", words.argv[0], strerror(errno));
    return false;
}

bool job_start(struct job *job, const struct job_plan *plan, unsigned number, char *error, size_t error_size)
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
    if (plan->engine == ENGINE_LIBFUZZER && !make_folder(job->artifacts, error, error_size))
        return false;
    unlink(job->status_path);
    unlink(job->log_path);
    return launch(job, error, error_size);
}

bool job_restart(struct job *job, char *error, size_t error_size)
{
    job->restarts++;
    return launch(job, error, error_size);
}

const struct fuzz_status *job_status(struct job *job)
{
    if (job->status == NULL)
        job->status = status_read(job->status_path);
    return job->status;
}

bool job_running(struct job *job, int *wait_status)
{
    pid_t ended;
    if (job->pid == 0)
        return false;
    ended = waitpid(job->pid, wait_status, WNOHANG);
    if (ended == 0)
        return true;
    job->pid = 0;
    return false;
}

static void pause_ms(unsigned ms)
{
    const struct timespec moment = {0, (long)ms * 1000000};
    nanosleep(&moment, NULL);
}

/* Waits until no job is in the midst of the report that it is in the midst of now. */
static void let_report(struct job *jobs, unsigned n)
{
    const double end = clock_seconds() + REPORT_SECONDS;
    for (unsigned i = 0; i < n; i++) {
        const struct fuzz_status *const status = jobs[i].pid != 0 ? job_status(&jobs[i]) : NULL;
        const uint64_t report = status != NULL ? status->reporting : 0;
        int ended;
        while ((report & 1) && status->reporting == report && clock_seconds() < end && job_running(&jobs[i], &ended))
            pause_ms(5);
    }
}

void job_stop_all(struct job *jobs, unsigned n)
{
    double end;
    int status;
    let_report(jobs, n);
    for (unsigned i = 0; i < n; i++)
        if (jobs[i].pid != 0)
            kill(jobs[i].pid, SIGINT);
    end = clock_seconds() + STOP_SECONDS;
    for (unsigned i = 0; i < n; i++) {
        while (job_running(&jobs[i], &status) && clock_seconds() < end)
            pause_ms(5);
        if (jobs[i].pid == 0)
            continue;
        kill(-jobs[i].pid, SIGKILL);
        waitpid(jobs[i].pid, &status, 0);
        jobs[i].pid = 0;
    }
}

void job_close(struct job *job)
{
    status_close(job->status);
    job->status = NULL;
}
