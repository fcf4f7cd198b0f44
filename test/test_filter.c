/* check/filter.c: what is made to fit passes, is what the options say by the transcription, and keeps what it can. */
#include "check/filter.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define CASES 30000u

static struct warp_result answer(const struct warp_case *c)
{
    struct warp_result r;
    char error[64];
    assert_true(spec_get()->eval(spec_get()->state, c, 1, &r, error, sizeof error));
    return r;
}

static struct case_filter filter_number(unsigned number)
{
    return (struct case_filter){
        .done_only = number & 1u, .full_only = (number & 2u) != 0, .cuda_only = (number & 4u) != 0};
}

static void is_uniform(const uint32_t values[WARP_LANES])
{
    for (unsigned lane = 1; lane < WARP_LANES; lane++)
        assert_int_equal(values[lane], values[0]);
}

/* The options' words, said once more, by the transcription and the manual's numbers. */
static void check_says(const struct case_filter *filter, const struct warp_case *c)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    const struct warp_result r = answer(c);
    if (filter->done_only)
        assert_int_equal(r.done, c->active);
    if (filter->full_only)
        assert_int_equal(r.done, UINT32_MAX);
    if (!filter->cuda_only)
        return;
    const bool match_all = info->family == WARP_MATCH_SYNC && info->op == WARP_ALL; /* it has a pointer to p */
    assert_int_equal(c->dst, info->family == WARP_ELECT || match_all ? WARP_DST_D_P
                             : info->family == WARP_BAR_WARP         ? WARP_DST_NONE
                                                                     : WARP_DST_D);
    if (warp_form_is_sync(info))
        is_uniform(c->membermask);
    if (!warp_form_is_shfl(info))
        return;
    const uint32_t width = 32 - (c->c[0] >> 8);
    is_uniform(c->c);
    assert_int_equal(c->c[0] & 0xffu, info->op == WARP_UP ? 0 : 31);
    assert_true(width >= 1 && width <= 32 && (width & (width - 1)) == 0);
}

static void test_fit(void **state)
{
    (void)state;
    for (unsigned number = 0; number < 8; number++) {
        const struct case_filter filter = filter_number(number);
        uint64_t kept = 0;
        assert_int_equal(filter_is_set(&filter), number != 0);
        for (uint64_t index = 0; index < CASES; index++) {
            struct warp_case c, before;
            random_case(7, index, WARP_FAMILY_ALL, &before);
            c = before;
            filter_fit(&filter, &c);
            assert_null(warp_case_check(&c));
            assert_null(filter_refuses(&filter, &c));
            check_says(&filter, &c);
            if (filter_refuses(&filter, &before) == NULL) {
                const struct warp_result x = answer(&before), y = answer(&c);
                assert_memory_equal(&x, &y, sizeof x);
                assert_int_equal(before.active, c.active);
                kept++;
            }
            assert_memory_equal(before.a, c.a, sizeof c.a);
            assert_memory_equal(before.b, c.b, sizeof c.b);
            before = c;
            filter_fit(&filter, &c);
            assert_memory_equal(&before, &c, sizeof c);
        }
        assert_true(kept > CASES / 100);
        assert_true(number == 0 || kept < CASES);
    }
}

/* What is refused does not pass by the words of the option either: nothing is left out that could be asked. */
static void test_refusals_are_right(void **state)
{
    (void)state;
    for (uint64_t index = 0; index < CASES; index++) {
        struct warp_case c;
        random_case(11, index, WARP_FAMILY_ALL, &c);
        const struct warp_result r = answer(&c);
        const struct case_filter done = {.done_only = true}, full = {.full_only = true};
        assert_int_equal(filter_refuses(&done, &c) == NULL, r.done == c.active);
        assert_int_equal(filter_refuses(&full, &c) == NULL, r.done == UINT32_MAX);
    }
}

/* The groups of lanes that pass one mask stay apart: not everything becomes one full warp. */
static void test_groups_stay(void **state)
{
    const struct case_filter filter = {.done_only = true};
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_VOTE_SYNC_ALL_PRED);
    c.active = 0x0f;
    c.exited = 0x80000000u;
    c.membermask[0] = c.membermask[1] = 0x80000013u;
    c.membermask[2] = c.membermask[3] = 0x000000ffu;
    filter_fit(&filter, &c);
    assert_int_equal(c.membermask[0], 0x80000003u);
    assert_int_equal(c.membermask[1], 0x80000003u);
    assert_int_equal(c.membermask[2], 0x0000000cu);
    assert_int_equal(c.membermask[3], 0x0000000cu);
    assert_int_equal(c.membermask[4], UINT32_MAX);
}

static void test_as_implementation(void **state)
{
    const struct case_filter filter = {.done_only = true, .cuda_only = true};
    struct filtered filtered;
    const struct warp_impl *const impl = filter_impl(&filtered, spec_get(), &filter);
    struct warp_case c;
    struct warp_result r, expected;
    char why[96] = "";
    (void)state;
    warp_case_init(&c, WARP_SHFL_SYNC_UP_B32);
    assert_true(warp_impl_accepts(impl, &c, why, sizeof why));
    assert_true(impl->eval(impl->state, &c, 1, &r, why, sizeof why));
    expected = answer(&c);
    assert_memory_equal(&r, &expected, sizeof r);
    c.membermask[5] = 1;
    assert_false(warp_impl_accepts(impl, &c, why, sizeof why));
    assert_string_equal(why, "--cuda-only: lanes pass different membermasks");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_refusals_are_right),
                                       cmocka_unit_test(test_groups_stay), cmocka_unit_test(test_as_implementation)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
