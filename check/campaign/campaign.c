#include "check/campaign/campaign.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/interrupt.h"
#include "check/campaign/findings.h"
#include "check/campaign/sweep.h"
#include "check/impl/impl.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const kind_names[KINDS] = {"enumerated", "replayed", "recorded", "random", "in batches"};

const char *stage_state_name(enum stage_state state)
{
    switch (state) {
    case STAGE_RAN:
        return "ran";
    case STAGE_UNAVAILABLE:
        return "UNAVAILABLE";
    case STAGE_LEFT_OUT:
        return "LEFT OUT";
    case STAGE_NOTHING:
        return "COMPARED NOTHING";
    case STAGE_UNFINISHED:
        return "UNFINISHED";
    case STAGE_FAILED:
        return "FAILED";
    case STAGE_NOT_RUN:
        return "NOT RUN";
    }
    abort();
}

/* --- opening and closing --- */

static bool open_subject(struct campaign *campaign, const char *option, struct error *error)
{
    struct subject *subject = &campaign->subjects[campaign->count];
    memset(subject, 0, sizeof *subject);
    subject->option = option;
    subject->impl = impl_open(option, error);
    if (!subject->impl)
        return false;
    subject->source.findings = campaign->findings;
    subject->source.reference_option = campaign->reference_option;
    subject->source.observed_option = option;
    for (size_t k = 0; k < KINDS; k++)
        checker_init(&subject->kinds[k], campaign->reference, subject->impl, findings_collect, &subject->source);
    campaign->count++;
    return true;
}

