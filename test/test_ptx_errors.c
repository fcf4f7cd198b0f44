/* Pieces of PTX that are no warp instructions: the place and the clause of each error. */
#include "ptx/module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct {
    const char *text;
    size_t line, column;
    const char *what; /* a part of the clause */
} malformed[] = {
    {"@", 1, 2, "expected a register for .pred, found the end"},
    {"@1 activemask.b32 d;", 1, 2, "expected a register for .pred, found '1'"},
    {"@p;", 1, 3, "expected an instruction"},
    {"\x80\xff", 1, 1, "found '\\x80'"},
    {"/* never ends", 1, 1, "a comment that does not end"},
    {"activemask.b32 \"d;", 1, 16, "a string that does not end"},
    {"shfl.sync.sideways.b32 d, a, b, c, m;", 1, 1, "nearest: shfl.sync.up.b32"},
    {"SHFL.sync.idx.b32 d, a, b, c, m;", 1, 1, "'SHFL' is no operation that is read"},
    {"redux.sync.add.b32 d, a, m;", 1, 1, "no form"},
    {"redux.sync.and.u32 d, a, m;", 1, 1, "no form"},
    {"redux.sync.add.f32 d, a, m;", 1, 1, "no form"},
    {"vote.sync.ballot.pred d, a, m;", 1, 1, "no form"},
    {"vote.sync.all.b32 d, a, m;", 1, 1, "no form"},
    {"match.sync.sync.b32 d, a, m;", 1, 1, "no form"},
    {"activemask.u32 d;", 1, 1, "no form"},
    {"shfl.sync.idx.b64 d, a, b, c, m;", 1, 1, "no form"},
    {"redux.sync.min.abs.NaN.abs.NaN.f32.and.a.name.that.is.much.too.long.to.be d;", 1, 1, "it has too many words"},
    {"activemask.b32;", 1, 15, "expected a register for .b32, found ';'"},
    {"activemask.b32 d, a;", 1, 17, "expected ';', found ','"},
    {"shfl.sync.idx.b32 d, a, b, c;", 1, 29, "expected ',' and membermask, found ';'"},
    {"shfl.idx.b32 d, a, b, c, m;", 1, 24, "expected ';', found ','"},
    {"vote.sync.all.pred p, q;", 1, 24, "expected ',' and membermask, found ';'"},
    {"redux.sync.add.u32 a, b, c, d, e, f, g, h, i;", 1, 27, "expected ';', found ','"},
    {"shfl.sync.idx.b32 _, a, b, c, m;", 1, 19, "cannot be the only destination"},
    {"shfl.sync.idx.b32 _|_, a, b, c, m;", 1, 19, "only one of the destinations"},
    {"shfl.sync.idx.b32 _|p, a, b, c, m;", 1, 19, "does not take the destination _|p"},
    {"match.any.sync.b32 d|p, a, m;", 1, 20, "does not take the destination d|p"},
    {"vote.sync.all.pred p|q, q, m;", 1, 20, "does not take the destination d|p"},
    {"vote.sync.all.pred !p, q, m;", 1, 20, "only a predicate that is read is negated"},
    {"vote.sync.all.pred p, q, !m;", 1, 26, "only a predicate that is read is negated"},
    {"shfl.sync.idx.b32 d, !a, b, c, m;", 1, 22, "only a predicate that is read is negated"},
    {"match.any.sync.b32 d, a|b, m;", 1, 24, "expected ',' and membermask, found '|'"},
    {"match.any.sync.b64 d, {a, b}, m;", 1, 23, "expected a register for .b64, found '{'"},
    {"match.any.sync.b64 d, {a}, m;", 1, 23, "expected a register for .b64, found '{'"},
    {"match.any.sync.b64 d, {a, b, m;", 1, 23, "expected a register for .b64, found '{'"},
    {"redux.sync.add.u32 5, a, m;", 1, 20, "expected a register for .u32, found '5'"},
    {"vote.sync.all.pred p, 1.0, m;", 1, 23, "cannot be a floating-point constant"},
    {"redux.sync.min.f32 d, 1, m;", 1, 23, "is written 1.0 or 0fXXXXXXXX"},
    {"redux.sync.add.u32 d, 0f3f800000, m;", 1, 23, "cannot be a floating-point constant"},
    {"redux.sync.min.f32 d, -0f3f800000, m;", 1, 23, "minus sign"},
    {"redux.sync.min.f32 d, 1e999, m;", 1, 23, "not a constant of PTX that fits"},
    {"redux.sync.min.f32 d, 3.5e38, m;", 1, 23, "not a constant of PTX that fits"},
    {"redux.sync.min.f32 d, 1.0f, m;", 1, 23, "not a constant"},
    {"redux.sync.min.f32 d, 0f123, m;", 1, 23, "not a constant"},
    {"shfl.sync.idx.b32 d, a, 08, c, m;", 1, 25, "not a constant"},
    {"shfl.sync.idx.b32 d, a, 0x, c, m;", 1, 25, "not a constant"},
    {"shfl.sync.idx.b32 d, a, 12ab, c, m;", 1, 25, "not a constant"},
    {"shfl.sync.idx.b32 d, a, b, c, 0x1ffffffff;", 1, 31, "does not fit the 32 bits of .u32"},
    {"shfl.sync.idx.b32 d, a, b, c, -2147483649;", 1, 31, "does not fit"},
    {"shfl.sync.idx.b32 d, a, b, c, 99999999999999999999;", 1, 31, "not a constant"},
    {"shfl.sync.idx.b32 d, a, -b, c, m;", 1, 26, "not a constant"},
    {"shfl.sync.idx.b32 d, %laneid, b, c, m;", 1, 22, "move it to a register first"},
    {"shfl.sync.idx.b32 d, a, b, c, %lanemask_lt;", 1, 31, "special register"},
    {"@%laneid activemask.b32 d;", 1, 2, "special register"},
    {"activemask.b32 %clock;", 1, 16, "special register"},
    {".global .u64 p = nobody;", 1, 18, "'nobody' is not declared"},
    {"activemask.b32 d;\n.shared .u64 p = nobody;", 2, 18, "'nobody' has no address"},
    {"activemask.b32 d;\n.shared .u64 p = d;", 2, 18, "'d' has no address"},
    {"@_ activemask.b32 d;", 1, 2, "sink"},
    {"vote.sync.all.pred p, q, p;", 1, 26, "'p' is declared .pred, but a register for .u32"},
    {"@d activemask.b32 d;", 1, 19, "'d' is declared .pred, but a register for .b32"},
    {"match.all.sync.b32 d|d, a, m;", 1, 22, "'d' is declared .b32, but a register for .pred"},
    {"shfl.sync.idx.b32 d a, b, c, m;", 1, 21, "expected ',' and a, found 'a'"},
    {"shfl.sync.idx.b32 d,, b, c, m;", 1, 21, "expected a register for .b32, found ','"},
    {"activemask.b32 d;\n/*", 2, 1, "a comment that does not end"},
};

