/* The distribution of the generative form is worth having: everything that matters is reached, and often. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/random_cases.h"

struct outcome {
    lanemask done, waiting, undefined;
};

/* The outcomes, told once more in the plainest way (warp.h). */
static struct outcome outcome_of(const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    struct outcome o = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask own = (lanemask)1 << lane;
        bool all_here = true;
        if (!(c->active & own))
            continue;
        for (unsigned other = 0; other < WARP_LANES; other++)
            if ((c->membermask[lane] & ~c->exited) >> other & 1u)
                all_here = all_here && (c->active >> other & 1u) && c->membermask[other] == c->membermask[lane];
        if (!warp_form_is_sync(info))
            o.done |= own;
        else if (!(c->membermask[lane] & own) || (!all_here && warp_target_needs_convergence(c->target)))
            o.undefined |= own;
        else if (!all_here)
            o.waiting |= own;
        else
            o.done |= own;
    }
    return o;
}

static unsigned bits(lanemask mask)
{
    unsigned n = 0;
    for (; mask != 0; mask &= mask - 1)
        n++;
    return n;
}

/* How many different masks the done lanes have. */
static unsigned groups(const struct warp_case *c, lanemask done)
{
    unsigned n = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool first = done >> lane & 1u;
        for (unsigned other = 0; other < lane; other++)
            first = first && !(done >> other & 1u && c->membermask[other] == c->membermask[lane]);
        n += first;
    }
    return n;
}

/* Is a lane done between two lanes of another group? */
static bool interleaved(const struct warp_case *c, lanemask done)
{
    for (unsigned lane = 1; lane + 1 < WARP_LANES; lane++)
        for (unsigned k = 1; k <= lane && lane + k < WARP_LANES; k++)
            if ((done >> (lane - k) & done >> lane & done >> (lane + k) & 1u) &&
                c->membermask[lane - k] == c->membermask[lane + k] && c->membermask[lane] != c->membermask[lane + k])
                return true;
    return false;
}

struct tally {
    unsigned forms[WARP_FORMS], destinations[WARP_DST_COUNT], negated, old_target;
    unsigned lanes, done, waiting, undefined;
    unsigned whole, partial, single, with_exited, with_idle, several_groups, three_groups, interleaved, exited_in_mask;
    unsigned undefined_beside_done;
    unsigned predictable, unpredictable; /* lanes of shfl */
};

/* shfl as the manual writes it, for the source lane only. */
static void count_shfl_lane(struct tally *t, const struct warp_case *c, unsigned own, lanemask group)
{
    const enum warp_op op = warp_form_get(c->form)->op;
    const int lane = (int)own, bval = (int)(c->b[own] & 31), cval = (int)(c->c[own] & 31);
    const int segmask = (int)(c->c[own] >> 8 & 31);
    const int max = (lane & segmask) | (cval & ~segmask), min = lane & segmask;
    int j = op == WARP_UP     ? lane - bval
            : op == WARP_DOWN ? lane + bval
            : op == WARP_BFLY ? lane ^ bval
                              : min | (bval & ~segmask);
    if (op == WARP_UP ? j < max : j > max)
        j = lane;
    if (group >> j & 1u)
        t->predictable++;
    else
        t->unpredictable++;
}

static void count(struct tally *t, const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const struct outcome o = outcome_of(c);
    unsigned n;
    t->forms[c->form]++;
    t->destinations[c->dst]++;
    t->negated += c->negate;
    t->old_target += warp_target_needs_convergence(c->target);
    t->whole += c->active == UINT32_MAX;
    t->single += bits(c->active) == 1;
    t->with_exited += c->exited != 0;
    t->with_idle += (c->active | c->exited) != UINT32_MAX;
    t->partial += (c->active & (c->active + 1)) == 0 && c->active != UINT32_MAX;
    if (!warp_form_is_sync(info))
        return;
    t->lanes += bits(c->active);
    t->done += bits(o.done);
    t->waiting += bits(o.waiting);
    t->undefined += bits(o.undefined);
    n = groups(c, o.done);
    t->several_groups += n > 1;
    t->three_groups += n > 2;
    t->interleaved += interleaved(c, o.done);
    t->undefined_beside_done += o.undefined != 0 && o.done != 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(o.done >> lane & 1u))
            continue;
        t->exited_in_mask += (c->membermask[lane] & c->exited) != 0;
        if (warp_form_is_shfl(info))
            count_shfl_lane(t, c, lane, c->membermask[lane] & ~c->exited);
    }
}

#define DRAWN 20000u

