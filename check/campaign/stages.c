/* The stages that ask for cases one by one: enumerations, case files, recordings, random cases. */
#include "check/campaign/campaign.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "check/campaign/findings.h"
#include "check/campaign/sweep.h"
#include "check/case_file.h"
#include "check/impl/impl.h"
#include "check/random.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_of(uint32_t families, uint32_t form)
{
    return (WARP_FAMILY_BIT((unsigned)warp_form_get(form)->family) & families) != 0;
}

static bool is_interrupted(struct error *error)
{
    return interrupted() && !error_set(error, ERROR_INTERRUPTED, "interrupted");
}

/* --- enumerations --- */

/* A slow implementation shows its first mistake long before the stage ends. A table of enumerations stays whole. */
static bool report_early(struct campaign *campaign, struct error *error)
{
    const bool has_table = campaign->view != NULL && campaign->view->enumerated != NULL;
    return has_table || campaign_report(campaign, error);
}

/* A process at the end of a pipe answers some thousand cases a second: in a run it is asked so long, and no longer. */
#define PIPE_SECONDS 5.0
#define FEW_CASES    512u /* a pipe that accepts none of the first so many is not asked the rest of an enumeration */

/* How many seconds a stage may ask; 0: until it is done. A command that shows a table of enumerations asks all. */
static double patience(const struct campaign *campaign)
{
    const bool has_table = campaign->view != NULL && campaign->view->enumerated != NULL;
    bool pipes = false;
    for (size_t i = 0; i < campaign->count; i++)
        pipes = pipes || impl_can(campaign->subjects[i].impl).kind == IMPL_PIPE;
    if (!pipes || has_table)
        return 0.0;
    return campaign->seconds > PIPE_SECONDS ? campaign->seconds : PIPE_SECONDS;
}

/* The seconds for the next of `left` parts of a stage that ends at `end`; 0: no limit, as `patience` says. */
static double share(double end, size_t left)
{
    const double rest = end - clock_seconds();
    if (end <= 0.0)
        return 0.0;
    return rest > 0.0 ? rest / (double)left + 0.05 : 0.05;
}

static uint64_t common_factor(uint64_t x, uint64_t y)
{
    while (y != 0) {
        const uint64_t rest = x % y;
        x = y;
        y = rest;
    }
    return x;
}

/* A step that visits every index below n once, far apart one after another: whatever part is asked is a sample. */
static uint64_t scatter_step(uint64_t n)
{
    uint64_t step = (uint64_t)((double)n * 0.6180339887) | 1u;
    if (n > UINT32_MAX) /* an index times the step would not fit */
        return 0;
    while (n > 1 && common_factor(step, n) != 1)
        step += 2;
    return n > 1 ? step % n : 0;
}

/* What was asked of what a stage has, when a pipe was asked only for some time. */
struct sample {
    uint64_t made, count;
};

static void note_sample(struct campaign *campaign, const char *what, const char *which, const struct sample *sample)
{
    if (sample->made >= sample->count)
        return;
    campaign->sampled = true;
    campaign_note(campaign,
                  "%s: %s of %s cases, %s, because a pipe is asked for some seconds only (more: --seconds; all: "
                  "warpcheck exhaust)",
                  what, number_text(sample->made), number_text(sample->count), which);
}

struct enumerated {
    const struct enumeration *enumeration;
    const struct case_filter *filter;
    uint32_t families;    /* the others' cases are left out */
    uint64_t step, count; /* step 0: in order */
    uint64_t first;       /* what comes first */
};

static bool make_enumerated(const void *context, uint64_t index, struct warp_case *c)
{
    const struct enumerated *from = context;
    const uint64_t at = from->first + index;
    from->enumeration->make(from->step != 0 ? at * from->step % from->count : at, c);
    filter_fit_destination(from->filter, c);
    return is_of(from->families, c->form);
}

/* The families whose cases of the enumeration are asked: of one that was named by itself, all. */
static uint32_t chosen_families(const struct campaign *campaign, const struct enumeration *enumeration)
{
    for (size_t i = 0; i < campaign->enumerations_count; i++)
        if (strcmp(campaign->enumerations[i], enumeration->name) == 0)
            return enumeration->families;
    return enumeration->families & campaign->families;
}