bool campaign_open(struct campaign *campaign, const char *reference, const char *const *options, size_t count,
                   struct error *error)
{
    campaign->start = clock_seconds();
    campaign->reference_option = reference;
    if (count > SUBJECTS_MAX)
        return error_set(error, ERROR_USAGE, "%zu implementations at once; at most %u", count, SUBJECTS_MAX);
    campaign->subjects = calloc(SUBJECTS_MAX, sizeof *campaign->subjects);
    if (!campaign->subjects)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    campaign->reference = campaign->opened = impl_open(reference, error);
    if (!campaign->reference)
        return false;
    if (filter_is_set(&campaign->filter))
        campaign->reference = filter_impl(&campaign->filtered, campaign->opened, &campaign->filter);
    campaign->findings->reference = campaign->reference;
    campaign->findings->reference_option = reference;
    campaign->findings->out = campaign->out;
    campaign->findings->program = campaign->program;
    for (size_t k = 0; k < KINDS; k++)
        checker_init(&campaign->own[k], campaign->reference, campaign->reference, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (!open_subject(campaign, options[i], error))
            return false;
    return true;
}

/* Notes how the implementation ended, and what was to be noted while it answered. */
static void close_one(struct campaign *campaign, const char *option, const struct warp_impl *impl)
{
    struct error error;
    (void)option;
    if (impl_close(impl, &error) || campaign->ended)
        return;
    campaign->ended = true;
    campaign->error = error;
}

void campaign_end(struct campaign *campaign)
{
    for (size_t i = 0; campaign->subjects && i < campaign->count; i++) {
        struct subject *subject = &campaign->subjects[i];
        if (subject->impl == NULL)
            continue;
        subject->left_out = subject_left_out(subject);
        close_one(campaign, subject->option, subject->impl);
        subject->impl = NULL;
    }
    close_one(campaign, campaign->reference_option, campaign->opened);
    campaign->reference = campaign->opened = NULL;
}

void campaign_close(struct campaign *campaign)
{
    campaign_end(campaign);
    free(campaign->subjects);
    campaign->subjects = NULL;
}

bool campaign_folder(const char *dir, struct error *error)
{
    if (folder_make(dir, error) && folder_is_writable(dir, error))
        return true;
    const size_t used = strlen(error->text);
    snprintf(error->text + used, sizeof error->text - used, " (choose another folder with --out)");
    return false;
}

/* --- what happens --- */

static void add_line(char lines[NOTES_MAX][200], size_t *count, const char *format, va_list arguments)
{
    if (*count < NOTES_MAX)
        vsnprintf(lines[(*count)++], sizeof lines[0], format, arguments);
}

void campaign_note(struct campaign *campaign, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_line(campaign->notes, &campaign->notes_count, format, arguments);
    va_end(arguments);
}

void campaign_lacks(struct campaign *campaign, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add_line(campaign->lacking, &campaign->lacking_count, format, arguments);
    va_end(arguments);
}

/* The reference is not asked again. */
static bool keep_crash(struct campaign *campaign, const char *option, const struct impl_failure *failure,
                       struct error *error)
{
    const struct findings_source source = {.observed_option = option};
    for (size_t i = 0; i < campaign->count; i++)
        if (strcmp(campaign->subjects[i].option, option) == 0)
            return findings_crash(campaign->findings, &campaign->subjects[i].source, campaign->subjects[i].impl,
                                  &failure->c, &failure->error, error);
    return findings_crash(campaign->findings, &source, NULL, &failure->c, &failure->error, error);
}

bool campaign_unanswered(struct campaign *campaign, const char *option, const struct warp_impl *impl,
                         const struct error *why, struct error *error)
{
    const struct impl_failure *const failure = impl_failure(impl);
    if (interrupted())
        return error_set(error, ERROR_INTERRUPTED, "interrupted");
    error_set(error, failure != NULL ? failure->error.code : why->code, "%.60s could not answer: %.300s", option,
              why->text);
    campaign->ended = true;
    campaign->error = *error;
    struct error wrong;
    if (failure != NULL && failure->has_case && !keep_crash(campaign, option, failure, &wrong))
        campaign_unkept(campaign, &wrong);
    return false;
}

bool campaign_unkept(struct campaign *campaign, const struct error *error)
{
    campaign->ended = campaign->unkept = true;
    error_set(&campaign->error, ERROR_SYSTEM, "the reproducer was not written: %s", error->text);
    return false;
}

bool campaign_report(struct campaign *campaign, struct error *error)
{
    return findings_report(campaign->findings, error) || campaign_unkept(campaign, error);
}

/* Why a sweep failed: the checker that failed says it, or there was no memory or no thread. */
static bool sweep_failed(struct campaign *campaign, struct checker *const *checkers, struct error *error)
{
    for (size_t i = 0; i < campaign->count; i++)
        if (checkers[i]->error.code != ERROR_NONE)
            return campaign_unanswered(campaign, campaign->subjects[i].option, campaign->subjects[i].impl,
                                       &checkers[i]->error, error);
    return false;
}

bool campaign_is_stateless(const struct campaign *campaign)
{
    bool stateless = impl_can(campaign->opened).stateless;
    for (size_t i = 0; i < campaign->count; i++)
        stateless = stateless && impl_can(campaign->subjects[i].impl).stateless;
    return stateless;
}

bool campaign_sweep(struct campaign *campaign, enum kind kind, const char *label,
                    bool (*make)(const void *context, uint64_t index, struct warp_case *c), const void *context,
                    uint64_t count, double seconds, uint64_t *made, struct error *error)
{
    struct checker *checkers[SUBJECTS_MAX];
    struct sweep sweep = {.label = label,
                          .make = make,
                          .context = context,
                          .count = count,
                          .seconds = seconds,
                          .checkers = checkers,
                          .checkers_count = campaign->count,
                          .view = campaign->view,
                          .stateless = campaign_is_stateless(campaign)};
    for (size_t i = 0; i < campaign->count; i++)
        checkers[i] = &campaign->subjects[i].kinds[kind];
    if (!sweep_run(&sweep, made, error))
        return sweep_failed(campaign, checkers, error);
    return !interrupted() || error_set(error, ERROR_INTERRUPTED, "interrupted");
}

/* --- the stages --- */

static enum stage_state state_of(bool ran, const struct error *why)
{
    if (ran)
        return STAGE_RAN;
    if (why->code == ERROR_UNAVAILABLE)
        return STAGE_UNAVAILABLE;
    if (why->code == ERROR_NOTHING)
        return STAGE_NOTHING;
    return why->code == ERROR_INTERRUPTED || why->code == ERROR_TIMEOUT ? STAGE_UNFINISHED : STAGE_FAILED;
}

/* The first implementation that the stage asks and of which it compared nothing; NULL: there is none. */
static const struct subject *find_silent(const struct campaign *campaign, enum kind kind)
{
    for (size_t i = 0; i < campaign->count; i++) {
        const struct subject *const subject = &campaign->subjects[i];
        const bool asked = kind != KIND_BATCH || impl_can(subject->impl).batch;
        if (asked && checker_total(&subject->kinds[kind]).lane_results == 0)
            return subject;
    }
    return NULL;
}

/* The state of a stage that went on to its end. Where files have no case that it is given, or none that it accepts,
 * that is no fault of anybody's. A stage that makes its cases has some for everybody. */
static enum stage_state state_of_ended(const struct campaign *campaign, const struct stage *stage, uint64_t compared,
                                       double seconds, struct error *why)
{
    if (stage->kind == KINDS) {
        if (compared == 0)
            error_set(why, ERROR_NOTHING, "compared nothing in %.3g s", seconds);
        return compared == 0 ? STAGE_NOTHING : STAGE_RAN;
    }
    const struct subject *const silent = find_silent(campaign, stage->kind);
    if (silent == NULL)
        return STAGE_RAN;
    const uint64_t cases = checker_total(&silent->kinds[stage->kind]).cases;
    if (cases == 0 && stage->of_files)
        error_set(why, ERROR_NOTHING, "the files have no case of these instructions that passes the options");
    else if (cases == 0)
        error_set(why, ERROR_NOTHING, "no case was made in %.3g s", seconds);
    else
        error_set(why, ERROR_NOTHING, "of %.200s no lane was compared in %llu cases", silent->option,
                  (unsigned long long)cases);
    return stage->of_files ? STAGE_LEFT_OUT : STAGE_NOTHING;
}

/* Mismatches are reported after the stage that found them, so that they are on the screen and on disk as early as
 * possible. */
static void run_stage(struct campaign *campaign, const struct stage *stage, struct stage_report *report)
{
    struct error error;
    const double start = clock_seconds();
    const uint64_t checks = campaign->fuzzed_checks, properties = campaign->properties;
    uint64_t compared = campaign_total(campaign).compared;
    const bool ran = stage->run(campaign, &report->why);
    if (!ran && report->why.text[0] == '\0')
        error_set(&report->why, ERROR_INTERNAL, "it did not say why, which is a defect of warpcheck");
    report->state = state_of(ran, &report->why);
    compared = campaign_total(campaign).compared - compared;
    report->compared = compared + (campaign->fuzzed_checks - checks) + (campaign->properties - properties);
    report->unit = campaign->properties > properties  ? "properties"
                   : campaign->fuzzed_checks > checks ? "checks"
                                                      : "cases";
    report->seconds = clock_seconds() - start;
    if (report->state == STAGE_RAN)
        report->state = state_of_ended(campaign, stage, report->compared, report->seconds, &report->why);
    if (campaign->view && campaign->view->stage_ended)
        campaign->view->stage_ended(report);
    campaign_report(campaign, &error);
}

static void leave_out(const struct campaign *campaign, struct stage_report *report)
{
    report->state = STAGE_LEFT_OUT;
    if (campaign->view && campaign->view->stage_ended)
        campaign->view->stage_ended(report);
}

void campaign_run(struct campaign *campaign, const struct stage *const *stages, size_t count)
{
    for (size_t i = 0; i < count && campaign->reports_count < STAGES_MAX; i++) {
        struct stage_report *report = &campaign->reports[campaign->reports_count++];
        *report = (struct stage_report){.stage = stages[i], .state = STAGE_NOT_RUN, .unit = "cases"};
        if (stages[i]->wanted && !stages[i]->wanted(campaign, &report->why))
            leave_out(campaign, report);
        else if (campaign->ended)
            error_set(&report->why, ERROR_DECLINED, "the campaign ended before");
        else if (interrupted())
            error_set(&report->why, ERROR_INTERRUPTED, "interrupted before");
        else
            run_stage(campaign, stages[i], report);
    }
}

/* --- sums --- */

static void add_counts(struct checker_counts *sum, struct checker_counts counts)
{
    sum->cases += counts.cases;
    sum->compared += counts.compared;
    sum->unanswered += counts.unanswered;
    sum->lane_results += counts.lane_results;
    sum->mismatches += counts.mismatches;
}

struct checker_counts campaign_family(const struct campaign *campaign, enum kind kind, enum warp_family family)
{
    struct checker_counts sum = checker_family(&campaign->own[kind], family);
    for (size_t i = 0; i < campaign->count; i++)
        add_counts(&sum, checker_family(&campaign->subjects[i].kinds[kind], family));
    return sum;
}

struct checker_counts subject_total(const struct subject *subject)
{
    struct checker_counts sum = {0};
    for (size_t k = 0; k < KINDS; k++)
        add_counts(&sum, checker_total(&subject->kinds[k]));
    return sum;
}

struct checker_counts campaign_asked(const struct campaign *campaign)
{
    struct checker_counts sum = {0};
    for (size_t i = 0; i < campaign->count; i++)
        add_counts(&sum, subject_total(&campaign->subjects[i]));
    return sum;
}

struct checker_counts campaign_total(const struct campaign *campaign)
{
    struct checker_counts sum = campaign_asked(campaign);
    for (size_t k = 0; k < KINDS; k++)
        add_counts(&sum, checker_total(&campaign->own[k]));
    return sum;
}

static uint64_t campaign_mismatches(const struct campaign *campaign)
{
    return campaign_total(campaign).mismatches + campaign->fuzzed_mismatches;
}

uint64_t subject_not_accepted(const struct subject *subject)
{
    const struct checker_counts sum = subject_total(subject);
    return sum.cases - sum.compared - sum.unanswered;
}

/* The number of the form's cases that the subject was offered, and of the lanes that were compared. */
static void count_form(const struct subject *subject, uint32_t form, uint64_t *offered, uint64_t *compared)
{
    *offered = *compared = 0;
    for (size_t k = 0; k < KINDS; k++) {
        *offered += subject->kinds[k].forms[form].cases;
        *compared += subject->kinds[k].forms[form].lane_results;
    }
}

/* The parts of a result by which answers to the form can differ. */
static uint32_t parts_of(uint32_t form)
{
    const struct warp_form_info *const info = warp_form_get(form);
    uint32_t parts = WARP_PART_OUTCOME | (warp_form_is_sync(info) ? WARP_PART_WAITS_FOR : 0u);
    for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++) {
        if (!(info->destinations >> dst & 1u))
            continue;
        parts |=
            (warp_form_writes_d(info, dst) ? WARP_PART_D : 0u) | (warp_form_writes_p(info, dst) ? WARP_PART_P : 0u);
    }
    return parts | (warp_form_may_be_unpredictable(info) ? WARP_PART_D_DEFINED : 0u);
}

