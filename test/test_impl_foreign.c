/*
 * Implementations in a process of their own: every way to end badly is an error with a code and one line, and harms
 * nobody else.
 */
#define _GNU_SOURCE /* setenv, mkstemps */
#include "base/interrupt.h"
#include "check/checker.h"
#include "check/impl/impl.h"
#include "warpcheck/text.h"

#include <dirent.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

/* MemorySanitizer's allocator does not notice that memory is freed twice. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#define FREES_TWICE
#endif
#endif

/*
 * Where a sanitizer is linked in: what it finds ends the process as the C library would end it, by SIGABRT, and what
 * the children hold when a plugin ends them is not theirs: this process alone is searched for leaks.
 */
const char *__asan_default_options(void);
int __lsan_is_turned_off(void);
static pid_t tester;

const char *__asan_default_options(void)
{
    return "abort_on_error=1";
}

int __lsan_is_turned_off(void)
{
    return getpid() != tester;
}

static struct error error;
static char text[512];

/* --- opening --- */

static void expect_error(const char *path, enum error_code code, const char *part)
{
    error_clear(&error);
    assert_null(impl_open(path, &error));
    if (strstr(error.text, part) == NULL)
        fail_msg("expected `%s` in `%s`", part, error.text);
    assert_int_equal(error.code, code);
    assert_null(strchr(error.text, '\n'));
}

static void test_errors(void **state)
{
    (void)state;
    expect_error("/nonexistent/plugin.so", ERROR_SYSTEM, "cannot load the plugin /nonexistent/plugin.so: ");
    expect_error(BAD_VERSION_PLUGIN, ERROR_INPUT, "version 999 of the plugin interface");
    expect_error(BAD_VERSION_PLUGIN, ERROR_INPUT, "rebuild the plugin against this version's headers");
    expect_error(NO_ENTRY_PLUGIN, ERROR_INPUT, "does not export warpcheck_implementation");
    expect_error(BAD_IMPL_PLUGIN, ERROR_INPUT, "implementation number 1 has no eval function");
    expect_error(MUTANTS_PLUGIN ":no-such-mutant", ERROR_USAGE, "has no implementation named no-such-mutant");
    expect_error(MUTANTS_PLUGIN ":", ERROR_USAGE, "a name is missing behind the colon");
    expect_error("fsat", ERROR_USAGE, "no implementation 'fsat'; did you mean fast?");
    expect_error("\033[2J", ERROR_USAGE, "no implementation '\\x1b[2J'");
    expect_error("pipe:  ", ERROR_USAGE, "a command is missing");
}

/* A library that is no plugin: the C library itself, which is there in any case. */
static void test_foreign_library(void **state)
{
    FILE *maps = fopen("/proc/self/maps", "r");
    char row[512], copy[] = "/tmp/test_impl_foreign.XXXXXX.so", command[1200];
    (void)state;
    if (maps == NULL)
        skip();
    while (fgets(row, sizeof row, maps) != NULL) {
        char *path = strchr(row, '/');
        if (path == NULL || strstr(path, "libc.so") == NULL)
            continue;
        path[strcspn(path, "\n")] = '\0';
        close(mkstemps(copy, 3)); /* a name that ends in .so */
        snprintf(command, sizeof command, "cp %s %s", path, copy);
        assert_int_equal(system(command), 0);
        expect_error(copy, ERROR_INPUT, "is no warpcheck plugin: it does not export warpcheck_abi_version");
        unlink(copy);
        break;
    }
    fclose(maps);
}

/* A FIFO is refused at once. */
static void test_no_file(void **state)
{
    char folder[] = "/tmp/test_impl_foreign.XXXXXX", fifo[64], command[128];
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(fifo, sizeof fifo, "%s/x.so", folder);
    snprintf(command, sizeof command, "mkfifo %s", fifo);
    assert_int_equal(system(command), 0);
    expect_error(fifo, ERROR_INPUT, "is a FIFO");
    unlink(fifo);
    rmdir(folder);
}

/* A bare file name means a file here, as everywhere else on a command line. */
static void test_name_without_slash(void **state)
{
    char folder[512], before[512];
    char *name;
    const struct warp_impl *impl;
    (void)state;
    snprintf(folder, sizeof folder, "%s", MUTANTS_PLUGIN);
    name = strrchr(folder, '/');
    assert_non_null(name);
    *name++ = '\0';
    assert_non_null(getcwd(before, sizeof before));
    assert_int_equal(chdir(folder), 0);
    impl = impl_open(name, &error);
    assert_int_equal(chdir(before), 0);
    assert_non_null(impl);
    assert_true(impl_close(impl, &error));
}

