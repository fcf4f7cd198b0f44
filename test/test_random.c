#include "check/random.h"
#include "warpcheck/bytes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

/* SplitMix64's published first outputs for seed 0: state 0 + k * golden, mixed. */
static void test_mix(void **state)
{
    (void)state;
    assert_true(random_mix(UINT64_C(0x9e3779b97f4a7c15)) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random_mix(2 * UINT64_C(0x9e3779b97f4a7c15)) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(random_mix(0) == 0);
}

static void test_repeatable(void **state)
{
    struct warp_case x, y;
    (void)state;
    for (uint64_t i = 0; i < 2000; i++) {
        random_case(42, i, WARP_FAMILY_ALL, &x);
        memset(&y, 0x77, sizeof y);
        random_case(42, i, WARP_FAMILY_ALL, &y);
        assert_memory_equal(&x, &y, sizeof x);
        assert_null(warp_case_check(&x));
    }
}

static void test_families(void **state)
{
    struct warp_case c;
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        for (uint64_t i = 0; i < 300; i++) {
            random_case(1, i, WARP_FAMILY_BIT(family), &c);
            assert_int_equal(warp_form_get(c.form)->family, family);
        }
}

/* Neighbouring seeds and indices give other cases: nothing is drawn twice. */
static void test_different(void **state)
{
    struct warp_case x, y;
    unsigned same = 0;
    (void)state;
    for (uint64_t i = 0; i < 1000; i++) {
        random_case(5, i, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &x);
        random_case(5, i + 1, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &y);
        same += memcmp(&x, &y, sizeof x) == 0;
        random_case(6, i, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &y);
        same += memcmp(&x, &y, sizeof x) == 0;
    }
    assert_true(same < 10);
}

/* Among few thousand cases: neighbours that differ in one thing alone, the sign alone, groups of any two lanes. */
static void test_kinds(void **state)
{
    struct warp_case before, c;
    unsigned near = 0, sign = 0, pairs = 0;
    (void)state;
    random_case(3, 0, WARP_FAMILY_ALL, &before);
    for (uint64_t i = 1; i < 4000; i++) {
        random_case(3, i, WARP_FAMILY_ALL, &c);
        assert_null(warp_case_check(&c));
        near += c.form == before.form && memcmp(c.b, before.b, sizeof c.b) == 0 &&
                memcmp(c.a + 1, before.a + 1, sizeof c.a - sizeof c.a[0]) == 0 && c.target == before.target;
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            if (c.a[lane] == 0x80000000u) {
                sign++;
                break;
            }
        }
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((c.active >> lane & 1u) && lanes_in(c.membermask[lane]) == 2 && (c.membermask[lane] >> lane & 1u)) {
                pairs++;
                break;
            }
        before = c;
    }
    assert_true(near > 60);
    assert_true(sign > 60);
    assert_true(pairs > 60);
}

/* Who makes cases one after the other, backwards, of several seeds or families in turns: all get the same. */
static void test_any_order(void **state)
{
    static struct warp_case forwards[300];
    const uint64_t first = 65536 - 150;
    struct warp_case c, other;
    (void)state;
    for (uint64_t i = 0; i < 300; i++)
        random_case_alike(11, first + i, WARP_FAMILY_ALL, &forwards[i]);
    for (uint64_t i = 300; i-- > 0;) {
        random_case_alike(12, first + i, WARP_FAMILY_ALL, &other);
        random_case(11, first + i, WARP_FAMILY_BIT(WARP_SHFL_SYNC), &other);
        random_case(11, first + i, WARP_FAMILY_ALL, &other);
        random_case_alike(11, first + i, WARP_FAMILY_ALL, &c);
        assert_memory_equal(&c, &forwards[i], sizeof c);
    }
}

static bool same_head(const struct warp_case *x, const struct warp_case *y)
{
    return x->form == y->form && x->target == y->target && x->dst == y->dst && x->negate == y->negate;
}

/* Like cases stand together, all but few of them; the first ones do not. */
static void test_like_cases(void **state)
{
    const struct {
        uint64_t first, alike;
    } ranges[] = {{0, 1}, {4096, 8}, {65536, 128}, {UINT64_C(1) << 40, 128}};
    struct warp_case first = {0}, c;
    (void)state;
    for (size_t k = 0; k < sizeof ranges / sizeof ranges[0]; k++) {
        const unsigned cases = 2048;
        unsigned alike = 0, heads = 0;
        for (uint64_t i = ranges[k].first; i < ranges[k].first + cases; i++) {
            random_case_alike(7, i, WARP_FAMILY_ALL, &c);
            if (i % ranges[k].alike == 0) {
                heads += i > ranges[k].first && !same_head(&c, &first);
                first = c;
            }
            alike += same_head(&c, &first);
        }
        assert_true(alike >= cases - cases / 20);
        assert_true(heads >= (cases / ranges[k].alike - 1) * 8 / 10);
    }
}

static void test_every_form(void **state)
{
    bool seen[WARP_FORMS] = {false};
    struct warp_case c;
    (void)state;
    for (uint64_t i = 0; i < 5000; i++) {
        random_case(9, i, WARP_FAMILY_ALL, &c);
        seen[c.form] = true;
    }
    for (unsigned form = 0; form < WARP_FORMS; form++)
        assert_true(seen[form]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mix),       cmocka_unit_test(test_repeatable), cmocka_unit_test(test_families),
        cmocka_unit_test(test_different), cmocka_unit_test(test_every_form), cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_any_order), cmocka_unit_test(test_like_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
