/* Findings of the batch interface: one of its trials, which --trial asks again. */
#include "cli/work/findings_batch.h"

#include "base/file.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
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
                         const char *layout, struct error *error)
{
    static char text[4 * WARP_TEXT_MAX], whole[FINDING_LINE_MAX + 16384]; /* large; under the caller's lock */
    char absolute[FILE_PATH_MAX];
    bool existed, answered = o->fault == BATCH_WRONG || o->fault == BATCH_WROTE;
    snprintf(whole, sizeof whole, "%s\nbatch: %s\nwarp %zu of it: %s\nreplay: %s\n", found->line, layout, o->warp,
             o->what, found->command);
    if (!folder_make(findings->dir, error))
        return false;
    if (warp_case_to_file(&o->finding.c, o->what, answered ? &o->finding.reference : NULL,
                          answered ? o->finding.parts : 0, text, sizeof text) >= sizeof text ||
        !finding_write_folder(findings->dir, found->signature, text, whole, found->path, sizeof found->path, &existed,
                              findings->error, sizeof findings->error)) {
        found->path[0] = '\0';
        return error_set(error, ERROR_SYSTEM, "%s", findings->error);
    }
    snprintf(found->path, sizeof found->path, "%s", file_absolute(found->path, absolute));
    return true;
}

static void print_finding(struct findings *findings, const struct found *found, const struct batch_outcome *o,
                          const char *layout)
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
        printf("\nwritten: %s\nreplay: %s\n", shown(found->path), shown(found->command));
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
    make_line(o, checker->observed->name, found->line, sizeof found->line);
    replay_command(source->observed_option, seed, trial, found->command, sizeof found->command);
    const bool kept = !write || write_folder(findings, o, found, layout, error);
    print_finding(findings, found, o, layout);
    return kept;
}
