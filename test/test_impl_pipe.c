#define _POSIX_C_SOURCE 200809L

#include "check/checker.h"
#include "check/finding.h"
#include "check/impl/pipe.h"
#include "check/random.h"
#include "warpcheck/bytes.h"
#include "warpcheck_spec.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#define PATIENT_MS 20000u
#define CASES      1500u

static char error[512];
static struct error opening;
static struct checker checker;

static const struct warp_impl *open_peer(const char *mode, unsigned timeout_ms)
{
    char command[1024];
    const struct warp_impl *impl;
    snprintf(command, sizeof command, "%s %s", PIPE_PEER, mode);
    impl = pipe_open(command, timeout_ms, &opening);
    if (impl == NULL)
        fail_msg("%s", opening.text);
    return impl;
}

static struct warp_case *random_cases(uint32_t families)
{
    struct warp_case *cases = calloc(CASES, sizeof *cases);
    assert_non_null(cases);
    for (unsigned i = 0; i < CASES; i++)
        random_case(12, i, families, &cases[i]);
    return cases;
}

/* The same without those that were there before. */
static struct warp_case *different_cases(uint32_t families)
{
    struct warp_case *cases = random_cases(families);
    unsigned n = 0;
    for (unsigned i = 0; i < CASES; i++) {
        bool seen = false;
        for (unsigned k = 0; k < n; k++)
            seen = seen || memcmp(&cases[k], &cases[i], sizeof *cases) == 0;
        if (!seen)
            cases[n++] = cases[i];
    }
    assert_true(n >= 200);
    return cases;
}

/* Checks the peer against the transcription. */
static bool check_peer(const char *mode, unsigned timeout_ms, uint32_t families)
{
    const struct warp_impl *impl = open_peer(mode, timeout_ms);
    struct warp_case *cases = random_cases(families);
    bool ok;
    checker_init(&checker, spec_get(), impl, NULL, NULL);
    ok = checker_run(&checker, cases, CASES);
    free(cases);
    impl->close(impl->state);
    return ok;
}

static void expect_failure(const char *mode, unsigned timeout_ms, const char *part)
{
    assert_false(check_peer(mode, timeout_ms, WARP_FAMILY_ALL));
    if (strstr(checker.error.text, part) == NULL)
        fail_msg("%s: expected `%s` in `%s`", mode, part, checker.error.text);
    assert_null(strchr(checker.error.text, '\n'));
    assert_int_equal(strncmp(checker.error.text, "pipe: ", 6), 0);
}

/* Whatever the test did, no child is left. */
static int no_children(void **state)
{
    (void)state;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
    return 0;
}

static void expect_all_compared(void)
{
    assert_string_equal(checker.error.text, "");
    assert_int_equal(checker_total(&checker).cases, CASES);
    assert_int_equal(checker_total(&checker).compared, CASES);
    assert_int_equal(checker_total(&checker).mismatches, 0);
}

static void test_good(void **state)
{
    (void)state;
    assert_true(check_peer("good", PATIENT_MS, WARP_FAMILY_ALL));
    expect_all_compared();
    assert_true(check_peer("repeat", PATIENT_MS, WARP_FAMILY_ALL));
    expect_all_compared();
}

/* Parts that are left out are not compared; the first answers settle it. */
static void test_parts(void **state)
{
    const struct warp_impl *impl = open_peer("d-and-p", PATIENT_MS);
    struct warp_case *cases = random_cases(WARP_FAMILY_BIT(WARP_SHFL_SYNC));
    (void)state;
    checker_init(&checker, spec_get(), impl, NULL, NULL);
    assert_true(checker_run(&checker, cases, CASES));
    assert_int_equal(impl->provides & (WARP_PART_D | WARP_PART_P), WARP_PART_D | WARP_PART_P);
    assert_int_equal(impl->provides & (WARP_PART_OUTCOME | WARP_PART_D_DEFINED), 0);
    assert_int_equal(checker_total(&checker).mismatches, 0);
    free(cases);
    impl->close(impl->state);
}

static void test_part_lost(void **state)
{
    (void)state;
    assert_false(check_peer("loses-p", PATIENT_MS, WARP_FAMILY_BIT(WARP_VOTE)));
    assert_non_null(strstr(checker.error.text, "leaves out a part"));
}