static void test_offers(void **state)
{
    size_t n = 0;
    struct impl_offer *offers = impl_list_plugin(MUTANTS_PLUGIN, &n, &error);
    (void)state;
    assert_non_null(offers);
    assert_true(n > 25);
    for (size_t i = 0; i < n; i++)
        assert_true(strlen(offers[i].description) > 0);
    free(offers);
}

static void test_full_names(void **state)
{
    char full[IMPL_FULL_MAX];
    struct impl_name name;
    (void)state;
    assert_string_equal(impl_name_full("fast-batch", full), "fast-batch");
    assert_string_equal(impl_name_full("pipe:./a.so", full), "pipe:./a.so");
    assert_string_equal(impl_name_full(MUTANTS_PLUGIN ":base", full), MUTANTS_PLUGIN ":base");
    assert_string_equal(impl_name_full("nowhere/x.rec", full), "nowhere/x.rec");
    assert_true(impl_name_parse("./f.so:x/libmine.so:right", &name, NULL));
    assert_int_equal(name.kind, IMPL_PLUGIN);
    assert_string_equal(name.path, "./f.so:x/libmine.so");
    assert_string_equal(name.inner, "right");
    assert_true(impl_name_parse("a.rec", &name, NULL));
    assert_int_equal(name.kind, IMPL_RECORDING);
}

/* --- asking --- */

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

static const struct warp_impl *open_hostile(const char *name)
{
    char whole[1024];
    const struct warp_impl *impl;
    snprintf(whole, sizeof whole, "%s:%s", HOSTILE_PLUGIN, name);
    impl = impl_open(whole, &error);
    if (impl == NULL)
        fail_msg("%s", error.text);
    make_cases();
    return impl;
}

/* What ought to answer has the usual time for it, also where a test gives another less. */
static const struct warp_impl *open_patiently(const char *name)
{
    const char *const given = getenv(IMPL_TIMEOUT_VARIABLE);
    char kept[32];
    const struct warp_impl *impl;
    snprintf(kept, sizeof kept, "%s", given != NULL ? given : "");
    unsetenv(IMPL_TIMEOUT_VARIABLE);
    impl = open_hostile(name);
    if (kept[0] != '\0')
        setenv(IMPL_TIMEOUT_VARIABLE, kept, 1);
    return impl;
}

static bool ask(const struct warp_impl *impl, size_t n)
{
    text[0] = '\0';
    return impl->eval(impl->state, cases, n, results, text, 240);
}

static void expect_part(const char *said, const char *part)
{
    if (strstr(said, part) == NULL)
        fail_msg("expected `%s` in `%s`", part, said);
    assert_null(strchr(said, '\n'));
}

/* It fails in the batch, names the case, and is not asked again until it is started anew. */
static void expect_death(const char *name, enum error_code code, const char *what)
{
    const struct warp_impl *const impl = open_hostile(name), *const fine = open_patiently("good");
    const struct impl_failure *failure;
    char of_case[WARP_TEXT_MAX], first[sizeof text];
    if (!ask(impl, 4))
        fail_msg("%s: %s", name, text);
    assert_int_equal(results[3].d[0], 5);
    assert_null(impl_failure(impl));
    assert_false(ask(impl, BATCH));
    expect_part(text, what);
    expect_part(text, "test_plugin_hostile");
    warp_case_to_text(&cases[4], of_case, sizeof of_case);
    of_case[60] = '\0';
    expect_part(text, of_case);
    failure = impl_failure(impl);
    assert_non_null(failure);
    assert_int_equal(failure->error.code, code);
    assert_true(failure->has_case && failure->alone);
    assert_memory_equal(&failure->c, &cases[4], sizeof cases[4]);
    snprintf(first, sizeof first, "%s", text);
    assert_false(ask(impl, 1)); /* an answer, were it asked */
    assert_string_equal(text, first);
    assert_true(warp_impl_accepts(impl, &cases[0], NULL, 0)); /* a failure is no refusal */
    assert_true(ask(fine, BATCH));                            /* its neighbour is not touched */
    assert_true(impl_restart(impl, &error));
    assert_null(impl_failure(impl));
    assert_true(ask(impl, 4));
    assert_true(impl_close(impl, &error));
    assert_true(impl_close(fine, &error));
}

