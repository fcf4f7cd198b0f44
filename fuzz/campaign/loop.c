/*
 * Starting, watching and stopping the jobs of a campaign.
 */
#define _GNU_SOURCE /* scandir */
#include "fuzz/campaign/loop.h"

#include "base/clock.h"
#include "base/random.h"
#include "base/text.h"
#include "fuzz/campaign/calibrate.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOG_MAX         ((size_t)1 << 26)

#define SHA1_OF_NOTHING "da39a3ee5e6b4b0d3255bfef95601890afd80709" /* the name that libFuzzer gives an empty file */

/* When the campaign must end: it still examines a suspected hang of the last moment. */
static double loop_end(const struct loop *loop)
{
    const double limit_s = plan_limit_ms(&loop->plan) / 1000.0;
    const double grace = 1.5 * limit_s + 2 > LOOP_GRACE_SECONDS ? 1.5 * limit_s + 2 : LOOP_GRACE_SECONDS;
    if (loop->stopped > 0)
        return loop->stopped + grace;
    return loop->seconds > 0 ? loop->start + loop->seconds + grace : clock_seconds() + grace;
}

/* --- findings --- */

/* Notes a folder; true when it was not noted before. */
static bool remember(struct loop *loop, const char *folder)
{
    const uint64_t hash = hash_bytes(HASH_START, folder, strlen(folder));
    for (size_t i = 0; i < loop->known_count; i++)
        if (loop->known[i] == hash)
            return false;
    if (loop->known_count < LOOP_KNOWN_MAX)
        loop->known[loop->known_count++] = hash;
    return true;
}

#define QUOTED_MAX (4u * FILE_PATH_MAX + 256u)

void loop_command(const struct job_plan *plan, double seconds, const struct rerun_finding *f,
                  char command[LOOP_COMMAND_MAX])
{
    const size_t size = LOOP_COMMAND_MAX;
    static char program[QUOTED_MAX], impl[QUOTED_MAX], quoted[QUOTED_MAX], target[QUOTED_MAX];
    char path[FILE_PATH_MAX + 64];
    const struct finding kept = {.kind = f->kind};
    text_quote(plan->program, program, sizeof program);
    text_quote(f->observed[0] != '\0' ? f->observed : plan->impl, impl, sizeof impl);
    snprintf(path, sizeof path, "%s/%s", f->path, finding_file(&kept));
    text_quote(path, quoted, sizeof quoted);
    if (f->kind == FINDING_PROGRAM) {
        snprintf(command, size, "%s program --against spec %s --impl %s", program, quoted, impl);
        return;
    }
    if (f->kind == FINDING_KERNEL) {
        snprintf(command, size, "%s replay %s", program, text_quote(f->path, quoted, sizeof quoted));
        return;
    }
    if (f->kind != FINDING_INPUT) {
        snprintf(command, size, "%s replay %s --impl %s", program, quoted, impl);
        return;
    }
    if (f->unsure) { /* the same campaign comes upon it again */
        snprintf(command, size, "%s fuzz --engine %s --target %s --impl %s --seconds %.0f", program,
                 engine_name(plan->engine), target_short_name(plan->target), impl, seconds >= 1 ? seconds : 60);
        return;
    }
    snprintf(path, sizeof path, "%s/fuzz/%s", WARPCHECK_BINARY_DIR, plan->target); /* built without an engine */
    if (access(path, X_OK) != 0)
        snprintf(path, sizeof path, "%s/%s", plan->targets, plan->target);
    snprintf(command, size, "WARPCHECK_FUZZ_IMPL=%s %s %s", impl, text_quote(path, target, sizeof target), quoted);
}

static void note_unkept(struct loop *loop, const char *line, const char *why)
{
    char note[1024];
    if (loop->unkept++ > 0)
        return; /* said once */
    snprintf(note, sizeof note, "a finding was not kept: %.255s: %.400s", why, line);
    loop->note(loop->context, note);
}

