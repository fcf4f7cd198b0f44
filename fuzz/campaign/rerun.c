#define _GNU_SOURCE /* MAP_ANONYMOUS */
#include "fuzz/campaign/rerun.h"

#include "base/clock.h"
#include "base/process.h"
#include "base/text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define OPEN_SECONDS 10.0 /* time to open the implementation, on a busy machine */

static double plans_own(const struct job_plan *plan, double slowest_s)
{
    (void)slowest_s;
    return plan_limit_ms(plan) / 1000.0;
}

const char *rerun_variant(const char *name)
{
    if (name[0] == '\0')
        return NULL;
    return name + (strncmp(name, "fast-", 5) == 0 ? 5 : 0);
}

bool rerun_may_be_slow(const char *path)
{
    const char *const name = file_name(path);
    return strncmp(name, "timeout-", 8) == 0 || strncmp(name, "slow-unit-", 10) == 0 || strstr(path, "/hangs/") != NULL;
}

void rerun_init(struct rerun *r, const struct job_plan *plan,
                void (*found)(void *context, const struct rerun_finding *finding), void *context)
{
    *r = (struct rerun){.plan = plan, .limit_s = plans_own, .found = found, .context = context};
}

static bool start(struct rerun *r, unsigned from, bool reduce)
{
    struct error error = {0};
    r->shared->since_us = 0;
    r->shared->asks = 0;
    r->shared->step = from;
    r->shared->reducing = false;
    r->from = from;
    r->reduce = reduce;
    r->started = clock_seconds();
    r->pid = process_fork(&error);
    if (r->pid == 0)
        examine(r->plan, r->path, from, reduce, r->shared);
    if (r->pid > 0)
        return true;
    r->pid = 0;
    snprintf(r->trouble, sizeof r->trouble, "%.500s", error.text);
    return false;
}

