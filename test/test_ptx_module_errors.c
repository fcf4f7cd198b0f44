/* Texts that are no modules: the place and the clause of each error. */
#include "ptx/module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

/* In an entry, behind its declarations: the column counts from the start of the line. */
static const struct {
    const char *line;
    unsigned column;
    const char *what;
} lines[] = {
    {"add.s32 %r1, %r2;", 17, "expected ',', found ';'"},
    {"add.s32 %r1;", 12, "expected ',', found ';'"},
    {"add.s32 %r1, %r2, %r3", 0, "expected ';', found '}'"},
    {"add.s32 %r1, %r2, %x3;", 19, "'%x3' is not declared"},
    {"add.s32 %r1, %r2, %r99;", 19, "'%r99' is not declared"},
    {"add.s32 %r1, %r2, %r01;", 19, "'%r01' is not declared"},
    {"add.s32 %r1, %f1, %r2;", 14, "'%f1' is declared .f32, but a register for .s32 must stand here"},
    {"add.s32 %r1, %rd1, %r2;", 14, "'%rd1' is declared .b64"},
    {"add.u32 %r1, %r2, %tid.x;", 19, "move it to a register first"},
    {"mov.u32 %r1, %tid;", 14, "%tid needs a component: %tid.x"},
    {"mov.u32 %r1, %laneid.x;", 21, "%laneid has no such component"},
    {"mov.u32 %r1, %tid.w;", 18, "%tid has no such component"},
    {"add.u64 %rd1, %rd2, g;", 21, "'g' is an address: move it to a register first"},
    {"add.f32 %f1, %f2, 1;", 19, "a .f32 is written 1.0 or 0fXXXXXXXX"},
    {"add.f16 %rs1, %rs2, 1.0;", 21, "a .f16 cannot be a constant"},
    {"add.s32 %r1, %r2, 1.0;", 19, "a .s32 cannot be a floating-point constant"},
    {"add.s32 %r1, %r2, 1/0;", 20, "division by zero"},
    {"add.s32 %r1, %r2, 1+1.5;", 20, "only integers are calculated with"},
    {"add.s32 %r1, %r2, ~1.5;", 19, "'~' needs an integer"},
    {"add.s32 %r1, %r2, 08;", 19, "'08' is not a constant of PTX that fits"},
    {"add.s32 %r1, %r2, (1;", 21, "expected ')', found ';'"},
    {"add.s32 5, %r2, %r3;", 9, "found '5'"},
    {"add.s32 _, %r2, %r3;", 9, "the sink _ cannot stand here"},
    {"mov.pred %p1, %laneid;", 15, "the special register %laneid is an integer of 32 bits"},
    {"mov.f32 %f1, %laneid;", 14, "the special register %laneid is an integer of 32 bits"},
    {"mov.u64 %rd1, %laneid;", 15, "the special register %laneid is an integer of 32 bits"},
    {"add.s32 %r1, %r2, !%r3;", 19, "only a predicate that is read is negated with '!'"},
    {"mov.f32 %f1, -0f3F800000;", 14, "a minus sign cannot stand before 0f"},
    {"mov.f32 %f1, 1e999;", 14, "'1e999' is not a constant of PTX that fits"},
    {".reg .b32 %tid;", 11, "'%tid' is a special register: it cannot be declared"},
    {".reg .b32 _;", 11, "expected the name of a register, found '_'"},
    {"mov.b64 {%r1}, %rd1;", 10, "a .b64 has no 1 equal parts"},
    {"mov.b64 {%r1, %r2, %r3}, %rd1;", 10, "a .b64 has no 3 equal parts"},
    {"mov.b64 {%r1, %rs2}, %rd1;", 15, "'%rs2' is declared .b16"},
    {"selp.b32 %r1, %r2, %r3, %r4;", 25, "a register for .pred"},
    {"setp.lt.s32 %r1, %r2, %r3;", 13, "a register for .pred"},
    {"ld.global.u32 %r1, %rd1;", 20, "expected '[', found '%rd1'"},
    {"ld.global.u32 %r1, [%rd1;", 25, "expected ']', found ';'"},
    {"ld.global.u32 %r1, [%rs1];", 21, "an integer of 32 or 64 bits"},
    {"ld.global.u32 %rs1, [%rd1];", 15, "the size of that or a larger register for .u32"},
    {"ld.global.u32 %f1, [%rd1];", 15, "'%f1' is declared .f32"},
    {"ld.global.v2.u32 %r1, [%rd1];", 18, "expected '{', found '%r1'"},
    {"ld.global.v2.u32 {%r1, %r2, %r3}, [%rd1];", 27, "expected '}', found ','"},
    {"st.global.v2.u32 [%rd1], {_, %r1};", 27, "the sink _ cannot stand here"},
    {"atom.global.cas.b32 %r1, [%rd1], %r2;", 37, "expected ',', found ';'"},
    {"@%r1 ret;", 2, "a register for .pred"},
    {"@ret;", 2, "'ret' is not declared"},
    {"bra NOWHERE;", 5, "'NOWHERE' is no label of this function"},
    {"bra %r1;", 5, "'%r1' is no label of this function"},
    {"brx.idx %r1, L; L:", 14, "'L' is no list of .branchtargets"},
    {"t: .branchtargets A; brx.idx %r1, t;", 19, "'A' is no label of this function"},
    {"{ M: } bra M;", 12, "'M' is no label of this function"},
    {"L: L: ret;", 4, "'L' is declared in line 8 already"},
    {".reg .b32 %r1;", 0, NULL}, /* beside a range: its own register */
    {".reg .b32 a; .reg .f32 a;", 24, "'a' is declared in line 8 already: give it another name"},
    {".reg .b32;", 10, "expected the name of a register"},
    {".reg a;", 6, "expected a type, such as .b32"},
    {".reg .b32 a<;", 13, "expected a number"},
    {".local .align 3 .b8 x[4];", 15, "a power of two"},
    {".local .b8 x[99999999999999];", 13, "larger than 2^40 bytes"},
    {".shared .b8 x[2] = {1, 2, 3};", 28, "more initial values than there are elements"},
    {".shared .u32 x = {{1}};", 20, "more braces than the variable has dimensions"},
    {".const .b8 x = g;", 16, "an address, for which a .b8 has no room"},
    {".shared .u64 x = %rd1;", 18, "'%rd1' has no address"},
    {".bogus 1;", 1, "'.bogus' is no directive that is read in a body"},
    {"call nobody;", 6, "the function 'nobody' is not declared"},
    {"call (%r1), f, (%q);", 17, "'%q' is no register or parameter that is declared"},
    {"call (%r1), f, (g);", 17, "'g' cannot be given to a function: copy it to a .param variable of this body"},
    {"call (%r1), f, (out);", 17, "'out' cannot be given to a function"},
    {"call (g), f, (%r1);", 7, "'g' cannot be given to a function"},
    {"call (%r1, f;", 12, "'f' is no register"},
    {"call (%r1) f;", 12, "expected ','"},
    {"shfl.sync.idx.b32 _, %r1, 0, 31, -1;", 19, "the sink _ cannot be the only destination"},
    {"shfl.sync.idx.b32 _|_, %r1, 0, 31, -1;", 19, "only one of the destinations can be the sink _"},
    {"match.any.sync.b32 %r1|%p1, %r1, -1;", 20, "does not take the destination d|p"},
    {"vote.sync.any.pred %p1, %r1, -1;", 25, "a register for .pred"},
    {"redux.sync.add.u32 %r1, %f1, -1;", 25, "'%f1' is declared .f32"},
    {"elect.sync %r1, -1;", 15, "'|' and a predicate"},
    {"5;", 1, "expected an instruction, a directive, '{' or '}'"},
    {"mov.u32 %r1, \"x\";", 14, "found '\"x\"'"},
    {"\x80\xff;", 1, "found '\\x80'"},
    {"{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{{", 64, "braces nested deeper than 64"},
    {"add.s32 %r1, %r2, -(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(-(1;", 0,
     "nested deeper than 64"},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
     "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa;",
     1, "an opcode of more than 127 characters"},
};

