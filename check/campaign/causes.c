#include "check/campaign/causes.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "base/text.h"
#include "check/impl/impl.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES_FAMILY_MAX 96u /* classes of one family that are kept apart */
#define BATCHES_FAMILY_MAX 8u  /* of which the whole call is kept */
#define CAUSE_CASES        2000u
#define ENOUGH_CASES       200u
#define SEARCH_SECONDS     1.5
#define AGAIN_SECONDS      0.3 /* where the same instruction with a membermask has no cause */
#define AFRESH_TRIED       8u
#define FRESH_CASES        160u /* that are asked in fresh processes when answers depend on earlier calls */
#define FRESH_SECONDS      2.0
#define SEEN_PERCENT       80u /* of the wrong answers after other calls, that a cause of fresh processes gives */
#define HISTORIES_MAX      2u  /* samples of a family with which all that was asked before is kept */
#define REPEATS_MAX        1024u
#define REPEATS_CALL       64u /* in one call */
#define HISTORY_SECONDS    3.0 /* to look for a sequence of calls that shows a mismatch again */
#define ENDS_TRIED         3u  /* cases of the evidence that are tried right before one */
#define HURRY_SECONDS      0.2 /* a hang is waited for again and again */
#define STUDIES_MAX        (SUBJECTS_MAX * WARP_FAMILIES)

/* What is known of one implementation and family. */
struct study {
    const struct warp_impl *reference, *observed;
    enum warp_family family;
    struct cause_evidence evidence;
    struct cause cause;
    bool searched;              /* `cause` is that of the evidence */
    bool history;               /* answers depend on earlier calls: evidence is from fresh processes */
    struct cause_evidence seen; /* history: what it answered after others to cases that are wrong afresh as well */
    bool unstable;              /* some case of the evidence differed only after others */
    struct warp_case unstable_case;
    struct error why; /* set: it could not be asked */
};

struct causes {
    uint64_t seed;
    struct cause_sample *samples;
    size_t samples_count, samples_room;
    size_t batches[WARP_FAMILIES], of_family[WARP_FAMILIES];
    struct study *studies[STUDIES_MAX];
    size_t studies_count;
    struct cause_entry entries[ENTRIES_MAX];
    size_t entries_count;
};

struct causes *causes_open(uint64_t seed)
{
    struct causes *const causes = calloc(1, sizeof *causes);
    if (causes != NULL)
        causes->seed = seed;
    return causes;
}

void causes_free(struct causes *causes)
{
    if (causes == NULL)
        return;
    for (size_t i = 0; i < causes->samples_count; i++)
        free(causes->samples[i].batch);
    for (size_t i = 0; i < causes->studies_count; i++) {
        cause_evidence_free(&causes->studies[i]->evidence);
        cause_evidence_free(&causes->studies[i]->seen);
        free(causes->studies[i]);
    }
    for (size_t i = 0; i < causes->entries_count; i++)
        free(causes->entries[i].sequence);
    free(causes->samples);
    free(causes);
}

/* --- samples --- */

/* The sample of this class; when there is no room for another class, one of the form, else of the family. */
static struct cause_sample *find_sample(struct causes *causes, const struct checker *checker, const struct warp_case *c,
                                        const char *class)
{
    const enum warp_family family = warp_form_get(c->form)->family;
    struct cause_sample *of_form = NULL, *of_family = NULL;
    for (size_t i = 0; i < causes->samples_count; i++) {
        struct cause_sample *const s = &causes->samples[i];
        if (s->observed != checker->observed || s->reference != checker->reference)
            continue;
        if (strcmp(s->class, class) == 0)
            return s;
        if (of_form == NULL && s->c.form == c->form)
            of_form = s;
        if (of_family == NULL && warp_form_get(s->c.form)->family == family)
            of_family = s;
    }
    if (causes->of_family[family] < SAMPLES_FAMILY_MAX)
        return NULL;
    return of_form != NULL ? of_form : of_family;
}

/* All that the process was asked so far, up to this case. False: it is not known. */
static bool keep_history(struct cause_sample *sample, const struct checker *checker)
{
    struct warp_case *const cases = malloc(IMPL_HISTORY_MAX * sizeof *cases);
    size_t n = cases != NULL ? impl_history(checker->observed, cases) : 0;
    while (n > 0 && memcmp(&cases[n - 1], &sample->c, sizeof sample->c) != 0)
        n--;
    sample->batch = n > 0 ? malloc(n * sizeof *sample->batch) : NULL;
    if (sample->batch != NULL) {
        memcpy(sample->batch, cases, n * sizeof *sample->batch);
        sample->batch_n = n;
        sample->batch_at = n - 1;
    }
    free(cases);
    return sample->batch != NULL;
}

/* Without memory for the call, the case is only tried alone. */
static void keep_batch(struct causes *causes, struct cause_sample *sample, const struct checker *checker)
{
    size_t *const kept = &causes->batches[warp_form_get(sample->c.form)->family];
    if (checker->batch == NULL || *kept >= BATCHES_FAMILY_MAX)
        return;
    if (*kept < HISTORIES_MAX && keep_history(sample, checker)) {
        (*kept)++;
        return;
    }
    sample->batch = malloc(checker->batch_n * sizeof *sample->batch);
    if (sample->batch == NULL)
        return;
    memcpy(sample->batch, checker->batch, checker->batch_n * sizeof *sample->batch);
    sample->batch_n = checker->batch_n;
    sample->batch_at = checker->batch_at;
    (*kept)++;
}

