#include "check/campaign/judged.h"

#include "base/buffer.h"
#include "base/clock.h"
#include "base/interrupt.h"
#include "check/campaign/lead.h"
#include "check/impl/impl.h"
#include "warpcheck/bytes.h"

#include <stdlib.h>
#include <string.h>

#define AGREEMENTS_MAX 2000u /* of one instruction, against which causes are held */
#define SEARCH_SECONDS 2.0
#define REDUCE_LIMIT   20000u
#define SEQUENCE_LIMIT 2000u
#define REDUCE_SECONDS 3.0 /* each lead */

/* False: no memory. */
static bool remember(struct judged *judged, const struct warp_case *c, uint64_t line)
{
    struct judged_asked *asked = judged->asked;
    if (judged->asked_count >= FINDING_SEQUENCE_MAX)
        return true;
    asked = array_grow(asked, judged->asked_count, &judged->asked_room, sizeof *asked);
    if (asked == NULL)
        return false;
    judged->asked = asked;
    asked[judged->asked_count++] = (struct judged_asked){*c, line};
    return true;
}

bool judged_add(struct judged *judged, const struct finding *f, bool agrees, uint64_t line)
{
    struct cause_evidence *const e = &judged->evidence[warp_form_get(f->c.form)->family];
    if (!remember(judged, &f->c, line))
        return false;
    if (agrees && e->agreements >= AGREEMENTS_MAX)
        return true;
    if (!agrees && e->mismatches >= JUDGED_MISMATCHES) {
        judged->unsorted++;
        return true;
    }
    e->parts |= f->parts;
    const struct cause_case k = {.c = f->c,
                                 .expected = f->reference,
                                 .observed = f->observed,
                                 .differs = !agrees,
                                 .parts = f->parts,
                                 .line = line};
    return cause_add(e, &k);
}

/* --- entries --- */

/* The entry of what this case shows; what no known mistake explains is one entry of its instruction. NULL: there is no
 * room. */
static struct judged_entry *entry_of(struct judged *judged, const struct cause *cause, const struct cause_case *k,
                                     uint32_t parts)
{
    const enum warp_family family = warp_form_get(k->c.form)->family;
    const size_t term = cause->count > 0 ? cause_of_case(cause, k, parts) : 0;
    const bool known = term < cause->count;
    for (size_t i = 0; i < judged->entries_count; i++) {
        const struct cause_entry *const e = &judged->entries[i].entry;
        if (known ? e->kind == ENTRY_MISTAKE && cause_term_same(&e->term, &cause->terms[term])
                  : e->kind == ENTRY_UNKNOWN && (e->families >> family & 1u))
            return &judged->entries[i];
    }
    if (judged->entries_count == JUDGED_ENTRIES_MAX)
        return NULL;
    struct judged_entry *const entry = &judged->entries[judged->entries_count++];
    *entry = (struct judged_entry){.entry = {.kind = known ? ENTRY_MISTAKE : ENTRY_UNKNOWN, .cause = *cause}};
    if (known)
        entry->entry.term = cause->terms[term];
    return entry;
}

/* The plainer case leads, then the one that costs less, as the reducer counts. */
static bool leads_better(const struct judged_entry *entry, const struct cause_case *k, enum plainness plain)
{
    if (entry->line == 0 || plain != entry->entry.plain)
        return entry->line == 0 || plain > entry->entry.plain;
    return reduce_is_simpler(&k->c, &entry->entry.lead);
}

static void sort_case(struct judged *judged, const struct cause *cause, const struct cause_case *k, uint32_t parts)
{
    const enum plainness plain = plain_of(&k->c, &k->expected);
    struct judged_entry *const entry = entry_of(judged, cause, k, parts);
    if (entry == NULL) {
        judged->unsorted++;
        return;
    }
    entry->entry.families |= WARP_FAMILY_BIT(warp_form_get(k->c.form)->family);
    entry->entry.hits[k->c.form]++;
    entry->first_line = entry->first_line == 0 ? k->line : entry->first_line;
    entry->entry.shown += entry->entry.kind == ENTRY_MISTAKE && cause_term_shows(&entry->entry.term, k, parts);
    if (!leads_better(entry, k, plain))
        return;
    entry->entry.lead = k->c;
    entry->entry.plain = plain;
    entry->line = k->line;
    entry->f = (struct finding){
        .c = k->c, .reference = k->expected, .observed = k->observed, .parts = k->parts, .observed_name = "input"};
    warp_result_compare(&k->c, &k->expected, &k->observed, k->parts, &entry->f.diff);
}

static int by_line(const void *x, const void *y)
{
    const uint64_t a = ((const struct cause_case *)x)->line, b = ((const struct cause_case *)y)->line;
    return a < b ? -1 : a > b;
}

/* In the order in which they came: the search has its own. */
static void sort_family(struct judged *judged, const struct cause *cause, struct cause_evidence *e)
{
    qsort(e->cases, e->count, sizeof e->cases[0], by_line);
    for (size_t i = 0; i < e->count; i++)
        if (e->cases[i].differs)
            sort_case(judged, cause, &e->cases[i], e->parts);
    for (size_t i = 0; i < judged->entries_count; i++) {
        struct cause_entry *const entry = &judged->entries[i].entry;
        if (e->count > 0 && (entry->families >> warp_form_get(e->cases[0].c.form)->family & 1u))
            entry->reading = causes_reading_at_stake(entry, e);
    }
}