static void on_finding(void *context, const struct rerun_finding *f)
{
    static char command[LOOP_COMMAND_MAX];
    struct loop *loop = context;
    const struct loop_finding finding = {.kind = f->kind,
                                         .folder = f->path,
                                         .line = f->line,
                                         .command = command,
                                         .observed = f->observed[0] != '\0' ? f->observed : loop->plan.impl,
                                         .known = f->existed,
                                         .fleeting = f->kind == FINDING_INPUT && f->unsure && !loop->waiting.ended};
    loop->crashes += finding_is_ending(f->kind);
    if (!f->kept) {
        note_unkept(loop, f->line, f->error);
        return;
    }
    if (!remember(loop, f->path))
        return;
    *(f->existed ? &loop->known_before : &loop->findings) += 1;
    loop_command(&loop->plan, loop->seconds, f, command);
    loop->finding(loop->context, &finding);
}

/* --- inputs that wait to be examined --- */

static int is_input(const struct dirent *entry)
{
    return entry->d_name[0] != '.' && strncmp(entry->d_name, "README", 6) != 0 && !text_ends(entry->d_name, ".line");
}

/* Was this input examined? Inputs that ended a target stay where the engine put them; a hidden file beside one says
 * that it was examined. */
static bool was_seen(const char *folder, const char *name)
{
    char seen[FILE_PATH_MAX];
    snprintf(seen, sizeof seen, "%.3800s/.seen-%.255s", folder, name);
    return file_exists(seen);
}

/* Does a job's mutator ask now, or did it when the job ended? An empty input is then looked at later, if at all. */
static bool some_mutator_asks(struct loop *loop)
{
    for (unsigned j = 0; j < loop->started; j++) {
        const struct fuzz_status *const counters = job_status(&loop->jobs[j]);
        if (counters != NULL && counters->feedback.asks != 0)
            return true;
    }
    return false;
}

static bool is_due(struct loop *loop, const char *folder, const char *name)
{
    return !was_seen(folder, name) && !(text_ends(name, SHA1_OF_NOTHING) && some_mutator_asks(loop));
}

/* The next input of the folders of all jobs; false when there is none. `count`: how many there are, at the least. */
static bool find_input(struct loop *loop, struct waiting *next, size_t *count)
{
    *count = 0;
    loop->unlisted = false;
    for (unsigned j = 0; j < loop->started; j++) {
        struct job_folders folders;
        job_folders(&loop->jobs[j], &folders);
        for (size_t k = 0; k < folders.count; k++) {
            struct dirent **inputs;
            const int n = j > 0 && !folders.ended[k] ? 0 : scandir(folders.path[k], &inputs, is_input, alphasort);
            loop->unlisted |= n < 0 && errno != ENOENT; /* the engine makes the folder when it needs it */
            for (int i = 0; i < n; i++) {
                if (!folders.ended[k] || is_due(loop, folders.path[k], inputs[i]->d_name)) {
                    if ((*count)++ == 0) {
                        snprintf(next->path, sizeof next->path, "%.3800s/%.255s", folders.path[k], inputs[i]->d_name);
                        next->ended = folders.ended[k];
                        next->left = folders.left[k];
                    }
                }
                free(inputs[i]);
            }
            if (n > 0 || (n == 0 && (j == 0 || folders.ended[k])))
                free(inputs);
        }
    }
    return *count > 0;
}

/* Notes that an input was examined: marks one that ended a target, removes any other. */
static void mark_seen(const struct waiting *w)
{
    char path[FILE_PATH_MAX + 16];
    const char *const name = file_name(w->path);
    struct error error;
    bool existed;
    if (w->ended) {
        snprintf(path, sizeof path, "%.*s.seen-%s", (int)(name - w->path), w->path, name);
        (void)file_create(path, "", 0, &existed, &error);
        return;
    }
    snprintf(path, sizeof path, "%s.line", w->path);
    unlink(w->path);
    unlink(path);
}

/* Must the input be kept as it is? Only the target can judge parsers, round trips, and bytes that are no case. */
static bool is_for_target(const struct loop *loop, const struct waiting *w)
{
    const char *const name = file_name(w->path);
    enum finding_kind kind;
    if (!w->ended)
        return finding_kind_find(name, strcspn(name, "-"), &kind) && kind == FINDING_INPUT;
    return target_judges_alone(target_kind(loop->plan.target));
}

