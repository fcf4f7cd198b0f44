/* The stage that asks for batches, and its findings. It asks implementations that have an interface for them
 * (warpcheck/batch.h). */
#include "check/campaign/campaign.h"

#include "base/file.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/pool.h"
#include "base/text.h"
#include "check/batch.h"
#include "check/campaign/findings.h"
#include "check/impl/impl.h"
#include "warpcheck/bytes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS_MAX 16
#define CHUNK       64u   /* trials that a thread takes at a time */
#define STOP_AFTER  1000u /* trials of one implementation that differ, after which it is left */

/* --- its findings --- */

static struct found *known_as(struct findings *findings, const struct warp_impl *observed, const char *signature)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].observed == observed && strcmp(findings->items[i].signature, signature) == 0)
            return &findings->items[i];
    return NULL;
}

static void batch_command(const char *program, const char *option, uint64_t seed, uint64_t trial, char *text,
                          size_t size)
{
    const size_t used = finding_command(program, "batch", option, text, size);
    if (used < size)
        snprintf(text + used, size - used, " --seed %llu --trial %llu", (unsigned long long)seed,
                 (unsigned long long)trial);
}

/* The outcome as a finding; `more` are the further lines of its finding.txt. */
static struct finding finding_of(const struct batch_outcome *o, const struct found *found, const char *more)
{
    struct finding f = o->finding;
    f.kind = FINDING_BATCH;
    f.property = found->signature;
    f.what = o->what;
    f.observed_name = found->observed->name;
    f.more = more;
    if (o->fault != BATCH_WRONG && o->fault != BATCH_WROTE)
        f.parts = 0; /* there is no answer */
    if (o->fault != BATCH_WRONG)
        f.diff = (struct warp_diff){0};
    return f;
}

/* Does the batch of the folder still differ? The context is the checker. */
static bool batch_shows(void *context, const struct finding *f, const char *folder)
{
    const struct checker *const checker = context;
    char path[FILE_PATH_MAX];
    unsigned long long seed, trial;
    struct batch_outcome outcome;
    struct error error;
    size_t size;
    char *const text = file_join(folder, "finding.txt", path, &error) ? file_read(path, 1u << 20, &size, &error) : NULL;
    const char *line = text;
    (void)f;
    while (line != NULL && sscanf(line, "trial: %llu of seed %llu", &trial, &seed) != 2)
        line = strchr(line, '\n') != NULL ? strchr(line, '\n') + 1 : NULL;
    struct batch_bench *const bench = line != NULL ? batch_open(checker->observed, NULL, &error) : NULL;
    const bool shows = bench != NULL && trial < BATCH_TRIALS &&
                       !batch_try(bench, seed, trial, checker->reference, &outcome) && outcome.fault != BATCH_UNKNOWN;
    batch_close(bench);
    free(text);
    return shows;
}

static bool write_folder(const struct checker *checker, const struct batch_outcome *o, struct found *found,
                         uint64_t seed, uint64_t trial, bool *existed, struct error *error)
{
    const struct findings *const findings = ((const struct findings_source *)checker->context)->findings;
    char layout[BATCH_TEXT_MAX];
    static char more[16384]; /* under the caller's lock */
    struct finding f = finding_of(o, found, more);
    struct finding_kept kept;
    batch_describe(seed, trial, layout);
    snprintf(more, sizeof more, "trial: %llu of seed %llu\nbatch: %s\nwarp %zu of it: %s\nreplay: %s\n",
             (unsigned long long)trial, (unsigned long long)seed, layout, o->warp, o->what, found->command);
    found->path[0] = '\0';
    if (!finding_keep(&f, findings->out, batch_shows, (void *)(uintptr_t)checker, &kept, error))
        return false;
    *existed = kept.existed;
    file_absolute(kept.path, found->path);
    return true;
}

bool findings_batch(const struct checker *checker, const struct batch_outcome *o, uint64_t seed, uint64_t trial,
                    bool write, struct error *error)
{
    const struct findings_source *source = checker->context;
    struct findings *findings = source->findings;
    char signature[FINDING_SIGNATURE_MAX], layout[BATCH_TEXT_MAX];
    struct found *found;
    batch_signature(o, signature);
    found = known_as(findings, checker->observed, signature);
    if (found != NULL) {
        found->hits++;
        found->forms |= UINT64_C(1) << o->finding.c.form;
        return true;
    }
    if (findings->count == FINDINGS_MAX) {
        findings->unkept++;
        return true;
    }
    found = &findings->items[findings->count++];
    memset(found, 0, sizeof *found);
    found->source = source;
    found->reference = checker->reference;
    found->observed = checker->observed;
    found->hits = 1;
    found->forms = UINT64_C(1) << o->finding.c.form;
    found->c = o->finding.c;
    found->reported = found->reproduced = true;
    snprintf(found->label, sizeof found->label, "batches");
    snprintf(found->signature, sizeof found->signature, "%s", signature);
    batch_describe(seed, trial, layout);
    const struct finding f = finding_of(o, found, NULL);
    finding_line(&f, found->line, sizeof found->line);
    batch_command(findings->program, source->observed_option, seed, trial, found->command, sizeof found->command);
    bool existed = false;
    const bool kept = !write || write_folder(checker, o, found, seed, trial, &existed, error);
    if (findings->view != NULL)
        findings->view->batch(findings, found, o, layout, existed);
    return kept;
}

/* --- the stage --- */

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
        if (!findings_batch(checker, o, s->campaign->seed, trial, !s->campaign->one_trial, s->error))
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
