/* Texts that are not programs: the place and the clause of each error. */
#include "ptx/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static const struct {
    const char *text;
    size_t line, column;
    const char *what;
} malformed[] = {
    {"bra loop;", 1, 5, "'loop' is no label"},
    {"loop: @p bra loop;", 1, 8, "read before anything writes it"},
    {"ld.global.u32 a, b;", 1, 18, "expected '[', found 'b'"},
    {".visible .entry k() {", 1, 22, "a '}' is missing"},
    {"wmma.load a;", 1, 1, "wmma.load is not read"},
    {".entry a() {\n//! input x u32\nret; }\n.entry b() {\n//! input x u32\nret; }", 5, 4,
     "one kernel of a text has notes: a has"},
    {".entry a() { ret; }\n.entry b() { ret; }", 1, 1, "of several kernels"},
    {"//! claim defined\n.func f() { ret; }", 1, 1, "no kernel"},
    {".version 12", 1, 10, "a PTX version such as 8.6"},
    {".target sm_999", 1, 9, "not a known target"},
    {".target", 1, 8, "the end of the text is not a known target"},
    {".address_size x", 1, 15, "32 or 64"},
    {".reg a;", 1, 6, "a type"},
    {".reg .b32 a, a;", 1, 14, "'a' is declared in line 1 already"},
    {".reg .b32 %laneid;", 1, 11, "special register"},
    {".reg .b32 %r<x>;", 1, 14, "a number of registers"},
    {".reg .b32 %r<4294967296>;", 1, 11, "their number does not fit 32 bits"},
    {".reg .b32 %r<-1>;", 1, 11, "their number does not fit 32 bits"},
    {".reg .b32 %r<3;", 1, 15, "'>'"},
    {".reg .b32 a b;", 1, 13, "',' or ';'"},
    {".reg .b32 _;", 1, 11, "the name of a register"},
    {"add.u32 a, b, 1;", 1, 12, "b is read before anything writes it: declare it with '//! input b b32'"},
    {"mov.u32 a, 1;\nmov.pred p, a;", 2, 13, "'a' is declared .b32, but a register for .pred must stand here"},
    {"mov.u32 a, %tid;", 1, 12, "%tid needs a component"},
    {"mov.f32 a, %laneid;", 1, 12, "special register"},
    {"add.u32 a, %laneid, 1;", 1, 12, "special register"},
    {".reg .f32 f;\nmov.u32 f, 1;", 2, 9, "'f' is declared .f32, but a register for .u32 must stand here"},
    {"add.b32 a, 1, 1;", 1, 1, "the type .b32 does not go with it"},
    {"add a, 1, 1;", 1, 1, "a type is missing"},
    {"neg.u32 a, 1;", 1, 1, "the type .u32 does not go with it"},
    {"mul.u32 a, 1, 1;", 1, 1, ".lo, .hi or .wide is missing"},
    {"mul.lo.f32 a, 1.0, 1.0;", 1, 1, ".lo, .hi and .wide are for integers"},
    {"min.NaN.s32 a, 1, 1;", 1, 1, "a modifier that is for floats"},
    {"setp.lo.s32 p, 1, 1;", 1, 1, "lo, ls, hi and hs compare unsigned integers"},
    {"setp.lt.b32 p, 1, 1;", 1, 1, "only eq and ne compare untyped bits"},
    {"setp.num.u32 p, 1, 1;", 1, 1, "that comparison is of floats"},
    {"setp.eq.and.u32 p, 1, 1, q;", 1, 26, "q is read before anything writes it"},
    {"add.u32 a, 1;", 1, 13, "expected ',', found ';'"},
    {"add.u32 1, 1, 1;", 1, 9, "expected a register for .u32, found '1'"},
    {"add.u32 _, 1, 1;", 1, 9, "the sink _ cannot stand"},
    {"add.f32 a, 1.0, 1;", 1, 17, "is written 1.0 or 0fXXXXXXXX"},
    {"add.u32 a, 1, !b;", 1, 15, "only a predicate that is read is negated"},
    {"mov.b64 {_, _}, 1;", 1, 1, "throws both halves away"},
    {"mov.b64 {a, a}, 1;", 1, 1, "both halves to one register"},
    {"exit 1;", 1, 6, "expected ';', found '1'"},
    {"add.u32 a, 1, 1, 1;", 1, 16, "expected ';', found ','"},
    {"add.u32 a, 1, 0x1ffffffff;", 1, 15, "does not fit the 32 bits"},
    {".reg .b32 g;\nmov.u32 a, g.x;", 2, 1, "a component of a vector register"},
    {"a.b.c.d.e.f.g.h.i.j 1;", 1, 1, "is not read"},
    {"shfl.sync.idx.b32 d, 1, 2, 3;", 1, 29, "expected ',' and membermask, found ';'"},
    {"vote.sync.all.pred p, q, 1;", 1, 23, "//! input q pred"},
    {"//! hello", 1, 5, "claim, refute, input, active"},
    {"//! input", 1, 10, "the type of the input"},
    {"//! input x", 1, 12, "the type of the input"},
    {"//! input x f64", 1, 13, "the type of the input"},
    {"//! input x u32 sorted", 1, 17, "'uniform' or 'range LOW HIGH'"},
    {"//! input x u32 range 5 4", 1, 23, "range is empty"},
    {"//! input x u32 range -1 4", 1, 23, "does not hold exactly"},
    {"//! input x f32 range 0 16777217", 1, 23, "does not hold exactly"},
    {"//! input x pred range 0 2", 1, 24, "does not hold exactly"},
    {"//! input x u32\n//! input x u32", 2, 11, "is an input or written above"},
    {".reg .b64 x;\n//! input x u32", 2, 11, "another size"},
    {"mov.u32 x, 1;\n//! input x u32", 2, 11, "is an input or written above"},
    {"//! active x", 1, 12, "a register of the program"},
    {"//! input x b32\n//! active x", 2, 12, "a mask or a uniform 32-bit input"},
    {"//! active 0x1ffffffff", 1, 12, "a mask of 32 lanes"},
    {"//! active 1 2", 1, 14, "nothing more"},
    {"//! active 0\n//! input mask b32 uniform\n//! active mask", 3, 12, "said above"},
    {"//! active 1\n//! active 1", 2, 12, "said above"},
    {"//! exited 1\n//! exited 2", 2, 12, "said above"},
    {"//! exited x", 1, 12, "a mask of 32 lanes"},
    {"//! abstract neg.f32", 1, 14, "two sources"},
    {"//! abstract add.f32 pure", 1, 22, "'commutative' or 'associative'"},
    {"//! abstract add.f32\n//! abstract add.u32", 2, 14, "one operation"},
    {"//! from \x01", 1, 10, "printable ASCII"},
    {"//! claim", 1, 10, "a register of the program"},
    {"//! claim uniform x", 1, 19, "a register of the program"},
    {".reg .b32 x;\n//! claim uniform x", 2, 19, "neither an input nor written"},
    {"//! input x u32\n//! claim x", 2, 12, "'='"},
    {"//! input x u32\n//! claim x = sum", 2, 15, "final, initial, from"},
    {"//! input x u32\n//! claim x = reduce sub", 2, 22, "an operation"},
    {"//! input x u32\n//! claim x = reduce and.u32", 2, 25, "a type that goes"},
    {"//! input x f32\n//! claim x = reduce and", 2, 15, "do not go together"},
    {"//! input x f32\n//! claim x = exscan add", 2, 15, "no neutral element"},
    {"//! input x u64\n//! input y u32\n//! claim x = reduce add of y", 3, 15, "do not go together"},
    {"//! input x u32\nmov.u32 y, x;\n//! claim y = reduce add", 3, 25, "y is not an input"},
    {"//! input x u32\n//! claim x = from 32", 2, 20, "a lane from 0 to 31"},
    {"//! input x u32\n//! claim x = from 4 over width 4", 2, 4, "a place in the warp"},
    {"//! input x u32\n//! claim uniform x over width 3", 2, 32, "a width: 1 2 4"},
    {"//! input x u32\n//! claim uniform x over it", 2, 26, "'width N'"},
    {"//! input x u32\nmov.u32 y, x;\n//! claim uniform x over equal y", 3, 32, "an input"},
    {"//! input x u32\n//! claim uniform x where x", 2, 27, "a predicate"},
    {"//! input x u32\n//! claim uniform x lanes", 2, 26, "a mask of 32 lanes"},
    {"//! claim defined x y", 1, 19, "a register of the program"},
    {"//! claim faultless always", 1, 21, "nothing more"},
    {"mov.u32 a, 1;\n/* open", 2, 1, "a comment that does not end"},
};