static void in_a_body(void **state)
{
    static const char head[] =
        ".version 8.6\n.target sm_90\n.address_size 64\n.global .u32 g;\n"
        ".func f() { ret; }\n.entry k(.param .u64 out) {\n.reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<99>; "
        ".reg .f32 %f<9>; .reg .b64 %rd<9>;\n";
    (void)state;
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        char text[1024], place[32];
        struct error error;
        snprintf(text, sizeof text, "%s%s\n}\n", head, lines[n].line);
        struct module *m = module_read(text, strlen(text), "x", &error);
        if (lines[n].what == NULL) {
            assert_non_null(m);
            module_free(m);
            continue;
        }
        if (m != NULL)
            fail_msg("%s is read", lines[n].line);
        assert_int_equal(error.code, ERROR_INPUT);
        snprintf(place, sizeof place, "x:8:%u: ", lines[n].column);
        if (strstr(error.text, lines[n].what) == NULL ||
            (lines[n].column != 0 && strncmp(error.text, place, strlen(place)) != 0))
            fail_msg("%s: '%s', not '%s%s'", lines[n].line, error.text, place, lines[n].what);
    }
}

static void of_a_module(void **state)
{
    static const struct {
        const char *text, *error;
    } texts[] = {
        {"add.s32 a, b, c;", "x:1:1: expected a directive, such as .entry, found 'add'"},
        {".version 8;", "x:1:10: expected a PTX version such as 8.6"},
        {".version 8.66", "x:1:10: expected a PTX version"},
        {".target sm_7", "x:1:9: 'sm_7' is not a known target, such as sm_90"},
        {".address_size 48", "x:1:15: an address has 32 or 64 bits"},
        {".file 65536 \"x\"", "x:1:7: a file's number is less than 65536"},
        {".file 1 x", "x:1:9: expected a file's name in quotes"},
        {".bogus", "x:1:1: '.bogus' is no directive of a module that is read"},
        {".section .debug_str { .b8 1", "the '{' before this has no '}'"},
        {".entry", "x:1:7: expected the name of a function"},
        {".entry k", "x:1:9: expected ';', found the end of the text"},
        {".entry k() {", "x:1:13: the body does not end: a '}' is missing"},
        {".entry k() {}\n.entry k() {}", "x:2:8: 'k' has a body already, in line 1"},
        {".global .u32 k;\n.entry k() {}", "x:2:8: 'k' is declared in line 1 already, but as no function"},
        {".global .u32 k;\n.global .u32 k;", "x:2:14: 'k' is declared in line 1 already: give it another name"},
        {".global .u32 k = ;", "x:1:18: expected an initial value, found ';'"},
        {".global .u32 k[2] = {1, 2;", "x:1:26: expected '}', found ';'"},
        {".global .u32;", "x:1:13: expected the name of a variable"},
        {".global .u32 .f32 x;", "x:1:14: expected a name, found '.f32'"},
        {".global .u64 p = nobody;", "x:1:18: 'nobody' is not declared"},
        {".global .b8 x[2][1099511627777];", "larger than 2^40 bytes"},
        {".entry k(.u32 n) {}", "x:1:10: expected '.param' or '.reg'"},
        {".entry k(.param .u32 n, .param .u32 n) {}", "x:1:37: 'n' is declared in line 1 already"},
        {".entry k(.param n) {}", "x:1:17: expected a type, such as .b32"},
        {".entry k() .reqntid 1,2,3,4 {}", "x:1:27: at most three numbers"},
        {".alias a b;", "x:1:10: expected ','"},
        {"/* never", "found a comment that does not end"},
        {".func f() { .loc 1 2; }", "x:1:21: expected a number"},
        {".func f() { .loc 1 2 3, bogus; }", "x:1:25: expected 'function_name' or 'inlined_at'"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof texts / sizeof texts[0]; n++) {
        struct error error;
        struct module *m = module_read(texts[n].text, strlen(texts[n].text), "x", &error);
        if (m != NULL)
            fail_msg("%s is read", texts[n].text);
        if (strstr(error.text, texts[n].error) == NULL)
            fail_msg("%s: '%s', not '%s'", texts[n].text, error.text, texts[n].error);
    }
}

/* Every beginning of a module is a module or an error, never more than that. */
static void every_beginning(void **state)
{
    static const char text[] =
        ".version 8.6\n.target sm_90a, debug\n.address_size 64\n.file 1 \"a.cu\"\n.extern .func (.param .b32 r) "
        "f(.param .b64 a);\n"
        ".global .align 4 .u64 g[2][2] = {{1, generic(g)+4}, {0d3FF0000000000000}};\n.alias h, f;\n"
        ".section .debug { a: .b8 1, 2 {} }\n"
        ".visible .entry k(.param .u64 .ptr .global .align 8 p, .param .align 8 .b8 q[8]) .reqntid 1, 2 .pragma \"x\"; "
        "{\n"
        ".reg .pred %p<3>; .reg .b32 %r<9>, x; .loc 1 2 3, function_name a+1, inlined_at 1 2 3\n"
        "@!%p1 ld.global.nc.L2::128B.v2.u32 {%r1, _}, [x+-4];\n{ .param .b64 a; .reg .v2 .f32 v; call (_), f, (a); }\n"
        "t: .branchtargets A, B; A: brx.idx %r1, t; B: bra A; shfl.sync.idx.b32 %r1|%p1, %r2, (.s64)3*-4, ~0, 1;\n"
        "mma.sync.m16n8k16 {%r1, %r2}, {%r1}; add.cc.u32 %r1, %r2, WARP_SZ; mov.b32 %r1, {%r1, 0f3F800000}; }\n";
    unsigned read = 0;
    (void)state;
    for (size_t size = 0; size < sizeof text; size++) {
        struct error error;
        char *exact = malloc(size + 1); /* so that a sanitizer sees what is read behind it */
        assert_non_null(exact);
        memcpy(exact, text, size);
        struct module *m = module_read(exact, size, "x", &error);
        read += m != NULL;
        if (m == NULL)
            assert_int_equal(strncmp(error.text, "x:", 2), 0);
        module_free(m);
        free(exact);
    }
    assert_true(read > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_body),
        cmocka_unit_test(of_a_module),
        cmocka_unit_test(every_beginning),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