static void draw(uint64_t index, struct warp_case *c)
{
    uint8_t bytes[WARP_BYTES_MAX];
    test_bytes(index, bytes, sizeof bytes);
    bytes[0] = bytes[0] == WARP_BYTES_RAW ? 0 : bytes[0];
    warp_case_from_bytes(bytes, sizeof bytes, WARP_FAMILY_ALL, c);
}

/* The n-th part of the cases at least. */
#define AT_LEAST_ONE_IN(n, what) assert_true((what) >= DRAWN / (n))

static void distribution(void **state)
{
    struct tally t = {0};
    (void)state;
    for (uint64_t i = 0; i < DRAWN; i++) {
        struct warp_case c;
        draw(i, &c);
        count(&t, &c);
    }
    for (unsigned form = 0; form < WARP_FORMS; form++)
        AT_LEAST_ONE_IN(200, t.forms[form]);
    for (unsigned dst = 0; dst < WARP_DST_COUNT; dst++)
        AT_LEAST_ONE_IN(dst == WARP_DST_NONE ? 100 : 50, t.destinations[dst]); /* none: bar.warp.sync alone */
    AT_LEAST_ONE_IN(20, t.negated);
    AT_LEAST_ONE_IN(50, t.old_target);
    AT_LEAST_ONE_IN(5, t.whole);
    AT_LEAST_ONE_IN(20, t.partial);
    AT_LEAST_ONE_IN(50, t.single);
    AT_LEAST_ONE_IN(5, t.with_exited);
    AT_LEAST_ONE_IN(5, t.with_idle);
    AT_LEAST_ONE_IN(20, t.several_groups);
    AT_LEAST_ONE_IN(50, t.three_groups);
    AT_LEAST_ONE_IN(20, t.interleaved);
    AT_LEAST_ONE_IN(40, t.undefined_beside_done);
    assert_true(t.done > t.lanes / 2);
    assert_true(t.waiting > t.lanes / 50);
    assert_true(t.undefined > t.lanes / 100);
    assert_true(t.exited_in_mask > t.lanes / 50);
    assert_true(t.predictable > t.unpredictable);
    assert_true(t.unpredictable > t.predictable / 50);
}

/* Where the active lanes, three or more, agree on a: do lanes that are not active hold another value, or the same
 * membermask? */
struct garbage_tally {
    unsigned cases, other_value, same_membermask;
};

static void count_garbage(struct garbage_tally *t, const struct warp_case *c)
{
    unsigned first = 0;
    lanemask other_value = 0, same_membermask = 0;
    if (c->active == UINT32_MAX || bits(c->active) < 3 || warp_form_get(c->form)->type == WARP_NO_SOURCE)
        return;
    while (!(c->active >> first & 1u))
        first++;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        other_value |= (lanemask)(c->a[lane] != c->a[first]) << lane;
        same_membermask |= (lanemask)(c->membermask[lane] == c->membermask[first]) << lane;
    }
    if (other_value & c->active)
        return;
    t->cases++;
    t->other_value += other_value != 0;
    t->same_membermask += (same_membermask & ~c->active) != 0 && warp_form_is_sync(warp_form_get(c->form));
}

static void idle_lanes_hold_garbage(void **state)
{
    struct garbage_tally t = {0};
    (void)state;
    for (uint64_t i = 0; i < 2 * DRAWN; i++) {
        struct warp_case c;
        draw(i, &c);
        count_garbage(&t, &c);
    }
    AT_LEAST_ONE_IN(50, t.cases);
    assert_true(t.other_value > t.cases / 10 * 9);
    assert_true(t.same_membermask > t.cases / 4);
}

/* What the lanes of one case have in common. */
struct features {
    uint32_t vary_a, vary_high, vary_b, vary_c; /* bits that differ from lane 0 */
    unsigned pairs;                             /* of lanes with the same low half of a */
    unsigned zeros, minus_zeros, ones, nans;
};

static struct features features_of(const struct warp_case *c)
{
    struct features f = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        f.vary_a |= c->a[lane] ^ c->a[0];
        f.vary_high |= c->a_high[lane] ^ c->a_high[0];
        f.vary_b |= c->b[lane] ^ c->b[0];
        f.vary_c |= c->c[lane] ^ c->c[0];
        for (unsigned other = 0; other < lane; other++)
            f.pairs += c->a[lane] == c->a[other];
        f.zeros += c->a[lane] == 0;
        f.minus_zeros += c->a[lane] == 0x80000000;
        f.ones += c->a[lane] == 1;
        f.nans += (c->a[lane] & 0x7fffffff) > 0x7f800000;
    }
    return f;
}

/* Classes of operands, each of which some implementation gets wrong. */
struct operand_tally {
    unsigned uniform_b, wide_b, per_lane_b, width_c, garbage_c, per_lane_c;
    unsigned few, distinct, low_only, high_only, some_nan, all_nan, both_zeros, none, all;
};