static void every_text_has_its_error(void **state)
{
    unsigned wrong = 0;
    (void)state;
    for (size_t n = 0; n < sizeof malformed / sizeof malformed[0]; n++) {
        struct warp_text_error error = {.line = 0};
        const char *text = malformed[n].text;
        struct program *read = program_parse(text, strlen(text), NULL, &error);
        if (read)
            print_error("read: %s\n", text);
        wrong += read != NULL;
        program_free(read);
        if (read)
            continue;
        if (error.line != malformed[n].line || error.column != malformed[n].column ||
            !strstr(error.what, malformed[n].what))
            print_error("%s\n  %zu:%zu: %s\n", text, error.line, error.column, error.what);
        wrong += error.line != malformed[n].line || error.column != malformed[n].column ||
                 !strstr(error.what, malformed[n].what);
    }
    assert_int_equal(wrong, 0);
}

/* What is more than plain is read too, and is not printed anew. */
static void more_than_plain_is_read(void **state)
{
    static const char *const texts[] = {
        "loop: add.u32 a, 1, 1;",
        "{ add.u32 a, 1, 1; }",
        ".reg .b16 h;\nmov.b16 h, 1;",
        "mov.u32 a, %tid.x;",
        "add.s16 a, 1, 1;",
        "add.f64 a, 1.0, 1.0;",
        "mul.hi.u32 a, 1, 1;",
        "mul.rz.f32 a, 1.0, 1.0;",
        "add.sat.s32 a, 1, 1;",
        "add.cc.u32 a, 1, 1;",
        "add.ftz.f32 a, 1.0, 1.0;",
        "setp.eq.u32 p|q, 1, 1;",
        "mov.b32 {a, b}, 1;",
        ".shared .b32 s[32];\nst.shared.u32 [s], 1;",
        "//! from here\n.version 8.0\n.entry k() {\n//! input x u32\nadd.u32 y, x, 1;\nret;\n}\n//! claim faultless",
    };
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        struct warp_text_error error;
        char text[256];
        struct program *p = program_parse(texts[n], strlen(texts[n]), NULL, &error);
        if (!p)
            fail_msg("%s: %zu:%zu: %s", texts[n], error.line, error.column, error.what);
        assert_int_equal(p->is_plain, n < 2);
        program_print(p, text, sizeof text);
        if (!p->is_plain)
            assert_string_equal(text, texts[n]);
        program_free(p);
    }
}