uint32_t subject_left_out(const struct subject *subject)
{
    uint64_t offered, compared;
    uint32_t parts = 0;
    if (subject->impl == NULL)
        return subject->left_out;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        count_form(subject, form, &offered, &compared);
        parts |= compared > 0 ? parts_of(form) : 0u;
    }
    return parts & ~checker_parts(&subject->kinds[KIND_ENUMERATE]);
}

uint64_t subject_forms_refused(const struct subject *subject)
{
    uint64_t forms = 0, offered, compared;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        count_form(subject, form, &offered, &compared);
        forms |= (uint64_t)(offered > 0 && compared == 0) << form;
    }
    return forms;
}

uint64_t campaign_forms_compared(const struct campaign *campaign)
{
    uint64_t forms = 0, offered, compared;
    for (size_t i = 0; i < campaign->count; i++)
        for (uint32_t form = 0; form < WARP_FORMS; form++) {
            count_form(&campaign->subjects[i], form, &offered, &compared);
            forms |= (uint64_t)(compared > 0) << form;
        }
    return forms;
}

uint64_t campaign_forms_refused(const struct campaign *campaign)
{
    uint64_t forms = 0;
    for (size_t i = 0; i < campaign->count; i++)
        forms |= subject_forms_refused(&campaign->subjects[i]);
    return forms;
}

