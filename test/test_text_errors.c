/* Malformed text is refused at the right place, with what would be right; and no bytes do harm. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "test/random_cases.h"
#include "warpcheck/text.h"

#include <stdlib.h>

struct malformed {
    const char *text;
    size_t line, column;
    const char *part; /* of the clause */
};

/* Long enough for the examples; each has one mistake. */
#define VOTE   "warp1 vote.sync.any.pred d target=sm_70 exited=0x1 "
#define VOTE_A VOTE "active=2 a=0*32 "
#define FILE1  "warpcheck-case 1\ninstruction shfl.up.b32\n"
#define FILE2  FILE1 "destinations d\ntarget sm_30\nexited 0\nactive 1\n"

static const struct malformed table[] = {
    {"", 1, 1, "the text is empty"},
    {" \n# nothing\n", 1, 1, "the text is empty"},
    {"\n  hello", 2, 3, "starts with warp1 or with warpcheck-case 1, not with hello"},
    {"warp2 vote", 1, 1, "unsupported version warp2: this program reads warp1"},
    {"warpcheck-case 7\n", 1, 16, "unsupported version 7: this program reads warpcheck-case 1"},
    {"warpcheck-case\n", 1, 15, "this program reads warpcheck-case 1"},
    {"warp1", 1, 6, "an instruction is expected"},
    {"warp1 shfl.sync.upp.b32 d", 1, 7, "did you mean shfl.sync.up.b32?"},
    {"warp1 redux.sync.add.f32 d", 1, 7, "did you mean redux.sync.add."},
    {"warp1 bar.sync d", 1, 7, "unknown instruction bar.sync"},
    {"warp1 shfl.sync.up.b32", 1, 23,
     "the destinations are missing: shfl.sync.up.b32 takes the destinations d, d|p, d|_"},
    {"warp1 shfl.sync.up.b32 _|p", 1, 24, "wrong destinations _|p"},
    {"warp1 match.any.sync.b32 d|p", 1, 26, "takes the destinations d"},
    {VOTE_A "b=0*32", 1, 68, "has no operand b"},
    {VOTE_A "membermask=1*31", 1, 79, "has 31 elements: it must have 32"},
    {VOTE_A "membermask=1*31,2,3", 1, 86, "more than 32 elements"},
    {VOTE_A "membermask=1*33", 1, 81, "too large: it must be at most 0x20"},
    {VOTE_A "membermask=1*0", 1, 81, "from 1 to 32"},
    {VOTE_A "membermask=1*32,", 1, 84, "a number is expected"},
    {VOTE_A "membermask=", 1, 79, "a number is expected"},
    {VOTE_A "membermask=1;2", 1, 80, "separated by commas"},
    {VOTE_A "membermask=0x", 1, 80, "separated by commas"},
    {VOTE_A "membermask=0xg", 1, 79, "a number is expected"},
    {VOTE_A "membermask=0x100000000*32", 1, 79, "at most 0xffffffff"},
    {VOTE_A "membermask=4294967296*32", 1, 79, "at most 0xffffffff"},
    {VOTE_A "membermask=99999999999999999999999*32", 1, 79, "at most 0xffffffff"},
    {VOTE_A "membermask=-2147483649*32", 1, 79, "at most 0x80000000"},
    {VOTE_A "membermask=0f3f8000*32", 1, 79, "eight hexadecimal digits"},
    {VOTE_A "membermask=0f3f8000000*32", 1, 79, "eight hexadecimal digits"},
    {VOTE_A, 1, 68, "membermask is missing"},
    {VOTE_A "membermask=2*32 active=2", 1, 84, "active is repeated"},
    {VOTE_A "membermask=2*32 !a !a", 1, 87, "!a is repeated"},
    {VOTE_A "membermask=2*32 activ=2", 1, 84, "unknown field activ"},
    {VOTE_A "membermask=2*32 what", 1, 84, "what is not expected here"},
    {VOTE_A "membermask=2*32 =>", 1, 86, "the result is empty"},
    {VOTE_A "membermask=2*32 => q=1", 1, 87, "unknown part q"},
    {VOTE_A "membermask=2*32 => p=1 p=1", 1, 91, "p is repeated"},
    {VOTE_A "membermask=2*32 => p", 1, 87, "p is not a part of a result"},
    {VOTE_A "membermask=2*32 => done=1", 1, 93, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => waiting=1", 1, 96, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => undefined=1", 1, 98, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => done=1 waiting=0", 1, 103, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => done=1 undefined=0", 1, 105, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => waiting=1 undefined=0", 1, 108, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => p=1 done=1 waiting=0", 1, 107, "done, waiting and undefined go together"},
    {VOTE_A "membermask=2*32 => d=1*4", 1, 89, "has 4 elements"},
    {VOTE_A "membermask=2*32\n" VOTE_A, 2, 1, "one case, on one line"},
    {VOTE "active=3 a=0*32 membermask=2*32", 1, 59, "lanes 0x1 are both active and exited"},
    {VOTE "active=2 a=2*32", 1, 63, "at most 0x1"},
    {VOTE "active=2 a=0+1*32", 1, 63, "must be 0 or 1"},
    {VOTE "active=2 a=-1*32", 1, 63, "a predicate is 0 or 1"},
    {VOTE "active=2x", 1, 60, "ends before this character"},
    {VOTE "active=-", 1, 59, "a number is expected"},
    {"warp1 vote.sync.any.pred d target=sm_71", 1, 35, "unknown target sm_71"},
    {"warp1 shfl.up.b32 d target=sm_80 exited=0 active=1 a=0*32 b=0*32 c=0*32", 1, 28, "removed in PTX 6.4"},
    {"warp1 match.any.sync.b32 d target=sm_60 exited=0 active=1 a=0*32 membermask=1*32", 1, 35,
     "needs sm_70 or higher"},
    {"warp1 redux.sync.min.f32 d target=sm_100 exited=0 active=1 a=0*32 membermask=1*32", 1, 35, "needs sm_100a"},
    {"warp1 activemask.b32 d !a", 1, 24, "no source predicate"},
    {"warp1 activemask.b32 d target=sm_70 exited=0 active=1 a=0*32", 1, 55, "has no operand a"},
    {"warp1 match.any.sync.b64 d target=sm_70 a=0f00000000*32", 1, 43, "a 0f number has 32 bits"},
    {"warp1 match.any.sync.b64 d target=sm_70 a=0x10000000000000000*32", 1, 43, "at most 0xffffffffffffffff"},
    {"warpcheck-case 1\n", 2, 1, "instruction is missing"},
    {"warpcheck-case 1", 1, 17, "instruction is missing"},
    {"warpcheck-case 1 2", 1, 18, "2 is too much"},
    {"warpcheck-case 1\ntarget sm_70\n", 2, 1, "`instruction ...` must come first"},
    {"warpcheck-case 1\ninstruction\n", 2, 12, "an instruction is expected"},
    {FILE1 "instruction shfl.up.b32\n", 3, 1, "instruction is repeated"},
    {FILE1 "destinations d d\n", 3, 16, "d is too much"},
    {FILE1 "destinations d\ndestinations d\n", 4, 1, "destinations is repeated"},
    {FILE1 "destination d\n", 3, 1, "unknown line destination"},
    {FILE1 "target\n", 3, 7, "unknown target"},
    {FILE1 "source b\n", 3, 8, "the source must be a or !a"},
    {FILE1 "source a\nsource a\n", 4, 1, "source is repeated"},
    {FILE1 "0-31 0 0 0\n", 3, 1, "a row without a table"},
    {FILE1 "lane a b c\nlane a b c\n", 4, 1, "a second table"},
    {FILE1 "lane\n", 3, 5, "the table has no column"},
    {FILE1 "lane a b membermask\n", 3, 10, "has no operand membermask"},
    {FILE1 "lane a b d\n", 3, 10, "unknown column d"},
    {FILE1 "lane a b a\n", 3, 10, "a is repeated"},
    {FILE1 "lane a b c\n0-32 0 0 0\n", 4, 1, "lanes are from 0 to 31"},
    {FILE1 "lane a b c\n4-3 0 0 0\n", 4, 1, "lanes are from 0 to 31"},
    {FILE1 "lane a b c\n4- 0 0 0\n", 4, 3, "a number is expected"},
    {FILE1 "lane a b c\n4 0 0\n", 4, 6, "no value for c"},
    {FILE1 "lane a b c\n4 0 0 0 0\n", 4, 9, "0 is too much"},
    {FILE1 "lane a b c\n4 0 0*2 0\n", 4, 6, "ends before this character"},
    {FILE1 "lane a b c\n4 0 0 0\n0-9 0 0 0\n", 5, 1, "has a row already"},
    {FILE1 "lane a b c\n", 4, 1, "destinations is missing"},
    {FILE2 "lane a b c\n0-30 0 0 0\n", 9, 1, "lane 31 has no row in the table of line 7"},
    {FILE2 "lane a b\n0-31 0 0\n", 9, 1, "c is missing"},
    {FILE2, 7, 1, "a is missing"},
    {FILE2 "expect p=1\nexpect p=1", 8, 1, "expect is repeated"},
    {FILE2 "expect\n", 7, 7, "the result is empty"},
    {FILE2 "expect p=1 expected\n", 7, 12, "expected is not a part"},
};

