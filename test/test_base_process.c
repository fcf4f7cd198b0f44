#define _GNU_SOURCE /* pipe2 */
#include "base/clock.h"
#include "base/pool.h"
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static bool run(const char *const *argv, double seconds, char *out, size_t size, struct error *error)
{
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL};
    return process_run(&plan, seconds, out, size, error);
}

static void test_output(void **state)
{
    const struct process_variable variables[] = {{"WORD", "there"}};
    const char *const argv[] = {"sh", "-c", "echo hello $WORD; pwd; echo err >&2", NULL};
    const struct process_plan plan = {
        .argv = argv, .folder = "/", .variables = variables, .variables_count = 1, .in = PROCESS_NULL};
    char out[64], cut[4];
    (void)state;
    assert_true(process_run(&plan, 10, out, sizeof out, NULL));
    assert_string_equal(out, "hello there\n/\nerr\n");
    assert_true(process_run(&plan, 10, cut, sizeof cut, NULL));
    assert_string_equal(cut, "hel");
}

static void test_endings(void **state)
{
    struct error error;
    const double start = clock_seconds();
    (void)state;
    assert_false(run((const char *const[]){"sh", "-c", "exit 3", NULL}, 10, NULL, 0, &error));
    assert_int_equal(error.code, ERROR_EXIT);
    assert_int_equal(error.detail, 3);
    assert_string_equal(error.text, "sh: ended with status 3");
    assert_false(run((const char *const[]){"sh", "-c", "kill -SEGV $$", NULL}, 10, NULL, 0, &error));
    assert_int_equal(error.code, ERROR_CRASH);
    assert_int_equal(error.detail, SIGSEGV);
    assert_string_equal(error.text, "sh: was ended by SIGSEGV");
    assert_false(run((const char *const[]){"sleep", "100", NULL}, 0.2, NULL, 0, &error));
    assert_int_equal(error.code, ERROR_TIMEOUT);
    assert_false(run((const char *const[]){"sh", "-c", "sleep 100 & sleep 100", NULL}, 0.2, NULL, 0,
                     &error)); /* the group goes */
    assert_false(run((const char *const[]){"/nothing/there", NULL}, 10, NULL, 0, &error));
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_int_equal(error.detail, ENOENT);
    assert_true(clock_seconds() - start < 20);
}

/* The end of what can be read: nobody holds the other side any more. */
static bool ends_within(int fd, int seconds)
{
    struct pollfd p = {fd, POLLIN, 0};
    char byte;
    return poll(&p, 1, seconds * 1000) == 1 && read(fd, &byte, 1) == 0;
}

/* Starts it in a process that a signal then ends; true when soon nobody has what was its output. */
static bool ends_with_parent(const char *const *argv, bool whole, int number)
{
    int ends[2];
    char bytes[8];
    pid_t parent;
    struct process_end end;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    parent = process_fork(NULL);
    if (parent == 0) {
        const struct process_plan plan = {
            .argv = argv, .in = PROCESS_NULL, .out = ends[1], .err = PROCESS_NULL, .whole = whole};
        _exit(process_start(&plan, NULL) > 0 && pause() ? 0 : 1);
    }
    close(ends[1]);
    assert_true(read(ends[0], bytes, sizeof bytes) > 0); /* it has begun */
    kill(parent, number);
    end = process_wait(parent, INFINITY);
    assert_int_equal(end.number, number);
    const bool ended = ends_within(ends[0], 60);
    close(ends[0]);
    return ended;
}

/* A parent that is killed takes its child along, and where that is wanted, all that this has started. */
static void test_dies_with_parent(void **state)
{
    static const char *const one[] = {"sh", "-c", "echo; exec sleep 100", NULL};
    static const char *const many[] = {"sh", "-c", "setsid sleep 100 & (sleep 100 & sleep 100) & echo; sleep 100; true",
                                       NULL};
    static const int numbers[] = {SIGKILL, SIGTERM, SIGHUP, SIGINT};
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        assert_true(ends_with_parent(one, false, numbers[i]));
        assert_true(ends_with_parent(one, true, numbers[i]));
        assert_true(ends_with_parent(many, true, numbers[i]));
    }
}

/* What is kept whole ends as its program does, and takes along what that leaves. */
static void test_whole(void **state)
{
    static const struct {
        const char *command;
        struct process_end end;
    } ways[] = {{"setsid sleep 100 & exit 7", {PROCESS_EXITED, 7}},
                {"sleep 100 & kill -SEGV $$", {PROCESS_SIGNALED, SIGSEGV}},
                {"sleep 100 & kill -KILL $$", {PROCESS_SIGNALED, SIGKILL}},
                {"cat", {PROCESS_EXITED, 0}}};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        const char *const argv[] = {"sh", "-c", ways[i].command, NULL};
        int ends[2];
        assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
        const struct process_plan plan = {
            .argv = argv, .in = PROCESS_NULL, .out = ends[1], .err = PROCESS_NULL, .whole = true};
        const pid_t pid = process_start(&plan, NULL);
        assert_true(pid > 0);
        close(ends[1]);
        const struct process_end end = process_wait(pid, INFINITY);
        assert_int_equal(end.ending, ways[i].end.ending);
        assert_int_equal(end.number, ways[i].end.number);
        assert_true(ends_within(ends[0], 60));
        close(ends[0]);
    }
}

