#include "cli/work/campaign.h"

#include "base/clock.h"
#include "check/guarded.h"
#include "cli/registry.h"
#include "cli/work/sweep.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const kind_names[KINDS] = {"enumerated", "replayed", "recorded", "random", "in batches"};

static bool open_subject(struct campaign *campaign, const char *option)
{
    char error[512];
    struct subject *subject = &campaign->subjects[campaign->count];
    memset(subject, 0, sizeof *subject);
    subject->option = option;
    subject->impl = registry_open(option, error, sizeof error);
    if (!subject->impl) {
        fprintf(stderr, "warpcheck: %s\n", error);
        return false;
    }
    subject->source.findings = &campaign->findings;
    subject->source.reference_option = campaign->reference_option;
    subject->source.observed_option = option;
    for (size_t k = 0; k < KINDS; k++)
        checker_init(&subject->kinds[k], campaign->reference, subject->impl, findings_collect, &subject->source);
    campaign->count++;
    return true;
}

bool campaign_open(struct campaign *campaign, const char *reference, const char *const *options, size_t count,
                   const char *out)
{
    char error[512];
    campaign->start = clock_seconds();
    campaign->reference_option = reference;
    campaign->subjects = calloc(SUBJECTS_MAX, sizeof *campaign->subjects);
    if (!campaign->subjects || !findings_init(&campaign->findings, out, campaign->json)) {
        fprintf(stderr, "warpcheck: out of memory\n");
        return false;
    }
    campaign->reference = registry_open(reference, error, sizeof error);
    if (!campaign->reference) {
        fprintf(stderr, "warpcheck: %s\n", error);
        return false;
    }
    for (size_t k = 0; k < KINDS; k++)
        checker_init(&campaign->own[k], campaign->reference, campaign->reference, NULL, NULL);
    for (size_t i = 0; i < count && i < SUBJECTS_MAX; i++)
        if (!open_subject(campaign, options[i]))
            return false;
    return true;
}

void campaign_close(struct campaign *campaign)
{
    for (size_t i = 0; campaign->subjects && i < campaign->count; i++)
        registry_close(campaign->subjects[i].impl);
    registry_close(campaign->reference);
    findings_free(&campaign->findings);
    free(campaign->subjects);
    campaign->subjects = NULL;
}

void campaign_note(struct campaign *campaign, const char *format, ...)
{
    va_list arguments;
    if (campaign->notes_count == NOTES_MAX)
        return;
    va_start(arguments, format);
    vsnprintf(campaign->notes[campaign->notes_count++], sizeof campaign->notes[0], format, arguments);
    va_end(arguments);
}

bool campaign_folder(const char *dir)
{
    struct stat status;
    if (mkdir(dir, 0777) != 0 && errno != EEXIST) {
        fprintf(stderr, "warpcheck: %s: cannot make this folder: %s (choose another with --out)\n", dir,
                strerror(errno));
        return false;
    }
    if (stat(dir, &status) != 0 || !S_ISDIR(status.st_mode) || access(dir, W_OK) != 0) {
        fprintf(stderr, "warpcheck: %s: cannot be written: %s (choose another folder with --out)\n", dir,
                errno ? strerror(errno) : "not a folder");
        return false;
    }
    return true;
}

bool campaign_unanswered(struct campaign *campaign, const char *option, const struct warp_impl *impl, const char *error)
{
    const struct warp_case *culprit = guarded_culprit(impl);
    if (interrupted())
        return true;
    campaign->failed = true;
    snprintf(campaign->error, sizeof campaign->error, "%.60s could not answer: %.300s", option, error);
    if (culprit)
        findings_crash(&campaign->findings, option, culprit, error);
    return false;
}

bool campaign_sweep(struct campaign *campaign, enum kind kind, const char *label,
                    void (*make)(const void *context, uint64_t index, struct warp_case *c), const void *context,
                    uint64_t count, double seconds, uint64_t *made)
{
    struct checker *checkers[SUBJECTS_MAX];
    struct sweep sweep = {.label = label,
                          .make = make,
                          .context = context,
                          .count = count,
                          .seconds = seconds,
                          .checkers = checkers,
                          .checkers_count = campaign->count,
                          .stateless = registry_is_stateless(campaign->reference)};
    for (size_t i = 0; i < campaign->count; i++) {
        checkers[i] = &campaign->subjects[i].kinds[kind];
        sweep.stateless = sweep.stateless && registry_is_stateless(campaign->subjects[i].impl);
    }
    if (sweep_run(&sweep, made))
        return true;
    for (size_t i = 0; i < campaign->count; i++)
        if (checkers[i]->error[0] != '\0')
            return campaign_unanswered(campaign, campaign->subjects[i].option, campaign->subjects[i].impl,
                                       checkers[i]->error);
    return true;
}

/* Mismatches are reported after the stage that found them, so that they are on the screen and on disk as early as
 * possible. */
static bool run_stage(struct campaign *campaign, const struct stage *stage)
{
    double start = clock_seconds();
    uint64_t compared = campaign_total(campaign).compared, checks = campaign->fuzzed_checks;
    uint64_t properties = campaign->properties;
    bool good = stage->run(campaign);
    compared = campaign_total(campaign).compared - compared;
    checks = campaign->fuzzed_checks - checks;
    properties = campaign->properties - properties;
    if (!campaign->json)
        printf("  %-10s %-50s %13s %-10s %6.1f s\n", stage->name, stage->what,
               number_text(compared + checks + properties),
               properties ? "properties"
               : checks   ? "checks"
                          : "cases",
               clock_seconds() - start);
    fflush(stdout);
    if (!findings_report(&campaign->findings))
        return false;
    return good;
}

void campaign_run(struct campaign *campaign, const struct stage *const *stages, size_t count)
{
    for (size_t i = 0; i < count && !interrupted(); i++) {
        bool wanted = !stages[i]->wanted || stages[i]->wanted(campaign);
        if (wanted && !run_stage(campaign, stages[i]))
            return;
    }
}

struct checker_counts campaign_family(const struct campaign *campaign, enum kind kind, enum warp_family family)
{
    struct checker_counts sum = {0};
    for (size_t i = 0; i <= campaign->count; i++) {
        const struct checker *from = i < campaign->count ? &campaign->subjects[i].kinds[kind] : &campaign->own[kind];
        struct checker_counts counts = checker_family(from, family);
        sum.cases += counts.cases;
        sum.compared += counts.compared;
        sum.lane_results += counts.lane_results;
        sum.mismatches += counts.mismatches;
    }
    return sum;
}

struct checker_counts campaign_total(const struct campaign *campaign)
{
    struct checker_counts sum = {0};
    for (size_t k = 0; k < KINDS; k++) {
        for (size_t f = 0; f < WARP_FAMILIES; f++) {
            struct checker_counts counts = campaign_family(campaign, (enum kind)k, (enum warp_family)f);
            sum.cases += counts.cases;
            sum.compared += counts.compared;
            sum.lane_results += counts.lane_results;
            sum.mismatches += counts.mismatches;
        }
    }
    return sum;
}

uint64_t subject_not_accepted(const struct subject *subject)
{
    uint64_t n = 0;
    for (size_t k = 0; k < KINDS; k++) {
        struct checker_counts counts = checker_total(&subject->kinds[k]);
        n += counts.cases - counts.compared - counts.unanswered;
    }
    return n;
}

uint64_t subject_unanswered(const struct subject *subject)
{
    uint64_t n = 0;
    for (size_t k = 0; k < KINDS; k++)
        n += checker_total(&subject->kinds[k]).unanswered;
    return n;
}
