/* A real device, where there is one: random cases and the device's own checks against the transcription. */
#include "check/checker.h"
#include "check/random.h"
#include "gpu/gpu.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>

enum { CASES = 50000 };

static const struct warp_impl *device(void)
{
    struct error why;
    const struct warp_impl *impl = gpu_get(&why);
    if (impl == NULL)
        print_message("UNAVAILABLE: %s\n", why.text);
    return impl;
}

static void test_random(void **state)
{
    static struct checker checker;
    static struct warp_case cases[1000];
    const struct warp_impl *gpu = device();
    (void)state;
    if (gpu == NULL)
        skip();
    checker_init(&checker, spec_get(), gpu, NULL, NULL);
    for (uint64_t i = 0; i < CASES; i += 1000) {
        for (uint64_t j = 0; j < 1000; j++)
            random_case(23, i + j, WARP_FAMILY_ALL, &cases[j]);
        assert_true(checker_run(&checker, cases, 1000));
    }
    assert_int_equal(checker_total(&checker).mismatches, 0);
    assert_true(checker_total(&checker).compared > CASES / 10);
}

static void test_throughput(void **state)
{
    const struct warp_impl *gpu = device();
    (void)state;
    if (gpu == NULL)
        skip();
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct throughput_report r;
        struct error error;
        if (!throughput_check(gpu, spec_get(), warp_form_get(form), THROUGHPUT_RANDOM, 9, 1000000, &r, &error)) {
            print_message("UNAVAILABLE: %s\n", error.text);
            continue;
        }
        assert_int_equal(r.mismatches + r.sample_differs, 0);
    }
    gpu->close(gpu->state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_random), cmocka_unit_test(test_throughput)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