void causes_note(struct causes *causes, const struct findings_source *source, const struct checker *checker,
                 const struct finding *f, const char *class)
{
    struct cause_sample *sample = find_sample(causes, checker, &f->c, class);
    if (sample == NULL) {
        struct cause_sample *const samples =
            array_grow(causes->samples, causes->samples_count, &causes->samples_room, sizeof *samples);
        if (samples == NULL)
            return;
        causes->samples = samples;
        sample = &samples[causes->samples_count++];
        *sample = (struct cause_sample){
            .source = source, .reference = checker->reference, .observed = checker->observed, .c = f->c, .seen = *f};
        snprintf(sample->class, sizeof sample->class, "%s", class);
        causes->of_family[warp_form_get(f->c.form)->family]++;
        keep_batch(causes, sample, checker);
    }
    sample->hits++;
}

void causes_note_ending(struct causes *causes, const struct findings_source *source, const struct warp_impl *reference,
                        const struct warp_impl *observed, const struct warp_case *c, enum error_code ending)
{
    struct cause_sample *const samples =
        array_grow(causes->samples, causes->samples_count, &causes->samples_room, sizeof *samples);
    if (samples == NULL)
        return;
    causes->samples = samples;
    samples[causes->samples_count++] = (struct cause_sample){.source = source,
                                                             .reference = reference,
                                                             .observed = observed,
                                                             .class = "ending",
                                                             .c = *c,
                                                             .hits = 1,
                                                             .ending = ending};
}

size_t causes_of_ending(const struct causes *causes, const struct warp_impl *observed)
{
    for (size_t i = 0; i < causes->samples_count; i++) {
        const struct cause_sample *const s = &causes->samples[i];
        if (s->observed == observed && s->ending != ERROR_NONE && s->sorted)
            return s->entry;
    }
    return causes->entries_count;
}

/* --- studies --- */

static struct study *find_study(struct causes *causes, const struct cause_sample *sample)
{
    const enum warp_family family = warp_form_get(sample->c.form)->family;
    struct study *study;
    for (size_t i = 0; i < causes->studies_count; i++) {
        study = causes->studies[i];
        if (study->observed == sample->observed && study->reference == sample->reference && study->family == family)
            return study;
    }
    study = causes->studies_count < STUDIES_MAX ? calloc(1, sizeof *study) : NULL;
    if (study == NULL)
        return NULL;
    study->reference = sample->reference;
    study->observed = sample->observed;
    study->family = family;
    causes->studies[causes->studies_count++] = study;
    return study;
}

/* What was found for other instructions of the same implementation. */
static const struct cause *known_cause(const struct causes *causes, const struct study *study)
{
    for (size_t i = 0; i < causes->studies_count; i++) {
        const struct study *const other = causes->studies[i];
        if (other != study && other->observed == study->observed && other->cause.count > 0)
            return &other->cause;
    }
    return NULL;
}

/* False: one of them does not accept the case, or could not be asked. An end is an observation. */
static bool ask_one(const struct study *s, struct cause_case *k)
{
    struct finding f;
    k->ending = ERROR_NONE;
    if (finding_make(&f, s->reference, s->observed, &k->c)) {
        k->expected = f.reference;
        k->observed = f.observed;
        k->differs = true;
        return true;
    }
    k->differs = false;
    if (!finding_ask(s->reference, &k->c, 1, &k->expected))
        return false;
    return finding_ask(s->observed, &k->c, 1, &k->observed) ||
           (impl_failure(s->observed) != NULL && cause_observe(s->observed, k));
}

/* Is it the same answer, right or wrong? With `values` a wrong one has the same values, too. */
static bool is_same(const struct cause_case *k, const struct warp_result *again, uint32_t parts, bool values)
{
    if (!warp_result_compare(&k->c, &k->expected, again, parts, NULL) != k->differs)
        return false;
    return !values || cause_same_values(&k->c, &k->expected, &k->observed, again, parts);
}

/* Asks about all cases of the evidence again, in the other order. False when an answer depends on that. Wrong values
 * may change because an implementation reads beside its arrays: they count only when nothing else explains them. */
static bool is_stable(struct study *s, bool values)
{
    struct cause_evidence *const e = &s->evidence;
    const struct cause_case *answered[32];
    struct warp_case cases[32];
    struct warp_result results[32];
    for (size_t end = e->count; end > 0;) {
        size_t n = 0;
        for (; end > 0 && n < 32; end--)
            if (e->cases[end - 1].ending == ERROR_NONE) {
                answered[n] = &e->cases[end - 1];
                cases[n++] = e->cases[end - 1].c;
            }
        if (n > 0 && !finding_ask(s->observed, cases, n, results))
            return true; /* it ended: that is told elsewhere */
        for (size_t i = 0; i < n; i++) {
            const struct cause_case *const k = answered[i];
            if (!is_same(k, &results[i], e->parts, values)) {
                s->unstable_case = k->c;
                return false;
            }
        }
    }
    return true;
}

/* Are mismatches wrong in fresh processes, too? What an implementation keeps may have made them so. Where a cause gives
 * them all, most must be right to say so: what is read beside an array may be anything. */
