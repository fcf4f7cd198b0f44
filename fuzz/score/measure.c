/*
 * One mutant, one check. Checks run in a process of their own, since a mutant may crash or never return.
 */
#define _GNU_SOURCE /* fork, alarm, clock_gettime, mkdtemp */
#include "fuzz/score/score.h"

#include "check/batch.h"
#include "check/checker.h"
#include "check/enumerate.h"
#include "check/plugin.h"
#include "check/random.h"
#include "fuzz/campaign/loop.h"
#include "fuzz/laws.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define RANDOM_SEED 1u
#define BATCHES_S   120u /* for all batches, which `run` goes through whatever they take: seconds on any machine */

static double now_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- in a process of its own --- */

/* What the process reports; in memory that both share, so that it is there after a crash. */
struct report {
    bool caught, finished, crashed;
    uint64_t cases;
};

struct trial {
    const struct score_plan *plan;
    const struct warp_impl *impl;
    struct checker checker;
    struct report *report;
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

/* Checks what has gathered; true to go on. */
static bool flush(struct trial *t)
{
    bool good = checker_run(&t->checker, t->cases, t->n);
    t->n = 0;
    t->report->cases = checker_total(&t->checker).compared;
    t->report->crashed = !good; /* crashes and hangs of a plugin are caught in the process */
    return good && !t->report->caught && now_seconds() < t->end;
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
        random_case(RANDOM_SEED, i, WARP_FAMILY_ALL, next_case(t));
        go_on = made_case(t);
    }
}

static void laws(struct trial *t)
{
    struct warp_case c;
    for (uint64_t i = 0; i < t->plan->law_cases && !t->report->caught && now_seconds() < t->end; i++) {
        const struct law *law;
        random_case(RANDOM_SEED, i, WARP_FAMILY_ALL, &c);
        for (size_t k = 0; (law = law_get(k)) != NULL; k++) {
            bool tried = false;
            if (!(law->families & WARP_FAMILY_BIT(warp_form_get(c.form)->family)))
                continue;
            if (law->check(t->impl, &c, &tried) != NULL)
                t->report->caught = true;
            t->report->cases += tried;
        }
    }
}

static void batches(struct trial *t, const struct plugin *plugin)
{
    static struct batch_outcome outcome;
    const struct warp_impl *inner = NULL;
    const warp_batch_fn eval = plugin_batch(plugin, t->impl, &inner);
    struct batch_bench *bench = eval != NULL ? batch_open() : NULL;
    if (bench == NULL)
        _exit(2);
    for (uint64_t i = 0; i < BATCH_TRIALS && !t->report->caught; i++) {
        const bool good = batch_try(bench, RANDOM_SEED, i, spec_get(), inner, eval, &outcome);
        if (outcome.fault == BATCH_UNKNOWN)
            _exit(2);
        t->report->crashed = t->report->crashed || outcome.fault == BATCH_CRASHED;
        t->report->caught = !good;
        t->report->cases += outcome.warps;
    }
    batch_close(bench);
}

/* The life of the process. Its output is discarded: a mutant may complain. */
static void live(const struct score_subject *s, enum score_check check, const struct score_plan *plan,
                 struct report *report)
{
    static struct trial t; /* large */
    char error[512], path[JOB_PATH_MAX + 128];
    char *name;
    struct plugin *plugin;
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    setenv("WARPCHECK_PLUGIN_TIMEOUT_MS", "5000", 1);
    alarm(check == SCORE_BATCHES ? BATCHES_S : (unsigned)(2 * plan->limit_s) + 5);
    snprintf(path, sizeof path, "%s", s->spec);
    name = strstr(path, ".so:");
    if (name != NULL) {
        name[3] = '\0';
        name += 4;
    }
    plugin = plugin_open(path, error, sizeof error);
    t.impl = plugin != NULL ? plugin_find(plugin, name) : NULL;
    if (t.impl == NULL)
        _exit(2);
    t.plan = plan;
    t.report = report;
    t.end = now_seconds() + plan->limit_s;
    checker_init(&t.checker, spec_get(), t.impl, on_mismatch, &t);
    if (check == SCORE_ENUMERATE)
        enumerate(&t);
    else if (check == SCORE_REPLAY)
        replay(&t);
    else if (check == SCORE_RANDOM)
        random_cases(&t);
    else if (check == SCORE_BATCHES)
        batches(&t, plugin);
    else
        laws(&t);
    if (t.n > 0 && !report->caught && !report->crashed)
        flush(&t);
    report->finished = true;
    _exit(0);
}

