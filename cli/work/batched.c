/* The stage that asks for batches, of implementations that have an interface for them (warpcheck/batch.h). */
#include "cli/work/campaign.h"

#include "check/batch.h"
#include "cli/registry.h"
#include "warpcheck/bytes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS_MAX 16
#define CHUNK       64u   /* trials that a thread takes at a time */
#define STOP_AFTER  1000u /* trials of one implementation that differ, after which it is left */

/* What the threads share, for one implementation. */
struct shared {
    struct campaign *campaign;
    struct subject *subject;
    const struct warp_impl *inner;
    warp_batch_fn eval;
    pthread_mutex_t lock;
    _Atomic uint64_t next;
    uint64_t batches, warps, different;
    _Atomic bool failed, stop;
};

/* --- a finding --- */

static struct found *known_as(struct findings *findings, const struct warp_impl *observed, const char *signature)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].observed == observed && strcmp(findings->items[i].signature, signature) == 0)
            return &findings->items[i];
    return NULL;
}

static void replay_command(const struct shared *s, uint64_t trial, char *text, size_t size)
{
    const size_t used = findings_command("batch", s->subject->option, text, size);
    if (used < size)
        snprintf(text + used, size - used, " --seed %llu --trial %llu", (unsigned long long)s->campaign->seed,
                 (unsigned long long)trial);
}

/* What it says of the warp; of a batch that left no answer the case alone. */
static void make_line(const struct batch_outcome *o, const char *name, char *line, size_t size)
{
    size_t used;
    if (o->fault == BATCH_WRONG) {
        finding_line(&o->finding, line, size);
        return;
    }
    used = warp_case_to_text(&o->finding.c, line, size);
    if (used < size)
        snprintf(line + used, size - used, " => %s %s", name, o->what);
}

static bool write_folder(struct findings *findings, const struct batch_outcome *o, struct found *found,
                         const char *layout)
{
    static char text[4 * WARP_TEXT_MAX], whole[FINDING_LINE_MAX + 16384]; /* large; under the lock */
    char *absolute;
    bool existed, answered = o->fault == BATCH_WRONG || o->fault == BATCH_WROTE;
    snprintf(whole, sizeof whole, "%s\nbatch: %s\nwarp %zu of it: %s\nreplay: %s\n", found->line, layout, o->warp,
             o->what, found->command);
    if (!campaign_folder(findings->dir))
        return false;
    if (warp_case_to_file(&o->finding.c, o->what, answered ? &o->finding.reference : NULL,
                          answered ? o->finding.parts : 0, text, sizeof text) >= sizeof text ||
        !finding_write_folder(findings->dir, found->signature, text, whole, found->path, sizeof found->path, &existed,
                              findings->error, sizeof findings->error)) {
        found->path[0] = '\0';
        return false;
    }
    absolute = realpath(found->path, NULL);
    if (absolute != NULL)
        snprintf(found->path, sizeof found->path, "%s", absolute);
    free(absolute);
    return true;
}

static void print_finding(const struct shared *s, const struct found *found, const struct batch_outcome *o,
                          const char *layout)
{
    if (s->campaign->json)
        return;
    printf("\n%sMISMATCH%s %s: %s, asked for a batch, %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), found->signature,
           s->subject->impl->name, o->what);
    printf("%s\nbatch: %s\n", found->line, layout);
    if (o->fault == BATCH_WRONG && s->campaign->findings.drawn++ < FINDINGS_DRAWN_MAX) {
        printf("\nwarp %zu of the batch; the same warp as a case is what is expected:\n\n", o->warp);
        finding_print(&o->finding, false);
    }
    if (found->path[0] != '\0')
        printf("\nwritten: %s\nreplay: %s\n", found->path, found->command);
    fflush(stdout);
}