static bool is_wrong_afresh(const struct study *s, bool whole)
{
    unsigned tried = 0, right = 0;
    const size_t step = s->evidence.count / AFRESH_TRIED + 1;
    struct error error;
    for (size_t i = 0, at = 0; i < s->evidence.count; i++) {
        struct cause_case k = s->evidence.cases[i];
        if (!k.differs || k.ending != ERROR_NONE || i < at)
            continue;
        at = i + step;
        if (!impl_restart(s->observed, &error) || !ask_one(s, &k))
            continue;
        tried++;
        right += !k.differs;
    }
    return whole ? right * 2 <= tried : right == 0;
}

/* Replaces the evidence by what fresh processes answer to some of its cases, half of them mismatches. */
static void ask_afresh(struct study *s)
{
    struct cause_evidence fresh = {.parts = s->evidence.parts};
    cause_evidence_free(&s->seen);
    s->seen.parts = s->evidence.parts;
    const double end = clock_seconds() + FRESH_SECONDS;
    struct error error;
    uint64_t wrong = 0, right = 0;
    for (size_t i = 0; i < s->evidence.count && clock_seconds() < end; i++) {
        struct cause_case k = s->evidence.cases[i];
        uint64_t *const taken = k.differs ? &wrong : &right;
        const bool differed = k.differs;
        if (*taken >= FRESH_CASES / 2 || !impl_restart(s->observed, &error) || !ask_one(s, &k))
            continue;
        ++*taken;
        if (differed && !k.differs) {
            s->unstable_case = k.c;
            s->unstable = true;
        }
        if (differed && k.differs)
            cause_add(&s->seen, &s->evidence.cases[i]);
        cause_add(&fresh, &k);
    }
    cause_evidence_free(&s->evidence);
    s->evidence = fresh;
}

/* Does the cause, which gives what fresh processes answer, give as well what was answered after other calls? Else what
 * is kept only looks like it, as long as nothing was kept. */
static bool gives_what_was_seen(const struct study *s)
{
    size_t given = 0;
    for (size_t i = 0; i < s->seen.count; i++)
        given += cause_of_case(&s->cause, &s->seen.cases[i], s->seen.parts) < s->cause.count;
    return given * 100 >= s->seen.count * SEEN_PERCENT;
}

/* Did a call of it hang? */
static bool hangs(const struct causes *causes, const struct study *s)
{
    for (size_t i = 0; i < causes->samples_count; i++)
        if (causes->samples[i].observed == s->observed && causes->samples[i].ending == ERROR_TIMEOUT)
            return true;
    return false;
}

/* Gathers evidence; its first mismatch tells whether answers depend on earlier calls. */
static void begin_study(struct causes *causes, struct study *s)
{
    struct error error;
    impl_restart(s->observed, &error);
    impl_hurry(s->observed, hangs(causes, s) ? HURRY_SECONDS : 0);
    if (!cause_gather(&s->evidence, s->reference, s->observed, s->family, causes->seed, CAUSE_CASES, &s->why)) {
        if (s->evidence.count < ENOUGH_CASES || !impl_restart(s->observed, &error))
            return;
        error_clear(&s->why); /* what it answered before it ended is enough */
    }
    s->history = !is_stable(s, false);
    s->unstable = s->history;
    if (s->history)
        ask_afresh(s);
}

/* --- entries --- */

static struct cause_entry *new_entry(struct causes *causes, const struct cause_sample *sample, const struct study *s,
                                     enum entry_kind kind)
{
    struct cause_entry *const entry =
        &causes->entries[causes->entries_count < ENTRIES_MAX ? causes->entries_count++ : ENTRIES_MAX - 1];
    *entry = (struct cause_entry){.kind = kind,
                                  .source = sample->source,
                                  .reference = s->reference,
                                  .observed = s->observed,
                                  .lead = sample->c,
                                  .ending = sample->ending,
                                  .cause = s->cause,
                                  .why = s->why};
    return entry;
}

/* shfl and shfl.sync are one instruction, and so are vote and vote.sync. */
static enum warp_family with_sync(enum warp_family family)
{
    switch (family) {
    case WARP_SHFL:
        return WARP_SHFL_SYNC;
    case WARP_VOTE:
        return WARP_VOTE_SYNC;
    case WARP_SHFL_SYNC:
    case WARP_VOTE_SYNC:
    case WARP_MATCH_SYNC:
    case WARP_REDUX_SYNC:
    case WARP_ACTIVEMASK:
    case WARP_BAR_WARP:
    case WARP_ELECT:
    case WARP_FAMILIES:
        break;
    }
    return family;
}

static bool has_instruction(const struct cause_entry *entry, enum warp_family family)
{
    for (unsigned f = 0; f < WARP_FAMILIES; f++)
        if ((entry->families >> f & 1u) && with_sync((enum warp_family)f) == with_sync(family))
            return true;
    return false;
}

static struct cause_entry *find_mistake(struct causes *causes, const struct study *s, const struct cause_term *term)
{
    for (size_t i = 0; i < causes->entries_count; i++) {
        struct cause_entry *const entry = &causes->entries[i];
        if (entry->kind == ENTRY_MISTAKE && entry->observed == s->observed && cause_term_same(&entry->term, term))
            return entry;
    }
    return NULL;
}

