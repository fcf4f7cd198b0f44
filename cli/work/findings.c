#include "cli/work/findings.h"

#include "base/text.h"
#include "check/impl/impl.h"
#include "check/reduce.h"
#include "cli/ui/draw.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REDUCE_LIMIT          20000u
#define SEQUENCE_REDUCE_LIMIT 2000u /* for each case of a sequence */
#define OPTION_LENGTH_MAX     4608u

bool findings_init(struct findings *findings, const char *dir, bool quiet)
{
    memset(findings, 0, sizeof *findings);
    findings->dir = dir;
    findings->quiet = quiet;
    findings->items = calloc(FINDINGS_MAX, sizeof *findings->items);
    return findings->items && pthread_mutex_init(&findings->lock, NULL) == 0;
}

void findings_free(struct findings *findings)
{
    if (findings->items)
        pthread_mutex_destroy(&findings->lock);
    for (size_t i = 0; findings->items && i < findings->count; i++)
        free(findings->items[i].batch);
    free(findings->items);
    findings->items = NULL;
}

static const char *label_of(const struct findings_source *source)
{
    return source->label ? source->label : source->reference_option;
}

static struct found *find_kind(const struct findings_source *source, const struct checker *checker, const char *kind)
{
    for (size_t i = 0; i < source->findings->count; i++) {
        struct found *found = &source->findings->items[i];
        if (found->observed == checker->observed && strcmp(found->label, label_of(source)) == 0 &&
            strcmp(found->kind, kind) == 0)
            return found;
    }
    return NULL;
}

/* Without memory for the batch, the case is only tried alone. */
static void keep_batch(struct found *found, const struct checker *checker)
{
    found->batch = checker->batch ? malloc(checker->batch_n * sizeof *found->batch) : NULL;
    if (!found->batch)
        return;
    memcpy(found->batch, checker->batch, checker->batch_n * sizeof *found->batch);
    found->batch_n = checker->batch_n;
    found->batch_at = checker->batch_at;
}

static void collect(const struct findings_source *source, const struct checker *checker, const struct warp_case *c,
                    const char *kind)
{
    struct findings *findings = source->findings;
    struct found *found = find_kind(source, checker, kind);
    size_t *of_family = &findings->of_family[warp_form_get(c->form)->family];
    if (!found && *of_family == FINDINGS_FAMILY_MAX) {
        findings->unkept++;
        return;
    }
    if (!found) {
        found = &findings->items[findings->count++];
        (*of_family)++;
        memset(found, 0, sizeof *found);
        found->reference = checker->reference;
        found->observed = checker->observed;
        found->source = source;
        snprintf(found->label, sizeof found->label, "%s", label_of(source));
        snprintf(found->kind, sizeof found->kind, "%s", kind);
        snprintf(found->signature, sizeof found->signature, "%s", kind);
        found->forms = UINT64_C(1) << c->form;
        found->c = *c;
        keep_batch(found, checker);
    }
    (found->same ? found->same : found)->hits++;
    if (!found->reported && lanes_in(c->active) < lanes_in(found->c.active))
        found->c = *c;
}

bool findings_collect(void *context, const struct checker *checker, const struct warp_case *c,
                      const struct warp_result *reference, const struct warp_result *observed,
                      const struct warp_diff *diff)
{
    const struct findings_source *source = context;
    struct finding f = {.c = *c, .reference = *reference, .observed = *observed, .diff = *diff};
    char kind[FINDING_SIGNATURE_MAX];
    f.parts = checker_parts(checker);
    f.reference_name = checker->reference->name;
    f.observed_name = checker->observed->name;
    finding_class(&f, kind);
    pthread_mutex_lock(&source->findings->lock);
    collect(source, checker, c, kind);
    pthread_mutex_unlock(&source->findings->lock);
    return checker_total(checker).mismatches < FINDINGS_STOP_AFTER;
}

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

/* One word for the shell: bare where that is the same. */
static void quote(const char *word, char *text, size_t size)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/:+=@%,";
    if (word[0] != '\0' && word[strspn(word, plain)] == '\0')
        snprintf(text, size, "%s", word);
    else
        text_quote(word, text, size);
}

static size_t add_option(const char *name, const char *option, char *text, size_t size)
{
    char full[IMPL_FULL_MAX];
    char word[OPTION_LENGTH_MAX];
    quote(impl_name_full(option, full), word, sizeof word);
    return (size_t)snprintf(text, size, " %s %s", name, word);
}

