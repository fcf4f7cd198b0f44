/* Source lanes and predicates, worked out by hand from the pseudo-code. */
#include "spec_case.h"

/* Runs one mode with the same b and c in all lanes; lane i holds 100 + i. */
static void run(const char *name, uint32_t b, uint32_t control, struct warp_result *r)
{
    struct warp_case c;
    case_of(&c, name);
    c.dst = WARP_DST_D_P;
    count_up(c.a, 100);
    fill(c.b, b);
    fill(c.c, control);
    eval(&c, r);
    assert_int_equal(r->d_defined, FULL);
}

static void expect(const struct warp_result *r, unsigned lane, unsigned source, bool p)
{
    assert_int_equal(r->d[lane], 100 + source);
    assert_int_equal(r->p >> lane & 1, p);
}

static void test_up(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.up.b32", 1, 0, &r);
    assert_int_equal(r.p, 0xfffffffe);
    expect(&r, 0, 0, false); /* j = -1 < maxLane = 0 */
    expect(&r, 1, 0, true);
    expect(&r, 31, 30, true);
}

/* For up maxLane is the lower bound: a clamp that is not 0 keeps low lanes from their sources. */
static void test_up_with_clamp(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.up.b32", 2, 5, &r); /* segmask 0: maxLane = 5 for all */
    expect(&r, 6, 6, false);           /* j = 4 < 5 */
    expect(&r, 7, 5, true);
    run("shfl.sync.up.b32", 1, 0x1f, &r); /* maxLane = 31: only j >= 31, which no lane reaches */
    assert_int_equal(r.p, 0);
    run("shfl.sync.up.b32", 0, 0x1f, &r); /* lane 31 itself: j = 31 */
    assert_int_equal(r.p, 0x80000000);
}

static void test_up_in_segments_of_eight(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.up.b32", 3, 0x1800, &r);
    assert_int_equal(r.p, 0xf8f8f8f8);
    expect(&r, 10, 10, false); /* j = 7 < maxLane = 8 */
    expect(&r, 11, 8, true);
}

static void test_down(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.down.b32", 16, 0x1f, &r);
    assert_int_equal(r.p, 0x0000ffff);
    expect(&r, 15, 31, true);
    expect(&r, 16, 16, false); /* j = 32 > 31: not wrapped to 0 */
    run("shfl.sync.down.b32", 31, 0x1f, &r);
    assert_int_equal(r.p, 1);
}

static void test_down_in_segments_of_four(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.down.b32", 1, 0x1c1f, &r);
    assert_int_equal(r.p, 0x77777777);
    expect(&r, 3, 3, false);
    expect(&r, 4, 5, true);
}

static void test_bfly(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.bfly.b32", 0x10, 0x1f, &r);
    assert_int_equal(r.p, FULL);
    expect(&r, 0, 16, true);
    expect(&r, 21, 5, true);
}

/* j <= maxLane is the only bound: a later segment is out of range, an earlier one is not. */
static void test_bfly_reads_an_earlier_segment(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.bfly.b32", 8, 0x181f, &r);
    expect(&r, 0, 0, false); /* j = 8 > maxLane = 7 */
    expect(&r, 8, 0, true);
    expect(&r, 17, 17, false);
    expect(&r, 25, 17, true);
}

static void test_idx(void **state)
{
    struct warp_result r;
    (void)state;
    run("shfl.sync.idx.b32", 5, 0x1f, &r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        expect(&r, lane, 5, true);
    run("shfl.sync.idx.b32", 5, 0x181f, &r); /* width 8: lane 5 of each segment */
    expect(&r, 0, 5, true);
    expect(&r, 31, 29, true);
    run("shfl.sync.idx.b32", 5, 3, &r); /* clamp 3, no segments: j = 5 > 3 */
    assert_int_equal(r.p, 0);
    expect(&r, 9, 9, false);
}

/* "an out of range value of b may still result in a valid computed source lane index" */
static void test_only_the_fields_of_b_and_c_matter(void **state)
{
    struct warp_result r, same;
    (void)state;
    run("shfl.sync.idx.b32", 37, 0x1f, &r);
    expect(&r, 0, 5, true);
    run("shfl.sync.down.b32", 0xfffffff0, 0x1f, &r);  /* 16 */
    run("shfl.sync.down.b32", 16, 0xffffe0ff, &same); /* bits 12:8 are 0, 4:0 are 31 */
    assert_int_equal(r.p, same.p);
    assert_memory_equal(r.d, same.d, sizeof r.d);
}

static void test_operands_are_per_lane(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "shfl.sync.idx.b32");
    count_up(c.a, 100);
    fill(c.c, 0x1f);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.b[lane] = 31 - lane;
    eval(&c, &r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(r.d[lane], 131 - lane);
    assert_int_equal(r.p, 0); /* no predicate destination */
}

/* A source outside the group: d is unpredictable, p is what the index says. */
static void test_source_outside_the_group(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "shfl.sync.down.b32");
    c.dst = WARP_DST_D_P;
    c.active = 0xff;
    fill(c.membermask, 0xff);
    fill(c.b, 4);
    fill(c.c, 0x1f);
    eval(&c, &r);
    assert_int_equal(r.done, 0xff);
    assert_int_equal(r.d_defined, 0x0f);
    assert_int_equal(r.p, 0xff);
}

static void test_exited_source_is_unpredictable(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "shfl.sync.bfly.b32");
    c.exited = 0x2;
    c.active = ~0x2u;
    fill(c.b, 1);
    fill(c.c, 0x1f);
    eval(&c, &r);
    assert_int_equal(r.done, ~0x2u);
    assert_int_equal(r.d_defined, ~0x3u);
}

static void test_without_sync_the_group_is_the_active_lanes(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "shfl.idx.b32");
    c.dst = WARP_DST_D_P;
    count_up(c.a, 100);
    c.active = 0xf0;
    fill(c.b, 4);
    fill(c.c, 0x1f);
    c.b[7] = 3; /* inactive */
    eval(&c, &r);
    assert_int_equal(r.done, 0xf0);
    assert_int_equal(r.d_defined, 0x70);
    assert_int_equal(r.p, 0xf0);
    assert_int_equal(r.d[5], 104);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_up),
        cmocka_unit_test(test_up_with_clamp),
        cmocka_unit_test(test_up_in_segments_of_eight),
        cmocka_unit_test(test_down),
        cmocka_unit_test(test_down_in_segments_of_four),
        cmocka_unit_test(test_bfly),
        cmocka_unit_test(test_bfly_reads_an_earlier_segment),
        cmocka_unit_test(test_idx),
        cmocka_unit_test(test_only_the_fields_of_b_and_c_matter),
        cmocka_unit_test(test_operands_are_per_lane),
        cmocka_unit_test(test_source_outside_the_group),
        cmocka_unit_test(test_exited_source_is_unpredictable),
        cmocka_unit_test(test_without_sync_the_group_is_the_active_lanes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
