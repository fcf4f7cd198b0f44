/*
 * Runs the measurements of `warpcheck score`, some at a time, each in a process of its own, and collects their
 * results.
 */
#include "cli/score/score.h"

#include "cli/ui/terminal.h"
#include "base/pool.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One measurement to be made. */
struct item {
    size_t subject;
    enum score_check check;
};

struct measuring {
    struct score_subject *subjects;
    const struct score_plan *plan;
    const char *file; /* of results, or NULL */
    struct item *items;
    struct score_result *results; /* one an item */
    size_t n, ended;
    struct progress progress;
    bool good; /* results could be written */
};

static void measure(void *context, size_t i, void *result)
{
    const struct measuring *m = context;
    struct score_subject *subject = &m->subjects[m->items[i].subject];
    score_measure(subject, m->items[i].check, m->plan);
    *(struct score_result *)result = subject->results[m->items[i].check];
}

static void measured(void *context, size_t i, const struct error *error)
{
    struct measuring *m = context;
    struct score_subject *subject = &m->subjects[m->items[i].subject];
    struct score_result *result = &subject->results[m->items[i].check];
    *result = m->results[i];
    if (error != NULL)
        *result = (struct score_result){.verdict = SCORE_FAILED};
    result->jobs = m->plan->jobs;
    result->processors = m->plan->processors;
    if (m->file != NULL && result->verdict != SCORE_NOT_RUN)
        m->good = score_save(m->file, subject, m->items[i].check) && m->good;
    progress_update(&m->progress, ++m->ended, m->n, 0, 0);
}

/* Must this still be measured? A build with traps is asked only about mutants that nothing else caught. */
static bool is_due(const struct score_subject *s, enum score_check check, const struct score_plan *plan, bool traps)
{
    if (!(plan->checks >> check & 1u) || s->results[check].verdict != SCORE_NOT_RUN || (check == SCORE_TRAPS) != traps)
        return false;
    return !traps || (!s->same_code && score_has_traps(s) && !score_caught_by(s, SCORE_ORDINARY));
}

static bool measure_some(struct score_subject *subjects, size_t count, const struct score_plan *plan,
                         const char *results, bool traps)
{
    struct measuring m = {.subjects = subjects, .plan = plan, .file = results, .good = true};
    struct pool pool = {
        .jobs = plan->jobs, .size = sizeof *m.results, .context = &m, .work = measure, .ended = measured};
    m.items = calloc(count * SCORE_CHECKS + 1, sizeof *m.items);
    m.results = calloc(count * SCORE_CHECKS + 1, sizeof *m.results);
    for (size_t i = 0; m.items != NULL && i < count; i++)
        for (unsigned check = 0; check < SCORE_CHECKS; check++)
            if (is_due(&subjects[i], (enum score_check)check, plan, traps))
                m.items[m.n++] = (struct item){i, (enum score_check)check};
    if (m.items == NULL || m.results == NULL) {
        complain("warpcheck score: out of memory");
    } else if (m.n > 0) {
        progress_start(&m.progress, "score");
        m.progress.unit = "measurements";
        pool.n = m.n;
        pool.results = m.results;
        pool_run(&pool, NULL);
        progress_end(&m.progress);
        if (!m.good)
            complain("warpcheck score: cannot write %s: %s", results, strerror(errno));
    }
    m.good = m.good && m.items != NULL && m.results != NULL;
    free(m.items);
    free(m.results);
    return m.good;
}

bool score_measure_all(struct score_subject *subjects, size_t count, const struct score_plan *plan, const char *results)
{
    return measure_some(subjects, count, plan, results, false) && measure_some(subjects, count, plan, results, true);
}