/* `count` times `line` with its number in it. */
static char *repeat(const char *head, const char *line, unsigned count)
{
    size_t room = strlen(head) + (strlen(line) + 12) * count + 1;
    char *text = malloc(room);
    assert_non_null(text);
    size_t used = (size_t)snprintf(text, room, "%s", head);
    for (unsigned n = 0; n < count; n++) {
        const char *mark = strchr(line, '#');
        int before = mark ? (int)(mark - line) : (int)strlen(line);
        used += (size_t)snprintf(text + used, room - used, "%.*s", before, line);
        if (mark)
            used += (size_t)snprintf(text + used, room - used, "%u%s", n, mark + 1);
    }
    return text;
}

static void expect_limit(char *text, size_t line, const char *what)
{
    struct warp_text_error error = {.line = 0};
    assert_null(program_parse(text, strlen(text), NULL, &error));
    if (error.line != line || !strstr(error.what, what))
        fail_msg("%zu: %s, not %s", error.line, error.what, what);
    free(text);
}

static void limits(void **state)
{
    struct warp_text_error error;
    (void)state;
    expect_limit(repeat("", "exit;\n", PROGRAM_INSTRUCTIONS_MAX + 1), PROGRAM_INSTRUCTIONS_MAX + 1,
                 "at most 4096 instructions");
    expect_limit(repeat("", "mov.u32 r#, 1;\n", PROGRAM_REGISTERS_MAX + 1), PROGRAM_REGISTERS_MAX + 1,
                 "at most 512 registers");
    expect_limit(repeat("", "//! claim defined\n", PROGRAM_CLAIMS_MAX + 1), PROGRAM_CLAIMS_MAX + 1,
                 "at most 64 claims");
    expect_limit(repeat("//! from ", "x", 200), 1, "at most 199 characters");
    expect_limit(repeat("//! input x u32\n//! claim uniform x", " lanes 0xf", 20), 2, "at most 159 characters");
    char *large = calloc(1, PROGRAM_TEXT_MAX + 1);
    assert_non_null(large);
    assert_null(program_parse(large, PROGRAM_TEXT_MAX + 1, NULL, &error));
    assert_non_null(strstr(error.what, "at most 1048576 bytes"));
    free(large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_text_has_its_error),
                                       cmocka_unit_test(more_than_plain_is_read), cmocka_unit_test(limits)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
