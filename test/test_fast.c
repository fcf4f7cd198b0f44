/* model/fast/: every variant against the transcription and against the portable one, on random cases. */
#include "fast_cases.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BATCH  300u /* more than a strip, so that strips meet */
#define ROUNDS 40u

static struct warp_case cases[BATCH];
static struct warp_result expected[BATCH], observed[BATCH];

static void evaluate(const struct warp_impl *impl, struct warp_result *results)
{
    char error[128] = "";
    memset(results, 0xa5, BATCH * sizeof *results); /* what was there before must not matter */
    if (!impl->eval(impl->state, cases, BATCH, results, error, sizeof error))
        fail_msg("%s: %s", impl->name, error);
}

static void compare(const struct warp_impl *reference, const struct warp_impl *impl)
{
    for (unsigned i = 0; i < BATCH; i++) {
        struct warp_diff diff;
        if (!warp_result_compare(&cases[i], &expected[i], &observed[i], WARP_PART_ALL, &diff))
            fail_msg("%s against %s, case %u, %s: outcome %08x d_defined %08x d %08x p %08x waits_for %08x", impl->name,
                     reference->name, i, warp_form_get(cases[i].form)->name, diff.outcome, diff.d_defined, diff.d,
                     diff.p, diff.waits_for);
    }
}

/* Alike: many cases of one instruction in a row, as a campaign makes them; else all instructions mixed. */
static void make_cases(struct random *r, uint32_t form, bool alike)
{
    const uint32_t seed = fast_random_word(r);
    for (unsigned i = 0; i < BATCH; i++) {
        fast_random_case(r, alike ? form : fast_random_below(r, WARP_FORMS), &cases[i]);
        if (alike) {
            cases[i].target = seed;
            cases[i].dst = seed >> 8;
            cases[i].negate = seed >> 16;
            warp_case_repair(&cases[i]);
        }
        assert_null(warp_case_check(&cases[i]));
    }
}

static void run(const struct warp_impl *reference, const struct warp_impl *impl, bool whole)
{
    struct random r = {1};
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (uint32_t form = 0; form < WARP_FORMS; form++) {
            make_cases(&r, form, round % 4 != 0);
            evaluate(reference, expected);
            evaluate(impl, observed);
            compare(reference, impl);
            if (whole)
                assert_memory_equal(expected, observed, sizeof expected);
        }
    }
}

static void portable_agrees_with_spec(void **state)
{
    (void)state;
    run(spec_get(), fast_portable_get(), false);
}

/* Not only the compared parts: variants agree in every bit of the results. */
static void variants_agree_with_portable(void **state)
{
    struct fast_variant v;
    (void)state;
    for (size_t i = 0; fast_variant_get(i, &v); i++) {
        if (v.impl == NULL) {
            printf("%s: UNAVAILABLE: %s\n", v.name, v.unavailable);
            continue;
        }
        printf("%s\n", v.name);
        run(fast_portable_get(), v.impl, true);
    }
}

static void chosen_agrees_with_spec(void **state)
{
    (void)state;
    run(spec_get(), fast_get(), false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(portable_agrees_with_spec),
        cmocka_unit_test(variants_agree_with_portable),
        cmocka_unit_test(chosen_agrees_with_spec),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
