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
        AT_LEAST_ONE_IN(50, t.destinations[dst]);
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
    if (c->active == UINT32_MAX || bits(c->active) < 3 || c->form == WARP_ACTIVEMASK_B32)
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distribution),
        cmocka_unit_test(idle_lanes_hold_garbage),
        cmocka_unit_test(operand_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