static void count_operands(struct operand_tally *t, const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const struct features f = features_of(c);
    if (warp_form_is_shfl(info)) {
        t->uniform_b += f.vary_b == 0;
        t->per_lane_b += f.vary_b != 0;
        t->wide_b += c->b[0] > 31;
        t->per_lane_c += (f.vary_c & 0x1f1f) != 0;
        t->garbage_c += (c->c[0] & ~0x1f1fu) != 0;
        t->width_c += f.vary_c == 0 && c->c[0] == warp_width_c(info->op, 32 - (c->c[0] >> 8 & 31));
    }
    t->few += info->family == WARP_MATCH_SYNC && f.vary_a != 0 && f.pairs > 100;
    t->distinct += info->family == WARP_MATCH_SYNC && f.pairs == 0;
    t->low_only += info->type == WARP_B64 && f.vary_a != 0 && f.vary_high == 0;
    t->high_only += info->type == WARP_B64 && f.vary_a == 0 && f.vary_high != 0;
    t->some_nan += info->type == WARP_F32 && f.nans > 0 && f.nans < 32;
    t->all_nan += info->type == WARP_F32 && f.nans == 32;
    t->both_zeros += info->type == WARP_F32 && f.zeros > 0 && f.minus_zeros > 0;
    t->none += info->type == WARP_PRED && f.zeros == 32;
    t->all += info->type == WARP_PRED && f.ones == 32;
}

static void operand_classes(void **state)
{
    struct operand_tally t = {0};
    (void)state;
    for (uint64_t i = 0; i < DRAWN; i++) {
        struct warp_case c;
        draw(i, &c);
        if (c.active == UINT32_MAX)
            count_operands(&t, &c);
    }
    AT_LEAST_ONE_IN(50, t.uniform_b);
    AT_LEAST_ONE_IN(50, t.per_lane_b);
    AT_LEAST_ONE_IN(100, t.wide_b);
    AT_LEAST_ONE_IN(100, t.width_c);
    AT_LEAST_ONE_IN(100, t.garbage_c);
    AT_LEAST_ONE_IN(100, t.per_lane_c);
    AT_LEAST_ONE_IN(200, t.few);
    AT_LEAST_ONE_IN(200, t.distinct);
    AT_LEAST_ONE_IN(400, t.low_only);
    AT_LEAST_ONE_IN(400, t.high_only);
    AT_LEAST_ONE_IN(400, t.some_nan);
    AT_LEAST_ONE_IN(1000, t.all_nan);
    AT_LEAST_ONE_IN(1000, t.both_zeros);
    AT_LEAST_ONE_IN(200, t.none);
    AT_LEAST_ONE_IN(200, t.all);
}

/* ---- every kind that docs/formats.md names is drawn ---- */

static bool is_run(lanemask mask)
{
    const lanemask low = mask & (0u - mask);
    return mask != 0 && (mask + low == 0 || ((mask + low) & mask) == 0);
}

static bool is_inner(lanemask mask)
{
    return (mask & 0x80000001u) == 0;
}

static bool is_tile(lanemask mask)
{
    const unsigned n = bits(mask);
    return is_run(mask) && (n == 2 || n == 4 || n == 8 || n == 16) && (unsigned)__builtin_ctz(mask) % n == 0;
}

