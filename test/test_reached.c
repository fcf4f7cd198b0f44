/* What a campaign reached over time: when a silence is worth a line, and that the moments never grow over. */
#include "cli/fuzz/reached.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

static void a_silence_is_told_each_time_it_doubled(void **state)
{
    static const double told[] = {65, 125, 245};
    struct reached h = {0};
    size_t times = 0;
    (void)state;
    assert_true(reached_add(&h, 5, 10, 0, 0) == 0); /* new at 5 s, and never again until 300 s */
    for (double at_s = 5.5; at_s < 300; at_s += 0.5) {
        const double quiet_s = reached_add(&h, at_s, 10, 0, 0);
        if (quiet_s == 0)
            continue;
        assert_true(times < 3 && at_s == told[times] && quiet_s == at_s - 5);
        times++;
    }
    assert_int_equal(times, 3);
    assert_true(reached_add(&h, 300, 10, 0, 1) == 0); /* a finding is new, too */
    assert_true(reached_add(&h, 301, 10, 1, 1) == 0); /* so is a pair of features */
    assert_true(reached_add(&h, 360, 10, 1, 1) == 0);
    assert_true(reached_add(&h, 361, 10, 1, 1) == 60);
}

static void nothing_from_the_beginning_is_told(void **state)
{
    struct reached h = {0};
    (void)state;
    assert_true(reached_add(&h, 59, 0, 0, 0) == 0);
    assert_true(reached_add(&h, 60, 0, 0, 0) == 60);
    assert_int_equal(h.count, 0);
}

static void many_moments_are_thinned(void **state)
{
    struct reached h = {0};
    (void)state;
    for (size_t i = 1; i <= 2000; i++) {
        reached_add(&h, (double)i / 10, i, 0, 0);
        assert_true(h.count >= 1 && h.count <= REACHED_MAX);
        assert_true(h.moments[0].at_s == 0.1 && h.moments[h.count - 1].hit == i);
        for (size_t k = 1; k < h.count; k++)
            assert_true(h.moments[k].at_s > h.moments[k - 1].at_s && h.moments[k].hit > h.moments[k - 1].hit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_silence_is_told_each_time_it_doubled),
        cmocka_unit_test(nothing_from_the_beginning_is_told),
        cmocka_unit_test(many_moments_are_thinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
