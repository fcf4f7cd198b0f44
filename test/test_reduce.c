#include "base/clock.h"
#include "check/finding.h"
#include "check/random.h"
#include "check/reduce.h"
#include "check/reduce/steps.h"
#include "check_fakes.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#define LIMIT 100000u

/* What is to be kept, and that no accepted step costs more than the one before. */
struct watched {
    reduce_test test;
    uint64_t calls;
};

static bool watch(void *context, const struct warp_case *c)
{
    struct watched *w = context;
    w->calls++;
    assert_null(warp_case_check(c));
    return w->test(NULL, c);
}

/* Reduces, reduces again, and expects the second time to change nothing. */
static struct reduction reduce_twice(struct warp_case *c, reduce_test test)
{
    struct watched w = {test, 0};
    struct reduction stats = {.limit = LIMIT}, again = {.limit = LIMIT};
    struct warp_case second;
    reduce_case(c, watch, &w, &stats);
    assert_int_equal(w.calls, stats.tried);
    assert_true(stats.tried < LIMIT);
    assert_null(warp_case_check(c));
    assert_true(test(NULL, c));
    second = *c;
    reduce_case(&second, watch, &w, &again);
    assert_memory_equal(&second, c, sizeof *c);
    assert_int_equal(again.kept, 0);
    return stats;
}

static bool always(void *context, const struct warp_case *c)
{
    (void)context;
    (void)c;
    return true;
}

/* Whatever is allowed to go goes: nobody is active and every operand is zero. */
static void test_everything_goes(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 200; i++) {
        struct warp_case c, zero;
        random_case(3, i, WARP_FAMILY_ALL, &c);
        reduce_twice(&c, always);
        warp_case_init(&zero, (enum warp_form)c.form);
        zero.active = 0;
        memset(zero.membermask, 0, sizeof zero.membermask);
        zero.target = reduce_plain_target(warp_form_get(c.form));
        assert_memory_equal(&c, &zero, sizeof c);
    }
}

static unsigned count(lanemask lanes)
{
    return lanes_in(lanes);
}

/* "b is not masked": some done lane with a high bit in b. */
static bool has_wide_b(void *context, const struct warp_case *c)
{
    (void)context;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && c->b[lane] > 31)
            return true;
    return false;
}

static void test_wide_b(void **state)
{
    unsigned reduced = 0;
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        struct warp_case c;
        random_case(4, i, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &c);
        if (!has_wide_b(NULL, &c))
            continue;
        reduce_twice(&c, has_wide_b);
        assert_int_equal(c.active, 1);
        assert_int_equal(c.membermask[0], 1);
        assert_int_equal(c.exited, 0);
        assert_int_equal(c.dst, WARP_DST_D);
        assert_int_equal(count(c.b[0]), 1);
        assert_int_equal(c.c[0], reduce_plain_c(warp_form_get(c.form)));
        assert_int_equal(c.a[0], 0);
        for (unsigned lane = 1; lane < WARP_LANES; lane++)
            assert_int_equal(c.a[lane] | c.b[lane] | c.c[lane] | c.membermask[lane], 0);
        reduced++;
    }
    assert_true(reduced > 20);
}

/* Two groups, and one of them waits for a lane. */
static bool has_two_groups(void *context, const struct warp_case *c)
{
    lanemask first = 0;
    bool waits = false, two = false;
    (void)context;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(c->active >> lane & 1u))
            continue;
        waits |= (c->membermask[lane] & ~c->active & ~c->exited) != 0;
        two |= first != 0 && first != c->membermask[lane];
        first = c->membermask[lane];
    }
    return waits && two;
}

static void test_groups(void **state)
{
    unsigned reduced = 0;
    (void)state;
    for (uint64_t i = 0; i < 500; i++) {
        struct warp_case c;
        random_case(5, i, WARP_FAMILY_BIT(WARP_REDUX_SYNC), &c);
        if (!has_two_groups(NULL, &c))
            continue;
        reduce_twice(&c, has_two_groups);
        assert_int_equal(c.active, 3);
        assert_int_equal(c.exited, 0);
        reduced++;
    }
    assert_true(reduced > 5);
}

