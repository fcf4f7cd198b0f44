#include "fuzz/laws.h"

#include "test/plugin_of_many.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

#define CASES 20000u

/* How often the law was tried and broken on the cases. */
struct record {
    unsigned tried, broken;
};

static struct record try_law(const struct law *law, const struct warp_impl *impl, unsigned cases)
{
    struct record record = {0, 0};
    for (uint64_t i = 0; i < cases; i++) {
        struct warp_case c;
        bool tried = false;
        random_case(3, i, law->families, &c);
        record.broken += law->check(impl, &c, &tried) != NULL;
        record.tried += tried;
    }
    return record;
}

static void laws_hold(const struct warp_impl *impl)
{
    const struct law *law;
    for (size_t i = 0; (law = law_get(i)) != NULL; i++) {
        struct record record = try_law(law, impl, CASES);
        if (record.broken != 0)
            fail_msg("%s breaks %s", impl->name, law->name);
        if (record.tried < CASES / 20)
            fail_msg("%s was tried only %u times", law->name, record.tried);
    }
}

static void transcription_obeys(void **state)
{
    (void)state;
    laws_hold(spec_get());
}

static void fast_obeys(void **state)
{
    (void)state;
    laws_hold(fast_get());
}

/* A mistake that no mutant of the plugin makes: shfl loses a bit of the data. */
static bool lossy_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                       size_t error_size)
{
    (void)state;
    if (!spec_get()->eval(NULL, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            results[i].d[lane] &= 0x7fffffffu;
    return true;
}
static const struct warp_impl lossy = {.name = "lossy", .provides = WARP_PART_ALL, .eval = lossy_eval};

/* Elects another lane with each case. Each answer alone is right: only the law sees it. */
static bool turns_eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                       size_t error_size)
{
    static unsigned turn;
    if (!spec_get()->eval(NULL, cases, n, results, error, error_size))
        return false;
    for (size_t i = 0; i < n; i++, turn++)
        for (lanemask left = results[i].done; warp_form_get(cases[i].form)->family == WARP_ELECT && left != 0;) {
            const lanemask group = cases[i].membermask[__builtin_ctz(left)] & ~cases[i].exited;
            unsigned leader = turn % WARP_LANES;
            while (!(group >> leader & 1u))
                leader = (leader + 1) % WARP_LANES;
            if (cases[i].dst == WARP_DST_D_P)
                warp_result_elect(&results[i], group, leader);
            else
                results[i].p = (results[i].p & ~group) | 1u << leader;
            left &= ~group;
        }
    (void)state;
    return true;
}
static const struct warp_impl turns = {.name = "turns", .provides = WARP_PART_ALL, .eval = turns_eval};

static void a_leader_that_changes_breaks_one_law(void **state)
{
    const struct law *law;
    bool broken = false;
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        struct warp_case c;
        struct warp_result expected, observed;
        random_case(9, i, WARP_FAMILY_BIT(WARP_ELECT), &c);
        assert_true(spec_get()->eval(NULL, &c, 1, &expected, NULL, 0) && turns_eval(NULL, &c, 1, &observed, NULL, 0));
        assert_true(warp_result_compare(&c, &expected, &observed, WARP_PART_ALL, NULL));
    }
    for (size_t i = 0; (law = law_get(i)) != NULL; i++) {
        const bool is_broken = (law->families & WARP_FAMILY_BIT(WARP_ELECT)) && try_law(law, &turns, CASES).broken > 0;
        if (is_broken && law->families != WARP_FAMILY_ALL)
            assert_string_equal(law->name, "elect-same");
        broken |= is_broken && law->families != WARP_FAMILY_ALL;
    }
    assert_true(broken);
}

/* A law that no mistake breaks would say nothing: for each there is a mutant. */
static void every_law_can_fail(void **state)
{
    char error[512];
    struct plugin *plugin = plugin_open(getenv("WARPCHECK_MUTANTS"), error, sizeof error);
    const struct law *law;
    (void)state;
    if (plugin == NULL)
        fail_msg("%s", error);
    for (size_t i = 0; (law = law_get(i)) != NULL; i++) {
        const struct warp_impl *impl;
        unsigned breakers = try_law(law, &lossy, 500).broken != 0;
        for (size_t k = 0; (impl = plugin_get(plugin, k)) != NULL && breakers == 0; k++)
            breakers += try_law(law, impl, 500).broken != 0;
        if (breakers == 0)
            fail_msg("no mutant breaks %s", law->name);
    }
    plugin_close(plugin);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transcription_obeys),
        cmocka_unit_test(fast_obeys),
        cmocka_unit_test(every_law_can_fail),
        cmocka_unit_test(a_leader_that_changes_breaks_one_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