static void test_mismatch(void **state)
{
    (void)state;
    assert_true(check_peer("wide", PATIENT_MS, WARP_FAMILY_BIT(WARP_SHFL_SYNC)));
    assert_true(checker_total(&checker).mismatches > 10);
}

static void test_refusals(void **state)
{
    (void)state;
    assert_true(check_peer("refuse-vote", PATIENT_MS, WARP_FAMILY_ALL));
    const uint64_t votes = checker_family(&checker, WARP_VOTE).cases + checker_family(&checker, WARP_VOTE_SYNC).cases;
    assert_true(votes > 100);
    assert_int_equal(checker_total(&checker).compared, CASES - votes);
    assert_int_equal(checker.reasons_count, 1);
    assert_string_equal(checker.reasons[0].why, "pipe: no vote here");
    assert_int_equal(checker.reasons[0].cases, votes);
}

/* A form that was trusted is refused in the middle of a batch. */
static void test_late_refusals(void **state)
{
    (void)state;
    assert_true(check_peer("refuse-later", PATIENT_MS, WARP_FAMILY_BIT(WARP_ACTIVEMASK)));
    assert_int_equal(checker.reasons_count, 1);
    assert_string_equal(checker.reasons[0].why, "pipe: tired");
    assert_true(checker.reasons[0].cases >= 10);
    assert_int_equal(checker_total(&checker).compared + checker.reasons[0].cases, CASES);
    assert_int_equal(checker_total(&checker).mismatches, 0);
}

/* What it was asked, in order, since it was started: for mistakes that depend on it. */
static void test_history(void **state)
{
    const struct warp_impl *impl = open_peer("good", PATIENT_MS);
    struct warp_case *const cases = different_cases(WARP_FAMILY_ALL);
    struct warp_case *const asked = malloc(IMPL_HISTORY_MAX * sizeof *asked);
    struct warp_result *const results = malloc(IMPL_HISTORY_MAX * sizeof *results);
    struct error why;
    (void)state;
    assert_true(asked != NULL && results != NULL);
    assert_int_equal(pipe_history(impl, asked), 0);
    assert_true(finding_ask(impl, cases, 200, results));
    assert_int_equal(pipe_history(impl, asked), 200); /* each once */
    assert_memory_equal(asked, cases, 200 * sizeof *cases);
    for (size_t done = 200; done < 200 + IMPL_HISTORY_MAX; done += 128)
        assert_true(finding_ask(impl, cases + done % 512, 128, results));
    assert_int_equal(pipe_history(impl, asked), IMPL_HISTORY_MAX);
    assert_true(pipe_restart(impl, &why));
    assert_int_equal(pipe_history(impl, asked), 0);
    assert_int_equal(pipe_history(spec_get(), asked), 0);
    free(cases);
    free(asked);
    free(results);
    impl->close(impl->state);
}

static void test_accepts(void **state)
{
    const struct warp_impl *impl = open_peer("refuse-vote", PATIENT_MS);
    struct warp_case c;
    char why[64] = "";
    (void)state;
    warp_case_init(&c, WARP_VOTE_SYNC_ALL_PRED);
    assert_false(impl->accepts(impl->state, &c, why, sizeof why));
    assert_string_equal(why, "no vote here");
    assert_false(impl->accepts(impl->state, &c, NULL, 0));
    impl->close(impl->state);
}

/* The same case again and again is asked again and again: an answer that is remembered would hide one that changes. */
static void test_nothing_is_remembered(void **state)
{
    const struct warp_impl *impl = open_peer("counts", PATIENT_MS);
    struct warp_result result;
    struct warp_case c;
    (void)state;
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    for (unsigned i = 1; i < 200; i++) { /* also once the process is trusted */
        assert_true(impl->accepts(impl->state, &c, NULL, 0));
        assert_true(impl->eval(impl->state, &c, 1, &result, error, sizeof error));
        assert_int_equal(result.d[31], i);
    }
    impl->close(impl->state);
}

/* A batch far larger than what the pipes hold, unasked before: neither side waits for the other. */
static void test_large_batch(void **state)
{
    const struct warp_impl *impl = open_peer("repeat", PATIENT_MS);
    struct warp_case *cases = random_cases(WARP_FAMILY_ALL);
    struct warp_result *results = calloc(CASES, sizeof *results);
    struct warp_result expected;
    (void)state;
    assert_non_null(results);
    assert_true(impl->eval(impl->state, cases, CASES, results, error, sizeof error));
    for (unsigned i = 0; i < CASES; i++) {
        assert_true(spec_get()->eval(spec_get()->state, &cases[i], 1, &expected, error, sizeof error));
        assert_true(warp_result_compare(&cases[i], &expected, &results[i], WARP_PART_ALL, NULL));
    }
    free(results);
    free(cases);
    impl->close(impl->state);
}

