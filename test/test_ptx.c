/* Reading and printing one warp instruction. */
#include "ptx/ptx.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static void parse(const char *text, struct ptx_instruction *i)
{
    struct warp_text_error error;
    if (!ptx_parse(text, strlen(text), i, &error))
        fail_msg("%s: %zu:%zu: %s", text, error.line, error.column, error.what);
}

static void manual_example(void **state)
{
    struct ptx_instruction i;
    (void)state;
    parse("shfl.sync.up.b32  Ry|p, Rx, 0x1,  0x0, 0xffffffff;", &i);
    assert_int_equal(i.form, WARP_SHFL_SYNC_UP_B32);
    assert_int_equal(i.dst, WARP_DST_D_P);
    assert_int_equal(i.guard.kind, PTX_NONE);
    assert_string_equal(i.d.name, "Ry");
    assert_string_equal(i.p.name, "p");
    assert_string_equal(i.a.name, "Rx");
    assert_int_equal(i.b.kind, PTX_IMMEDIATE);
    assert_int_equal(i.b.value, 1);
    assert_int_equal(i.c.value, 0);
    assert_int_equal(i.membermask.value, UINT32_MAX);
}

static void guards_and_negation(void **state)
{
    struct ptx_instruction i;
    (void)state;
    parse("@!%p1 vote.sync.ballot.b32 d, !q, -1;", &i);
    assert_true(i.guard_negate);
    assert_string_equal(i.guard.name, "%p1");
    assert_true(i.negate);
    assert_int_equal(i.membermask.value, UINT32_MAX);
    parse("@p vote.sync.all.pred r, 5, m", &i);
    assert_false(i.guard_negate);
    assert_false(i.negate);
    assert_int_equal(i.a.value, 1);
}

static void sinks(void **state)
{
    struct ptx_instruction i;
    (void)state;
    parse("match.all.sync.b64 d|_, a, mask;", &i);
    assert_int_equal(i.dst, WARP_DST_D_SINK);
    assert_int_equal(i.p.kind, PTX_SINK);
    parse("match.all.sync.b64 _|p, a, mask;", &i);
    assert_int_equal(i.dst, WARP_DST_SINK_P);
    assert_int_equal(i.d.kind, PTX_SINK);
    parse("shfl.idx.b32 d | _ , a , b , c ;", &i);
    assert_int_equal(i.dst, WARP_DST_D_SINK);
}

static void constants(void **state)
{
    static const struct {
        const char *spelling;
        uint32_t bits;
    } values[] = {{"0", 0},
                  {"017", 15},
                  {"0x1F", 31},
                  {"0XfU", 15},
                  {"0b101", 5},
                  {"42U", 42},
                  {"-2", 0xfffffffe},
                  {"-2147483648", 0x80000000},
                  {"4294967295", UINT32_MAX},
                  {"0f3F800000", 0x3f800000}};
    struct ptx_instruction i;
    char text[128];
    (void)state;
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        snprintf(text, sizeof text, "shfl.sync.idx.b32 d, a, %s, c, m;", values[n].spelling);
        parse(text, &i);
        assert_int_equal(i.b.kind, PTX_IMMEDIATE);
        assert_int_equal(i.b.value, values[n].bits);
    }
}

static void float_constants(void **state)
{
    static const struct {
        const char *spelling;
        uint32_t bits;
    } values[] = {{"1.0", 0x3f800000}, {"-1.", 0xbf800000},   {".5", 0x3f000000},
                  {"1e3", 0x447a0000}, {"25e-2", 0x3e800000}, {"0f7fffffff", 0x7fffffff}};
    struct ptx_instruction i;
    char text[128];
    (void)state;
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        snprintf(text, sizeof text, "redux.sync.min.f32 d, %s, m;", values[n].spelling);
        parse(text, &i);
        assert_int_equal(i.a.kind, PTX_FLOAT);
        assert_int_equal(i.a.value, values[n].bits);
    }
}

static void both_orders_of_abs_and_nan(void **state)
{
    struct ptx_instruction i, j;
    (void)state;
    parse("redux.sync.max.abs.NaN.f32 d, a, m;", &i);
    parse("redux.sync.max.NaN.abs.f32 d, a, m;", &j);
    assert_int_equal(i.form, WARP_REDUX_SYNC_MAX_ABS_NAN_F32);
    assert_true(ptx_equal(&i, &j));
}