static void test_crashes(void **state)
{
    (void)state;
    expect_death("segv", ERROR_CRASH, "crashed with SIGSEGV on ");
    expect_death("abort", ERROR_CRASH, "crashed with SIGABRT on ");
    expect_death("bus", ERROR_CRASH, "crashed with SIGBUS on ");
    expect_death("fpe", ERROR_CRASH, "crashed with SIGFPE on ");
    expect_death("ill", ERROR_CRASH, "crashed with SIGILL on ");
    expect_death("deep", ERROR_CRASH, "crashed with SIGSEGV on ");
    expect_death("trap", ERROR_CRASH, "crashed with SIGTRAP on ");
    expect_death("sys", ERROR_CRASH,
                 "crashed with SIGSYS (a system call that it may not use, such as one that stops the judge) on ");
    expect_death("pipe", ERROR_CRASH, "crashed with SIGPIPE on ");
    expect_death("alarm", ERROR_CRASH, "crashed with SIGALRM on ");
    expect_death("xcpu", ERROR_CRASH, "crashed with SIGXCPU on ");
    expect_death("xfsz", ERROR_CRASH, "crashed with SIGXFSZ on ");
    expect_death("kill", ERROR_CRASH, "crashed with SIGKILL on ");
    expect_death("handlers", ERROR_CRASH, "crashed with SIG");
}

static void test_memory(void **state)
{
    (void)state;
#ifndef FREES_TWICE
    expect_death("double-free", ERROR_CRASH, "crashed with SIGABRT on ");
#endif
    expect_death("overrun", ERROR_CRASH, "crashed with SIG");
    expect_death("write-behind", ERROR_CRASH, "SIGSEGV (behind the results that it was given) on ");
    expect_death("write-cases", ERROR_CRASH, "SIGSEGV (it wrote into the cases that it was given) on ");
    expect_death("read-behind", ERROR_CRASH, "SIGSEGV (behind the cases that it was given) on ");
}

static void test_exits(void **state)
{
    static const char *const names[] = {"exit", "at-once", "system-call", "thread-exit", "pthread-exit", "exec"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect_death(names[i], ERROR_EXIT, "ended the process (exit) with status 0 on ");
}

static void test_hangs(void **state)
{
    static const char *const names[] = {"hang",    "hang-blocked", "hang-handlers", "locked-up",
                                        "seccomp", "stop",         "late"};
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        expect_death(names[i], ERROR_TIMEOUT, "gave no answer within 1.5 s (WARPCHECK_PLUGIN_TIMEOUT_MS) on ");
    setenv(IMPL_TIMEOUT_VARIABLE, "soon", 1);
    expect_error(HOSTILE_PLUGIN, ERROR_USAGE, "WARPCHECK_PLUGIN_TIMEOUT_MS is `soon`: give milliseconds");
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

/* It goes on answering; what it takes back it is still judged by, and it is not asked any more. */
static void test_takes_back(void **state)
{
    static const struct {
        const char *name, *words;
    } ways[] = {{"takes-back-d", "changed the parts that it provides from 0x1 to 0x10 after it was loaded"},
                {"takes-back-accepts", "added its function `accepts` after it was loaded"}};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const struct warp_impl *const impl = open_hostile(ways[i].name);
        assert_true(ask(impl, 4));
        assert_false(ask(impl, BATCH));
        expect_part(text, ways[i].words);
        assert_int_equal(impl->provides, WARP_PART_D);
        assert_null(impl->accepts);
        assert_int_equal(impl_failure(impl)->error.code, ERROR_DECLINED);
        assert_false(ask(impl, 1));
        impl_close(impl, &error);
    }
}

/* No signal of it to this process is taken for a person's wish, nor ends this process. */
static void test_signals_to_the_parent(void **state)
{
    static const char *const names[] = {"ends-parent", "interrupts-parent", "alarms-parent", "pipes-parent"};
    (void)state;
    interrupt_catch();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct warp_impl *const impl = open_hostile(names[i]);
        assert_true(ask(impl, 4));
        assert_false(ask(impl, BATCH));
        expect_part(text, "SIGSYS (a system call that it may not use");
        assert_false(interrupted());
        assert_false(ask(impl, 1));
        impl_close(impl, &error);
    }
}

