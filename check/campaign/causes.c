#include "check/campaign/causes.h"

#include "base/buffer.h"
#include "base/interrupt.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <string.h>

#define CAUSE_CASES  2000u
#define CAUSE_SEARCH 5.0 /* seconds */

/* Batches are left out: their mistakes are in how cases lie in memory, and none shows when cases are asked. */
static bool has_mismatches(const struct subject *subject, enum warp_family family)
{
    for (enum kind k = 0; k < KINDS; k++)
        if (k != KIND_BATCH && checker_family(&subject->kinds[k], family).mismatches > 0)
            return true;
    return false;
}

static void find_cause(const struct campaign *campaign, const struct subject *subject, enum warp_family family,
                       struct campaign_cause *found)
{
    struct cause_evidence evidence;
    *found = (struct campaign_cause){.subject = subject, .families = WARP_FAMILY_BIT(family)};
    found->asked =
        cause_gather(&evidence, campaign->reference, subject->impl, family, campaign->seed, CAUSE_CASES, &found->why);
    if (found->asked)
        cause_find(&evidence, CAUSE_SEARCH, &found->cause);
    cause_evidence_free(&evidence);
}

static bool is_same(const struct campaign_cause *x, const struct campaign_cause *y)
{
    if (x->subject != y->subject || x->asked != y->asked)
        return false;
    if (!x->asked)
        return strcmp(x->why.text, y->why.text) == 0;
    return (x->cause.mismatches == 0) == (y->cause.mismatches == 0) && cause_same(&x->cause, &y->cause);
}

/* Adds it to the one with the same cause. Returns how many there are then. */
static size_t merge(struct campaign_cause *causes, size_t count, const struct campaign_cause *found)
{
    for (size_t i = 0; i < count; i++)
        if (is_same(&causes[i], found)) {
            causes[i].families |= found->families;
            causes[i].cause.mismatches += found->cause.mismatches;
            causes[i].cause.agreements += found->cause.agreements;
            return count;
        }
    causes[count] = *found;
    return count + 1;
}

size_t campaign_causes(const struct campaign *campaign, struct campaign_cause *causes)
{
    struct campaign_cause found;
    size_t count = 0;
    for (size_t i = 0; i < campaign->count; i++)
        for (unsigned f = 0; f < WARP_FAMILIES && !interrupted(); f++)
            if (has_mismatches(&campaign->subjects[i], (enum warp_family)f)) {
                find_cause(campaign, &campaign->subjects[i], (enum warp_family)f, &found);
                count = merge(causes, count, &found);
            }
    return interrupted() ? 0 : count;
}

/* The family whose page is cited: the first, which is the one with a membermask where there are both. */
static enum warp_family cited(uint32_t families)
{
    unsigned family = 0;
    while (!(families >> family & 1u))
        family++;
    return (enum warp_family)family;
}

const char *campaign_cause_text(const struct campaign_cause *c, char text[CAUSE_LINE_MAX])
{
    struct buffer line = {0};
    char words[CAUSE_TEXT_MAX];
    const char *between = " in ";
    if (!c->asked)
        buffer_format(&line, "not found, it could not be asked again: %s", c->why.text);
    else if (c->cause.mismatches == 0)
        buffer_format(&line, "not found: asked again, it agreed on all %llu cases",
                      (unsigned long long)c->cause.agreements);
    else
        buffer_text(&line, cause_text(&c->cause, cited(c->families), words));
    buffer_format(&line, " [%s", c->subject->impl->name);
    for (unsigned f = 0; f < WARP_FAMILIES; f++)
        if (c->families >> f & 1u) {
            buffer_format(&line, "%s%s", between, warp_family_name(f));
            between = ", ";
        }
    buffer_text(&line, "]");
    snprintf(text, CAUSE_LINE_MAX, "%s", buffer_string(&line));
    buffer_free(&line);
    return text;
}
