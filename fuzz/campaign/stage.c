#define _GNU_SOURCE /* strdup, rmdir */
#include "fuzz/campaign/stage.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "check/campaign/findings.h"
#include "check/impl/impl.h"
#include "fuzz/campaign/loop.h"
#include "warpcheck_fast.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For each implementation; no longer than the random stage, and not at all when that has less than one second. */
#define SECONDS_MAX 3.0

#define TARGET      "fuzz_all"
#define PATIENCE_S  30.0 /* a busy machine may need longer until the first check is done */

#define KEPT_MAX    64u /* findings of one implementation that are sorted with those of the other stages */

/* A finding that the loop kept. */
struct kept {
    enum finding_kind kind;
    char folder[FILE_PATH_MAX];
    char *line, *command; /* owned */
    bool fleeting;
};

struct watched {
    struct loop loop; /* large */
    struct campaign *campaign;
    struct kept kept[KEPT_MAX];
    size_t count;
    bool pointed; /* a note names what lies in the loop's `work` */
};

static bool asked_to_stop(void *context)
{
    (void)context;
    return interrupted();
}

static void no_tick(void *context, const struct loop *loop, double elapsed_s)
{
    (void)context, (void)loop, (void)elapsed_s;
}

/* They are looked at when the loop has ended: its seconds are the engine's. */
static void keep_finding(void *context, const struct loop_finding *finding)
{
    struct watched *const watched = context;
    struct kept *const k = &watched->kept[watched->count];
    if (finding->known)
        return;
    if (watched->count == KEPT_MAX) {
        campaign_note(watched->campaign, "fuzz: not sorted, but kept: %.160s", finding->folder);
        return;
    }
    *k = (struct kept){.kind = finding->kind,
                       .line = strdup(finding->line),
                       .command = strdup(finding->command),
                       .fleeting = finding->fleeting};
    snprintf(k->folder, sizeof k->folder, "%s", finding->folder);
    watched->count++;
}

/* Asks the finding's case again. If it differs or crashes again, it is sorted by cause with what the other stages
 * found, and the engine's folder of it is removed. False: it does not show when it is asked alone. */
static bool sort_finding(struct campaign *campaign, const struct subject *subject, const struct kept *k)
{
    struct checker checker;
    struct warp_case c;
    struct error error;
    if ((k->kind != FINDING_MISMATCH && !finding_is_ending(k->kind)) || !finding_read_case(k->folder, &c))
        return false;
    checker_init(&checker, campaign->reference, subject->impl, findings_collect, (void *)&subject->source);
    if (checker_run(&checker, &c, 1)) {
        if (checker_total(&checker).mismatches == 0)
            return false;
        folder_remove(k->folder);
        return campaign_report(campaign, &error);
    }
    const struct impl_failure *const failure = impl_failure(subject->impl);
    if (failure == NULL || !failure->has_case)
        return false;
    folder_remove(k->folder);
    const bool good =
        findings_crash(campaign->findings, &subject->source, subject->impl, &failure->c, &failure->error, &error);
    return impl_restart(subject->impl, &error) && good;
}

/* What depends on earlier calls is one mistake, which another stage found, with calls that show it again: the engine's
 * folder of it goes. */
static bool is_known_state(const struct watched *watched, const struct subject *subject, const struct kept *k)
{
    if ((!k->fleeting && k->kind != FINDING_MISMATCH) ||
        !findings_keep_state(watched->campaign->findings, subject->impl))
        return false;
    folder_remove(k->folder);
    return true;
}

/* All that the loop kept; what does not show alone is told as the engine found it. */
static void sort_findings(struct watched *watched, const struct subject *subject)
{
    for (size_t i = 0; i < watched->count; i++) {
        struct kept *const k = &watched->kept[i];
        if (!sort_finding(watched->campaign, subject, k) && file_exists(k->folder) &&
            !is_known_state(watched, subject, k))
            findings_add_kept(watched->campaign->findings, &subject->source, subject->impl, k->line, k->folder,
                              k->command);
        free(k->line);
        free(k->command);
    }
    watched->count = 0;
}

static void take_note(void *context, const char *line)
{
    struct watched *const watched = context;
    watched->pointed |= strstr(line, watched->loop.plan.work) != NULL;
    campaign_note(watched->campaign, "fuzz: %.190s", line);
}

static bool is_variant(const char *option)
{
    struct fast_variant variant;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (strcmp(variant.name, option) == 0)
            return true;
    return false;
}

/* Where every variant is asked for, one target compares them all, in the place of "fast" (fuzz/harness.h). */
static const char *name_for_target(const struct campaign *campaign, const char *option)
{
    return campaign->every_fast && strcmp(option, "fast") == 0 ? "fast-all" : option;
}

static bool has_target(const struct campaign *campaign, const struct subject *subject)
{
    return impl_can(subject->impl).fuzz && !(campaign->every_fast && is_variant(subject->option));
}

