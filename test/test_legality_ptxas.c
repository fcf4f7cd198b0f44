/* The instruction table against a real ptxas, where there is one: all PTX versions for some targets, one version for
 * all. */
#include "gpu/judge/judge.h"
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

/* `warpcheck-judge` asks about all of them. */
static bool is_asked(size_t version, const struct warp_target_info *t)
{
    static const char *const whole[] = {"sm_20", "sm_30",  "sm_62",   "sm_70",  "sm_80",
                                        "sm_90", "sm_100", "sm_100a", "sm_100f"};
    for (size_t i = 0; i < sizeof whole / sizeof whole[0]; i++)
        if (strcmp(whole[i], t->name) == 0)
            return true;
    return warp_ptx_get(version) == 90;
}

static void test_ptxas(void **state)
{
    const char *ptxas = find_ptxas();
    const struct warp_target_info *t;
    char error[256] = "";
    unsigned asked = 0;
    (void)state;
    if (ptxas == NULL)
        skip();
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        for (size_t j = 0; warp_ptx_get(j) != 0; j++) {
            struct judge_verdict *v = &map.verdicts[i][j];
            if (is_asked(j, t)) {
                if (!judge_ask(ptxas, warp_ptx_get(j), t->target, v, error, sizeof error))
                    fail_msg("%s", error);
                asked += v->known;
            } else { /* not asked: taken as the table has it, so that only what was asked can differ */
                for (uint32_t k = 0; k < JUDGE_COMBOS; k++)
                    if (judge_expected(warp_form_get(k / WARP_DST_COUNT), k % WARP_DST_COUNT, warp_ptx_get(j),
                                       t->target))
                        v->bits[k / 8] = (uint8_t)(v->bits[k / 8] | 1u << (k % 8));
            }
        }
    print_message("%u pairs of PTX version and target, %u verdicts each\n", asked, (unsigned)JUDGE_COMBOS);
    assert_true(asked > 50);
    assert_int_equal(judge_differences(&map, print_difference, NULL), 0);
}

static void test_no_ptxas(void **state)
{
    char version[64], error[256] = "";
    (void)state;
    assert_false(judge_version("/nonexistent/ptxas", version, sizeof version, error, sizeof error));
    assert_non_null(strstr(error, "/nonexistent/ptxas"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ptxas), cmocka_unit_test(test_no_ptxas)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