size_t findings_command(const char *command, const char *observed_option, char *text, size_t size)
{
    char word[OPTION_LENGTH_MAX];
    char program[OPTION_LENGTH_MAX];
    load_program(program, sizeof program);
    quote(program, word, sizeof word);
    size_t used = (size_t)snprintf(text, size, "%s %s", word, command);
    return used + add_option("--impl", observed_option, text + used, size - used);
}

void findings_replay_command(const char *reference_option, const char *observed_option, const char *path, char *text,
                             size_t size)
{
    char word[OPTION_LENGTH_MAX];
    size_t used = findings_command("replay", observed_option, text, size);
    /* spec is the default; what the file expects is in the file. */
    bool implied = strcmp(reference_option, "spec") == 0 || strcmp(reference_option, "expect") == 0;
    if (!implied && used < size)
        used += add_option("--reference", reference_option, text + used, size - used);
    quote(path, word, sizeof word);
    if (used < size)
        snprintf(text + used, size - used, " %s", word);
}

/* The finding that was reported before under the same signature, from another source than `label`; with NULL from
 * any source. */
static struct found *reported_before(const struct findings *findings, const struct found *found, const char *label)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct found *other = &findings->items[i];
        if (other != found && other->reported && !other->same && other->observed == found->observed &&
            (!label || strcmp(other->label, label) == 0) && strcmp(other->signature, found->signature) == 0)
            return other;
    }
    return NULL;
}

/*
 * A device's answers are known for few cases, so a mismatch with it can hardly be reduced. When the transcription
 * answers as the device did, the same mismatch exists against the transcription: returns the reported finding to which
 * it reduces, or NULL.
 */
static struct found *known_by_spec(const struct findings *findings, const struct found *found)
{
    struct finding device, spec;
    struct found reduced = {.observed = found->observed};
    struct reduction limits = {.limit = REDUCE_LIMIT};
    if (found->reference == spec_get() || !finding_make(&device, found->reference, found->observed, &found->c) ||
        !finding_make(&spec, spec_get(), found->observed, &found->c) ||
        !warp_result_compare(&found->c, &spec.reference, &device.reference, device.parts, NULL))
        return NULL;
    reduced.c = found->c;
    reduce_mismatch(&reduced.c, spec_get(), found->observed, &limits);
    if (!finding_make(&spec, spec_get(), found->observed, &reduced.c))
        return NULL;
    finding_signature(&spec, reduced.signature);
    return reported_before(findings, &reduced, NULL);
}

static bool count_with(struct found *known, struct found *found)
{
    found->same = known;
    if (!known)
        return false;
    known->hits += found->hits;
    known->forms |= found->forms;
    return true;
}

/* The mismatch was seen once in a batch and not again: it cannot be reduced or replayed. */
static void print_vanished(const struct finding *f)
{
    char text[WARP_TEXT_MAX];
    warp_case_to_text(&f->c, text, sizeof text);
    printf("%s\nIt did not happen again, neither alone nor with the cases that were asked with it: %s is not\n"
           "deterministic, or keeps something from earlier calls. No reproducer is written.\n",
           text, shown(f->observed_name));
}

static void print_found(struct findings *findings, const struct finding *f, const struct found *found, bool existed,
                        const struct reduction *stats)
{
    if (findings->quiet)
        return;
    printf("\n%sMISMATCH%s %s: %s against %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), found->signature,
           shown(f->observed_name), shown(f->reference_name));
    if (!found->reproduced) {
        print_vanished(f);
    } else if (findings->drawn++ >= FINDINGS_DRAWN_MAX) {
        printf("%s\n(not drawn: %u are drawn above)\n", shown(found->line), FINDINGS_DRAWN_MAX);
    } else {
        printf("reduced in %s steps; one line, and as a drawing:\n\n", number_text(stats->tried));
        if (f->sequence)
            printf("(alone it agrees: it differs when %zu cases are asked in one call, of which it is number %zu)\n\n",
                   f->sequence_n, f->sequence_at + 1);
        finding_print(f, false);
    }
    if (found->path[0] != '\0')
        printf("\n%s %s\nreplay: %s\n", existed ? "known as" : "written:", shown(found->path), shown(found->command));
    fflush(stdout);
}

