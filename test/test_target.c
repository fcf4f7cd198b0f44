/* The kinds of fuzz targets, name by name. */
#include "fuzz/campaign/target.h"
#include "warpcheck/form.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>

/* What follows from the name, as a word of letters: text, mutator, asks, buckets, judges alone. */
static const struct {
    const char *name, *letters;
    enum target_kind kind;
} targets[] = {
    {"all", ".mab.", TARGET_CASES},       {"shfl_sync", ".mab.", TARGET_CASES}, {"laws", ".mab.", TARGET_LAWS},
    {"program", "t.a..", TARGET_PROGRAM}, {"kernel", ".....", TARGET_KERNEL},   {"bytes", "...bj", TARGET_BYTES},
    {"batch", "...bj", TARGET_BYTES},     {"text", "t...j", TARGET_TEXT},       {"ptx", "t...j", TARGET_TEXT},
};

static void expect(const char *name, const char *letters, enum target_kind kind)
{
    const enum target_kind found = target_kind(name);
    const char shown[] = {target_takes_text(found) ? 't' : '.',          target_has_mutator(found) ? 'm' : '.',
                          target_asks_implementation(found) ? 'a' : '.', target_counts_buckets(found) ? 'b' : '.',
                          target_judges_alone(found) ? 'j' : '.',        '\0'};
    assert_int_equal(found, kind);
    assert_string_equal(shown, letters);
}

static void a_name_gives_a_kind(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        char full[64];
        snprintf(full, sizeof full, "fuzz_%s", targets[i].name);
        expect(targets[i].name, targets[i].letters, targets[i].kind);
        expect(full, targets[i].letters, targets[i].kind);
        assert_string_equal(target_short_name(full), targets[i].name);
    }
}

static void every_kind_has_a_name(void **state)
{
    unsigned kinds = 0;
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        kinds |= 1u << targets[i].kind;
    assert_int_equal(kinds, (1u << TARGET_KINDS) - 1);
}

static void each_family_has_cases(void **state)
{
    (void)state;
    for (unsigned family = 0; family < WARP_FAMILIES; family++) {
        char name[64];
        snprintf(name, sizeof name, "fuzz_%s", warp_family_name(family));
        for (char *at = name; *at != '\0'; at++)
            *at = *at == '.' ? '_' : *at;
        expect(name, ".mab.", TARGET_CASES);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_gives_a_kind),
        cmocka_unit_test(every_kind_has_a_name),
        cmocka_unit_test(each_family_has_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
