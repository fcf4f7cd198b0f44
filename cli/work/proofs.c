/*
 * The stage that proves the catalogue of properties.
 */
#include "cli/work/stages.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "cli/command.h"
#include "cli/ui/terminal.h"

#include <stdio.h>

static bool wanted(const struct campaign *campaign, struct error *why)
{
    return campaign->proofs || error_set(why, ERROR_NOTHING,
                                         "they are of the built-in implementations: not with --impl, --only or "
                                         "--no-proofs (warpcheck prove)");
}

#ifdef WARPCHECK_HAVE_SMT
#include "smt/warpcheck_smt.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdlib.h>

/* What has no verdict when the stage's time is over is counted as not tried, and the stage as unfinished. */
#define PROPERTY_SECONDS 20.0
#define STAGE_SECONDS    240.0
/* At most JOBS_MAX * JOB_MEMORY_MB in all, so that a run fits small machines. */
#define JOBS_MAX      2u
#define JOB_MEMORY_MB 450

struct watch {
    struct progress progress;
    uint64_t ended, all;
};

static void show(void *context, const struct smt_property *property, const struct smt_outcome *outcome)
{
    struct watch *watch = context;
    (void)property;
    watch->ended += outcome != NULL;
    progress_update(&watch->progress, watch->ended, watch->all, 0.0, 0);
}

static bool out_of_time(void *context)
{
    const struct watch *watch = context;
    return clock_seconds() - watch->progress.start > STAGE_SECONDS;
}

static bool prove_all(const struct campaign *campaign, const struct smt_property *const *properties, size_t n,
                      struct smt_outcome *outcomes, struct error *error)
{
    const struct warp_impl *const replay[] = {spec_get(), fast_get()};
    char programs[4200];
    struct watch watch = {.all = n};
    struct smt_options options;
    bool done;
    snprintf(programs, sizeof programs, "%s/programs", campaign->corpus ? campaign->corpus : "corpus");
    smt_options_init(&options);
    options.replay = replay;
    options.replay_count = 2;
    options.jobs = process_processors() > 1 ? JOBS_MAX : 1;
    options.memory_mb = JOB_MEMORY_MB;
    options.timeout_s = PROPERTY_SECONDS;
    options.programs_dir = programs;
    options.progress = show;
    options.stop = out_of_time;
    options.context = &watch;
    progress_start(&watch.progress, "prove");
    watch.progress.unit = "properties";
    done = smt_prove(properties, n, &options, outcomes, error);
    progress_end(&watch.progress);
    return done;
}

static void take_verdict(struct campaign *campaign, const struct smt_property *property,
                         const struct smt_outcome *outcome)
{
    if (outcome->not_tried)
        return;
    campaign->properties++;
    if (outcome->verdict == property->expected)
        campaign->properties_expected++;
    else
        campaign_note(campaign, "prove: %s: %s, expected %s%s%.100s", property->name,
                      smt_verdict_name(outcome->verdict), smt_verdict_name(property->expected),
                      outcome->note[0] ? ": " : "", outcome->note);
}

static bool run_prove(struct campaign *campaign, struct error *error)
{
    const size_t n = smt_property_count();
    const struct smt_property **properties = calloc(n + 1, sizeof *properties);
    struct smt_outcome *outcomes = calloc(n + 1, sizeof *outcomes);
    bool good = properties && outcomes;
    if (!good)
        error_set(error, ERROR_SYSTEM, "out of memory");
    for (size_t i = 0; good && i < n; i++)
        properties[i] = smt_property_get(i);
    good = good && prove_all(campaign, properties, n, outcomes, error);
    for (size_t i = 0; good && i < n; i++)
        take_verdict(campaign, properties[i], &outcomes[i]);
    free(properties);
    free(outcomes);
    campaign_note(campaign, "prove: %llu of %zu properties have the verdict that is expected",
                  (unsigned long long)campaign->properties_expected, n);
    if (!good)
        return false;
    if (interrupted())
        return error_set(error, ERROR_INTERRUPTED, "interrupted");
    if (campaign->properties < n)
        return error_set(error, ERROR_TIMEOUT, "%llu of %zu properties not tried in %.0f s (warpcheck prove tries all)",
                         (unsigned long long)(n - campaign->properties), n, STAGE_SECONDS);
    return true;
}
#else
static bool run_prove(struct campaign *campaign, struct error *error)
{
    (void)campaign;
    return error_set(error, ERROR_UNAVAILABLE, "built without Z3 (Debian: libz3-dev)");
}
#endif

const struct stage stage_prove = {.name = "prove",
                                  .what = "the catalogue of properties, for all operands at once",
                                  .run = run_prove,
                                  .wanted = wanted,
                                  .kind = KINDS};
