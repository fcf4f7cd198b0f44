/* Fills the arrays: operands that collide, special values, masks that make groups. */
#include "check/batch/fill.h"

#include "base/random.h"
#include "warpcheck/bytes.h"

#define ALL_LANES UINT32_MAX

#define KINDS     6u
#define BUT_ONE   4u /* the kind in which one lane of each row differs: for votes every other array */

/* Bits with which all values of an array begin. */
struct start {
    uint32_t bits, value;
};

/* Half of the arrays have a plain half: the lanes whose bit 4 is not that of the array's value. */
static bool in_plain_half(struct start start, size_t at)
{
    return (start.value >> 5 & 1u) != 0 && ((start.value ^ at) & WARP_LANES / 2) != 0;
}

/* A value of the array. `kind` says what the array holds: few values, special ones, any, one value but in one lane
 * of each row, values that begin alike. For match, an array of few values may have one value in half of the lanes:
 * code that works by halves can be wrong there alone. */
static uint32_t value(struct random *r, const struct warp_form_info *info, unsigned kind, struct start start, size_t at)
{
    uint32_t few;
    switch (kind) {
    case 0:
        return random_below32(r, 2) << 31 >> random_below32(r, 2) * 31; /* 0, 1, or the highest bit */
    case 1:
        few = random_below32(r, 8);
        return info->family == WARP_MATCH_SYNC && in_plain_half(start, at) ? start.value & 7u : few;
    case 2:
        return info->type == WARP_F32 ? warp_special_floats[random_below32(r, (uint32_t)warp_special_floats_count)]
                                      : warp_special_words[random_below32(r, (uint32_t)warp_special_words_count)];
    case 3:
        return random_word(r);
    case BUT_ONE: /* another lane in each row, so that rows do not repeat */
        return (at % WARP_LANES == random_mix(start.bits + at / WARP_LANES) % WARP_LANES) ^ (start.value & 1u);
    default:
        return (random_word(r) & ~start.bits) | (start.value & start.bits);
    }
}

static uint32_t shuffle_operand(struct random *r, const struct warp_form_info *info, bool is_c)
{
    if (random_below32(r, 8) == 0)
        return random_word(r);
    if (!is_c)
        return random_below32(r, 34);
    return warp_width_c(info->op, 1u << random_below32(r, 6)) ^ (random_below32(r, 4) == 0 ? random_below32(r, 32) : 0);
}

/* Predicates of a warp: any, or true in all lanes, in all but one, in one. */
static lanemask truth_of(struct random *r)
{
    const lanemask one = 1u << random_below32(r, WARP_LANES);
    const uint32_t kind = random_below32(r, 6);
    return kind < 3 ? random_word(r) : kind == 3 ? ALL_LANES : kind == 4 ? ~one : one;
}

static void fill_values(const struct batch_layout *l, enum batch_column column, struct random *r, uint32_t *words)
{
    const struct warp_form_info *info = warp_form_get(l->form);
    const size_t extent = batch_extent(&l->columns[column], l->n);
    const bool is_vote = info->type == WARP_PRED && random_below32(r, 2) == 0;
    const unsigned kind = l->negative ? KINDS - 1 : is_vote ? BUT_ONE : random_below32(r, KINDS);
    struct start start = {UINT32_MAX << (31 - random_below32(r, 16)), random_word(r) | (l->negative ? 1u << 31 : 0)};
    const bool is_mask = column == COLUMN_A && l->columns[COLUMN_A].per_warp;
    if (kind == BUT_ONE)
        start.bits = random_word(r);
    for (size_t i = 0; i < extent; i++)
        words[i] = column == COLUMN_B || column == COLUMN_C ? shuffle_operand(r, info, column == COLUMN_C)
                   : is_mask                                ? truth_of(r)
                                                            : value(r, info, kind, start, i);
}

struct masks {
    lanemask member, active, exited;
    lanemask other; /* what some lanes pass instead of `member`; equal to it where the warp has one group */
};

/* All lanes but one. That one is elsewhere or has exited, named or not, or is in a group of its own. */
static struct masks all_but_one(struct random *r)
{
    const lanemask one = 1u << random_below32(r, WARP_LANES), others = ~one;
    switch (random_below32(r, 5)) {
    case 0:
        return (struct masks){others, others, 0, others};
    case 1:
        return (struct masks){others, others, one, others};
    case 2:
        return (struct masks){ALL_LANES, others, one, ALL_LANES};
    case 3:
        return (struct masks){ALL_LANES, others, 0, ALL_LANES};
    default:
        return (struct masks){others, ALL_LANES, 0, one};
    }
}

/* The masks of one warp. Arrays of one word and overlapping rows cannot hold all of it; the warp is then what they
 * hold. */
