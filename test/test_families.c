/*
 * What stands in a list or a table of its own for each family or form, held against the instruction table: a new one is
 * in each of them, or this test names the list that lacks it. Switches over families need no test: they do not compile.
 */
#include "check/enumerate.h"
#include "check/random.h"
#include "fuzz/coverage/coverage.h"
#include "fuzz/laws.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static const char *name_of(unsigned family)
{
    return warp_family_name(family);
}

/* A law of its own, beside the one of all instructions. */
static void every_family_has_laws(void **state)
{
    uint32_t families = 0;
    const struct law *law;
    (void)state;
    for (size_t i = 0; (law = law_get(i)) != NULL; i++)
        families |= law->families == WARP_FAMILY_ALL ? 0 : law->families;
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        if (!(families >> family & 1u))
            fail_msg("fuzz/laws.c has no law of %s", name_of(family));
}

/* Buckets, of which some can be reached. */
static void every_family_has_buckets(void **state)
{
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        if (coverage_reachable((enum warp_family)family) < 2)
            fail_msg("fuzz/coverage/coverage.def has no buckets of %s", name_of(family));
}

/* An enumeration that makes each form. */
static void every_form_is_enumerated(void **state)
{
    static bool made[WARP_FORMS];
    const struct enumeration *e;
    (void)state;
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++)
        for (uint64_t step = e->count() / 4001 + 1, at = 0; at < e->count(); at += step) {
            struct warp_case c;
            e->make(at, &c);
            made[c.form] = true;
            assert_true(e->families >> warp_form_get(c.form)->family & 1u);
        }
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (!made[form])
            fail_msg("check/enumerate has nothing of %s", warp_form_get(form)->name);
}

/* The random source draws each form, among all families and among its own alone. */
static void every_form_is_drawn(void **state)
{
    static unsigned among_all[WARP_FORMS], of_its_own[WARP_FORMS];
    struct warp_case c;
    (void)state;
    for (uint64_t i = 0; i < 40000; i++) {
        random_case(3, i, WARP_FAMILY_ALL, &c);
        among_all[c.form]++;
    }
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        for (uint64_t i = 0; i < 4000; i++) {
            random_case(3, i, WARP_FAMILY_BIT(family), &c);
            assert_int_equal(warp_form_get(c.form)->family, family);
            of_its_own[c.form]++;
        }
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (among_all[form] < 100 || of_its_own[form] < 50)
            fail_msg("model/bytes draws %s %u and %u times", warp_form_get(form)->name, among_all[form],
                     of_its_own[form]);
}

/* Every form has a case of its own, with its text and its bytes. */
static void every_form_is_a_case(void **state)
{
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        struct warp_case c, again;
        uint8_t bytes[WARP_BYTES_MAX];
        warp_case_init(&c, (enum warp_form)form);
        assert_null(warp_case_check(&c));
        warp_case_from_bytes(bytes, warp_case_to_bytes(&c, bytes), WARP_FAMILY_ALL, &again);
        assert_memory_equal(&c, &again, sizeof c);
        assert_ptr_equal(warp_form_find(info->name), info);
        assert_int_equal(warp_family_find(name_of(info->family)), info->family);
        assert_int_equal(strncmp(info->name, name_of(info->family), strcspn(name_of(info->family), ".")), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_family_has_laws),    cmocka_unit_test(every_family_has_buckets),
        cmocka_unit_test(every_form_is_enumerated), cmocka_unit_test(every_form_is_drawn),
        cmocka_unit_test(every_form_is_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
