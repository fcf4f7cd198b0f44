/*
 * The complete enumerations: the transcription against the optimized implementation and against the mutants' base,
 * which is a third, independent one.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "check/checker.h"
#include "check/enumerate.h"
#include "test/plugin_of_many.h"
#include "test/sample.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* In a sample every `step`-th batch. */
static void check_all(const struct warp_impl *observed, size_t step)
{
    static struct checker checker;
    static struct warp_case cases[CHECKER_BATCH];
    const struct enumeration *e;
    struct checker_counts total;
    uint64_t made = 0;
    checker_init(&checker, spec_get(), observed, NULL, NULL);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        for (uint64_t at = 0; at < e->count(); at += CHECKER_BATCH) {
            const size_t n = e->count() - at < CHECKER_BATCH ? (size_t)(e->count() - at) : CHECKER_BATCH;
            if (!is_in_sample(at / CHECKER_BATCH, step))
                continue;
            for (size_t k = 0; k < n; k++)
                e->make(at + k, &cases[k]);
            assert_true(checker_run(&checker, cases, n));
            made += n;
        }
        assert_int_equal(checker_total(&checker).mismatches, 0);
    }
    total = checker_total(&checker);
    assert_int_equal(total.cases, made);
    assert_int_equal(total.compared, made);
    print_message("%s: %llu cases, %llu lane results\n", observed->name, (unsigned long long)total.compared,
                  (unsigned long long)total.lane_results);
}

static void test_fast(void **state)
{
    (void)state;
    check_all(fast_get(), 1);
}

static void test_base(void **state)
{
    char error[256] = "";
    struct plugin *plugin = plugin_open(MUTANTS_PLUGIN, error, sizeof error);
    (void)state;
    if (plugin == NULL)
        fail_msg("%s", error);
    check_all(plugin_find(plugin, "base"), 5);
    plugin_close(plugin);
}

static bool stop(void *context, const struct checker *checker, const struct warp_case *c,
                 const struct warp_result *reference, const struct warp_result *observed, const struct warp_diff *diff)
{
    (void)context;
    (void)checker;
    (void)c;
    (void)reference;
    (void)observed;
    (void)diff;
    return false;
}

/* A family of instructions in which the mutant is wrong: saves the enumerations of the others. */
static uint32_t wrong_family(const struct warp_impl *mutant)
{
    static struct checker checker;
    struct warp_case c;
    checker_init(&checker, spec_get(), mutant, stop, NULL);
    for (uint64_t i = 0; i < 20000; i++) {
        random_case(7, i, WARP_FAMILY_ALL, &c);
        if (!checker_run(&checker, &c, 1) || checker.stopped) /* a hang, or a wrong answer */
            return WARP_FAMILY_BIT(warp_form_get(c.form)->family);
    }
    return WARP_FAMILY_ALL;
}

/* The first enumeration that shows the mutant, or NULL. */
static const char *find_by_enumeration(const struct warp_impl *mutant, uint32_t families)
{
    static struct checker checker;
    static struct warp_case cases[CHECKER_BATCH];
    const struct enumeration *e;
    checker_init(&checker, spec_get(), mutant, stop, NULL);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        const uint64_t batches = e->count() / CHECKER_BATCH;
        for (uint64_t b = 0; b < batches && (e->families & families) != 0; b++) {
            const uint64_t at = b * 7919u % batches * CHECKER_BATCH; /* spread: a batch of each kind comes early */
            for (size_t k = 0; k < CHECKER_BATCH; k++)
                e->make(at + k, &cases[k]);
            if (!checker_run(&checker, cases, CHECKER_BATCH) || checker.stopped)
                return e->name;
        }
    }
    return NULL;
}

/* Without a single random case. */
static void test_mutants_by_enumeration(void **state)
{
    char error[256] = "";
    struct plugin *plugin, *anew; /* one that hung is not asked again */
    const struct warp_impl *mutant;
    size_t missed = 0;
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1000", 1); /* of a call of at most 256 cases */
    plugin = plugin_open(MUTANTS_PLUGIN, error, sizeof error);
    anew = plugin_open(MUTANTS_PLUGIN, error, sizeof error);
    if (plugin == NULL || anew == NULL)
        fail_msg("%s", error);
    for (size_t i = 1; (mutant = plugin_get(plugin, i)) != NULL; i++) {
        const char *by = find_by_enumeration(mutant, wrong_family(plugin_get(anew, i)));
        print_message("%-26s %s\n", mutant->name, by != NULL ? by : "MISSED");
        missed += by == NULL;
    }
    plugin_close(anew);
    plugin_close(plugin);
    assert_int_equal(missed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fast), cmocka_unit_test(test_base),
                                       cmocka_unit_test(test_mutants_by_enumeration)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
