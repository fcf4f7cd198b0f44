#define _POSIX_C_SOURCE 200809L

#include "check/plugin.h"
#include "warpcheck/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static char error[512];

static void expect_error(const char *path, const char *part)
{
    error[0] = '\0';
    assert_null(plugin_open(path, error, sizeof error));
    if (strstr(error, part) == NULL)
        fail_msg("expected `%s` in `%s`", part, error);
    assert_null(strchr(error, '\n'));
    assert_non_null(strstr(error, path));
}

static void test_mutants(void **state)
{
    struct plugin *plugin = plugin_open(MUTANTS_PLUGIN, error, sizeof error);
    const struct warp_impl *impl;
    size_t n = 0;
    (void)state;
    if (plugin == NULL)
        fail_msg("%s", error);
    for (; (impl = plugin_get(plugin, n)) != NULL; n++) {
        assert_ptr_equal(plugin_find(plugin, impl->name), impl);
        assert_true(strlen(impl->description) > 0);
    }
    assert_true(n > 25);
    assert_null(plugin_get(plugin, n + 10));
    assert_ptr_equal(plugin_find(plugin, NULL), plugin_get(plugin, 0));
    assert_null(plugin_find(plugin, "no-such-mutant"));
    plugin_close(plugin);
    plugin_close(NULL);
}

static void test_errors(void **state)
{
    (void)state;
    expect_error("/nonexistent/plugin.so", "cannot load the plugin");
    expect_error(BAD_VERSION_PLUGIN, "version 999 of the plugin interface");
    expect_error(BAD_VERSION_PLUGIN, "rebuild the plugin against this version's headers");
    expect_error(NO_ENTRY_PLUGIN, "does not export warpcheck_implementation");
    expect_error(BAD_IMPL_PLUGIN, "implementation number 1 has no eval function");
    expect_error("/etc/hostname", "cannot load the plugin");
}

/* A library that is no plugin: the C library itself, which is there in any case. */
static void test_foreign_library(void **state)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char row[512];
    (void)state;
    if (maps == NULL)
        skip();
    while (fgets(row, sizeof row, maps) != NULL) {
        char *path = strchr(row, '/');
        if (path == NULL || strstr(path, "libc.so") == NULL)
            continue;
        path[strcspn(path, "\n")] = '\0';
        expect_error(path, "is no warpcheck plugin: it does not export warpcheck_abi_version");
        break;
    }
    fclose(maps);
}

/* A bare file name means a file here, as everywhere else on a command line. */
static void test_name_without_slash(void **state)
{
    char folder[512], before[512];
    char *name;
    struct plugin *plugin;
    (void)state;
    snprintf(folder, sizeof folder, "%s", MUTANTS_PLUGIN);
    name = strrchr(folder, '/');
    assert_non_null(name);
    *name++ = '\0';
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    plugin = plugin_open(name, error, sizeof error);
    assert_int_equal(chdir(before), 0);
    assert_non_null(plugin);
    plugin_close(plugin);
}

#define BATCH 8u
static struct warp_case cases[BATCH];
static struct warp_result results[BATCH];

/* The plugin misbehaves at active mask 6, the fifth of these. */
static void make_cases(void)
{
    for (uint32_t i = 0; i < BATCH; i++) {
        memset(&cases[i], 0, sizeof cases[i]);
        cases[i].form = WARP_ACTIVEMASK_B32;
        cases[i].dst = WARP_DST_D;
        cases[i].target = WARP_TARGET(70, 0);
        cases[i].active = i + 2u;
    }
}

static struct plugin *open_crash(void)
{
    struct plugin *plugin = plugin_open(CRASH_PLUGIN, error, sizeof error);
    if (plugin == NULL)
        fail_msg("%s", error);
    make_cases();
    return plugin;
}

static bool ask(const struct warp_impl *impl, size_t n)
{
    error[0] = '\0';
    return impl->eval(impl->state, cases, n, results, error, 240);
}

static void expect_part(const char *part)
{
    if (strstr(error, part) == NULL)
        fail_msg("expected `%s` in `%s`", part, error);
    assert_null(strchr(error, '\n'));
}

/* It fails in the batch, names the case, and is not asked again. */
static void expect_death(const char *name, const char *what)
{
    struct plugin *plugin = open_crash();
    const struct warp_impl *impl = plugin_find(plugin, name);
    char text[WARP_TEXT_MAX], first[sizeof error];
    assert_non_null(impl);
    assert_true(ask(impl, 4));
    assert_int_equal(results[3].d[0], 5);
    assert_false(ask(impl, BATCH));
    expect_part(what);
    assert_non_null(strstr(error, "test_plugin_crash"));
    warp_case_to_text(&cases[4], text, sizeof text);
    text[60] = '\0';
    expect_part(text);
    snprintf(first, sizeof first, "%s", error);
    assert_false(ask(impl, 1)); /* an answer, were it asked */
    assert_string_equal(error, first);
    assert_true(warp_impl_accepts(impl, &cases[0], NULL, 0)); /* a failure is no refusal */
    assert_true(ask(plugin_find(plugin, "good"), BATCH));     /* its neighbour is not touched */
    plugin_close(plugin);
}

