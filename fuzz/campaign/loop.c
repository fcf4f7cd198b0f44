/*
 * Starting, watching and stopping the jobs of a campaign.
 */
#define _GNU_SOURCE /* scandir, nanosleep, clock_gettime */
#include "fuzz/campaign/loop.h"

#include "check/quote.h"
#include "warpcheck/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int is_finding(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

/* True the first time. */
static bool remember(struct loop *loop, const char *name)
{
    for (size_t i = 0; i < loop->known_count; i++)
        if (strncmp(loop->known[i], name, sizeof loop->known[i] - 1) == 0)
            return false;
    if (loop->known_count == LOOP_KNOWN_MAX)
        return false;
    snprintf(loop->known[loop->known_count++], sizeof loop->known[0], "%.*s", (int)sizeof loop->known[0] - 1, name);
    return true;
}

static void first_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "r");
    line[0] = '\0';
    if (file == NULL)
        return;
    if (fgets(line, (int)size, file) != NULL)
        line[strcspn(line, "\n")] = '\0';
    fclose(file);
}

/* What a replay is to ask: "fast" tests several variants, so the first of those that the line names ("[fast-avx2,
 * fast-avx512 against spec, lane 3]", without the space). */
static const char *to_replay(const struct loop *loop, const char *line, char name[64])
{
    const char *at = strstr(line, " [fast-"); /* a mismatch */
    if (at == NULL)
        at = strstr(line, "> fast-"); /* a crash */
    if (at == NULL || strcmp(loop->plan.impl, "fast") != 0)
        return loop->plan.impl;
    snprintf(name, 64, "%.*s", (int)strcspn(at + 2, ", ]"), at + 2);
    return name;
}

#define QUOTED_MAX (12u * JOB_PATH_MAX)

/* The command for what is kept in the folder: a case, a note of what no case shows again, or a target's input. */
static void make_command(const struct loop *loop, const char *folder, const char *name, const char *line, char *command,
                         size_t size)
{
    static char program[QUOTED_MAX], impl[QUOTED_MAX], quoted[QUOTED_MAX], target[QUOTED_MAX];
    char path[3 * JOB_PATH_MAX], variant[64];
    quote_word(loop->plan.program, program, sizeof program);
    snprintf(path, sizeof path, "%s/case.txt", folder);
    if (access(path, F_OK) == 0) {
        snprintf(command, size, "%s replay --impl %s %s", program,
                 quote_word(to_replay(loop, line, variant), impl, sizeof impl),
                 quote_word(path, quoted, sizeof quoted));
        return;
    }
    quote_word(loop->plan.impl, impl, sizeof impl);
    snprintf(path, sizeof path, "%s/input", folder);
    if (access(path, F_OK) != 0) { /* FAMILY-state */
        snprintf(command, size, "%s fuzz --engine %s --only %.*s --impl %s --seconds %.0f", program,
                 loop->plan.engine == ENGINE_AFL ? "afl" : "libfuzzer", (int)strcspn(name, "-"), name, impl,
                 loop->seconds >= 1 ? loop->seconds : 60);
        return;
    }
    quote_word(path, quoted, sizeof quoted);
    snprintf(path, sizeof path, "%s/%s", loop->plan.targets, loop->plan.target);
    snprintf(command, size, "WARPCHECK_FUZZ_IMPL=%s %s %s", impl, quote_word(path, target, sizeof target), quoted);
}

static void announce(struct loop *loop, const char *name)
{
    static char line[3 * WARP_TEXT_MAX], command[4 * QUOTED_MAX];
    char folder[2 * JOB_PATH_MAX], path[3 * JOB_PATH_MAX];
    const struct loop_finding finding = {folder, line, command};
    snprintf(folder, sizeof folder, "%s/%s", loop->plan.findings, name);
    snprintf(path, sizeof path, "%s/finding.txt", folder);
    first_line(path, line, sizeof line);
    if (line[0] == '\0') {
        snprintf(path, sizeof path, "%s/note.txt", folder);
        first_line(path, line, sizeof line);
    }
    make_command(loop, folder, name, line, command, sizeof command);
    if (line[0] == '\0')
        snprintf(line, sizeof line, "%s", name);
    loop->findings++;
    loop->finding(loop->context, &finding);
}