static void blanks_and_comments(void **state)
{
    struct ptx_instruction i;
    (void)state;
    parse("// before\n /* and */ activemask\n.b32 /* inside */ %r1 // after\n;// end", &i);
    assert_int_equal(i.form, WARP_ACTIVEMASK_B32);
    assert_int_equal(i.d.line, 3);
    assert_string_equal(i.d.name, "%r1");
}

static enum ptx_type declared(void *context, const char *name)
{
    (void)context;
    static const struct {
        const char *name;
        enum ptx_type type;
    } types[] = {{"p", PTX_PRED}, {"d", PTX_B32}, {"u", PTX_U32}, {"f", PTX_F32}, {"x", PTX_B64},
                 {"y", PTX_U64},  {"g", PTX_F64}, {"h", PTX_B16}, {"s", PTX_S32}};
    for (size_t n = 0; n < sizeof types / sizeof types[0]; n++)
        if (strcmp(types[n].name, name) == 0)
            return types[n].type;
    return PTX_UNKNOWN;
}

/* What ptxas 13.0 answers to these lines with the declarations above. */
static void types_as_the_assembler(void **state)
{
    static const struct {
        bool taken;
        const char *text;
    } lines[] = {
        {true, "shfl.sync.idx.b32 f, u, s, d, d;"},
        {true, "shfl.sync.idx.b32 d, d, f, f, u;"},
        {false, "shfl.sync.idx.b32 x, d, d, d, d;"},
        {false, "shfl.sync.idx.b32 d, d, d, d, f;"},
        {false, "shfl.sync.idx.b32 d, h, d, d, d;"},
        {true, "vote.sync.ballot.b32 f, p, d;"},
        {false, "vote.sync.ballot.b32 d, d, u;"},
        {false, "vote.sync.all.pred p, p, x;"},
        {true, "match.any.sync.b32 d, f, u;"},
        {false, "match.any.sync.b32 f, d, u;"},
        {false, "match.any.sync.b64 d, d, u;"},
        {true, "match.any.sync.b64 d, g, u;"},
        {true, "match.any.sync.b64 u, y, d;"},
        {false, "match.all.sync.b32 d|d, u, u;"},
        {true, "redux.sync.add.u32 s, u, d;"},
        {false, "redux.sync.add.u32 f, u, d;"},
        {true, "redux.sync.min.f32 d, d, d;"},
        {false, "redux.sync.min.f32 u, u, d;"},
        {false, "redux.sync.and.b32 f, f, d;"},
        {false, "redux.sync.and.b32 u, f, d;"},
        {true, "activemask.b32 f;"},
        {false, "activemask.b32 x;"},
        {true, "@p shfl.sync.idx.b32 d|p, d, d, d, d;"},
        {false, "@d activemask.b32 d;"},
        {true, "redux.sync.min.f32 unknown, f, unknown;"},
    };
    (void)state;
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        struct ptx_instruction i;
        struct warp_text_error error;
        bool taken =
            ptx_parse(lines[n].text, strlen(lines[n].text), &i, &error) && ptx_check_types(&i, declared, NULL, &error);
        if (taken != lines[n].taken)
            fail_msg("%s: %s", lines[n].text, taken ? "taken" : error.what);
    }
}

/* A small generator: every form, destination, guard and kind of operand. */
static uint64_t draw(uint64_t *seed, uint64_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*seed >> 33) % n;
}

static void random_operand(uint64_t *seed, char *buf, size_t size, const char *name, bool real, bool wide)
{
    uint64_t bits = draw(seed, 1u << 30) << 32 | draw(seed, UINT64_C(1) << 31) << 1;
    if (draw(seed, 2))
        snprintf(buf, size, "%s%u", name, (unsigned)draw(seed, 9));
    else if (real)
        snprintf(buf, size, "0f%08X", (unsigned)bits);
    else
        snprintf(buf, size, "0x%llx", (unsigned long long)(wide ? bits : bits & UINT32_MAX));
}

