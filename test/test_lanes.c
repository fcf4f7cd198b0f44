/* model/lanes.c against the transcription of the manual, on random cases. */
#include "check/random.h"
#include "model/lanes.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

enum { CASES = 200000 };

static void test_against_spec(void **state)
{
    const struct warp_impl *spec = spec_get();
    unsigned safe = 0, unsafe = 0, open = 0;
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        struct warp_case c;
        struct warp_result r;
        char error[64];
        random_case(17, i, WARP_FAMILY_ALL, &c);
        assert_true(spec->eval(spec->state, &c, 1, &r, error, sizeof error));
        assert_int_equal(lanes_not_done(&c), r.waiting | r.undefined);
        if (lanes_not_done(&c) != 0) {
            unsafe++;
            continue;
        }
        safe++;
        open += lanes_predictable(&c) != c.active;
        assert_int_equal(lanes_predictable(&c), r.d_defined);
    }
    print_message("%u safe cases, %u not, %u with an unpredictable d\n", safe, unsafe, open);
    assert_true(safe > CASES / 10 && unsafe > CASES / 10 && open > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_spec)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
