/* What is a case, and how any bits become one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/random_cases.h"
#include "warpcheck/impl.h"

#include <stdio.h>

static void start_is_a_case_for_every_form(void **state)
{
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct warp_case c;
        const struct warp_form_info *info = warp_form_get(form);
        memset(&c, 0xa5, sizeof c);
        warp_case_init(&c, (enum warp_form)form);
        assert_null(warp_case_check(&c));
        assert_int_equal(c.active, UINT32_MAX);
        assert_int_equal(c.exited, 0);
        assert_int_equal(c.membermask[31], warp_form_is_sync(info) ? UINT32_MAX : 0);
        assert_int_equal(c.target, warp_form_least_target(info));
    }
}

static void least_targets(void **state)
{
    (void)state;
    assert_int_equal(warp_form_least_target(warp_form_get(WARP_VOTE_ALL_PRED)), WARP_TARGET(12, 0));
    assert_int_equal(warp_form_least_target(warp_form_get(WARP_SHFL_SYNC_UP_B32)), WARP_TARGET(30, 0));
    assert_int_equal(warp_form_least_target(warp_form_get(WARP_MATCH_ANY_SYNC_B32)), WARP_TARGET(70, 0));
    assert_int_equal(warp_form_least_target(warp_form_get(WARP_REDUX_SYNC_ADD_U32)), WARP_TARGET(80, 0));
    assert_int_equal(warp_form_least_target(warp_form_get(WARP_REDUX_SYNC_MIN_F32)), WARP_TARGET(100, WARP_SUFFIX_A));
}

/* One field of a good case is made wrong; the clause names it. */
static void refuses(enum warp_form form, size_t offset, uint32_t value, const char *part)
{
    struct warp_case c;
    const char *why;
    warp_case_init(&c, form);
    memcpy((char *)&c + offset, &value, sizeof value);
    why = warp_case_check(&c);
    if (why == NULL || strstr(why, part) == NULL)
        fail_msg("offset %zu value %x: %s", offset, value, why == NULL ? "taken" : why);
}

static void each_wrong_field_is_named(void **state)
{
    (void)state;
    refuses(WARP_SHFL_SYNC_UP_B32, offsetof(struct warp_case, form), WARP_FORMS, "form");
    refuses(WARP_SHFL_SYNC_UP_B32, offsetof(struct warp_case, target), 701, "unknown target");
    refuses(WARP_MATCH_ANY_SYNC_B32, offsetof(struct warp_case, target), WARP_TARGET(60, 0), "no PTX version");
    refuses(WARP_SHFL_UP_B32, offsetof(struct warp_case, target), WARP_TARGET(80, 0), "no PTX version");
    refuses(WARP_REDUX_SYNC_MIN_F32, offsetof(struct warp_case, target), WARP_TARGET(100, 0), "no PTX version");
    refuses(WARP_SHFL_SYNC_UP_B32, offsetof(struct warp_case, dst), WARP_DST_SINK_P, "destinations");
    refuses(WARP_SHFL_SYNC_UP_B32, offsetof(struct warp_case, dst), WARP_DST_COUNT, "destinations");
    refuses(WARP_SHFL_SYNC_UP_B32, offsetof(struct warp_case, negate), 1, "negated");
    refuses(WARP_VOTE_SYNC_ALL_PRED, offsetof(struct warp_case, negate), 2, "negated");
    refuses(WARP_VOTE_SYNC_ALL_PRED, offsetof(struct warp_case, exited), 4, "both active and exited");
    refuses(WARP_VOTE_SYNC_ALL_PRED, offsetof(struct warp_case, reserved[9]), 1, "reserved");
    refuses(WARP_VOTE_SYNC_ALL_PRED, offsetof(struct warp_case, a[31]), 2, "predicate");
    refuses(WARP_ACTIVEMASK_B32, offsetof(struct warp_case, a[0]), 1, "no operand a");
    refuses(WARP_ACTIVEMASK_B32, offsetof(struct warp_case, membermask[0]), 1, "no membermask");
    refuses(WARP_VOTE_ANY_PRED, offsetof(struct warp_case, membermask[5]), 1, "no membermask");
    refuses(WARP_MATCH_ANY_SYNC_B32, offsetof(struct warp_case, a_high[3]), 1, "32 bits");
    refuses(WARP_MATCH_ANY_SYNC_B32, offsetof(struct warp_case, b[3]), 1, "no operand b");
    refuses(WARP_MATCH_ANY_SYNC_B32, offsetof(struct warp_case, c[3]), 1, "no operand c");
}

static void repair_makes_a_case_of_any_bits(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct warp_case c;
        test_bytes(i, (uint8_t *)&c, sizeof c);
        warp_case_repair(&c);
        if (warp_case_check(&c) != NULL)
            fail_msg("case %d: %s", (int)i, warp_case_check(&c));
    }
}

static void repair_leaves_cases_alone(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct warp_case c, before;
        test_case(i, &c);
        before = c;
        warp_case_repair(&c);
        assert_memory_equal(&c, &before, sizeof c);
    }
}

static void repair_keeps_what_it_can(void **state)
{
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_VOTE_SYNC_ANY_PRED);
    c.target = WARP_TARGET(90, 0);
    c.exited = 0xff;
    c.a[3] = 0xfffffffe;
    c.a[4] = 0xffffffff;
    c.b[0] = 7;
    warp_case_repair(&c);
    assert_int_equal(c.form, WARP_VOTE_SYNC_ANY_PRED);
    assert_int_equal(c.target, WARP_TARGET(90, 0));
    assert_int_equal(c.exited, 0xff);
    assert_int_equal(c.active, 0xffffff00);
    assert_int_equal(c.a[3], 0);
    assert_int_equal(c.a[4], 1);
    assert_int_equal(c.b[0], 0);
}

static bool refuses_all(void *context, const struct warp_case *c, char *why, size_t why_size)
{
    (void)c;
    snprintf(why, why_size, "%s", (const char *)context);
    return false;
}

static void accepts_goes_through_the_pointer(void **state)
{
    struct warp_case c;
    char why[32] = "", reason[] = "too hard";
    struct warp_impl all = {.name = "all"};
    struct warp_impl none = {.name = "none", .state = reason, .accepts = refuses_all};
    (void)state;
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    assert_true(warp_impl_accepts(&all, &c, why, sizeof why));
    assert_string_equal(why, "");
    assert_false(warp_impl_accepts(&none, &c, why, sizeof why));
    assert_string_equal(why, "too hard");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_is_a_case_for_every_form),   cmocka_unit_test(least_targets),
        cmocka_unit_test(each_wrong_field_is_named),        cmocka_unit_test(repair_makes_a_case_of_any_bits),
        cmocka_unit_test(repair_leaves_cases_alone),        cmocka_unit_test(repair_keeps_what_it_can),
        cmocka_unit_test(accepts_goes_through_the_pointer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