enum {
    LANES_PREFIX,
    LANES_SUFFIX,
    LANES_ONE,
    LANES_TILE,
    LANES_RANGE,
    LANES_FEW,
    LANES_FEW_MISSING,
    LANES_ONE_MISSING,
    LANES_ANY,
    OTHERS_EXITED,
    OTHERS_ELSEWHERE,
    OTHERS_BOTH,
    MEMBERS_FULL,
    MEMBERS_AND_EXITED,
    MEMBERS_ACTIVE,
    MEMBERS_SOME_EXITED,
    MEMBERS_2_GROUPS,
    MEMBERS_3_GROUPS,
    MEMBERS_4_GROUPS,
    MEMBERS_RANDOM_GROUPS,
    MEMBERS_TILES_2,
    MEMBERS_TILES_4,
    MEMBERS_TILES_8,
    MEMBERS_TILES_16,
    MEMBERS_ONE_MORE,
    MEMBERS_ONE_LESS,
    MEMBERS_WRONG_BIT,
    MEMBERS_ANY,
    SOURCE_PROGRESSION,
    SOURCE_UNIFORM,
    SOURCE_ODD_BIT,
    SOURCE_ODD_ANY,
    SOURCE_FEW,
    SOURCE_RANDOM,
    SOURCE_SPECIAL_WORDS,
    SOURCE_SPECIAL_FLOATS,
    SOURCE_SMALL,
    SOURCE_BIT_SET,
    SOURCE_BIT_CLEAR,
    HALVES_LOW,
    HALVES_HIGH,
    HALVES_TOGETHER,
    HALVES_APART,
    FLOAT_SPECIAL,
    FLOAT_FEW,
    FLOAT_NANS,
    FLOAT_ONE_NAN,
    FLOAT_ONE_NUMBER,
    FLOAT_ZEROS,
    FLOAT_NUMBERS,
    FLOAT_SUBNORMALS,
    FLOAT_INFINITIES,
    PREDICATES_NONE,
    PREDICATES_ALL,
    PREDICATES_ONE,
    PREDICATES_BUT_ONE,
    PREDICATES_TILES,
    PREDICATES_RANDOM,
    B_SMALL,
    B_POWER,
    B_ABOVE_31,
    B_SMALL_NEGATIVE,
    B_ANY,
    B_LANES,
    B_NEGATIVE_LANES,
    B_ANY_LANES,
    B_NEIGHBOUR_OR_ROTATION,
    B_EXCLUSIVE_OR,
    B_MIRROR,
    C_WIDTH,
    C_OTHER_DIRECTION,
    C_WITHIN_SEGMENT,
    C_WIDTH_LANES,
    C_FIELDS_UNIFORM,
    C_FIELDS_LANES,
    C_ANY,
    C_ANY_LANES,
    C_WIDTH_GARBAGE,
    IDLE_MEMBERS_FULL,
    IDLE_MEMBERS_OWN,
    IDLE_MEMBERS_ANY,
    B_LANES_TO_63,
    EXITED_BUT_FEW,
    LANES_HIGH_ONE_MISSING,
    MEMBERS_TILES_WAITED_FOR,
    MEMBERS_WRONG_OTHER_BIT,
    MEMBERS_ONE_ANY,
    MEMBERS_FEW_ANY,
    FLOAT_MINUS_INFINITIES,
    FLOAT_SIGNALLING,
    FLOAT_MIXES, /* of zeros, numbers or subnormals, with lanes of another class between them */
    PREDICATES_TILES_BUT_ONE = FLOAT_MIXES + 3 * 5,
    KINDS_DRAWN
};

/* What the lanes that are not active hold. */
static void draw_idle_members(unsigned drawn[KINDS_DRAWN], const struct warp_case *c)
{
    lanemask own = 0;
    unsigned full = 0, own_ones = 0, idle = 0, own_full = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        own = c->active >> lane & 1u ? c->membermask[lane] : own;
        own_full += (c->active >> lane & 1u) && c->membermask[lane] == UINT32_MAX;
    }
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        idle += !(c->active >> lane & 1u);
        full += !(c->active >> lane & 1u) && c->membermask[lane] == UINT32_MAX;
        own_ones += !(c->active >> lane & 1u) && c->membermask[lane] == own;
    }
    if (idle < 8 || idle > 24 || own_full > 0)
        return;
    drawn[IDLE_MEMBERS_FULL] += full == idle;
    drawn[IDLE_MEMBERS_OWN] += own_ones == idle;
    drawn[IDLE_MEMBERS_ANY] += full == 0 && own_ones == 0;
}

static void draw_lanes(unsigned drawn[KINDS_DRAWN], const struct warp_case *c)
{
    const lanemask a = c->active, missing = ~a;
    const unsigned n = bits(a);
    drawn[LANES_PREFIX] += is_run(a) && (a & 1u) && n > 1 && n < 31;
    drawn[LANES_SUFFIX] += is_run(a) && a >> 31 && n > 1 && n < 31;
    drawn[LANES_ONE] += n == 1 && is_inner(a);
    drawn[LANES_TILE] += is_tile(a) && is_inner(a);
    drawn[LANES_RANGE] += is_run(a) && n > 1 && is_inner(a) && !is_tile(a);
    drawn[LANES_FEW] += n >= 4 && n <= 9 && !is_run(a);
    drawn[LANES_FEW_MISSING] += n >= 26 && n <= 30 && !is_run(a) && !is_run(missing);
    drawn[LANES_ONE_MISSING] += n == 31 && is_inner(missing);
    drawn[LANES_ANY] += n >= 13 && n <= 19 && !is_run(a);
    drawn[LANES_HIGH_ONE_MISSING] += n == 31 && is_inner(missing) && missing >= 1u << 16;
    if (missing == 0)
        return;
    drawn[EXITED_BUT_FEW] += bits(missing) >= 16 && bits(missing & ~c->exited) > 0 && bits(missing & ~c->exited) <= 4;
    drawn[OTHERS_EXITED] += c->exited == missing;
    drawn[OTHERS_ELSEWHERE] += c->exited == 0;
    drawn[OTHERS_BOTH] += c->exited != 0 && c->exited != missing;
}

