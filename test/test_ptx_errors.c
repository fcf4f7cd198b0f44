/* Lines that are not warp instructions: the place and the clause of each error. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <cmocka.h>

static const struct {
    const char *text;
    size_t line, column;
    const char *what; /* a part of the clause */
} malformed[] = {
    {"", 1, 1, "expected an instruction, found the end"},
    {";", 1, 1, "expected an instruction, found ';'"},
    {"@", 1, 2, "a predicate register behind '@'"},
    {"@1 activemask.b32 d;", 1, 2, "a predicate register behind '@'"},
    {"@p;", 1, 3, "expected an instruction"},
    {"\x80\xff", 1, 1, "found '?'"},
    {"/* never ends", 1, 1, "a comment that does not end"},
    {"activemask.b32 \"d;", 1, 16, "a string that does not end"},
    {"\n\n  add.u32 d, a, b;", 3, 3, "no form of a warp instruction"},
    {"shfl.sync.sideways.b32 d, a, b, c, m;", 1, 1, "nearest: shfl.sync.up.b32"},
    {"SHFL.sync.idx.b32 d, a, b, c, m;", 1, 1, "no form"},
    {"redux.sync.add.b32 d, a, m;", 1, 1, "no form"},
    {"redux.sync.and.u32 d, a, m;", 1, 1, "no form"},
    {"redux.sync.add.f32 d, a, m;", 1, 1, "no form"},
    {"vote.sync.ballot.pred d, a, m;", 1, 1, "no form"},
    {"vote.sync.all.b32 d, a, m;", 1, 1, "no form"},
    {"match.sync.sync.b32 d, a, m;", 1, 1, "no form"},
    {"activemask.u32 d;", 1, 1, "no form"},
    {"shfl.sync.idx.b64 d, a, b, c, m;", 1, 1, "no form"},
    {"redux.sync.min.abs.NaN.abs.NaN.f32.and.a.name.that.is.much.too.long.to.be d;", 1, 1, "a name this long"},
    {"activemask.b32;", 1, 15, "takes 1 operands (d), not 0"},
    {"activemask.b32 d, a;", 1, 19, "takes 1 operands"},
    {"shfl.sync.idx.b32 d, a, b, c;", 1, 29, "takes 5 operands (d[|p], a, b, c, membermask), not 4"},
    {"shfl.idx.b32 d, a, b, c, m;", 1, 26, "takes 4 operands"},
    {"vote.sync.all.pred p, q;", 1, 24, "takes 3 operands"},
    {"redux.sync.add.u32 a, b, c, d, e, f, g, h, i;", 1, 44, "too many operands"},
    {"shfl.sync.idx.b32 _, a, b, c, m;", 1, 19, "cannot be the only destination"},
    {"shfl.sync.idx.b32 _|_, a, b, c, m;", 1, 19, "only one of the destinations"},
    {"shfl.sync.idx.b32 _|p, a, b, c, m;", 1, 19, "does not take the destination _|p"},
    {"match.any.sync.b32 d|p, a, m;", 1, 20, "has one destination, not d|p"},
    {"vote.sync.all.pred p|q, q, m;", 1, 20, "has one destination"},
    {"vote.sync.all.pred !p, q, m;", 1, 21, "cannot be negated"},
    {"vote.sync.all.pred p, q, !m;", 1, 27, "membermask cannot be negated"},
    {"shfl.sync.idx.b32 d, !a, b, c, m;", 1, 23, "a cannot be negated"},
    {"match.any.sync.b32 d, a|b, m;", 1, 23, "only destinations"},
    {"match.any.sync.b64 d, {a, b}, m;", 1, 24, "takes no {...} operand"},
    {"match.any.sync.b64 d, {a}, m;", 1, 25, "a second element"},
    {"match.any.sync.b64 d, {a, b, m;", 1, 28, "'}' after two elements"},
    {"redux.sync.add.u32 5, a, m;", 1, 20, "d cannot be a constant"},
    {"vote.sync.all.pred p, 1.0, m;", 1, 23, "cannot be a floating-point constant"},
    {"redux.sync.min.f32 d, 1, m;", 1, 23, "write 1.0 or 0fXXXXXXXX"},
    {"redux.sync.add.u32 d, 0f3f800000, m;", 1, 23, "cannot be a floating-point constant"},
    {"redux.sync.min.f32 d, -0f3f800000, m;", 1, 24, "minus sign"},
    {"redux.sync.min.f32 d, 1e999, m;", 1, 23, "not a constant of PTX that fits"},
    {"redux.sync.min.f32 d, 3.5e38, m;", 1, 23, "not a constant of PTX that fits"},
    {"redux.sync.min.f32 d, 1.0f, m;", 1, 23, "not a constant"},
    {"redux.sync.min.f32 d, 0f123, m;", 1, 23, "not a constant"},
    {"shfl.sync.idx.b32 d, a, 08, c, m;", 1, 25, "not a constant"},
    {"shfl.sync.idx.b32 d, a, 0x, c, m;", 1, 25, "not a constant"},
    {"shfl.sync.idx.b32 d, a, 12ab, c, m;", 1, 25, "not a constant"},
    {"shfl.sync.idx.b32 d, a, b, c, 0x1ffffffff;", 1, 31, "does not fit the 32 bits of membermask"},
    {"shfl.sync.idx.b32 d, a, b, c, -2147483649;", 1, 32, "does not fit"},
    {"shfl.sync.idx.b32 d, a, b, c, 99999999999999999999;", 1, 31, "not a constant"},
    {"shfl.sync.idx.b32 d, a, -b, c, m;", 1, 26, "a constant behind the minus sign"},
    {"shfl.sync.idx.b32 d, %laneid, b, c, m;", 1, 22, "special register, which only mov reads"},
    {"shfl.sync.idx.b32 d, a, b, c, %lanemask_lt;", 1, 31, "special register"},
    {"@%laneid activemask.b32 d;", 1, 2, "special register"},
    {"activemask.b32 %clock;", 1, 16, "special register"},
    {"@_ activemask.b32 d;", 1, 2, "sink"},
    {"vote.sync.all.pred p, q, p;", 1, 26, "their types differ"},
    {"@d activemask.b32 d;", 1, 19, "their types differ"},
    {"match.all.sync.b32 d|d, a, m;", 1, 22, "their types differ"},
    {"shfl.sync.idx.b32 d a, b, c, m;", 1, 21, "expected ',' or ';', found 'a'"},
    {"shfl.sync.idx.b32 d,, b, c, m;", 1, 21, "expected an operand, found ','"},
    {"shfl.sync.idx.b32 d, a, b, c, m; activemask.b32 d;", 1, 34, "nothing behind the instruction"},
    {"activemask.b32 d;;", 1, 18, "nothing behind"},
    {"label: activemask.b32 d;", 1, 6, "expected an operand"},
    {"activemask.b32 d;\n/*", 2, 1, "a comment that does not end"},
    {"activemask.b32 rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr;", 1, 16, "more than 63"},
};

static void every_line_has_its_error(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof malformed / sizeof malformed[0]; n++) {
        struct ptx_instruction i;
        struct warp_text_error error = {0, 0, ""};
        const char *text = malformed[n].text;
        if (ptx_parse(text, strlen(text), &i, &error))
            fail_msg("read: %s", text);
        if (error.line != malformed[n].line || error.column != malformed[n].column ||
            !strstr(error.what, malformed[n].what))
            fail_msg("%s: %zu:%zu: %s", text, error.line, error.column, error.what);
    }
}

static void zero_bytes_are_bytes(void **state)
{
    static const char text[] = "activemask.b32 d\0;";
    struct ptx_instruction i;
    struct warp_text_error error;
    (void)state;
    assert_false(ptx_parse(text, sizeof text - 1, &i, &error));
    assert_int_equal(error.column, 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line_has_its_error),
                                       cmocka_unit_test(zero_bytes_are_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
