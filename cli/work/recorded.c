/* The stage that asks every implementation what a device answered earlier. */
#include "cli/work/campaign.h"

#include "cli/registry.h"
#include "cli/work/expected.h"
#include "cli/work/sweep.h"

#include <stdio.h>

#ifdef WARPCHECK_HAVE_RECORDING
#include "gpu/recording.h"

struct recorded {
    const struct recording *recording;
};

static void make_recorded(const void *context, uint64_t index, struct warp_case *c)
{
    const struct recorded *recorded = context;
    recording_get(recorded->recording, (size_t)index, c, NULL);
}

/* The device is the reference; `observed` must give what it gave. */
static bool check_recorded(struct campaign *campaign, const char *path, const struct warp_impl *device,
                           const struct warp_impl *observed, const char *option, struct checker *counts)
{
    struct findings_source source = {&campaign->findings, path, option, NULL};
    struct recorded recorded = {recording_of(device)};
    struct checker checker;
    struct checker *checkers[1] = {&checker};
    uint64_t made = 0;
    struct sweep sweep = {.label = "recorded",
                          .make = make_recorded,
                          .context = &recorded,
                          .count = recording_count(recorded.recording),
                          .checkers = checkers,
                          .checkers_count = 1};
    checker_init(&checker, device, observed, findings_collect, &source);
    bool good = sweep_run(&sweep, &made);
    checker_add(counts, &checker);
    bool reported = findings_report(&campaign->findings); /* while the source and the device are there */
    if (!good && !interrupted()) {
        campaign->failed = true;
        snprintf(campaign->error, sizeof campaign->error, "%.60s could not answer: %.300s", option, checker.error);
        return false;
    }
    return reported;
}

static bool replay_recording(struct campaign *campaign, const char *path)
{
    char error[LOAD_ERROR_MAX];
    const struct warp_impl *device = recording_open(path, error, sizeof error);
    if (!device) {
        fprintf(stderr, "%s\n", error);
        campaign->unreadable++;
        return true;
    }
    campaign->recordings++;
    campaign_note(campaign, "recorded: %s answers: %.150s", number_text(recording_count(recording_of(device))),
                  device->description);
    bool good = check_recorded(campaign, path, device, campaign->reference, campaign->reference_option,
                               &campaign->own[KIND_RECORDED]);
    for (size_t i = 0; good && i < campaign->count; i++) {
        struct subject *subject = &campaign->subjects[i];
        good = check_recorded(campaign, path, device, subject->impl, subject->option, &subject->kinds[KIND_RECORDED]);
    }
    if (device->close)
        device->close(device->state);
    return good;
}

static bool run_recorded(struct campaign *campaign)
{
    struct path_list list = {NULL, 0};
    char error[LOAD_ERROR_MAX];
    bool good = true;
    if (campaign->corpus && !path_list_add(&list, campaign->corpus, error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        campaign->unreadable++;
    }
    for (size_t i = 0; good && i < list.count && !interrupted(); i++)
        if (path_ends(list.paths[i], ".rec"))
            good = replay_recording(campaign, list.paths[i]);
    path_list_free(&list);
    if (campaign->recordings == 0)
        campaign_note(campaign, "recorded: no recording of a device was replayed");
    return good;
}
#else
static bool run_recorded(struct campaign *campaign)
{
    campaign_note(campaign, "recorded: UNAVAILABLE: built without recordings");
    return true;
}
#endif

const struct stage stage_recorded = {"recorded", "what devices answered earlier", run_recorded, NULL};
