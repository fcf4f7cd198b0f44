/*
 * The executor has the last word about generated kernels: all of a right generator are clean. With a mistake in the
 * generator (planted.sh make) some are undefined, and the executor must refuse them: this test fails then, and says
 * how.
 */
#include "kernel/make/make.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <cmocka.h>

#define KERNELS 600u

static void test_none_is_refused(void **state)
{
    (void)state;
    const struct make_suite suite = {.seed = 6, .target = WARP_TARGET(90, 0), .size = MAKE_LARGE};
    static struct made m;
    struct make_kernel kernel;
    unsigned refused = 0;
    for (unsigned n = 0; n < KERNELS; n++) {
        assert_true(make_draw(&suite, n, &kernel));
        assert_true(made_set(&m, &kernel, spec_get()));
        if (m.answer.verdict != MAKE_CLEAN && refused++ == 0)
            print_message("%s: %s at line %u %s\n", m.name, make_verdict_name(m.answer.verdict), m.answer.line,
                          m.answer.error.text);
        if (m.answer.verdict == MAKE_UNREAD && m.answer.error.code == ERROR_INPUT)
            skip(); /* no kernel: that is no refusal of one that is undefined */
        made_free(&m);
    }
    print_message("%u of %u kernels are refused\n", refused, KERNELS);
    assert_int_equal(refused, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_none_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
