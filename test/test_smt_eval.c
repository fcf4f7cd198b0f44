/* The Z3 terms, evaluated on concrete cases, give what the transcription gives: random cases of every form. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>

#include "check/checker.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "smt/warpcheck_smt.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

enum { RANDOM_CASES = 1500 };

static bool print_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                           const struct warp_result *reference, const struct warp_result *observed,
                           const struct warp_diff *diff)
{
    static char text[WARP_TEXT_MAX];
    (void)context;
    (void)checker;
    (void)diff;
    warp_case_to_text(c, text, sizeof text);
    print_message("%s\n", text);
    warp_result_to_text(reference, WARP_PART_ALL, text, sizeof text);
    print_message("  spec %s\n", text);
    warp_result_to_text(observed, WARP_PART_ALL, text, sizeof text);
    print_message("  smt  %s\n", text);
    return false;
}

static void check_family(enum warp_family family)
{
    static struct checker checker;
    char why[64];
    struct warp_case c;
    checker_init(&checker, spec_get(), smt_get(why, sizeof why), print_mismatch, NULL);
    for (uint64_t i = 0; i < RANDOM_CASES / WARP_FAMILIES; i++) {
        random_case(1, i, WARP_FAMILY_BIT(family), &c);
        if (!checker_run(&checker, &c, 1))
            fail_msg("%s", checker.error);
        assert_int_equal(checker_total(&checker).mismatches, 0);
    }
    assert_int_equal(checker_total(&checker).compared, RANDOM_CASES / WARP_FAMILIES);
}

static void test_random(void **state)
{
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        check_family((enum warp_family)family);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
