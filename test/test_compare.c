/* Comparison: what counts as a difference, and what is freedom that the manual leaves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "warpcheck/warp.h"

#include <string.h>

/* A reference with lanes 0-7 done, 8-15 waiting, 16-23 undefined; d unpredictable in lane 7. */
struct pair {
    struct warp_case c;
    struct warp_result reference, observed;
    struct warp_diff diff;
};

static void set_up(struct pair *pair, enum warp_form form, enum warp_dst dst)
{
    memset(pair, 0, sizeof *pair);
    warp_case_init(&pair->c, form);
    pair->c.dst = dst;
    pair->c.active = 0x00ffffff;
    pair->reference.done = 0xff;
    pair->reference.waiting = 0xff00;
    pair->reference.undefined = 0xff0000;
    pair->reference.d_defined = 0x7f;
    for (unsigned lane = 8; lane < 16; lane++)
        pair->reference.waits_for[lane] = 0x80000000;
    pair->observed = pair->reference;
    memset(&pair->diff, 0xff, sizeof pair->diff);
}

static bool agree(struct pair *pair, uint32_t parts)
{
    return warp_result_compare(&pair->c, &pair->reference, &pair->observed, parts, &pair->diff);
}

static void equal_results_agree(void **state)
{
    static const struct warp_diff none = {0};
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_true(agree(&pair, WARP_PART_ALL));
    assert_memory_equal(&pair.diff, &none, sizeof none);
    assert_true(warp_result_compare(&pair.c, &pair.reference, &pair.observed, WARP_PART_ALL, NULL));
}

static void d_counts_where_done_and_predictable(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        pair.observed.d[lane] = 1 + lane;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.d, 0x7f);
    assert_int_equal(pair.diff.p | pair.diff.d_defined | pair.diff.outcome | pair.diff.waits_for, 0);
    memset(pair.observed.d, 0, 7 * sizeof pair.observed.d[0]);
    assert_true(agree(&pair, WARP_PART_ALL));
}

static void unpredictable_by_either_is_not_compared(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    pair.observed.d[3] = 5;
    pair.observed.d_defined &= ~8u;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.d, 0);
    assert_int_equal(pair.diff.d_defined, 8);
    /* Without the mask of the observed one only the reference says what is predictable. */
    assert_false(agree(&pair, WARP_PART_ALL & ~WARP_PART_D_DEFINED));
    assert_int_equal(pair.diff.d, 8);
    assert_int_equal(pair.diff.d_defined, 0);
}

static void p_counts_where_done(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    pair.observed.p = UINT32_MAX;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.p, UINT32_MAX); /* nor has a lane that is not done one */
    assert_false(agree(&pair, WARP_PART_P));
    assert_int_equal(pair.diff.p, 0xff);
    assert_true(agree(&pair, WARP_PART_ALL & ~WARP_PART_P));
}

static void destinations_that_are_not_selected_do_not_count(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_MATCH_ALL_SYNC_B32, WARP_DST_D_SINK);
    pair.observed.p = UINT32_MAX;
    assert_true(agree(&pair, WARP_PART_ALL));
    set_up(&pair, WARP_MATCH_ALL_SYNC_B32, WARP_DST_SINK_P);
    pair.observed.d[0] = 1;
    pair.observed.d_defined = 0;
    assert_true(agree(&pair, WARP_PART_ALL));
    set_up(&pair, WARP_VOTE_SYNC_ALL_PRED, WARP_DST_D);
    pair.observed.d[0] = 1;
    assert_true(agree(&pair, WARP_PART_ALL));
    pair.observed.p = 1;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.p, 1);
}

static void outcomes(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    pair.observed.done = 0x1fe; /* lane 0 is missing, lane 8 is too much */
    pair.observed.waiting = 0xfe00;
    pair.observed.undefined = 0xff0001;
    pair.observed.d[0] = pair.observed.d[8] = 99;
    pair.observed.p = 0x101;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.outcome, 0x101);
    assert_int_equal(pair.diff.d | pair.diff.p | pair.diff.d_defined, 0);
    /* Without the outcome the observed one is taken to be done where the reference is. */
    assert_false(agree(&pair, WARP_PART_D | WARP_PART_P));
    assert_int_equal(pair.diff.d, 1);
    assert_int_equal(pair.diff.p, 1);
    assert_int_equal(pair.diff.outcome, 0);
}

/* A result that puts a lane into no outcome, or into two, differs too. */
static void each_outcome_counts_alone(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    pair.observed.waiting ^= 0x100;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.outcome, 0x100);
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    pair.observed.undefined |= 1;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.outcome, 1);
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    pair.observed.done &= ~1u;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.outcome, 1);
}