static void random_line(uint64_t *seed, char *buf, size_t size)
{
    static const char *const destinations[] = {"%d", "%d|%e", "_|%e", "%d|_"};
    const struct warp_form_info *info = warp_form_get((uint32_t)draw(seed, WARP_FORMS));
    uint32_t dst = (uint32_t)draw(seed, WARP_DST_COUNT);
    char operand[64];
    int n = snprintf(buf, size, "%s%s %s", draw(seed, 2) ? "@!g" : "", "", info->name);
    while (!(info->destinations >> dst & 1u))
        dst = (dst + 1) % WARP_DST_COUNT;
    n += snprintf(buf + n, size - (size_t)n, " %s", destinations[dst]);
    if (info->type != WARP_NO_SOURCE) {
        random_operand(seed, operand, sizeof operand, info->type == WARP_PRED ? "q" : "a", info->type == WARP_F32,
                       info->type == WARP_B64);
        n +=
            snprintf(buf + n, size - (size_t)n, ", %s%s", info->type == WARP_PRED && draw(seed, 2) ? "!" : "", operand);
    }
    for (int k = 0; k < 2 && warp_form_is_shfl(info); k++) {
        random_operand(seed, operand, sizeof operand, "b", false, false);
        n += snprintf(buf + n, size - (size_t)n, ", %s", operand);
    }
    if (warp_form_is_sync(info)) {
        random_operand(seed, operand, sizeof operand, "m", false, false);
        n += snprintf(buf + n, size - (size_t)n, ", %s", operand);
    }
    snprintf(buf + n, size - (size_t)n, ";");
}

static void check_round_trip(const struct ptx_instruction *i)
{
    char printed[PTX_LINE_MAX], cut[8];
    struct ptx_instruction again;
    size_t length = ptx_print(i, printed, sizeof printed);
    assert_int_equal(length, strlen(printed));
    assert_int_equal(ptx_print(i, cut, sizeof cut), length);
    parse(printed, &again);
    assert_true(ptx_equal(i, &again));
}

static void printing_round_trips(void **state)
{
    uint64_t seed = 1;
    char text[512];
    (void)state;
    for (int n = 0; n < 20000; n++) {
        struct ptx_instruction i;
        random_line(&seed, text, sizeof text);
        parse(text, &i);
        check_round_trip(&i);
    }
}

/* Any bytes: an instruction that prints and reads back, or an error with a place. */
static void damaged_lines(void **state)
{
    static const char marks[] = "@!|,;{}-_.0fx%/*\"\n\\(";
    uint64_t seed = 2;
    char text[512];
    unsigned read = 0;
    (void)state;
    for (int n = 0; n < 60000; n++) {
        struct ptx_instruction i;
        struct warp_text_error error = {0, 0, ""};
        random_line(&seed, text, sizeof text);
        size_t size = strlen(text);
        for (uint64_t k = draw(&seed, 4); k > 0; k--)
            text[draw(&seed, size)] = draw(&seed, 4) ? marks[draw(&seed, sizeof marks)] : (char)draw(&seed, 256);
        if (draw(&seed, 4) == 0)
            size = (size_t)draw(&seed, size + 1);
        if (ptx_parse(text, size, &i, &error)) {
            check_round_trip(&i);
            read++;
        } else {
            assert_true(error.line > 0 && error.column > 0 && error.what[0] != '\0');
        }
    }
    assert_true(read > 5000);
}

static void longest_line_fits(void **state)
{
    struct ptx_instruction i;
    char name[PTX_NAME_MAX + 1], text[1024];
    (void)state;
    memset(name, 'r', PTX_NAME_MAX);
    name[PTX_NAME_MAX] = '\0';
    snprintf(text, sizeof text, "@!%.60sg shfl.sync.down.b32 %s|%.60sp, %s, %s, %s, %s;", name, name, name, name, name,
             name, name);
    parse(text, &i);
    assert_true(ptx_print(&i, NULL, 0) < PTX_LINE_MAX);
    check_round_trip(&i);
}

static void opcodes_of_warp_instructions(void **state)
{
    (void)state;
    assert_true(ptx_is_warp_opcode("shfl.foo", 8));
    assert_true(ptx_is_warp_opcode("activemask", 10));
    assert_true(ptx_is_warp_opcode("redux.sync.add.u32", 18));
    assert_false(ptx_is_warp_opcode("shfl_sync", 9));
    assert_false(ptx_is_warp_opcode("add.u32", 7));
    assert_false(ptx_is_warp_opcode("", 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(manual_example),
        cmocka_unit_test(guards_and_negation),
        cmocka_unit_test(sinks),
        cmocka_unit_test(constants),
        cmocka_unit_test(float_constants),
        cmocka_unit_test(both_orders_of_abs_and_nan),
        cmocka_unit_test(blanks_and_comments),
        cmocka_unit_test(types_as_the_assembler),
        cmocka_unit_test(printing_round_trips),
        cmocka_unit_test(damaged_lines),
        cmocka_unit_test(longest_line_fits),
        cmocka_unit_test(opcodes_of_warp_instructions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
