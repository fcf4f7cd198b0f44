/* gpu/emit.c: the kernel is taken by ptxas, the host program by the C compiler, and neither runs what may hang.
 */
#define _POSIX_C_SOURCE 200809L

#include "gpu/emit.h"
#include "gpu_ptxas.h"
#include "warpcheck_spec.h"

#include <string.h>
#include <sys/wait.h>

static char buf[262144];

static void expect(const struct warp_case *c, struct warp_result *r)
{
    char error[64];
    assert_true(spec_get()->eval(spec_get()->state, c, 1, r, error, sizeof error));
}

static void write_to(const char *folder, const char *name)
{
    char path[128];
    FILE *f;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    fputs(buf, f);
    assert_int_equal(fclose(f), 0);
}

static int shell(const char *folder, const char *text)
{
    char command[512];
    int status;
    snprintf(command, sizeof command, "cd %s && %s >log 2>&1", folder, text);
    status = system(command);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_ptx(void **state)
{
    const char *ptxas = find_ptxas();
    char folder[] = "/tmp/warpcheck-emit-XXXXXX", command[256];
    (void)state;
    if (ptxas == NULL)
        skip();
    assert_non_null(mkdtemp(folder));
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++) {
            struct warp_case c;
            if (!(warp_form_get(form)->destinations >> dst & 1u))
                continue;
            warp_case_init(&c, (enum warp_form)form);
            c.dst = dst;
            assert_true(emit_ptx(&c, buf, sizeof buf) < sizeof buf);
            write_to(folder, "case.ptx");
            snprintf(command, sizeof command, "'%s' -arch=%s case.ptx -o /dev/null", ptxas,
                     c.target < WARP_TARGET(75, 0) ? "sm_75" : warp_target_name(c.target));
            if (shell(folder, command) != 0)
                fail_msg("ptxas refuses %s %s: see %s", warp_form_get(form)->name, warp_dst_name(dst), folder);
        }
    shell("/tmp", (snprintf(command, sizeof command, "rm -r %s", folder), command));
}

static void test_host(void **state)
{
    char folder[] = "/tmp/warpcheck-emit-XXXXXX", command[256];
    struct warp_case c;
    struct warp_result r;
    int status;
    (void)state;
    assert_non_null(mkdtemp(folder));
    warp_case_init(&c, WARP_SHFL_SYNC_DOWN_B32);
    expect(&c, &r);
    assert_true(emit_ptx_host(&c, &r, WARP_PART_ALL, "dir/a \"b\".ptx", buf, sizeof buf) < sizeof buf);
    assert_non_null(strstr(buf, "dir/a \\\"b\\\".ptx"));
    write_to(folder, "host.c");
    status = shell(folder, "${CC:-cc} -Wall -Wextra -Werror -o host host.c -ldl");
    if (status == 127)
        print_message("UNAVAILABLE: no C compiler named cc\n");
    else
        assert_int_equal(status, 0);
    if (status == 0)
        assert_int_equal(shell(folder, "./host"), 2); /* no driver, or no such .ptx file */
    shell("/tmp", (snprintf(command, sizeof command, "rm -r %s", folder), command));
}

static void test_guard(void **state)
{
    struct warp_case c;
    struct warp_result r;
    (void)state;
    warp_case_init(&c, WARP_REDUX_SYNC_ADD_U32);
    expect(&c, &r);
    emit_cuda(&c, &r, WARP_PART_ALL, buf, sizeof buf);
    assert_null(strstr(buf, "--may-hang"));
    c.active = 1; /* lanes 1..31 never come */
    expect(&c, &r);
    emit_cuda(&c, &r, WARP_PART_ALL, buf, sizeof buf);
    assert_non_null(strstr(buf, "--may-hang"));
    assert_non_null(strstr(buf, "MAY HANG"));
    emit_ptx_host(&c, &r, WARP_PART_ALL, "case.ptx", buf, sizeof buf);
    assert_non_null(strstr(buf, "--may-hang"));
}

/* Forms that nvcc's PTX version has lost travel as text; an old target becomes one that drivers take. */
static void test_cuda(void **state)
{
    struct warp_case c;
    struct warp_result r;
    size_t length;
    (void)state;
    warp_case_init(&c, WARP_VOTE_ANY_PRED);
    expect(&c, &r);
    length = emit_cuda(&c, &r, WARP_PART_ALL, buf, sizeof buf);
    assert_int_equal(length, strlen(buf));
    assert_non_null(strstr(buf, ".target sm_30"));
    assert_non_null(strstr(buf, "cuModuleLoadData"));
    assert_int_equal(emit_cuda(&c, &r, WARP_PART_ALL, NULL, 0), length);
    warp_case_init(&c, WARP_MATCH_ALL_SYNC_B64);
    c.dst = WARP_DST_SINK_P;
    expect(&c, &r);
    emit_cuda(&c, &r, WARP_PART_ALL, buf, sizeof buf);
    assert_non_null(strstr(buf, "match.all.sync.b64 _|p, aa, %6;"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ptx), cmocka_unit_test(test_host),
                                       cmocka_unit_test(test_guard), cmocka_unit_test(test_cuda)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