static void waits_for_counts_where_both_wait(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    pair.observed.waits_for[8] = 1;
    pair.observed.waits_for[0] = 1;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.waits_for, 0x100);
    assert_true(agree(&pair, WARP_PART_ALL & ~WARP_PART_WAITS_FOR));
    assert_true(agree(&pair, WARP_PART_ALL & ~WARP_PART_OUTCOME));
}

static void nothing_selected_agrees(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    memset(&pair.observed, 0xff, sizeof pair.observed);
    assert_true(agree(&pair, 0));
}

/* A lane that waits, is undefined or does not execute the instruction has neither p nor a predictable d. */
static void lanes_that_are_not_done_have_nothing(void **state)
{
    struct pair pair;
    (void)state;
    for (unsigned lane = 8; lane < WARP_LANES; lane++) {
        set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
        pair.observed.p |= 1u << lane;
        assert_false(agree(&pair, WARP_PART_ALL));
        assert_int_equal(pair.diff.p, 1u << lane);
        assert_true(agree(&pair, WARP_PART_P)); /* who gives no outcome says nothing of other lanes */
        assert_true(agree(&pair, WARP_PART_ALL & ~WARP_PART_P));
        set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
        pair.observed.d_defined |= 1u << lane;
        assert_false(agree(&pair, WARP_PART_ALL));
        assert_int_equal(pair.diff.d_defined, 1u << lane);
        assert_true(agree(&pair, WARP_PART_D_DEFINED));
        set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D); /* p is not among the destinations */
        pair.observed.p |= 1u << lane;
        assert_true(agree(&pair, WARP_PART_ALL));
    }
}

/* Nor have they when both results give them the same: they differ, although they are equal to the last bit. */
static void equal_results_with_what_no_lane_has_differ(void **state)
{
    struct pair pair;
    (void)state;
    for (unsigned lane = 8; lane < WARP_LANES; lane++) {
        set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
        pair.reference.p = pair.observed.p = 1u << lane;
        assert_false(agree(&pair, WARP_PART_ALL));
        assert_int_equal(pair.diff.p, 1u << lane);
        set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
        pair.reference.d_defined |= 1u << lane;
        pair.observed.d_defined = pair.reference.d_defined;
        assert_false(agree(&pair, WARP_PART_ALL));
        assert_int_equal(pair.diff.d_defined, 1u << lane);
    }
}

/* A group of lanes 4 to 7, one of lanes 8 and 9; lane 20 waits. The reference elects 4 and 8. */
static void set_up_election(struct pair *pair, enum warp_dst dst)
{
    memset(pair, 0, sizeof *pair);
    warp_case_init(&pair->c, WARP_ELECT_SYNC);
    pair->c.dst = dst;
    pair->c.exited = 0xf;
    pair->c.active = 0x1003f0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        pair->c.membermask[lane] = lane < 8 ? 0xff : lane < 10 ? 0x300 : 0x300000;
    pair->reference.done = 0x3f0;
    pair->reference.waiting = 0x100000;
    pair->reference.waits_for[20] = 0x200000;
    warp_result_elect(&pair->reference, 0xf0, 4);
    warp_result_elect(&pair->reference, 0x300, 8);
    pair->reference.d_defined = dst == WARP_DST_D_P ? 0x3f0 : 0;
    pair->observed = pair->reference;
}

static void any_lane_of_a_group_may_lead(void **state)
{
    struct pair pair;
    (void)state;
    for (unsigned both = 0; both < 2; both++)
        for (unsigned first = 4; first < 8; first++)
            for (unsigned second = 8; second < 10; second++) {
                set_up_election(&pair, both ? WARP_DST_D_P : WARP_DST_SINK_P);
                warp_result_elect(&pair.observed, 0xf0, first);
                warp_result_elect(&pair.observed, 0x300, second);
                assert_true(agree(&pair, WARP_PART_ALL));
                assert_true(agree(&pair, WARP_PART_ALL & ~WARP_PART_P));
                assert_true(agree(&pair, WARP_PART_ALL & ~WARP_PART_D));
            }
}

/* One lane of a group, which both d and p name, and every lane of the group is told the same. */
static void only_one_lane_of_the_group_may_lead(void **state)
{
    struct pair pair;
    (void)state;
    for (unsigned outside = 0; outside < WARP_LANES; outside++) {
        set_up_election(&pair, WARP_DST_D_P);
        warp_result_elect(&pair.observed, 0xf0, outside);
        assert_int_equal(agree(&pair, WARP_PART_ALL), outside >= 4 && outside < 8);
        assert_int_equal(agree(&pair, WARP_PART_ALL & ~WARP_PART_P), outside >= 4 && outside < 8);
    }
    set_up_election(&pair, WARP_DST_D_P);
    pair.observed.p |= 0x40; /* two leaders; d names the first */
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.p, 0x40);
    assert_int_equal(pair.diff.d | pair.diff.outcome, 0);
    set_up_election(&pair, WARP_DST_D_P);
    pair.observed.p &= ~0x10u; /* none */
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.p, 0x10);
    set_up_election(&pair, WARP_DST_D_P);
    pair.observed.p ^= 0x30; /* p is true in lane 5, d names lane 4 */
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.d, 0xf0);
    set_up_election(&pair, WARP_DST_D_P);
    pair.observed.d[6] = 5; /* one lane is told another leader */
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.d, 0x40);
    assert_false(agree(&pair, WARP_PART_ALL & ~WARP_PART_P));
    set_up_election(&pair, WARP_DST_SINK_P);
    pair.observed.p |= 0x200;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.p, 0x200);
}

