/* What a recording holds, and what it shows of values that the manual leaves open. */
#include "gpu/recording.h"
#include "model/lanes.h"

#include <string.h>

/* True when two active lanes have different groups. */
static bool has_groups(const struct warp_case *c)
{
    lanemask first = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(c->active >> lane & 1u))
            continue;
        if (first != 0 && lanes_group(c, lane) != first)
            return true;
        first = lanes_group(c, lane);
    }
    return false;
}

void recording_coverage(const struct recording *recording, enum warp_form form, struct recording_coverage *coverage)
{
    struct warp_case c;
    memset(coverage, 0, sizeof *coverage);
    for (size_t i = 0; i < recording_count(recording); i++) {
        recording_get(recording, i, &c, NULL);
        if (c.form != form)
            continue;
        coverage->cases++;
        coverage->lanes += lanes_in(c.active);
        coverage->groups += has_groups(&c);
        coverage->exited += c.exited != 0;
        coverage->elsewhere += (c.active | c.exited) != UINT32_MAX;
    }
}

static void count_lane(const struct warp_case *c, const struct warp_result *r, unsigned lane,
                       struct recording_unpredictable counts[SOURCES])
{
    const unsigned j = lanes_source(c, lane);
    struct recording_unpredictable *u = &counts[SOURCE_OTHER_GROUP];
    bool is_source, is_own, is_zero;
    if (c->exited >> j & 1u)
        u = &counts[SOURCE_EXITED];
    else if (!(c->active >> j & 1u))
        u = &counts[SOURCE_ELSEWHERE];
    u->lanes++;
    is_source = r->d[lane] == c->a[j];
    is_own = r->d[lane] == c->a[lane];
    is_zero = r->d[lane] == 0;
    if (is_source + is_own + is_zero > 1)
        u->several++;
    u->source += is_source && !is_own && !is_zero;
    u->own += is_own && !is_source && !is_zero;
    u->zero += is_zero && !is_source && !is_own;
    u->other += !is_source && !is_own && !is_zero;
}

void recording_unpredictable(const struct recording *recording, enum warp_family family,
                             struct recording_unpredictable counts[SOURCES])
{
    struct warp_case c;
    struct warp_result r;
    memset(counts, 0, SOURCES * sizeof *counts);
    for (size_t i = 0; i < recording_count(recording); i++) {
        recording_get(recording, i, &c, &r);
        if (warp_form_get(c.form)->family != family || !warp_form_is_shfl(warp_form_get(c.form)) ||
            !warp_form_writes_d(warp_form_get(c.form), c.dst))
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((r.done & ~r.d_defined) >> lane & 1u)
                count_lane(&c, &r, lane, counts);
    }
}
