/* Findings of the batch interface: one of its trials, which --trial asks again. */
#include "cli/work/findings_batch.h"

#include "base/file.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct found *known_as(struct findings *findings, const struct warp_impl *observed, const char *signature)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].observed == observed && strcmp(findings->items[i].signature, signature) == 0)
            return &findings->items[i];
    return NULL;
}

static void replay_command(const char *option, uint64_t seed, uint64_t trial, char *text, size_t size)
{
    const size_t used = findings_command("batch", option, text, size);
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
    if (!finding_keep(&f, findings->dir, batch_shows, (void *)(uintptr_t)checker, &kept, error))
        return false;
    *existed = kept.existed;
    file_absolute(kept.path, found->path);
    return true;
}

static void print_finding(struct findings *findings, const struct found *found, const struct batch_outcome *o,
                          const char *layout, bool existed)
{
    if (findings->quiet)
        return;
    printf("\n%sMISMATCH%s %s: %s, asked for a batch, %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), found->signature,
           shown(found->observed->name), shown(o->what));
    printf("%s\nbatch: %s\n", shown(found->line), layout);
    if (o->fault == BATCH_WRONG && findings->drawn++ < FINDINGS_DRAWN_MAX) {
        printf("\nwarp %zu of the batch; the same warp as a case is what is expected:\n\n", o->warp);
        finding_print(&o->finding, false);
    }
    if (found->path[0] != '\0')
        printf("\n%s %s\nreplay: %s\n", existed ? "known as" : "written:", shown(found->path), shown(found->command));
    fflush(stdout);
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
    replay_command(source->observed_option, seed, trial, found->command, sizeof found->command);
    bool existed = false;
    const bool kept = !write || write_folder(checker, o, found, seed, trial, &existed, error);
    print_finding(findings, found, o, layout, existed);
    return kept;
}