static struct masks some_masks(struct random *r, enum batch_masks kind)
{
    const lanemask any = random_word(r), more = random_word(r) & random_word(r);
    struct masks m = {ALL_LANES, ALL_LANES, 0, ALL_LANES};
    switch (random_below32(r, 8) == 0 ? MASKS_ANY : kind) {
    case MASKS_ONE_GROUP:
        return (struct masks){any, any | more, more & ~any, any};
    case MASKS_TWO_GROUPS:
        return (struct masks){any, ~more, more, ~any};
    case MASKS_MISSING:
        return (struct masks){any, any & ~more, random_below32(r, 2) ? 0 : more & random_word(r), any};
    case MASKS_BUT_ONE:
        return all_but_one(r);
    case MASKS_ANY:
        return (struct masks){any, random_word(r) | random_word(r), more, random_below32(r, 2) ? random_word(r) : any};
    case MASKS_FULL:
    case MASKS_KINDS:
        break;
    }
    return m;
}

/* Lanes of `member` pass it, the others pass `other`; a few pass anything. In rows that overlap, and in one row for
 * all, the last writer's words stay. */
static void fill_members(const struct batch_place *place, size_t w, const struct masks *m, struct random *r,
                         uint32_t *words)
{
    uint32_t *row = words + w * place->stride;
    const bool strays = random_below32(r, 16) == 0;
    if (place->per_warp) {
        *row = m->member;
        return;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        row[lane] = strays && random_below32(r, 16) == 0 ? random_word(r)
                    : m->member >> lane & 1u             ? m->member
                    : m->active >> lane & 1u             ? m->other
                                                         : random_word(r);
}

static void fill_masks(const struct batch_layout *l, struct random *r, uint32_t *const words[COLUMNS])
{
    const struct batch_place *columns = l->columns;
    for (unsigned i = COLUMN_MEMBERMASK; i <= COLUMN_EXITED; i++)
        for (size_t k = 0; columns[i].present && k < batch_extent(&columns[i], l->n); k++)
            words[i][k] = random_word(r); /* between rows */
    for (size_t w = 0; w < l->n; w++) {
        const struct masks m = some_masks(r, l->masks);
        if (columns[COLUMN_MEMBERMASK].present)
            fill_members(&columns[COLUMN_MEMBERMASK], w, &m, r, words[COLUMN_MEMBERMASK]);
        if (columns[COLUMN_ACTIVE].present)
            words[COLUMN_ACTIVE][w * columns[COLUMN_ACTIVE].stride] = m.active;
        if (columns[COLUMN_EXITED].present)
            words[COLUMN_EXITED][w * columns[COLUMN_EXITED].stride] = m.exited;
    }
}

void batch_fill(const struct batch_layout *l, uint32_t *const words[COLUMNS])
{
    struct random r = {l->content};
    for (enum batch_column i = COLUMN_A; i <= COLUMN_C; i++)
        if (l->columns[i].present)
            fill_values(l, i, &r, words[i]);
    fill_masks(l, &r, words);
}

static uint32_t of_lane(const struct batch_layout *l, const uint32_t *const words[COLUMNS], enum batch_column column,
                        size_t w, unsigned lane)
{
    const struct batch_place *place = &l->columns[column];
    return words[column][w * place->stride + (place->per_warp ? 0 : lane)];
}

static lanemask of_warp(const struct batch_layout *l, const uint32_t *const words[COLUMNS], enum batch_column column,
                        size_t w, lanemask otherwise)
{
    return l->columns[column].present ? words[column][w * l->columns[column].stride] : otherwise;
}

/* The operand a of a lane. A predicate is true when the word is not 0, or when the lane's bit of the warp's word is
 * set. */
static uint32_t source_of(const struct batch_layout *l, const uint32_t *const words[COLUMNS], size_t w, unsigned lane)
{
    const uint32_t x = of_lane(l, words, COLUMN_A, w, lane);
    if (warp_form_get(l->form)->type != WARP_PRED)
        return x;
    return l->columns[COLUMN_A].per_warp ? x >> lane & 1u : x != 0;
}

void batch_case(const struct batch_layout *l, const uint32_t *const words[COLUMNS], size_t w, struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(l->form);
    const bool sync = warp_form_is_sync(info);
    *c = (struct warp_case){.form = l->form, .target = l->target, .dst = l->dst, .negate = l->negate};
    c->exited = of_warp(l, words, COLUMN_EXITED, w, 0);
    c->active = of_warp(l, words, COLUMN_ACTIVE, w, ALL_LANES) & ~c->exited;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (info->type != WARP_NO_SOURCE)
            c->a[lane] = source_of(l, words, w, lane);
        if (info->type == WARP_B64)
            c->a_high[lane] = of_lane(l, words, COLUMN_A_HIGH, w, lane);
        if (warp_form_is_shfl(info)) {
            c->b[lane] = of_lane(l, words, COLUMN_B, w, lane);
            c->c[lane] = of_lane(l, words, COLUMN_C, w, lane);
        }
        if (sync)
            c->membermask[lane] =
                l->columns[COLUMN_MEMBERMASK].present ? of_lane(l, words, COLUMN_MEMBERMASK, w, lane) : ALL_LANES;
    }
}
