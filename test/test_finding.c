#define _POSIX_C_SOURCE 200809L

#include "check/finding.h"
#include "check_fakes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

static bool lane_five(const struct warp_case *c)
{
    return (c->active >> 5 & 1u) != 0;
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
        finding_kind(&f, kind);
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
        finding_kind(&f, signature);
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
    char path[1024];
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
    char name[1024];
    for (size_t i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "%s/%s", path, names[i]);
        assert_int_equal(unlink(name), 0);
    }
    assert_int_equal(rmdir(path), 0); /* nothing else is left behind */
}

static void test_write(void **state)
{
    static struct warp_text text;
    struct warp_text_error text_error;
    char base[] = "/tmp/warpcheck-test-XXXXXX";
    char dir[64], path[512], error[256], expected[512];
    struct finding f;
    bool existed;
    const char *content;
    (void)state;
    assert_non_null(mkdtemp(base));
    snprintf(dir, sizeof dir, "%s/new/crashes", base);
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    assert_true(finding_write(&f, dir, path, sizeof path, &existed, error, sizeof error));
    assert_false(existed);
    snprintf(expected, sizeof expected, "%s/shfl.sync-d", dir);
    assert_string_equal(path, expected);
    content = read_text(path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_memory_equal(&text.c, &f.c, sizeof f.c);
    assert_memory_equal(&text.result, &f.reference, sizeof f.reference);
    content = read_text(path, "finding.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_memory_equal(&text.result, &f.observed, sizeof f.observed);
    content = read_text(path, "verdict.txt");
    assert_non_null(strstr(content, "\nstatus: open\n"));
    assert_non_null(strstr(content, "\nby:\n"));
    assert_non_null(strstr(content, "\nwhy:\n"));
    /* the same kind again, from another case: the first stays */
    f.c.a[0] = 77;
    assert_true(finding_write(&f, dir, path, sizeof path, &existed, error, sizeof error));
    assert_true(existed);
    content = read_text(path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_int_equal(text.c.a[0], 100);
    /* another form of it: its case is added, once, and the first still stays */
    for (uint32_t i = 0; i < 2; i++) {
        make_finding(&f, WARP_SHFL_SYNC_DOWN_B32, WARP_DST_D_P);
        f.c.a[0] = 100 + i;
        assert_true(finding_write(&f, dir, path, sizeof path, &existed, error, sizeof error));
        assert_true(existed);
        content = read_text(path, "also-shfl.sync.down.txt");
        assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
        assert_int_equal(text.c.form, WARP_SHFL_SYNC_DOWN_B32);
        assert_int_equal(text.c.a[0], 100);
    }
    content = read_text(path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_int_equal(text.c.form, WARP_SHFL_SYNC_UP_B32);
    snprintf(expected, sizeof expected, "%.400s/also-shfl.sync.down.txt", path);
    assert_int_equal(unlink(expected), 0);
    remove_finding(path);
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
    char path[512], error[256], expected[512];
    const char *content;
    struct finding f;
    struct warp_case c;
    bool existed;
    (void)state;
    assert_non_null(mkdtemp(base));
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    c = f.c;
    c.active = c.membermask[5] = 1u << 5; /* only lane 5 */
    c.exited = ~c.active;
    assert_true(finding_make(&f, &right_impl, &wrong_impl, &c));
    for (int times = 0; times < 2; times++) {
        assert_true(
            finding_write_beside(&f, &right_impl, &wrong_impl, base, path, sizeof path, &existed, error, sizeof error));
        assert_int_equal(existed, times);
    }
    wrong_state.wrong = lane_six; /* mended, and another one made */
    c.active = c.membermask[6] = 1u << 6;
    c.exited = ~c.active;
    assert_true(finding_make(&f, &right_impl, &wrong_impl, &c));
    snprintf(expected, sizeof expected, "%.400s.2", path);
    for (int times = 0; times < 2; times++) {
        assert_true(
            finding_write_beside(&f, &right_impl, &wrong_impl, base, path, sizeof path, &existed, error, sizeof error));
        assert_int_equal(existed, times);
        assert_string_equal(path, expected);
    }
    content = read_text(path, "case.txt");
    assert_true(warp_text_parse(content, strlen(content), &text, &text_error));
    assert_memory_equal(&text.c, &f.c, sizeof f.c);
    wrong_state.wrong = lane_five;
    remove_finding(path);
    path[strlen(path) - 2] = '\0';
    remove_finding(path);
    assert_int_equal(rmdir(base), 0);
}

/* Where nothing can be written: one clear line, and nothing half done. Below a regular file not even root can write. */
static void test_unwritable(void **state)
{
    char file[] = "/tmp/warpcheck-test-XXXXXX";
    char dir[64], path[512], error[256] = "";
    struct finding f;
    bool existed;
    const int fd = mkstemp(file);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    snprintf(dir, sizeof dir, "%s/crashes", file);
    assert_false(finding_write(&f, dir, path, sizeof path, &existed, error, sizeof error));
    assert_non_null(strstr(error, dir));
    assert_non_null(strstr(error, "Not a directory"));
    assert_null(strchr(error, '\n'));
    assert_false(finding_write(&f, file, path, sizeof path, &existed, error, sizeof error));
    assert_non_null(strstr(error, "Not a directory"));
    unlink(file);
}

/* A full disk: the folder of the finding does not appear, and the unfinished one goes. */
static void test_disk_full(void **state)
{
    char base[] = "/tmp/warpcheck-test-XXXXXX";
    char target[256], path[512], error[256] = "";
    struct finding f;
    bool existed;
    (void)state;
    assert_non_null(mkdtemp(base));
    make_finding(&f, WARP_SHFL_SYNC_UP_B32, WARP_DST_D_P);
    snprintf(target, sizeof target, "%s/.shfl.sync-d.%ld", base, (long)getpid());
    assert_int_equal(mkdir(target, 0777), 0);
    snprintf(path, sizeof path, "%s/finding.txt", target);
    assert_int_equal(symlink("/dev/full", path), 0); /* every write to it fails: no space left */
    assert_false(finding_write(&f, base, path, sizeof path, &existed, error, sizeof error));
    assert_non_null(strstr(error, "finding.txt: No space left on device"));
    assert_int_equal(rmdir(base), 0);
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
        cmocka_unit_test(test_disk_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