/* Ends the examination of an input: keeps an input that showed nothing as it is, or says so. */
static void conclude(struct loop *loop, const struct waiting *w)
{
    struct rerun *const r = &loop->rerun;
    char name[FINDING_SIGNATURE_MAX], line[FILE_PATH_MAX + 640];
    const bool nothing = r->shared == NULL || (r->findings == 0 && r->shared->wrong == 0) || r->shared->unsure;
    if (r->trouble[0] != '\0') {
        snprintf(line, sizeof line, "%s: %s", w->path, r->trouble);
        loop->note(loop->context, line);
    }
    if (nothing && w->left && r->shared != NULL && !r->shared->unsure) {
        loop->outdated++; /* what it showed was the earlier campaign's implementation */
    } else if (nothing && w->ended && rerun_may_be_slow(w->path)) {
        snprintf(line, sizeof line, "an input took long under the engine and does not when it runs alone: %s", w->path);
        loop->note(loop->context, line);
    } else if (nothing) {
        snprintf(name, sizeof name, "%.70s-ends", loop->plan.target);
        for (char *at = name; *at != '\0'; at++)
            *at = *at == '_' ? '.' : *at;
        rerun_keep_input(r, w->path, name, "the input ended the target", true);
        loop->crashes += w->ended;
    }
    mark_seen(w);
    loop->looked_at++;
    for (unsigned i = 0; !w->ended && i < loop->jobs_count; i++)
        if (loop->jobs[i].status != NULL)
            loop->jobs[i].status->examined = loop->looked_at; /* a target that has much to tell waits for this */
}

/* Examines inputs one at a time, without waiting for them. True while there is something to examine. */
static bool look_at_inputs(struct loop *loop)
{
    size_t count;
    if (loop->rerun.pid != 0) {
        if (rerun_poll(&loop->rerun))
            conclude(loop, &loop->waiting);
        return true;
    }
    if (!find_input(loop, &loop->waiting, &count))
        return false;
    if (is_for_target(loop, &loop->waiting)) {
        if (loop->waiting.left && plan_ask_again(&loop->plan, loop->waiting.path))
            return true;
        char name[FINDING_SIGNATURE_MAX];
        snprintf(name, sizeof name, "%.70s-ends", loop->plan.target);
        for (char *at = name; *at != '\0'; at++)
            *at = *at == '_' ? '.' : *at;
        loop->rerun.findings = 0;
        loop->rerun.trouble[0] = '\0';
        rerun_keep_input(&loop->rerun, loop->waiting.path, name, "the input ended the target", false);
        loop->crashes += loop->waiting.ended;
        mark_seen(&loop->waiting);
        return true;
    }
    if (!rerun_begin(&loop->rerun, loop->waiting.path))
        conclude(loop, &loop->waiting);
    return true;
}

static void add_up(struct loop *loop)
{
    uint8_t pairs[COVERAGE_PAIRS] = {0};
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
        t->skipped += s->skipped;
        unkept += s->unkept;
        why = s->unkept > 0 ? s->unkept_why : why;
        for (size_t bucket = 0; bucket < COVERAGE_BUCKETS; bucket++)
            t->hits[bucket] += s->hits[bucket];
        for (size_t pair = 0; pair < COVERAGE_PAIRS; pair++)
            pairs[pair] |= s->pairs[pair];
    }
    for (size_t pair = 0; pair < COVERAGE_PAIRS; pair++)
        t->pairs += pairs[pair] != 0;
    if (unkept > 0 && loop->unwritten == 0)
        note_unkept(loop, "an input that showed it", why);
    loop->unwritten = unkept;
}

/* AFL++ keeps no input when its first one crashes, and ends: true when that is what happened. */
static bool first_input_ends(struct loop *loop)
{
    char path[2][JOB_PATH_MAX + 64];
    struct error error;
    unsigned found = 0;
    if (loop->plan.engine != ENGINE_AFL || target_kind(loop->plan.target) != TARGET_CASES)
        return false;
    rerun_stop(&loop->rerun); /* that input is looked at again later */
    snprintf(path[0], sizeof path[0], "%s/empty/zero", loop->plan.work);
    snprintf(path[1], sizeof path[1], "%s/driver-input", loop->plan.work); /* AFL++'s driver runs it before any other */
    (void)file_write(path[1], "##SI", 4, &error);
    for (unsigned i = 0; i < 2; i++) {
        rerun_whole(&loop->rerun, path[i], loop_end(loop), NULL);
        found += loop->rerun.endings_found;
    }
    return found > 0;
}