/* Of the other kinds there is one for each instruction and part; of what depends on earlier calls, and of what ended,
 * one in all. */
static struct cause_entry *find_other(struct causes *causes, const struct study *s, enum entry_kind kind,
                                      enum entry_part part)
{
    for (size_t i = 0; i < causes->entries_count; i++) {
        struct cause_entry *const entry = &causes->entries[i];
        if (entry->kind == kind && entry->observed == s->observed &&
            (kind != ENTRY_UNKNOWN || (entry->part == part && has_instruction(entry, s->family))))
            return entry;
    }
    return NULL;
}

/* --- which entry a case belongs to --- */

static enum entry_part part_of(const struct cause_case *k, uint32_t parts)
{
    struct warp_diff diff;
    if (k->ending != ERROR_NONE)
        return PART_ENDING;
    warp_result_compare(&k->c, &k->expected, &k->observed, parts, &diff);
    return (diff.outcome | diff.waits_for) != 0 && (diff.d | diff.p | diff.d_defined) == 0 ? PART_OUTCOMES
                                                                                           : PART_VALUES;
}

bool causes_shows(const struct cause_entry *entry, const struct cause_case *k, uint32_t parts)
{
    if (!k->differs)
        return false;
    switch (entry->kind) {
    case ENTRY_MISTAKE:
        return cause_term_shows(&entry->term, k, parts);
    case ENTRY_UNKNOWN:
        return cause_of_case(&entry->cause, k, parts) == entry->cause.count && part_of(k, parts) == entry->part;
    case ENTRY_HISTORY:
    case ENTRY_UNASKED:
        return true;
    }
    return true;
}

bool causes_needs(const struct cause_entry *entry, const struct cause_case *k, uint32_t parts)
{
    for (size_t i = 0; i < entry->cause.count && entry->kind == ENTRY_MISTAKE; i++)
        if (cause_term_same(&entry->cause.terms[i], &entry->term))
            return cause_needs(&entry->cause, i, k, parts);
    return false;
}

static struct cause_entry *entry_of_case(struct causes *causes, const struct cause_sample *sample,
                                         const struct study *s, const struct cause_case *k)
{
    const size_t term = cause_of_case(&s->cause, k, s->evidence.parts);
    struct cause_entry *entry;
    if (term < s->cause.count) {
        entry = find_mistake(causes, s, &s->cause.terms[term]);
        if (entry == NULL) {
            entry = new_entry(causes, sample, s, ENTRY_MISTAKE);
            entry->term = s->cause.terms[term];
        }
        entry->term.ops |= s->cause.terms[term].ops;
        return entry;
    }
    entry = find_other(causes, s, ENTRY_UNKNOWN, part_of(k, s->evidence.parts));
    if (entry == NULL) {
        entry = new_entry(causes, sample, s, ENTRY_UNKNOWN);
        entry->part = part_of(k, s->evidence.parts);
    }
    return entry;
}

/* --- the lead of an entry --- */

/* How good a lead is the case: a wrong answer, which can be drawn, is better than an end; then one for which the
 * entry's mistake is needed, and one that it gives alone; then a plainer one, then one without exited lanes, then one
 * of a full warp, then one with few lanes that differ. */
static unsigned worth_of(const struct cause_entry *entry, const struct cause_case *k, uint32_t parts)
{
    return 1 + (k->ending == ERROR_NONE ? 64u * WARP_LANES : 0u) +
           (causes_needs(entry, k, parts) ? 32u * WARP_LANES : 0u) +
           (causes_shows(entry, k, parts) ? 16u * WARP_LANES : 0u) +
           (unsigned)plain_of(&k->c, &k->expected) * 4 * WARP_LANES + (k->c.exited == 0 ? 2u * WARP_LANES : 0u) +
           lanes_in(k->c.active) + WARP_LANES - lanes_in(cause_wrong_lanes(k, parts));
}

/* Leads with the best case of the evidence that shows the entry, when it is plainer than what leads so far. */
static void choose_lead(struct cause_entry *entry, const struct study *s, bool first)
{
    const struct cause_evidence *const e = &s->evidence;
    unsigned best = 0;
    for (size_t i = 0; i < e->count; i++) {
        const struct cause_case *const k = &e->cases[i];
        const enum plainness plain = plain_of(&k->c, &k->expected);
        const bool shows = causes_shows(entry, k, e->parts);
        if (!shows && !causes_needs(entry, k, e->parts))
            continue;
        entry->shown += first && shows;
        if ((k->ending != ERROR_NONE && entry->ending == ERROR_NONE) || (!first && plain <= entry->plain && best == 0))
            continue;
        const unsigned worth = worth_of(entry, k, e->parts);
        if (worth > best) {
            best = worth;
            entry->lead = k->c;
            entry->plain = plain;
            entry->ending = k->ending;
        }
    }
}

/* Keeps these cases when the one at `at` differs after the others, in one call of a fresh process. */
static bool try_sequence(struct cause_entry *entry, const struct warp_case *cases, size_t n, size_t at)
{
    struct warp_case *const kept = malloc(n * sizeof *kept);
    struct finding f;
    struct error error;
    if (kept == NULL)
        return false;
    memcpy(kept, cases, n * sizeof *kept);
    if (!impl_restart(entry->observed, &error) ||
        !finding_make_sequence(&f, entry->reference, entry->observed, kept, n, at)) {
        free(kept);
        return false;
    }
    free(entry->sequence);
    entry->sequence = kept;
    entry->sequence_n = n;
    entry->sequence_at = at;
    return true;
}

