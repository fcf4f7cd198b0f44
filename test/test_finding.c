#define _GNU_SOURCE /* mkdtemp, utimensat */

#include "check/finding.h"
#include "check_fakes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

static bool lane_five(const struct warp_case *c)
{
    return (c->active >> 5 & 1u) != 0;
}

static unsigned only_lane;
static bool lane_only(const struct warp_case *c)
{
    return (c->active >> only_lane & 1u) != 0;
}

static struct fake right_state, wrong_state = {.wrong = lane_five};
static struct warp_impl right_impl, wrong_impl;

static void make_case(struct warp_case *c, enum warp_form form, uint32_t dst)
{
    warp_case_init(c, form);
    c->dst = dst;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->a[lane] = warp_form_get(form)->type == WARP_NO_SOURCE ? 0
                     : warp_form_get(form)->type == WARP_PRED    ? lane & 1u
                                                                 : 100 + lane;
}

static void make_finding(struct finding *f, enum warp_form form, uint32_t dst)
{
    struct warp_case c;
    right_impl = fake_impl("right", &right_state);
    wrong_impl = fake_impl("wrong", &wrong_state);
    make_case(&c, form, dst);
    assert_true(finding_make(f, &right_impl, &wrong_impl, &c));
}

static void test_make(void **state)
{
    struct finding f;
    struct warp_case c;
    (void)state;
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_int_equal(f.diff.d, UINT32_MAX);
    assert_int_equal(f.diff.p, UINT32_MAX);
    assert_int_equal(f.diff.outcome, 0);
    assert_int_equal(f.parts, WARP_PART_ALL);
    assert_string_equal(f.reference_name, "right");
    assert_string_equal(f.observed_name, "wrong");
    c = f.c;
    c.active &= ~(1u << 5);
    assert_false(finding_make(&f, &right_impl, &wrong_impl, &c)); /* they agree */
    c.active |= 1u << 5;
    wrong_state.fails = true;
    assert_false(finding_make(&f, &right_impl, &wrong_impl, &c)); /* no answer is no mismatch */
    wrong_state.fails = false;
    wrong_state.refuses = lane_five;
    assert_false(finding_make(&f, &right_impl, &wrong_impl, &c));
    wrong_state.refuses = NULL;
}

/* For every form: the line is read back to the same case and the observed result. */
static void test_line(void **state)
{
    static char line[FINDING_LINE_MAX];
    static struct warp_text text;
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        for (uint32_t dst = 0; dst < WARP_DST_COUNT; dst++) {
            struct warp_text_error error;
            struct finding f;
            size_t length;
            if (!(warp_form_get(form)->destinations >> dst & 1u))
                continue;
            make_finding(&f, (enum warp_form)form, dst);
            length = finding_line(&f, line, sizeof line);
            assert_int_equal(length, strlen(line));
            if (!warp_text_parse(line, length, &text, &error))
                fail_msg("%s\ncolumn %zu: %s", line, error.column, error.what);
            assert_memory_equal(&text.c, &f.c, sizeof f.c);
            assert_true(text.has_result);
            assert_int_equal(text.parts, WARP_PART_ALL);
            assert_memory_equal(&text.result, &f.observed, sizeof f.observed);
            assert_non_null(strstr(line, " expected d="));
            assert_non_null(strstr(line, " [wrong against right, lanes 0-31]"));
            assert_null(strchr(line, '\n'));
        }
}

static void test_line_is_cut(void **state)
{
    char full[FINDING_LINE_MAX], cut[64];
    struct finding f;
    (void)state;
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_int_equal(finding_line(&f, cut, sizeof cut), finding_line(&f, full, sizeof full));
    assert_int_equal(strlen(cut), sizeof cut - 1);
    assert_memory_equal(cut, full, sizeof cut - 1);
}

static void test_line_names_lanes(void **state)
{
    char line[FINDING_LINE_MAX];
    struct finding f;
    (void)state;
    make_finding(&f, WARP_REDUX_SYNC_ADD_U32, WARP_DST_D);
    f.diff.d = 0x8000001bu; /* 0, 1, 3, 4, 31 */
    finding_line(&f, line, sizeof line);
    assert_non_null(strstr(line, "[wrong against right, lanes 0-1,3-4,31]"));
    f.diff.d = 0x8;
    finding_line(&f, line, sizeof line);
    assert_non_null(strstr(line, "[wrong against right, lane 3]"));
}

static void expect_signature(const struct finding *f, const char *expected)
{
    char signature[FINDING_SIGNATURE_MAX];
    finding_signature(f, signature);
    assert_string_equal(signature, expected);
}