/* Findings appear by one rename, so what is there is whole. `first`: those of earlier campaigns. */
static void look_for_findings(struct loop *loop, bool first)
{
    struct dirent **entries;
    int n = scandir(loop->plan.findings, &entries, is_finding, alphasort);
    for (int i = 0; i < n; i++) {
        if (remember(loop, entries[i]->d_name)) {
            if (first)
                loop->known_before++;
            else
                announce(loop, entries[i]->d_name);
        }
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
}

/* What a target could not write: said once, of its first one. */
static void count_unkept(struct loop *loop, uint64_t count, const char *why)
{
    char line[512];
    if (loop->unkept == 0 && count > 0) {
        snprintf(line, sizeof line, "a finding was not kept: %.255s", why);
        loop->note(loop->context, line);
    }
    loop->unkept = count;
}

static void add_up(struct loop *loop)
{
    uint64_t unkept = 0;
    const char *why = "";
    struct loop_totals *t = &loop->totals;
    memset(t, 0, sizeof *t);
    for (unsigned i = 0; i < loop->jobs_count; i++) {
        const struct fuzz_status *s = job_status(&loop->jobs[i]);
        t->running += loop->jobs[i].pid != 0;
        t->restarts += loop->jobs[i].restarts;
        if (s == NULL)
            continue;
        t->executions += s->executions;
        t->checks += s->checks;
        t->refused += s->refused;
        t->mismatches += s->mismatches;
        t->duplicates += s->duplicates;
        t->skipped += s->skipped;
        unkept += s->unkept;
        why = s->unkept > 0 ? s->unkept_why : why;
        for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++)
            t->hits[bucket] += s->hits[bucket];
    }
    count_unkept(loop, unkept, why);
}

static void on_crash(void *context, const char *folder, const char *line)
{
    struct loop *loop = context;
    (void)folder; /* look_for_findings announces those that were kept */
    bool again = strncmp(line, "an input", 8) != 0;
    loop->crashes += again && loop->plan.engine == ENGINE_AFL; /* libFuzzer ends at each: tend() */
    const bool unkept = strstr(line, "(the reproducer was not written") != NULL;
    loop->unkept_crashes += unkept;
    if (!again || unkept)
        loop->note(loop->context, line);
}

/* AFL++ keeps no input when its first one crashes, and ends: true when that is what happened. */
static void on_first(void *context, const char *folder, const char *line)
{
    if (strncmp(line, "an input", 8) != 0)
        on_crash(context, folder, line);
}

static bool first_input_crashed(struct loop *loop, struct job *job)
{
    const uint64_t before = loop->crashes;
    if (loop->plan.engine == ENGINE_AFL)
        job_try_first_input(job, on_first, loop);
    return loop->crashes > before;
}

/* The last lines of a job's log, for an engine that ended by itself. */
static void explain_end(const struct job *job, int status, char *error, size_t error_size)
{
    char line[512], last[512] = "(its log is empty)";
    FILE *log = fopen(job->log_path, "r");
    while (log != NULL && fgets(line, sizeof line, log) != NULL)
        if (line[0] != '\n')
            snprintf(last, sizeof last, "%.*s", (int)strcspn(line, "\n"), line);
    if (log != NULL)
        fclose(log);
    snprintf(error, error_size, "%s ended by itself (%s %d), see %s: %s", engine_name(job->plan->engine),
             WIFSIGNALED(status) ? "signal" : "status", WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status),
             job->log_path, last);
}

/* By libFuzzer's statuses for a crash and for a hang. The input may be one that was looked at before. */
static bool ended_by_crash(const struct job *job, int status)
{
    return job->plan->engine == ENGINE_LIBFUZZER && WIFEXITED(status) &&
           (WEXITSTATUS(status) == JOB_CRASH_STATUS || WEXITSTATUS(status) == JOB_HANG_STATUS);
}