/* The same case again and again: an implementation may count its calls. */
static void try_repeats(struct cause_entry *entry, const struct warp_case *c)
{
    struct warp_case *const cases = malloc(REPEATS_MAX * sizeof *cases);
    static struct warp_result expected, answers[REPEATS_CALL];
    struct finding f;
    struct error error;
    size_t differing = 0; /* number of the first repetition that does */
    bool asked =
        cases != NULL && finding_ask(entry->reference, c, 1, &expected) && impl_restart(entry->observed, &error);
    for (size_t i = 0; asked && i < REPEATS_MAX; i++)
        cases[i] = *c;
    for (size_t done = 0; asked && differing == 0 && done < REPEATS_MAX && clock_seconds() < entry->search_until;
         done += REPEATS_CALL) {
        asked = finding_ask(entry->observed, cases + done, REPEATS_CALL, answers);
        for (size_t i = 0; asked && differing == 0 && i < REPEATS_CALL; i++)
            if (finding_compare(&f, entry->reference, entry->observed, c, &expected, &answers[i]))
                differing = done + i + 1;
    }
    entry->repeats = differing > 0 && try_sequence(entry, cases, differing, differing - 1);
    free(cases);
}

/* Asks the cases before the sample that both accept, then the sample. */
static void try_history(struct cause_entry *entry, const struct cause_sample *sample)
{
    struct warp_case *const cases = malloc(sample->batch_n * sizeof *cases);
    size_t n = 0, at = 0;
    for (size_t i = 0; cases != NULL && i < sample->batch_n && clock_seconds() < entry->search_until; i++) {
        const struct warp_case *const c = &sample->batch[i];
        if (!warp_impl_accepts(entry->reference, c, NULL, 0) || !warp_impl_accepts(entry->observed, c, NULL, 0))
            continue;
        at = i == sample->batch_at ? n : at;
        cases[n++] = *c;
    }
    if (n > 0)
        try_sequence(entry, cases, n, at);
    free(cases);
}

/* The case after those of the evidence; which of them comes last may matter. */
static void try_evidence(struct cause_entry *entry, const struct warp_case *c, const struct study *s)
{
    const size_t n = s->evidence.count < CHECKER_BATCH ? s->evidence.count : CHECKER_BATCH - 1;
    struct warp_case *const cases = malloc((n + 1) * sizeof *cases);
    bool kept = cases == NULL;
    for (size_t i = 0; cases != NULL && i < n; i++)
        cases[i] = s->evidence.cases[i].c;
    for (size_t left_out = 0; left_out <= n && left_out < ENDS_TRIED && !kept; left_out++) {
        cases[n - left_out] = *c;
        kept = try_sequence(entry, cases, n - left_out + 1, n - left_out);
    }
    free(cases);
}

/* Do two fresh processes, each asked the case again and again, answer differently? */
static bool is_random(const struct cause_entry *entry, const struct warp_case *c, uint32_t parts)
{
    static struct warp_case cases[REPEATS_CALL];
    static struct warp_result answers[2][REPEATS_CALL];
    struct warp_result expected;
    struct error error;
    if (!finding_ask(entry->reference, c, 1, &expected))
        return false;
    for (size_t i = 0; i < REPEATS_CALL; i++)
        cases[i] = *c;
    for (size_t process = 0; process < 2; process++)
        if (!impl_restart(entry->observed, &error) ||
            !finding_ask(entry->observed, cases, REPEATS_CALL, answers[process]))
            return false;
    for (size_t i = 0; i < REPEATS_CALL; i++)
        if (!cause_same_values(c, &expected, &answers[0][i], &answers[1][i], parts))
            return true;
    return false;
}

static bool agrees_alone(const struct cause_entry *entry, const struct warp_case *c)
{
    struct finding f;
    struct error error;
    return impl_restart(entry->observed, &error) && !finding_make(&f, entry->reference, entry->observed, c);
}

/* A case that agrees alone, and not after those of the evidence: one of them, or the sample with registers that hold
 * nothing, because what is kept is most often nothing at first. */
static void try_right_alone(struct cause_entry *entry, const struct warp_case *c, const struct study *s)
{
    struct warp_case empty = *c;
    memset(empty.a, 0, sizeof empty.a);
    memset(empty.a_high, 0, sizeof empty.a_high);
    if (s->unstable && agrees_alone(entry, &s->unstable_case))
        try_evidence(entry, &s->unstable_case, s);
    if (entry->sequence == NULL && agrees_alone(entry, &empty))
        try_evidence(entry, &empty, s);
}

/* Looks for the calls that show the mismatch again: the case alone, again and again, after what was asked before it. A
 * case that agrees alone tells more than one that is as wrong alone. */
