/*
 * Mistakes in shfl: the source lane, its range, the predicate, and where the value is read.
 */
#include "base.h"

#include <stdio.h>

/* The right formula with these fields instead of those of b and c; the mutants below feed it wrong ones. */
static int source_from(enum warp_op mode, int lane, int shift, struct segment s, bool *in_range)
{
    int j = lane;
    switch (mode) {
    case WARP_UP:
        j = lane - shift;
        *in_range = j >= s.last;
        return j;
    case WARP_DOWN:
        j = lane + shift;
        break;
    case WARP_BFLY:
        j = lane ^ shift;
        break;
    case WARP_IDX:
    case WARP_OPS_BUT_SHFL:
        j = s.first | (shift & ~s.mask);
        break;
    }
    *in_range = j <= s.last;
    return j;
}

static int b_not_masked(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const int shift = (int)(b & 0xffffffu); /* 24 bits, so that the sum cannot overflow */
    return source_from(mode, lane, shift, segment_of(lane, c), in_range);
}

static int b_negative(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const int shift = (int)(b & 31u) - (b >> 31 ? 32 : 0); /* "a negative delta shifts the other way" */
    return source_from(mode, lane, shift, segment_of(lane, c), in_range);
}

static int b_clamped(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const int shift = b > 31 ? 31 : (int)b;
    return source_from(mode, lane, shift, segment_of(lane, c), in_range);
}

static int up_segment_start(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const int j = base_source(mode, lane, b, c, in_range);
    if (mode == WARP_UP)
        *in_range = j >= segment_of(lane, c).first;
    return j;
}

static int up_clamp_31(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    return base_source(mode, lane, b, mode == WARP_UP ? c ^ 31u : c, in_range);
}

static int wraps_at_32(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const struct segment s = segment_of(lane, c);
    const int j = base_source(mode, lane, b, c, in_range) & 31;
    *in_range = mode == WARP_UP ? j >= s.last : j <= s.last;
    return j;
}

static int wraps_in_segment(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const struct segment s = segment_of(lane, c);
    int j = base_source(mode, lane, b, c, in_range);
    if (!*in_range)
        j = s.first | (j & ~s.mask & 31);
    *in_range = true;
    return j;
}

static int wraps_instead_of_own(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const int j = base_source(mode, lane, b, c, in_range);
    if (mode == WARP_UP || mode == WARP_DOWN)
        *in_range = true; /* base_shfl takes the lane modulo 32 */
    return j;
}

static int five_bits(int x)
{
    x &= 31;
    return x >= 16 ? x - 32 : x;
}

static int signed_compare(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const int last = five_bits(segment_of(lane, c).last);
    const int j = base_source(mode, lane, b, c, in_range);
    *in_range = mode == WARP_UP ? five_bits(j) >= last : five_bits(j) <= last;
    return j;
}

static int bfly_own_segment(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const struct segment s = segment_of(lane, c);
    const int j = base_source(mode, lane, b, c, in_range);
    if (mode == WARP_BFLY && (j & s.mask) != s.first)
        *in_range = false;
    return j;
}

static int segment_of_source(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    if (mode == WARP_IDX)
        return source_from(mode, lane, (int)(b & 31u), segment_of((int)(b & 31u), c), in_range);
    return base_source(mode, lane, b, c, in_range);
}

static int idx_absolute(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const struct segment s = segment_of(lane, c);
    const int j = base_source(mode, lane, b, c, in_range);
    if (mode != WARP_IDX)
        return j;
    *in_range = (int)(b & 31u) >= s.first && (int)(b & 31u) <= s.last;
    return (int)(b & 31u);
}

static int clamp_absolute(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    struct segment s = segment_of(lane, c);
    s.last = s.clamp;
    return source_from(mode, lane, (int)(b & 31u), s, in_range);
}

static int width_ignored(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    return base_source(mode, lane, b, c & 31u, in_range);
}

static int clamp_ignored(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    return base_source(mode, lane, b, mode == WARP_UP ? c & ~31u : c | 31u, in_range);
}

static int fields_of_c_swapped(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    return base_source(mode, lane, b, (c & 31u) << 8 | (c >> 8 & 31u), in_range);
}

static int width_from_clamp(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    struct segment s = segment_of(lane, c);
    const int width = 32 - s.mask; /* right only for masks that CUDA's widths give */
    s.first = lane / width * width;
    s.mask = ~(width - 1);
    s.last = mode == WARP_UP ? s.first | s.clamp : s.first + (s.clamp < width ? s.clamp : width - 1);
    return source_from(mode, lane, (int)(b & 31u), s, in_range);
}

/* An enumeration in the order idx, up, down, bfly against one in the manual's order. */
static int mode_order(enum warp_op mode, int lane, uint32_t b, uint32_t c, bool *in_range)
{
    const enum warp_op mistaken[] = {
        [WARP_UP] = WARP_IDX, [WARP_DOWN] = WARP_UP, [WARP_BFLY] = WARP_DOWN, [WARP_IDX] = WARP_BFLY};
    return base_source(mistaken[mode], lane, b, c, in_range);
}

static void predicate_never_written(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                    struct answer *r)
{
    base_shfl(s, c, lane, group, r);
    r->p = false;
}

static void predicate_of_source(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                struct answer *r)
{
    bool in_range;
    const int j = s->source(op_of(c), (int)lane, c->b[lane], c->c[lane], &in_range);
    base_shfl(s, c, lane, group, r);
    if (in_range)
        s->source(op_of(c), j, c->b[j], c->c[j], &r->p);
}

static void predicate_needs_source(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                   struct answer *r)
{
    base_shfl(s, c, lane, group, r);
    r->p = r->p && r->d_defined;
}

