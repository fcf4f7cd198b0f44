#define _GNU_SOURCE /* setrlimit, symlink, mkfifo */
#include "base/clock.h"
#include "base/file.h"
#include "base/process.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static char dir[FILE_PATH_MAX];

static const char *in_dir(const char *name)
{
    static char paths[4][FILE_PATH_MAX];
    static unsigned turn;
    char *const path = paths[turn++ % 4];
    assert_true(file_join(dir, name, path, NULL));
    return path;
}

static void holds(const char *path, const char *expected)
{
    size_t size;
    char *const text = file_read(path, 1000, &size, NULL);
    assert_non_null(text);
    assert_string_equal(text, expected);
    assert_int_equal(size, strlen(expected));
    free(text);
}

static size_t entries(const char *path)
{
    struct path_list list = {0};
    size_t count;
    assert_true(path_list_find(&list, path, NULL));
    count = list.count;
    path_list_free(&list);
    return count;
}

static void test_write_and_read(void **state)
{
    struct error error;
    bool existed;
    (void)state;
    assert_true(file_write(in_dir("a"), "one", 3, &error));
    holds(in_dir("a"), "one");
    assert_true(file_write(in_dir("a"), "two", 3, &error));
    holds(in_dir("a"), "two");
    assert_true(file_create(in_dir("a"), "three", 5, &existed, &error) && existed);
    holds(in_dir("a"), "two");
    assert_true(file_create(in_dir("b"), "three", 5, &existed, &error) && !existed);
    holds(in_dir("b"), "three");
    assert_int_equal(entries(dir), 2);
}

