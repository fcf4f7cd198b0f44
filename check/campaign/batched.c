/* The stage that asks for batches. It asks implementations that have an interface for them (warpcheck/batch.h). */
#include "check/campaign/campaign.h"

#include "base/interrupt.h"
#include "base/process.h"
#include "base/pool.h"
#include "base/text.h"
#include "check/batch.h"
#include "check/impl/impl.h"
#include "warpcheck/bytes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#define THREADS_MAX 16
#define CHUNK       64u   /* trials that a thread takes at a time */
#define STOP_AFTER  1000u /* trials of one implementation that differ, after which it is left */

/* What the threads share, for one implementation. */
struct shared {
    struct campaign *campaign;
    struct subject *subject;
    pthread_mutex_t lock;
    _Atomic uint64_t next;
    uint64_t batches, warps, different;
    _Atomic bool failed, stop;
    struct error *error; /* of `failed`; under the lock */
};

/* Counts warps of batches as cases, and their active lanes as lane results. A batch that differs is one mismatch. */
static void count(struct shared *s, uint64_t trial, const struct batch_outcome *o, bool good)
{
    const uint32_t form = batch_form(s->campaign->seed, trial);
    struct checker *checker = &s->subject->kinds[KIND_BATCH];
    struct checker_counts *counts = &checker->forms[form];
    pthread_mutex_lock(&s->lock);
    counts->cases += o->warps;
    counts->compared += o->warps;
    counts->lane_results += o->lanes;
    s->batches++;
    s->warps += o->warps;
    if (o->fault == BATCH_UNKNOWN) {
        counts->compared -= o->warps;
        s->failed = true;
        error_set(s->error, ERROR_DECLINED, "%s", o->what);
    } else if (!good) {
        counts->mismatches++;
        if (!s->campaign->keeper->batch(checker, o, s->campaign->seed, trial, !s->campaign->one_trial, s->error))
            s->failed = !campaign_unkept(s->campaign, s->error);
        checker->stopped = ++s->different == STOP_AFTER;
        s->stop = checker->stopped;
    }
    pthread_mutex_unlock(&s->lock);
}

static void try_one(struct shared *s, struct batch_bench *bench, uint64_t trial)
{
    struct batch_outcome outcome;
    const uint32_t form = batch_form(s->campaign->seed, trial);
    if (!(s->campaign->families & WARP_FAMILY_BIT((unsigned)warp_form_get(form)->family)))
        return;
    const bool good = batch_try(bench, s->campaign->seed, trial, s->campaign->reference, &outcome);
    count(s, trial, &outcome, good);
}

/* NULL when there is no memory or no process, which ends the stage. */
static struct batch_bench *open_bench(struct shared *s)
{
    struct error error;
    struct batch_bench *const bench = batch_open(s->subject->impl, NULL, &error);
    if (bench != NULL)
        return bench;
    pthread_mutex_lock(&s->lock);
    s->failed = true;
    *s->error = error;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *work(void *argument)
{
    struct shared *s = argument;
    struct batch_bench *bench = open_bench(s);
    uint64_t first;
    while (bench != NULL && !interrupted() && !s->failed && !s->stop &&
           (first = atomic_fetch_add(&s->next, CHUNK)) < BATCH_TRIALS)
        for (uint64_t trial = first; trial < first + CHUNK && trial < BATCH_TRIALS && !interrupted(); trial++)
            try_one(s, bench, trial);
    batch_close(bench);
    return NULL;
}

static void work_on_many(struct shared *s)
{
    void *arguments[THREADS_MAX];
    const unsigned processors = process_processors();
    const bool alone = !impl_can(s->subject->impl).stateless || !impl_can(s->campaign->reference).stateless;
    const unsigned threads = alone ? 1 : processors > THREADS_MAX ? THREADS_MAX : processors;
    for (unsigned i = 0; i < threads; i++)
        arguments[i] = s;
    threads_run(work, arguments, threads);
}

static void work_on_one(struct shared *s, uint64_t trial)
{
    struct batch_bench *bench = open_bench(s);
    if (bench != NULL)
        try_one(s, bench, trial);
    batch_close(bench);
}

static bool run_batches(struct campaign *campaign, struct error *error)
{
    bool good = true;
    for (size_t i = 0; good && i < campaign->count && !interrupted(); i++) {
        struct shared s = {.campaign = campaign, .subject = &campaign->subjects[i], .error = error};
        if (!impl_can(s.subject->impl).batch)
            continue;
        pthread_mutex_init(&s.lock, NULL);
        if (campaign->one_trial)
            work_on_one(&s, campaign->trial);
        else
            work_on_many(&s);
        pthread_mutex_destroy(&s.lock);
        campaign->batches += s.batches;
        campaign_note(campaign, "in batches: %.40s answered %s batches, of %s warps together", s.subject->impl->name,
                      number_text(s.batches), number_text(s.warps));
        good = !s.failed;
    }
    return good && (!interrupted() || error_set(error, ERROR_INTERRUPTED, "interrupted"));
}

/* Has one of them an interface for batches? The reference must answer everything in full, as spec does. */
static bool batches_wanted(const struct campaign *campaign, struct error *why)
{
    if (filter_is_set(&campaign->filter))
        return error_set(why, ERROR_NOTHING, "they choose their cases themselves");
    if (campaign->reference->accepts != NULL || campaign->reference->provides != WARP_PART_ALL)
        return error_set(why, ERROR_NOTHING, "%.100s does not give every part of every result",
                         campaign->reference_option);
    for (size_t i = 0; i < campaign->count; i++)
        if (impl_can(campaign->subjects[i].impl).batch)
            return true;
    return error_set(why, ERROR_NOTHING, "no interface for batches (warpcheck/batch.h)");
}

const struct stage stage_batches = {.name = "batches",
                                    .what = "arrays of warps in many layouts, between guard pages",
                                    .run = run_batches,
                                    .wanted = batches_wanted,
                                    .kind = KIND_BATCH};
