/* Implementations that are watched: what they do not answer is remembered, and can be kept. */
#include "fuzz/harness.h"

#include "check/random.h"
#include "fuzz/laws.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

static bool eval_failing(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    if (cases[0].active != 6)
        return spec_get()->eval(state, cases, n, results, error, error_size);
    snprintf(error, error_size, "device lost");
    return false;
}

static bool accepts_others(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    (void)state, (void)why, (void)why_size;
    return c->active != 6;
}

/* The names, refusals and errors of others are handed on; the others are not touched by it. */
static void a_watched_one_stands_for_another(void **state)
{
    const struct warp_impl failing = {
        .name = "failing", .description = "", .provides = WARP_PART_ALL, .eval = eval_failing};
    struct warp_impl refusing = failing;
    struct warp_case c;
    struct warp_result r;
    char error[64] = "";
    struct harness h = {
        .reference = spec_get(), .tested = {spec_get(), &failing, &refusing}, .tested_count = 3, .observed_spec = "x"};
    (void)state;
    h.status = status_open(NULL, NULL);
    assert_non_null(h.status);
    refusing.accepts = accepts_others;
    harness_watch(&h);
    random_case(1, 0, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &c);
    c.active = 6;
    assert_string_equal(h.tested[1]->name, "failing");
    assert_true(warp_impl_accepts(h.tested[1], &c, NULL, 0));
    assert_false(warp_impl_accepts(h.tested[2], &c, NULL, 0));
    assert_true(h.tested[0]->eval(h.tested[0]->state, &c, 1, &r, error, sizeof error));
    harness_end_unanswered(&h); /* returns: what is refused is no failure */
    assert_false(h.tested[1]->eval(h.tested[1]->state, &c, 1, &r, error, sizeof error));
    assert_string_equal(error, "device lost");
    free(h.status);
}

static bool eval_readable(void *state, const struct warp_case *cases, size_t n, struct warp_result *results,
                          char *error, size_t error_size)
{
    static struct warp_text text;
    char line[WARP_TEXT_MAX];
    struct warp_text_error why;
    const size_t size = warp_case_to_text(&cases[0], line, sizeof line);
    if (!warp_text_parse(line, size, &text, &why))
        fail_msg("a law asks what is no case: %s: %s", why.what, line);
    return spec_get()->eval(state, cases, n, results, error, error_size);
}

/* Every case that a law asks is written as text and read back: it can be kept when it is not answered. */
static void what_laws_ask_can_be_kept(void **state)
{
    const struct warp_impl readable = {
        .name = "readable", .description = "", .provides = WARP_PART_ALL, .eval = eval_readable};
    const struct law *asked;
    (void)state;
    for (size_t i = 0; (asked = law_get(i)) != NULL; i++)
        for (uint64_t at = 0; at < 500; at++) {
            struct warp_case c;
            bool tried = false;
            random_case(5, at, asked->families, &c);
            assert_null(asked->check(&readable, &c, &tried));
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_watched_one_stands_for_another),
        cmocka_unit_test(what_laws_ask_can_be_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
