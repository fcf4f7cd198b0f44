#define _POSIX_C_SOURCE 200809L

#include "check/plugin.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mutants),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_foreign_library),
        cmocka_unit_test(test_name_without_slash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