/* The lane number is counted over the lanes that execute. */
static void lane_counter(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    uint32_t values[WARP_LANES] = {0};
    int counted = 0;
    int mine = 0;
    int j;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        if (!in_mask(group, other))
            continue;
        if (other == lane)
            mine = counted;
        values[counted++] = c->a[other];
    }
    j = s->source(op_of(c), mine, c->b[lane], c->c[lane], &r->p);
    j = r->p ? j & 31 : mine;
    r->d = values[j];
    r->d_defined = j < counted;
}

/* d and a are one register, written lane by lane. */
static void in_place(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    bool in_range;
    const int j = s->source(op_of(c), (int)lane, c->b[lane], c->c[lane], &in_range);
    base_shfl(s, c, lane, group, r);
    if (in_range && r->d_defined && j < (int)lane) {
        const bool p = r->p;
        in_place(s, c, (unsigned)j, group, r); /* that lane was written before this one read it */
        r->p = p;
        r->d_defined = true;
    }
}

static void source_always_there(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                struct answer *r)
{
    base_shfl(s, c, lane, group, r);
    r->d_defined = true;
}

static void first_lane_operands(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                struct answer *r)
{
    unsigned first = 0;
    int j;
    while (!in_mask(group, first))
        first++;
    j = s->source(op_of(c), (int)lane, c->b[first], c->c[first], &r->p);
    j = r->p ? j : (int)lane;
    r->d = c->a[j];
    r->d_defined = in_mask(group, (unsigned)j);
}

/* What CUDA's __shfl_*_sync offers: a value, no predicate; here under the full mask only. */
static bool full_mask_only(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    bool full = c->active == UINT32_MAX;
    (void)state;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        full = full && c->membermask[lane] == UINT32_MAX;
    if (warp_form_get(c->form)->family == WARP_SHFL_SYNC && full)
        return true;
    snprintf(why, why_size, "only shfl.sync of a full warp");
    return false;
}

static bool shfl_only(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state;
    if (warp_form_is_shfl(warp_form_get(c->form)))
        return true;
    snprintf(why, why_size, "only shfl");
    return false;
}

const struct mutant mutants_of_shfl[] = {
    {"b-not-masked", "b is not masked to 5 bits", {.source = b_not_masked}, 0, NULL},
    {"b-negative", "a negative b shifts the other way", {.source = b_negative}, 0, NULL},
    {"b-clamped", "b above 31 is taken as 31", {.source = b_clamped}, 0, NULL},
    {"up-segment-start", "up tests the segment's start, not maxLane", {.source = up_segment_start}, 0, NULL},
    {"up-clamp-31", "up's clamp counted from the other end: 0 and 31 confused", {.source = up_clamp_31}, 0, NULL},
    {"wraps-at-32", "the source lane is cut to 5 bits before the comparison", {.source = wraps_at_32}, 0, NULL},
    {"wraps-in-segment",
     "out of range: reads on from the other end of the segment",
     {.source = wraps_in_segment},
     0,
     NULL},
    {"wraps-instead-of-own",
     "out of range: another lane's value instead of the own one",
     {.source = wraps_instead_of_own},
     0,
     NULL},
    {"signed-5-bit-compare", "lane numbers compared as signed 5-bit numbers", {.source = signed_compare}, 0, NULL},
    {"bfly-own-segment", "bfly into an earlier segment gives the own value", {.source = bfly_own_segment}, 0, NULL},
    {"idx-segment-of-source", "idx uses the segment of the source lane", {.source = segment_of_source}, 0, NULL},
    {"idx-absolute", "idx takes b as a lane of the warp, not of the segment", {.source = idx_absolute}, 0, NULL},
    {"clamp-absolute",
     "lane of the warp against a clamp that is relative to the segment",
     {.source = clamp_absolute},
     0,
     NULL},
    {"width-ignored", "segments ignored", {.source = width_ignored}, 0, NULL},
    {"clamp-ignored", "clamp ignored", {.source = clamp_ignored}, 0, NULL},
    {"fields-of-c-swapped",
     "clamp and segment mask read from each other's place",
     {.source = fields_of_c_swapped},
     0,
     NULL},
    {"width-from-mask",
     "segment mask taken for a width: right for CUDA's encodings only",
     {.source = width_from_clamp},
     0,
     NULL},
    {"mode-order", "modes numbered in another order", {.source = mode_order}, 0, NULL},
    {"predicate-never-written", "the predicate destination is not written", {.shfl = predicate_never_written}, 0, NULL},
    {"predicate-of-source",
     "the predicate of the source lane instead of the own one",
     {.shfl = predicate_of_source},
     0,
     NULL},
    {"predicate-needs-source",
     "the predicate is false where the source lane does not take part",
     {.shfl = predicate_needs_source},
     0,
     NULL},
    {"lane-counter", "lane number from a counter over the active lanes", {.shfl = lane_counter}, 0, NULL},
    {"in-place", "d is a: reads lanes that are already overwritten", {.shfl = in_place}, 0, NULL},
    {"source-always-there", "takes every source lane for one that takes part", {.shfl = source_always_there}, 0, NULL},
    {"first-lane-operands", "b and c of the first lane for all", {.shfl = first_lane_operands}, 0, NULL},
    {"full-mask-api",
     "CUDA's functions under the full mask, no predicate; width ignored",
     {.source = width_ignored},
     WARP_PART_D,
     full_mask_only},
    {"no-predicate-api",
     "shfl without a predicate; out of range wraps",
     {.source = wraps_instead_of_own},
     WARP_PART_D | WARP_PART_OUTCOME,
     shfl_only},
    {0},
};