static void malformed_text_is_refused(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct warp_text out;
        struct warp_text_error e = {0};
        const struct malformed *m = &table[i];
        bool parsed = warp_text_parse(m->text, strlen(m->text), &out, &e);
        if (!parsed && e.line == m->line && e.column == m->column && strstr(e.what, m->part) != NULL)
            continue;
        wrong++;
        print_error("%s\n  %s %zu:%zu %s, expected %zu:%zu %s\n", m->text, parsed ? "TAKEN" : "refused", e.line,
                    e.column, e.what, m->line, m->column, m->part);
    }
    assert_int_equal(wrong, 0);
}

/* Every text that is taken is a case; every refusal has a place in the text and a clause. */
static bool try(const char *text, size_t size)
{
    struct warp_text out;
    struct warp_text_error error = {0};
    char *copy = malloc(size > 0 ? size : 1);
    bool parsed;
    assert_non_null(copy);
    memcpy(copy, text, size);
    parsed = warp_text_parse(copy, size, &out, &error);
    free(copy);
    if (parsed) {
        assert_null(warp_case_check(&out.c));
        return true;
    }
    assert_true(error.line >= 1 && error.column >= 1 && error.column <= size + 1);
    assert_true(error.what[0] != '\0' && strlen(error.what) < sizeof error.what);
    for (const char *ch = error.what; *ch != '\0'; ch++)
        assert_true(*ch >= ' ' && *ch < 127);
    return false;
}

