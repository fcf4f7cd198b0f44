#include "check/campaign/judged.h"

#include "base/clock.h"
#include "base/interrupt.h"
#include "check/campaign/lead.h"
#include "warpcheck/bytes.h"

#include <stdlib.h>

#define AGREEMENTS_MAX 2000u /* of one instruction, against which causes are held */
#define SEARCH_SECONDS 2.0
#define REDUCE_LIMIT   20000u
#define REDUCE_SECONDS 3.0 /* each lead */

bool judged_add(struct judged *judged, const struct finding *f, bool agrees, uint64_t line)
{
    struct cause_evidence *const e = &judged->evidence[warp_form_get(f->c.form)->family];
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
        judged->entries[i].reduced = observed != NULL && !interrupted() && reduce_lead(&judged->entries[i]);
    }
    return true;
}

void judged_free(struct judged *judged)
{
    for (size_t f = 0; f < WARP_FAMILIES; f++)
        cause_evidence_free(&judged->evidence[f]);
    free(judged->entries);
    judged->entries = NULL;
}