/* One signature is one finding, however often it is met. */
static void keep(struct shared *s, uint64_t trial, const struct batch_outcome *o)
{
    struct findings *findings = &s->campaign->findings;
    char signature[FINDING_SIGNATURE_MAX], layout[BATCH_TEXT_MAX];
    struct found *found;
    batch_signature(o, signature);
    found = known_as(findings, s->subject->impl, signature);
    if (found != NULL || findings->count == FINDINGS_MAX) {
        if (found != NULL) {
            found->hits++;
            found->forms |= UINT64_C(1) << o->finding.c.form;
        } else {
            findings->unkept++;
        }
        return;
    }
    found = &findings->items[findings->count++];
    memset(found, 0, sizeof *found);
    found->source = &s->subject->source;
    found->reference = s->campaign->reference;
    found->observed = s->subject->impl;
    found->hits = 1;
    found->forms = UINT64_C(1) << o->finding.c.form;
    found->c = o->finding.c;
    found->reported = found->reproduced = true;
    snprintf(found->label, sizeof found->label, "batches");
    snprintf(found->signature, sizeof found->signature, "%s", signature);
    batch_describe(s->campaign->seed, trial, layout);
    make_line(o, s->subject->impl->name, found->line, sizeof found->line);
    replay_command(s, trial, found->command, sizeof found->command);
    if (!s->campaign->one_trial) /* that is asked again because there is one */
        write_folder(findings, o, found, layout);
    print_finding(s, found, o, layout);
}

/* --- the trials --- */

/* Cases are warps of batches, lane results their active lanes. A batch that differs is one mismatch. */
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
        snprintf(s->campaign->error, sizeof s->campaign->error, "batches: %.300s", o->what);
    } else if (!good) {
        counts->mismatches++;
        keep(s, trial, o);
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
    const bool good = batch_try(bench, s->campaign->seed, trial, s->campaign->reference, s->inner, s->eval, &outcome);
    outcome.finding.observed_name = s->subject->impl->name;
    count(s, trial, &outcome, good);
}

static void *work(void *argument)
{
    struct shared *s = argument;
    struct batch_bench *bench = batch_open();
    uint64_t first;
    while (bench != NULL && !interrupted() && !s->failed && !s->stop &&
           (first = atomic_fetch_add(&s->next, CHUNK)) < BATCH_TRIALS)
        for (uint64_t trial = first; trial < first + CHUNK && trial < BATCH_TRIALS && !interrupted(); trial++)
            try_one(s, bench, trial);
    if (bench == NULL)
        s->failed = true;
    batch_close(bench);
    return NULL;
}

static void work_on_many(struct shared *s)
{
    pthread_t handles[THREADS_MAX];
    bool started[THREADS_MAX] = {false};
    long threads = sysconf(_SC_NPROCESSORS_ONLN);
    threads = !registry_is_stateless(s->subject->impl) || !registry_is_stateless(s->campaign->reference) ? 1
              : threads > THREADS_MAX                                                                    ? THREADS_MAX
                                                                                                         : threads;
    for (long i = 1; i < threads; i++)
        started[i] = pthread_create(&handles[i], NULL, work, s) == 0;
    work(s);
    for (long i = 1; i < threads; i++)
        if (started[i])
            pthread_join(handles[i], NULL);
}

static void work_on_one(struct shared *s, uint64_t trial)
{
    struct batch_bench *bench = batch_open();
    char layout[BATCH_TEXT_MAX];
    if (bench == NULL) {
        s->failed = true;
        return;
    }
    batch_describe(s->campaign->seed, trial, layout);
    if (!s->campaign->json)
        printf("trial %llu: %s\n", (unsigned long long)trial, layout);
    try_one(s, bench, trial);
    batch_close(bench);
}

static bool run_batches(struct campaign *campaign)
{
    bool good = true;
    for (size_t i = 0; good && i < campaign->count && !interrupted(); i++) {
        struct shared s = {.campaign = campaign, .subject = &campaign->subjects[i]};
        s.eval = registry_batch(s.subject->impl, &s.inner);
        if (s.eval == NULL)
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
        if (s.failed && campaign->error[0] == '\0')
            snprintf(campaign->error, sizeof campaign->error, "batches: no memory");
        campaign->failed = campaign->failed || s.failed;
        good = !s.failed;
    }
    return good;
}

/* The reference must answer everything in full, as spec does. */
static bool wanted(const struct campaign *campaign)
{
    const struct warp_impl *inner;
    if (campaign->reference->accepts != NULL || campaign->reference->provides != WARP_PART_ALL)
        return false;
    for (size_t i = 0; i < campaign->count; i++)
        if (registry_batch(campaign->subjects[i].impl, &inner) != NULL)
            return true;
    return false;
}

const struct stage stage_batches = {"batches", "arrays of warps in many layouts, between guard pages", run_batches,
                                    wanted};