bool rerun_begin(struct rerun *r, const char *path)
{
    r->findings = r->endings_found = r->endings = r->hangs = r->reported = 0;
    r->trouble[0] = '\0';
    snprintf(r->path, sizeof r->path, "%s", path);
    if (r->shared == NULL) {
        void *at = mmap(NULL, sizeof *r->shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        r->shared = at != MAP_FAILED ? at : NULL;
    }
    if (r->shared == NULL) {
        snprintf(r->trouble, sizeof r->trouble, "out of memory");
        return false;
    }
    r->shared->count = 0;
    r->shared->answered = 0;
    r->shared->unsure = false;
    r->shared->wrong = 0;
    r->shared->slowest_us = 0;
    return start(r, 0, true);
}

static void tell(struct rerun *r, const struct rerun_finding *finding)
{
    r->findings++;
    r->endings_found += finding_is_ending(finding->kind);
    r->found(r->context, finding);
}

/* Passes on the findings that the child kept since the last call. The implementation may have damaged this memory. */
static void tell_new(struct rerun *r)
{
    static struct rerun_finding copy; /* large */
    const unsigned count = r->shared->count;
    for (; r->reported < count && r->reported < EXAMINED_MAX; r->reported++) {
        copy = r->shared->found[r->reported];
        copy.path[sizeof copy.path - 1] = copy.observed[sizeof copy.observed - 1] = '\0';
        copy.line[sizeof copy.line - 1] = copy.error[sizeof copy.error - 1] = '\0';
        tell(r, &copy);
    }
}

void rerun_keep(const struct job_plan *plan, const struct finding *f, const char *observed, finding_shows_fn shows,
                void *context, struct rerun_finding *found)
{
    struct finding_kept kept = {.existed = false};
    struct error error = {0};
    const bool is_kept = finding_keep(f, plan->findings, shows, context, &kept, &error);
    found->kind = f->kind;
    found->unsure = f->unsure;
    found->kept = is_kept;
    found->existed = is_kept && kept.existed;
    snprintf(found->path, sizeof found->path, "%s", is_kept ? kept.path : "");
    snprintf(found->observed, sizeof found->observed, "%s", observed);
    snprintf(found->error, sizeof found->error, "%.500s", is_kept ? "" : error.text);
    finding_line(f, found->line, sizeof found->line);
}

/* Keeps a finding that the parent makes itself, and passes it on. */
static void keep(struct rerun *r, const struct finding *f, const char *observed)
{
    static struct rerun_finding found; /* large */
    rerun_keep(r->plan, f, observed, NULL, NULL, &found);
    tell(r, &found);
}

/* Keeps the case during which the child ended; false when it was in none. */
static bool keep_ending(struct rerun *r, enum finding_kind kind, int number)
{
    char observed[EXAMINED_NAME];
    struct finding f = {.kind = kind, .signal = number};
    f.c = r->shared->c;
    snprintf(observed, sizeof observed, "%.63s", r->shared->observed);
    if (warp_case_check(&f.c) != NULL)
        return false;
    f.observed_name = observed[0] != '\0' ? observed : r->plan->impl;
    f.only = rerun_variant(observed);
    keep(r, &f, observed);
    return true;
}

/* Goes on behind the case that ended the child. What ended it during a reduction is examined once more, and kept as
 * it is. True when the input is finished. */
static bool go_on(struct rerun *r)
{
    const unsigned step = r->shared->step;
    const bool reducing = r->shared->reducing && (r->reduce || step != r->from);
    if (++r->endings >= RERUN_ENDINGS_MAX)
        return true;
    return !start(r, reducing ? step : step + 1, !reducing);
}

static bool ended(struct rerun *r, struct process_end end)
{
    const bool asked = r->shared->since_us != 0, crashed = end.ending == PROCESS_SIGNALED;
    r->pid = 0;
    tell_new(r);
    if (!asked && !crashed && end.number == 0)
        return true;
    if ((asked || (crashed && r->shared->asks > 0)) &&
        keep_ending(r, crashed ? FINDING_CRASH : FINDING_EXIT, end.number))
        return go_on(r);
    snprintf(r->trouble, sizeof r->trouble, "the process that looked at it %s %d and not within a call",
             crashed ? "was ended by signal" : "ended with status", end.number);
    return true;
}

/* Handles a call that exceeded its limit. While speed is measured the machine may be the reason: it is asked once
 * more. */
static bool hung(struct rerun *r)
{
    const bool again = r->path[0] == '\0' && r->hangs++ == 0;
    process_kill(r->pid);
    r->pid = 0;
    tell_new(r);
    if (again)
        return !start(r, r->shared->step, true);
    r->endings += RERUN_HANG_WEIGHS - 1; /* each costs its limit */
    return !keep_ending(r, FINDING_HANG, 0) || go_on(r);
}

/* A plugin's process has the limit of a call itself, and what it does beyond is looked into there. */
static bool has_limit(const struct rerun *r)
{
    return r->path[0] == '\0' || !plan_is_guarded(r->plan);
}

bool rerun_poll(struct rerun *r)
{
    const double now = clock_seconds(), limit = r->limit_s(r->plan, (double)r->shared->slowest_us * 1e-6);
    uint64_t since;
    struct process_end end;
    if (r->pid == 0)
        return true;
    since = r->shared->since_us;
    end = process_wait(r->pid, 0);
    if (end.ending != PROCESS_RUNS)
        return ended(r, end);
    tell_new(r);
    if (since != 0 && now - (double)since * 1e-6 > limit && r->shared->since_us == since && has_limit(r))
        return hung(r);
    if (r->shared->asks == 0 && now - r->started > OPEN_SECONDS + limit) {
        snprintf(r->trouble, sizeof r->trouble, "the implementation was not opened in %.0f s", now - r->started);
        rerun_stop(r);
        return true;
    }
    return false;
}

bool rerun_whole(struct rerun *r, const char *path, double end, bool (*stop)(void))
{
    if (!rerun_begin(r, path))
        return true;
    while (!rerun_poll(r)) {
        if (clock_seconds() >= end || (stop != NULL && stop())) {
            rerun_stop(r);
            return false;
        }
        clock_sleep(0.001);
    }
    return true;
}

void rerun_stop(struct rerun *r)
{
    if (r->pid != 0)
        process_kill(r->pid);
    r->pid = 0;
}

void rerun_end(struct rerun *r)
{
    rerun_stop(r);
    if (r->shared != NULL)
        munmap(r->shared, sizeof *r->shared);
    r->shared = NULL;
}

/* The name and the line that the target wrote beside the input; false where it did not. Both end up in `text`. */
static bool read_line(const char *path, char **text, const char **name, const char **what)
{
    char file[FILE_PATH_MAX];
    size_t size;
    char *end, *line;
    *text = snprintf(file, sizeof file, "%s.line", path) < (int)sizeof file && file_exists(file)
                ? file_read(file, PLAN_INPUT_MAX, &size, NULL)
                : NULL;
    if (*text == NULL || (end = strchr(*text, '\n')) == NULL)
        return false;
    *end = '\0';
    line = end + 1;
    line[strcspn(line, "\n")] = '\0';
    /* "NAME: what" of a property of the input: the name is not said twice */
    if (strncmp(line, *text, strlen(*text)) == 0 && strncmp(line + strlen(*text), ": ", 2) == 0)
        line += strlen(*text) + 2;
    *name = *text;
    *what = line;
    return (*text)[0] != '\0' && strspn(*text, "abcdefghijklmnopqrstuvwxyz0123456789.-_") == strlen(*text) &&
           strlen(*text) < FINDING_SIGNATURE_MAX - 8;
}

void rerun_keep_input(struct rerun *r, const char *path, const char *name, const char *what, bool unsure)
{
    struct finding f = {.kind = FINDING_INPUT, .property = name, .what = what, .unsure = unsure};
    struct error error;
    char *text = NULL;
    const char *own_name, *own_what;
    size_t size = 0;
    char *data = file_read(path, PLAN_INPUT_MAX, &size, &error);
    if (data == NULL) {
        snprintf(r->trouble, sizeof r->trouble, "%.500s", error.text);
        return;
    }
    if (read_line(path, &text, &own_name, &own_what)) {
        f.property = own_name;
        f.what = own_what;
    }
    f.data = data;
    f.size = size;
    keep(r, &f, "");
    free(text);
    free(data);
}