/* Lane `lane` is in group lane % n, with only active lanes and exited ones. */
static bool has_interleaved_groups(const struct warp_case *c, unsigned n)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->active >> lane & 1u) {
            lanemask own = 0;
            for (unsigned other = lane % n; other < WARP_LANES; other += n)
                own |= c->active & 1u << other;
            if ((c->membermask[lane] & ~c->exited) != own)
                return false;
        }
    return true;
}

/* Tiles of whole lanes, of which some could only be waited for. */
static bool has_tiles_waited_for(const struct warp_case *c, unsigned width)
{
    lanemask all = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask tile = ((1u << width) - 1u) << lane / width * width;
        if ((c->active >> lane & 1u) && c->membermask[lane] != tile)
            return false;
        all |= c->active >> lane & 1u ? tile : 0;
    }
    return (all & ~(c->active | c->exited)) != 0;
}

static bool has_tiles(const struct warp_case *c, unsigned width)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask tile = ((1u << width) - 1u) << lane / width * width;
        if ((c->active >> lane & 1u) && c->membermask[lane] != tile &&
            c->membermask[lane] != (tile & (c->active | c->exited)))
            return false;
    }
    return true;
}

/* Lanes of one mask are a group, which the mask names; neither interleaved nor tiles. */
static bool has_random_groups(const struct warp_case *c)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        lanemask own = 0;
        for (unsigned other = 0; other < WARP_LANES; other++)
            own |= (c->active >> other & 1u) && c->membermask[other] == c->membermask[lane] ? 1u << other : 0;
        if ((c->active >> lane & 1u) && (c->membermask[lane] & ~c->exited) != own)
            return false;
    }
    for (unsigned n = 2; n <= 4; n++)
        if (has_interleaved_groups(c, n))
            return false;
    for (unsigned width = 2; width <= 16; width *= 2)
        if (has_tiles(c, width))
            return false;
    return true;
}

/* The case with the mask of one lane put right is one of groups; `other`: in another bit than the lane's own. */
static bool is_damaged(const struct warp_case *c, bool other)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned bit = 0; (c->active >> lane & 1u) && bit < WARP_LANES; bit++) {
            struct warp_case whole = *c;
            if (other && bit == lane)
                continue;
            whole.membermask[lane] ^= 1u << bit;
            for (unsigned n = 2; n <= 4; n++)
                if (has_interleaved_groups(&whole, n))
                    return true;
        }
    return false;
}

static void draw_members(unsigned drawn[KINDS_DRAWN], const struct warp_case *c)
{
    const lanemask here = c->active | c->exited;
    lanemask mask = 0, vary = 0;
    bool grouped = false;
    unsigned different = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->active >> lane & 1u)
            mask = c->membermask[lane];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        vary |= c->active >> lane & 1u ? c->membermask[lane] ^ mask : 0;
    if (bits(c->active) < 12 || c->exited == 0 || here == UINT32_MAX)
        return; /* the kinds are then told apart */
    different = groups(c, c->active);
    if (vary == 0) {
        drawn[MEMBERS_FULL] += mask == UINT32_MAX;
        drawn[MEMBERS_AND_EXITED] += mask == here;
        drawn[MEMBERS_ACTIVE] += mask == c->active;
        drawn[MEMBERS_SOME_EXITED] += mask != c->active && mask != here && (mask & ~here) == 0 &&
                                      (c->active & ~mask) == 0 && bits(mask & c->exited) > 1;
        drawn[MEMBERS_ONE_MORE] += bits(mask & ~c->active) == 1 && (c->active & ~mask) == 0 && (mask & ~here) != 0;
        drawn[MEMBERS_ONE_LESS] += (mask & ~here) == 0 && bits(here & ~mask) == 1 && (c->active & ~mask) != 0;
        drawn[MEMBERS_ONE_ANY] += bits(c->active & ~mask) > 4;
        return;
    }
    for (unsigned n = 2; n <= 4; n++) {
        const bool is = has_interleaved_groups(c, n);
        drawn[MEMBERS_2_GROUPS + n - 2] += is;
        grouped = grouped || is;
    }
    for (unsigned k = 0; k < 4; k++) {
        drawn[MEMBERS_TILES_2 + k] += has_tiles(c, 2u << k);
        drawn[MEMBERS_TILES_WAITED_FOR] += has_tiles_waited_for(c, 2u << k);
    }
    drawn[MEMBERS_WRONG_BIT] += !grouped && is_damaged(c, false);
    drawn[MEMBERS_WRONG_OTHER_BIT] += !grouped && is_damaged(c, true);
    drawn[MEMBERS_ANY] += different == bits(c->active) && different > 8;
    drawn[MEMBERS_FEW_ANY] += different == 4 && bits(c->active) > 16 && !grouped && !has_random_groups(c) &&
                              !is_damaged(c, false) && !is_damaged(c, true);
    drawn[MEMBERS_RANDOM_GROUPS] += different <= 4 && has_random_groups(c);
}