/* Asks again. False: it answers otherwise now, or does not accept what the case became. */
static bool reduce_lead(struct judged_entry *entry)
{
    struct reduction stats = {.limit = REDUCE_LIMIT, .until = clock_seconds() + REDUCE_SECONDS};
    const struct cause_entry *const e = &entry->entry;
    struct warp_case c = e->lead;
    struct finding f;
    if (!lead_make_finding(&f, e->reference, e->observed, &c)) {
        struct warp_result again;
        entry->unasked = !finding_ask(e->observed, &c, 1, &again);
        return false;
    }
    if (!lead_finding(e, &c, &f, &stats))
        return false;
    entry->f = f;
    entry->steps = stats.tried;
    return true;
}

/* --- what is kept from earlier calls --- */

/* The cases up to the first that shows the entry, which the implementation accepts. NULL: there are none before it that
 * are remembered, or there is no memory. */
static struct warp_case *cases_before(const struct judged *judged, const struct judged_entry *entry, size_t *n)
{
    const struct judged_asked *const last = judged->asked + judged->asked_count;
    const struct judged_asked *at = judged->asked;
    struct warp_case *const cases = malloc(judged->asked_count * sizeof *cases + 1);
    *n = 0;
    for (; cases != NULL && at < last && at->line <= entry->first_line; at++)
        if (warp_impl_accepts(entry->entry.reference, &at->c, NULL, 0) &&
            warp_impl_accepts(entry->entry.observed, &at->c, NULL, 0))
            cases[(*n)++] = at->c;
    if (*n > 1 && at[-1].line == entry->first_line)
        return cases;
    free(cases);
    return NULL;
}

/* It agrees alone. Does it differ after what came before? Then the entry is these calls. */
static bool find_sequence(const struct judged *judged, struct judged_entry *entry)
{
    struct reduction stats = {.limit = SEQUENCE_LIMIT, .until = clock_seconds() + REDUCE_SECONDS};
    struct cause_entry *const e = &entry->entry;
    size_t n, at;
    struct warp_case *const cases = cases_before(judged, entry, &n);
    struct finding f;
    if (cases == NULL)
        return false;
    entry->after = n - 1;
    at = n - 1;
    if (!reduce_sequence_finding(&f, cases, &n, &at, e->reference, e->observed, &stats)) {
        free(cases);
        return false;
    }
    e->kind = ENTRY_HISTORY;
    e->sequence = cases;
    e->sequence_n = n;
    e->sequence_at = at;
    entry->line = entry->first_line;
    entry->f = f;
    entry->steps = stats.tried;
    return true;
}

/* The entry of what is kept from earlier calls; NULL: there is none before `end`. */
static struct judged_entry *history_entry(struct judged *judged, size_t end)
{
    for (size_t i = 0; i < end; i++)
        if (judged->entries[i].entry.kind == ENTRY_HISTORY)
            return &judged->entries[i];
    return NULL;
}

/* Adds the cases of entry i to another one, and removes it. */
static void merge(struct judged *judged, struct judged_entry *into, size_t i)
{
    struct judged_entry *const from = &judged->entries[i];
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        into->entry.hits[form] += from->entry.hits[form];
    into->entry.families |= from->entry.families;
    judged->entries_count--;
    memmove(from, from + 1, (judged->entries_count - i) * sizeof *from);
}

/* Asks again about the lead of entry i, and where it agrees now, after what came before. False: the entry is gone. */
static bool ask_again(struct judged *judged, size_t i)
{
    struct judged_entry *const entry = &judged->entries[i], *const history = history_entry(judged, i);
    struct error error;
    entry->reduced = impl_restart(entry->entry.observed, &error) && reduce_lead(entry);
    if (entry->reduced || entry->unasked)
        return true;
    if (history != NULL) {
        merge(judged, history, i);
        return false;
    }
    entry->reduced = find_sequence(judged, entry);
    return true;
}

bool judged_settle(struct judged *judged, const struct warp_impl *reference, const struct warp_impl *observed)
{
    const struct cause *known = NULL;
    struct cause causes[WARP_FAMILIES];
    judged->entries = calloc(JUDGED_ENTRIES_MAX, sizeof *judged->entries);
    if (judged->entries == NULL)
        return false;
    for (size_t f = 0; f < WARP_FAMILIES; f++) {
        if (judged->evidence[f].mismatches == 0)
            continue;
        cause_find(&judged->evidence[f], known, SEARCH_SECONDS, &causes[f]);
        known = causes[f].count > 0 ? &causes[f] : known;
        sort_family(judged, &causes[f], &judged->evidence[f]);
    }
    for (size_t i = 0; i < judged->entries_count; i++) {
        judged->entries[i].entry.reference = reference;
        judged->entries[i].entry.observed = observed;
        judged->entries[i].f.reference_name = reference->name;
    }
    for (size_t i = 0; observed != NULL && i < judged->entries_count && !interrupted();)
        i += ask_again(judged, i);
    return true;
}

void judged_free(struct judged *judged)
{
    for (size_t f = 0; f < WARP_FAMILIES; f++)
        cause_evidence_free(&judged->evidence[f]);
    for (size_t i = 0; judged->entries != NULL && i < judged->entries_count; i++)
        free(judged->entries[i].entry.sequence);
    free(judged->asked);
    free(judged->entries);
    judged->entries = NULL;
}