/* What is wrong with a line: an error, or an instruction that is not read. */
static bool find_error(const char *text, size_t size, struct warp_text_error *error)
{
    static const struct module_options piece = {.fragment = true};
    static const struct module_options kept = {.fragment = true, .keep_wrong = true};
    struct module *m = module_read_piece(text, size, &piece, error);
    bool wrong = m == NULL;
    if (m != NULL && m->functions_count > 0 && m->functions[0].instructions[0].op == OP_UNREAD) {
        const struct module_instruction *i = &m->functions[0].instructions[0];
        *error = (struct warp_text_error){.line = i->line, .column = i->column};
        snprintf(error->what, sizeof error->what, "%s: %s", i->name, i->unread);
        wrong = true;
    }
    module_free(m);
    /* The same error, kept in the instruction, where there is one. */
    m = module_read_piece(text, size, &kept, &(struct warp_text_error){0});
    if (m != NULL && wrong && m->functions_count > 0) {
        bool found = false;
        for (uint32_t n = 0; n < m->functions[0].instructions_count; n++) {
            const struct module_instruction *i = &m->functions[0].instructions[n];
            found |= i->op == OP_UNREAD && i->unread_line == error->line && i->unread_column == error->column;
        }
        assert_true(found);
    }
    module_free(m);
    return wrong;
}

static void every_line_has_its_error(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof malformed / sizeof malformed[0]; n++) {
        struct warp_text_error error = {.line = 0};
        const char *text = malformed[n].text;
        if (!find_error(text, strlen(text), &error))
            fail_msg("read: %s", text);
        if (error.line != malformed[n].line || error.column != malformed[n].column ||
            !strstr(error.what, malformed[n].what))
            fail_msg("%s: %zu:%zu: %s", text, error.line, error.column, error.what);
    }
}

static void zero_bytes_are_bytes(void **state)
{
    static const char text[] = "activemask.b32 d\0;";
    struct warp_text_error error;
    (void)state;
    assert_true(find_error(text, sizeof text - 1, &error));
    assert_int_equal(error.column, 17);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_line_has_its_error),
                                       cmocka_unit_test(zero_bytes_are_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