/* An exited lane that is named, and a value that matters. */
static bool has_exited_and_value(void *context, const struct warp_case *c)
{
    (void)context;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && (c->membermask[lane] & c->exited) != 0 && (c->a[lane] & 0x80000000u) != 0)
            return true;
    return false;
}

static void test_exited_stays_where_needed(void **state)
{
    unsigned reduced = 0;
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        struct warp_case c;
        random_case(6, i, WARP_FAMILY_BIT(WARP_REDUX_SYNC), &c);
        if (!has_exited_and_value(NULL, &c))
            continue;
        reduce_twice(&c, has_exited_and_value);
        assert_int_equal(count(c.active), 1);
        assert_int_equal(count(c.exited), 1);
        assert_int_equal(c.active | c.exited, 3);
        reduced++;
    }
    assert_true(reduced > 5);
}

/* A lane in its place: lanes 5 and 9, 9 reads 5. The distance stays, the numbers fall. */
static bool reads_four_below(void *context, const struct warp_case *c)
{
    (void)context;
    for (unsigned lane = 4; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && (c->active >> (lane - 4) & 1u) && c->b[lane] == 4 &&
            c->a[lane] != c->a[lane - 4])
            return true;
    return false;
}

static void test_position(void **state)
{
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_SHFL_SYNC_UP_B32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c.a[lane] = 0xdead0000u + lane;
        c.b[lane] = 4;
    }
    c.active = 1u << 9 | 1u << 5;
    reduce_twice(&c, reads_four_below);
    assert_int_equal(c.active, 1u << 4 | 1u);
    assert_int_equal(c.a[0] + c.a[4], 1);
}

static bool is_negated(void *context, const struct warp_case *c)
{
    (void)context;
    return (c->active & 1u) != 0 && (c->a[0] ^ c->negate) == 1;
}

/* `!a` goes; the predicate is complemented for it. */
static void test_negation(void **state)
{
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_VOTE_SYNC_ALL_PRED);
    c.negate = 1;
    reduce_twice(&c, is_negated);
    assert_int_equal(c.negate, 0);
    assert_int_equal(c.a[0], 1);
    assert_int_equal(c.active, 1);
}

/* Holds for the case itself and for about a quarter of all others, without any sense: the worst that a defect can be.
 */
static struct warp_case senseless_start;
static bool senseless(void *context, const struct warp_case *c)
{
    const unsigned char *bytes = (const unsigned char *)c;
    uint64_t hash = 0;
    (void)context;
    if (memcmp(c, &senseless_start, sizeof *c) == 0)
        return true;
    for (size_t i = 0; i < sizeof *c; i++)
        hash = random_mix(hash + bytes[i] + 1);
    return hash % 4 == 0;
}

static void test_senseless(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 40; i++) {
        struct warp_case c;
        random_case(13, i, WARP_FAMILY_ALL, &c);
        senseless_start = c;
        reduce_twice(&c, senseless);
    }
}

/* A done lane whose membermask names four lanes: all but one of them can only have exited. */
static bool names_four(void *context, const struct warp_case *c)
{
    (void)context;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if ((c->active >> lane & 1u) && lanes_in(c->membermask[lane]) >= 4 &&
            (c->membermask[lane] & ~c->exited & ~lanes_with_mask(c, c->membermask[lane])) == 0)
            return true;
    return false;
}

static void test_lanes_exit(void **state)
{
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_REDUX_SYNC_ADD_U32);
    reduce_twice(&c, names_four);
    assert_int_equal(count(c.active), 1);
    assert_int_equal(count(c.exited), 3);
    assert_int_equal(c.active | c.exited, 15);
}

static bool never(void *context, const struct warp_case *c)
{
    (void)context;
    (void)c;
    return false;
}

