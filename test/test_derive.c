#include "fuzz/derive.h"

#include "check/random.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define BASES 3000u

static void relatives_are_valid(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < BASES; i++) {
        struct warp_case base, c, again;
        random_case(5, i, WARP_FAMILY_ALL, &base);
        for (unsigned k = 0; k < DERIVED_MAX; k++) {
            derive_case(&base, k, &c);
            if (warp_case_check(&c) != NULL)
                fail_msg("relative %u of case %u: %s", k, (unsigned)i, warp_case_check(&c));
            assert_int_equal(warp_form_get(c.form)->family, warp_form_get(base.form)->family);
            memset(&again, 0x5a, sizeof again);
            derive_case(&base, k, &again);
            assert_memory_equal(&c, &again, sizeof c);
        }
    }
}

/* Most relatives are cases of their own; those of small families have fewer ways to differ. */
static void relatives_differ(void **state)
{
    unsigned same = 0, all = 0;
    (void)state;
    for (uint64_t i = 0; i < BASES; i++) {
        struct warp_case base, c[DERIVED_MAX];
        random_case(6, i, WARP_FAMILY_BIT(WARP_SHFL_SYNC) | WARP_FAMILY_BIT(WARP_REDUX_SYNC), &base);
        for (unsigned k = 0; k < DERIVED_MAX; k++) {
            derive_case(&base, k, &c[k]);
            bool known = memcmp(&c[k], &base, sizeof base) == 0;
            for (unsigned j = 0; j < k && !known; j++)
                known = memcmp(&c[k], &c[j], sizeof base) == 0;
            same += known;
            all++;
        }
    }
    assert_in_range(same, 0, all / 4);
}

/* From one input every form of its family is checked. */
static void every_form_is_reached(void **state)
{
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        struct warp_case base, c;
        uint64_t seen = 0, wanted = 0;
        random_case(7, family, WARP_FAMILY_BIT(family), &base);
        for (unsigned form = 0; form < WARP_FORMS; form++)
            if ((unsigned)warp_form_get(form)->family == family)
                wanted |= UINT64_C(1) << form;
        for (unsigned k = 0; k < DERIVED_MAX; k++) {
            derive_case(&base, k, &c);
            seen |= UINT64_C(1) << c.form;
        }
        if (family == WARP_REDUX_SYNC) /* has more forms than relatives of that kind: all but one or two */
            assert_in_range(__builtin_popcountll(seen), 16, 17);
        else
            assert_int_equal(seen, wanted);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(relatives_are_valid),
        cmocka_unit_test(relatives_differ),
        cmocka_unit_test(every_form_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