/* Offers all cases; with `sample`, as many as the seconds allow, and only a few where none of them is accepted. */
static bool offer_enumerated(struct campaign *campaign, const struct enumeration *enumeration, double seconds,
                             struct sample *sample, uint64_t *made, struct error *error)
{
    struct enumerated from = {.enumeration = enumeration,
                              .filter = &campaign->filter,
                              .families = chosen_families(campaign, enumeration),
                              .count = enumeration->count()};
    const struct checker_counts before = campaign_total(campaign);
    uint64_t more = 0;
    if (seconds <= 0.0)
        return campaign_sweep(campaign, KIND_ENUMERATE, enumeration->name, make_enumerated, &from, from.count, 0.0,
                              made, error);
    from.step = scatter_step(from.count);
    const uint64_t few = from.count < FEW_CASES ? from.count : FEW_CASES;
    bool good =
        campaign_sweep(campaign, KIND_ENUMERATE, enumeration->name, make_enumerated, &from, few, seconds, made, error);
    from.first = *made;
    const struct checker_counts after = campaign_total(campaign);
    const bool declines = after.compared == before.compared && after.cases > before.cases;
    if (good && *made == few && few < from.count && !declines)
        good = campaign_sweep(campaign, KIND_ENUMERATE, enumeration->name, make_enumerated, &from, from.count - few,
                              seconds, &more, error);
    *made += more;
    sample->made += *made;
    sample->count += from.count;
    return good;
}

static bool enumerate_one(struct campaign *campaign, const struct enumeration *enumeration, double seconds,
                          struct sample *sample, struct error *error)
{
    const struct checker_counts before = campaign_total(campaign);
    const double start = clock_seconds();
    uint64_t made = 0;
    const bool good = offer_enumerated(campaign, enumeration, seconds, sample, &made, error);
    const struct checker_counts after = campaign_total(campaign);
    const uint64_t compared = after.compared - before.compared;
    const struct enumeration_tally tally = {.enumeration = enumeration,
                                            .compared = compared,
                                            .not_accepted = after.cases - before.cases - compared,
                                            .mismatches = after.mismatches - before.mismatches,
                                            .seconds = clock_seconds() - start,
                                            .whole = made == enumeration->count()};
    if (campaign->view && campaign->view->enumerated)
        campaign->view->enumerated(&tally);
    return good;
}

static bool run_enumerate(struct campaign *campaign, struct error *error)
{
    const struct enumeration *enumeration;
    const double seconds = patience(campaign), end = seconds > 0.0 ? clock_seconds() + seconds : 0.0;
    struct sample sample = {0, 0};
    size_t left = 0;
    bool good = true;
    for (size_t i = 0; (enumeration = enumeration_get(i)); i++)
        left += chosen_families(campaign, enumeration) != 0;
    for (size_t i = 0; good && (enumeration = enumeration_get(i)); i++)
        if (chosen_families(campaign, enumeration) != 0)
            good = enumerate_one(campaign, enumeration, share(end, left--), &sample, error) &&
                   report_early(campaign, error);
    note_sample(campaign, "enumerate", "evenly spread", &sample);
    return good;
}

/* --- case files --- */

static bool check_one(struct campaign *campaign, struct subject *subject, const struct warp_case *c,
                      struct error *error)
{
    struct checker *checker = &subject->kinds[KIND_REPLAY];
    checker->stopped = false;
    return checker_run(checker, c, 1) ||
           campaign_unanswered(campaign, subject->option, subject->impl, &checker->error, error);
}

/* Here the file's expectation is the reference, and the campaign's reference is under check. */
static bool check_expected(struct campaign *campaign, const struct warp_text *text, const char *path,
                           struct error *error)
{
    struct expected expected;
    struct checker checker;
    struct findings_source source = {.findings = campaign->findings,
                                     .reference_option = "expect",
                                     .observed_option = campaign->reference_option,
                                     .label = path};
    const struct warp_impl *impl = expected_init(&expected, text);
    campaign->expectations++;
    checker_init(&checker, impl, campaign->opened, findings_collect, &source);
    const bool good = checker_run(&checker, &text->c, 1);
    checker_add(&campaign->own[KIND_REPLAY], &checker);
    if (!good)
        return campaign_unanswered(campaign, campaign->reference_option, campaign->opened, &checker.error, error);
    return checker_total(&checker).mismatches == 0 || campaign_report(campaign, error);
}

/* Reports at once what cannot be read: a file that holds no case, or the first of `count`. The stage goes on. */
static void unreadable(struct campaign *campaign, const struct error *error, uint64_t count)
{
    campaign->unreadable += count;
    if (campaign->view && campaign->view->unreadable)
        campaign->view->unreadable(error);
}

/* Cases of files are few and chosen: a process that is not very slow is asked all of them. */
#define REPLAY_TIMES 6.0

struct replayed {
    double end; /* when no pipe is asked any more; 0: never */
    struct sample sample;
};

/* One case, asked of all subjects, pipes among them as long as there is time. */
static bool check_subjects(struct campaign *campaign, const struct warp_case *c, struct replayed *replayed,
                           struct error *error)
{
    const bool is_late = replayed->end > 0.0 && clock_seconds() >= replayed->end;
    bool good = true, asked = true;
    for (size_t i = 0; good && i < campaign->count; i++)
        if (is_late && impl_can(campaign->subjects[i].impl).kind == IMPL_PIPE)
            asked = false;
        else
            good = check_one(campaign, &campaign->subjects[i], c, error);
    replayed->sample.made += asked;
    replayed->sample.count++;
    return good;
}