/* What it does to the memory that both see is its own loss. */
static void test_shared_memory(void **state)
{
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    expect_death("unmaps", ERROR_CRASH, "crashed with SIGSEGV on ");
    expect_death("unmaps-all", ERROR_CRASH, "crashed with SIGSEGV on ");
    expect_death("protects", ERROR_CRASH, "crashed with SIGSEGV on ");
    expect_death("remaps-all", ERROR_TIMEOUT, "gave no answer within 1.5 s");
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

/* Whatever it writes into the memory that both see, counts, lengths and texts without an end, it is believed in nothing
 * by which this process would go wrong, and it agrees with nobody. */
static void expect_no_belief(const char *name)
{
    static struct checker checker;
    char whole[1024];
    struct impl_offer *offers;
    const struct warp_impl *impl, *spec;
    size_t n = 0;
    snprintf(whole, sizeof whole, "%s:%s", HOSTILE_PLUGIN, name);
    offers = impl_list_plugin(HOSTILE_PLUGIN, &n, &error);
    for (size_t i = 0; offers != NULL && i < n; i++)
        assert_true(strlen(offers[i].name) < sizeof offers[i].name);
    free(offers);
    make_cases();
    impl = impl_open(whole, &error);
    if (impl == NULL) {
        assert_true(strlen(error.text) < sizeof error.text);
        return;
    }
    assert_true(strlen(impl->name) < 64 && strlen(impl->description) < 192);
    assert_int_equal(impl->provides & ~WARP_PART_ALL, 0);
    spec = impl_open("spec", &error);
    checker_init(&checker, spec, impl, NULL, NULL);
    for (unsigned times = 0; times < 20 && checker_run(&checker, cases, BATCH); times++)
        assert_true(checker_total(&checker).compared <= checker_total(&checker).cases);
    assert_true(strlen(checker.error.text) < sizeof checker.error.text);
    for (size_t i = 0; i < checker.reasons_count; i++)
        assert_true(strlen(checker.reasons[i].why) < sizeof checker.reasons[i].why);
    (void)ask(impl, BATCH);
    assert_true(strlen(text) < 240);
    if (impl_failure(impl) != NULL)
        assert_true(strlen(impl_failure(impl)->error.text) < sizeof error.text);
    (void)impl_close(impl, &error);
}

static void test_garbage(void **state)
{
    static const char *const bytes[] = {"0x00", "0x01", "0x02", "0x41", "0x7f", "0xff"};
    static const char *const names[] = {"scribbles", "scribbles-when-closed", "scribbles-in-accepts"};
    static const char *const loads[] = {"load-scribbles", "get-scribbles"};
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    for (size_t b = 0; b < sizeof bytes / sizeof bytes[0]; b++) {
        setenv("WARPCHECK_TEST_BYTE", bytes[b], 1);
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            expect_no_belief(names[i]);
        for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
            setenv("WARPCHECK_TEST_HOSTILE", loads[i], 1);
            expect_no_belief("good");
            unsetenv("WARPCHECK_TEST_HOSTILE");
        }
    }
    unsetenv("WARPCHECK_TEST_BYTE");
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

/* What no case shows alone is said so. */
static void test_several(void **state)
{
    const struct warp_impl *const impl = open_hostile("several");
    (void)state;
    assert_true(ask(impl, 1));
    assert_false(ask(impl, BATCH));
    expect_part(text, "crashed with SIGSEGV on 8 cases but on none of them alone, the first is warp1 ");
    assert_true(impl_failure(impl)->has_case);
    assert_false(impl_failure(impl)->alone);
    impl_close(impl, &error);
}

/* A call that hangs once is noted, and told at the end; when it happens again, it is a failure. */
static void test_hangs_once(void **state)
{
    const struct warp_impl *impl;
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "2000", 1);
    impl = open_hostile("third");
    assert_true(ask(impl, BATCH));
    assert_true(ask(impl, BATCH));
    assert_null(impl_note(impl));
    assert_true(ask(impl, BATCH)); /* answered, in a fresh process */
    assert_int_equal(results[4].d[0], 6);
    assert_non_null(impl_note(impl));
    expect_part(impl_note(impl), "gave no answer within 2 s (WARPCHECK_PLUGIN_TIMEOUT_MS) to 8 cases, and did when");
    assert_false(impl_close(impl, &error));
    assert_int_equal(error.code, ERROR_TIMEOUT);
    impl = open_hostile("third");
    for (unsigned i = 0; i < 4; i++) /* the call that is repeated in the fresh process is its first */
        assert_true(ask(impl, BATCH));
    assert_false(ask(impl, BATCH));
    expect_part(text, "gave no answer within 2 s (WARPCHECK_PLUGIN_TIMEOUT_MS) on 8 cases but on none of them alone");
    impl_close(impl, &error);
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

static void test_crash_in_accepts(void **state)
{
    const struct warp_impl *const impl = open_hostile("accepts");
    (void)state;
    assert_false(warp_impl_accepts(impl, &cases[0], NULL, 0));
    assert_true(warp_impl_accepts(impl, &cases[4], NULL, 0));
    assert_false(ask(impl, 1));
    expect_part(text, "crashed with SIGSEGV when asked whether it accepts warp1 ");
    assert_true(impl_restart(impl, &error));
    impl_ask_ahead(impl, cases, BATCH, IMPL_ACCEPTS);
    for (size_t i = 0; i < BATCH; i++) /* of what was asked ahead none is an answer */
        assert_true(warp_impl_accepts(impl, &cases[i], NULL, 0));
    expect_part(impl_failure(impl)->error.text, "when asked whether it accepts warp1 activemask.b32 d ");
    assert_memory_equal(&impl_failure(impl)->c, &cases[4], sizeof cases[4]);
    impl_close(impl, &error);
}

/* Too slow for the limit together, not alone: these are answers. 30 ms each, 64 of them, are far from the limit on both
 * sides, and so is the start of the process, for a machine that has other work. */
static void test_slow(void **state)
{
    static struct warp_case many[8 * BATCH];
    static struct warp_result answers[8 * BATCH];
    const struct warp_impl *slow;
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    slow = impl_open(SLOW_PLUGIN ":slow30", &error);
    unsetenv(IMPL_TIMEOUT_VARIABLE);
    assert_non_null(slow);
    make_cases();
    for (unsigned i = 0; i < 8 * BATCH; i++) {
        many[i] = cases[i % BATCH];
        many[i].active += 16 * i;
    }
    for (unsigned times = 0; times < 2; times++) { /* it is asked again */
        memset(answers, 0, sizeof answers);
        text[0] = '\0';
        if (!slow->eval(slow->state, many, 8 * BATCH, answers, text, 240))
            fail_msg("%s", text);
        for (unsigned i = 0; i < 8 * BATCH; i++)
            assert_int_equal(answers[i].d[__builtin_ctz(many[i].active)], many[i].active);
    }
    assert_null(impl_note(slow));
    assert_true(impl_close(slow, &error));
}

/* --- what may not harm --- */

/* Asks `impl` with its own and our streams in files. */
static bool ask_recorded(const struct warp_impl *impl, FILE *out, FILE *err)
{
    const int before = dup(STDOUT_FILENO), errors = dup(STDERR_FILENO);
    bool answered;
    fflush(stdout);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(fileno(err), STDERR_FILENO);
    answered = ask(impl, BATCH) && impl_close(impl, &error);
    fflush(stdout);
    dup2(before, STDOUT_FILENO);
    dup2(errors, STDERR_FILENO);
    close(before);
    close(errors);
    return answered;
}

static void test_prints(void **state)
{
    FILE *out = tmpfile(), *err = tmpfile();
    static char said[8192];
    size_t lines = 0;
    (void)state;
    assert_true(ask_recorded(open_hostile("prints"), out, err));
    assert_int_equal(lseek(fileno(out), 0, SEEK_END), 0); /* nothing on standard output */
    rewind(err);
    assert_true(fread(said, 1, sizeof said - 1, err) > 100);
    for (const char *at = said; *at != '\0'; lines += *at++ == '\n')
        assert_true(*at == '\n' || (unsigned char)*at >= 0x20);
    assert_true(lines <= 22); /* it is cut short, and says so */
    assert_non_null(strstr(said, "test_plugin_hostile.so: {\"garbage\": \\x1b[2J"));
    assert_non_null(strstr(said, "more of what it prints is left out"));
    fclose(out);
    fclose(err);
}

/* Subnormals are not zero here, whatever the plugin sets. */
static void test_float_environment(void **state)
{
    volatile float least = 1e-40f;
    const struct warp_impl *impl = open_hostile("ftz");
    (void)state;
    assert_true(ask(impl, BATCH));
    assert_true(least * 1.0f != 0.0f);
    impl_close(impl, &error);
    setenv("WARPCHECK_TEST_HOSTILE", "load-ftz", 1);
    impl = open_hostile("good");
    assert_true(ask(impl, BATCH));
    assert_true(least * 1.0f != 0.0f);
    impl_close(impl, &error);
    unsetenv("WARPCHECK_TEST_HOSTILE");
}

static void test_harmless(void **state)
{
    static const char *const names[] = {"forks", "closes-all", "good"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct warp_impl *const impl = open_hostile(names[i]);
        for (unsigned times = 0; times < 3; times++) {
            if (!ask(impl, BATCH))
                fail_msg("%s: %s", names[i], text);
            for (size_t k = 0; k < BATCH; k++)
                assert_int_equal(results[k].d[0], cases[k].active);
        }
        if (!impl_close(impl, &error))
            fail_msg("%s: %s", names[i], error.text);
    }
}

/* --- loading and closing --- */

static void test_loading(void **state)
{
    static const struct {
        const char *what;
        enum error_code code;
        const char *words;
    } ways[] = {
        {"load-exit", ERROR_EXIT, "ended the process (exit) with status 0 while it was loaded"},
        {"load-segv", ERROR_CRASH, "crashed with SIGSEGV while it was loaded"},
        {"load-signals", ERROR_CRASH, "crashed with SIGSYS"},
        {"load-hang", ERROR_TIMEOUT, "gave no answer within 1.5 s (WARPCHECK_PLUGIN_TIMEOUT_MS) while it was loaded"},
        {"get-exit", ERROR_EXIT, "while it was loaded"},
        {"get-segv", ERROR_CRASH, "crashed with SIGSEGV while it was loaded"},
        {"get-wild", ERROR_CRASH, "crashed with SIGSEGV while it was loaded"},
        {"name-wild", ERROR_CRASH, "crashed with SIGSEGV while it was loaded"},
        {"get-hang", ERROR_TIMEOUT, "while it was loaded"},
        {"get-never", ERROR_INPUT, "must return NULL for an index past its last one"},
    };
    size_t n;
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        setenv("WARPCHECK_TEST_HOSTILE", ways[i].what, 1);
        expect_error(HOSTILE_PLUGIN ":good", ways[i].code, ways[i].words);
        assert_null(impl_list_plugin(HOSTILE_PLUGIN, &n, &error));
        assert_int_equal(error.code, ways[i].code);
        expect_part(error.text, ways[i].words);
    }
    unsetenv("WARPCHECK_TEST_HOSTILE");
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

static void test_words_of_its_own(void **state)
{
    const struct warp_impl *impl;
    (void)state;
    setenv("WARPCHECK_TEST_HOSTILE", "describe-escape", 1);
    impl = open_hostile("good");
    assert_string_equal(impl->description, "\\x1b[2Jall agree\\x0anow");
    assert_true(impl_close(impl, &error));
    unsetenv("WARPCHECK_TEST_HOSTILE");
}

static void expect_bad_end(const char *name, enum error_code code, const char *words)
{
    const struct warp_impl *const impl = open_hostile(name);
    assert_true(ask(impl, BATCH));
    error_clear(&error);
    assert_false(impl_close(impl, &error));
    assert_int_equal(error.code, code);
    expect_part(error.text, words);
}

static void test_closing(void **state)
{
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    expect_bad_end("close-segv", ERROR_CRASH, "crashed with SIGSEGV when it was closed");
    expect_bad_end("close-exit", ERROR_EXIT, "ended the process (exit) with status 0 when it was closed");
    expect_bad_end("close-hang", ERROR_TIMEOUT, "gave no answer within 1.5 s");
    setenv("WARPCHECK_TEST_HOSTILE", "unload-exit", 1);
    expect_bad_end("good", ERROR_EXIT, "ended the process (exit) with status 0 when it was closed");
    setenv("WARPCHECK_TEST_HOSTILE", "unload-segv", 1);
    expect_bad_end("good", ERROR_CRASH, "crashed with SIGSEGV when it was closed");
    setenv("WARPCHECK_TEST_HOSTILE", "unload-hang", 1);
    expect_bad_end("good", ERROR_TIMEOUT, "when it was closed");
    unsetenv("WARPCHECK_TEST_HOSTILE");
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

/* --- the process --- */

/* The child of this process, found as any other program would. */
static pid_t only_child(void)
{
    char path[64];
    int pid = 0, more = 0;
    FILE *file;
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "r");
    if (file == NULL)
        skip();
    assert_int_equal(fscanf(file, "%d %d", &pid, &more), 1);
    fclose(file);
    return pid;
}

/* It may answer until the signal has come: a busy machine takes its time. Whoever asks finds it dead, and buries it. */
static void kill_only_child(void)
{
    const pid_t child = only_child();
    siginfo_t end;
    kill(child, SIGKILL);
    assert_int_equal(waitid(P_PID, (id_t)child, &end, WEXITED | WNOWAIT), 0);
}

static void test_killed(void **state)
{
    const struct warp_impl *impl = open_hostile("good");
    (void)state;
    assert_true(ask(impl, BATCH));
    kill_only_child();
    assert_false(ask(impl, 1));
    expect_part(text, "crashed with SIGKILL on ");
    assert_true(impl_restart(impl, &error));
    assert_true(ask(impl, BATCH));
    kill_only_child(); /* between two calls, and nobody asks again */
    assert_false(impl_close(impl, &error));
    expect_part(error.text, "crashed with SIGKILL when it was closed");
}

/* In the midst of an answer, from another process. */
static void test_killed_while_it_answers(void **state)
{
    const struct warp_impl *impl = open_hostile("hang");
    const pid_t child = only_child();
    pid_t killer;
    (void)state;
    killer = fork();
    if (killer == 0) {
        usleep(100000);
        kill(child, SIGKILL);
        _exit(0);
    }
    cases[0] = cases[4];
    assert_false(ask(impl, 1));
    expect_part(text, "crashed with SIGKILL on ");
    waitpid(killer, NULL, 0);
    impl_close(impl, &error);
}

/* Neither open files of this process, nor its children. */
static void test_nothing_is_left(void **state)
{
    const struct warp_impl *impl = open_hostile("good");
    char path[64], target[200];
    unsigned open_files = 0;
    DIR *folder;
    (void)state;
    assert_true(ask(impl, 1));
    snprintf(path, sizeof path, "/proc/%d/fd", (int)only_child());
    folder = opendir(path);
    if (folder == NULL)
        skip();
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        const ssize_t length = readlinkat(dirfd(folder), entry->d_name, target, sizeof target - 1);
        if (entry->d_name[0] == '.' || ++open_files <= 3)
            continue;
        target[length < 0 ? 0 : length] = '\0';
        print_message("open too: %s, %s\n", entry->d_name, target);
    }
    closedir(folder);
    assert_true(open_files <= 3);
    assert_true(impl_close(impl, &error));
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
}

