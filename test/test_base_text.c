#define _POSIX_C_SOURCE 200809L /* popen */
#include "base/buffer.h"
#include "base/error.h"
#include "base/random.h"
#include "base/text.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

static void shows(const char *text, size_t length, const char *expected)
{
    char out[256];
    assert_string_equal(text_printable(text, length, out, sizeof out), expected);
}

static void test_printable_keeps_text(void **state)
{
    (void)state;
    shows("plain ~ text", 12, "plain ~ text");
    shows("caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", 14, "caf\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80");
    shows("", 0, "");
}

static void test_printable_escapes(void **state)
{
    (void)state;
    shows("\x1b[2J\r\n\t\0x", 8, "\\x1b[2J\\x0d\\x0a\\x09\\x00");
    shows("\x7f", 1, "\\x7f");
    shows("\xc2\x9b", 2, "\\xc2\\x9b");                   /* CSI, as one C1 character */
    shows("\xc0\xaf", 2, "\\xc0\\xaf");                   /* overlong */
    shows("\xe0\x80\xaf", 3, "\\xe0\\x80\\xaf");          /* overlong */
    shows("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");          /* a surrogate */
    shows("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80"); /* beyond U+10FFFF */
    shows("a\xc3", 2, "a\\xc3");                          /* cut short */
    shows("\xff\xfe", 2, "\\xff\\xfe");
    shows("\xe2\x80\xae"
          "ab",
          5, "\\xe2\\x80\\xaeab");                        /* RIGHT-TO-LEFT OVERRIDE */
    shows("\xe2\x81\xa6", 3, "\\xe2\\x81\\xa6");          /* LEFT-TO-RIGHT ISOLATE */
    shows("\xe2\x80\xa8", 3, "\\xe2\\x80\\xa8");          /* LINE SEPARATOR */
    shows("\xe2\x80\x8b", 3, "\\xe2\\x80\\x8b");          /* ZERO WIDTH SPACE */
    shows("\xf3\xa0\x81\x81", 4, "\\xf3\\xa0\\x81\\x81"); /* a tag character */
}

/* Whatever the bytes: the output has none below 0x20, no 0x7f, and is never cut within an escape. */
static void test_printable_any_bytes(void **state)
{
    struct random random = {1};
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char in[24], out[40];
        const size_t length = (size_t)random_below(&random, sizeof in),
                     size = 1 + (size_t)random_below(&random, sizeof out);
        for (size_t i = 0; i < length; i++)
            if ((in[i] = (char)random_next(&random)) == '\\')
                in[i] = 'a';
        text_printable(in, length, out, size);
        assert_true(strlen(out) < size);
        for (const char *at = out; *at != '\0'; at++) {
            assert_true((unsigned char)*at >= 0x20 && *at != 0x7f);
            if (at[0] == '\\' && at[1] == 'x')
                assert_true(at[2] != '\0' && at[3] != '\0');
        }
        char again[200];
        assert_string_equal(text_printable(out, strlen(out), again, sizeof again), out);
    }
}

static void test_quote(void **state)
{
    char out[64];
    (void)state;
    assert_string_equal(text_quote("a b", out, sizeof out), "'a b'");
    assert_string_equal(text_quote("it's", out, sizeof out), "'it'\\''s'");
    assert_string_equal(text_quote("", out, sizeof out), "''");
    text_quote("abcdefghij", out, 8);
    assert_true(strlen(out) < 8 && out[strlen(out) - 1] == '\'');
    assert_string_equal(text_quote("caf\xc3\xa9", out, sizeof out), "'caf\xc3\xa9'");
    assert_string_equal(text_quote("a\x1b[2J'\\\n1", out, sizeof out), "$'a\\033[2J\\'\\\\\\0121'");
    assert_string_equal(text_quote("caf\xe9\xc3\xa9", out, sizeof out), "$'caf\\351\xc3\xa9'");
    for (size_t size = 1; size < 20; size++) {
        char again[80];
        text_quote("it's \x1b\\ \xc2\x9b", out, size);
        assert_true(strlen(out) < size && (size < 3 || out[strlen(out) - 1] == '\''));
        assert_string_equal(text_printable(out, strlen(out), again, sizeof again), out);
    }
}