/* The last lines of a job's log, for an engine that ended by itself. */
static void explain_end(const struct job *job, struct process_end end, struct error *error)
{
    char last[512] = "(its log is empty)", shown[1024];
    struct error why;
    size_t size;
    char *log = file_read(job->log_path, LOG_MAX, &size, &why);
    for (const char *line = log; line != NULL && *line != '\0';) {
        const size_t length = strcspn(line, "\n");
        if (length > 0)
            snprintf(last, sizeof last, "%.*s", (int)(length < 500 ? length : 500), line);
        line += length + (line[length] == '\n');
    }
    free(log);
    error_set(error, ERROR_EXIT, "%s ended by itself (%s %d), see %s: %s", engine_name(job->plan->engine),
              end.ending == PROCESS_SIGNALED ? "signal" : "status", end.number, job->log_path,
              text_printable(last, strlen(last), shown, sizeof shown));
}

/* What ended the target was asked by the mutator: libFuzzer, which was checking no input, writes an empty one. */
static void pass_over_empty(const struct loop *loop, const struct job *job)
{
    static const char *const names[] = {"crash", "leak", "oom", "timeout"};
    struct waiting w = {.ended = true};
    for (size_t i = 0; loop->plan.engine == ENGINE_LIBFUZZER && i < sizeof names / sizeof names[0]; i++) {
        snprintf(w.path, sizeof w.path, "%.3800s/%s-" SHA1_OF_NOTHING, job->artifacts, names[i]);
        if (file_exists(w.path))
            mark_seen(&w);
    }
}

/* Did an input end the engine, by its log or its counters? That input is then examined, and shows why. */
static bool ended_by_input(struct loop *loop, struct job *job, struct process_end end)
{
    const struct fuzz_status *const counters = job_status(job);
    struct waiting next;
    size_t count;
    if (counters != NULL && counters->feedback.asks != 0 && job_keep_asked(job)) { /* no input of the engine's */
        pass_over_empty(loop, job);
        return true;
    }
    if (loop->plan.engine == ENGINE_LIBFUZZER && end.ending == PROCESS_EXITED &&
        (end.number == JOB_CRASH_STATUS || end.number == JOB_HANG_STATUS))
        return true;
    if (loop->plan.engine == ENGINE_LIBFUZZER && job_keep_asked(job)) /* the engine did not see it */
        return true;
    if (counters != NULL && counters->mismatches > 0)
        return true;
    return (find_input(loop, &next, &count) && next.ended) || first_input_ends(loop);
}

/* Ends a job that does nothing any more. What it was asked is then examined. */
static bool end_stuck(struct loop *loop, struct job *job, struct process_end *end)
{
    if (!job_is_stuck(job))
        return false;
    loop->stuck++;
    loop->note(loop->context, "a job gave no sign of life for longer than an input may take, and was killed");
    *end = process_kill(job->pid);
    job->pid = 0;
    return true;
}

/* Handles a job that ended: when an input ended it, it is started again with its corpus; otherwise the campaign
 * fails. */
static bool tend(struct loop *loop, struct job *job, struct error *error)
{
    struct process_end end;
    if (job->pid == 0 || (job_running(job, &end) && !end_stuck(loop, job, &end)))
        return true;
    if (loop->plan.stop_at_first && job_status(job) != NULL && job_status(job)->mismatches > 0)
        return true;
    if (!ended_by_input(loop, job, end)) {
        explain_end(job, end, error);
        return false;
    }
    if (job->restarts >= LOOP_RESTARTS_MAX || (loop->plan.engine == ENGINE_AFL && end.ending == PROCESS_EXITED)) {
        loop->note(loop->context, "a job crashed again and again and stays down: mend the crash first");
        return true;
    }
    return job_restart(job, error);
}

static bool over(const struct loop *loop, double elapsed)
{
    const bool some = loop->totals.checks + loop->totals.refused > 0;
    if (loop->seconds > 0 && elapsed >= loop->seconds + (some ? 0 : loop->patience_s))
        return true;
    if (loop->plan.stop_at_first && (loop->totals.mismatches > 0 || loop->findings > 0))
        return true;
    return loop->totals.running == 0 || loop->stop(loop->context);
}

