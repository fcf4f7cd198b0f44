#include "cli/work/findings.h"

#include "check/batch.h"
#include "cli/ui/draw.h"
#include "cli/ui/terminal.h"

#include <stdio.h>
#include <stdlib.h>

void finding_print(const struct finding *f, bool all)
{
    char *line = malloc(FINDING_LINE_MAX);
    struct drawing drawing = {.c = &f->c,
                              .expected = &f->reference,
                              .expected_name = f->reference_name,
                              .observed = &f->observed,
                              .observed_name = f->observed_name,
                              .parts = f->parts,
                              .all = all};
    if (line) {
        finding_line(f, line, FINDING_LINE_MAX);
        printf("%s\n\n", shown(line));
    }
    free(line);
    draw_case(stdout, &drawing);
}

/* Where it is kept, and how it is shown again. */
static void print_place(const char *path, const char *command, bool existed)
{
    if (path[0] != '\0')
        printf("\n%s %s\nreplay: %s\n", existed ? "known as" : "written:", shown(path), shown(command));
    fflush(stdout);
}

/* The mismatch was seen once in a batch and not again: it cannot be reduced or replayed. `unasked`: nobody could be
 * asked, which the cause says; `random`: neither is it the same from one process to the next. */
static void print_vanished(const struct finding *f, bool unasked, bool random)
{
    char text[WARP_TEXT_MAX];
    warp_case_to_text(&f->c, text, sizeof text);
    if (unasked) {
        printf("%s\nIt could not be asked again, and is not reduced: mend how %s ends first, it is a finding of its "
               "own.\n",
               text, shown(f->observed_name));
        return;
    }
    if (random) {
        printf("%s\nNo reproducer is written: it would not show it each time.\n", text);
        return;
    }
    printf("%s\nIt did not happen again, neither alone nor with the cases that were asked with it: %s is not\n"
           "deterministic, or keeps something from earlier calls. No reproducer is written.\n",
           text, shown(f->observed_name));
}

static void print_reduced(struct findings *findings, const struct finding *f, const struct found *found,
                          const struct reduction *stats)
{
    if (findings->drawn++ >= FINDINGS_DRAWN_MAX) {
        printf("%s\n(not drawn: %u are drawn above)\n", shown(found->line), FINDINGS_DRAWN_MAX);
        return;
    }
    if (found->unreduced)
        printf("not reduced, and not asked again: warpcheck was interrupted; one line, and as a drawing:\n\n");
    else
        printf("reduced in %s steps; one line, and as a drawing:\n\n", number_text(stats->tried));
    if (f->sequence)
        printf("(alone it agrees: it differs when %zu cases are asked in one call, of which it is number %zu)\n\n",
               f->sequence_n, f->sequence_at + 1);
    finding_print(f, false);
}

/* What a maintainer wants to know first. */
static void print_cause(const struct found *found)
{
    if (found->cause[0] != '\0')
        printf("%scause%s: %s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), shown(found->cause));
    if (found->call[0] != '\0')
        printf("CUDA: %s\n", found->call);
    if (found->notes[0] != '\0')
        printf("seen: %s\n", found->notes);
    if (found->reading != 0)
        printf("this rests on a reading of the manual: number %u of docs/ambiguities.md\n", found->reading);
}

static void show_found(struct findings *findings, const struct found *found, const struct finding *f,
                       const struct reduction *stats, bool existed)
{
    const bool random = found->entry != NULL && found->entry->random;
    printf("\n%sMISMATCH%s %s: %s against %s%s\n", paint(PAINT_RED), paint(PAINT_PLAIN), found->signature,
           shown(f->observed_name), shown(f->reference_name),
           random                ? ": it is not deterministic"
           : f->sequence != NULL ? ", only after other calls"
                                 : "");
    print_cause(found);
    if (!found->reproduced && !found->unreduced)
        print_vanished(f, found->entry != NULL && found->entry->kind == ENTRY_UNASKED, random);
    else
        print_reduced(findings, f, found, stats);
    print_place(found->path, found->command, existed);
}

static void show_ending(const struct found *found, const struct found_ending *e, const char *option, bool existed)
{
    printf("\n%sCRASH%s %s: %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), e->signature, shown(option));
    if (found != NULL && found->ends)
        printf("%scause%s: %s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), shown(found->cause));
    else if (found != NULL)
        printf("%scause%s: the same as of %s above\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), found->signature);
    if (e->call[0] != '\0')
        printf("CUDA: %s\n", e->call);
    printf("%s\n", shown(e->line));
    print_place(e->path, e->command, existed);
}

static void show_engine(const char *line, const char *folder, const char *command)
{
    printf("\n%sMISMATCH%s by libFuzzer: %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), shown(line));
    print_place(folder, command, false);
}

static void show_batch(struct findings *findings, const struct found *found, const struct batch_outcome *o,
                       const char *layout, bool existed)
{
    printf("\n%sMISMATCH%s %s: %s, asked for a batch, %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), found->signature,
           shown(found->observed->name), shown(o->what));
    printf("%s\nbatch: %s\n", shown(found->line), layout);
    if (o->fault == BATCH_WRONG && findings->drawn++ < FINDINGS_DRAWN_MAX) {
        printf("\nwarp %zu of the batch; the same warp as a case is what is expected:\n\n", o->warp);
        finding_print(&o->finding, false);
    }
    print_place(found->path, found->command, existed);
}

const struct findings_view findings_shown = {show_found, show_ending, show_engine, show_batch};