/* What one defect changes in many forms has one signature, and a kind for each form. */
static void test_one_signature_for_all_forms(void **state)
{
    static const uint32_t shfl[] = {WARP_SHFL_SYNC_UP_B32, WARP_SHFL_SYNC_DOWN_B32, WARP_SHFL_SYNC_BFLY_B32,
                                    WARP_SHFL_SYNC_IDX_B32};
    char kind[FINDING_SIGNATURE_MAX], before[FINDING_SIGNATURE_MAX] = "";
    struct finding f;
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        make_finding(&f, (enum warp_form)shfl[i], WARP_DST_D);
        expect_signature(&f, "shfl.sync-d");
        finding_class(&f, kind);
        assert_string_not_equal(kind, before);
        memcpy(before, kind, sizeof before);
    }
    make_finding(&f, WARP_SHFL_UP_B32, WARP_DST_D);
    expect_signature(&f, "shfl-d");
    make_finding(&f, WARP_MATCH_ANY_SYNC_B64, WARP_DST_D);
    expect_signature(&f, "match.any.sync-d");
    make_finding(&f, WARP_MATCH_ALL_SYNC_B32, WARP_DST_D);
    expect_signature(&f, "match.all.sync-d");
    make_finding(&f, WARP_REDUX_SYNC_MIN_S32, WARP_DST_D);
    expect_signature(&f, "redux.sync-d");
    finding_form(&f, kind);
    assert_string_equal(kind, "redux.sync.min.s32");
}

static void test_signature(void **state)
{
    struct finding f;
    (void)state;
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    expect_signature(&f, "shfl.sync-d");
    f.diff.d = 0;
    expect_signature(&f, "shfl.sync-p");
    f.c.b[3] = 32;
    f.c.c[3] = 0x80000000u;
    expect_signature(&f, "shfl.sync-p-high.b-high.c");
    f.c.c[3] = 0x1c00;
    f.c.membermask[7] = 0x80;
    expect_signature(&f, "shfl.sync-p-groups-high.b-segment");
    f.c.active = 0x80; /* what inactive lanes hold says nothing */
    expect_signature(&f, "shfl.sync-p");
    make_finding(&f, WARP_REDUX_SYNC_MIN_ABS_NAN_F32, WARP_DST_D);
    expect_signature(&f, "redux.sync.f32-d");
    f.c.a[0] = 0x7fc00000u;
    f.c.exited = 1u << 9;
    f.diff.outcome = 1;
    f.reference.waiting = 1;
    expect_signature(&f, "redux.sync.f32-outcome-waiting-exited-nan");
    make_finding(&f, WARP_VOTE_UNI_PRED, WARP_DST_D);
    f.c.negate = 1;
    expect_signature(&f, "vote-p-negated");
}

/* The longest one has room, and all are fit for file names. */
static void test_signature_characters(void **state)
{
    char signature[FINDING_SIGNATURE_MAX];
    (void)state;
    for (uint32_t form = 0; form < WARP_FORMS; form++) {
        struct finding f;
        make_finding(&f, (enum warp_form)form, warp_form_get(form)->destinations & 1u ? WARP_DST_D : WARP_DST_D_P);
        f.diff.outcome = UINT32_MAX;
        f.reference.waiting = f.reference.undefined = UINT32_MAX;
        f.c.exited = 1u << 9;
        f.c.membermask[0] = 1;
        if (warp_form_get(form)->type == WARP_PRED)
            f.c.negate = 1;
        if (warp_form_get(form)->type == WARP_F32)
            f.c.a[0] = 0x7fc00000u;
        if (warp_form_is_shfl(warp_form_get(form)))
            f.c.b[0] = f.c.c[0] = UINT32_MAX;
        finding_class(&f, signature);
        assert_true(strlen(signature) < FINDING_SIGNATURE_MAX - 1);
        assert_int_equal(strspn(signature, "abcdefghijklmnopqrstuvwxyz0123456789.-"), strlen(signature));
        finding_signature(&f, signature);
        assert_true(strlen(signature) < FINDING_SIGNATURE_MAX - 1);
        assert_int_equal(strspn(signature, "abcdefghijklmnopqrstuvwxyz0123456789.-"), strlen(signature));
    }
}

