/* Text: what is written is read back, and hand-written text means what docs/formats.md says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/random_cases.h"
#include "warpcheck/text.h"

#include <stdlib.h>

#define CASES 100000u

/* Parses a copy that ends where the text ends, so that a sanitizer sees a read past it. */
static void parse(const char *text, size_t size, struct warp_text *out)
{
    struct warp_text_error error = {0};
    char *copy = malloc(size > 0 ? size : 1);
    bool parsed;
    assert_non_null(copy);
    memcpy(copy, text, size);
    parsed = warp_text_parse(copy, size, out, &error);
    free(copy);
    if (!parsed)
        fail_msg("%zu:%zu: %s\n%.*s", error.line, error.column, error.what, (int)size, text);
}

static void parse_string(const char *text, struct warp_text *out)
{
    parse(text, strlen(text), out);
}

static void line_round_trip(void **state)
{
    char text[WARP_TEXT_MAX];
    (void)state;
    for (uint64_t i = 0; i < CASES; i++) {
        struct warp_case c;
        struct warp_text out;
        size_t length;
        test_case(i, &c);
        length = warp_case_to_text(&c, text, sizeof text);
        assert_true(length < sizeof text && strlen(text) == length);
        parse(text, length, &out);
        assert_false(out.has_result);
        assert_memory_equal(&out.c, &c, sizeof c);
    }
}

static void random_result(uint64_t i, struct warp_result *r)
{
    memset(r, 0, sizeof *r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        r->d[lane] = (uint32_t)test_mix(i * 64 + lane) & (i % 3 == 0 ? 3 : UINT32_MAX);
        r->waits_for[lane] = i % 2 == 0 ? 0 : (uint32_t)test_mix(i * 64 + lane + 32);
    }
    r->p = (lanemask)test_mix(i ^ 0x1111);
    r->d_defined = (lanemask)test_mix(i ^ 0x2222);
    r->done = (lanemask)test_mix(i ^ 0x3333);
    r->waiting = (lanemask)test_mix(i ^ 0x4444);
    r->undefined = (lanemask)test_mix(i ^ 0x5555);
}

/* Clears what the parts leave out. */
static void keep_parts(struct warp_result *r, uint32_t parts)
{
    if (!(parts & WARP_PART_D))
        memset(r->d, 0, sizeof r->d);
    if (!(parts & WARP_PART_WAITS_FOR))
        memset(r->waits_for, 0, sizeof r->waits_for);
    r->p = parts & WARP_PART_P ? r->p : 0;
    r->d_defined = parts & WARP_PART_D_DEFINED ? r->d_defined : 0;
    if (!(parts & WARP_PART_OUTCOME))
        r->done = r->waiting = r->undefined = 0;
}

static void result_round_trip(void **state)
{
    char text[2 * WARP_TEXT_MAX];
    (void)state;
    for (uint64_t i = 0; i < CASES / 10; i++) {
        const uint32_t parts = 1 + (uint32_t)i % WARP_PART_ALL;
        struct warp_case c;
        struct warp_result r;
        struct warp_text out;
        size_t length;
        test_case(i, &c);
        random_result(i, &r);
        length = warp_case_to_text(&c, text, sizeof text);
        memcpy(text + length, " => ", 4);
        length += 4;
        length += warp_result_to_text(&r, parts, text + length, sizeof text - length);
        parse(text, length, &out);
        keep_parts(&r, parts);
        assert_true(out.has_result);
        assert_int_equal(out.parts, parts);
        assert_memory_equal(&out.c, &c, sizeof c);
        assert_memory_equal(&out.result, &r, sizeof r);
    }
}

static void file_round_trip(void **state)
{
    char text[4 * WARP_TEXT_MAX];
    (void)state;
    for (uint64_t i = 0; i < CASES / 5; i++) {
        const uint32_t parts = (uint32_t)i % (WARP_PART_ALL + 1);
        struct warp_case c;
        struct warp_result r;
        struct warp_text out;
        size_t length;
        test_case(i, &c);
        random_result(i, &r);
        length =
            warp_case_to_file(&c, i % 2 == 0 ? "one => line\n\nand # another\n" : NULL, &r, parts, text, sizeof text);
        assert_true(length < sizeof text && strlen(text) == length);
        parse(text, length, &out);
        keep_parts(&r, parts);
        assert_int_equal(out.has_result, parts != 0);
        assert_int_equal(out.parts, parts);
        assert_memory_equal(&out.c, &c, sizeof c);
        assert_memory_equal(&out.result, &r, sizeof r);
    }
}