/* --- asking ahead --- */

static bool never(void *context, const struct checker *checker, const struct warp_case *c,
                  const struct warp_result *reference, const struct warp_result *observed, const struct warp_diff *diff)
{
    (void)context, (void)checker, (void)c, (void)reference, (void)observed, (void)diff;
    fail_msg("they differ");
    return false;
}

/* The same counts whether the reference, the other or both are in another process. */
static void test_checker(void **state)
{
    static struct checker checker;
    static struct warp_case many[3 * CHECKER_BATCH];
    static const char *const names[] = {"spec", "fast-batch", MUTANTS_PLUGIN ":base"};
    (void)state;
    for (size_t i = 0; i < sizeof many / sizeof many[0]; i++) {
        warp_case_init(&many[i], (enum warp_form)(i % WARP_FORMS));
        many[i].active = (uint32_t)(i * 2654435761u) & ~many[i].exited;
    }
    for (size_t i = 0; i < 3; i++) {
        const struct warp_impl *const reference = impl_open_apart(names[i], &error);
        for (size_t k = 0; k < 3; k++) {
            const struct warp_impl *const observed = impl_open_apart(names[k], &error);
            assert_true(impl_can(reference).foreign && impl_can(observed).foreign);
            checker_init(&checker, reference, observed, never, NULL);
            assert_true(checker_run(&checker, many, sizeof many / sizeof many[0]));
            assert_int_equal(checker_total(&checker).compared, sizeof many / sizeof many[0]);
            assert_true(impl_close(observed, &error));
        }
        assert_true(impl_close(reference, &error));
    }
}

