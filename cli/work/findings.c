#include "cli/work/findings.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/text.h"
#include "check/impl/impl.h"
#include "check/reduce.h"
#include "cli/ui/draw.h"
#include "cli/ui/terminal.h"
#include "cli/work/lead.h"
#include "cli/work/load.h"
#include "model/lanes.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define REDUCE_LIMIT            20000u
#define REDUCE_SECONDS          3.0
#define SEQUENCE_REDUCE_LIMIT   2000u /* for each case of a sequence */
#define SEQUENCE_REDUCE_SECONDS 5.0
#define REPEATS_FEW             8u /* of one case: they are reduced like any sequence */
#define ENDING_REDUCE_SECONDS   4.0
#define HANG_REDUCE_SECONDS     4.0
#define HURRY_SECONDS           0.2 /* a hang is reduced with this limit */
#define OTHER_FORMS_SECONDS     0.5
#define OPTION_LENGTH_MAX       4608u

bool findings_init(struct findings *findings, const struct campaign *campaign)
{
    memset(findings, 0, sizeof *findings);
    findings->campaign = campaign;
    findings->dir = campaign->out;
    findings->quiet = campaign->json;
    findings->items = calloc(FINDINGS_MAX, sizeof *findings->items);
    findings->causes = causes_open(campaign->seed);
    return findings->items && findings->causes && pthread_mutex_init(&findings->lock, NULL) == 0;
}