static bool among(const uint32_t words[WARP_LANES], const uint32_t *table, size_t n)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        size_t i = 0;
        while (i < n && table[i] != words[lane])
            i++;
        if (i == n)
            return false;
    }
    return true;
}

/* Different values, and in how many lanes the one of lane 0 (or, with one lane off, the usual one) is missing. */
struct variety {
    unsigned values, odd;
    uint32_t usual, other;
};

static struct variety variety_of(const uint32_t words[WARP_LANES])
{
    struct variety v = {.usual = words[0] == words[1] ? words[0] : words[2]};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        bool fresh = true;
        for (unsigned other = 0; other < lane; other++)
            fresh = fresh && words[other] != words[lane];
        v.values += fresh;
        v.odd += words[lane] != v.usual;
        v.other = words[lane] != v.usual ? words[lane] : v.other;
    }
    return v;
}

static void draw_words(unsigned drawn[KINDS_DRAWN], const uint32_t a[WARP_LANES])
{
    const struct variety v = variety_of(a);
    bool progression = a[1] != a[0], small = v.values > 4, set = v.values > 4, clear = v.values > 4;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        progression = progression && (lane == 0 || a[lane] - a[lane - 1] == a[1] - a[0]);
        small = small && a[lane] + 8u < 16;
        set = set && bits(a[lane]) == 1;
        clear = clear && bits(~a[lane]) == 1;
    }
    drawn[SOURCE_PROGRESSION] += progression;
    drawn[SOURCE_UNIFORM] += v.values == 1;
    drawn[SOURCE_ODD_BIT] += v.odd == 1 && bits(v.usual ^ v.other) == 1 && bits(v.usual) > 8 && bits(v.usual) < 24;
    drawn[SOURCE_ODD_ANY] += v.odd == 1 && bits(v.usual ^ v.other) > 1;
    drawn[SOURCE_FEW] += v.values >= 2 && v.values <= 4 && v.odd > 1;
    drawn[SOURCE_RANDOM] += v.values == 32 && !progression;
    drawn[SOURCE_SPECIAL_WORDS] +=
        v.values > 4 && among(a, warp_special_words, warp_special_words_count) && !small && !set && !clear;
    drawn[SOURCE_SPECIAL_FLOATS] += v.values > 4 && among(a, warp_special_floats, warp_special_floats_count);
    drawn[SOURCE_SMALL] += small;
    drawn[SOURCE_BIT_SET] += set;
    drawn[SOURCE_BIT_CLEAR] += clear;
}

static void draw_halves(unsigned drawn[KINDS_DRAWN], const struct warp_case *c)
{
    const struct variety low = variety_of(c->a), high = variety_of(c->a_high);
    bool together = low.values > 8;
    for (unsigned lane = 1; lane < WARP_LANES; lane++)
        together = together && (c->a[lane] == c->a[0]) == (c->a_high[lane] == c->a_high[0]) &&
                   c->a_high[lane] == c->a[lane] * 0x9e3779b1u;
    drawn[HALVES_LOW] += low.values > 4 && high.values == 1;
    drawn[HALVES_HIGH] += low.values == 1 && high.values > 4;
    drawn[HALVES_TOGETHER] += together;
    drawn[HALVES_APART] += low.values > 4 && high.values > 4 && !together;
}

/* Zero, NaN, a number near 1, subnormal, infinity; 5: another number. */
static unsigned class_of(uint32_t a)
{
    const uint32_t magnitude = a & 0x7fffffffu, exponent = magnitude >> 23;
    return magnitude == 0                       ? 0
           : magnitude > 0x7f800000u            ? 1
           : exponent >= 119 && exponent <= 134 ? 2
           : exponent == 0                      ? 3
           : magnitude == 0x7f800000u           ? 4
                                                : 5;
}

/* Two classes, of which one has more than half of the lanes. */
static void draw_mixes(unsigned drawn[KINDS_DRAWN], const uint32_t a[WARP_LANES])
{
    static const unsigned place[] = {0, 5, 1, 2, 5, 5};
    unsigned lanes[6] = {0}, most = 0, some = 6;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes[class_of(a[lane])]++;
    for (unsigned class = 0; class < 6; class ++)
        most = lanes[class] > lanes[most] ? class : most;
    for (unsigned class = 0; class < 6; class ++)
        if (class != most && lanes[class] > 1)
            some = lanes[most] + lanes[class] == WARP_LANES ? class : some;
    if (place[most] < 5 && some < 5)
        drawn[FLOAT_MIXES + 5 * place[most] + some]++;
}