/* A finding's line: the reference's result and the names behind ` expected` are not read. */
static void finding_is_read(void **state)
{
    struct warp_text out;
    (void)state;
    parse_string("warp1 activemask.b32 d target=sm_70 exited=0x0 active=0x3 => d=0x1*32 expected d=0x3*32 [a against "
                 "b, lanes 0-1]",
                 &out);
    assert_true(out.has_result);
    assert_int_equal(out.parts, WARP_PART_D);
    assert_int_equal(out.result.d[0], 1);
}

static void header_example(void **state)
{
    static const char text[] =
        "warp1 shfl.sync.up.b32 d|p target=sm_70 exited=0x0 active=0xffffffff a=0x0+1*32 b=0x1*32 "
        "c=0x0*32 membermask=0xffffffff*32";
    char again[WARP_TEXT_MAX];
    struct warp_text out;
    (void)state;
    parse_string(text, &out);
    assert_int_equal(out.c.form, WARP_SHFL_SYNC_UP_B32);
    assert_int_equal(out.c.dst, WARP_DST_D_P);
    assert_int_equal(out.c.a[31], 31);
    assert_int_equal(out.c.b[17], 1);
    warp_case_to_text(&out.c, again, sizeof again);
    assert_string_equal(again, text);
}

static void numbers_and_steps(void **state)
{
    struct warp_text out;
    (void)state;
    parse_string("  warp1 shfl.up.b32 d target=sm_30\texited=0 active=0XFF b=-1*30,-2147483648,0F3F800000 "
                 "c=4294967294+1*3,31+-1*29 a=0xFFFFFFFF+0x80000000*2,7*30 # a comment => d=1\r\n\n# another\n",
                 &out);
    assert_int_equal(out.c.active, 0xff);
    assert_int_equal(out.c.b[0], UINT32_MAX);
    assert_int_equal(out.c.b[30], 0x80000000);
    assert_int_equal(out.c.b[31], 0x3f800000);
    assert_int_equal(out.c.c[1], UINT32_MAX);
    assert_int_equal(out.c.c[2], 0);
    assert_int_equal(out.c.c[3], 31);
    assert_int_equal(out.c.c[31], 3);
    assert_int_equal(out.c.a[0], UINT32_MAX);
    assert_int_equal(out.c.a[1], 0x7fffffff);
    assert_false(out.has_result);
}

static void wide_numbers(void **state)
{
    struct warp_text out;
    (void)state;
    parse_string("warp1 match.any.sync.b64 d target=sm_70 exited=0 active=1 a=-1,0xffffffff+1*2,18446744073709551615,"
                 "-9223372036854775808,0*27 membermask=1*32",
                 &out);
    assert_true(warp_case_a64(&out.c, 0) == UINT64_MAX);
    assert_true(warp_case_a64(&out.c, 1) == 0xffffffffu);
    assert_true(warp_case_a64(&out.c, 2) == 0x100000000u);
    assert_true(warp_case_a64(&out.c, 3) == UINT64_MAX);
    assert_true(warp_case_a64(&out.c, 4) == (uint64_t)1 << 63);
}

static void readable_file(void **state)
{
    static const char text[] = "# first\n"
                               "warpcheck-case 1 # version\n"
                               "\n"
                               "instruction vote.sync.all.pred\r\n"
                               "target sm_70   # as the manual says\n"
                               "source !a\n"
                               "active 0xf\n"
                               "destinations d\n"
                               "exited 0xf0\n"
                               "expect p=0xf done=0xf waiting=0 undefined=0\n"
                               "lane  membermask a\n"
                               "4-31  0          1\n"
                               "0     0xff       0\n"
                               "1-3   0xfe+1     0\n";
    struct warp_text out;
    (void)state;
    parse_string(text, &out);
    assert_int_equal(out.c.form, WARP_VOTE_SYNC_ALL_PRED);
    assert_int_equal(out.c.negate, 1);
    assert_int_equal(out.c.exited, 0xf0);
    assert_int_equal(out.c.membermask[0], 0xff);
    assert_int_equal(out.c.membermask[3], 0x100);
    assert_int_equal(out.c.a[4], 1);
    assert_true(out.has_result);
    assert_int_equal(out.parts, WARP_PART_P | WARP_PART_OUTCOME);
    assert_int_equal(out.result.p, 0xf);
}