/* Cases that are made in place get the same answers, are sent without a copy, and cannot be written by the other side.
 */
static void test_in_place(void **state)
{
    const struct warp_impl *impl = open_hostile("good");
    struct warp_case *place = impl_place(impl, BATCH);
    (void)state;
    assert_non_null(place);
    assert_null(impl_place(impl_open("spec", &error), BATCH));
    assert_null(impl_place(impl, 100000));
    for (uint32_t times = 0; times < 3; times++) {
        assert_ptr_equal(impl_place(impl, BATCH), place);
        memcpy(place, cases, sizeof cases);
        place[7].active = 70 + times;
        impl_ask_ahead(impl, place, BATCH, IMPL_ALL);
        assert_true(impl->eval(impl->state, place, BATCH, results, text, 240));
        assert_int_equal(results[3].d[0], 5);
        assert_int_equal(results[7].d[0], 70 + times);
        assert_true(ask(impl, 4)); /* others in between do not disturb them */
        assert_int_equal(place[7].active, 70 + times);
        assert_true(impl->eval(impl->state, place + 7, 1, results, text, 240));
        assert_int_equal(results[0].d[0], 70 + times);
    }
    assert_true(impl_close(impl, &error));
    impl = open_hostile("unseals");
    place = impl_place(impl, BATCH);
    memcpy(place, cases, sizeof cases);
    assert_false(impl->eval(impl->state, place, BATCH, results, text, 240));
    expect_part(text, "crashed with SIGSEGV (it wrote into the cases that it was given) on ");
    assert_memory_equal(place, cases, sizeof cases);
    impl_close(impl, &error);
}

