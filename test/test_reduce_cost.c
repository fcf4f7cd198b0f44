/*
 * What "simpler" means to the reducer: an order on cases in which every accepted step goes down.
 */
#include "check/random.h"
#include "check/reduce/steps.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define LIMIT 100000u

/* Each accepted step costs strictly less: the test sees every proposal, and its acceptance is known. */
struct falling {
    struct reduce_cost last;
    uint64_t accepted;
};

static bool must_fall(void *context, const struct warp_case *c)
{
    struct falling *f = context;
    struct reduce_cost cost;
    if (random_mix(c->active * 31u + c->a[0] + c->b[1]) % 3 == 0 &&
        f->accepted > 0) /* accept some, as a mismatch does */
        return false;
    reduce_cost_of(c, &cost);
    assert_true(f->accepted == 0 || reduce_cost_less(&cost, &f->last));
    f->last = cost;
    f->accepted++;
    return true;
}

static void test_falls(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 300; i++) {
        struct falling f = {.accepted = 0};
        struct reduction stats = {.limit = LIMIT};
        struct warp_case c;
        random_case(8, i, WARP_FAMILY_ALL, &c);
        reduce_case(&c, must_fall, &f, &stats);
        assert_int_equal(f.accepted, stats.kept + 1); /* and the case itself */
    }
}

static void test_order(void **state)
{
    struct reduce_cost x = {{0}}, y = {{0}};
    (void)state;
    assert_false(reduce_cost_less(&x, &y));
    y.part[COST_GARBAGE] = 1;
    assert_true(reduce_cost_less(&x, &y));
    x.part[COST_ACTIVE] = 1; /* outweighs what comes later */
    assert_true(reduce_cost_less(&y, &x));
    assert_false(reduce_cost_less(&x, &y));
}

/* Width encodings are simpler than other masks, and the whole warp is simplest. */
static void test_c(void **state)
{
    static const uint32_t order[] = {0x001f, 0x0000, 0x101f, 0x181f, 0x1c1f, 0x1e1f, 0x1f1f, 0x0a0d};
    struct reduce_cost before = {{0}}, cost;
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_SHFL_SYNC_DOWN_B32);
    c.active = 1;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        c.c[0] = order[i];
        reduce_cost_of(&c, &cost);
        assert_true(i == 0 || reduce_cost_less(&before, &cost));
        before = cost;
    }
}

/* Known floats are simpler than others, 0 simplest; small integers likewise. */
static void expect_source_order(enum warp_form form, const uint32_t *order, size_t n)
{
    struct reduce_cost before = {{0}}, cost;
    struct warp_case c;
    warp_case_init(&c, form);
    c.active = 1u << 9;
    for (size_t i = 0; i < n; i++) {
        c.a[9] = order[i];
        reduce_cost_of(&c, &cost);
        assert_true(i == 0 || reduce_cost_less(&before, &cost));
        before = cost;
    }
}

static void test_a(void **state)
{
    static const uint32_t integers[] = {0, 1, 9, 2, 3, 0xff, 0x10000, 0x30000, 0xffffffffu};
    static const uint32_t floats[] = {0, 0x3f800000u, 0x80000000u, 0x7f800000u, 0x7fffffffu, 1, 0x7f800001u};
    (void)state;
    expect_source_order(WARP_REDUX_SYNC_ADD_U32, integers, sizeof integers / sizeof integers[0]);
    expect_source_order(WARP_REDUX_SYNC_MIN_F32, floats, sizeof floats / sizeof floats[0]);
}

/* The cost looks at what a case means, and is 0 in no part by accident: each change costs something. */
static void test_each_part_counts(void **state)
{
    struct reduce_cost plain, cost;
    struct warp_case c, base;
    (void)state;
    warp_case_init(&base, WARP_SHFL_SYNC_DOWN_B32);
    base.target = reduce_plain_target(warp_form_get(base.form));
    base.active = 1;
    memset(base.membermask, 0, sizeof base.membermask);
    base.membermask[0] = 1;
    reduce_cost_of(&base, &plain);
    for (unsigned change = 0; change < 9; change++) {
        c = base;
        c.active = change == 0 ? 2u : 1u;
        c.exited = change == 1 ? 2u : 0;
        c.membermask[0] = change == 2 ? 3u : change == 0 ? 0 : 1u;
        c.target = change == 3 ? WARP_TARGET(60, 0) : base.target;
        c.dst = change == 4 ? WARP_DST_D_P : WARP_DST_D;
        c.b[0] = change == 5 ? 0x100u : change == 6 ? 1u : 0;
        c.a[0] = change == 7 ? 5u : 0;
        c.a[20] = change == 8 ? 5u : 0;
        reduce_cost_of(&c, &cost);
        assert_true(reduce_cost_less(&plain, &cost));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_falls),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_c),
        cmocka_unit_test(test_a),
        cmocka_unit_test(test_each_part_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
