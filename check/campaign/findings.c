#include "check/campaign/findings.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/process.h"
#include "base/file.h"
#include "check/impl/impl.h"
#include "check/reduce.h"
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

bool findings_init(struct findings *findings, uint64_t seed, const struct findings_view *view)
{
    memset(findings, 0, sizeof *findings);
    findings->view = view;
    findings->items = calloc(FINDINGS_MAX, sizeof *findings->items);
    findings->causes = causes_open(seed);
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

static void collect(const struct findings_source *source, const struct checker *checker, const struct finding *seen,
                    const char *kind)
{
    const struct warp_case *const c = &seen->c;
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
        found->seen = *seen;
        keep_batch(found, checker);
    }
    (found->same ? found->same : found)->hits++;
    if (!found->reported && lanes_in(c->active) < lanes_in(found->c.active)) {
        found->c = *c;
        found->seen = *seen;
    }
}

/*
 * Whose cause is looked for: a mismatch with the reference; and one with a device's answer that the reference gives as
 * well, because that is the same mismatch.
 */
static const struct warp_impl *cause_reference(const struct findings_source *source, const struct checker *checker,
                                               const struct warp_case *c, const struct warp_result *reference)
{
    const struct warp_impl *const ours = source->findings->reference;
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
        causes_note(source->findings->causes, source, &by_cause, &f, kind);
    else
        collect(source, checker, &f, kind);
    pthread_mutex_unlock(&source->findings->lock);
    return checker_total(checker).mismatches < FINDINGS_STOP_AFTER;
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

/* Where this one is kept, the error of an earlier one stays. */
static bool keep(const struct findings *findings, const struct finding *f, finding_shows_fn shows, void *context,
                 struct finding_kept *kept, struct error *error)
{
    struct error why;
    return finding_keep(f, findings->out, shows, context, kept, &why) || error_set(error, why.code, "%s", why.text);
}

/* Shows what is kept now, and keeps the answers for a page that draws them when nobody can be asked any more. */
static void tell_found(struct findings *findings, struct found *found, const char *reference_option,
                       const struct finding *f, const struct reduction *stats, bool existed)
{
    found->expected = f->reference;
    found->answer = f->observed;
    found->parts = f->parts;
    finding_replay_command(findings->program, reference_option, found->source->observed_option, found->path,
                           found->command, sizeof found->command);
    if (findings->view != NULL)
        findings->view->found(findings, found, f, stats, existed);
}

/* Reduces the case; where it does not differ alone, the cases that were asked in one call with it. */
static bool reduce_found(struct found *found, struct finding *f, struct reduction *stats)
{
    if (!reduce_finding(f, &found->c, found->reference, found->observed, stats)) {
        stats->limit = SEQUENCE_REDUCE_LIMIT;
        if (found->batch == NULL || !reduce_sequence_finding(f, found->batch, &found->batch_n, &found->batch_at,
                                                             found->reference, found->observed, stats))
            return false;
    }
    finding_signature(f, found->signature);
    finding_line(f, found->line, sizeof found->line);
    return true;
}

/* --- after an interrupt: nobody is asked any more --- */

static bool is_this_case(void *context, const struct finding *f, const char *folder)
{
    struct warp_case c;
    (void)context;
    return finding_read_case(folder, &c) && memcmp(&c, &f->c, sizeof c) == 0;
}

/* Shows the case as it was answered when it was seen, and keeps it in a folder of its class. */
static bool report_seen(struct findings *findings, struct found *found, const struct finding *seen,
                        const char *reference_option, struct error *error)
{
    const struct reduction none = {.tried = 0};
    struct finding f = *seen;
    struct finding_kept kept = {.existed = false};
    found->c = f.c;
    found->reported = found->unreduced = true;
    finding_class(&f, found->signature);
    f.folder = found->signature;
    f.more = "not reduced, and not asked again: warpcheck was interrupted\n";
    finding_line(&f, found->line, sizeof found->line);
    files_flush_later(); /* there may be hundreds */
    const bool written = keep(findings, &f, is_this_case, NULL, &kept, error);
    if (written)
        file_absolute(kept.path, found->path);
    tell_found(findings, found, reference_option, &f, &none, kept.existed);
    return written;
}

static bool report_unsorted(struct findings *findings, struct error *error)
{
    struct cause_sample *sample;
    bool good = true;
    while (findings->count < FINDINGS_MAX && (sample = causes_unsorted(findings->causes)) != NULL) {
        struct found *const found = &findings->items[findings->count++];
        *found = (struct found){.source = sample->source,
                                .reference = sample->reference,
                                .observed = sample->observed,
                                .hits = sample->hits,
                                .forms = UINT64_C(1) << sample->c.form};
        sample->told = true;
        good = report_seen(findings, found, &sample->seen, findings->reference_option, error) && good;
    }
    while ((sample = causes_unsorted(findings->causes)) != NULL) {
        sample->told = true;
        findings->unkept += sample->hits;
    }
    return good;
}

/* A case that does not show its mismatch again is printed, but not written: its reproducer would not reproduce. */
static bool report_one(struct findings *findings, struct found *found, struct error *error)
{
    struct reduction stats = {.limit = REDUCE_LIMIT};
    struct finding f = {.c = found->c};
    struct finding_pair pair = {found->reference, found->observed};
    struct finding_kept kept = {.existed = false};
    bool written = true;
    found->reproduced = !interrupted() && reduce_found(found, &f, &stats);
    if (!found->reproduced && interrupted())
        return report_seen(findings, found, &found->seen, found->source->reference_option, error);
    f.reference_name = found->reference->name;
    f.observed_name = found->observed->name;
    if (found->reproduced)
        written = keep(findings, &f, finding_pair_shows, &pair, &kept, error);
    file_absolute(kept.path, found->path);
    if (count_with(reported_before(findings, found, found->label), found))
        return written;
    if (!written && !kept.existed)
        found->path[0] = '\0'; /* what is there already shows the finding, whatever could not be added to it */
    tell_found(findings, found, found->source->reference_option, &f, &stats, kept.existed);
    return written;
}

/* --- entries: one a cause --- */

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

/* Asks the calls that are left, in a fresh process. */
static bool make_history(const struct found *found, const struct cause_entry *entry, struct finding *f)
{
    struct error error;
    if (!impl_restart(found->observed, &error))
        return false;
    return entry->sequence_n == 1 /* it differs from one lane to the next */
               ? finding_make(f, found->reference, found->observed, &found->c)
               : finding_make_sequence(f, found->reference, found->observed, entry->sequence, entry->sequence_n,
                                       entry->sequence_at);
}

/* The finding of an entry that depends on earlier calls. */
static bool reduce_history(struct found *found, struct finding *f, struct reduction *stats)
{
    struct cause_entry *const entry = causes_entry(found->source->findings->causes, found->entry_index);
    if (entry->sequence == NULL || entry->random)
        return false;
    stats->limit = SEQUENCE_REDUCE_LIMIT;
    stats->until = clock_seconds() + SEQUENCE_REDUCE_SECONDS;
    entry->repeats = entry->repeats && entry->sequence_n > REPEATS_FEW; /* its calls or lanes are counted */
    if (!entry->repeats)
        reduce_sequence(entry->sequence, &entry->sequence_n, &entry->sequence_at, found->reference, found->observed,
                        stats);
    found->c = entry->sequence[entry->sequence_at];
    keep_alone(entry, &found->c);
    entry->random = !make_history(found, entry, f); /* the same calls showed it before */
    causes_text(entry, found->cause);
    return !entry->random;
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
        good = keep(findings, &f, finding_pair_shows, &pair, &kept, error);
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

/* Reduces the case that leads. False: it does not show again, or nobody was asked. */
static bool reduce_entry(struct found *found, struct finding *f, struct reduction *stats)
{
    if (interrupted() || found->entry->kind == ENTRY_UNASKED)
        return false;
    return found->entry->kind == ENTRY_HISTORY ? reduce_history(found, f, stats)
                                               : lead_finding(found->entry, &found->c, f, stats);
}

static bool report_entry(struct findings *findings, struct found *found, struct error *error)
{
    struct finding_pair pair = {found->reference, found->observed};
    struct reduction stats = {.limit = REDUCE_LIMIT, .until = clock_seconds() + REDUCE_SECONDS};
    struct finding f = {.c = found->c};
    struct finding_kept kept = {.existed = false};
    struct buffer more = {0};
    bool written = true;
    const struct cause_sample *sample;
    found->reproduced = reduce_entry(found, &f, &stats);
    if (!found->reproduced && interrupted() && (sample = causes_seen(findings->causes, found->entry_index)) != NULL)
        return report_seen(findings, found, &sample->seen, findings->reference_option, error);
    f.reference_name = found->reference->name;
    f.observed_name = found->observed->name;
    f.cause = found->slug[0] != '\0' ? found->slug : NULL;
    if (found->reproduced) {
        describe_entry(found, &f);
        finding_line(&f, found->line, sizeof found->line);
        add_more(found, &more);
        f.more = buffer_string(&more);
        written = keep(findings, &f, finding_pair_shows, &pair, &kept, error);
        f.more = NULL;
    }
    (found->reproduced ? finding_signature : finding_short_signature)(&f, found->signature);
    if (written)
        file_absolute(kept.path, found->path);
    found->also |= UINT64_C(1) << found->c.form;
    tell_found(findings, found, findings->reference_option, &f, &stats, kept.existed);
    buffer_free(&more);
    return written;
}

static bool report_entries(struct findings *findings, struct error *error)
{
    bool good = true;
    size_t count;
    causes_settle(findings->causes);
    count = causes_count(findings->causes);
    for (; findings->entries < count && findings->count < FINDINGS_MAX; findings->entries++) {
        struct found *const found = &findings->items[findings->count++];
        init_entry(findings, findings->entries, found);
        found->ends = found->entry->ending != ERROR_NONE; /* findings_crash tells it */
        good = (found->ends || report_entry(findings, found, error)) && good;
    }
    for (size_t i = 0; i < findings->count; i++) {
        struct found *const found = &findings->items[i];
        if (found->entry == NULL)
            continue;
        count_entry(found);
        if (found->entry->kind != ENTRY_HISTORY && found->reproduced && !interrupted())
            good = keep_other_forms(findings, found, error) && good;
    }
    return good;
}

bool findings_report(struct findings *findings, struct error *error)
{
    bool good = report_entries(findings, error);
    good = (!interrupted() || report_unsorted(findings, error)) && good;
    for (size_t i = 0; i < findings->count; i++) {
        struct found *found = &findings->items[i];
        if (found->reported)
            continue;
        good = report_one(findings, found, error) && good;
        found->reported = true;
    }
    return files_flush(findings->out, error) && good;
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

/* The same in lane 0, of a case in which this lane is alone. */
static struct warp_case moved_to_lane_0(const struct warp_case *alone, unsigned lane)
{
    struct warp_case moved = *alone;
    moved.active = 1;
    moved.exited &= ~(lanemask)1;
    moved.a[lane] = moved.a_high[lane] = moved.b[lane] = moved.c[lane] = moved.membermask[lane] = 0;
    moved.a[0] = alone->a[lane];
    moved.a_high[0] = alone->a_high[lane];
    moved.b[0] = alone->b[lane];
    moved.c[0] = alone->c[lane];
    moved.membermask[0] = (alone->membermask[lane] & moved.exited) | (alone->membermask[lane] >> lane & 1u);
    return moved;
}

/* Does it end so when one lane is alone, beside those that have exited, and does lane 0? Mostly it does, and then much
 * less is left to reduce, which counts where each end is waited for. These few questions are asked however long they
 * take: on a busy machine, too, one lane is told where one ends it. */
static void try_one_lane(struct ending_test *t, struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const struct warp_case alone = cause_lane_alone(c, lane);
        if ((c->active >> lane & 1u) && warp_case_check(&alone) == NULL && ends_on(t, &alone)) {
            const struct warp_case moved = moved_to_lane_0(&alone, lane);
            *c = lane > 0 && warp_case_check(&moved) == NULL && ends_on(t, &moved) ? moved : alone;
            return;
        }
    }
}

/* The smallest case found in some seconds on which the plugin ends so; a hang is waited for a moment only. */
static void reduce_ending(struct ending_test *t, struct warp_case *c)
{
    const double seconds = t->code == ERROR_TIMEOUT ? HANG_REDUCE_SECONDS : ENDING_REDUCE_SECONDS;
    struct reduction stats = {.limit = REDUCE_LIMIT};
    struct warp_result expected;
    if (finding_ask(t->reference, c, 1, &expected))
        t->plain = plain_of(c, &expected);
    try_one_lane(t, c);
    stats.until = clock_seconds() + seconds;
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

/* The entry of an ending: what was gathered is sorted with it, and reported. NULL: it cannot be asked again. */
static struct found *found_of_ending(struct findings *findings, const struct findings_source *source,
                                     const struct warp_impl *observed, const struct warp_case *c,
                                     const struct error *how, struct error *error)
{
    struct error dead;
    size_t entry;
    if (!impl_restart(observed, &dead))
        return NULL;
    causes_note_ending(findings->causes, source, findings->reference, observed, c, how->code);
    findings_report(findings, error);
    entry = causes_of_ending(findings->causes, observed);
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

static bool keep_ending(const struct findings *findings, const struct found *found, const char *option,
                        const struct warp_impl *observed, const struct error *how, struct found_ending *e,
                        bool *existed, struct error *error)
{
    struct ending_kept again = {findings->reference, observed, e};
    struct buffer more = {0};
    struct finding_kept kept = {.existed = false};
    struct finding f = finding_of_ending(option, &e->c, how);
    bool good;
    finding_signature(&f, e->signature);
    finding_line(&f, e->line, sizeof e->line);
    if (found != NULL)
        buffer_format(&more, "cause: %s\n", found->cause);
    if (e->call[0] != '\0')
        buffer_format(&more, "CUDA: %s\n", e->call);
    f.more = more.size > 0 ? buffer_string(&more) : NULL;
    good = keep(findings, &f, ending_shows, &again, &kept, error);
    buffer_free(&more);
    if (!good)
        return false;
    *existed = kept.existed;
    file_absolute(kept.path, e->path);
    finding_replay_command(findings->program, "spec", option, e->path, e->command, sizeof e->command);
    return true;
}

/* Looks for the ending's cause, and reduces its case as long as it ends so by that cause. NULL: no entry has it. */
static struct found *explain_ending(struct findings *findings, const struct findings_source *source,
                                    const struct warp_impl *observed, const struct error *how, struct found_ending *e,
                                    struct error *error)
{
    static const uint32_t shifts[] = {32, 33, 64, UINT32_MAX, 0x7fffffffu, 0x80000000u, 0xc0000000u, 1, 16, 31};
    struct ending_test t = {findings->reference, observed, how->code, NULL, PLAIN_NOT};
    struct found *const found = found_of_ending(findings, source, observed, &e->c, how, error);
    t.entry = found != NULL && found->entry->kind == ENTRY_MISTAKE ? found->entry : NULL;
    impl_hurry(observed, HURRY_SECONDS);
    if (t.entry != NULL && !ends_on(&t, &e->c))
        t.entry = NULL; /* several causes at once */
    lead_find_call(&e->c, shifts, sizeof shifts / sizeof shifts[0], ends_on, &t);
    reduce_ending(&t, &e->c);
    describe_ending_call(e, findings->reference);
    return found;
}

bool findings_crash(struct findings *findings, const struct findings_source *source, const struct warp_impl *observed,
                    const struct warp_case *c, const struct error *ending, struct error *error)
{
    const struct error how = *ending; /* the implementation's, which is asked again */
    const bool can_ask = observed != NULL && impl_can(observed).foreign && how.code != ERROR_DECLINED;
    const struct impl_failure *const failure = can_ask ? impl_failure(observed) : NULL;
    struct found_ending *const e = calloc(1, sizeof *e);
    struct found *found = NULL;
    struct error unkept = {.code = ERROR_NONE};
    bool existed = false;
    if (e == NULL)
        return error_set(error, ERROR_SYSTEM, "out of memory");
    e->c = *c;
    e->code = how.code;
    say_ending(&how, e->words);
    if (failure != NULL && failure->alone)
        found = explain_ending(findings, source, observed, &how, e, &unkept);
    keep_ending(findings, found, source->observed_option, can_ask ? observed : NULL, &how, e, &existed, &unkept);
    if (found != NULL)
        settle_ending(found, e);
    if (observed != NULL)
        impl_hurry(observed, 0);
    if (findings->view != NULL)
        findings->view->ending(found, e, source->observed_option, existed);
    if (found == NULL)
        free(e);
    return unkept.code == ERROR_NONE || error_set(error, unkept.code, "%s", unkept.text);
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
    struct found *found;
    if (findings->view != NULL)
        findings->view->engine(line, folder, command);
    if (findings->count == FINDINGS_MAX) {
        findings->unkept++;
        return;
    }
    found = &findings->items[findings->count++];
    *found = (struct found){.source = source, .reference = findings->reference, .observed = observed, .hits = 1};
    found->reported = found->reproduced = found->undrawn = true;
    if (finding_read_case(folder, &found->c))
        found->forms = UINT64_C(1) << found->c.form;
    snprintf(found->label, sizeof found->label, "libFuzzer");
    snprintf(found->signature, sizeof found->signature, "%s", file_name(folder));
    snprintf(found->line, sizeof found->line, "%s", line);
    snprintf(found->path, sizeof found->path, "%s", folder);
    snprintf(found->command, sizeof found->command, "%s", command);
}