/* Descriptors 0 to 2 of the parent may be given in any order. */
static void test_streams(void **state)
{
    const char *const argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
    int out[2], err[2];
    char text[16] = "";
    (void)state;
    assert_int_equal(pipe2(out, O_CLOEXEC), 0);
    assert_int_equal(pipe2(err, O_CLOEXEC), 0);
    const struct process_plan plan = {.argv = argv, .in = PROCESS_NULL, .out = out[1], .err = err[1]};
    const pid_t pid = process_start(&plan, NULL);
    assert_true(pid > 0);
    assert_int_equal(process_wait(pid, clock_seconds() + 10).number, 0);
    assert_int_equal(read(out[0], text, sizeof text), 4);
    assert_memory_equal(text, "out\n", 4);
    assert_int_equal(read(err[0], text, sizeof text), 4);
    assert_memory_equal(text, "err\n", 4);
    for (int i = 0; i < 2; i++) {
        close(out[i]);
        close(err[i]);
    }
}

struct seen {
    size_t began, ended;
    enum error_code codes[8];
};

static void work(void *context, size_t i, void *result)
{
    (void)context;
    if (i == 1)
        raise(SIGABRT);
    if (i == 2)
        _exit(4);
    while (i == 3)
        pause();
    *(size_t *)result = i * i;
}

static void began(void *context, size_t i)
{
    (void)i;
    ((struct seen *)context)->began++;
}

static void ended(void *context, size_t i, const struct error *error)
{
    struct seen *const seen = context;
    seen->ended++;
    seen->codes[i] = error != NULL ? error->code : ERROR_NONE;
}

static void test_pool(void **state)
{
    struct seen seen = {0};
    size_t results[8] = {0};
    struct pool pool = {.n = 8,
                        .jobs = 3,
                        .size = sizeof results[0],
                        .results = results,
                        .limit_s = 0.5,
                        .context = &seen,
                        .work = work,
                        .began = began,
                        .ended = ended};
    (void)state;
    assert_true(pool_run(&pool, NULL));
    assert_int_equal(seen.began, 8);
    assert_int_equal(seen.ended, 8);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(seen.codes[i], i == 1   ? ERROR_CRASH
                                        : i == 2 ? ERROR_EXIT
                                        : i == 3 ? ERROR_TIMEOUT
                                                 : ERROR_NONE);
        assert_int_equal(results[i], i >= 1 && i <= 3 ? 0 : i * i);
    }
}

static void turn(void *context, size_t i, void *result)
{
    volatile size_t turns = 0;
    (void)context;
    while (i == 1)
        turns++;
    *(size_t *)result = i;
}

static void test_pool_processor_time(void **state)
{
    struct seen seen = {0};
    size_t results[3] = {0};
    struct pool pool = {.n = 3,
                        .jobs = 1,
                        .size = sizeof results[0],
                        .results = results,
                        .cpu_s = 1,
                        .context = &seen,
                        .work = turn,
                        .ended = ended};
    (void)state;
    assert_true(pool_run(&pool, NULL));
    assert_int_equal(seen.ended, 3);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(seen.codes[i], i == 1 ? ERROR_TIMEOUT : ERROR_NONE);
}

static void tell_process(void *context, size_t i, void *result)
{
    (void)context;
    if (i == 2)
        raise(SIGABRT);
    *(pid_t *)result = getpid();
}

static bool not_yet(const void *result)
{
    return *(const pid_t *)result != 0;
}

/* One process does piece after piece until one of them ends it; the next has another process. */
static void test_pool_again(void **state)
{
    struct seen seen = {0};
    pid_t results[5] = {0};
    struct pool pool = {.n = 5,
                        .jobs = 1,
                        .size = sizeof results[0],
                        .results = results,
                        .context = &seen,
                        .work = tell_process,
                        .again = not_yet,
                        .began = began,
                        .ended = ended};
    (void)state;
    assert_true(pool_run(&pool, NULL));
    assert_int_equal(seen.ended, 5);
    assert_int_equal(results[0], results[1]);
    assert_int_equal(seen.codes[2], ERROR_CRASH);
    assert_int_equal(results[2], 0);
    assert_int_equal(results[3], results[4]);
    assert_int_not_equal(results[0], results[3]);
}

static void kill_whole(void *context, size_t i, void *result)
{
    int ends[2];
    char there = 0;
    pid_t pid;
    (void)context;
    (void)i;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return;
    pid = process_fork_whole(NULL);
    while (pid == 0)
        if (write(ends[1], "x", 1) == 1)
            pause();
    *(size_t *)result = read(ends[0], &there, 1) == 1;
    process_kill(pid);
}

/* What is killed is reaped, also the program behind its keeper: a long run collects no dead processes. */
static void test_pool_reaps(void **state)
{
    struct seen seen = {0};
    size_t results[6] = {0};
    struct pool pool = {.n = 6,
                        .jobs = 2,
                        .size = sizeof results[0],
                        .results = results,
                        .context = &seen,
                        .work = kill_whole,
                        .ended = ended};
    (void)state;
    processes_keep();
    assert_true(pool_run(&pool, NULL));
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(results[i], 1);
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_endings),
        cmocka_unit_test(test_dies_with_parent),
        cmocka_unit_test(test_whole),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_pool),
        cmocka_unit_test(test_pool_processor_time),
        cmocka_unit_test(test_pool_again),
        cmocka_unit_test(test_pool_reaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