static void keep_sequence(struct cause_entry *entry, const struct cause_sample *sample, bool wrong_alone,
                          const struct study *s)
{
    if (entry->search_until <= 0) {
        entry->search_until = clock_seconds() + HISTORY_SECONDS;
        entry->random = is_random(entry, &sample->c, s->evidence.parts);
    }
    if (entry->random || entry->sequence_n > 1 || (entry->sequence != NULL && wrong_alone) ||
        clock_seconds() >= entry->search_until)
        return;
    if (wrong_alone)
        try_right_alone(entry, &sample->c, s);
    if (entry->sequence == NULL && !try_sequence(entry, &sample->c, 1, 0))
        try_repeats(entry, &sample->c);
    if (entry->sequence_n < 2 && !wrong_alone && sample->batch != NULL && !interrupted())
        try_history(entry, sample);
    if (entry->sequence_n < 2 && !wrong_alone && !interrupted())
        try_evidence(entry, &sample->c, s);
}

static size_t index_of(const struct causes *causes, const struct cause_entry *entry)
{
    return (size_t)(entry - causes->entries);
}

/* --- settling --- */

/* Asks about the sample; in a fresh process where answers depend on earlier calls. */
static bool ask_sample(const struct study *s, const struct cause_sample *sample, struct cause_case *k)
{
    struct error error;
    k->c = sample->c;
    return (!s->history || impl_restart(s->observed, &error)) && ask_one(s, k);
}

/* Adds the samples that the cause does not explain to the evidence. True: there are some. */
static bool extend(struct causes *causes, struct study *s)
{
    bool extended = false;
    for (size_t i = 0; i < causes->samples_count; i++) {
        const struct cause_sample *const sample = &causes->samples[i];
        struct cause_case k = {.differs = false};
        if (sample->sorted || find_study(causes, sample) != s || !ask_sample(s, sample, &k) || !k.differs ||
            (s->searched && cause_of_case(&s->cause, &k, s->evidence.parts) < s->cause.count))
            continue;
        extended |= cause_add(&s->evidence, &k);
    }
    return extended;
}

/* The cause gives what it answers now, `k`: does it give what the campaign saw, too? */
static bool is_as_seen(const struct study *s, const struct cause_sample *sample, const struct cause_case *k)
{
    struct cause_case seen = *k;
    seen.observed = sample->seen.observed;
    seen.parts = sample->seen.parts;
    return sample->ending != ERROR_NONE || cause_of_case(&s->cause, k, s->evidence.parts) == s->cause.count ||
           cause_of_case(&s->cause, &seen, s->evidence.parts) < s->cause.count;
}

static void sort_sample(struct causes *causes, struct study *s, struct cause_sample *sample)
{
    struct cause_entry *entry;
    struct cause_case k = {.differs = false};
    const size_t before = causes->entries_count;
    const bool asked = s->why.code == ERROR_NONE && ask_sample(s, sample, &k);
    bool had_family;
    if (interrupted()) /* nobody knows why it did not answer, or answered otherwise */
        return;
    if (!asked) {
        entry = find_other(causes, s, ENTRY_UNASKED, PART_VALUES);
        entry = entry != NULL ? entry : new_entry(causes, sample, s, ENTRY_UNASKED);
    } else if (sample->ending != ERROR_NONE && !k.differs) {
        entry = find_other(causes, s, ENTRY_UNASKED, PART_VALUES);
        entry = entry != NULL ? entry : new_entry(causes, sample, s, ENTRY_UNASKED);
        error_set(&entry->why, ERROR_DECLINED, "it ends on several cases in one call, and on none of them alone");
    } else if (!k.differs || (s->history && s->cause.count == 0) || !is_as_seen(s, sample, &k)) {
        entry = find_other(causes, s, ENTRY_HISTORY, PART_VALUES);
        entry = entry != NULL ? entry : new_entry(causes, sample, s, ENTRY_HISTORY);
        keep_sequence(entry, sample, k.differs, s);
    } else {
        entry = entry_of_case(causes, sample, s, &k);
    }
    had_family = (entry->families >> s->family & 1u) != 0;
    entry->families |= WARP_FAMILY_BIT(s->family);
    if (entry->kind == ENTRY_MISTAKE || entry->kind == ENTRY_UNKNOWN) {
        const bool first = causes->entries_count > before;
        if (first)
            entry->plain = PLAIN_NOT;
        if (first || !had_family)
            choose_lead(entry, s, first);
        if (first)
            entry->reading = causes_reading_at_stake(entry, &s->evidence);
    }
    sample->sorted = true;
    sample->entry = index_of(causes, entry);
}

static const struct cause_sample *sample_of(struct causes *causes, const struct study *s)
{
    for (size_t i = 0; i < causes->samples_count; i++)
        if (find_study(causes, &causes->samples[i]) == s)
            return &causes->samples[i];
    return NULL;
}

/* A case of the evidence as a sample of the entry. */
static void add_evidence_sample(struct causes *causes, const struct cause_sample *like, const struct cause_case *k,
                                size_t entry)
{
    struct cause_sample sample = {.source = like->source,
                                  .reference = like->reference,
                                  .observed = like->observed,
                                  .class = "evidence",
                                  .c = k->c,
                                  .hits = 1,
                                  .sorted = true,
                                  .entry = entry};
    struct cause_sample *const samples =
        array_grow(causes->samples, causes->samples_count, &causes->samples_room, sizeof *samples);
    if (samples == NULL)
        return;
    finding_compare(&sample.seen, like->reference, like->observed, &k->c, &k->expected, &k->observed);
    causes->samples = samples;
    samples[causes->samples_count++] = sample;
}

/* What was noted are samples. A mistake of the cause that none of them shows has its entry too: the evidence shows it.
 */
