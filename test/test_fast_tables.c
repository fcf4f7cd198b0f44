/*
 * model/fast/tables.h: a list has its formula's value at each index, and a statement about all indices is false when it
 * fails at one. What the tables made so have to satisfy is asserted where they stand.
 */
#include "tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define FORMULA(i)          (3 * (i) + 1)
#define FIRST_OF(a, b, ...) ((a) + 0 * (b))

static void check(const int *list, size_t count, size_t expected)
{
    assert_int_equal(count, expected);
    for (int i = 0; i < (int)count; i++)
        assert_int_equal(list[i], FORMULA(i));
}

static void lists(void **state)
{
    static const int four[] = {FAST_LIST_4(FORMULA)}, eight[] = {FAST_LIST_8(FORMULA)};
    static const int sixteen[] = {FAST_LIST_16(FORMULA)}, all[] = {FAST_LIST_32(FORMULA)};
    (void)state;
    check(four, sizeof four / sizeof *four, 4);
    check(eight, sizeof eight / sizeof *eight, 8);
    check(sixteen, sizeof sixteen / sizeof *sixteen, 16);
    check(all, sizeof all / sizeof *all, 32);
}

static void list_as_arguments(void **state)
{
    (void)state;
    assert_int_equal(FAST_CALL(FIRST_OF, FAST_LIST_4(FORMULA)), FORMULA(0));
}

static void formulas(void **state)
{
    static const uint32_t numbers[] = {FAST_LIST_32(FAST_NUMBER)}, bits[] = {FAST_LIST_32(FAST_BIT)};
    (void)state;
    for (uint32_t i = 0; i < 32; i++) {
        assert_int_equal(numbers[i], i);
        assert_int_equal(bits[i], (uint32_t)(UINT64_C(0x100000000) >> (32 - i)));
    }
}

static void statements_about_all(void **state)
{
    int hole;
#define IS_NO_HOLE(i) (i) != hole
    (void)state;
    for (hole = 0; hole < 32; hole++) {
        assert_int_equal(FAST_ALL_16(IS_NO_HOLE), hole >= 16);
        assert_false(FAST_ALL_32(IS_NO_HOLE));
    }
    assert_true(FAST_ALL_32(IS_NO_HOLE));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),
        cmocka_unit_test(list_as_arguments),
        cmocka_unit_test(formulas),
        cmocka_unit_test(statements_about_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
