#include "check/impl/fast_batch.h"

#include "check/enumerate.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define TOGETHER 96u

static void assert_same(const struct warp_impl *variant, const struct warp_case cases[TOGETHER], size_t n)
{
    static struct warp_result expected[TOGETHER], observed[TOGETHER];
    char error[256] = "";
    assert_true(spec_get()->eval(NULL, cases, n, expected, error, sizeof error));
    memset(observed, 0xa5, sizeof observed);
    if (!impl_fast_batch_eval(variant, cases, n, observed, error, sizeof error))
        fail_msg("%s", error);
    for (size_t i = 0; i < n; i++)
        if (!warp_result_compare(&cases[i], &expected[i], &observed[i], WARP_PART_ALL, NULL))
            fail_msg("%s: case %u", variant->name, (unsigned)i);
}

/* Every variant, on cases that come one by one and in runs that are alike, uniform and not. */
static void batches_answer_as_the_transcription(void **state)
{
    static struct warp_case cases[TOGETHER];
    struct fast_variant variant;
    (void)state;
    for (size_t v = 0; fast_variant_get(v, &variant); v++) {
        if (variant.impl == NULL) {
            print_message("%s: UNAVAILABLE: %s\n", variant.name, variant.unavailable);
            continue;
        }
        for (uint64_t round = 0; round < 600; round++) {
            for (unsigned i = 0; i < TOGETHER; i++) {
                random_case(11, round * TOGETHER + i, WARP_FAMILY_BIT(round % WARP_FAMILIES), &cases[i]);
                if (round % 2 == 0) { /* a run of one form */
                    cases[i].form = cases[0].form;
                    cases[i].target = cases[0].target;
                    cases[i].dst = cases[0].dst;
                    cases[i].negate = cases[0].negate;
                    warp_case_repair(&cases[i]);
                }
            }
            assert_same(variant.impl, cases, round % 5 == 0 ? 1 : TOGETHER);
        }
    }
}

static void enumerations_too(void **state)
{
    static struct warp_case cases[TOGETHER];
    const struct enumeration *e;
    (void)state;
    for (size_t k = 0; (e = enumeration_get(k)) != NULL; k++) {
        uint64_t count = e->count();
        for (uint64_t first = 0; first < count; first += count / 40 + 1) {
            size_t n = 0;
            for (; n < TOGETHER && first + n < count; n++)
                e->make(first + n, &cases[n]);
            assert_same(fast_get(), cases, n);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(batches_answer_as_the_transcription),
        cmocka_unit_test(enumerations_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