/* A mismatch that does not come back is left alone; so is everything without a budget; a budget is kept. */
static void test_limits(void **state)
{
    struct watched w = {always, 0};
    struct warp_case c, before;
    struct reduction stats = {.limit = LIMIT};
    (void)state;
    random_case(11, 1, WARP_FAMILY_ALL, &c);
    before = c;
    reduce_case(&c, never, NULL, &stats);
    assert_memory_equal(&c, &before, sizeof c);
    assert_int_equal(stats.tried, 1);
    stats = (struct reduction){.limit = 0};
    reduce_case(&c, always, NULL, &stats);
    assert_memory_equal(&c, &before, sizeof c);
    assert_int_equal(stats.tried, 0);
    stats = (struct reduction){.limit = LIMIT, .until = clock_seconds()}; /* which is over */
    reduce_case(&c, always, NULL, &stats);
    assert_memory_equal(&c, &before, sizeof c);
    assert_int_equal(stats.tried, 0);
    stats = (struct reduction){.limit = 5};
    reduce_case(&c, watch, &w, &stats);
    assert_int_equal(w.calls, 5);
    assert_int_equal(stats.tried, 5);
}

static bool lane_five(const struct warp_case *c)
{
    return (c->active >> 5 & 1u) != 0 && c->a[5] > 100;
}

static void test_pair(void **state)
{
    struct fake right = {0}, wrong = {.wrong = lane_five};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    struct finding_pair pair = {&a, &b};
    struct reduction limits = {.limit = LIMIT};
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_MATCH_ALL_SYNC_B32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.a[lane] = 1000 + lane;
    assert_true(reduce_pair_differs(&pair, &c));
    reduce_case(&c, reduce_pair_differs, &pair, &limits);
    assert_int_equal(c.active, 1u << 5);
    c.a[5] = 3;
    assert_false(reduce_pair_differs(&pair, &c));
}

/* d and p differ: d is what must go on differing, so the sink does not take its place. */
static void test_mismatch_keeps_part(void **state)
{
    struct fake right = {0}, wrong = {.wrong = lane_five};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    struct reduction stats = {.limit = LIMIT};
    struct finding f;
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_MATCH_ALL_SYNC_B32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.a[lane] = 1000 + lane;
    c.dst = WARP_DST_D_P;
    reduce_mismatch(&c, &a, &b, &stats);
    assert_int_equal(c.dst, WARP_DST_D);
    assert_true(finding_make(&f, &a, &b, &c));
    assert_int_equal(f.diff.d, 1u << 5);
    warp_case_init(&c, WARP_MATCH_ALL_SYNC_B32);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.a[lane] = 1000 + lane;
    c.dst = WARP_DST_SINK_P;
    reduce_mismatch(&c, &a, &b, &stats);
    assert_int_equal(c.dst, WARP_DST_D_P); /* the cheapest that still has p */
    c.a[5] = 0;
    stats = (struct reduction){.limit = LIMIT};
    reduce_mismatch(&c, &a, &b, &stats); /* no mismatch: nothing is done */
    assert_int_equal(stats.kept, 0);
}

/* What an implementation does not accept is no mismatch, whatever it would answer. */
static void test_pair_refused(void **state)
{
    struct fake right = {0}, wrong = {.wrong = lane_five, .refuses = lane_five};
    const struct warp_impl a = fake_impl("right", &right), b = fake_impl("wrong", &wrong);
    struct finding_pair pair = {&a, &b};
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_MATCH_ALL_SYNC_B32);
    c.a[5] = 1000;
    assert_false(reduce_pair_differs(&pair, &c));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything_goes),
        cmocka_unit_test(test_wide_b),
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_exited_stays_where_needed),
        cmocka_unit_test(test_position),
        cmocka_unit_test(test_negation),
        cmocka_unit_test(test_senseless),
        cmocka_unit_test(test_lanes_exit),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_pair),
        cmocka_unit_test(test_mismatch_keeps_part),
        cmocka_unit_test(test_pair_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
