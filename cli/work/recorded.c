/* The stage that asks every implementation what a device answered earlier. */
#include "cli/work/campaign.h"

#include "cli/registry.h"
#include "cli/work/expected.h"
#include "cli/work/sweep.h"

#include <stdio.h>
#include <stdlib.h>

#include "gpu/recording.h"

/* The cases of a recording whose instruction is asked for. */
struct recorded {
    const struct recording *recording;
    size_t *indices;
    size_t count;
};

static void make_recorded(const void *context, uint64_t index, struct warp_case *c)
{
    const struct recorded *recorded = context;
    recording_get(recorded->recording, recorded->indices[index], c, NULL);
}

static bool choose_cases(const struct campaign *campaign, const struct warp_impl *device, struct recorded *recorded)
{
    struct warp_case c;
    recorded->recording = recording_of(device);
    recorded->count = 0;
    size_t n = recording_count(recorded->recording);
    recorded->indices = malloc((n + 1) * sizeof *recorded->indices);
    for (size_t i = 0; recorded->indices && i < n; i++) {
        recording_get(recorded->recording, i, &c, NULL);
        if (WARP_FAMILY_BIT_OF(c.form) & campaign->families)
            recorded->indices[recorded->count++] = i;
    }
    return recorded->indices != NULL;
}

/* The device is the reference; `observed` must give what it gave. */
static bool check_recorded(struct campaign *campaign, const char *path, const struct warp_impl *device,
                           const struct recorded *recorded, const struct warp_impl *observed, const char *option,
                           struct checker *counts)
{
    struct findings_source source = {&campaign->findings, path, option, NULL};
    struct checker checker;
    struct checker *checkers[1] = {&checker};
    uint64_t made = 0;
    struct sweep sweep = {.label = "recorded",
                          .make = make_recorded,
                          .context = recorded,
                          .count = recorded->count,
                          .checkers = checkers,
                          .checkers_count = 1};
    checker_init(&checker, device, observed, findings_collect, &source);
    bool good = sweep_run(&sweep, &made);
    checker_add(counts, &checker);
    bool reported = findings_report(&campaign->findings); /* while the source and the device are there */
    return reported && (good || campaign_unanswered(campaign, option, observed, checker.error));
}

static bool replay_recording(struct campaign *campaign, const char *path)
{
    struct error error;
    struct recorded recorded;
    const struct warp_impl *device = recording_open(path, &error);
    if (!device) {
        fprintf(stderr, "%s\n", error.text);
        campaign->unreadable++;
        return true;
    }
    campaign->recordings++;
    bool good = choose_cases(campaign, device, &recorded);
    campaign_note(campaign, "recorded: %s answers replayed: %.140s", number_text(recorded.count), device->description);
    good = good && check_recorded(campaign, path, device, &recorded, campaign->reference, campaign->reference_option,
                                  &campaign->own[KIND_RECORDED]);
    for (size_t i = 0; good && i < campaign->count; i++) {
        struct subject *subject = &campaign->subjects[i];
        good = check_recorded(campaign, path, device, &recorded, subject->impl, subject->option,
                              &subject->kinds[KIND_RECORDED]);
    }
    free(recorded.indices);
    if (device->close)
        device->close(device->state);
    return good;
}

static bool run_recorded(struct campaign *campaign)
{
    struct path_list list = {0};
    struct error error;
    bool good = true;
    if (campaign->corpus && !path_list_find(&list, campaign->corpus, &error)) {
        fprintf(stderr, "%s\n", error.text);
        campaign->unreadable++;
    }
    for (size_t i = 0; good && i < list.count && !interrupted(); i++)
        if (text_ends(list.paths[i], ".rec"))
            good = replay_recording(campaign, list.paths[i]);
    path_list_free(&list);
    if (campaign->recordings == 0)
        campaign_note(campaign, "recorded: no recording of a device was replayed");
    return good;
}

const struct stage stage_recorded = {"recorded", "what devices answered earlier", run_recorded, NULL};
