/* Matches by bits, over groups, with every kind of destination. */
#include "spec_case.h"

static void test_any(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.any.sync.b32");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.a[lane] = lane % 3;
    eval(&c, &r);
    assert_int_equal(r.d[0], 0x49249249); /* lanes 0, 3, 6 ... 30 */
    assert_int_equal(r.d[30], 0x49249249);
    assert_int_equal(r.d[1], 0x92492492);
    assert_int_equal(r.d[2], 0x24924924);
}

static void test_any_only_in_the_group(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.any.sync.b32");
    fill(c.a, 7);
    c.active = 0xffff;
    c.exited = 0xff000000;
    fill(c.membermask, 0xff0000ff);
    for (unsigned lane = 8; lane < 16; lane++)
        c.membermask[lane] = 0xff00;
    eval(&c, &r);
    assert_int_equal(r.done, 0xffff);
    assert_int_equal(r.d[0], 0xff);
    assert_int_equal(r.d[8], 0xff00);
}

/* Bits, not numbers: a NaN equals itself, the zeros differ. */
static void test_values_are_bits(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.any.sync.b32");
    fill(c.a, 0x7fc00000);
    c.a[1] = 0x00000000;
    c.a[2] = 0x80000000;
    eval(&c, &r);
    assert_int_equal(r.d[0], 0xfffffff9);
    assert_int_equal(r.d[1], 0x2);
    assert_int_equal(r.d[2], 0x4);
}

static void test_b64_compares_both_halves(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.any.sync.b64");
    fill(c.a, 5);
    c.a_high[4] = 1;
    c.a[9] = 6;
    eval(&c, &r);
    assert_int_equal(r.d[4], 0x10);
    assert_int_equal(r.d[9], 0x200);
    assert_int_equal(r.d[0], 0xfffffdef);
    case_of(&c, "match.all.sync.b64");
    fill(c.a, 5);
    c.a_high[4] = 0x80000000;
    eval(&c, &r);
    assert_int_equal(r.d[0], 0);
}

static void test_all(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.all.sync.b32");
    c.dst = WARP_DST_D_P;
    c.active = 0x0ff0;
    fill(c.membermask, 0x0ff0);
    fill(c.a, 3);
    c.a[0] = 4; /* outside */
    eval(&c, &r);
    assert_int_equal(r.d_defined, 0x0ff0);
    assert_int_equal(r.d[4], 0x0ff0);
    assert_int_equal(r.p, 0x0ff0);
    c.a[11] = 4;
    eval(&c, &r);
    assert_int_equal(r.d_defined, 0x0ff0);
    assert_int_equal(r.d[4], 0);
    assert_int_equal(r.p, 0);
}

static void test_sinks(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.all.sync.b32");
    c.dst = WARP_DST_SINK_P;
    eval(&c, &r);
    assert_int_equal(r.d_defined, 0);
    assert_int_equal(r.d[0], 0);
    assert_int_equal(r.p, FULL);
    c.dst = WARP_DST_D_SINK;
    eval(&c, &r);
    assert_int_equal(r.d[0], FULL);
    assert_int_equal(r.p, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any),
        cmocka_unit_test(test_any_only_in_the_group),
        cmocka_unit_test(test_values_are_bits),
        cmocka_unit_test(test_b64_compares_both_halves),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_sinks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
