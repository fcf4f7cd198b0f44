/*
 * One mutant, one engine: campaigns from an empty corpus, with a seed each.
 */
#define _POSIX_C_SOURCE 200809L /* getpid */
#include "fuzz/score/score.h"

#include "base/file.h"
#include "check/impl/elf.h"
#include "check/impl/impl.h"
#include "fuzz/campaign/loop.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The kinds of ending among a campaign's findings. */
struct endings {
    bool crash, hang;
};

static bool never(void *context)
{
    (void)context;
    return false;
}

static void no_tick(void *context, const struct loop *loop, double elapsed_s)
{
    (void)context, (void)loop, (void)elapsed_s;
}

static void look_at(void *context, const struct loop_finding *finding)
{
    struct endings *endings = context;
    endings->hang = endings->hang || finding->kind == FINDING_HANG;
    endings->crash = endings->crash || (finding_is_ending(finding->kind) && finding->kind != FINDING_HANG);
}

static void no_note(void *context, const char *line)
{
    (void)context, (void)line;
}

static enum score_verdict verdict_of(const struct loop *loop, const struct endings *endings)
{
    if (loop->totals.checks == 0 && loop->findings == 0 && loop->crashes == 0) /* it never began */
        return SCORE_FAILED;
    if (endings->hang || endings->crash)
        return endings->hang ? SCORE_HUNG : SCORE_CRASHED;
    if (loop->totals.mismatches > 0)
        return SCORE_CAUGHT;
    return loop->findings > 0 ? SCORE_CRASHED : SCORE_MISSED;
}

static enum engine engine_of(enum score_check check)
{
    return check == SCORE_AFL ? ENGINE_AFL : ENGINE_LIBFUZZER;
}

static bool is_traced(const struct score_subject *s)
{
    struct impl_name name;
    return impl_name_parse(s->spec, &name, NULL) && name.kind == IMPL_PLUGIN && elf_is_traced(name.path);
}

/* One run from an empty corpus. */
static struct score_run run_engine(const struct score_subject *s, enum score_check check, const struct score_plan *plan,
                                   uint64_t seed)
{
    static struct loop loop; /* large */
    const enum engine engine = engine_of(check);
    struct endings endings = {false, false};
    char work[JOB_PATH_MAX + 32], findings[JOB_PATH_MAX + 64], impl[JOB_PATH_MAX + 160];
    struct error error;
    bool good;
    snprintf(impl, sizeof impl, "%s%s", s->spec, s->mechanical ? ":mutant-shapes" : "");
    snprintf(work, sizeof work, "%s/%ld-%llu", plan->work, (long)getpid(), (unsigned long long)seed);
    if (!folder_make(work, NULL))
        return (struct score_run){.verdict = SCORE_FAILED};
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
                                  .stop_at_first = true,
                                  .jobs = 1,
                                  .bytes = check == SCORE_BYTES,
                                  .traced = is_traced(s)};
    loop.jobs_count = 1;
    loop.is_race = true;
    loop.seconds = plan->engine_s[engine];
    loop.stop = never;
    loop.tick = no_tick;
    loop.finding = look_at;
    loop.context = &endings;
    loop.note = no_note;
    good = loop_run(&loop, &error);
    folder_remove(work);
    return (struct score_run){good ? verdict_of(&loop, &endings) : SCORE_FAILED, loop.elapsed_s, loop.totals.checks};
}

unsigned score_seeds(const struct score_plan *plan, enum score_check check, bool mechanical)
{
    if (mechanical)
        return 1;
    if (check == SCORE_RANDOM || check == SCORE_LAWS)
        return plan->draws > 0 ? plan->draws : 1;
    return SCORE_ENGINES >> check & 1u ? plan->seeds[engine_of(check)] : 1;
}

void score_measure_engine(struct score_subject *s, enum score_check check, const struct score_plan *plan)
{
    struct score_run runs[SCORE_SEEDS_MAX];
    const unsigned n = plan->targets[engine_of(check)] != NULL ? score_seeds(plan, check, s->mechanical) : 0;
    char limit[16];
    if (n == 0)
        return;
    snprintf(limit, sizeof limit, "%u", SCORE_ENGINE_GUARD_MS);
    setenv(IMPL_TIMEOUT_VARIABLE, limit, 1);
    setenv("AFL_NO_AFFINITY", "1", 1); /* several that start at once would take one processor for free */
    for (unsigned i = 0; i < n; i++)
        runs[i] = run_engine(s, check, plan, 1000 * (i + 1));
    score_sum_up(&s->results[check], runs, n);
}
