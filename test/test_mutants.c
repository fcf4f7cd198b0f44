/*
 * Every hand-written mutant is found, reduced to a small case, and its line is parsed back; the base, without a
 * mistake, agrees. One that keeps something is found, and so is one that does not come back.
 */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "check/enumerate.h"
#include "check/finding.h"
#include "test/plugin_of_many.h"
#include "check/random.h"
#include "check/reduce.h"
#include "check/reduce.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#define RANDOM_CASES 20000u
#define SEED         7u

static struct plugin *plugin;

static int open_mutants(void **state)
{
    char error[256] = "";
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1000", 1); /* of a call of at most 256 cases */
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
    bool found, hung;
    struct warp_case c;
    struct warp_case batch[CHECKER_BATCH]; /* what was asked in one call */
    size_t n, at;
};

static bool keep_first(void *context, const struct checker *checker, const struct warp_case *c,
                       const struct warp_result *reference, const struct warp_result *observed,
                       const struct warp_diff *diff)
{
    struct first *first = context;
    (void)reference;
    (void)observed;
    (void)diff;
    first->found = true;
    first->c = *c;
    first->n = checker->batch_n;
    first->at = checker->batch_at;
    memcpy(first->batch, checker->batch, first->n * sizeof first->batch[0]);
    return false;
}

/* True to go on. The only way not to answer is to hang. */
static bool run_cases(struct checker *checker, const struct warp_case *cases, size_t n)
{
    struct first *first = checker->context;
    if (checker_run(checker, cases, n))
        return !checker->stopped;
    assert_non_null(strstr(checker->error.text, "gave no answer within 1 s"));
    first->found = first->hung = true;
    return false;
}

static void run_random(struct checker *checker)
{
    static struct warp_case cases[CHECKER_BATCH];
    bool go_on = true;
    for (uint64_t i = 0; i < RANDOM_CASES && go_on; i += CHECKER_BATCH) {
        for (size_t k = 0; k < CHECKER_BATCH; k++)
            random_case(SEED, i + k, WARP_FAMILY_ALL, &cases[k]);
        go_on = run_cases(checker, cases, CHECKER_BATCH);
    }
}

/* Every step-th batch of it. */
static void run_enumeration(struct checker *checker, const struct enumeration *e, uint64_t step)
{
    static struct warp_case cases[CHECKER_BATCH];
    const uint64_t count = e->count();
    bool go_on = true;
    for (uint64_t i = 0; i < count && go_on; i += step * CHECKER_BATCH) {
        const size_t n = count - i < CHECKER_BATCH ? (size_t)(count - i) : CHECKER_BATCH;
        for (size_t k = 0; k < n; k++)
            e->make(i + k, &cases[k]);
        go_on = run_cases(checker, cases, n);
    }
}

/* Returns the name of what found it, or NULL. */
static const char *find_mismatch(const struct warp_impl *mutant, struct first *first)
{
    static struct checker checker;
    const struct enumeration *e;
    first->found = first->hung = false;
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

/* What it keeps from one call to the next: no call shows that every time. */
static bool keeps_for_ever(const char *name)
{
    return strcmp(name, "votes-kept") == 0 || strcmp(name, "total-kept") == 0;
}

/* Cases of one call, of which one differs, and agrees when it is asked alone: every time, also with the plugin opened
 * anew. */
static void check_sequence(const struct warp_impl *mutant, struct first *first)
{
    struct reduction stats = {.limit = 100000};
    struct finding f;
    char error[256];
    struct plugin *anew = plugin_open(MUTANTS_PLUGIN, error, sizeof error);
    assert_non_null(anew);
    reduce_sequence(first->batch, &first->n, &first->at, spec_get(), mutant, &stats);
    assert_int_equal(first->n, 2);
    assert_true(
        finding_make_sequence(&f, spec_get(), plugin_find(anew, mutant->name), first->batch, first->n, first->at));
    assert_false(finding_make(&f, spec_get(), plugin_find(anew, mutant->name), &first->batch[first->at]));
    plugin_close(anew);
    print_message("%-26s a sequence of %zu cases\n", mutant->name, first->n);
}

static void check_hang(const struct warp_impl *mutant)
{
    const struct impl_failure *failure = impl_failure(mutant);
    const struct warp_case *c = &failure->c;
    bool nan = false;
    assert_non_null(failure);
    assert_int_equal(failure->error.code, ERROR_TIMEOUT);
    assert_true(failure->has_case && failure->alone);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        nan = nan || ((c->active >> lane & 1u) && (c->a[lane] & 0x7fffffffu) > 0x7f800000u);
    assert_string_equal(warp_form_get(c->form)->name, "match.any.sync.b32");
    assert_true(nan);
    print_message("%-26s hangs\n", mutant->name);
}

static void check_mutant(const struct warp_impl *mutant)
{
    static struct first first; /* large */
    struct reduction stats = {.limit = 100000};
    struct finding f;
    char signature[FINDING_SIGNATURE_MAX];
    const char *by = find_mismatch(mutant, &first);
    if (by == NULL)
        fail_msg("mutant %s is not found", mutant->name);
    if (keeps_for_ever(mutant->name))
        return;
    if (first.hung) {
        check_hang(mutant);
        return;
    }
    if (!finding_make(&f, spec_get(), mutant, &first.c)) {
        check_sequence(mutant, &first);
        return;
    }
    reduce_mismatch(&first.c, spec_get(), mutant, &stats);
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
    assert_null(impl_failure(plugin_find(plugin, "match-by-float")));
    assert_non_null(impl_failure(plugin_find(plugin, "match-nan-never-ends")));
}

static void test_base_agrees(void **state)
{
    static struct checker checker;
    const struct enumeration *e;
    static struct first first; /* large */
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
