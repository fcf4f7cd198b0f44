/* Cases that differ only together with others: found, shortened, written, and named as such. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "check/random.h"
#include "check/reduce.h"
#include "warpcheck_spec.h"

/* Right when asked alone; behind a ballot in the same call, activemask answers as if lane 0 were elsewhere. */
static bool eval_leaking(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    const struct warp_impl *spec = spec_get();
    bool leaks = false;
    (void)state;
    if (!spec->eval(spec->state, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (cases[i].form == WARP_ACTIVEMASK_B32 && leaks)
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                results[i].d[lane] &= ~UINT32_C(1);
        leaks = leaks || cases[i].form == WARP_VOTE_SYNC_BALLOT_B32;
    }
    return true;
}

static const struct warp_impl leaking = {
    .name = "leaking", .description = "keeps something", .provides = WARP_PART_ALL, .eval = eval_leaking};

enum { CASES = 40, BALLOT = 7, ACTIVEMASK = 29 };

static void fill(struct warp_case cases[CASES])
{
    for (size_t i = 0; i < CASES; i++)
        random_case(1, i, 1u << WARP_SHFL | 1u << WARP_REDUX_SYNC, &cases[i]);
    warp_case_init(&cases[BALLOT], WARP_VOTE_SYNC_BALLOT_B32);
    warp_case_init(&cases[ACTIVEMASK], WARP_ACTIVEMASK_B32);
}

static void test_alone_it_agrees(void **state)
{
    struct warp_case cases[CASES];
    struct finding f;
    (void)state;
    fill(cases);
    assert_false(finding_make(&f, spec_get(), &leaking, &cases[ACTIVEMASK]));
    assert_true(finding_make_sequence(&f, spec_get(), &leaking, cases, CASES, ACTIVEMASK));
    assert_false(finding_make_sequence(&f, spec_get(), &leaking, cases, CASES, BALLOT));
    assert_false(finding_make_sequence(&f, spec_get(), &leaking, cases + BALLOT + 1, CASES - BALLOT - 1,
                                       ACTIVEMASK - BALLOT - 1));
}

static void test_only_what_is_needed_is_left(void **state)
{
    struct warp_case cases[CASES];
    struct reduction stats = {.limit = 5000};
    struct finding f;
    size_t n = CASES, at = ACTIVEMASK;
    (void)state;
    fill(cases);
    reduce_sequence(cases, &n, &at, spec_get(), &leaking, &stats);
    assert_int_equal(n, 2);
    assert_int_equal(at, 1);
    assert_int_equal(cases[0].form, WARP_VOTE_SYNC_BALLOT_B32);
    assert_int_equal(cases[1].form, WARP_ACTIVEMASK_B32);
    assert_int_equal(cases[1].active, 1);
    assert_true(stats.kept > 0);
    assert_true(finding_make_sequence(&f, spec_get(), &leaking, cases, n, at));
}

static void test_what_does_not_differ_is_left_alone(void **state)
{
    struct warp_case cases[CASES], before[CASES];
    struct reduction stats = {.limit = 5000};
    size_t n = CASES, at = BALLOT;
    (void)state;
    fill(cases);
    memcpy(before, cases, sizeof cases);
    reduce_sequence(cases, &n, &at, spec_get(), &leaking, &stats);
    assert_int_equal(n, CASES);
    assert_int_equal(at, BALLOT);
    assert_memory_equal(before, cases, sizeof cases);
}

static void test_the_signature_says_sequence(void **state)
{
    struct warp_case cases[CASES];
    char signature[FINDING_SIGNATURE_MAX];
    struct finding f;
    (void)state;
    fill(cases);
    assert_true(finding_make_sequence(&f, spec_get(), &leaking, cases, CASES, ACTIVEMASK));
    finding_signature(&f, signature);
    assert_non_null(strstr(signature, "-sequence"));
    f.sequence = NULL;
    finding_signature(&f, signature);
    assert_null(strstr(signature, "-sequence"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone_it_agrees),
        cmocka_unit_test(test_only_what_is_needed_is_left),
        cmocka_unit_test(test_what_does_not_differ_is_left_alone),
        cmocka_unit_test(test_the_signature_says_sequence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