void findings_free(struct findings *findings)
{
    if (findings->items)
        pthread_mutex_destroy(&findings->lock);
    for (size_t i = 0; findings->items && i < findings->count; i++)
        free(findings->items[i].batch), free(findings->items[i].ending);
    free(findings->items);
    findings->items = NULL;
    causes_free(findings->causes);
    findings->causes = NULL;
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

/*
 * Whose cause is looked for: a mismatch with the reference; and one with a device's answer that the reference gives as
 * well, because that is the same mismatch.
 */
static const struct warp_impl *cause_reference(const struct findings_source *source, const struct checker *checker,
                                               const struct warp_case *c, const struct warp_result *reference)
{
    const struct warp_impl *const ours = source->findings->campaign->reference;
    struct warp_result answer;
    if (source->label != NULL)
        return NULL;
    if (!source->device)
        return checker->reference;
    return checker->observed != ours && finding_ask(ours, c, 1, &answer) &&
                   warp_result_compare(c, &answer, reference, checker_parts(checker), NULL)
               ? ours
               : NULL;
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
    struct checker by_cause = *checker;
    by_cause.reference = cause_reference(source, checker, c, reference);
    if (by_cause.reference != NULL)
        causes_note(source->findings->causes, source, &by_cause, c, kind);
    else
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

/* The finding that was reported before under the same signature, from another source than `label`. */
static struct found *reported_before(const struct findings *findings, const struct found *found, const char *label)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct found *other = &findings->items[i];
        if (other != found && other->reported && !other->same && other->observed == found->observed &&
            strcmp(other->label, label) == 0 && strcmp(other->signature, found->signature) == 0)
            return other;
    }
    return NULL;
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

/* The mismatch was seen once in a batch and not again: it cannot be reduced or replayed. `unasked`: nobody could be
 * asked, which the cause says. */
static void print_vanished(const struct finding *f, bool unasked)
{
    char text[WARP_TEXT_MAX];
    warp_case_to_text(&f->c, text, sizeof text);
    if (unasked) {
        printf("%s\nIt could not be asked again, and is not reduced: mend how %s ends first, it is a finding of its "
               "own.\n",
               text, shown(f->observed_name));
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

static void print_found(struct findings *findings, const struct finding *f, const struct found *found, bool existed,
                        const struct reduction *stats)
{
    if (findings->quiet)
        return;
    printf("\n%sMISMATCH%s %s: %s against %s%s\n", paint(PAINT_RED), paint(PAINT_PLAIN), found->signature,
           shown(f->observed_name), shown(f->reference_name), f->sequence != NULL ? ", only after other calls" : "");
    print_cause(found);
    if (!found->reproduced)
        print_vanished(f, found->entry != NULL && found->entry->kind == ENTRY_UNASKED);
    else
        print_reduced(findings, f, found, stats);
    if (found->path[0] != '\0')
        printf("\n%s %s\nreplay: %s\n", existed ? "known as" : "written:", shown(found->path), shown(found->command));
    fflush(stdout);
}

/* For a page that draws it later, when nobody can be asked any more. */
static void keep_results(struct found *found, const struct finding *f)
{
    found->expected = f->reference;
    found->answer = f->observed;
    found->parts = f->parts;
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
    keep_results(found, &f);
    print_found(findings, &f, found, kept.existed, &stats);
    return written;
}

/* --- entries: one a cause --- */

/* The finding of an entry that differs alone, in a fresh process. */
static bool reduce_entry(struct found *found, struct finding *f, struct reduction *stats)
{
    struct error error;
    lead_reduce(found->entry, &found->c, stats);
    return impl_restart(found->observed, &error) && finding_make(f, found->reference, found->observed, &found->c);
}

/* Leaves only the case when it differs alone, in a fresh process. */
static void keep_alone(struct cause_entry *entry, const struct warp_case *c)
{
    struct finding alone;
    struct error error;
    if (entry->sequence_n == 1 || !impl_restart(entry->observed, &error) ||
        !finding_make(&alone, entry->reference, entry->observed, c))
        return;
    entry->sequence[0] = *c;
    entry->sequence_n = 1;
    entry->sequence_at = 0;
}

/* The finding of an entry that depends on earlier calls. */
static bool reduce_history(struct found *found, struct finding *f, struct reduction *stats)
{
    struct cause_entry *const entry = causes_entry(found->source->findings->causes, found->entry_index);
    struct error error;
    if (entry->sequence == NULL)
        return false;
    stats->limit = SEQUENCE_REDUCE_LIMIT;
    stats->until = clock_seconds() + SEQUENCE_REDUCE_SECONDS;
    entry->repeats = entry->repeats && entry->sequence_n > REPEATS_FEW; /* its calls or lanes are counted */
    if (!entry->repeats)
        reduce_sequence(entry->sequence, &entry->sequence_n, &entry->sequence_at, found->reference, found->observed,
                        stats);
    found->c = entry->sequence[entry->sequence_at];
    keep_alone(entry, &found->c);
    causes_text(entry, found->cause);
    if (entry->sequence_n == 1) /* it differs from one lane to the next */
        return impl_restart(found->observed, &error) && finding_make(f, found->reference, found->observed, &found->c);
    return impl_restart(found->observed, &error) &&
           finding_make_sequence(f, found->reference, found->observed, entry->sequence, entry->sequence_n,
                                 entry->sequence_at);
}

static void describe_entry(struct found *found, const struct finding *f)
{
    if (f->sequence == NULL)
        lead_call(found->entry, f, found->call);
    lead_notes(found->entry, f, found->notes);
    found->reading = causes_reading(found->entry);
}

/* Adds a case of each further form that shows the entry to its folder. */
static bool keep_other_forms(struct findings *findings, struct found *found, struct error *error)
{
    const char *const slug = found->entry->kind == ENTRY_MISTAKE ? found->slug : NULL;
    struct finding_pair pair = {found->reference, found->observed};
    const double end = clock_seconds() + OTHER_FORMS_SECONDS;
    bool good = true;
    for (uint32_t form = 0; form < WARP_FORMS && good && clock_seconds() < end; form++) {
        const struct cause_sample *const sample = causes_sample(findings->causes, found->entry_index, form);
        struct reduction stats = {.limit = REDUCE_LIMIT, .until = end};
        struct finding_kept kept;
        struct finding f;
        struct warp_case c;
        if (sample == NULL || sample->ending != ERROR_NONE || (found->also >> form & 1u) || found->path[0] == '\0')
            continue;
        found->also |= UINT64_C(1) << form;
        c = sample->c;
        lead_reduce_case(found->entry, &c, PLAIN_NOT, &stats);
        if (!lead_make_finding(&f, found->reference, found->observed, &c))
            continue;
        f.cause = slug;
        f.folder = found->signature;
        good = finding_keep(&f, findings->dir, finding_pair_shows, &pair, &kept, error);
    }
    return good;
}

static void count_entry(struct found *found)
{
    found->hits = 0;
    found->forms = 0;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        found->hits += found->entry->hits[form];
        found->forms |= found->entry->hits[form] > 0 ? UINT64_C(1) << form : 0;
    }
    causes_text(found->entry, found->cause);
}

/* What finding.txt says below its line. */
static void add_more(const struct found *found, struct buffer *more)
{
    buffer_format(more, "cause: %s\n", found->cause);
    if (found->call[0] != '\0')
        buffer_format(more, "CUDA: %s\n", found->call);
    if (found->notes[0] != '\0')
        buffer_format(more, "seen: %s\n", found->notes);
    if (found->reading != 0)
        buffer_format(more, "reading: number %u of docs/ambiguities.md\n", found->reading);
}

static void init_entry(struct findings *findings, size_t index, struct found *found)
{
    const struct cause_entry *const entry = causes_entry(findings->causes, index);
    *found = (struct found){.source = entry->source,
                            .reference = entry->reference,
                            .observed = entry->observed,
                            .entry = entry,
                            .entry_index = index,
                            .c = entry->lead,
                            .reported = true};
    if (entry->kind == ENTRY_MISTAKE)
        cause_term_slug(&entry->term, found->slug);
    count_entry(found);
}

static const char *reference_option(const struct found *found)
{
    return found->source->findings->campaign->reference_option;
}

static bool report_entry(struct findings *findings, struct found *found)
{
    struct finding_pair pair = {found->reference, found->observed};
    struct reduction stats = {.limit = REDUCE_LIMIT, .until = clock_seconds() + REDUCE_SECONDS};
    struct finding f = {.c = found->c};
    struct finding_kept kept = {.existed = false};
    struct buffer more = {0};
    struct error error;
    bool written = true;
    found->reproduced = found->entry->kind == ENTRY_HISTORY   ? reduce_history(found, &f, &stats)
                        : found->entry->kind == ENTRY_UNASKED ? false
                                                              : reduce_entry(found, &f, &stats);
    f.reference_name = found->reference->name;
    f.observed_name = found->observed->name;
    f.cause = found->slug[0] != '\0' ? found->slug : NULL;
    if (found->reproduced) {
        describe_entry(found, &f);
        finding_line(&f, found->line, sizeof found->line);
        add_more(found, &more);
        f.more = buffer_string(&more);
        written = finding_keep(&f, findings->dir, finding_pair_shows, &pair, &kept, &error);
        f.more = NULL;
    }
    finding_signature(&f, found->signature);
    if (written) {
        snprintf(found->path, sizeof found->path, "%s", kept.path);
        make_absolute(found->path, sizeof found->path);
    } else {
        snprintf(findings->error, sizeof findings->error, "%s", error.text);
    }
    found->also |= UINT64_C(1) << found->c.form;
    findings_replay_command(reference_option(found), found->source->observed_option, found->path, found->command,
                            sizeof found->command);
    keep_results(found, &f);
    print_found(findings, &f, found, kept.existed, &stats);
    buffer_free(&more);
    return written;
}

static bool report_entries(struct findings *findings)
{
    struct error error;
    bool good = true;
    size_t count;
    causes_settle(findings->causes);
    count = causes_count(findings->causes);
    for (; findings->entries < count && findings->count < FINDINGS_MAX && !interrupted(); findings->entries++) {
        struct found *const found = &findings->items[findings->count++];
        init_entry(findings, findings->entries, found);
        found->ends = found->entry->ending != ERROR_NONE; /* findings_crash tells it */
        good = (found->ends || report_entry(findings, found)) && good;
    }
    for (size_t i = 0; i < findings->count; i++) {
        struct found *const found = &findings->items[i];
        if (found->entry == NULL)
            continue;
        count_entry(found);
        if (found->entry->kind != ENTRY_HISTORY && found->reproduced && !keep_other_forms(findings, found, &error)) {
            snprintf(findings->error, sizeof findings->error, "%s", error.text);
            good = false;
        }
    }
    return good;
}

bool findings_report(struct findings *findings)
{
    bool good = report_entries(findings);
    for (size_t i = 0; i < findings->count; i++) {
        struct found *found = &findings->items[i];
        if (found->reported)
            continue;
        good = report_one(findings, found) && good;
        found->reported = true;
    }
    return good;
}

/* --- endings --- */

/* Who ends, how, and by which cause, if it was found. */
struct ending_test {
    const struct warp_impl *reference, *observed;
    enum error_code code;
    const struct cause_entry *entry; /* NULL: whatever causes it */
    enum plainness plain;            /* at least */
};

/* Does it end in the same way on this case alone, for the same cause? */
static bool ends_on(void *context, const struct warp_case *c)
{
    const struct ending_test *const t = context;
    struct cause_case k = {.c = *c};
    if (!finding_ask(t->reference, c, 1, &k.expected) || plain_of(c, &k.expected) < t->plain ||
        !warp_impl_accepts(t->observed, c, NULL, 0) || !cause_observe(t->observed, &k) || k.ending != t->code)
        return false;
    return t->entry == NULL || causes_shows(t->entry, &k, t->reference->provides & t->observed->provides);
}

static const struct subject *subject_of_option(const struct campaign *campaign, const char *option)
{
    for (size_t i = 0; campaign != NULL && i < campaign->count; i++)
        if (strcmp(campaign->subjects[i].option, option) == 0)
            return &campaign->subjects[i];
    return NULL;
}

/* The same in lane 0, of a case in which this lane is alone. */
static struct warp_case moved_to_lane_0(const struct warp_case *alone, unsigned lane)
{
    struct warp_case moved = *alone;
    moved.active = 1;
    moved.a[lane] = moved.a_high[lane] = moved.b[lane] = moved.c[lane] = moved.membermask[lane] = 0;
    moved.a[0] = alone->a[lane];
    moved.a_high[0] = alone->a_high[lane];
    moved.b[0] = alone->b[lane];
    moved.c[0] = alone->c[lane];
    moved.membermask[0] = (alone->membermask[lane] & alone->exited) | (alone->membermask[lane] >> lane & 1u);
    return moved;
}

/* Does it end so when one lane is alone, beside those that have exited, and does lane 0? Mostly it does, and then much
 * less is left to reduce, which counts where each end is waited for. */
static void try_one_lane(struct ending_test *t, struct warp_case *c, double until)
{
    for (unsigned lane = 0; lane < WARP_LANES && clock_seconds() < until; lane++) {
        const struct warp_case alone = cause_lane_alone(c, lane);
        if ((c->active >> lane & 1u) && warp_case_check(&alone) == NULL && ends_on(t, &alone)) {
            const struct warp_case moved = moved_to_lane_0(&alone, lane);
            const bool can_move = lane > 0 && !(c->exited & 1u) && clock_seconds() < until;
            *c = can_move && warp_case_check(&moved) == NULL && ends_on(t, &moved) ? moved : alone;
            return;
        }
    }
}

/* The smallest case found in some seconds on which the plugin ends so; a hang is waited for a moment only. */
static void reduce_ending(struct ending_test *t, struct warp_case *c)
{
    const double seconds = t->code == ERROR_TIMEOUT ? HANG_REDUCE_SECONDS : ENDING_REDUCE_SECONDS;
    struct reduction stats = {.limit = REDUCE_LIMIT, .until = clock_seconds() + seconds};
    struct warp_result expected;
    if (finding_ask(t->reference, c, 1, &expected))
        t->plain = plain_of(c, &expected);
    try_one_lane(t, c, stats.until);
    reduce_case(c, ends_on, t, &stats);
}

/* "__shfl_xor_sync(0x00000020, v, -1, 32) in lane 5 crashes with SIGSEGV, must return 0x0": the lane is named only when
 * it is alone, for else it is not known which one ends it. */
static void describe_ending_call(struct found_ending *e, const struct warp_impl *reference)
{
    struct warp_result expected;
    char call[128];
    const unsigned lane = lanes_lowest(e->c.active);
    const bool alone = lanes_in(e->c.active) == 1;
    struct buffer text = {0};
    if (!finding_ask(reference, &e->c, 1, &expected) || plain_of(&e->c, &expected) != PLAIN_CUDA ||
        !plain_call(&e->c, lane, call, sizeof call))
        return;
    buffer_text(&text, call);
    if (alone)
        buffer_format(&text, " in lane %u", lane);
    buffer_format(&text, " %s", e->words);
    if (alone && warp_form_writes_d(warp_form_get(e->c.form), e->c.dst))
        buffer_format(&text, ", must return 0x%x", (unsigned)expected.d[lane]);
    else if (alone && warp_form_writes_p(warp_form_get(e->c.form), e->c.dst))
        buffer_format(&text, ", must return %u", expected.p >> lane & 1u);
    lead_add_values(&e->c, &text);
    snprintf(e->call, sizeof e->call, "%s", buffer_string(&text));
    buffer_free(&text);
}

static void say_ending(const struct error *how, char words[64])
{
    switch (finding_kind_of_error(how->code)) {
    case FINDING_CRASH:
        snprintf(words, 64, "crashes with %s", process_signal_name(how->detail));
        return;
    case FINDING_HANG:
        snprintf(words, 64, "hangs");
        return;
    case FINDING_EXIT:
        snprintf(words, 64, "ends the process with status %d", how->detail);
        return;
    case FINDING_ERROR:
    case FINDING_MISMATCH:
    case FINDING_LAW:
    case FINDING_PROGRAM:
    case FINDING_INPUT:
    case FINDING_BATCH:
    case FINDING_KERNEL:
        break;
    }
    snprintf(words, 64, "gives no answer");
}

static void print_ending(const struct findings *findings, const struct found *found, const struct found_ending *e,
                         const char *option, bool existed)
{
    if (findings->quiet)
        return;
    printf("\n%sCRASH%s %s: %s\n", paint(PAINT_RED), paint(PAINT_PLAIN), e->signature, shown(option));
    if (found != NULL && found->ends)
        printf("%scause%s: %s\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), shown(found->cause));
    else if (found != NULL)
        printf("%scause%s: the same as of %s above\n", paint(PAINT_BOLD), paint(PAINT_PLAIN), found->signature);
    if (e->call[0] != '\0')
        printf("CUDA: %s\n", e->call);
    printf("%s\n", shown(e->line));
    if (e->path[0] != '\0')
        printf("\n%s %s\nreplay: %s\n", existed ? "known as" : "written:", shown(e->path), shown(e->command));
    fflush(stdout);
}

/* The entry of an ending: what was gathered is sorted with it, and reported. NULL: it cannot be asked again. */
static struct found *found_of_ending(struct findings *findings, const struct subject *subject,
                                     const struct warp_case *c, const struct error *how)
{
    struct error error;
    size_t entry;
    if (!impl_restart(subject->impl, &error))
        return NULL;
    causes_note_ending(findings->causes, &subject->source, findings->campaign->reference, subject->impl, c, how->code);
    findings_report(findings);
    entry = causes_of_ending(findings->causes, subject->impl);
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].entry != NULL && findings->items[i].entry_index == entry)
            return &findings->items[i];
    return NULL;
}

/* An ending that is the whole finding is told in its fields as well. */
static void settle_ending(struct found *found, struct found_ending *e)
{
    free(found->ending); /* an earlier one of the same cause */
    found->ending = e;
    found->reported = true;
    if (!found->ends)
        return;
    found->reproduced = true;
    found->c = e->c;
    snprintf(found->signature, sizeof found->signature, "%s", e->signature);
    snprintf(found->call, sizeof found->call, "%s", e->call);
    snprintf(found->line, sizeof found->line, "%s", e->line);
    snprintf(found->path, sizeof found->path, "%s", e->path);
    snprintf(found->command, sizeof found->command, "%s", e->command);
}

/* Of whom an ending is kept; `observed` NULL: it cannot be asked again. */
struct ending_kept {
    const struct warp_impl *reference, *observed;
    const struct found_ending *ending;
};

/* Is the kept case this one, or does the implementation still end on it so? What it held may be mended. */
static bool ending_shows(void *context, const struct finding *f, const char *folder)
{
    const struct ending_kept *const k = context;
    const struct ending_test t = {k->reference, k->observed, k->ending->code, NULL, PLAIN_NOT};
    struct warp_case c;
    struct error error;
    if (!finding_read_case(folder, &c))
        return false;
    if (memcmp(&c, &f->c, sizeof c) == 0 || k->observed == NULL)
        return true;
    return impl_restart(k->observed, &error) && ends_on((void *)&t, &c);
}

static bool keep_ending(struct findings *findings, const struct found *found, const char *option,
                        const struct warp_impl *observed, const struct error *how, struct found_ending *e,
                        bool *existed)
{
    struct ending_kept again = {findings->campaign != NULL ? findings->campaign->reference : NULL, observed, e};
    char path[FILE_PATH_MAX];
    struct buffer more = {0};
    struct finding_kept kept = {.existed = false};
    struct finding f = {.kind = finding_kind_of_error(how->code),
                        .c = e->c,
                        .observed_name = option,
                        .signal = how->detail,
                        .what = how->code == ERROR_DECLINED ? how->text : NULL};
    struct error error;
    bool good;
    finding_signature(&f, e->signature);
    finding_line(&f, e->line, sizeof e->line);
    if (found != NULL)
        buffer_format(&more, "cause: %s\n", found->cause);
    if (e->call[0] != '\0')
        buffer_format(&more, "CUDA: %s\n", e->call);
    f.more = more.size > 0 ? buffer_string(&more) : NULL;
    good = finding_keep(&f, findings->dir, ending_shows, &again, &kept, &error);
    buffer_free(&more);
    if (!good) {
        snprintf(findings->error, sizeof findings->error, "%s", error.text);
        return false;
    }
    *existed = kept.existed;
    snprintf(e->path, sizeof e->path, "%s", file_absolute(kept.path, path));
    findings_replay_command("spec", option, e->path, e->command, sizeof e->command);
    return true;
}

void findings_crash(struct findings *findings, const char *observed_option, const struct warp_case *c,
                    const struct error *ending)
{
    static const uint32_t shifts[] = {32, 33, 64, UINT32_MAX, 0x7fffffffu, 0x80000000u, 0xc0000000u, 1, 16, 31};
    const struct subject *const subject = subject_of_option(findings->campaign, observed_option);
    const struct error how = *ending; /* both are the implementation's, which is asked again */
    const struct impl_failure *const failure = subject != NULL ? impl_failure(subject->impl) : NULL;
    struct found_ending *const e = calloc(1, sizeof *e);
    struct found *found = NULL;
    bool existed = false;
    if (e == NULL)
        return;
    e->c = *c;
    e->code = how.code;
    say_ending(&how, e->words);
    if (failure != NULL && impl_can(subject->impl).foreign && failure->alone && how.code != ERROR_DECLINED) {
        struct ending_test t = {findings->campaign->reference, subject->impl, how.code, NULL, PLAIN_NOT};
        found = found_of_ending(findings, subject, &e->c, &how);
        t.entry = found != NULL && found->entry->kind == ENTRY_MISTAKE ? found->entry : NULL;
        impl_hurry(subject->impl, HURRY_SECONDS);
        if (t.entry != NULL && !ends_on(&t, &e->c))
            t.entry = NULL; /* several causes at once */
        lead_find_call(&e->c, shifts, sizeof shifts / sizeof shifts[0], ends_on, &t);
        reduce_ending(&t, &e->c);
        describe_ending_call(e, findings->campaign->reference);
    }
    const bool can_ask = subject != NULL && impl_can(subject->impl).foreign && how.code != ERROR_DECLINED;
    keep_ending(findings, found, observed_option, can_ask ? subject->impl : NULL, &how, e, &existed);
    if (found != NULL)
        settle_ending(found, e);
    if (subject != NULL)
        impl_hurry(subject->impl, 0);
    print_ending(findings, found, e, observed_option, existed);
    if (found == NULL)
        free(e);
}

bool findings_keep_state(const struct findings *findings, const struct warp_impl *observed)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct found *const found = &findings->items[i];
        if (found->observed == observed && found->entry != NULL && found->entry->kind == ENTRY_HISTORY &&
            found->reproduced)
            return true;
    }
    return false;
}