/* What the reference itself gets wrong is not made right by the other one. */
static void a_wrong_reference_stays_wrong(void **state)
{
    struct pair pair;
    (void)state;
    set_up_election(&pair, WARP_DST_D_P);
    warp_result_elect(&pair.reference, 0xf0, 9);
    assert_false(agree(&pair, WARP_PART_ALL));
    set_up_election(&pair, WARP_DST_D_P);
    pair.reference.p |= 0x40;
    assert_false(agree(&pair, WARP_PART_ALL));
    set_up_election(&pair, WARP_DST_D_P);
    pair.reference.d[6] = 5;
    assert_false(agree(&pair, WARP_PART_ALL));
}

/* A number that is no lane's elects nobody, whatever lane it would be with fewer bits. */
static void no_lane_has_a_number_above_31(void **state)
{
    static const uint32_t numbers[] = {32, 63, 64 + 31, UINT32_MAX};
    struct pair pair;
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        set_up_election(&pair, WARP_DST_D_P);
        for (unsigned lane = 30; lane < WARP_LANES; lane++)
            pair.c.membermask[lane] = 0xc0000000;
        pair.c.active |= 0xc0000000;
        pair.reference.done |= 0xc0000000;
        pair.reference.d_defined |= 0xc0000000;
        warp_result_elect(&pair.reference, 0xc0000000, 31);
        pair.observed = pair.reference;
        assert_true(agree(&pair, WARP_PART_ALL));
        pair.reference.d[30] = pair.reference.d[31] = numbers[i];
        assert_false(agree(&pair, WARP_PART_ALL));
        assert_int_equal(pair.diff.d, 0xc0000000);
    }
}

/* Which lanes are said to be compared: those of which a part that both give could differ. */
static void lanes_that_are_compared(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_SHFL_SYNC_UP_B32, WARP_DST_D);
    pair.observed.done = 0xfe;
    pair.observed.d_defined = 0x3e;
    static const struct {
        uint32_t parts;
        lanemask lanes;
    } expected[] = {{WARP_PART_D, 0x7f},
                    {WARP_PART_D | WARP_PART_D_DEFINED, 0xff},
                    {WARP_PART_D_DEFINED, 0xff},
                    {WARP_PART_P, 0},
                    {WARP_PART_OUTCOME, 0xffffff}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(warp_result_compared(&pair.c, &pair.reference, &pair.observed, expected[i].parts),
                         expected[i].lanes);
}

/* bar.warp.sync gives nothing but its outcome. */
static void a_barrier_is_its_outcome(void **state)
{
    struct pair pair;
    (void)state;
    set_up(&pair, WARP_BAR_WARP_SYNC, WARP_DST_NONE);
    pair.observed.p = 0xff;
    pair.observed.d[0] = 1;
    pair.observed.d_defined = 0;
    assert_true(agree(&pair, WARP_PART_ALL));
    pair.observed.done ^= 1;
    pair.observed.waiting ^= 1;
    assert_false(agree(&pair, WARP_PART_ALL));
    assert_int_equal(pair.diff.outcome, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_are_not_done_have_nothing),
        cmocka_unit_test(equal_results_with_what_no_lane_has_differ),
        cmocka_unit_test(equal_results_agree),
        cmocka_unit_test(d_counts_where_done_and_predictable),
        cmocka_unit_test(unpredictable_by_either_is_not_compared),
        cmocka_unit_test(p_counts_where_done),
        cmocka_unit_test(destinations_that_are_not_selected_do_not_count),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(each_outcome_counts_alone),
        cmocka_unit_test(waits_for_counts_where_both_wait),
        cmocka_unit_test(nothing_selected_agrees),
        cmocka_unit_test(any_lane_of_a_group_may_lead),
        cmocka_unit_test(only_one_lane_of_the_group_may_lead),
        cmocka_unit_test(a_wrong_reference_stays_wrong),
        cmocka_unit_test(no_lane_has_a_number_above_31),
        cmocka_unit_test(lanes_that_are_compared),
        cmocka_unit_test(a_barrier_is_its_outcome),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
