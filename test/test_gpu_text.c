/* gpu/text.c and gpu/throughput_kernel.c: what is written, and that ptxas takes it. */
#define _POSIX_C_SOURCE 200809L

#include "gpu/driver.h"
#include "gpu/text.h"
#include "gpu/throughput.h"
#include "gpu_ptxas.h"

#include <string.h>

static char buf[262144];

static void assert_line(enum warp_form form, enum warp_dst dst, bool negate, const char *wanted)
{
    char line[128];
    struct writer t = writer_start(line, sizeof line);
    text_instruction(&t, warp_form_get(form), dst, negate);
    assert_string_equal(line, wanted);
}

static void test_instruction(void **state)
{
    (void)state;
    assert_line(WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P, false, "shfl.sync.up.b32 %d|%p, %a, %b, %c, %m;\n");
    assert_line(WARP_SHFL_IDX_B32, WARP_DST_D_SINK, false, "shfl.idx.b32 %d|_, %a, %b, %c;\n");
    assert_line(WARP_VOTE_SYNC_UNI_PRED, WARP_DST_D, true, "vote.sync.uni.pred %p, !%q, %m;\n");
    assert_line(WARP_VOTE_BALLOT_B32, WARP_DST_D, false, "vote.ballot.b32 %d, %q;\n");
    assert_line(WARP_MATCH_ALL_SYNC_B64, WARP_DST_SINK_P, false, "match.all.sync.b64 _|%p, %aa, %m;\n");
    assert_line(WARP_REDUX_SYNC_MIN_ABS_NAN_F32, WARP_DST_D, false, "redux.sync.min.abs.NaN.f32 %d, %a, %m;\n");
    assert_line(WARP_ACTIVEMASK_B32, WARP_DST_D, false, "activemask.b32 %d;\n");
    assert_line(WARP_BAR_WARP_SYNC, WARP_DST_NONE, false, "bar.warp.sync %m;\n");
    assert_line(WARP_ELECT_SYNC, WARP_DST_D_P, false, "elect.sync %d|%p, %m;\n");
    assert_line(WARP_ELECT_SYNC, WARP_DST_SINK_P, false, "elect.sync _|%p, %m;\n");
}

/* Text that does not fit is measured, not written past the end. */
static void test_measure(void **state)
{
    char small[8];
    struct writer t = writer_start(small, sizeof small);
    (void)state;
    text_header(&t, 63, WARP_TARGET(75, 0));
    assert_int_equal(t.length, strlen(".version 6.3\n.target sm_75\n.address_size 64\n"));
    assert_int_equal(strlen(small), sizeof small - 1);
}

static void test_plant(void **state)
{
    const struct warp_form_info *up = warp_form_get(WARP_SHFL_SYNC_UP_B32);
    char line[4096];
    struct writer t = writer_start(line, sizeof line);
    (void)state;
    setenv("WARPCHECK_GPU_PLANT", "shfl.sync.up.b32=shfl.sync.bfly.b32", 1);
    text_tested_instruction(&t, up, WARP_DST_D, false);
    assert_non_null(strstr(line, "shfl.sync.bfly.b32"));
    assert_null(text_plant(warp_form_get(WARP_SHFL_SYNC_DOWN_B32)));
    unsetenv("WARPCHECK_GPU_PLANT");
    t = writer_start(line, sizeof line);
    text_tested_instruction(&t, up, WARP_DST_D, false);
    assert_non_null(strstr(line, "shfl.sync.up.b32"));
}

static void assemble(const char *ptxas, uint32_t target, const char *what)
{
    char command[512], folder[] = "/tmp/warpcheck-text-XXXXXX", path[64];
    FILE *f;
    int status;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/k.ptx", folder);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(buf, f);
    fclose(f);
    snprintf(command, sizeof command, "'%s' -arch=%s %s -o /dev/null >%s/log 2>&1 || { cat %s/log; false; }", ptxas,
             target < WARP_TARGET(75, 0) ? "sm_75" : warp_target_name(target), path, folder, folder);
    status = system(command);
    snprintf(command, sizeof command, "rm -r %s", folder);
    if (system(command) != 0 || status != 0)
        fail_msg("ptxas refuses %s for %s", what, warp_target_name(target));
}

/* Every batch kernel that a device from sm_30 to sm_100 may be given, one text for a target and PTX version. */
static void test_batch_kernels(void **state)
{
    static const uint32_t targets[] = {WARP_TARGET(30, 0), WARP_TARGET(62, 0), WARP_TARGET(70, 0), WARP_TARGET(90, 0),
                                       WARP_TARGET(100, WARP_SUFFIX_A)};
    const char *ptxas = find_ptxas();
    (void)state;
    if (ptxas == NULL)
        skip();
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        for (uint32_t family = 0; family < WARP_FAMILIES; family++) {
            struct writer t = writer_start(buf, sizeof buf);
            uint16_t ptx = 0;
            for (uint32_t form = 0; form < WARP_FORMS; form++)
                if (warp_form_get(form)->family == family && warp_legal_from(warp_form_get(form), targets[i]) > ptx)
                    ptx = warp_legal_from(warp_form_get(form), targets[i]);
            if (ptx == 0)
                continue;
            text_header(&t, ptx, targets[i]);
            for (uint32_t k = 0; k < (uint32_t)WARP_FORMS * WARP_DST_COUNT; k++) {
                const struct warp_form_info *info = warp_form_get(k / WARP_DST_COUNT);
                if (info->family == family && warp_legal(info, k % WARP_DST_COUNT, ptx, targets[i], NULL, 0))
                    text_batch_kernel(&t, info, k % WARP_DST_COUNT, false);
            }
            assert_true(t.length < sizeof buf);
            assemble(ptxas, targets[i], warp_family_name(family));
        }
}

static void test_throughput_kernels(void **state)
{
    const char *ptxas = find_ptxas();
    (void)state;
    if (ptxas == NULL)
        skip();
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        const struct warp_form_info *info = warp_form_get(form);
        for (uint32_t space = 0; space <= (warp_form_is_shfl(info) ? 1u : 0u); space++) {
            struct throughput_request request = {.space = space};
            struct writer t = writer_start(buf, sizeof buf);
            assert_true(throughput_target(info, info->type == WARP_F32 ? 100 : 90, 90, &request));
            throughput_kernel(&t, &request);
            assert_true(t.length < sizeof buf);
            assemble(ptxas, request.target, info->name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_instruction), cmocka_unit_test(test_measure),
                                       cmocka_unit_test(test_plant), cmocka_unit_test(test_batch_kernels),
                                       cmocka_unit_test(test_throughput_kernels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
