/* The instruction table against the recorded answers of ptxas; no ptxas is needed. */
#include "gpu/judge.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

static struct judge_map map;
static char text[524288];

static int read_map(void **state)
{
    struct error error = {.code = ERROR_NONE};
    FILE *f = fopen("corpus/recordings/ptxas-13.0.md", "r");
    (void)state;
    if (f == NULL)
        return -1;
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    return judge_read(text, &map, &error) ? 0 : -1;
}

static void print_difference(void *context, const struct warp_form_info *info, uint32_t dst, uint16_t ptx,
                             const struct warp_target_info *target, bool expected)
{
    (void)context;
    print_message("%s %s, PTX %d.%d, %s: the table says %s\n", info->name, warp_dst_name(dst), ptx / 10, ptx % 10,
                  target->name, expected ? "legal" : "illegal");
}

static void test_table(void **state)
{
    (void)state;
    assert_non_null(strstr(map.assembler, "release 13.0"));
    assert_int_equal(judge_differences(&map, print_difference, NULL), 0);
}

/* Every target is known from some version on, and most verdicts of a form are not all the same. */
static void test_map_is_full(void **state)
{
    const struct warp_target_info *t;
    unsigned known = 0, accepted = 0, refused = 0;
    (void)state;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++) {
        bool any = false;
        for (size_t j = 0; warp_ptx_get(j) != 0; j++) {
            any |= map.verdicts[i][j].known;
            known += map.verdicts[i][j].known;
            for (uint32_t k = 0; map.verdicts[i][j].known && k < JUDGE_COMBOS; k++)
                *(judge_bit(&map.verdicts[i][j], k / WARP_DST_COUNT, k % WARP_DST_COUNT) ? &accepted : &refused) += 1;
        }
        if (!any)
            fail_msg("%s was not asked about", t->name);
    }
    print_message("%u pairs of PTX version and target, %u accepted, %u refused\n", known, accepted, refused);
    assert_true(known > 400 && accepted > 10000 && refused > 10000);
}

static void test_round_trip(void **state)
{
    static struct judge_map again;
    static char written[sizeof text];
    struct error error = {.code = ERROR_NONE};
    (void)state;
    assert_true(judge_write(&map, written, sizeof written) < sizeof written);
    assert_string_equal(written, text);
    assert_true(judge_read(written, &again, &error));
    assert_memory_equal(again.verdicts, map.verdicts, sizeof map.verdicts);
}

/* One wrong bit anywhere is one difference. */
static void test_sees_a_difference(void **state)
{
    static struct judge_map wrong;
    (void)state;
    for (uint32_t k = 0; k < JUDGE_COMBOS; k++) {
        wrong = map;
        wrong.verdicts[14][20].bits[k / 8] = (uint8_t)(wrong.verdicts[14][20].bits[k / 8] ^ 1u << (k % 8));
        assert_int_equal(judge_differences(&wrong, NULL, NULL), 1);
    }
}

static void test_bad_text(void **state)
{
    static struct judge_map bad;
    struct error error = {.code = ERROR_NONE};
    (void)state;
    assert_false(judge_read("words\n    forms 2\n", &bad, &error));
    assert_non_null(strstr(error.text, "line 2"));
    assert_false(judge_read("    sm_90 7.8-9.0 zz\n", &bad, &error));
    assert_false(judge_read("    sm_90 7.8\n", &bad, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_table), cmocka_unit_test(test_map_is_full),
                                       cmocka_unit_test(test_round_trip), cmocka_unit_test(test_sees_a_difference),
                                       cmocka_unit_test(test_bad_text)};
    return cmocka_run_group_tests(tests, read_map, NULL);
}
