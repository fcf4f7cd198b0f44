/*
 * What no single case can say about the transcription: properties of many cases, and of the processor's state. Facts
 * that are one case each stand in corpus/cases, and the test `corpus` holds the transcription against them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "spec.h"
#include "test/random_cases.h"

#define RANDOM_CASES 20000u

static void eval(const struct warp_case *c, struct warp_result *r)
{
    const struct warp_impl *spec = spec_get();
    char error[64];
    assert_null(warp_case_check(c));
    assert_true(spec->eval(spec->state, c, 1, r, error, sizeof error));
}

/* Done, waiting or undefined: one of them in each active lane, none in the others. */
static void every_active_lane_has_one_outcome(void **state)
{
    lanemask waited = 0, undefined = 0;
    (void)state;
    for (uint64_t i = 0; i < RANDOM_CASES; i++) {
        struct warp_case c;
        struct warp_result r;
        test_case(i, &c);
        eval(&c, &r);
        assert_int_equal(r.done | r.waiting | r.undefined, c.active);
        assert_int_equal((r.done & r.waiting) | (r.done & r.undefined) | (r.waiting & r.undefined), 0);
        waited |= r.waiting;
        undefined |= r.undefined;
    }
    assert_int_equal(waited & undefined, UINT32_MAX); /* both come up in every lane, or the test shows little */
}

/* The corpus has one such pair of cases: nothing-waits-on-sm-62 and lane-0-of-32-is-waited-for. */
static void what_waits_is_undefined_up_to_sm_6x(void **state)
{
    unsigned waited = 0;
    (void)state;
    for (uint64_t i = 0; i < RANDOM_CASES; i++) {
        struct warp_case c;
        struct warp_result waits, none_waits;
        test_case(i, &c);
        const struct warp_form_info *info = warp_form_get(c.form);
        if (!warp_form_is_sync(info) || info->min_sm >= 70)
            continue;
        c.target = WARP_TARGET(70, 0);
        eval(&c, &waits);
        c.target = WARP_TARGET(62, 0);
        eval(&c, &none_waits);
        waited += waits.waiting != 0;
        waits.undefined |= waits.waiting;
        waits.waiting = 0;
        memset(waits.waits_for, 0, sizeof waits.waits_for);
        assert_memory_equal(&waits, &none_waits, sizeof waits);
    }
    assert_true(waited > 100);
}

/* Of b only b[4:0], of c only c[4:0] and c[12:8]; one case each in the corpus: down-only-5-bits-of-b, ...-10-bits-of-c.
 */
static void only_the_fields_of_b_and_c_matter(void **state)
{
    unsigned tried = 0;
    (void)state;
    for (uint64_t i = 0; i < RANDOM_CASES; i++) {
        struct warp_case c;
        struct warp_result r, same;
        test_case(i, &c);
        const enum warp_family family = warp_form_get(c.form)->family;
        if (family != WARP_SHFL && family != WARP_SHFL_SYNC)
            continue;
        eval(&c, &r);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            c.b[lane] ^= 0xffffffe0u;
            c.c[lane] ^= 0xffffe0e0u;
        }
        eval(&c, &same);
        assert_memory_equal(&r, &same, sizeof r);
        tried++;
    }
    assert_true(tried > 1000);
}

/* Results on subnormal numbers, zeros, NaNs, and ordinary numbers, one after another. */
static void all_float_results(struct warp_result *results, size_t n)
{
    const struct warp_impl *spec = spec_get();
    char error[64];
    for (size_t i = 0; i < n; i++) {
        struct warp_case c;
        warp_case_init(&c, (enum warp_form)(WARP_REDUX_SYNC_MIN_F32 + i % 8));
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            const uint32_t word = (uint32_t)(i * WARP_LANES + lane) * 0x9e3779b1u;
            c.a[lane] =
                i / 8 % 2 == 0 ? word & 0x807fffffu : (word & 0x80000003u) | (i / 16 % 2 == 0 ? 0u : 0x3f800000u);
        }
        assert_true(spec->eval(spec->state, &c, 1, &results[i], error, sizeof error));
    }
}

/* Who sets the processor to take subnormal numbers for zero, or to round another way, changes no result. */
static void the_floating_point_state_does_not_matter(void **state)
{
    enum { N = 512 };
    static struct warp_result before[N], after[N];
    (void)state;
    all_float_results(before, N);
#if defined(__x86_64__)
    const unsigned usual = __builtin_ia32_stmxcsr();
    volatile float subnormal = 0x1p-140f;
    __builtin_ia32_ldmxcsr(usual | 0x8040u | 0x6000u); /* FTZ, DAZ, towards zero */
    assert_true(subnormal * 1.0f == 0.0f);             /* the state is set, or the test shows nothing */
    all_float_results(after, N);
    __builtin_ia32_ldmxcsr(usual);
#elif defined(__aarch64__)
    uint64_t usual;
    __asm__ volatile("mrs %0, fpcr" : "=r"(usual));
    __asm__ volatile("msr fpcr, %0" : : "r"(usual | 3u << 24 | 3u << 22)); /* FZ, DN, towards zero */
    all_float_results(after, N);
    __asm__ volatile("msr fpcr, %0" : : "r"(usual));
#else
    skip();
#endif
    assert_memory_equal(before, after, sizeof before);
}

/* The text is compiled twice: whichever this processor is given, both say the same. */
static void what_is_compiled_for_every_processor_says_the_same(void **state)
{
    (void)state;
    if (spec_get()->eval == spec_eval)
        skip();
    for (uint64_t i = 0; i < RANDOM_CASES; i++) {
        struct warp_case c;
        struct warp_result r, plain;
        test_case(i, &c);
        eval(&c, &r);
        assert_true(spec_eval(NULL, &c, 1, &plain, NULL, 0));
        assert_memory_equal(&r, &plain, sizeof r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_active_lane_has_one_outcome),
        cmocka_unit_test(what_waits_is_undefined_up_to_sm_6x),
        cmocka_unit_test(only_the_fields_of_b_and_c_matter),
        cmocka_unit_test(the_floating_point_state_does_not_matter),
        cmocka_unit_test(what_is_compiled_for_every_processor_says_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
