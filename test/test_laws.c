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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
