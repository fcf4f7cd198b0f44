/* The stages of a run: enumeration, case files, random cases. */
#include "cli/work/campaign.h"

#include "check/enumerate.h"
#include "check/random.h"
#include "cli/work/expected.h"

#include <stdio.h>
#include <string.h>

void campaign_make_enumerated(const void *context, uint64_t index, struct warp_case *c)
{
    const struct enumeration *enumeration = context;
    enumeration->make(index, c);
}

static bool run_enumerate(struct campaign *campaign)
{
    const struct enumeration *enumeration;
    for (size_t i = 0; (enumeration = enumeration_get(i)) && !interrupted(); i++) {
        uint64_t made = 0;
        if (!(enumeration->families & campaign->families))
            continue;
        if (campaign->only && strcmp(campaign->only, enumeration->name) != 0)
            continue;
        if (!campaign_sweep(campaign, KIND_ENUMERATE, enumeration->name, campaign_make_enumerated, enumeration,
                            enumeration->count(), 0.0, &made))
            return false;
    }
    return true;
}

static bool check_one(struct campaign *campaign, struct subject *subject, enum kind kind, const struct warp_case *c)
{
    struct checker *checker = &subject->kinds[kind];
    checker->stopped = false;
    return checker_run(checker, c, 1) || campaign_unanswered(campaign, subject->option, subject->impl, checker->error);
}

/* What the file expects is the reference here, and the campaign's reference is what is under check. */
static bool check_expected(struct campaign *campaign, const struct warp_text *text, const char *path)
{
    struct expected expected;
    struct checker checker;
    struct findings_source source = {&campaign->findings, "expect", campaign->reference_option, path};
    const struct warp_impl *impl = expected_init(&expected, text);
    campaign->expectations++;
    checker_init(&checker, impl, campaign->reference, findings_collect, &source);
    bool good = checker_run(&checker, &text->c, 1);
    checker_add(&campaign->own[KIND_REPLAY], &checker);
    if (good)
        return checker_total(&checker).mismatches == 0 || findings_report(&campaign->findings);
    return campaign_unanswered(campaign, campaign->reference_option, campaign->reference, checker.error);
}

static bool replay_file(struct campaign *campaign, const char *path)
{
    struct load_rules rules = {.guess = path_is_fuzz(path)};
    struct case_file file;
    struct error error;
    bool good = true;
    if (!case_file_load(path, &rules, &file, &error)) {
        fprintf(stderr, "%s\n", error.text);
        campaign->unreadable++;
        return true;
    }
    campaign->files++;
    for (size_t k = 0; good && k < file.count && !interrupted(); k++) {
        const struct warp_text *text = &file.texts[k];
        if (!(WARP_FAMILY_BIT_OF(text->c.form) & campaign->families))
            continue;
        if (text->has_result)
            good = check_expected(campaign, text, path);
        for (size_t i = 0; good && i < campaign->count; i++)
            good = check_one(campaign, &campaign->subjects[i], KIND_REPLAY, &text->c);
    }
    case_file_free(&file);
    return good;
}

static bool replay_folder(struct campaign *campaign, const char *dir)
{
    struct path_list list = {0};
    struct error error;
    bool good = true;
    if (!path_list_find(&list, dir, &error)) {
        fprintf(stderr, "%s\n", error.text);
        campaign->unreadable++;
    }
    for (size_t i = 0; good && i < list.count && !interrupted(); i++) {
        if (path_is_case(list.paths[i]))
            good = replay_file(campaign, list.paths[i]);
        else if (!text_ends(list.paths[i], ".rec"))
            campaign->other_files++;
    }
    path_list_free(&list);
    return good;
}

static bool run_replay(struct campaign *campaign)
{
    if (!campaign->corpus)
        campaign_note(campaign, "replay: no corpus folder found; name one with --corpus");
    else if (!replay_folder(campaign, campaign->corpus))
        return false;
    return !campaign->crashes || replay_folder(campaign, campaign->crashes);
}

struct draw_from {
    uint64_t seed;
    uint32_t families;
};

static void make_random(const void *context, uint64_t index, struct warp_case *c)
{
    const struct draw_from *from = context;
    random_case(from->seed, index, from->families, c);
}

static bool run_random(struct campaign *campaign)
{
    struct draw_from from = {campaign->seed, campaign->families};
    uint64_t count = campaign->cases ? campaign->cases : UINT64_MAX / 2;
    if (!campaign->cases && campaign->seconds <= 0.0)
        return true;
    return campaign_sweep(campaign, KIND_RANDOM, "random", make_random, &from, count,
                          campaign->cases ? 0.0 : campaign->seconds, &campaign->random_cases);
}

const struct stage stage_enumerate = {"enumerate", "complete and bounded spaces (list enumerations)", run_enumerate,
                                      NULL};
const struct stage stage_replay = {"replay", "case files of the corpus, known reproducers", run_replay, NULL};
const struct stage stage_random = {"random", "cases drawn from the seed", run_random, NULL};