static bool watch(struct loop *loop, struct error *error)
{
    const double moment = loop->plan.stop_at_first ? 0.001 : 0.02;
    double last_tick = loop->start, last_look = loop->start;
    bool good = true;
    do {
        const double now = clock_seconds();
        clock_sleep(loop->rerun.pid != 0 ? 0.001 : moment);
        for (unsigned i = 0; good && i < loop->jobs_count; i++) {
            if (loop->jobs[i].pid != 0)
                job_keep_lost(&loop->jobs[i]);
            good = tend(loop, &loop->jobs[i], error);
        }
        add_up(loop);
        if (loop->rerun.pid != 0 || now - last_look >= 0.1) {
            look_at_inputs(loop);
            last_look = now;
        }
        loop->elapsed_s = clock_seconds() - loop->start;
        if (now - last_tick >= 0.1) {
            loop->tick(loop->context, loop, loop->elapsed_s);
            last_tick = now;
        }
    } while (good && !over(loop, loop->elapsed_s));
    return good;
}

/* Leaves the inputs for which there is no time where they are, and says so: the next campaign examines them first. */
static void look_at_the_rest(struct loop *loop)
{
    char line[JOB_PATH_MAX + 192];
    struct waiting next;
    size_t count;
    const bool is_won = loop->is_race && loop->totals.mismatches > 0;
    while (!is_won && clock_seconds() < loop_end(loop) && look_at_inputs(loop))
        clock_sleep(0.001);
    rerun_stop(&loop->rerun);
    if (is_won || (!find_input(loop, &next, &count) && !loop->unlisted))
        return;
    loop->undecided = count > 0 ? count : 1; /* 1: a folder of inputs could not be read */
    snprintf(line, sizeof line, "%zu inputs that show something were not looked at, for want of time: %s", count,
             loop->plan.work);
    loop->note(loop->context, line);
}

/* Measures the implementation's speed, as a part of the campaign's time, to tell slow from hung; not when the time
 * to the first mismatch is wanted. */
static void measure(struct loop *loop)
{
    char note[256] = "";
    if (!loop->plan.stop_at_first)
        calibrate(&loop->plan, &loop->rerun, note, sizeof note);
    if (note[0] != '\0')
        loop->note(loop->context, note);
    loop->elapsed_s = clock_seconds() - loop->start;
}

/* What had to be killed, and whether it had compared something until then. */
static void tell_stops(struct loop *loop)
{
    char line[160];
    for (unsigned i = 0; i < loop->started; i++) {
        const struct fuzz_status *const s = job_status(&loop->jobs[i]);
        if (loop->jobs[i].stop == JOB_STOPPED)
            continue;
        loop->stuck += loop->jobs[i].stop == JOB_STUCK;
        snprintf(line, sizeof line, "job %u did not end when it was asked to, and was killed %s, after %llu checks", i,
                 loop->jobs[i].stop == JOB_STUCK ? "in the midst of an input" : "while it went on",
                 (unsigned long long)(s != NULL ? s->checks : 0));
        loop->note(loop->context, line);
    }
}

/* Says which inputs of an earlier campaign are kept no more. */
static void tell_outdated(const struct loop *loop)
{
    char line[160];
    if (loop->outdated == 0)
        return;
    snprintf(line, sizeof line, "%llu inputs that an earlier campaign in this folder left show nothing now",
             (unsigned long long)loop->outdated);
    loop->note(loop->context, line);
}

static bool is_over(const struct loop *loop)
{
    return loop->seconds > 0 && clock_seconds() - loop->start >= loop->seconds + loop->patience_s;
}

bool loop_run(struct loop *loop, struct error *error)
{
    bool good = true;
    const int lock = plan_make_folders(&loop->plan, error) ? plan_lock(&loop->plan, error) : -1;
    if (lock < 0)
        return false;
    plan_set_apart(&loop->plan);
    loop->start = clock_seconds();
    rerun_init(&loop->rerun, &loop->plan, on_finding, loop);
    measure(loop);
    while (good && loop->started < loop->jobs_count && !is_over(loop) && !loop->stop(loop->context)) {
        good = job_start(&loop->jobs[loop->started], &loop->plan, loop->started, error);
        loop->started++;
    }
    if (good && loop->started > 0)
        good = watch(loop, error);
    job_stop_all(loop->jobs, loop->started);
    tell_stops(loop);
    add_up(loop);
    loop->stopped = clock_seconds();
    look_at_the_rest(loop);
    tell_outdated(loop);
    loop->collected = job_collect_corpus(&loop->plan);
    for (unsigned i = 0; i < loop->started; i++)
        job_close(&loop->jobs[i]);
    rerun_end(&loop->rerun);
    close(lock);
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