void findings_add_kept(struct findings *findings, const struct findings_source *source,
                       const struct warp_impl *observed, const char *line, const char *folder, const char *command)
{
    const char *const slash = strrchr(folder, '/');
    struct found *found;
    if (!findings->quiet)
        printf("\n%sMISMATCH%s by libFuzzer: %s\n\nwritten: %s\nreplay: %s\n", paint(PAINT_RED), paint(PAINT_PLAIN),
               shown(line), shown(folder), shown(command));
    fflush(stdout);
    if (findings->count == FINDINGS_MAX) {
        findings->unkept++;
        return;
    }
    found = &findings->items[findings->count++];
    *found =
        (struct found){.source = source, .reference = findings->campaign->reference, .observed = observed, .hits = 1};
    found->reported = found->reproduced = found->undrawn = true;
    if (finding_read_case(folder, &found->c))
        found->forms = UINT64_C(1) << found->c.form;
    snprintf(found->label, sizeof found->label, "libFuzzer");
    snprintf(found->signature, sizeof found->signature, "%s", slash != NULL ? slash + 1 : folder);
    snprintf(found->line, sizeof found->line, "%s", line);
    snprintf(found->path, sizeof found->path, "%s", folder);
    snprintf(found->command, sizeof found->command, "%s", command);
}