static void draw_floats(unsigned drawn[KINDS_DRAWN], const uint32_t a[WARP_LANES])
{
    const struct variety v = variety_of(a);
    unsigned nans = 0, zeros = 0, minus = 0, subnormals = 0, infinities = 0, numbers = 0;
    unsigned minus_infinities = 0, signalling = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t magnitude = a[lane] & 0x7fffffffu, exponent = magnitude >> 23;
        nans += magnitude > 0x7f800000u;
        infinities += magnitude == 0x7f800000u;
        minus_infinities += a[lane] == 0xff800000u;
        signalling += magnitude > 0x7f800000u && magnitude < 0x7fc00000u;
        zeros += magnitude == 0;
        minus += a[lane] == 0x80000000u;
        subnormals += exponent == 0 && magnitude != 0;
        numbers += exponent >= 119 && exponent <= 134;
    }
    drawn[FLOAT_SPECIAL] += v.values > 4 && among(a, warp_special_floats, warp_special_floats_count);
    drawn[FLOAT_FEW] += v.values >= 2 && v.values <= 4 && v.odd > 1 && zeros < 32;
    drawn[FLOAT_NANS] += nans == 32 && v.values > 16;
    drawn[FLOAT_ONE_NAN] += nans == 1 && numbers == 31;
    drawn[FLOAT_ONE_NUMBER] += nans == 31 && numbers == 1;
    drawn[FLOAT_ZEROS] += zeros == 32 && minus > 4 && minus < 28;
    drawn[FLOAT_NUMBERS] +=
        numbers > 20 && numbers < 31 && nans + zeros + subnormals + infinities == 32 - numbers && v.values > 16;
    drawn[FLOAT_SUBNORMALS] += subnormals > 16;
    drawn[FLOAT_INFINITIES] += infinities > 1 && infinities + zeros == 32;
    drawn[FLOAT_MINUS_INFINITIES] += infinities > 1 && infinities + zeros == 32 && minus_infinities > 0;
    drawn[FLOAT_SIGNALLING] += nans == 32 && v.values > 16 && signalling > 4;
    draw_mixes(drawn, a);
}

static void draw_predicates(unsigned drawn[KINDS_DRAWN], const uint32_t a[WARP_LANES])
{
    lanemask truth = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        truth |= a[lane] << lane;
    drawn[PREDICATES_NONE] += truth == 0;
    drawn[PREDICATES_ALL] += truth == UINT32_MAX;
    drawn[PREDICATES_ONE] += bits(truth) == 1;
    drawn[PREDICATES_BUT_ONE] += bits(truth) == 31;
    drawn[PREDICATES_TILES] += truth == 0xff00ff00u;
    drawn[PREDICATES_TILES_BUT_ONE] += truth == 0xfefefefeu || truth == 0xfdfdfdfdu;
    drawn[PREDICATES_RANDOM] += bits(truth) > 8 && bits(truth) < 24 && truth != 0xff00ff00u;
}

static void draw_b(unsigned drawn[KINDS_DRAWN], const uint32_t b[WARP_LANES])
{
    const struct variety v = variety_of(b);
    bool up = true, mirror = true, exclusive = true, lanes = v.values > 4, negative = v.values > 4, to_63 = true;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        up = up && b[lane] == b[0] + lane;
        mirror = mirror && b[lane] == b[0] - lane;
        exclusive = exclusive && b[lane] == (b[0] ^ lane);
        lanes = lanes && b[lane] < 32;
        to_63 = to_63 && b[lane] < 64;
        negative = negative && b[lane] >= UINT32_MAX - 31;
    }
    drawn[B_SMALL] += v.values == 1 && b[0] < 32;
    drawn[B_POWER] += v.values == 1 && bits(b[0]) == 1 && b[0] < 32;
    drawn[B_ABOVE_31] += v.values == 1 && b[0] >= 32 && b[0] < 64;
    drawn[B_LANES_TO_63] += v.values > 16 && to_63 && !lanes && !up && !mirror && !exclusive;
    drawn[B_SMALL_NEGATIVE] += v.values == 1 && b[0] >= UINT32_MAX - 32;
    drawn[B_ANY] += v.values == 1 && b[0] >= 64 && b[0] < UINT32_MAX - 64;
    drawn[B_LANES] += lanes && !up && !mirror && !exclusive;
    drawn[B_NEGATIVE_LANES] += negative;
    drawn[B_ANY_LANES] += v.values == 32 && !up && !mirror && !exclusive && !lanes && !negative;
    drawn[B_NEIGHBOUR_OR_ROTATION] += up && b[0] != 0;
    drawn[B_EXCLUSIVE_OR] += exclusive && b[0] != 0 && b[0] != 31;
    drawn[B_MIRROR] += mirror && b[0] != 31;
}