static char *read_text(const char *dir, const char *name)
{
    static char text[2 * FINDING_LINE_MAX];
    char path[FILE_PATH_MAX + 32];
    FILE *file;
    snprintf(path, sizeof path, "%s/%s", dir, name);
    file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static void remove_finding(const char *path)
{
    static const char *const names[] = {"case.txt", "finding.txt", "verdict.txt"};
    char name[FILE_PATH_MAX + 32];
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        assert_int_equal(unlink(name), 0);
    }
    assert_int_equal(rmdir(path), 0); /* nothing else is left behind */
}

static struct finding_kept kept;
static struct error error;

/* `pair`: the implementations, or NULL. */
static bool keep(const struct finding *f, const char *dir, struct finding_pair *pair)
{
    return finding_keep(f, dir, pair != NULL ? finding_pair_shows : NULL, pair, &kept, &error);
}

static void test_write(void **state)
{
    static struct warp_text text;
    struct warp_text_error text_error;
    char base[] = "/tmp/warpcheck-test-XXXXXX";
    char dir[64], expected[512];
    struct finding f;
    const char *content;
    (void)state;
    assert_non_null(mkdtemp(base));
    snprintf(dir, sizeof dir, "%s/new/crashes", base);
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_true(keep(&f, dir, NULL));
    assert_false(kept.existed);
    snprintf(expected, sizeof expected, "%s/shfl.sync-d", dir);
    assert_string_equal(kept.path, expected);
    content = read_text(kept.path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_memory_equal(&text.c, &f.c, sizeof f.c);
    assert_memory_equal(&text.result, &f.reference, sizeof f.reference);
    content = read_text(kept.path, "finding.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_memory_equal(&text.result, &f.observed, sizeof f.observed);
    content = read_text(kept.path, "verdict.txt");
    assert_non_null(strstr(content, "\nstatus: open\n"));
    assert_non_null(strstr(content, "\nby:\n"));
    assert_non_null(strstr(content, "\nwhy:\n"));
    /* the same kind again, from another case: the first stays */
    f.c.a[0] = 77;
    assert_true(keep(&f, dir, NULL));
    assert_true(kept.existed);
    content = read_text(kept.path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_int_equal(text.c.a[0], 100);
    /* another form of it: its case is added, once, and the first still stays */
    for (uint32_t i = 0; i < 2; i++) {
        make_finding(&f, WARP_SHFL_SYNC_DOWN_B32, WARP_DST_D_P);
        f.c.a[0] = 100 + i;
        assert_true(keep(&f, dir, NULL));
        assert_true(kept.existed);
        content = read_text(kept.path, "also-shfl.sync.down.txt");
        assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
        assert_int_equal(text.c.form, WARP_SHFL_SYNC_DOWN_B32);
        assert_int_equal(text.c.a[0], 100);
    }
    content = read_text(kept.path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_int_equal(text.c.form, WARP_SHFL_SYNC_UP_B32);
    snprintf(expected, sizeof expected, "%.400s/also-shfl.sync.down.txt", kept.path);
    assert_int_equal(unlink(expected), 0);
    remove_finding(kept.path);
    assert_int_equal(rmdir(dir), 0);
    snprintf(dir, sizeof dir, "%s/new", base);
    assert_int_equal(rmdir(dir), 0);
    assert_int_equal(rmdir(base), 0);
}

static bool lane_six(const struct warp_case *c)
{
    return (c->active >> 6 & 1u) != 0;
}

/* A known signature whose kept case agrees by now is another defect: it gets a folder beside the first one, once. */
static void test_write_beside(void **state)
{
    static struct warp_text text;
    struct warp_text_error text_error;
    char base[] = "/tmp/warpcheck-test-XXXXXX";
    char expected[512];
    const char *content;
    struct finding_pair pair = {&right_impl, &wrong_impl};
    struct finding f;
    struct warp_case c;
    (void)state;
    assert_non_null(mkdtemp(base));
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    c = f.c;
    c.active = c.membermask[5] = 1u << 5; /* only lane 5 */
    c.exited = ~c.active;
    assert_true(finding_make(&f, &right_impl, &wrong_impl, &c));
    for (int times = 0; times < 2; times++) {
        assert_true(keep(&f, base, &pair));
        assert_int_equal(kept.existed, times);
    }
    wrong_state.wrong = lane_six; /* mended, and another one made */
    c.active = c.membermask[6] = 1u << 6;
    c.exited = ~c.active;
    assert_true(finding_make(&f, &right_impl, &wrong_impl, &c));
    snprintf(expected, sizeof expected, "%.400s.2", kept.path);
    for (int times = 0; times < 2; times++) {
        assert_true(keep(&f, base, &pair));
        assert_int_equal(kept.existed, times);
        assert_string_equal(kept.path, expected);
    }
    content = read_text(kept.path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_memory_equal(&text.c, &f.c, sizeof f.c);
    wrong_state.wrong = lane_five;
    remove_finding(kept.path);
    kept.path[strlen(kept.path) - 2] = '\0';
    remove_finding(kept.path);
    assert_int_equal(rmdir(base), 0);
}

/* Where nothing can be written: one clear line, and nothing half done. Below a regular file not even root can write. */
static void test_unwritable(void **state)
{
    char file[] = "/tmp/warpcheck-test-XXXXXX";
    char dir[64];
    struct finding f;
    const int fd = mkstemp(file);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    snprintf(dir, sizeof dir, "%s/crashes", file);
    assert_false(keep(&f, dir, NULL));
    assert_non_null(strstr(error.text, dir));
    assert_non_null(strstr(error.text, "Not a directory"));
    assert_null(strchr(error.text, '\n'));
    assert_false(keep(&f, file, NULL));
    assert_non_null(strstr(error.text, "Not a directory"));
    unlink(file);
}

static size_t entries_in(const char *dir)
{
    DIR *folder = opendir(dir);
    const struct dirent *entry;
    size_t count = 0;
    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(folder);
    return count;
}

/* No room for one of its files, whichever: the folder of the finding does not appear, and the unfinished one goes. */
static void test_no_room(void **state)
{
    char base[] = "/tmp/warpcheck-test-XXXXXX";
    struct rlimit before, limit;
    struct finding f;
    (void)state;
    assert_non_null(mkdtemp(base));
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = before;
    signal(SIGXFSZ, SIG_IGN);
    for (limit.rlim_cur = 0; limit.rlim_cur < 4000; limit.rlim_cur += 333) {
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
        const bool good = keep(&f, base, NULL);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        if (good)
            break;
        assert_int_equal(error.code, ERROR_SYSTEM);
        assert_int_equal(error.detail, EFBIG);
        assert_int_equal(entries_in(base), 0);
    }
    assert_true(limit.rlim_cur >= 333 && limit.rlim_cur < 4000);
    remove_finding(kept.path);
    assert_int_equal(rmdir(base), 0);
}

/* What is kept under the name cannot be read: a later finding is not lost for that. */
static void test_damaged(void **state)
{
    static const char *const damages[] = {"", "warp1 shfl.sync", NULL, "fifo", "text"};
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        char base[] = "/tmp/warpcheck-test-XXXXXX", folder[64], path[128];
        struct finding f;
        (void)state;
        assert_non_null(mkdtemp(base));
        make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
        snprintf(folder, sizeof folder, "%s/shfl.sync-d", base);
        snprintf(path, sizeof path, "%s/case.txt", folder);
        assert_int_equal(mkdir(folder, 0777), 0);
        if (damages[i] != NULL && strcmp(damages[i], "fifo") == 0) {
            assert_int_equal(mkfifo(path, 0600), 0);
        } else if (damages[i] != NULL) {
            FILE *file = fopen(path, "w");
            assert_non_null(file);
            fputs(damages[i], file);
            fclose(file);
        }
        assert_true(keep(&f, base, NULL));
        assert_false(kept.existed);
        assert_int_equal(strcmp(kept.path + strlen(kept.path) - 2, ".2"), 0);
        remove_finding(kept.path);
        folder_remove(folder);
        assert_int_equal(rmdir(base), 0);
    }
}

/* Ten processes with ten defects of one signature, and ten with the same: each of the ten is kept, once, and nobody
 * fails. */
static void test_many_at_once(void **state)
{
    enum { DEFECTS = 10 };
    char base[] = "/tmp/warpcheck-test-XXXXXX";
    (void)state;
    assert_non_null(mkdtemp(base));
    for (unsigned process = 0; process < 2 * DEFECTS; process++) {
        const pid_t pid = fork();
        assert_true(pid >= 0);
        if (pid == 0) {
            struct finding_pair pair = {&right_impl, &wrong_impl};
            struct finding f;
            make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
            only_lane = process % DEFECTS;
            wrong_state.wrong = lane_only;
            f.c.active = f.c.membermask[only_lane] = 1u << only_lane;
            f.c.exited = ~f.c.active;
            const struct warp_case c = f.c;
            _exit(finding_make(&f, &right_impl, &wrong_impl, &c) && keep(&f, base, &pair) ? 0 : 1);
        }
    }
    for (unsigned process = 0; process < 2 * DEFECTS; process++) {
        int status;
        assert_true(wait(&status) > 0);
        assert_int_equal(status, 0);
    }
    assert_int_equal(entries_in(base), DEFECTS);
    folder_remove(base);
}

/* What a killed process left unfinished goes when it is old; what a living one is writing stays. */
static void test_unfinished_ones_are_swept(void **state)
{
    char base[] = "/tmp/warpcheck-test-XXXXXX", path[128];
    const struct timespec old[2] = {{.tv_sec = 1000000}, {.tv_sec = 1000000}};
    struct finding f;
    const pid_t gone = fork();
    (void)state;
    if (gone == 0)
        _exit(0);
    assert_int_equal(waitpid(gone, NULL, 0), gone);
    assert_non_null(mkdtemp(base));
    const struct {
        long pid;
        bool old, stays;
    } made[] = {{gone, true, false}, {gone, false, true}, {getpid(), true, true}};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/.shfl.sync-d.%ld.%u", base, made[i].pid, 100 + i);
        assert_int_equal(mkdir(path, 0777), 0);
        if (made[i].old)
            assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    }
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_true(keep(&f, base, NULL));
    for (unsigned i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/.shfl.sync-d.%ld.%u", base, made[i].pid, 100 + i);
        assert_int_equal(file_is_folder(path), made[i].stays);
    }
    folder_remove(base);
}

/* Every kind has its name, its line and its files. */
static void test_kinds(void **state)
{
    static const struct {
        struct finding f;
        const char *signature, *line, *file;
    } kinds[] = {
        {{.kind = FINDING_CRASH, .signal = SIGSEGV, .only = "avx2"},
         "activemask-segv-avx2",
         "=> x does not answer: segv",
         "case.txt"},
        {{.kind = FINDING_CRASH, .signal = SIGKILL}, "activemask-kill", "=> x does not answer: kill", "case.txt"},
        {{.kind = FINDING_HANG}, "activemask-hang", "=> x does not answer: hang", "case.txt"},
        {{.kind = FINDING_EXIT}, "activemask-exit", "=> x does not answer: exit", "case.txt"},
        {{.kind = FINDING_ERROR, .what = "lost\033["},
         "activemask-error",
         "=> x does not answer: error: lost\\x1b[",
         "case.txt"},
        {{.kind = FINDING_LAW, .property = "twice", .statement = "s", .what = "w", .of_family = true},
         "law-twice-activemask",
         "=> breaks the law twice (\"s\"): w [x against itself]",
         "case.txt"},
        {{.kind = FINDING_PROGRAM,
          .property = "vote",
          .what = "line 1",
          .reference_name = "spec",
          .data = "ret;",
          .size = 4},
         "program-vote-values",
         "program-vote-values: line 1 [x against spec]",
         "program.ptx"},
        {{.kind = FINDING_INPUT, .property = "text-lossy", .what = "w", .data = "abc", .size = 3},
         "text-lossy",
         "text-lossy: w",
         "input"},
        {{.kind = FINDING_INPUT, .property = "shfl.sync-d", .what = "once", .unsure = true},
         "shfl.sync-d-state",
         "shfl.sync-d: once; not when the input was checked again",
         "input"},
    };
    char base[] = "/tmp/warpcheck-test-XXXXXX", signature[FINDING_SIGNATURE_MAX];
    (void)state;
    assert_non_null(mkdtemp(base));
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        struct finding f = kinds[i].f;
        warp_case_init(&f.c, WARP_ACTIVEMASK_B32);
        f.observed_name = "x";
        finding_signature(&f, signature);
        assert_string_equal(signature, kinds[i].signature);
        assert_true(keep(&f, base, NULL));
        assert_non_null(strstr(read_text(kept.path, "finding.txt"), kinds[i].line));
        read_text(kept.path, kinds[i].file);
        assert_non_null(strstr(read_text(kept.path, "verdict.txt"), "status: open"));
    }
    folder_remove(base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_make),
        cmocka_unit_test(test_line),
        cmocka_unit_test(test_line_is_cut),
        cmocka_unit_test(test_line_names_lanes),
        cmocka_unit_test(test_signature),
        cmocka_unit_test(test_one_signature_for_all_forms),
        cmocka_unit_test(test_signature_characters),
        cmocka_unit_test(test_write),
        cmocka_unit_test(test_write_beside),
        cmocka_unit_test(test_unwritable),
        cmocka_unit_test(test_no_room),
        cmocka_unit_test(test_damaged),
        cmocka_unit_test(test_many_at_once),
        cmocka_unit_test(test_unfinished_ones_are_swept),
        cmocka_unit_test(test_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
