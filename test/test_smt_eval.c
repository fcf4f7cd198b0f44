#define _XOPEN_SOURCE 700
/* The Z3 terms, evaluated on concrete cases, give what the transcription gives: random cases, every form, the corpus,
 * recordings; and they are evaluated as Z3's own simplifier does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "gpu/recording.h"
#include "check/checker.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "smt/warpcheck_smt.h"
#include "warpcheck/text.h"
#include "warpcheck_spec.h"

enum { RANDOM_CASES = 2000, FORM_CASES = 20, SIMPLIFIED_CASES = 2, RECORDED_CASES = 39000 };

static bool print_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                           const struct warp_result *reference, const struct warp_result *observed,
                           const struct warp_diff *diff)
{
    static char text[WARP_TEXT_MAX];
    (void)context;
    (void)checker;
    (void)diff;
    warp_case_to_text(c, text, sizeof text);
    print_message("%s\n", text);
    warp_result_to_text(reference, WARP_PART_ALL, text, sizeof text);
    print_message("  spec %s\n", text);
    warp_result_to_text(observed, WARP_PART_ALL, text, sizeof text);
    print_message("  smt  %s\n", text);
    return false;
}

static struct checker checker;

static void start(const struct warp_impl *reference, const struct warp_impl *observed)
{
    assert_non_null(observed);
    checker_init(&checker, reference, observed, print_mismatch, NULL);
}

static const struct warp_impl *smt(void)
{
    return smt_get(NULL);
}

static const struct warp_impl *simplified(void)
{
    return smt_simplified_get(NULL);
}

static void check_case(const struct warp_case *c)
{
    if (!checker_run(&checker, c, 1))
        fail_msg("%s", checker.error.text);
    assert_int_equal(checker_total(&checker).mismatches, 0);
}

static void test_random(void **state)
{
    struct warp_case c;
    (void)state;
    start(spec_get(), smt());
    for (unsigned family = 0; family < WARP_FAMILIES; family++)
        for (uint64_t i = 0; i < RANDOM_CASES; i++) {
            random_case(1, i, WARP_FAMILY_BIT(family), &c);
            check_case(&c);
        }
    assert_int_equal(checker_total(&checker).compared, WARP_FAMILIES * RANDOM_CASES);
}

/* Every form under every destination, on n cases each. */
static void check_forms(uint64_t n)
{
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++) {
            struct warp_case c;
            if (!(warp_form_get(form)->destinations >> dst & 1u))
                continue;
            for (uint64_t i = 0; i < n; i++) {
                random_case(2, i, WARP_FAMILY_BIT(warp_form_get(form)->family), &c);
                c.form = form;
                c.dst = dst;
                warp_case_repair(&c);
                check_case(&c);
            }
        }
}

static void test_forms(void **state)
{
    (void)state;
    start(spec_get(), smt());
    check_forms(FORM_CASES);
}

/* What evaluates the terms node by node against Z3's simplifier on the same terms. */
static void test_simplifier(void **state)
{
    (void)state;
    start(simplified(), smt());
    check_forms(SIMPLIFIED_CASES);
    start(spec_get(), simplified());
    check_forms(1);
}

static uint64_t corpus_cases;

static void check_corpus_file(const char *path)
{
    static char text[1 << 20];
    struct warp_text parsed;
    struct warp_text_error error;
    struct warp_text_list list;
    enum warp_text_step step;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    list = warp_text_begin(text, fread(text, 1, sizeof text, f));
    fclose(f);
    for (; (step = warp_text_next(&list, &parsed, &error)) == WARP_TEXT_CASE; corpus_cases++)
        check_case(&parsed.c);
    if (step == WARP_TEXT_WRONG)
        fail_msg("%s:%zu: %s", path, error.line, error.what);
}

static void test_corpus(void **state)
{
    static const char *const files[] = {"floats", "idioms", "manual", "mistakes", "width"};
    char path[64];
    (void)state;
    start(spec_get(), smt());
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "corpus/cases/%s.txt", files[i]);
        check_corpus_file(path);
    }
    assert_true(corpus_cases >= 254);
}

/* Against what the devices answered, not the transcription: every recorded case. */
static uint64_t check_recording(const char *path)
{
    struct error error = {.code = ERROR_NONE};
    const struct warp_impl *device = recording_open(path, &error);
    const struct recording *recording;
    size_t n;
    if (device == NULL)
        fail_msg("%s", error.text);
    recording = recording_of(device);
    n = recording_count(recording);
    start(device, smt());
    for (size_t i = 0; i < n; i++) {
        struct warp_case c;
        recording_get(recording, i, &c, NULL);
        check_case(&c);
    }
    assert_int_equal(checker_total(&checker).compared, n);
    device->close(device->state);
    return n;
}

static void test_recordings(void **state)
{
    (void)state;
    assert_true(check_recording("corpus/recordings/h200-sm_90.rec") +
                    check_recording("corpus/recordings/h100-sm_90.rec") >=
                RECORDED_CASES);
}

static int close_all(void **state)
{
    (void)state;
    smt()->close(smt()->state);
    simplified()->close(simplified()->state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random), cmocka_unit_test(test_forms),      cmocka_unit_test(test_simplifier),
        cmocka_unit_test(test_corpus), cmocka_unit_test(test_recordings),
    };
    return cmocka_run_group_tests(tests, NULL, close_all);
}
