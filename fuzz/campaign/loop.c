/*
 * Starting, watching and stopping the jobs of a campaign.
 */
#define _GNU_SOURCE /* scandir, nanosleep */
#include "fuzz/campaign/loop.h"

#include "base/clock.h"
#include "base/text.h"
#include "fuzz/campaign/limits.h"
#include "warpcheck/text.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* When the campaign has to be over: a suspected hang of the last moment is still looked at. */
static double loop_end(const struct loop *loop)
{
    const double limit_s = plan_limit_ms(&loop->plan) / 1000.0;
    const double grace = 1.5 * limit_s + 2 > LOOP_GRACE_SECONDS ? 1.5 * limit_s + 2 : LOOP_GRACE_SECONDS;
    if (loop->stopped > 0)
        return loop->stopped + grace;
    return loop->seconds > 0 ? loop->start + loop->seconds + grace : clock_seconds() + grace;
}

/* Inputs that end the target are looked at a few at a time, or nothing else would be. */
static struct job_time crash_time(const struct loop *loop)
{
    const double end = loop_end(loop), soon = clock_seconds() + 1;
    const struct job_time time = {loop->stopped > 0 || end < soon ? end : soon, end};
    return time;
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
    static const char *const kept[][2] = {{"case.txt", "replay"}, {"program.ptx", "program --against spec"}};
    char path[3 * JOB_PATH_MAX], variant[64];
    text_quote(loop->plan.program, program, sizeof program);
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, kept[i][0]);
        if (access(path, F_OK) != 0)
            continue;
        snprintf(command, size, "%s %s --impl %s %s", program, kept[i][1],
                 text_quote(to_replay(loop, line, variant), impl, sizeof impl),
                 text_quote(path, quoted, sizeof quoted));
        return;
    }
    text_quote(loop->plan.impl, impl, sizeof impl);
    snprintf(path, sizeof path, "%s/input", folder);
    if (access(path, F_OK) != 0) { /* FAMILY-state */
        snprintf(command, size, "%s fuzz --engine %s --only %.*s --impl %s --seconds %.0f", program,
                 loop->plan.engine == ENGINE_AFL ? "afl" : "libfuzzer", (int)strcspn(name, "-"), name, impl,
                 loop->seconds >= 1 ? loop->seconds : 60);
        return;
    }
    text_quote(path, quoted, sizeof quoted);
    snprintf(path, sizeof path, "%s/fuzz/%s", WARPCHECK_BINARY_DIR, loop->plan.target); /* built without an engine */
    if (access(path, X_OK) != 0)
        snprintf(path, sizeof path, "%s/%s", loop->plan.targets, loop->plan.target);
    snprintf(command, size, "WARPCHECK_FUZZ_IMPL=%s %s %s", impl, text_quote(path, target, sizeof target), quoted);
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
    const bool again = strncmp(line, "an input", 8) != 0;
    loop->crashes += again;
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
    return loop->plan.engine == ENGINE_AFL && job_try_first_input(job, loop_end(loop), on_first, loop) > 0;
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
static bool ended_by(const struct job *job, int status, int code)
{
    return job->plan->engine == ENGINE_LIBFUZZER && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

/* Crashes that nobody told of: an input that was looked at before, or that ends the target only in its company. One
 * that was too slow for the engine and is answered when it is asked alone is none. */
static bool count_ended(struct loop *loop, const struct job *job, int status, struct job_crashes seen)
{
    const bool crashed = ended_by(job, status, JOB_CRASH_STATUS), hung = ended_by(job, status, JOB_HANG_STATUS);
    loop->crashes += seen.confirmed == 0 && seen.undecided == 0 && (crashed || (hung && seen.looked_at == 0));
    return crashed || hung;
}

/* The implementation ended libFuzzer's process unseen: by SIGKILL, say. False where it had not been asked anything. */
static bool ended_unseen(struct loop *loop, struct job *job, int status, struct job_crashes *seen)
{
    const struct fuzz_status *const counters = job_status(job);
    char line[JOB_PATH_MAX + 768] = "the implementation ended the process on an input that is not known: ";
    if (job->plan->engine != ENGINE_LIBFUZZER || counters == NULL)
        return false;
    if (job_keep_asked(job)) {
        *seen = job_collect_crashes(job, crash_time(loop), on_crash, loop);
        loop->crashes += seen->confirmed == 0 && seen->undecided == 0; /* looked at before, or not alone */
        return true;
    }
    if (counters->executions == 0)
        return false;
    loop->crashes++;
    explain_end(job, status, line + strlen(line), sizeof line - strlen(line));
    loop->note(loop->context, line);
    return true;
}

/* A job that ended: after a crash of the implementation it goes on with its corpus; otherwise the campaign fails. */
static bool tend(struct loop *loop, struct job *job, char *error, size_t error_size)
{
    int status = 0;
    struct job_crashes seen;
    bool crashed;
    if (job->pid == 0 || job_running(job, &status))
        return true;
    if (loop->plan.stop_at_first && job_status(job) != NULL && job_status(job)->mismatches > 0)
        return true;
    seen = job_collect_crashes(job, crash_time(loop), on_crash, loop);
    crashed = count_ended(loop, job, status, seen);
    if (seen.looked_at + seen.undecided == 0) {
        const struct fuzz_status *counters = job_status(job);
        if (!crashed && !first_input_crashed(loop, job) && (counters == NULL || counters->mismatches == 0) &&
            !ended_unseen(loop, job, status, &seen)) {
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
    double last_tick = loop->start, last_look = loop->start;
    bool good = true;
    do {
        double now = clock_seconds();
        nanosleep(&moment, NULL);
        for (unsigned i = 0; good && i < loop->jobs_count; i++)
            good = tend(loop, &loop->jobs[i], error, error_size);
        add_up(loop);
        if (now - last_look >= 0.2) {
            for (unsigned i = 0; loop->plan.engine == ENGINE_AFL && i < loop->jobs_count; i++)
                job_collect_crashes(&loop->jobs[i], crash_time(loop), on_crash, loop);
            look_for_findings(loop, false);
            last_look = clock_seconds();
        }
        loop->elapsed_s = clock_seconds() - loop->start;
        if (now - last_tick >= 0.1) {
            loop->tick(loop->context, loop, loop->elapsed_s);
            last_tick = now;
        }
    } while (good && !over(loop, loop->elapsed_s));
    return good;
}

/* What there is no time for is left where it is, and said. */
static void collect_last(struct loop *loop, struct job *job)
{
    char line[JOB_PATH_MAX + 192];
    const struct job_crashes seen = job_collect_crashes(job, crash_time(loop), on_crash, loop);
    loop->undecided += seen.undecided;
    if (seen.undecided == 0)
        return;
    snprintf(line, sizeof line, "%zu inputs that ended the target were not looked at, for want of time: %s",
             seen.undecided, job->artifacts);
    loop->note(loop->context, line);
}

/* Slow or hung is told by what is measured first, as a part of the campaign's time; not where the time to the first
 * mismatch is what is wanted. */
static void measure(struct loop *loop)
{
    char note[256] = "";
    if (!loop->plan.stop_at_first)
        limits_measure(&loop->plan, note, sizeof note, on_crash, loop);
    if (note[0] != '\0')
        loop->note(loop->context, note);
    loop->elapsed_s = clock_seconds() - loop->start;
}

static bool is_over(const struct loop *loop)
{
    return loop->seconds > 0 && clock_seconds() - loop->start >= loop->seconds;
}

bool loop_run(struct loop *loop, char *error, size_t error_size)
{
    unsigned started = 0;
    bool good = true;
    if (!plan_make_folders(&loop->plan, error, error_size))
        return false;
    look_for_findings(loop, true);
    loop->start = clock_seconds();
    measure(loop);
    while (good && started < loop->jobs_count && !is_over(loop)) {
        good = job_start(&loop->jobs[started], &loop->plan, started, error, error_size);
        started++;
    }
    if (good && started > 0)
        good = watch(loop, error, error_size);
    job_stop_all(loop->jobs, started);
    add_up(loop);
    loop->stopped = clock_seconds();
    for (unsigned i = 0; i < started; i++)
        collect_last(loop, &loop->jobs[i]);
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