/* A job that ended: after a crash of the implementation it goes on with its corpus; otherwise the campaign fails. */
static bool tend(struct loop *loop, struct job *job, char *error, size_t error_size)
{
    int status = 0;
    if (job->pid == 0 || job_running(job, &status))
        return true;
    if (loop->plan.stop_at_first && job_status(job) != NULL && job_status(job)->mismatches > 0)
        return true;
    loop->crashes += ended_by_crash(job, status);
    if (job_collect_crashes(job, on_crash, loop) == 0) {
        const struct fuzz_status *counters = job_status(job);
        if (!first_input_crashed(loop, job) && !ended_by_crash(job, status) &&
            (counters == NULL || counters->mismatches == 0)) {
            explain_end(job, status, error, error_size);
            return false;
        }
    }
    look_for_findings(loop, false);
    if (job->restarts >= LOOP_RESTARTS_MAX || (loop->plan.engine == ENGINE_AFL && WIFEXITED(status))) {
        loop->note(loop->context, "a job crashed again and again and stays down: mend the crash first");
        return true;
    }
    return job_restart(job, error, error_size);
}

static bool over(const struct loop *loop, double elapsed)
{
    if (loop->seconds > 0 && elapsed >= loop->seconds)
        return true;
    if (loop->plan.stop_at_first && (loop->totals.mismatches > 0 || loop->findings > 0))
        return true;
    return loop->totals.running == 0 || loop->stop(loop->context);
}

static bool watch(struct loop *loop, char *error, size_t error_size)
{
    const struct timespec moment = {0, loop->plan.stop_at_first ? 1000000 : 20000000};
    double start = now_seconds(), last_tick = start, last_look = start;
    bool good = true;
    do {
        double now = now_seconds();
        nanosleep(&moment, NULL);
        for (unsigned i = 0; good && i < loop->jobs_count; i++)
            good = tend(loop, &loop->jobs[i], error, error_size);
        add_up(loop);
        if (now - last_look >= 0.2) {
            for (unsigned i = 0; loop->plan.engine == ENGINE_AFL && i < loop->jobs_count; i++)
                job_collect_crashes(&loop->jobs[i], on_crash, loop);
            look_for_findings(loop, false);
            last_look = now;
        }
        loop->elapsed_s = now_seconds() - start;
        if (now - last_tick >= 0.1) {
            loop->tick(loop->context, loop, loop->elapsed_s);
            last_tick = now;
        }
    } while (good && !over(loop, loop->elapsed_s));
    return good;
}

bool loop_run(struct loop *loop, char *error, size_t error_size)
{
    unsigned started = 0;
    bool good;
    if (!plan_make_folders(&loop->plan, error, error_size))
        return false;
    look_for_findings(loop, true);
    good = true;
    while (good && started < loop->jobs_count) {
        good = job_start(&loop->jobs[started], &loop->plan, started, error, error_size);
        started++;
    }
    if (good)
        good = watch(loop, error, error_size);
    for (unsigned i = 0; i < started; i++)
        job_stop(&loop->jobs[i]);
    add_up(loop);
    for (unsigned i = 0; i < started; i++)
        job_collect_crashes(&loop->jobs[i], on_crash, loop);
    loop->collected = job_collect_corpus(&loop->plan);
    look_for_findings(loop, false);
    for (unsigned i = 0; i < started; i++)
        job_close(&loop->jobs[i]);
    return good;
}

struct loop_buckets loop_buckets(const struct loop_totals *totals, uint32_t families)
{
    struct loop_buckets sum = {0, 0, 0};
    for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++) {
        struct coverage_info info;
        bool reachable;
        coverage_describe(bucket, &info);
        if (!(families >> info.family & 1u))
            continue;
        reachable = coverage_why_not(&info) == NULL;
        sum.reachable += reachable;
        sum.unreachable += !reachable;
        sum.hit += totals->hits[bucket] > 0;
    }
    return sum;
}
