/*
 * Steps on the form and on registers: target, destinations, a, b, c, and what inactive lanes hold.
 */
#include "check/reduce/steps.h"

enum operand { OPERAND_A, OPERAND_A_HIGH, OPERAND_B, OPERAND_C, OPERAND_MEMBERMASK, OPERANDS };

static uint32_t *operand_of(struct warp_case *c, enum operand which)
{
    uint32_t *const all[OPERANDS] = {c->a, c->a_high, c->b, c->c, c->membermask};
    return all[which];
}

void reduce_form(struct reducer *r)
{
    const struct warp_target_info *t;
    struct warp_case candidate = *r->best;
    candidate.target = reduce_plain_target(warp_form_get(candidate.form));
    reduce_propose(r, &candidate);
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        candidate = *r->best;
        candidate.target = t->target;
        reduce_propose(r, &candidate);
    }
    for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++) {
        candidate = *r->best;
        candidate.dst = dst;
        reduce_propose(r, &candidate);
    }
    candidate = *r->best;
    candidate.negate = 0;
    if (!reduce_propose(r, &candidate) && r->best->negate != 0) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            candidate.a[lane] ^= 1u; /* the same predicates, written without `!` */
        reduce_propose(r, &candidate);
    }
}

static bool set_word(struct reducer *r, enum operand which, unsigned lane, uint32_t value)
{
    struct warp_case candidate = *r->best;
    operand_of(&candidate, which)[lane] = value;
    return reduce_propose(r, &candidate);
}

/* Sets (old & keep) | set in every active lane. */
static bool set_all(struct reducer *r, enum operand which, uint32_t keep, uint32_t set)
{
    struct warp_case candidate = *r->best;
    uint32_t *const words = operand_of(&candidate, which);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(candidate.active, lane))
            words[lane] = (words[lane] & keep) | set;
    return reduce_propose(r, &candidate);
}

/* Tries one value for the whole warp: the plain one, none, or that of one of the lanes. */
static void make_uniform(struct reducer *r, enum operand which, uint32_t plain)
{
    if (set_all(r, which, 0, plain) || set_all(r, which, 0, 0))
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(r->best->active, lane) && set_all(r, which, 0, operand_of(r->best, which)[lane]))
            return;
}

static void clear_bits_of_all(struct reducer *r, enum operand which, uint32_t meaning)
{
    set_all(r, which, meaning, 0);
    for (unsigned bit = 0; bit < 32; bit++)
        set_all(r, which, ~(UINT32_C(1) << bit), 0);
}

static void clear_bits(struct reducer *r, enum operand which, unsigned lane)
{
    for (unsigned bit = 32; bit-- > 0;)
        if (operand_of(r->best, which)[lane] >> bit & 1u)
            set_word(r, which, lane, operand_of(r->best, which)[lane] & ~(UINT32_C(1) << bit));
}

/* Segment masks of the widths 32, 16, 8, 4, 2, 1. */
static const uint32_t segments[] = {0x00, 0x10, 0x18, 0x1c, 0x1e, 0x1f};

/* Tries all values of small fields, from the simplest: 32 values of b, and the values of c that code uses. */
static void simplify_fields(struct reducer *r, unsigned lane)
{
    const uint32_t clamp = reduce_plain_c(warp_form_get(r->best->form));
    for (uint32_t field = 0; field < 32; field++)
        if (set_word(r, OPERAND_B, lane, (r->best->b[lane] & ~SHIFT_MEANING_B) | field))
            break;
    for (size_t i = 0; i < sizeof segments / sizeof segments[0]; i++) {
        const uint32_t ignored = r->best->c[lane] & ~SHIFT_MEANING_C;
        if (set_word(r, OPERAND_C, lane, ignored | segments[i] << 8 | clamp) ||
            set_word(r, OPERAND_C, lane, ignored | segments[i] << 8 | (31u - clamp)))
            break;
    }
}

static void simplify_fields_of_all(struct reducer *r)
{
    const uint32_t clamp = reduce_plain_c(warp_form_get(r->best->form));
    for (uint32_t field = 0; field < 32; field++)
        set_all(r, OPERAND_B, ~SHIFT_MEANING_B, field);
    for (size_t i = 0; i < sizeof segments / sizeof segments[0]; i++) {
        set_all(r, OPERAND_C, ~SHIFT_MEANING_C, segments[i] << 8 | clamp);
        set_all(r, OPERAND_C, ~SHIFT_MEANING_C, segments[i] << 8 | (31u - clamp));
    }
}