static void add_unsampled(struct causes *causes, struct study *s)
{
    for (size_t term = 0; term < s->cause.count; term++) {
        const struct cause_sample *const like = sample_of(causes, s);
        struct cause_entry *entry = find_mistake(causes, s, &s->cause.terms[term]);
        for (size_t i = 0; i < s->evidence.count && entry == NULL && like != NULL; i++) {
            const struct cause_case *const k = &s->evidence.cases[i];
            if (k->ending != ERROR_NONE || !cause_needs(&s->cause, term, k, s->evidence.parts))
                continue;
            entry = new_entry(causes, like, s, ENTRY_MISTAKE);
            entry->term = s->cause.terms[term];
            entry->lead = k->c;
            entry->ending = ERROR_NONE;
            entry->families = WARP_FAMILY_BIT(s->family);
            choose_lead(entry, s, true);
            add_evidence_sample(causes, like, k, index_of(causes, entry));
        }
    }
}

/* How long a cause is looked for. Where none explained what was known before, none will explain more. */
static double seconds_for(const struct causes *causes, const struct study *s)
{
    if (s->searched && s->cause.count == 0)
        return AGAIN_SECONDS;
    for (size_t i = 0; i < causes->studies_count; i++) {
        const struct study *const other = causes->studies[i];
        if (other != s && other->observed == s->observed && other->searched && other->cause.count == 0 &&
            other->family == with_sync(s->family))
            return AGAIN_SECONDS;
    }
    return SEARCH_SECONDS;
}

static bool is_explained(const struct study *s)
{
    return s->cause.explained == s->evidence.mismatches + s->evidence.endings;
}

/* Was everything right that is known? */
static bool is_right(const struct study *s)
{
    return s->evidence.mismatches + s->evidence.endings == 0;
}

static void settle_study(struct causes *causes, struct study *s)
{
    const bool first = !s->searched && s->evidence.count == 0;
    if (first)
        begin_study(causes, s);
    const bool more = s->why.code == ERROR_NONE && (extend(causes, s) || first);
    if (more && s->evidence.endings > 0)
        cause_gather_around(&s->evidence, s->reference, s->observed);
    if (more && s->evidence.mismatches + s->evidence.endings > 0) {
        cause_find(&s->evidence, known_cause(causes, s), seconds_for(causes, s), &s->cause);
        const bool whole = is_explained(s); /* the evidence may change */
        s->searched = true;
        if (!s->history && !((whole || is_stable(s, true)) && is_wrong_afresh(s, whole))) {
            s->history = s->unstable = true;
            ask_afresh(s);
        }
        if (s->history && (!whole || s->cause.count > 1 || is_right(s) || !gives_what_was_seen(s)))
            s->cause.count = 0; /* what is kept explains it; several mistakes fit the few fresh answers by chance */
    }
    for (size_t i = 0; i < causes->samples_count; i++)
        if (!interrupted() && !causes->samples[i].sorted && find_study(causes, &causes->samples[i]) == s)
            sort_sample(causes, s, &causes->samples[i]);
    if (!interrupted())
        add_unsampled(causes, s);
}

/* shfl.sync before shfl, whose page says less. */
void causes_settle(struct causes *causes)
{
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        for (size_t i = 0; i < causes->samples_count && !interrupted(); i++) {
            const struct cause_sample *const sample = &causes->samples[i];
            const bool due = !sample->sorted && (unsigned)warp_form_get(sample->c.form)->family == family;
            struct study *const s = due ? find_study(causes, sample) : NULL;
            if (s != NULL)
                settle_study(causes, s);
        }
}

size_t causes_count(struct causes *causes)
{
    for (size_t i = 0; i < causes->entries_count; i++)
        memset(causes->entries[i].hits, 0, sizeof causes->entries[i].hits);
    for (size_t i = 0; i < causes->samples_count; i++)
        if (causes->samples[i].sorted)
            causes->entries[causes->samples[i].entry].hits[causes->samples[i].c.form] += causes->samples[i].hits;
    return causes->entries_count;
}

struct cause_entry *causes_entry(struct causes *causes, size_t i)
{
    return &causes->entries[i];
}

const struct cause_sample *causes_sample(const struct causes *causes, size_t entry, uint32_t form)
{
    for (size_t i = 0; i < causes->samples_count; i++)
        if (causes->samples[i].sorted && causes->samples[i].entry == entry && causes->samples[i].c.form == form)
            return &causes->samples[i];
    return NULL;
}

const struct cause_sample *causes_seen(const struct causes *causes, size_t entry)
{
    for (size_t i = 0; i < causes->samples_count; i++)
        if (causes->samples[i].sorted && causes->samples[i].entry == entry && causes->samples[i].seen.parts != 0)
            return &causes->samples[i];
    return NULL;
}

struct cause_sample *causes_unsorted(const struct causes *causes)
{
    for (size_t i = 0; i < causes->samples_count; i++)
        if (!causes->samples[i].sorted && !causes->samples[i].told && causes->samples[i].seen.parts != 0)
            return &causes->samples[i];
    return NULL;
}

/* --- in words --- */

enum warp_family causes_family(const struct cause_entry *entry)
{
    unsigned family = 0;
    while (family + 1 < WARP_FAMILIES && !(entry->families >> family & 1u))
        family++;
    return (enum warp_family)family;
}