static void both_orders_are_one_form(void **state)
{
    struct warp_text out;
    (void)state;
    parse_string("warp1 redux.sync.min.NaN.abs.f32 d target=sm_100a exited=0 active=1 a=0f7fc00000*32 membermask=1*32",
                 &out);
    assert_int_equal(out.c.form, WARP_REDUX_SYNC_MIN_ABS_NAN_F32);
}

/* What does not fit is counted, as snprintf does, and the text ends with a zero byte. */
static void short_buffers(void **state)
{
    char whole[WARP_TEXT_MAX], part[64];
    struct warp_case c;
    struct warp_result r = {0};
    size_t length;
    (void)state;
    test_case(5, &c);
    length = warp_case_to_text(&c, whole, sizeof whole);
    for (size_t size = 0; size < sizeof part; size++) {
        memset(part, 'x', sizeof part);
        assert_int_equal(warp_case_to_text(&c, part, size), length);
        if (size > 0)
            assert_true(memcmp(part, whole, size - 1) == 0 && part[size - 1] == '\0');
        assert_int_equal(part[size], 'x');
    }
    assert_int_equal(warp_case_to_file(&c, "x", &r, WARP_PART_ALL, NULL, 0),
                     warp_case_to_file(&c, "x", &r, WARP_PART_ALL, whole, sizeof whole));
    assert_int_equal(warp_result_to_text(&r, 0, part, sizeof part), 0);
    assert_string_equal(part, "");
}

/* The longest texts that there are fit in WARP_TEXT_MAX. */
static void longest_texts(void **state)
{
    char text[WARP_TEXT_MAX];
    struct warp_case c;
    struct warp_result r;
    (void)state;
    warp_case_init(&c, WARP_SHFL_SYNC_BFLY_B32);
    memset(&r, 0xff, sizeof r);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        c.a[lane] = c.b[lane] = c.c[lane] = c.membermask[lane] = 0x80000000u + lane * lane * 0x10001;
        r.d[lane] = r.waits_for[lane] = 0x80000000u + lane * lane * 0x10001;
    }
    assert_true(warp_case_to_text(&c, text, sizeof text) < sizeof text / 2);
    assert_true(warp_result_to_text(&r, WARP_PART_ALL, text, sizeof text) < sizeof text / 2);
    assert_true(warp_case_to_file(&c, NULL, &r, WARP_PART_ALL, text, sizeof text) < sizeof text);
}

/* The cases of a text one after another, with their lines and names; an error has its line in the whole text. */
static void test_list(void **state)
{
    static const char text[] = "# a heading of several words\n\n# first\n#   a comment\n"
                               "warp1 activemask.b32 d target=sm_30 exited=0x0 active=0x1\n"
                               "  # a comment that names nothing\n"
                               "warp1 activemask.b32 d target=sm_30 exited=0x0 active=0x2 # first\n"
                               "# third\n\n"
                               "warp1 activemask.b32 d target=sm_30 exited=0x0 active=0x4\n"
                               "#   fourth \t\n"
                               "warp1 activemask.b32 d target=sm_30 exited=0x0 active=0x8\nwarp1 nonsense";
    static const char *const names[] = {"first", "", "", "fourth"};
    static const size_t lines[] = {5, 7, 10, 12};
    struct warp_text_list list = warp_text_begin(text, sizeof text - 1);
    struct warp_text read;
    struct warp_text_error error;
    (void)state;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(warp_text_next(&list, &read, &error), WARP_TEXT_CASE);
        assert_int_equal(read.c.active, 1u << i);
        assert_int_equal(list.line, lines[i]);
        assert_int_equal(list.name_size, strlen(names[i]));
        assert_memory_equal(list.name, names[i], list.name_size);
    }
    assert_int_equal(warp_text_next(&list, &read, &error), WARP_TEXT_WRONG);
    assert_int_equal(error.line, 13);
    assert_int_equal(warp_text_next(&list, &read, &error), WARP_TEXT_END);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),         cmocka_unit_test(line_round_trip),
        cmocka_unit_test(result_round_trip), cmocka_unit_test(file_round_trip),
        cmocka_unit_test(finding_is_read),   cmocka_unit_test(header_example),
        cmocka_unit_test(numbers_and_steps), cmocka_unit_test(wide_numbers),
        cmocka_unit_test(readable_file),     cmocka_unit_test(both_orders_are_one_form),
        cmocka_unit_test(short_buffers),     cmocka_unit_test(longest_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