static bool replay_file(struct campaign *campaign, const char *path, struct replayed *replayed, struct error *error)
{
    struct load_rules rules = {.guess = path_is_fuzz(path)};
    struct case_file file;
    bool good = true;
    if (!case_file_load(path, &rules, &file, error)) {
        unreadable(campaign, error, 1);
        return true;
    }
    campaign->files++;
    for (size_t k = 0; good && k < file.count && !interrupted(); k++) {
        const struct warp_text *text = &file.texts[k];
        if (!is_of(campaign->families, text->c.form))
            continue;
        if (text->has_result)
            good = check_expected(campaign, text, path, error);
        good = good && check_subjects(campaign, &text->c, replayed, error);
    }
    case_file_free(&file);
    return good && !is_interrupted(error);
}

static bool replay_folder(struct campaign *campaign, const char *dir, struct replayed *replayed, struct error *error)
{
    struct path_list list = {0};
    bool good = true;
    if (!path_list_find(&list, dir, error))
        unreadable(campaign, error, list.unread);
    for (size_t i = 0; good && i < list.count; i++) {
        if (path_is_case(list.paths[i]))
            good = replay_file(campaign, list.paths[i], replayed, error);
        else if (text_ends(list.paths[i], ".rec"))
            campaign->recording_files++;
        else
            campaign->other_files++;
    }
    path_list_free(&list);
    return good;
}

static bool run_replay(struct campaign *campaign, struct error *error)
{
    const double seconds = patience(campaign) * REPLAY_TIMES;
    struct replayed replayed = {.end = seconds > 0.0 ? clock_seconds() + seconds : 0.0};
    if (campaign->corpus && !replay_folder(campaign, campaign->corpus, &replayed, error))
        return false;
    if (campaign->crashes && !replay_folder(campaign, campaign->crashes, &replayed, error))
        return false;
    note_sample(campaign, "replay", "the first ones", &replayed.sample);
    if (!campaign->corpus)
        return error_set(error, ERROR_UNAVAILABLE, "no corpus folder found; name one with --corpus");
    if (campaign->files + campaign->unreadable + campaign->recording_files == 0)
        return error_set(error, ERROR_NOTHING, "%s has no case file and no recording", campaign->corpus);
    return true;
}

/* --- recordings --- */

/* The cases of a recording whose instruction was asked for. */
struct recorded {
    const struct recording_reader *by;
    const struct warp_impl *device;
    const char *path;
    size_t *indices;
    size_t count;
    double end;  /* of the stage; 0: none */
    size_t left; /* files, with this one */
    uint64_t step;
    struct sample *sample;
};

static bool make_recorded(const void *context, uint64_t index, struct warp_case *c)
{
    const struct recorded *recorded = context;
    const size_t at = recorded->step != 0 ? index * recorded->step % recorded->count : index;
    recorded->by->get(recorded->device, recorded->indices[at], c);
    return true;
}

static bool choose_cases(const struct campaign *campaign, struct recorded *recorded, struct error *error)
{
    struct warp_case c;
    const size_t n = recorded->by->count(recorded->device);
    recorded->count = 0;
    recorded->indices = malloc((n + 1) * sizeof *recorded->indices);
    if (!recorded->indices)
        return error_set(error, ERROR_SYSTEM, "%s: out of memory", recorded->path);
    for (size_t i = 0; i < n; i++) {
        recorded->by->get(recorded->device, i, &c);
        if (is_of(campaign->families, c.form) && filter_refuses(&campaign->filter, &c) == NULL)
            recorded->indices[recorded->count++] = i;
    }
    return true;
}

/* The device is the reference: `observed` must give the device's answers. */
static bool check_recorded(struct campaign *campaign, struct recorded *recorded, const struct warp_impl *observed,
                           const char *option, struct checker *counts, struct error *error)
{
    struct findings_source source = {
        .findings = campaign->findings, .reference_option = recorded->path, .observed_option = option, .device = true};
    struct checker checker;
    struct checker *checkers[1] = {&checker};
    uint64_t made = 0;
    const bool pipe = impl_can(observed).kind == IMPL_PIPE && recorded->end > 0.0;
    recorded->step = pipe ? scatter_step(recorded->count) : 0;
    struct sweep sweep = {.label = "recorded",
                          .view = campaign->view,
                          .make = make_recorded,
                          .context = recorded,
                          .count = recorded->count,
                          .seconds = pipe ? share(recorded->end, recorded->left) : 0.0,
                          .checkers = checkers,
                          .checkers_count = 1};
    checker_init(&checker, recorded->device, observed, findings_collect, &source);
    const bool good = sweep_run(&sweep, &made, error);
    checker_add(counts, &checker);
    if (good && pipe) {
        recorded->sample->made += made;
        recorded->sample->count += recorded->count;
    }
    if (!campaign_report(campaign, error)) /* while the source and the device are there */
        return false;
    if (!good && checker.error.code != ERROR_NONE)
        return campaign_unanswered(campaign, option, observed, &checker.error, error);
    return good && !is_interrupted(error);
}