static void any_bytes_do_no_harm(void **state)
{
    char text[256];
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        size_t size = test_mix(i) % sizeof text;
        test_bytes(i, (uint8_t *)text, size);
        assert_false(try(text, size));
    }
    assert_false(try("warp1 \0\0\0", 9));
    assert_false(try("warp1 shfl.sync.up.b32\0x d", 26));
}

/* Cases with a few bytes changed, cut or doubled: nearer to what is taken. */
static void damaged_cases_do_no_harm(void **state)
{
    static const char alphabet[] = "0123456789abcdefx+-*,=>!# \n\t|_.pd";
    char text[3 * WARP_TEXT_MAX];
    unsigned taken = 0;
    (void)state;
    for (uint64_t i = 0; i < 20000; i++) {
        struct warp_case c;
        struct warp_result r = {0};
        size_t length;
        test_case(i, &c);
        length = i % 4 < 2 ? warp_case_to_text(&c, text, sizeof text)
                           : warp_case_to_file(&c, "x", &r, WARP_PART_ALL, text, sizeof text);
        for (uint64_t k = 0; k <= i % 3; k++) {
            uint64_t random = test_mix(i * 8 + k);
            text[random % length] = alphabet[(random >> 32) % (sizeof alphabet - 1)];
        }
        if (i % 5 == 0)
            length = test_mix(i) % length;
        taken += try(text, length);
    }
    assert_true(taken > 1000); /* digits were changed to digits */
}

static void very_long_text(void **state)
{
    const size_t size = 1u << 20;
    char *text = malloc(size);
    (void)state;
    assert_non_null(text);
    memset(text, 'a', size);
    assert_false(try(text, size));
    memcpy(text, "warp1 ", 6);
    assert_false(try(text, size));
    memset(text, '#', size);
    assert_false(try(text, size));
    memset(text, '\n', size);
    assert_false(try(text, size));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(malformed_text_is_refused),
        cmocka_unit_test(any_bytes_do_no_harm),
        cmocka_unit_test(damaged_cases_do_no_harm),
        cmocka_unit_test(very_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