static void test_crashes(void **state)
{
    (void)state;
    expect_death("segv", "crashed with SIGSEGV on ");
    expect_death("abort", "crashed with SIGABRT on ");
    expect_death("bus", "crashed with SIGBUS on ");
    expect_death("fpe", "crashed with SIGFPE on ");
    expect_death("ill", "crashed with SIGILL on ");
    expect_death("segv", "crashed with SIGSEGV on "); /* again: the signal is not left blocked */
    expect_death("deep", "crashed with SIGSEGV on ");
}

static void test_crash_once(void **state)
{
    struct plugin *plugin = open_crash();
    (void)state;
    assert_false(ask(plugin_find(plugin, "once"), BATCH));
    expect_part("crashed with SIGSEGV on 8 cases but on none of them alone, the first is warp1 ");
    plugin_close(plugin);
}

static void test_crash_in_accepts(void **state)
{
    struct plugin *plugin = open_crash();
    const struct warp_impl *impl = plugin_find(plugin, "accepts");
    (void)state;
    assert_false(warp_impl_accepts(impl, &cases[0], NULL, 0));
    assert_true(warp_impl_accepts(impl, &cases[4], NULL, 0));
    assert_false(ask(impl, 1));
    expect_part("crashed with SIGSEGV when asked whether it accepts warp1 ");
    plugin_close(plugin);
}

static void test_hang(void **state)
{
    struct plugin *plugin;
    (void)state;
    setenv("WARPCHECK_PLUGIN_TIMEOUT_MS", "300", 1);
    plugin = open_crash();
    assert_false(ask(plugin_find(plugin, "hang"), BATCH));
    expect_part("gave no answer within 300 ms (WARPCHECK_PLUGIN_TIMEOUT_MS) on warp1 activemask.b32 d");
    expect_part("active=0x6"); /* the fifth of them */
    assert_false(ask(plugin_find(plugin, "hang"), 1));
    assert_true(ask(plugin_find(plugin, "good"), BATCH));
    plugin_close(plugin);
    setenv("WARPCHECK_PLUGIN_TIMEOUT_MS", "soon", 1);
    assert_null(plugin_open(CRASH_PLUGIN, error, sizeof error));
    expect_part("WARPCHECK_PLUGIN_TIMEOUT_MS is `soon`: give milliseconds");
    unsetenv("WARPCHECK_PLUGIN_TIMEOUT_MS");
}

/* Too slow for the limit together, not alone; or late, because something else had the machine: both are answers. A call
 * that hangs where no case alone does is none. */
static void test_slow(void **state)
{
    struct plugin *plugin;
    const struct warp_impl *slow;
    (void)state;
    setenv("WARPCHECK_PLUGIN_TIMEOUT_MS", "150", 1);
    plugin = plugin_open(SLOW_PLUGIN, error, sizeof error);
    assert_non_null(plugin);
    slow = plugin_find(plugin, "slow30");
    make_cases();
    memset(results, 0, sizeof results);
    for (unsigned times = 0; times < 2; times++) { /* it is asked again */
        if (!ask(slow, BATCH))
            fail_msg("%s", error);
        for (unsigned i = 0; i < BATCH; i++)
            assert_int_equal(results[i].d[__builtin_ctz(cases[i].active)], cases[i].active);
    }
    plugin_close(plugin);
    plugin = open_crash();
    if (!ask(plugin_find(plugin, "late"), BATCH))
        fail_msg("%s", error);
    assert_int_equal(results[4].d[0], 6);
    assert_false(ask(plugin_find(plugin, "odd"), BATCH));
    expect_part("gave no answer within 150 ms (WARPCHECK_PLUGIN_TIMEOUT_MS) on 8 cases but on none of them alone");
    plugin_close(plugin);
    unsetenv("WARPCHECK_PLUGIN_TIMEOUT_MS");
}

/* In a child, whose words and status are looked at. The child has no watchdog until it makes its own. */
static int in_child(const char *name, char *said, size_t size)
{
    struct plugin *plugin = open_crash();
    int status = -1, ends[2];
    size_t length = 0;
    ssize_t got;
    pid_t child;
    assert_true(ask(plugin_find(plugin, "good"), BATCH));
    assert_int_equal(pipe(ends), 0);
    child = fork();
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        _exit(ask(plugin_find(plugin, name), BATCH) ? 40 : 41);
    }
    close(ends[1]);
    while (length + 1 < size && (got = read(ends[0], said + length, size - 1 - length)) > 0)
        length += (size_t)got;
    said[length] = '\0';
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    plugin_close(plugin);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void test_exit(void **state)
{
    char said[1024];
    (void)state;
    assert_int_equal(in_child("good", said, sizeof said), 40);
    assert_int_equal(in_child("exit", said, sizeof said), 1);
    assert_non_null(strstr(said, ": exit ended the process (exit) while answering 8 cases, the first of which is "));
    setenv("WARPCHECK_PLUGIN_TIMEOUT_MS", "300", 1);
    assert_int_equal(in_child("hang", said, sizeof said), 41);
    unsetenv("WARPCHECK_PLUGIN_TIMEOUT_MS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_foreign_library),
        cmocka_unit_test(test_name_without_slash),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_crash_once),
        cmocka_unit_test(test_crash_in_accepts),
        cmocka_unit_test(test_hang),
        cmocka_unit_test(test_slow),
        cmocka_unit_test(test_exit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