/* What the loop found: into the campaign's counts and notes. */
static bool take_totals(struct campaign *campaign, const struct subject *subject, const struct loop *loop,
                        struct error *error)
{
    const struct loop_buckets buckets = loop_buckets(&loop->totals, campaign->families);
    campaign->fuzzed_checks += loop->totals.checks;
    campaign->fuzzed_mismatches +=
        loop->totals.mismatches > 0 ? loop->totals.mismatches : loop->crashes + loop->undecided;
    campaign_note(campaign, "fuzzed %.40s with libFuzzer: %s checks in %.0f s, %zu of %zu buckets, %s mismatches",
                  subject->impl->name, number_text(loop->totals.checks), loop->elapsed_s, buckets.hit,
                  buckets.reachable, number_text(loop->totals.mismatches));
    if (loop->unkept > 0)
        return error_set(error, ERROR_SYSTEM, "%s findings were not kept in %.300s: make room there",
                         number_text(loop->unkept), loop->plan.findings);
    if (interrupted())
        return true; /* the stage says so */
    if (loop->totals.checks + loop->totals.refused == 0)
        return error_set(error, ERROR_TIMEOUT, "%.60s was compared with nothing in %.0f s", subject->impl->name,
                         loop->elapsed_s);
    if (loop->totals.checks == 0)
        return error_set(error, ERROR_NOTHING, "%.60s accepted none of %s cases", subject->impl->name,
                         number_text(loop->totals.refused));
    if (loop->stuck > 0 && loop->totals.mismatches + loop->crashes + loop->undecided == 0)
        return error_set(error, ERROR_TIMEOUT, "%.60s gave no sign of life any more, and its process was killed",
                         subject->impl->name);
    return true;
}

/* Runs the loop in folders that exist. *needed: somebody is pointed at what lies in `work`. */
static bool fuzz_subject(struct campaign *campaign, const struct subject *subject, const char *targets,
                         const char *work, const char *findings, bool *needed, struct error *error)
{
    static struct watched watched;
    static char impl[IMPL_FULL_MAX];
    struct loop *loop = &watched.loop;
    memset(&watched, 0, sizeof watched);
    impl_name_full(name_for_target(campaign, subject->option), impl);
    watched.campaign = campaign;
    loop->plan = (struct job_plan){.engine = ENGINE_LIBFUZZER,
                                   .targets = targets,
                                   .target = TARGET,
                                   .families = campaign->families,
                                   .impl = impl,
                                   .work = work,
                                   .findings = findings,
                                   .program = campaign->program,
                                   .seed = campaign->seed,
                                   .derived = 64};
    loop->jobs_count = 1;
    loop->seconds = campaign->seconds < SECONDS_MAX ? campaign->seconds : SECONDS_MAX;
    loop->context = &watched;
    loop->stop = asked_to_stop;
    loop->tick = no_tick;
    loop->finding = keep_finding;
    loop->note = take_note;
    loop->patience_s = PATIENCE_S;
    const bool ran = loop_run(loop, error);
    sort_findings(&watched, subject);
    *needed |= watched.pointed || (!ran && strstr(error->text, work) != NULL);
    if (!ran)
        return false;
    return take_totals(campaign, subject, loop, error);
}

static bool fuzz_all(struct campaign *campaign, const char *targets, struct error *error)
{
    char base[FILE_PATH_MAX], work[JOB_PATH_MAX], findings[FILE_PATH_MAX];
    const char *dir = campaign->out;
    const bool was_there = file_exists(dir);
    bool good = true, needed = false;
    if (!campaign_folder(dir, error) || !folder_temporary("run", base, error))
        return false;
    file_absolute(dir, findings);
    for (size_t i = 0; good && i < campaign->count && !interrupted(); i++) {
        if (!has_target(campaign, &campaign->subjects[i]))
            continue;
        snprintf(work, sizeof work, "%.4000s/%zu", base, i);
        good = fuzz_subject(campaign, &campaign->subjects[i], targets, work, findings, &needed, error);
    }
    if (!needed || interrupted())
        folder_remove(base);
    else
        folder_keep(base);
    if (!was_there)
        rmdir(dir); /* stays when there are findings */
    return good && (!interrupted() || error_set(error, ERROR_INTERRUPTED, "interrupted"));
}

static struct error not_begun; /* why the target is not being built; ERROR_NONE: it is, or was there */

/* One second is the least that an engine can do something in. An engine chooses its cases itself. */
static bool wanted(const struct campaign *campaign, struct error *why)
{
    bool some = false;
    for (size_t i = 0; i < campaign->count; i++)
        some |= impl_can(campaign->subjects[i].impl).fuzz;
    if (!some)
        return error_set(why, ERROR_NOTHING, "an engine asks code in its own process: a plugin, or what is built in");
    if (filter_is_set(&campaign->filter))
        return error_set(why, ERROR_NOTHING, "an engine chooses its cases itself");
    if (strcmp(campaign->reference_option, "spec") != 0)
        return error_set(why, ERROR_NOTHING, "an engine compares with spec alone, not with %.100s",
                         campaign->reference_option);
    return campaign->seconds >= 1 || error_set(why, ERROR_NOTHING, "--seconds below 1");
}

void stage_fuzz_begin(const struct campaign *campaign)
{
    struct error why;
    if (wanted(campaign, &why) && !engine_built(ENGINE_LIBFUZZER))
        (void)engine_begin(ENGINE_LIBFUZZER, TARGET, &not_begun);
}

static bool run_fuzz(struct campaign *campaign, struct error *error)
{
    char targets[JOB_PATH_MAX];
    /* Another process that builds the target may have taken it away since: then it is waited for. */
    if (not_begun.code != ERROR_NONE && !engine_built(ENGINE_LIBFUZZER))
        return error_set(error, not_begun.code, "%s", not_begun.text);
    return engine_prepare(ENGINE_LIBFUZZER, TARGET, targets, error) && fuzz_all(campaign, targets, error);
}

const struct stage stage_fuzz = {.name = "fuzz",
                                 .what = "some seconds of libFuzzer, whose target is built meanwhile",
                                 .run = run_fuzz,
                                 .wanted = wanted,
                                 .kind = KINDS};