/* One that writes wherever it can does not reach what another answers, whichever was opened first. */
static void test_neighbours(void **state)
{
    (void)state;
    setenv(IMPL_TIMEOUT_VARIABLE, "1500", 1);
    for (unsigned first = 0; first < 2; first++) {
        const struct warp_impl *const one = open_hostile(first == 0 ? "good" : "scribbles");
        const struct warp_impl *const two = open_hostile(first == 0 ? "scribbles" : "good");
        const struct warp_impl *const good = first == 0 ? one : two, *const bad = first == 0 ? two : one;
        struct warp_case mine[BATCH];
        memcpy(mine, cases, sizeof mine);
        impl_ask_ahead(good, mine, BATCH, IMPL_ALL);
        usleep(20000); /* its answers are there, and nobody has read them */
        (void)ask(bad, BATCH);
        assert_true(good->eval(good->state, mine, BATCH, results, text, 240));
        for (size_t i = 0; i < BATCH; i++)
            assert_int_equal(results[i].d[0], mine[i].active);
        impl_close(bad, &error);
        assert_true(impl_close(good, &error));
    }
    unsetenv(IMPL_TIMEOUT_VARIABLE);
}

/* Other cases than those that were asked ahead get answers of their own, also from the same place. */
static void test_ahead_is_not_believed(void **state)
{
    const struct warp_impl *impl = open_hostile("good");
    (void)state;
    impl_ask_ahead(impl, cases, 4, IMPL_ALL);
    assert_true(ask(impl, 4));
    assert_int_equal(results[3].d[0], 5);
    impl_ask_ahead(impl, cases, 4, IMPL_ALL);
    cases[3].active = 77;
    assert_true(ask(impl, 4));
    assert_int_equal(results[3].d[0], 77);
    impl_ask_ahead(impl, cases, 4, IMPL_ALL);
    assert_true(ask(impl, 3));
    assert_int_equal(results[2].d[0], 4);
    impl_ask_ahead(impl, cases, 4, IMPL_ALL); /* nobody takes the answers */
    assert_true(impl_close(impl, &error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_foreign_library),
        cmocka_unit_test(test_no_file),
        cmocka_unit_test(test_name_without_slash),
        cmocka_unit_test(test_offers),
        cmocka_unit_test(test_full_names),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_exits),
        cmocka_unit_test(test_hangs),
        cmocka_unit_test(test_takes_back),
        cmocka_unit_test(test_signals_to_the_parent),
        cmocka_unit_test(test_shared_memory),
        cmocka_unit_test(test_garbage),
        cmocka_unit_test(test_several),
        cmocka_unit_test(test_hangs_once),
        cmocka_unit_test(test_crash_in_accepts),
        cmocka_unit_test(test_slow),
        cmocka_unit_test(test_prints),
        cmocka_unit_test(test_float_environment),
        cmocka_unit_test(test_harmless),
        cmocka_unit_test(test_loading),
        cmocka_unit_test(test_words_of_its_own),
        cmocka_unit_test(test_closing),
        cmocka_unit_test(test_killed),
        cmocka_unit_test(test_killed_while_it_answers),
        cmocka_unit_test(test_nothing_is_left),
        cmocka_unit_test(test_checker),
        cmocka_unit_test(test_ahead_is_not_believed),
        cmocka_unit_test(test_in_place),
        cmocka_unit_test(test_neighbours),
    };
    tester = getpid();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
