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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_that_are_not_done_have_nothing),
        cmocka_unit_test(equal_results_agree),
        cmocka_unit_test(d_counts_where_done_and_predictable),
        cmocka_unit_test(unpredictable_by_either_is_not_compared),
        cmocka_unit_test(p_counts_where_done),
        cmocka_unit_test(destinations_that_are_not_selected_do_not_count),
        cmocka_unit_test(outcomes),
        cmocka_unit_test(each_outcome_counts_alone),
        cmocka_unit_test(waits_for_counts_where_both_wait),
        cmocka_unit_test(nothing_selected_agrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
