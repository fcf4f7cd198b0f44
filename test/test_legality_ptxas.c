/* The instruction table against a real ptxas, where there is one: all PTX versions for some targets, one version for
 * all. */
#include "gpu/judge.h"
#include "gpu_ptxas.h"

#include <string.h>

static struct judge_map map;

static void print_difference(void *context, const struct warp_form_info *info, uint32_t dst, uint16_t ptx,
                             const struct warp_target_info *target, bool expected)
{
    (void)context;
    print_message("%s %s, PTX %d.%d, %s: the table says %s\n", info->name, warp_dst_name(dst), ptx / 10, ptx % 10,
                  target->name, expected ? "legal" : "illegal");
}

static void ask_all(const char *ptxas)
{
    const struct warp_target_info *t;
    struct error error = {.code = ERROR_NONE};
    unsigned known = 0;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        for (size_t j = 0; warp_ptx_get(j) != 0; j++) {
            struct judge_verdict *v = &map.verdicts[i][j];
            if (!judge_ask(ptxas, warp_ptx_get(j), t->target, v, &error))
                fail_msg("%s", error.text);
            known += v->known;
        }
    print_message("%u pairs of PTX version and target, %u verdicts each\n", known, (unsigned)JUDGE_COMBOS);
    assert_true(known > 50);
}

/* The same ptxas as the recorded one must say the same again. */
static void compare_with_recorded(void)
{
    static struct judge_map recorded;
    static char text[524288];
    struct error error = {.code = ERROR_NONE};
    FILE *f = fopen("corpus/recordings/ptxas-13.0.md", "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
    assert_true(judge_read(text, &recorded, &error));
    if (strcmp(recorded.assembler, map.assembler) != 0) {
        print_message("the recorded answers are those of %s, this is %s\n", recorded.assembler, map.assembler);
        return;
    }
    assert_memory_equal(recorded.verdicts, map.verdicts, sizeof map.verdicts);
}

static void test_ptxas(void **state)
{
    const char *ptxas = find_ptxas();
    struct error error = {.code = ERROR_NONE};
    (void)state;
    if (ptxas == NULL)
        skip();
    assert_true(judge_version(ptxas, map.assembler, sizeof map.assembler, &error));
    ask_all(ptxas);
    assert_int_equal(judge_differences(&map, print_difference, NULL), 0);
    compare_with_recorded();
}

static void test_no_ptxas(void **state)
{
    char version[64];
    struct error error;
    (void)state;
    assert_false(judge_version("/nonexistent/ptxas", version, sizeof version, &error));
    assert_non_null(strstr(error.text, "/nonexistent/ptxas"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ptxas), cmocka_unit_test(test_no_ptxas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
