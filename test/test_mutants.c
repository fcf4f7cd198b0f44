/*
 * Every hand-written mutant is found, reduced to a small case, and its line is parsed back; the base, without a
 * mistake, agrees.
 */
#include "check/enumerate.h"
#include "check/finding.h"
#include "check/plugin.h"
#include "check/random.h"
#include "check/reduce.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_CASES 20000u
#define SEED         7u

static struct plugin *plugin;

static int open_mutants(void **state)
{
    char error[256] = "";
    (void)state;
    plugin = plugin_open(MUTANTS_PLUGIN, error, sizeof error);
    if (plugin == NULL)
        print_error("%s\n", error);
    return plugin == NULL;
}

static int close_mutants(void **state)
{
    (void)state;
    plugin_close(plugin);
    return 0;
}

struct first {
    bool found;
    struct warp_case c;
};

static bool keep_first(void *context, const struct checker *checker, const struct warp_case *c,
                       const struct warp_result *reference, const struct warp_result *observed,
                       const struct warp_diff *diff)
{
    struct first *first = context;
    (void)checker;
    (void)reference;
    (void)observed;
    (void)diff;
    first->found = true;
    first->c = *c;
    return false;
}

static void run_random(struct checker *checker)
{
    static struct warp_case cases[CHECKER_BATCH];
    for (uint64_t i = 0; i < RANDOM_CASES && !checker->stopped; i += CHECKER_BATCH) {
        for (size_t k = 0; k < CHECKER_BATCH; k++)
            random_case(SEED, i + k, WARP_FAMILY_ALL, &cases[k]);
        assert_true(checker_run(checker, cases, CHECKER_BATCH));
    }
}

/* Every step-th batch of it. */
static void run_enumeration(struct checker *checker, const struct enumeration *e, uint64_t step)
{
    static struct warp_case cases[CHECKER_BATCH];
    const uint64_t count = e->count();
    for (uint64_t i = 0; i < count && !checker->stopped; i += step * CHECKER_BATCH) {
        const size_t n = count - i < CHECKER_BATCH ? (size_t)(count - i) : CHECKER_BATCH;
        for (size_t k = 0; k < n; k++)
            e->make(i + k, &cases[k]);
        assert_true(checker_run(checker, cases, n));
    }
}

/* Returns the name of what found it, or NULL. */
static const char *find_mismatch(const struct warp_impl *mutant, struct first *first)
{
    static struct checker checker;
    const struct enumeration *e;
    first->found = false;
    checker_init(&checker, spec_get(), mutant, keep_first, first);
    run_random(&checker);
    if (first->found)
        return "random";
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        run_enumeration(&checker, e, 1);
        if (first->found)
            return e->name;
    }
    return NULL;
}

static void check_line(const struct finding *f)
{
    static char line[FINDING_LINE_MAX];
    static struct warp_text parsed;
    struct warp_text_error error;
    const size_t length = finding_line(f, line, sizeof line);
    assert_true(length < sizeof line);
    if (!warp_text_parse(line, length, &parsed, &error))
        fail_msg("%s\nline %zu column %zu: %s", line, error.line, error.column, error.what);
    assert_memory_equal(&parsed.c, &f->c, sizeof f->c);
    assert_true(parsed.has_result);
    assert_int_equal(parsed.parts & f->parts, parsed.parts);
    /* the result in the line is the wrong one: it differs from the reference in the same way */
    assert_false(warp_result_compare(&f->c, &f->reference, &parsed.result, f->parts, NULL));
}

/* A mutant that the full warp alone can show, or whose mistake needs many lanes. */
static unsigned lanes_needed(const char *name)
{
    return strcmp(name, "full-mask-api") == 0 ? 32 : 3;
}

static void check_mutant(const struct warp_impl *mutant)
{
    struct reduce_stats stats;
    struct finding f;
    struct first first;
    char signature[FINDING_SIGNATURE_MAX];
    const char *by = find_mismatch(mutant, &first);
    if (by == NULL)
        fail_msg("mutant %s is not found", mutant->name);
    reduce_mismatch(&first.c, spec_get(), mutant, 100000, &stats);
    assert_null(warp_case_check(&first.c));
    assert_true(finding_make(&f, spec_get(), mutant, &first.c));
    finding_signature(&f, signature);
    print_message("%-26s by %-16s %5u tries, %2u lanes  %s\n", mutant->name, by, (unsigned)stats.tried,
                  lanes_in(f.c.active), signature);
    assert_in_range(lanes_in(f.c.active), 1, lanes_needed(mutant->name));
    check_line(&f);
}

static void test_each_is_found(void **state)
{
    const struct warp_impl *mutant;
    size_t i = 1;
    (void)state;
    for (; (mutant = plugin_get(plugin, i)) != NULL; i++)
        check_mutant(mutant);
    assert_true(i > 25);
}

static void test_base_agrees(void **state)
{
    static struct checker checker;
    const struct enumeration *e;
    struct first first = {0};
    struct checker_counts total;
    (void)state;
    checker_init(&checker, spec_get(), plugin_get(plugin, 0), keep_first, &first);
    run_random(&checker);
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        run_enumeration(&checker, e, 11); /* all of it: test_exhaust.c */
    total = checker_total(&checker);
    print_message("%llu cases compared, %llu mismatches\n", (unsigned long long)total.compared,
                  (unsigned long long)total.mismatches);
    assert_int_equal(total.mismatches, 0);
    assert_int_equal(total.compared, total.cases);
}

static void test_names_are_different(void **state)
{
    const struct warp_impl *x;
    const struct warp_impl *y;
    (void)state;
    for (size_t i = 0; (x = plugin_get(plugin, i)) != NULL; i++)
        for (size_t k = 0; k < i && (y = plugin_get(plugin, k)) != NULL; k++)
            assert_string_not_equal(x->name, y->name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_different),
        cmocka_unit_test(test_base_agrees),
        cmocka_unit_test(test_each_is_found),
    };
    return cmocka_run_group_tests(tests, open_mutants, close_mutants);
}
