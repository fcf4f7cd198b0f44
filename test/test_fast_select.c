/* model/fast/fast.c: which variant answers, and what is said when it cannot. */
#include "warpcheck_batch.h"
#include "warpcheck_fast.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void variants_are_listed_with_reasons(void **state)
{
    struct fast_variant v;
    size_t available = 0, i;
    (void)state;
    for (i = 0; fast_variant_get(i, &v); i++) {
        assert_int_equal(strncmp(v.name, "fast-", 5), 0);
        assert_true(v.description[0] != '\0');
        assert_true((v.impl == NULL) == (v.unavailable != NULL));
        if (v.impl == NULL)
            continue;
        available++;
        assert_string_equal(v.impl->name, v.name);
        assert_int_equal(v.impl->provides, WARP_PART_ALL);
    }
    assert_true(i >= 4 && available >= 1);
    assert_ptr_equal(fast_portable_get(), (fast_variant_get(0, &v), v.impl));
}

static void every_available_variant_can_be_chosen(void **state)
{
    struct fast_variant v;
    char error[128];
    (void)state;
    for (size_t i = 0; fast_variant_get(i, &v); i++) {
        const bool chosen = fast_select(v.name + 5, error, sizeof error);
        assert_true(chosen == (v.impl != NULL));
        assert_true(fast_select(v.name, error, sizeof error) == chosen);
        assert_string_equal(fast_get()->name, "fast");
        if (chosen)
            assert_ptr_equal(fast_get()->state, v.impl->state);
        else
            assert_non_null(strstr(error, "UNAVAILABLE"));
    }
    assert_true(fast_select(NULL, error, sizeof error));
}

static void the_best_one_is_chosen_by_itself(void **state)
{
    const struct warp_impl *best = NULL;
    struct fast_variant v;
    char error[128];
    (void)state;
    for (size_t i = 0; fast_variant_get(i, &v); i++)
        if (v.impl != NULL)
            best = v.impl;
    assert_true(fast_select("", error, sizeof error));
    assert_ptr_equal(fast_get()->state, best->state);
}

static void an_unknown_name_changes_nothing(void **state)
{
    char error[200] = "";
    const void *before = fast_get()->state;
    (void)state;
    assert_false(fast_select("avx1024", error, sizeof error));
    assert_non_null(strstr(error, "avx1024"));
    assert_non_null(strstr(error, "portable")); /* the names that it has */
    assert_ptr_equal(fast_get()->state, before);
}

/* The environment is read on the first call of fast_get only, so this test is a program of its own: see fast.cmake. */
static int with_environment(void)
{
    const char *name = getenv("WARPCHECK_FAST");
    const struct warp_impl *impl = fast_get();
    struct warp_case c;
    struct warp_result r;
    struct warp_batch batch = {.form = WARP_ACTIVEMASK_B32};
    char error[200] = "";
    bool ok;
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    ok = impl->eval(impl->state, &c, 1, &r, error, sizeof error);
    if (ok != fast_batch_eval(impl, &batch, error, sizeof error))
        return 3;
    printf("%s: %s\n", name, ok ? impl->description : error);
    return ok ? 0 : 2;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(variants_are_listed_with_reasons),
        cmocka_unit_test(every_available_variant_can_be_chosen),
        cmocka_unit_test(the_best_one_is_chosen_by_itself),
        cmocka_unit_test(an_unknown_name_changes_nothing),
    };
    if (argc > 1 && strcmp(argv[1], "--environment") == 0)
        return with_environment();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