static void make_absolute(char *path, size_t size)
{
    char *absolute = realpath(path, NULL);
    if (absolute)
        snprintf(path, size, "%s", absolute);
    free(absolute);
}

/* Makes the finding of the reduced case; false when the mismatch does not happen again. */
static bool reduce_found(struct found *found, struct finding *f, struct reduction *stats)
{
    struct finding_pair pair = {.reference = found->reference, .observed = found->observed};
    if (!reduce_pair_differs(&pair, &found->c))
        return false;
    reduce_mismatch(&found->c, found->reference, found->observed, stats);
    if (!finding_make(f, found->reference, found->observed, &found->c))
        return false;
    finding_signature(f, found->signature);
    finding_line(f, found->line, sizeof found->line);
    return true;
}

/* The same with the cases that were asked in one call with it. */
static bool reduce_batch(struct found *found, struct finding *f, struct reduction *stats)
{
    if (!found->batch)
        return false;
    stats->limit = SEQUENCE_REDUCE_LIMIT;
    reduce_sequence(found->batch, &found->batch_n, &found->batch_at, found->reference, found->observed, stats);
    if (!finding_make_sequence(f, found->reference, found->observed, found->batch, found->batch_n, found->batch_at))
        return false;
    finding_signature(f, found->signature);
    finding_line(f, found->line, sizeof found->line);
    return true;
}

/* A case that does not show its mismatch again is printed, but not written: its reproducer would not reproduce. */
static bool report_one(struct findings *findings, struct found *found)
{
    struct reduction stats = {.limit = REDUCE_LIMIT};
    struct finding f = {.c = found->c};
    struct finding_pair pair = {found->reference, found->observed};
    struct finding_kept kept = {.existed = false};
    struct error error;
    bool written = true;
    if (count_with(known_by_spec(findings, found), found))
        return true;
    found->reproduced = reduce_found(found, &f, &stats) || reduce_batch(found, &f, &stats);
    f.reference_name = found->reference->name;
    f.observed_name = found->observed->name;
    if (found->reproduced)
        written = finding_keep(&f, findings->dir, finding_pair_shows, &pair, &kept, &error);
    if (!written)
        snprintf(findings->error, sizeof findings->error, "%s", error.text);
    snprintf(found->path, sizeof found->path, "%s", kept.path);
    if (count_with(reported_before(findings, found, found->label), found))
        return written;
    if (!written && !kept.existed)
        found->path[0] = '\0'; /* what is there already shows the finding, whatever could not be added to it */
    make_absolute(found->path, sizeof found->path);
    findings_replay_command(found->source->reference_option, found->source->observed_option, found->path,
                            found->command, sizeof found->command);
    print_found(findings, &f, found, kept.existed, &stats);
    return written;
}

bool findings_report(struct findings *findings)
{
    bool good = true;
    for (size_t i = 0; i < findings->count; i++) {
        struct found *found = &findings->items[i];
        if (found->reported)
            continue;
        good = report_one(findings, found) && good;
        found->reported = true;
    }
    return good;
}

void findings_crash(struct findings *findings, const char *observed_option, const struct warp_case *c,
                    const struct error *ending)
{
    static char line[FINDING_LINE_MAX], command[12288];
    char signature[FINDING_SIGNATURE_MAX], path[FILE_PATH_MAX];
    const struct finding f = {.kind = finding_kind_of_error(ending->code),
                              .c = *c,
                              .observed_name = observed_option,
                              .signal = ending->detail,
                              .what = ending->code == ERROR_DECLINED ? ending->text : NULL};
    struct finding_kept kept;
    struct error error;
    finding_signature(&f, signature);
    finding_line(&f, line, sizeof line);
    if (!findings->quiet)
        printf("\n%sCRASH%s %s: %s\n%s\n", paint(PAINT_RED), paint(PAINT_PLAIN), signature, shown(observed_option),
               shown(line));
    if (!finding_keep(&f, findings->dir, NULL, NULL, &kept, &error)) {
        snprintf(findings->error, sizeof findings->error, "%s", error.text);
        return;
    }
    findings_replay_command("spec", observed_option, file_absolute(kept.path, path), command, sizeof command);
    if (!findings->quiet)
        printf("\n%s %s\nreplay: %s\n", kept.existed ? "known as" : "written:", shown(path), shown(command));
    fflush(stdout);
}