/* One bit without meaning, as low as it goes. */
static void lower_ignored(struct reducer *r, enum operand which, unsigned lane, uint32_t meaning)
{
    const uint32_t word = operand_of(r->best, which)[lane];
    for (unsigned bit = 0; bit < 32 && (word & ~meaning) != 0; bit++)
        if (!(meaning >> bit & 1u) && set_word(r, which, lane, (word & meaning) | UINT32_C(1) << bit))
            return;
}

void reduce_shift(struct reducer *r)
{
    const struct warp_form_info *info = warp_form_get(r->best->form);
    if (!warp_form_is_shfl(info))
        return;
    make_uniform(r, OPERAND_B, 0);
    make_uniform(r, OPERAND_C, reduce_plain_c(info));
    clear_bits_of_all(r, OPERAND_B, SHIFT_MEANING_B);
    clear_bits_of_all(r, OPERAND_C, SHIFT_MEANING_C);
    simplify_fields_of_all(r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(r->best->active, lane))
            continue;
        simplify_fields(r, lane);
        clear_bits(r, OPERAND_B, lane);
        clear_bits(r, OPERAND_C, lane);
        lower_ignored(r, OPERAND_B, lane, SHIFT_MEANING_B);
        lower_ignored(r, OPERAND_C, lane, SHIFT_MEANING_C);
    }
}

static void number_lanes(struct reducer *r)
{
    struct warp_case candidate = *r->best;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(candidate.active, lane)) {
            candidate.a[lane] = lane;
            candidate.a_high[lane] = 0;
        }
    reduce_propose(r, &candidate);
}

static void simplify_source(struct reducer *r, enum operand which, unsigned lane)
{
    const uint32_t choices[] = {0, 1, lane, 2, 3};
    const bool is_float = warp_form_get(r->best->form)->type == WARP_F32;
    const size_t n = is_float ? PLAIN_FLOATS : sizeof choices / sizeof choices[0];
    for (size_t i = 0; i < n; i++)
        if (set_word(r, which, lane, is_float ? reduce_plain_floats[i] : choices[i]))
            return;
    set_word(r, which, lane, operand_of(r->best, which)[lane] & 0xffu);
    clear_bits(r, which, lane);
}

/* Clears the same bits of both halves at once, for cases in which only the relation of the halves matters. */
static void clear_bits_of_halves(struct reducer *r, lanemask lanes)
{
    for (unsigned bit = 32; bit-- > 0;) {
        struct warp_case candidate = *r->best;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (!lane_in(lanes & candidate.active, lane))
                continue;
            candidate.a[lane] &= ~(UINT32_C(1) << bit);
            candidate.a_high[lane] &= ~(UINT32_C(1) << bit);
        }
        reduce_propose(r, &candidate);
    }
}

void reduce_source(struct reducer *r)
{
    const bool has_halves = warp_form_get(r->best->form)->type == WARP_B64;
    for (enum operand which = OPERAND_A; which <= OPERAND_A_HIGH; which++) {
        set_all(r, which, 0, 0);
        set_all(r, which, 0, 1);
    }
    number_lanes(r);
    if (has_halves)
        clear_bits_of_halves(r, UINT32_MAX);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(r->best->active, lane))
            continue;
        simplify_source(r, OPERAND_A_HIGH, lane);
        simplify_source(r, OPERAND_A, lane);
        if (has_halves)
            clear_bits_of_halves(r, (lanemask)1 << lane);
    }
}

/* Zeroes an operand, or all of them (OPERANDS), in these inactive lanes. */
static bool clear_lanes(struct reducer *r, enum operand which, lanemask lanes)
{
    struct warp_case candidate = *r->best;
    for (enum operand i = OPERAND_A; i < OPERANDS; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((which == OPERANDS || which == i) && lane_in(lanes & ~candidate.active, lane))
                operand_of(&candidate, i)[lane] = 0;
    return reduce_propose(r, &candidate);
}

void reduce_garbage(struct reducer *r)
{
    if (clear_lanes(r, OPERANDS, UINT32_MAX))
        return;
    for (enum operand which = OPERAND_A; which < OPERANDS; which++) {
        if (clear_lanes(r, which, UINT32_MAX))
            continue;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            clear_lanes(r, which, (lanemask)1 << lane);
    }
}
