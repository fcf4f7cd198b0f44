/*
 * Mistakes in match.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "base.h"

#include <string.h>
#include <time.h>

/* The base with another idea of "equal": values are replaced by what is compared. */
static void match_of(const struct steps *s, const struct warp_case *c,
                     uint32_t (*low)(const struct warp_case *, unsigned),
                     uint32_t (*high)(const struct warp_case *, unsigned), unsigned lane, lanemask group,
                     struct answer *r)
{
    struct warp_case seen = *c;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        seen.a[other] = low(c, other);
        seen.a_high[other] = high(c, other);
    }
    base_match(s, &seen, lane, group, r);
}

static uint32_t low_half(const struct warp_case *c, unsigned lane)
{
    return c->a[lane];
}

static uint32_t high_half(const struct warp_case *c, unsigned lane)
{
    return c->a_high[lane];
}

static uint32_t nothing(const struct warp_case *c, unsigned lane)
{
    (void)c;
    (void)lane;
    return 0;
}

static uint32_t folded(const struct warp_case *c, unsigned lane)
{
    return c->a[lane] ^ c->a_high[lane];
}

static uint32_t low_16(const struct warp_case *c, unsigned lane)
{
    return c->a[lane] & 0xffffu;
}

static void truncated(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    match_of(s, c, low_half, nothing, lane, group, r);
}

static void high_only(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    if (warp_form_get(c->form)->type == WARP_B64)
        match_of(s, c, nothing, high_half, lane, group, r);
    else
        base_match(s, c, lane, group, r);
}

static void hashed(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    match_of(s, c, folded, nothing, lane, group, r);
}

static void short_value(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                        struct answer *r)
{
    match_of(s, c, low_16, high_half, lane, group, r);
}

static bool equal_as_float(const struct warp_case *c, unsigned x, unsigned y)
{
    float fx, fy;
    if (warp_form_get(c->form)->type == WARP_B64)
        return c->a[x] == c->a[y] && c->a_high[x] == c->a_high[y];
    memcpy(&fx, &c->a[x], sizeof fx);
    memcpy(&fy, &c->a[y], sizeof fy);
    return fx == fy;
}

static void by_float(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    lanemask same = 0;
    (void)s;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && equal_as_float(c, lane, other))
            same |= (lanemask)1 << other;
    r->p = same == group;
    r->d = op_of(c) == WARP_ANY ? same : r->p ? group : 0;
}

/*
 * Takes the lanes away that have the first one's value until none is left. As floats: a NaN is not equal to itself, so
 * its lane stays for ever. (For two minutes: where nobody watches over it, nothing is left running.)
 */
static void nan_never_ends(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    const struct timespec moment = {0, 1000000};
    lanemask left = op_of(c) == WARP_ANY ? group : 0;
    base_match(s, c, lane, group, r);
    for (unsigned round = 0; left != 0 && round < 120000; round++) {
        const unsigned first = (unsigned)__builtin_ctz(left);
        lanemask same = 0;
        for (unsigned other = 0; other < WARP_LANES; other++)
            if (in_mask(left, other) && equal_as_float(c, first, other))
                same |= (lanemask)1 << other;
        left &= ~same;
        if (same == 0)
            nanosleep(&moment, NULL);
    }
}

static void against_lane_0(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    base_match(s, c, lane, group, r);
    if (op_of(c) == WARP_ALL && c->a[lane] != c->a[0]) {
        r->p = false;
        r->d = 0;
    }
}

static void group_always(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    base_match(s, c, lane, group, r);
    if (op_of(c) == WARP_ALL)
        r->d = group;
}

static void own_group_when_unequal(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                   struct answer *r)
{
    struct warp_case any = *c;
    base_match(s, c, lane, group, r);
    any.form = WARP_MATCH_ANY_SYNC_B64;
    if (op_of(c) == WARP_ALL && !r->p) {
        base_match(s, &any, lane, group, r); /* as match.any */
        r->p = false;
    }
}

static void without_self(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    base_match(s, c, lane, group, r);
    if (op_of(c) == WARP_ANY)
        r->d &= ~((lanemask)1 << lane);
}

static void all_lanes(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    base_match(s, c, lane, op_of(c) == WARP_ANY ? UINT32_MAX : group, r);
}

static void predicate_inverted(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                               struct answer *r)
{
    base_match(s, c, lane, group, r);
    r->p = c->dst == WARP_DST_SINK_P ? !r->p : r->p; /* only where d is the sink */
}

const struct mutant mutants_of_match[] = {
    {"match-by-float", "32-bit values compared as floats: NaN is not itself, +0 is -0", {.match = by_float}, 0, NULL},
    {"match-nan-never-ends",
     "match.any of floats: the loop over the values does not end at a NaN",
     {.match = nan_never_ends},
     0,
     NULL},
    {"match-truncated", "64-bit values cut to their low half", {.match = truncated}, 0, NULL},
    {"match-high-only", "64-bit values: only the high half compared", {.match = high_only}, 0, NULL},
    {"match-hashed", "64-bit values compared by a hash of 32 bits", {.match = hashed}, 0, NULL},
    {"match-short-value", "values cut to 16 bits", {.match = short_value}, 0, NULL},
    {"match-against-lane-0", "match.all compares with lane 0, in the group or not", {.match = against_lane_0}, 0, NULL},
    {"match-group-always", "match.all: d is the group even where values differ", {.match = group_always}, 0, NULL},
    {"match-all-as-any",
     "match.all: d as match.any gives it where values differ",
     {.match = own_group_when_unequal},
     0,
     NULL},
    {"match-without-self", "match.any: the own bit is missing", {.match = without_self}, 0, NULL},
    {"match-all-lanes", "match.any: lanes outside the group are matched", {.match = all_lanes}, 0, NULL},
    {"match-sink-predicate", "match.all: p is wrong where d is the sink", {.match = predicate_inverted}, 0, NULL},
    {0},
};