static void test_what_is_no_file(void **state)
{
    struct error error;
    size_t size;
    const double start = clock_seconds();
    (void)state;
    assert_int_equal(mkfifo(in_dir("fifo"), 0600), 0);
    assert_null(file_read(in_dir("fifo"), 1000, &size, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.text, "a FIFO"));
    assert_null(file_read("/dev/zero", 1000, &size, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_null(file_read(dir, 1000, &size, &error));
    assert_non_null(strstr(error.text, "a folder"));
    assert_null(file_read(in_dir("nothing"), 1000, &size, &error));
    assert_int_equal(error.detail, ENOENT);
    assert_true(clock_seconds() - start < 5);
    assert_false(path_list_find(&(struct path_list){0}, in_dir("fifo"), &error));
    /* nor is it replaced by one */
    assert_false(file_write(in_dir("fifo"), "", 0, &error) || file_is_writable(in_dir("fifo"), &error));
    assert_non_null(strstr(error.text, "a FIFO"));
    assert_int_equal(mkfifo(in_dir("fifo"), 0600), -1); /* it is there */
    assert_false(file_write(dir, "", 0, &error) || file_is_writable("", &error));
    assert_true(file_is_writable(in_dir("new"), &error) && !file_exists(in_dir("new")));
    unlink(in_dir("fifo"));
}

static void test_too_large(void **state)
{
    struct error error;
    size_t size;
    char *text;
    (void)state;
    assert_true(file_write(in_dir("ten"), "0123456789", 10, NULL));
    assert_null(file_read(in_dir("ten"), 9, &size, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    text = file_read(in_dir("ten"), 10, &size, &error);
    assert_non_null(text);
    free(text);
    unlink(in_dir("ten"));
}

/* A file size limit stands for a full disk: the old content stays, and nothing half written is left. */
static void test_no_space(void **state)
{
    struct error error = {.code = ERROR_NONE};
    const struct rlimit small = {4, RLIM_INFINITY};
    struct rlimit old;
    bool good;
    (void)state;
    assert_true(file_write(in_dir("a"), "old", 3, NULL));
    getrlimit(RLIMIT_FSIZE, &old);
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &small);
    good = file_write(in_dir("a"), "longer than that", 16, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_false(good);
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_int_equal(error.detail, EFBIG);
    holds(in_dir("a"), "old");
    for (const char *at = strrchr(in_dir("a"), '/'); at != NULL; at = NULL)
        assert_int_equal(entries(dir), 2); /* a and b */
}

/* A mapped file has all of its blocks, and its size only with them; one that cannot have them stays as it was. */
static void test_map(void **state)
{
    const struct rlimit small = {4096, RLIM_INFINITY};
    const size_t size = 100000;
    struct rlimit old;
    struct error error;
    struct stat status;
    char *one, *other;
    (void)state;
    assert_null(file_map(in_dir("map"), size, false, &error));
    assert_int_equal(error.detail, ENOENT);
    getrlimit(RLIMIT_FSIZE, &old);
    setrlimit(RLIMIT_FSIZE, &small);
    signal(SIGXFSZ, SIG_IGN);
    one = file_map(in_dir("map"), size, true, &error);
    setrlimit(RLIMIT_FSIZE, &old);
    assert_null(one);
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_true(stat(in_dir("map"), &status) != 0 || status.st_size == 0);
    assert_true(file_write(in_dir("map"), "kept", 4, &error));
    assert_null(file_map(in_dir("map"), size, false, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    one = file_map(in_dir("map"), size, true, &error);
    other = file_map(in_dir("map"), size, false, &error);
    assert_true(one != NULL && other != NULL);
    assert_int_equal(stat(in_dir("map"), &status), 0);
    assert_int_equal(status.st_size, size);
    assert_true((size_t)status.st_blocks * 512 >= size);
    one[size - 1] = 'x';
    assert_int_equal(other[size - 1], 'x');
    assert_memory_equal(other, "kept", 5);
    munmap(one, size);
    munmap(other, size);
    unlink(in_dir("map"));
    assert_int_equal(mkfifo(in_dir("map"), 0600), 0);
    assert_null(file_map(in_dir("map"), size, true, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    unlink(in_dir("map"));
}

/* A symbolic link in a shared folder does not lead a write elsewhere. */
static void test_links_are_not_followed(void **state)
{
    (void)state;
    assert_true(file_write(in_dir("target"), "safe", 4, NULL));
    assert_int_equal(symlink("target", in_dir("link")), 0);
    assert_true(file_write(in_dir("link"), "new", 3, NULL));
    holds(in_dir("target"), "safe");
    holds(in_dir("link"), "new");
    unlink(in_dir("target"));
    unlink(in_dir("link"));
}

/* Of many processes that create one name, exactly one writes. */
static void test_create_at_once(void **state)
{
    pid_t pids[8];
    int wrote = 0;
    (void)state;
    for (int i = 0; i < 8; i++) {
        pids[i] = process_fork(NULL);
        if (pids[i] == 0) {
            char text[2] = {(char)('0' + i), '\0'};
            bool existed = true;
            const bool good = file_create(in_dir("once"), text, 1, &existed, NULL);
            _exit(!good ? 2 : existed ? 1 : 0);
        }
    }
    for (int i = 0; i < 8; i++) {
        const struct process_end end = process_wait(pids[i], clock_seconds() + 10);
        assert_int_equal(end.ending, PROCESS_EXITED);
        assert_in_range(end.number, 0, 1);
        wrote += end.number == 0;
    }
    assert_int_equal(wrote, 1);
    unlink(in_dir("once"));
}

static void test_append_and_text(void **state)
{
    struct file_text text;
    struct error error;
    (void)state;
    assert_true(file_append(in_dir("log"), "a\n", 2, &error) && file_append(in_dir("log"), "b\n", 2, &error));
    holds(in_dir("log"), "a\nb\n");
    assert_true(file_text_begin(&text, &error));
    fprintf(text.stream, "%d", 42);
    assert_true(file_text_end(&text, in_dir("log"), &error));
    holds(in_dir("log"), "42");
    assert_true(file_text_begin(&text, &error));
    assert_false(file_text_end(&text, in_dir("no/folder"), &error));
    assert_int_equal(error.detail, ENOENT);
    assert_false(file_append(in_dir("no/folder"), "", 0, &error));
    unlink(in_dir("log"));
}

static void test_lists(void **state)
{
    struct path_list list = {0};
    struct error error;
    (void)state;
    assert_true(folder_make(in_dir("x/y/z"), NULL));
    assert_true(file_write(in_dir("x/y/z/2"), "", 0, NULL));
    assert_true(file_write(in_dir("x/1"), "", 0, NULL));
    assert_true(file_write(in_dir("x/.hidden"), "", 0, NULL));
    assert_true(path_list_find(&list, in_dir("x//"), NULL));
    assert_int_equal(list.count, 2);
    assert_string_equal(list.paths[0], in_dir("x/1"));
    assert_string_equal(list.paths[1], in_dir("x/y/z/2"));
    assert_int_equal(list.unread, 0);
    path_list_free(&list);
    /* what cannot be read is passed over, whatever comes behind it, and told in one line */
    assert_int_equal(mkfifo(in_dir("x/0"), 0600) | symlink("gone", in_dir("x/y/0")) | symlink("l", in_dir("x/l")), 0);
    assert_false(path_list_find(&list, in_dir("x"), &error));
    assert_int_equal(list.count, 2);
    assert_int_equal(list.unread, 3);
    assert_non_null(strstr(error.text, "3 files or folders of "));
    path_list_free(&list);
    assert_false(folder_make(in_dir("x/1/under"), NULL));
    folder_remove(in_dir("x"));
    assert_false(file_exists(in_dir("x")));
}

static unsigned flushed;

int fsync(int fd) /* in place of the system's */
{
    flushed++;
    return fdatasync(fd);
}

static void test_flush_later(void **state)
{
    (void)state;
    assert_true(file_write(in_dir("now"), "1", 1, NULL));
    assert_true(flushed > 0);
    flushed = 0;
    files_flush_later();
    assert_true(file_write(in_dir("now"), "2", 1, NULL));
    assert_int_equal(flushed, 0);
    holds(in_dir("now"), "2");
    assert_true(files_flush(dir, NULL) && file_write(in_dir("now"), "3", 1, NULL));
    assert_true(flushed > 0);
    unlink(in_dir("now"));
}

/* Ends in the way that the argument says, with a temporary folder whose name it tells. */
static void make_and_end(int out, int number, bool keeps)
{
    char path[FILE_PATH_MAX] = ""; /* all of it goes through the pipe */
    if (!folder_temporary("test", path, NULL) || write(out, path, sizeof path) != (ssize_t)sizeof path)
        _exit(9);
    if (keeps)
        folder_keep(path);
    if (number == 0)
        exit(0);
    raise(number);
}

/* Writes into `path` the temporary folder of a process that has ended so. */
static void end_another(int number, bool keeps, char path[FILE_PATH_MAX])
{
    int ends[2];
    pid_t pid;
    assert_int_equal(pipe(ends), 0);
    pid = process_fork(NULL);
    if (pid == 0)
        make_and_end(ends[1], number, keeps);
    assert_int_equal(read(ends[0], path, FILE_PATH_MAX), FILE_PATH_MAX);
    assert_ptr_equal(strstr(path, dir), path);
    process_wait(pid, clock_seconds() + 10);
    close(ends[0]);
    close(ends[1]);
}

/* A process that asks for a folder sweeps away those of processes that are gone. */
static void let_another_sweep(void)
{
    char path[FILE_PATH_MAX];
    const pid_t pid = process_fork(NULL);
    if (pid == 0)
        _exit(!folder_temporary("test", path, NULL));
    process_wait(pid, clock_seconds() + 10);
}

static void test_temporary_folders_go(void **state)
{
    static const int ways[] = {0, SIGTERM, SIGHUP, SIGINT, SIGKILL};
    (void)state;
    setenv("TMPDIR", dir, 1);
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        char path[FILE_PATH_MAX] = "";
        end_another(ways[i], false, path);
        if (ways[i] == SIGKILL) { /* nobody could remove it: the next who asks for a folder does */
            assert_true(file_exists(path));
            let_another_sweep();
        }
        assert_false(file_exists(path));
    }
    unsetenv("TMPDIR");
}

/* One that is kept outlasts its process, and the sweep of the next one. */
static void test_temporary_folder_is_kept(void **state)
{
    char path[FILE_PATH_MAX] = "";
    (void)state;
    setenv("TMPDIR", dir, 1);
    end_another(0, true, path);
    let_another_sweep();
    assert_true(file_exists(path));
    folder_remove(path);
    unsetenv("TMPDIR");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_write_and_read),
        cmocka_unit_test(test_what_is_no_file),
        cmocka_unit_test(test_too_large),
        cmocka_unit_test(test_no_space),
        cmocka_unit_test(test_map),
        cmocka_unit_test(test_links_are_not_followed),
        cmocka_unit_test(test_create_at_once),
        cmocka_unit_test(test_append_and_text),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_flush_later),
        cmocka_unit_test(test_temporary_folders_go),
        cmocka_unit_test(test_temporary_folder_is_kept),
    };
    int failed;
    if (!folder_temporary("test-file", dir, NULL))
        return 2;
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    folder_remove(dir);
    return failed;
}