static void measure_here(struct score_subject *s, enum score_check check, const struct score_plan *plan)
{
    struct score_result *result = &s->results[check];
    struct report *report = mmap(NULL, sizeof *report, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    double start = now_seconds();
    int status = 0;
    pid_t pid;
    result->verdict = SCORE_FAILED;
    if (report == MAP_FAILED)
        return;
    fflush(NULL);
    pid = fork();
    if (pid == 0)
        live(s, check, plan, report);
    if (pid > 0 && waitpid(pid, &status, 0) == pid) {
        if (report->finished)
            result->verdict = report->crashed ? SCORE_CRASHED : report->caught ? SCORE_CAUGHT : SCORE_MISSED;
        else if (WIFSIGNALED(status))
            result->verdict = WTERMSIG(status) == SIGALRM ? SCORE_HUNG : SCORE_CRASHED;
        result->seconds = result->worst_s = now_seconds() - start;
        result->cases = report->cases;
        result->seeds = 1;
        result->caught = score_is_caught(result->verdict);
    }
    munmap(report, sizeof *report);
}

/* --- by an engine --- */

static bool never(void *context)
{
    (void)context;
    return false;
}

static void no_tick(void *context, const struct loop *loop, double elapsed_s)
{
    (void)context, (void)loop, (void)elapsed_s;
}

static void no_finding(void *context, const struct loop_finding *finding)
{
    (void)context, (void)finding;
}

static void no_note(void *context, const char *line)
{
    (void)context, (void)line;
}

static void remove_folder(const char *path)
{
    char rm[] = "/bin/rm", flags[] = "-rf", copy[JOB_PATH_MAX + 64];
    char *argv[] = {rm, flags, copy, NULL};
    snprintf(copy, sizeof copy, "%s", path);
    job_run(argv);
}

/* One run from an empty corpus. */
static enum score_verdict run_engine(const struct score_subject *s, enum engine engine, const struct score_plan *plan,
                                     uint64_t seed, double *seconds, uint64_t *cases)
{
    static struct loop loop; /* large */
    char work[JOB_PATH_MAX + 32], findings[JOB_PATH_MAX + 64], impl[JOB_PATH_MAX + 160], error[1024];
    bool good;
    snprintf(impl, sizeof impl, "%s%s", s->spec, s->mechanical ? ":mutant-shapes" : "");
    snprintf(work, sizeof work, "%s/score-XXXXXX", plan->work);
    if (mkdtemp(work) == NULL)
        return SCORE_FAILED;
    snprintf(findings, sizeof findings, "%s/findings", work);
    memset(&loop, 0, sizeof loop);
    loop.plan = (struct job_plan){.engine = engine,
                                  .targets = plan->targets[engine],
                                  .target = "fuzz_all",
                                  .impl = impl,
                                  .work = work,
                                  .findings = findings,
                                  .program = plan->program,
                                  .seed = seed,
                                  .derived = 64,
                                  .stop_at_first = true};
    loop.jobs_count = 1;
    loop.seconds = plan->engine_s[engine];
    loop.stop = never;
    loop.tick = no_tick;
    loop.finding = no_finding;
    loop.note = no_note;
    good = loop_run(&loop, error, sizeof error);
    remove_folder(work);
    *seconds = loop.elapsed_s;
    *cases = loop.totals.checks;
    if (!good || (loop.totals.checks == 0 && loop.findings == 0 && loop.crashes == 0)) /* it never began */
        return SCORE_FAILED;
    if (loop.totals.mismatches > 0)
        return SCORE_CAUGHT;
    return loop.findings > 0 ? SCORE_CRASHED : SCORE_MISSED;
}

static int by_value(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

unsigned score_seeds(const struct score_plan *plan, enum score_check check, bool mechanical)
{
    if (mechanical || (check != SCORE_LIBFUZZER && check != SCORE_AFL))
        return 1;
    return plan->seeds[check == SCORE_AFL ? ENGINE_AFL : ENGINE_LIBFUZZER]; /* at most SCORE_SEEDS_MAX */
}

static void measure_engine(struct score_subject *s, enum engine engine, const struct score_plan *plan)
{
    struct score_result *result = &s->results[engine == ENGINE_AFL ? SCORE_AFL : SCORE_LIBFUZZER];
    double seconds[SCORE_SEEDS_MAX], cases[SCORE_SEEDS_MAX];
    const unsigned n = score_seeds(plan, engine == ENGINE_AFL ? SCORE_AFL : SCORE_LIBFUZZER, s->mechanical);
    result->verdict = SCORE_CAUGHT;
    for (unsigned i = 0; i < n; i++) {
        uint64_t checked = 0;
        enum score_verdict verdict = run_engine(s, engine, plan, 1000 * (i + 1), &seconds[i], &checked);
        cases[i] = (double)checked;
        result->seeds++;
        result->caught += score_is_caught(verdict);
        if (verdict == SCORE_FAILED ||
            (verdict != SCORE_CAUGHT && result->verdict != SCORE_FAILED && result->verdict != SCORE_MISSED))
            result->verdict = verdict;
    }
    qsort(seconds, n, sizeof seconds[0], by_value);
    qsort(cases, n, sizeof cases[0], by_value);
    result->seconds = seconds[n / 2];
    result->worst_s = seconds[n - 1];
    result->cases = (uint64_t)cases[n / 2];
}

void score_measure(struct score_subject *subject, enum score_check check, const struct score_plan *plan)
{
    if (subject->same_code || ((subject->mechanical ? SCORE_HAND_ONLY : SCORE_MECHANICAL_ONLY) >> check & 1u))
        return;
    if (check == SCORE_LIBFUZZER || check == SCORE_AFL) {
        enum engine engine = check == SCORE_AFL ? ENGINE_AFL : ENGINE_LIBFUZZER;
        if (plan->targets[engine] != NULL)
            measure_engine(subject, engine, plan);
        return;
    }
    measure_here(subject, check, plan);
}