/* --- the verdict --- */

static bool any_stage(const struct campaign *campaign, enum stage_state state)
{
    for (size_t i = 0; i < campaign->reports_count; i++)
        if (campaign->reports[i].state == state)
            return true;
    return false;
}

static bool each_compared(const struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->count; i++)
        if (subject_total(&campaign->subjects[i]).lane_results == 0)
            return false;
    return campaign->count > 0;
}

static bool each_whole(const struct campaign *campaign)
{
    for (size_t i = 0; i < campaign->count; i++)
        if (subject_not_accepted(&campaign->subjects[i]) > 0 || subject_left_out(&campaign->subjects[i]) != 0)
            return false;
    return true;
}

enum verdict campaign_verdict(const struct campaign *campaign)
{
    if (campaign_mismatches(campaign) > 0)
        return VERDICT_MISMATCH;
    if (campaign->unkept)
        return VERDICT_NOT_KEPT;
    if (campaign->ended || any_stage(campaign, STAGE_FAILED))
        return VERDICT_FAILED;
    if (interrupted())
        return VERDICT_INTERRUPTED;
    if (campaign->unreadable)
        return VERDICT_UNREADABLE;
    if (campaign->properties_expected != campaign->properties)
        return VERDICT_NOT_ALL_PROVED;
    if (any_stage(campaign, STAGE_UNFINISHED) || any_stage(campaign, STAGE_NOT_RUN))
        return VERDICT_UNFINISHED;
    if (!each_compared(campaign))
        return VERDICT_NOTHING_COMPARED;
    if (any_stage(campaign, STAGE_NOTHING))
        return VERDICT_UNFINISHED;
    return each_whole(campaign) ? VERDICT_AGREE : VERDICT_AGREE_PARTLY;
}

const char *verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_AGREE:
        return "all agree";
    case VERDICT_AGREE_PARTLY:
        return "agree on what is offered";
    case VERDICT_MISMATCH:
        return "MISMATCH";
    case VERDICT_FAILED:
        return "FAILED";
    case VERDICT_INTERRUPTED:
        return "INTERRUPTED";
    case VERDICT_UNREADABLE:
        return "UNREADABLE INPUT";
    case VERDICT_NOT_KEPT:
        return "FINDING NOT KEPT";
    case VERDICT_NOT_ALL_PROVED:
        return "NOT ALL PROVED";
    case VERDICT_UNFINISHED:
        return "UNFINISHED";
    case VERDICT_NOTHING_COMPARED:
        return "NOTHING COMPARED";
    }
    abort();
}
