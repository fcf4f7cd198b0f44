/*
 * Entries are causes: of each implementation of test/plugins/peers.c a maintainer is told as many things as it has
 * mistakes, and each by name.
 */
#include "check/campaign/causes.h"
#include "check/cause/plain.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "test/campaign_causes.h"

#define CASES            20000u
#define IMPLEMENTATIONS  200u
#define OF_ABSENT_SOURCE 10u /* the reading of p where d is unpredictable: no case of it is plain */

const struct warp_impl *warpcheck_implementation(size_t i);

struct tally {
    unsigned tried, right;
};

/* What a campaign tells of the implementation: asked once for all tests, and never freed. */
static struct causes *told_of(size_t i)
{
    static struct causes *told[IMPLEMENTATIONS];
    assert_in_range(i, 0, IMPLEMENTATIONS - 1);
    if (told[i] == NULL)
        told[i] = campaign_causes(warpcheck_implementation(i), CASES);
    return told[i];
}

static void print_entries(const struct warp_impl *impl, struct causes *causes)
{
    char text[CAUSE_LINE_MAX];
    print_message("%s (%s):\n", impl->name, impl->description);
    for (size_t i = 0; i < causes_count(causes); i++)
        print_message("    %s\n", causes_text(causes_entry(causes, i), text));
}

/* Are there as many entries as mistakes, and all are known ones? */
static bool is_right(struct causes *causes, size_t mistakes)
{
    bool right = causes_count(causes) == mistakes;
    for (size_t i = 0; i < causes_count(causes); i++)
        right = right && causes_entry(causes, i)->kind == ENTRY_MISTAKE;
    return right;
}

/* The description of a peer begins with the number of its mistakes. */
static void test_peers(void **state)
{
    struct tally of[4] = {{0, 0}};
    const struct warp_impl *impl;
    (void)state;
    for (size_t i = 0; (impl = warpcheck_implementation(i)) != NULL; i++) {
        const size_t mistakes = (size_t)(impl->description[0] - '0');
        struct causes *causes;
        if (impl->description[1] != ':')
            continue;
        assert_in_range(mistakes, 0, 3);
        causes = told_of(i);
        of[mistakes].tried++;
        if (is_right(causes, mistakes))
            of[mistakes].right++;
        else
            print_entries(impl, causes);
    }
    for (size_t n = 0; n < 4; n++)
        print_message("%zu mistakes: %u of %u\n", n, of[n].right, of[n].tried);
    assert_int_equal(of[0].right, of[0].tried);
    assert_true(of[0].tried > 0 && of[1].tried >= 40 && of[2].tried >= 5 && of[3].tried > 0);
    assert_true(of[1].right * 100 >= of[1].tried * 97);
    assert_true((of[2].right + of[3].right) * 100 >= (of[2].tried + of[3].tried) * 80);
}

/* What no known mistake explains is one entry that says so, with what its mismatches have in common; what depends on
 * earlier lanes or calls is another kind. */
static void test_unknown(void **state)
{
    const struct warp_impl *impl;
    unsigned seen = 0;
    (void)state;
    for (size_t i = 0; (impl = warpcheck_implementation(i)) != NULL; i++) {
        const bool strange = strcmp(impl->name, "strange") == 0, kept = strcmp(impl->name, "ptx_kept") == 0;
        struct causes *const causes = strange || kept ? told_of(i) : NULL;
        char text[CAUSE_LINE_MAX];
        if (causes == NULL)
            continue;
        seen++;
        assert_int_equal(causes_count(causes), 1);
        assert_int_equal(causes_entry(causes, 0)->kind, strange ? ENTRY_UNKNOWN : ENTRY_HISTORY);
        causes_text(causes_entry(causes, 0), text);
        if (strange) {
            assert_non_null(strstr(text, "only lanes in 0xfffffff0 differ"));
            assert_non_null(strstr(text, "bit 0 of b is 1, bit 1 of b is 0, bit 2 of b is 1"));
            assert_int_equal(causes_entry(causes, 0)->plain, PLAIN_CUDA);
        }
    }
    assert_int_equal(seen, 2);
}

/* What the mismatches of an unknown mistake have in common is told as exactly as they show it. */
static void test_common(void **state)
{
    static const struct {
        const char *name, *words;
    } peers[] = {{"twelve_bits", "d always fits in 12 bits, the low 12 bits of d are right, d must be above 0xfff"},
                 {"pairs_only", "the segment mask is 30 (width 2)"},
                 {"with_lane_3", "lane 3 is in the membermask"}};
    const struct warp_impl *impl;
    unsigned seen = 0;
    (void)state;
    for (size_t i = 0; (impl = warpcheck_implementation(i)) != NULL; i++)
        for (size_t p = 0; p < sizeof peers / sizeof peers[0]; p++) {
            struct causes *const causes = strcmp(impl->name, peers[p].name) == 0 ? told_of(i) : NULL;
            char text[CAUSE_LINE_MAX];
            if (causes == NULL)
                continue;
            seen++;
            assert_int_equal(causes_count(causes), 1);
            if (strstr(causes_text(causes_entry(causes, 0), text), peers[p].words) == NULL)
                fail_msg("%s: %s", impl->name, text);
        }
    assert_int_equal(seen, 3);
}

/* Does the lead need the mistake that the entry names, or shows it the mistake of another entry? *alone: the entry's
 * mistake gives it without another one. */
static bool lead_needs(const struct cause_entry *entry, const struct warp_impl *impl, bool *alone)
{
    struct cause_case k = {.differs = true};
    struct finding f;
    if (!finding_make(&f, spec_get(), impl, &entry->lead))
        return false;
    k.c = f.c;
    k.expected = f.reference;
    k.observed = f.observed;
    *alone = causes_shows(entry, &k, f.parts);
    return causes_needs(entry, &k, f.parts);
}

/* The lead is a case that CUDA can say wherever the implementation takes such cases and p is not all that is wrong. */
static void test_leads(void **state)
{
    const struct warp_impl *impl;
    unsigned leads = 0, cuda = 0, of_several = 0, needed = 0, of_one = 0;
    (void)state;
    for (size_t i = 0; (impl = warpcheck_implementation(i)) != NULL; i++) {
        struct causes *const causes = told_of(i);
        for (size_t k = 0; k < causes_count(causes); k++) {
            const struct cause_entry *const entry = causes_entry(causes, k);
            leads++;
            if (entry->kind == ENTRY_MISTAKE && entry->cause.count > 1) {
                bool alone = false;
                of_several++;
                needed += lead_needs(entry, impl, &alone);
                of_one += alone;
            }
            cuda += causes_entry(causes, k)->plain == PLAIN_CUDA;
            if (entry->kind != ENTRY_HISTORY && causes_reading(entry) != OF_ABSENT_SOURCE)
                assert_int_not_equal(entry->plain, PLAIN_NOT);
        }
    }
    print_message("%u of %u leads can be said in CUDA\n", cuda, leads);
    assert_true(cuda * 10 >= leads * 8);
    print_message("%u of %u leads need their mistake, where there are several; %u need it alone\n", needed, of_several,
                  of_one);
    assert_true(of_several >= 10 && needed == of_several && of_one * 100 >= of_several * 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_peers),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_common),
        cmocka_unit_test(test_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
