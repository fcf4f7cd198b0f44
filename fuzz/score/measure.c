/*
 * One mutant, one check. Checks run in a process of their own, since a mutant may crash or never return.
 */
#define _GNU_SOURCE /* fork, alarm */
#include "fuzz/score/score.h"

#include "base/clock.h"
#include "base/process.h"
#include "check/batch.h"
#include "check/checker.h"
#include "check/finding.h"
#include "check/enumerate.h"
#include "check/impl/impl.h"
#include "check/random.h"
#include "fuzz/laws.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define BATCHES_S 120u /* for all batches, which `run` goes through whatever they take: seconds on any machine */

/* --- in a process of its own --- */

/* What the process reports; in memory that both share, so that it is there after a crash. */
struct report {
    bool caught, finished, crashed, hung;
    uint64_t cases;
};

struct trial {
    const struct score_plan *plan;
    const struct warp_impl *impl;
    uint64_t seed; /* 1, 2... */
    struct checker checker;
    struct report *report;
    uint64_t warps; /* of batches */
    double end;
    struct warp_case cases[CHECKER_BATCH];
    size_t n;
};

static bool on_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                        const struct warp_result *reference, const struct warp_result *observed,
                        const struct warp_diff *diff)
{
    struct trial *t = context;
    (void)checker, (void)c, (void)reference, (void)observed, (void)diff;
    t->report->caught = true;
    return false;
}

static bool has_ended(const struct trial *t)
{
    return t->report->caught || t->report->crashed || t->report->hung;
}

/* The caller tells a crash or a hang of the plugin. An eval that returns false counts as a crash. */
static void gave_no_answer(struct trial *t)
{
    const struct impl_failure *const failure = impl_failure(t->impl);
    *(failure != NULL && failure->error.code == ERROR_TIMEOUT ? &t->report->hung : &t->report->crashed) = true;
}

/* Checks the cases that have gathered; true to go on. */
static bool flush(struct trial *t)
{
    if (!checker_run(&t->checker, t->cases, t->n))
        gave_no_answer(t);
    t->n = 0;
    t->report->cases = t->warps + checker_total(&t->checker).compared;
    return !has_ended(t) && clock_seconds() < t->end;
}

static struct warp_case *next_case(struct trial *t)
{
    return &t->cases[t->n];
}

static bool made_case(struct trial *t)
{
    return ++t->n < CHECKER_BATCH || flush(t);
}

static void enumerate(struct trial *t)
{
    const struct enumeration *e;
    bool go_on = true;
    for (size_t i = 0; go_on && (e = enumeration_get(i)) != NULL; i++) {
        uint64_t count = e->count();
        for (uint64_t index = 0; go_on && index < count; index++) {
            e->make(index, next_case(t));
            go_on = made_case(t);
        }
    }
}

static void replay(struct trial *t)
{
    bool go_on = true;
    for (size_t i = 0; go_on && i < t->plan->corpus_count; i++) {
        *next_case(t) = t->plan->corpus[i];
        go_on = made_case(t);
    }
}

static void random_cases(struct trial *t)
{
    bool go_on = true;
    for (uint64_t i = 0; go_on && i < t->plan->random_cases; i++) {
        random_case(t->seed, i, WARP_FAMILY_ALL, next_case(t));
        go_on = made_case(t);
    }
}

static void laws(struct trial *t)
{
    struct warp_case c;
    for (uint64_t i = 0; i < t->plan->law_cases && !has_ended(t) && clock_seconds() < t->end; i++) {
        const struct law *law;
        random_case(t->seed, i, WARP_FAMILY_ALL, &c);
        for (size_t k = 0; !has_ended(t) && (law = law_get(k)) != NULL; k++) {
            bool tried = false;
            if (!(law->families & WARP_FAMILY_BIT(warp_form_get(c.form)->family)))
                continue;
            if (law->check(t->impl, &c, &tried) != NULL)
                t->report->caught = true;
            t->report->cases += tried;
            if (impl_failure(t->impl) != NULL)
                gave_no_answer(t);
        }
    }
}

static void batches(struct trial *t)
{
    static struct batch_outcome outcome;
    struct batch_bench *bench = impl_can(t->impl).batch ? batch_open(t->impl, NULL, NULL) : NULL;
    if (bench == NULL)
        _exit(2);
    for (uint64_t i = 0; i < BATCH_TRIALS && !t->report->caught; i++) {
        const bool good = batch_try(bench, t->seed, i, spec_get(), &outcome);
        if (outcome.fault == BATCH_UNKNOWN)
            _exit(2);
        t->report->crashed = t->report->crashed || outcome.fault == BATCH_CRASHED;
        t->report->caught = !good;
        t->report->cases = t->warps += outcome.warps;
    }
    batch_close(bench);
}

/* Opens FILE.so or FILE.so:NAME, or FILE-traps.so for a build with traps. NULL: it cannot be loaded. */
static const struct warp_impl *open_subject(const struct score_subject *s, enum score_check check)
{
    char path[sizeof s->spec + 16];
    if (check == SCORE_TRAPS)
        score_traps_path(s, path, sizeof path);
    return impl_open(check == SCORE_TRAPS ? path : s->spec, NULL);
}

/* Asks by one check. */
static void ask(struct trial *t, enum score_check check)
{
    t->end = clock_seconds() + t->plan->limit_s;
    if (check == SCORE_ENUMERATE)
        enumerate(t);
    else if (check == SCORE_REPLAY)
        replay(t);
    else if (check == SCORE_RANDOM)
        random_cases(t);
    else if (check == SCORE_BATCHES)
        batches(t);
    else
        laws(t);
    if (t->n > 0 && !has_ended(t))
        flush(t);
}

