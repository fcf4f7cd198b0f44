/* Outcomes: done, waiting, undefined, and who is in a group. */
#include "spec_case.h"

static void test_full_warp_is_done(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "redux.sync.or.b32");
    count_up(c.a, 0);
    eval(&c, &r);
    assert_int_equal(r.done, FULL);
    assert_int_equal(r.waiting | r.undefined, 0);
}

static void test_lane_outside_its_own_membermask_is_undefined(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "vote.sync.any.pred");
    c.active = 0x0000000f;
    fill(c.membermask, 0x00000007);
    eval(&c, &r);
    assert_int_equal(r.done, 0x7);
    assert_int_equal(r.undefined, 0x8);
    assert_int_equal(r.waiting, 0);
}

/* Undefined is decided before waiting: lane 3 is not in its mask, and lane 0, which it names, is elsewhere. */
static void test_undefined_comes_before_waiting(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "vote.sync.any.pred");
    c.active = 0x8;
    fill(c.membermask, 0x1);
    eval(&c, &r);
    assert_int_equal(r.undefined, 0x8);
    assert_int_equal(r.waits_for[3], 0);
}

static void test_missing_lane_is_waited_for(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "shfl.sync.idx.b32");
    c.active = 0x0000fffe; /* lane 0 is elsewhere */
    fill(c.membermask, 0x0000ffff);
    eval(&c, &r);
    assert_int_equal(r.waiting, 0xfffe);
    for (unsigned lane = 1; lane < 16; lane++)
        assert_int_equal(r.waits_for[lane], 0x1);
    assert_int_equal(r.waits_for[0], 0);
    assert_int_equal(r.p | r.d_defined, 0);
}

static void test_exited_lane_is_not_waited_for(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "redux.sync.add.u32");
    fill(c.a, 1);
    c.exited = 0xffff0000;
    c.active = 0x0000ffff;
    eval(&c, &r);
    assert_int_equal(r.done, 0xffff);
    for (unsigned lane = 0; lane < 16; lane++)
        assert_int_equal(r.d[lane], 16);
}

/* A lane that arrived with another membermask has not arrived. */
static void test_other_membermask_is_waited_for(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "match.any.sync.b32");
    c.active = 0x7;
    c.membermask[0] = 0x3;
    c.membermask[1] = 0x7;
    c.membermask[2] = 0x4;
    eval(&c, &r);
    assert_int_equal(r.done, 0x4);
    assert_int_equal(r.waiting, 0x3);
    assert_int_equal(r.waits_for[0], 0x2);
    assert_int_equal(r.waits_for[1], 0x5);
}

static void test_disjoint_groups_run_separately(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "redux.sync.max.u32");
    count_up(c.a, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c.membermask[lane] = lane % 2 == 0 ? 0x55555555 : 0xaaaaaaaa;
    eval(&c, &r);
    assert_int_equal(r.done, FULL);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(r.d[lane], lane % 2 == 0 ? 30 : 31);
}

/* The register of a lane that does not execute holds what it holds: it never arrives by it. */
static void test_inactive_lane_does_not_arrive_by_its_register(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "vote.sync.all.pred");
    c.active = 0x1;
    fill(c.membermask, 0x3);
    eval(&c, &r);
    assert_int_equal(r.waiting, 0x1);
    assert_int_equal(r.waits_for[0], 0x2);
}

static void test_up_to_sm_6x_nothing_waits(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "shfl.sync.idx.b32");
    c.target = WARP_TARGET(62, 0);
    c.active = 0xfffffffe;
    eval(&c, &r);
    assert_int_equal(r.undefined, 0xfffffffe);
    assert_int_equal(r.waiting, 0);
    assert_int_equal(r.waits_for[1], 0);
    c.target = WARP_TARGET(70, 0);
    eval(&c, &r);
    assert_int_equal(r.waiting, 0xfffffffe);
}

static void test_without_sync_all_active_lanes_are_done(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "vote.ballot.b32");
    fill(c.a, 1);
    c.active = 0x00ff00ff;
    c.exited = 0xf0000000;
    eval(&c, &r);
    assert_int_equal(r.done, 0x00ff00ff);
    assert_int_equal(r.d[0], 0x00ff00ff);
}

static void test_activemask(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    case_of(&c, "activemask.b32");
    c.active = 0x80000005;
    c.exited = 0x00000008;
    eval(&c, &r);
    assert_int_equal(r.done, 0x80000005);
    assert_int_equal(r.d_defined, 0x80000005);
    assert_int_equal(r.d[0], 0x80000005);
    assert_int_equal(r.d[31], 0x80000005);
    assert_int_equal(r.d[1], 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_warp_is_done),
        cmocka_unit_test(test_lane_outside_its_own_membermask_is_undefined),
        cmocka_unit_test(test_undefined_comes_before_waiting),
        cmocka_unit_test(test_missing_lane_is_waited_for),
        cmocka_unit_test(test_exited_lane_is_not_waited_for),
        cmocka_unit_test(test_other_membermask_is_waited_for),
        cmocka_unit_test(test_disjoint_groups_run_separately),
        cmocka_unit_test(test_inactive_lane_does_not_arrive_by_its_register),
        cmocka_unit_test(test_up_to_sm_6x_nothing_waits),
        cmocka_unit_test(test_without_sync_all_active_lanes_are_done),
        cmocka_unit_test(test_activemask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