static void test_bad_answers(void **state)
{
    (void)state;
    expect_failure("garbage", PATIENT_MS,
                   "an answer is `=> result` or `not accepted: why`; the answer was `segmentation");
    expect_failure("bad-part", PATIENT_MS, "unknown part");
    expect_failure("other-case", PATIENT_MS, "it answers another case than the one asked");
    expect_failure("twice", PATIENT_MS, "");
    expect_failure("endless", PATIENT_MS, "more than 65536 bytes");
}

static void test_dead(void **state)
{
    (void)state;
    expect_failure("dies", PATIENT_MS, "the process ended with status 9 before it answered");
    expect_failure("aborts", PATIENT_MS, "the process was ended by signal 6 before it answered");
    expect_failure("silent", 100, "no answer within 100 ms");
}

static void test_no_command(void **state)
{
    const struct warp_impl *impl = pipe_open("/nonexistent/program 2>/dev/null", PATIENT_MS, &opening);
    struct warp_result result;
    struct warp_case c;
    (void)state;
    assert_non_null(impl); /* the shell is there: its answer tells */
    warp_case_init(&c, WARP_ACTIVEMASK_B32);
    assert_true(impl->accepts(impl->state, &c, NULL, 0)); /* a failure is no refusal */
    assert_false(impl->eval(impl->state, &c, 1, &result, error, sizeof error));
    assert_non_null(strstr(error, "its command was not found"));
    assert_false(impl->eval(impl->state, &c, 1, &result, error, sizeof error)); /* it stays so */
    impl->close(impl->state);
}

/* A process that does not end when its input does is ended, with what it started. */
static void test_stubborn(void **state)
{
    const struct warp_impl *impl =
        pipe_open("trap '' TERM HUP PIPE; sleep 1000 & sleep 1000; true", PATIENT_MS, &opening);
    (void)state;
    assert_non_null(impl);
    impl->close(impl->state);
}

/* The rules for SIGPIPE are the caller's: a process that ended does not end this one, and they are as before. */
static void test_broken_pipe(void **state)
{
    const struct warp_impl *impl = pipe_open("exec 0<&-; sleep 0.2; exit 4", PATIENT_MS, &opening);
    struct warp_case *cases = random_cases(WARP_FAMILY_ALL);
    struct warp_result *results = calloc(CASES, sizeof *results);
    struct sigaction action;
    sigset_t blocked, pending;
    (void)state;
    assert_non_null(results);
    assert_false(impl->eval(impl->state, cases, CASES, results, error, sizeof error));
    assert_non_null(strstr(error, "the process ended with status 4"));
    sigaction(SIGPIPE, NULL, &action);
    assert_true(action.sa_handler == SIG_DFL);
    sigprocmask(SIG_BLOCK, NULL, &blocked);
    assert_int_equal(sigismember(&blocked, SIGPIPE), 0);
    sigpending(&pending);
    assert_int_equal(sigismember(&pending, SIGPIPE), 0);
    free(results);
    free(cases);
    impl->close(impl->state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_good, no_children),
        cmocka_unit_test_teardown(test_parts, no_children),
        cmocka_unit_test_teardown(test_part_lost, no_children),
        cmocka_unit_test_teardown(test_mismatch, no_children),
        cmocka_unit_test_teardown(test_refusals, no_children),
        cmocka_unit_test_teardown(test_late_refusals, no_children),
        cmocka_unit_test_teardown(test_history, no_children),
        cmocka_unit_test_teardown(test_accepts, no_children),
        cmocka_unit_test_teardown(test_nothing_is_remembered, no_children),
        cmocka_unit_test_teardown(test_large_batch, no_children),
        cmocka_unit_test_teardown(test_bad_answers, no_children),
        cmocka_unit_test_teardown(test_dead, no_children),
        cmocka_unit_test_teardown(test_no_command, no_children),
        cmocka_unit_test_teardown(test_stubborn, no_children),
        cmocka_unit_test_teardown(test_broken_pipe, no_children),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
