#include "cli/work/judged.h"

#include <string.h>

#define EVIDENCE_MAX   1000u /* mismatches, and as many agreements, of one instruction */
#define SEARCH_SECONDS 2.0

static bool add_evidence(struct judged *judged, const struct finding *f, bool agrees)
{
    struct cause_evidence *const e = &judged->evidence[warp_form_get(f->c.form)->family];
    if ((agrees ? e->agreements : e->mismatches) >= EVIDENCE_MAX)
        return true;
    e->parts |= f->parts;
    const struct cause_case k = {
        .c = f->c, .expected = f->reference, .observed = f->observed, .differs = !agrees, .parts = f->parts};
    return cause_add(e, &k);
}

static struct judged_kind *kind_of(struct judged *judged, const char *class)
{
    for (size_t i = 0; i < judged->kinds_count; i++)
        if (strcmp(judged->kinds[i].class, class) == 0)
            return &judged->kinds[i];
    return NULL;
}

/* The plainer case, then the one with fewer lanes, then the earlier one. */
static bool is_better(const struct judged_kind *kind, const struct finding *f, enum plainness plain)
{
    if (plain != kind->plain)
        return plain > kind->plain;
    return lanes_in(f->c.active) < lanes_in(kind->f.c.active);
}

bool judged_add(struct judged *judged, const struct finding *f, bool agrees, uint64_t line)
{
    char class[FINDING_SIGNATURE_MAX];
    if (!add_evidence(judged, f, agrees))
        return false;
    if (agrees)
        return true;
    const enum plainness plain = plain_of(&f->c, &f->reference);
    finding_class(f, class);
    struct judged_kind *kind = kind_of(judged, class);
    if (!kind && judged->kinds_count == JUDGED_KINDS_MAX) {
        judged->unsorted++;
        return true;
    }
    if (!kind) {
        kind = &judged->kinds[judged->kinds_count++];
        *kind = (struct judged_kind){.f = *f, .plain = plain, .line = line};
        memcpy(kind->class, class, sizeof class);
    } else if (is_better(kind, f, plain)) {
        kind->f = *f;
        kind->plain = plain;
        kind->line = line;
    }
    kind->times++;
    return true;
}

/* The group of what this kind's case shows; what no known mistake explains is one group of its instruction. */
static struct judged_group *group_of(struct judged *judged, const struct judged_kind *kind)
{
    const enum warp_family family = warp_form_get(kind->f.c.form)->family;
    const struct cause *const cause = &judged->causes[family];
    const struct cause_case k = {.c = kind->f.c,
                                 .expected = kind->f.reference,
                                 .observed = kind->f.observed,
                                 .differs = true,
                                 .parts = kind->f.parts};
    const size_t term = cause->count > 0 ? cause_of_case(cause, &k, judged->evidence[family].parts) : 0;
    const bool known = term < cause->count;
    for (size_t i = 0; i < judged->groups_count; i++) {
        struct judged_group *const g = &judged->groups[i];
        if (g->known == known && (known ? cause_term_same(&g->term, &cause->terms[term]) : g->family == family))
            return g;
    }
    if (judged->groups_count == JUDGED_GROUPS_MAX)
        return &judged->groups[JUDGED_GROUPS_MAX - 1];
    struct judged_group *const g = &judged->groups[judged->groups_count++];
    *g = (struct judged_group){.known = known, .cause = cause, .family = family, .lead = kind};
    if (known)
        g->term = cause->terms[term];
    return g;
}

void judged_settle(struct judged *judged)
{
    const struct cause *known = NULL;
    for (size_t f = 0; f < WARP_FAMILIES; f++) {
        if (judged->evidence[f].mismatches == 0)
            continue;
        cause_find(&judged->evidence[f], known, SEARCH_SECONDS, &judged->causes[f]);
        known = judged->causes[f].count > 0 ? &judged->causes[f] : known;
    }
    for (size_t i = 0; i < judged->kinds_count; i++) {
        const struct judged_kind *const kind = &judged->kinds[i];
        struct judged_group *const g = group_of(judged, kind);
        g->times += kind->times;
        g->forms |= UINT64_C(1) << kind->f.c.form;
        if (g->lead->plain < kind->plain ||
            (g->lead->plain == kind->plain && lanes_in(kind->f.c.active) < lanes_in(g->lead->f.c.active)))
            g->lead = kind;
    }
}

void judged_free(struct judged *judged)
{
    for (size_t f = 0; f < WARP_FAMILIES; f++)
        cause_evidence_free(&judged->evidence[f]);
}