/* A shell that reads $'...' gives any word back, whatever its bytes. */
static void test_quote_any_bytes(void **state)
{
    struct random random = {2};
    char path[] = "/tmp/warpcheck-quote-XXXXXX", command[64];
    const int file = mkstemp(path);
    (void)state;
    assert_true(file >= 0);
    close(file);
    snprintf(command, sizeof command, "LC_ALL=C bash %s", path);
    for (int round = 0; round < 60; round++) {
        char word[24], quoted[256], back[64] = "";
        const size_t length = 1 + (size_t)random_below(&random, sizeof word - 1);
        for (size_t i = 0; i < length; i++)
            word[i] = (char)(1 + random_below(&random, 255));
        word[length - 1] = '\0';
        text_quote(word, quoted, sizeof quoted);
        FILE *const script = fopen(path, "w");
        assert_non_null(script);
        fprintf(script, "printf %%s %s\n", quoted);
        fclose(script);
        FILE *const shell = popen(command, "r");
        assert_non_null(shell);
        const size_t got = fread(back, 1, sizeof back - 1, shell);
        assert_int_equal(pclose(shell), 0);
        assert_int_equal(got, strlen(word));
        assert_memory_equal(back, word, got);
    }
    remove(path);
}

static void test_number(void **state)
{
    uint64_t n = 7;
    (void)state;
    assert_true(text_number("0", &n) && n == 0);
    assert_true(text_number("0xff", &n) && n == 255);
    assert_true(text_number("18446744073709551615", &n) && n == UINT64_MAX);
    assert_false(text_number("18446744073709551616", &n));
    for (size_t i = 0; i < 6; i++)
        assert_false(text_number((const char *[]){"", "-1", "+1", " 1", "1x", "0x"}[i], &n));
    assert_true(text_ends("a.rec", ".rec") && !text_ends("rec", ".rec"));
}

static void test_errors(void **state)
{
    struct error error = {.code = ERROR_NONE};
    (void)state;
    assert_false(error_set(&error, ERROR_INPUT, "line %d", 3));
    assert_int_equal(error.code, ERROR_INPUT);
    error_prefix(&error, "file.txt");
    assert_string_equal(error.text, "file.txt: line 3");
    errno = ENOSPC;
    error_errno(&error, "%s: cannot be written", "x");
    assert_int_equal(error.code, ERROR_SYSTEM);
    assert_int_equal(error.detail, ENOSPC);
    assert_string_equal(error.text, "x: cannot be written: No space left on device");
    error_clear(&error);
    assert_int_equal(error.code, ERROR_NONE);
    assert_false(error_set(NULL, ERROR_INPUT, "nobody looks"));
}

static void test_buffer(void **state)
{
    struct buffer buffer = {0};
    size_t room = 0;
    int *items = NULL;
    (void)state;
    assert_string_equal(buffer_string(&buffer), "");
    for (int i = 0; i < 1000; i++)
        buffer_format(&buffer, "%d,", i);
    assert_false(buffer.failed);
    assert_int_equal(buffer.size, 10 * 2 + 90 * 3 + 900 * 4);
    assert_memory_equal(buffer.data + buffer.size - 4, "999,", 5);
    buffer_add(&buffer, NULL, SIZE_MAX / 2);
    assert_true(buffer.failed);
    buffer_free(&buffer);
    for (size_t i = 0; i < 100; i++) {
        items = array_grow(items, i, &room, sizeof *items);
        assert_non_null(items);
        items[i] = (int)i;
    }
    assert_int_equal(items[99], 99);
    assert_true(room >= 100);
    free(items);
}

/* Published values: SplitMix64 of seed 0, and FNV-1a of "foobar". */
static void test_numbers(void **state)
{
    struct random random = {0};
    (void)state;
    assert_true(random_next(&random) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(random_next(&random) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(hash_bytes(HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_printable_keeps_text),
        cmocka_unit_test(test_printable_escapes),
        cmocka_unit_test(test_printable_any_bytes),
        cmocka_unit_test(test_quote),
        cmocka_unit_test(test_quote_any_bytes),
        cmocka_unit_test(test_number),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_buffer),
        cmocka_unit_test(test_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