/* The next of `left` recordings of a stage in which pipes are asked until `end`. */
static bool replay_recording(struct campaign *campaign, const char *path, double end, size_t left,
                             struct sample *sample, struct error *error)
{
    struct recorded recorded = {
        .by = campaign->recordings_by, .path = path, .end = end, .left = left, .sample = sample};
    recorded.device = recorded.by->open(path, error);
    if (!recorded.device) {
        unreadable(campaign, error, 1);
        return true;
    }
    bool good = choose_cases(campaign, &recorded, error);
    campaign->recordings++;
    campaign->recorded_cases += recorded.count;
    campaign_note(campaign, "recorded: %s answers replayed: %.140s", number_text(recorded.count),
                  recorded.device->description);
    good = good && check_recorded(campaign, &recorded, campaign->opened, campaign->reference_option,
                                  &campaign->own[KIND_RECORDED], error);
    for (size_t i = 0; good && i < campaign->count; i++) {
        struct subject *subject = &campaign->subjects[i];
        good =
            check_recorded(campaign, &recorded, subject->impl, subject->option, &subject->kinds[KIND_RECORDED], error);
    }
    free(recorded.indices);
    if (recorded.device->close)
        recorded.device->close(recorded.device->state);
    return good;
}

static bool run_recorded(struct campaign *campaign, struct error *error)
{
    const double seconds = patience(campaign), end = seconds > 0.0 ? clock_seconds() + seconds : 0.0;
    struct path_list list = {0};
    struct sample sample = {0, 0};
    size_t left = 0;
    bool good = true;
    if (!campaign->recordings_by)
        return error_set(error, ERROR_UNAVAILABLE, "built without recordings");
    if (campaign->corpus)
        path_list_find(&list, campaign->corpus, NULL); /* the stage `replay` told what of it cannot be read */
    for (size_t i = 0; i < list.count; i++)
        left += text_ends(list.paths[i], ".rec");
    for (size_t i = 0; good && i < list.count && !is_interrupted(error); i++)
        if (text_ends(list.paths[i], ".rec"))
            good = replay_recording(campaign, list.paths[i], end, left--, &sample, error);
    path_list_free(&list);
    note_sample(campaign, "recorded", "evenly spread", &sample);
    if (good && interrupted())
        return error_set(error, ERROR_INTERRUPTED, "interrupted");
    if (good && campaign->recordings == 0)
        return error_set(error, ERROR_UNAVAILABLE, "no recording of a device in the corpus");
    return good;
}

/* --- random cases --- */

struct draw_from {
    uint64_t seed;
    uint32_t families;
    const struct case_filter *filter;
    bool alike;
};

static bool make_random(const void *context, uint64_t index, struct warp_case *c)
{
    const struct draw_from *from = context;
    (from->alike ? random_case_alike : random_case)(from->seed, index, from->families, c);
    filter_fit(from->filter, c);
    return true;
}

static bool run_random(struct campaign *campaign, struct error *error)
{
    const struct draw_from from = {campaign->seed, campaign->families, &campaign->filter,
                                   campaign_is_stateless(campaign)};
    const uint64_t count = campaign->cases ? campaign->cases : UINT64_MAX / 2;
    return campaign_sweep(campaign, KIND_RANDOM, "random", make_random, &from, count,
                          campaign->cases ? 0.0 : campaign->seconds, &campaign->random_cases, error);
}

static bool random_wanted(const struct campaign *campaign, struct error *why)
{
    return campaign->cases > 0 || campaign->seconds > 0.0 || error_set(why, ERROR_NOTHING, "--seconds 0");
}

const struct stage stage_enumerate = {
    .name = "enumerate", .what = "every case of the enumerations", .run = run_enumerate, .kind = KIND_ENUMERATE};
const struct stage stage_replay = {.name = "replay",
                                   .what = "case files of the corpus, known reproducers",
                                   .run = run_replay,
                                   .kind = KIND_REPLAY,
                                   .of_files = true};
const struct stage stage_recorded = {.name = "recorded",
                                     .what = "what devices answered earlier",
                                     .run = run_recorded,
                                     .kind = KIND_RECORDED,
                                     .of_files = true};
const struct stage stage_random = {.name = "random",
                                   .what = "cases drawn from the seed",
                                   .run = run_random,
                                   .wanted = random_wanted,
                                   .kind = KIND_RANDOM};