/* Runs all checks of `run`, the quick ones first, until one catches it. */
static void ask_all(struct trial *t)
{
    static const enum score_check order[] = {SCORE_BATCHES, SCORE_REPLAY, SCORE_RANDOM, SCORE_ENUMERATE};
    for (size_t i = 0; i < sizeof order / sizeof order[0] && !has_ended(t); i++)
        ask(t, order[i]);
}

/* The life of the process. Its output is discarded: a mutant may complain. */
static void live(const struct score_subject *s, enum score_check check, const struct score_plan *plan, uint64_t seed,
                 struct report *report)
{
    static struct trial t; /* large */
    const unsigned case_s = (unsigned)(2 * plan->limit_s) + 5;
    char limit[16];
    int null = open("/dev/null", O_WRONLY);
    madvise(report, sizeof *report, MADV_DONTFORK); /* a plugin's process does not see it */
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    snprintf(limit, sizeof limit, "%u", SCORE_GUARD_MS);
    setenv(IMPL_TIMEOUT_VARIABLE, limit, 1);
    alarm(check == SCORE_BATCHES ? BATCHES_S : check == SCORE_TRAPS ? BATCHES_S + 3 * case_s : case_s);
    t.impl = open_subject(s, check);
    if (t.impl == NULL)
        _exit(2);
    t.plan = plan;
    t.seed = seed;
    t.report = report;
    checker_init(&t.checker, spec_get(), t.impl, on_mismatch, &t);
    if (check == SCORE_TRAPS)
        ask_all(&t);
    else
        ask(&t, check);
    report->finished = true;
    _exit(0);
}

static enum score_verdict verdict_of(const struct report *report, struct process_end end)
{
    if (report->finished)
        return report->hung      ? SCORE_HUNG
               : report->crashed ? SCORE_CRASHED
               : report->caught  ? SCORE_CAUGHT
                                 : SCORE_MISSED;
    if (end.ending == PROCESS_SIGNALED)
        return end.number == SIGALRM ? SCORE_HUNG : SCORE_CRASHED;
    return SCORE_FAILED;
}

static struct score_run run_here(const struct score_subject *s, enum score_check check, const struct score_plan *plan,
                                 uint64_t seed)
{
    struct score_run run = {.verdict = SCORE_FAILED};
    struct report *report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const double start = clock_seconds();
    pid_t pid;
    if (report == MAP_FAILED)
        return run;
    pid = process_fork(NULL);
    if (pid == 0)
        live(s, check, plan, seed, report);
    if (pid > 0)
        run =
            (struct score_run){verdict_of(report, process_wait(pid, INFINITY)), clock_seconds() - start, report->cases};
    munmap(report, sizeof *report);
    return run;
}

static int by_time(const void *x, const void *y)
{
    const double a = ((const struct score_run *)x)->seconds, b = ((const struct score_run *)y)->seconds;
    return (a > b) - (a < b);
}

static int by_cases(const void *x, const void *y)
{
    const uint64_t a = ((const struct score_run *)x)->cases, b = ((const struct score_run *)y)->cases;
    return (a > b) - (a < b);
}

static int by_float(const void *x, const void *y)
{
    const float a = *(const float *)x, b = *(const float *)y;
    return (a > b) - (a < b);
}

void score_sum_up(struct score_result *result, const struct score_run *runs, unsigned n)
{
    struct score_run sorted[SCORE_SEEDS_MAX];
    *result = (struct score_result){.verdict = SCORE_CAUGHT, .seeds = n};
    for (unsigned i = 0; i < n; i++) {
        const enum score_verdict verdict = runs[i].verdict;
        const bool caught = score_is_caught(verdict);
        sorted[i] = runs[i];
        result->times[i] = caught ? (float)runs[i].seconds : INFINITY;
        result->caught += caught;
        if (verdict == SCORE_FAILED ||
            (verdict != SCORE_CAUGHT && result->verdict != SCORE_FAILED && result->verdict != SCORE_MISSED))
            result->verdict = verdict;
    }
    qsort(result->times, n, sizeof result->times[0], by_float);
    qsort(sorted, n, sizeof sorted[0], by_time);
    result->seconds = sorted[n / 2].seconds;
    result->worst_s = sorted[n - 1].seconds;
    qsort(sorted, n, sizeof sorted[0], by_cases);
    result->cases = sorted[n / 2].cases;
}

static void measure_here(struct score_subject *s, enum score_check check, const struct score_plan *plan)
{
    struct score_run runs[SCORE_SEEDS_MAX];
    const unsigned n = score_seeds(plan, check, s->mechanical);
    for (unsigned i = 0; i < n; i++)
        runs[i] = run_here(s, check, plan, i + 1);
    score_sum_up(&s->results[check], runs, n);
}

void score_measure(struct score_subject *subject, enum score_check check, const struct score_plan *plan)
{
    if (subject->same_code || ((subject->mechanical ? SCORE_HAND_ONLY : SCORE_MECHANICAL_ONLY) >> check & 1u))
        return;
    if (check == SCORE_TRAPS && !score_has_traps(subject))
        return;
    if (SCORE_ENGINES >> check & 1u)
        score_measure_engine(subject, check, plan);
    else
        measure_here(subject, check, plan);
}