static void draw_c(unsigned drawn[KINDS_DRAWN], enum warp_op op, const uint32_t c[WARP_LANES])
{
    const struct variety v = variety_of(c);
    const uint32_t segment = c[0] >> 8 & 31u, usual = op == WARP_UP ? 0 : 31;
    const bool is_width = segment == 31 || (segment & (32 - segment)) == 32 - segment || segment == 0;
    bool width_lanes = v.values > 2 && v.values <= 6, fields_lanes = v.values > 16, width_garbage = v.values > 16;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        width_lanes = width_lanes && (c[lane] & ~0x1f00u) == usual;
        fields_lanes = fields_lanes && (c[lane] & ~0x1f1fu) == 0;
        width_garbage = width_garbage && (c[lane] & 0x1f1fu) == (c[0] & 0x1f1fu);
    }
    drawn[C_WIDTH] += v.values == 1 && is_width && c[0] == (segment << 8 | usual);
    drawn[C_OTHER_DIRECTION] +=
        v.values == 1 && is_width && segment > 0 && segment < 31 && c[0] == (segment << 8 | (31 - usual));
    drawn[C_WITHIN_SEGMENT] +=
        v.values == 1 && is_width && segment > 0 && segment < 31 && c[0] == (segment << 8 | (31 - segment));
    drawn[C_WIDTH_LANES] += width_lanes;
    drawn[C_FIELDS_UNIFORM] += v.values == 1 && (c[0] & ~0x1f1fu) == 0 && !is_width;
    drawn[C_FIELDS_LANES] += fields_lanes;
    drawn[C_ANY] += v.values == 1 && (c[0] & ~0x1f1fu) != 0;
    drawn[C_ANY_LANES] += v.values == 32 && !fields_lanes && !width_garbage;
    drawn[C_WIDTH_GARBAGE] += width_garbage;
}

/* Half as often as each kind is drawn in these cases: where one of the ways to draw it is lost, it falls below.
 * In the order of the kinds. */
static const unsigned least[KINDS_DRAWN] = {
    12852, 10010, 5983, 3452, 2509, 4701, 5081, 6348,  15102, 24012, 19895, 30321, 1741, 1881, 3133, 1070, 232,  223,
    214,   603,   204,  222,  219,  173,  142,  497,   193,   282,   1814,  933,   186,  443,  2796, 3608, 1864, 958,
    900,   503,   470,  414,  400,  382,  269,  558,   418,   199,   190,   174,   232,  143,  403,  29,   558,  707,
    554,   517,   135,  1700, 2259, 825,  565,  555,   562,   1741,  557,   640,   558,  291,  273,  2936, 410,  386,
    542,   919,   1161, 546,  1157, 577,  6880, 14358, 7126,  562,   8303,  3178,  170,  184,  792,  444,  26,   199,
    0,     28,    27,   34,   29,   40,   38,   0,     34,    37,    44,    58,    39,   0,    39,   283};

static void every_documented_kind_is_drawn(void **state)
{
    static unsigned drawn[KINDS_DRAWN];
    (void)state;
    for (uint64_t i = 0; i < 10 * DRAWN; i++) {
        struct warp_case c;
        draw(i, &c);
        const struct warp_form_info *info = warp_form_get(c.form);
        draw_lanes(drawn, &c);
        if (warp_form_is_sync(info)) {
            draw_members(drawn, &c);
            draw_idle_members(drawn, &c);
        }
        if (c.active != UINT32_MAX) /* the other lanes hold garbage */
            continue;
        if (info->type == WARP_PRED)
            draw_predicates(drawn, c.a);
        else if (info->type == WARP_F32)
            draw_floats(drawn, c.a);
        else if (info->type == WARP_B64)
            draw_halves(drawn, &c);
        else if (info->type != WARP_NO_SOURCE)
            draw_words(drawn, c.a);
        if (warp_form_is_shfl(info)) {
            draw_b(drawn, c.b);
            draw_c(drawn, info->op, c.c);
        }
    }
    for (unsigned kind = 0; kind < KINDS_DRAWN; kind++)
        if (drawn[kind] < least[kind])
            fail_msg("kind %u is drawn %u times, not %u", kind, drawn[kind], least[kind]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_documented_kind_is_drawn),
        cmocka_unit_test(distribution),
        cmocka_unit_test(idle_lanes_hold_garbage),
        cmocka_unit_test(operand_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