/* Does the mistake alone give every answer of the evidence that shows the entry? */
static bool is_of_all(const struct cause_entry *entry, const struct cause_term *term, const struct cause_evidence *e)
{
    bool some = false;
    for (size_t i = 0; i < e->count; i++) {
        if (!causes_shows(entry, &e->cases[i], e->parts))
            continue;
        if (!cause_term_shows(term, &e->cases[i], e->parts))
            return false;
        some = true;
    }
    return some;
}

unsigned causes_reading_at_stake(const struct cause_entry *entry, const struct cause_evidence *e)
{
    for (int m = 0; m < MISTAKES && entry->kind == ENTRY_UNKNOWN; m++) {
        const struct cause_term term = {.mistake = (enum mistake)m, .ops = UINT32_MAX, .order = {{0, 1, 2, 3}}};
        if (cause_term_reading(&term) != 0 && is_of_all(entry, &term, e))
            return cause_term_reading(&term);
    }
    return 0;
}

unsigned causes_reading(const struct cause_entry *entry)
{
    return entry->kind == ENTRY_MISTAKE ? cause_term_reading(&entry->term) : entry->reading;
}

/* One of several mistakes: how much it explains by itself, and that all together explain the rest. */
static void add_one_of_several(struct buffer *line, const struct cause_entry *entry)
{
    const struct cause *const c = &entry->cause;
    char words[CAUSE_TEXT_MAX];
    const bool whole = cause_is_whole(c);
    buffer_text(line, whole ? "" : "perhaps "); /* the others may have the same cause, which is none of these */
    buffer_text(line, cause_term_words(&entry->term, words));
    if (entry->shown > 0 || c->count <= 1) {
        buffer_format(line, " (explains %s of ", number_text(entry->shown));
        cause_add_total(line, c);
        buffer_text(line, " alone");
        if (c->count > 1)
            buffer_format(line, ", and with %zu other mistake%s %s%s of them", c->count - 1, c->count > 2 ? "s" : "",
                          whole ? "all" : "", whole ? "" : number_text(c->explained));
    } else {
        buffer_format(line, " (explains, with %zu other mistake%s, %s", c->count - 1, c->count > 2 ? "s" : "",
                      whole ? "all " : number_text(c->explained));
        buffer_text(line, whole ? "" : " of ");
        (whole ? cause_add_counts : cause_add_total)(line, c);
    }
    buffer_format(line, ", and all %s agreements%s; %s, %s)", number_text(c->agreements),
                  whole ? "" : "; no known mistake explains the others, which may have the same cause",
                  warp_family_name(causes_family(entry)), cause_term_clause(&entry->term));
}

/* Only what was asked is said: the case that is kept, in a fresh process. */
static void add_history(struct buffer *line, const struct cause_entry *entry)
{
    if (entry->random)
        buffer_text(line, "it is not deterministic: fresh processes that are asked the same answer differently");
    else if (entry->sequence == NULL)
        buffer_text(line, "it keeps something from earlier calls, or is not deterministic: asked again in a fresh "
                          "process, it agrees");
    else if (entry->sequence_n == 1)
        buffer_text(line, "what it answers depends on what was asked before: the first call of a fresh process is "
                          "wrong already");
    else if (entry->repeats)
        buffer_format(line,
                      "it keeps something from earlier calls: asked alone, in a fresh process, it agrees; asked "
                      "%s times, it does not",
                      number_text(entry->sequence_n));
    else
        buffer_format(line,
                      "it keeps something from earlier calls: asked alone, in a fresh process, it agrees; in a "
                      "call of %s cases it does not",
                      number_text(entry->sequence_n));
}

static void add_words(struct buffer *line, const struct cause_entry *entry)
{
    char words[CAUSE_TEXT_MAX];
    struct cause none = entry->cause;
    switch (entry->kind) {
    case ENTRY_MISTAKE:
        if (entry->cause.count > 1 || entry->cause.explained < entry->cause.mismatches + entry->cause.endings)
            add_one_of_several(line, entry);
        else
            buffer_text(line, cause_text(&entry->cause, causes_family(entry), words));
        return;
    case ENTRY_UNKNOWN:
        none.count = 0;
        buffer_text(line, cause_text(&none, causes_family(entry), words));
        return;
    case ENTRY_HISTORY:
        add_history(line, entry);
        return;
    case ENTRY_UNASKED:
        buffer_format(line, "not found, it could not be asked again%s%s", entry->why.code != ERROR_NONE ? ": " : "",
                      entry->why.code != ERROR_NONE ? entry->why.text : "");
        return;
    }
}

const char *causes_text(const struct cause_entry *entry, char text[CAUSE_LINE_MAX])
{
    struct buffer line = {0};
    const char *between = entry->observed != NULL ? " in " : "in ";
    add_words(&line, entry);
    buffer_format(&line, " [%s", entry->observed != NULL ? entry->observed->name : "");
    for (unsigned f = 0; f < WARP_FAMILIES; f++)
        if (entry->families >> f & 1u) {
            buffer_format(&line, "%s%s", between, warp_family_name(f));
            between = ", ";
        }
    buffer_text(&line, "]");
    snprintf(text, CAUSE_LINE_MAX, "%s", buffer_string(&line));
    buffer_free(&line);
    return text;
}
