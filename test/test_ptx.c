/* Single warp instructions: every form, destination, constant and kind of operand. */
#include "base/random.h"
#include "ptx/module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct module_options piece = {.fragment = true};
static struct module *m;

static const struct module_instruction *parse(const char *text)
{
    struct warp_text_error error;
    module_free(m);
    m = module_read_piece(text, strlen(text), &piece, &error);
    if (m == NULL)
        fail_msg("%s: %zu:%zu: %s", text, error.line, error.column, error.what);
    if (m->functions[0].unread)
        fail_msg("%s: %s", text, m->functions[0].unread);
    return &m->functions[0].instructions[0];
}

static const char *name_of(const struct module_operand *o)
{
    assert_int_equal(o->kind, OPERAND_REGISTER);
    return m->functions[0].registers[o->reg].name;
}

static void manual_example(void **state)
{
    const struct module_instruction *i = parse("shfl.sync.up.b32  Ry|p, Rx, 0x1,  0x0, 0xffffffff;");
    (void)state;
    assert_int_equal(i->op, OP_WARP);
    assert_int_equal(i->form, WARP_SHFL_SYNC_UP_B32);
    assert_int_equal(i->dst, WARP_DST_D_P);
    assert_int_equal(i->guard, MODULE_NONE);
    assert_string_equal(name_of(&i->dsts[OPERAND_D]), "Ry");
    assert_string_equal(name_of(&i->dsts[OPERAND_P]), "p");
    assert_string_equal(name_of(&i->srcs[OPERAND_A]), "Rx");
    assert_int_equal(i->srcs[OPERAND_B].kind, OPERAND_IMMEDIATE);
    assert_int_equal(i->srcs[OPERAND_B].value, 1);
    assert_int_equal(i->srcs[OPERAND_C].value, 0);
    assert_int_equal(i->srcs[OPERAND_MEMBERMASK].value, UINT32_MAX);
    assert_int_equal(m->functions[0].registers[i->dsts[OPERAND_D].reg].type, PTX_B32);
    assert_int_equal(m->functions[0].registers[i->dsts[OPERAND_P].reg].type, PTX_PRED);
}

static void guards_and_negation(void **state)
{
    const struct module_instruction *i = parse("@!%p1 vote.sync.ballot.b32 d, !q, -1;");
    (void)state;
    assert_true(i->guard_negate);
    assert_string_equal(m->functions[0].registers[i->guard].name, "%p1");
    assert_true(i->srcs[OPERAND_A].negate);
    assert_int_equal(i->srcs[OPERAND_MEMBERMASK].value, UINT32_MAX);
    i = parse("@p vote.sync.all.pred r, 5, m");
    assert_false(i->guard_negate);
    assert_false(i->srcs[OPERAND_A].negate);
    assert_int_equal(i->srcs[OPERAND_A].value, 1);
}

static void sinks(void **state)
{
    const struct module_instruction *i = parse("match.all.sync.b64 d|_, a, mask;");
    (void)state;
    assert_int_equal(i->dst, WARP_DST_D_SINK);
    assert_int_equal(i->dsts[OPERAND_P].kind, OPERAND_SINK);
    i = parse("match.all.sync.b64 _|p, a, mask;");
    assert_int_equal(i->dst, WARP_DST_SINK_P);
    assert_int_equal(i->dsts[OPERAND_D].kind, OPERAND_SINK);
    i = parse("shfl.idx.b32 d | _ , a , b , c ;");
    assert_int_equal(i->dst, WARP_DST_D_SINK);
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
    char text[128];
    (void)state;
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        snprintf(text, sizeof text, "shfl.sync.idx.b32 d, a, %s, c, m;", values[n].spelling);
        const struct module_operand *b = &parse(text)->srcs[OPERAND_B];
        assert_int_equal(b->kind, OPERAND_IMMEDIATE);
        assert_int_equal(b->value, values[n].bits);
    }
}

static void float_constants(void **state)
{
    static const struct {
        const char *spelling;
        uint32_t bits;
    } values[] = {{"1.0", 0x3f800000}, {"-1.", 0xbf800000},   {".5", 0x3f000000},
                  {"1e3", 0x447a0000}, {"25e-2", 0x3e800000}, {"0f7fffffff", 0x7fffffff}};
    char text[128];
    (void)state;
    for (size_t n = 0; n < sizeof values / sizeof values[0]; n++) {
        snprintf(text, sizeof text, "redux.sync.min.f32 d, %s, m;", values[n].spelling);
        assert_int_equal(parse(text)->srcs[OPERAND_A].value, values[n].bits);
    }
}

static void both_orders_of_abs_and_nan(void **state)
{
    (void)state;
    assert_int_equal(parse("redux.sync.max.abs.NaN.f32 d, a, m;")->form, WARP_REDUX_SYNC_MAX_ABS_NAN_F32);
    assert_int_equal(parse("redux.sync.max.NaN.abs.f32 d, a, m;")->form, WARP_REDUX_SYNC_MAX_ABS_NAN_F32);
}

static void blanks_and_comments(void **state)
{
    const struct module_instruction *i =
        parse("// before\n /* and */ activemask\n.b32 /* inside */ %r1 // after\n;// end");
    (void)state;
    assert_int_equal(i->form, WARP_ACTIVEMASK_B32);
    assert_int_equal(i->line, 2);
    assert_int_equal(i->dsts[OPERAND_D].line, 3);
    assert_string_equal(name_of(&i->dsts[OPERAND_D]), "%r1");
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
        char text[256];
        struct warp_text_error error = {0};
        snprintf(text, sizeof text,
                 ".reg .pred p; .reg .b32 d; .reg .u32 u; .reg .s32 s; .reg .f32 f; .reg .b64 x; .reg .u64 y;"
                 ".reg .f64 g; .reg .b16 h;\n%s",
                 lines[n].text);
        module_free(m);
        m = module_read_piece(text, strlen(text), &piece, &error);
        bool taken = m != NULL && m->functions[0].unread == NULL;
        if (taken != lines[n].taken)
            fail_msg("%s: %s", lines[n].text, taken ? "taken" : error.what);
    }
}

/* A small generator: every form, destination, guard and kind of operand. */
static uint64_t draw(struct random *seed, uint64_t n)
{
    return random_below(seed, n);
}

static void random_operand(struct random *seed, char *buf, size_t size, const char *name, bool real, bool wide)
{
    uint64_t bits = draw(seed, 1u << 30) << 32 | draw(seed, UINT64_C(1) << 31) << 1;
    if (draw(seed, 2))
        snprintf(buf, size, "%s%u", name, (unsigned)draw(seed, 9));
    else if (real)
        snprintf(buf, size, "0f%08X", (unsigned)bits);
    else
        snprintf(buf, size, "0x%llx", (unsigned long long)(wide ? bits : bits & UINT32_MAX));
}

static void random_line(struct random *seed, char *buf, size_t size)
{
    static const char *const destinations[] = {"%d, ", "%d|%e, ", "_|%e, ", "%d|_, ", ""};
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
            snprintf(buf + n, size - (size_t)n, "%s%s, ", info->type == WARP_PRED && draw(seed, 2) ? "!" : "", operand);
    }
    for (int k = 0; k < 2 && warp_form_is_shfl(info); k++) {
        random_operand(seed, operand, sizeof operand, "b", false, false);
        n += snprintf(buf + n, size - (size_t)n, "%s, ", operand);
    }
    if (warp_form_is_sync(info)) {
        random_operand(seed, operand, sizeof operand, "m", false, false);
        n += snprintf(buf + n, size - (size_t)n, "%s, ", operand);
    }
    snprintf(buf + n - 2, size - (size_t)n + 2, ";"); /* no comma behind the last one */
}

/* What the generator drew is what is read: the form and the names of the operands that are there. */
static void every_form_is_read(void **state)
{
    struct random seed = {1};
    char text[512];
    uint64_t forms = 0;
    (void)state;
    for (int n = 0; n < 20000; n++) {
        random_line(&seed, text, sizeof text);
        const struct module_instruction *i = parse(text);
        const struct warp_form_info *info = warp_form_get(i->form);
        const bool has[] = {info->type != WARP_NO_SOURCE, warp_form_is_shfl(info), warp_form_is_shfl(info),
                            warp_form_is_sync(info)};
        assert_non_null(strstr(text, info->name));
        assert_true(info->destinations >> i->dst & 1u);
        assert_int_equal(strstr(text, "_|") != NULL, i->dst == WARP_DST_SINK_P);
        assert_int_equal(strstr(text, "|_") != NULL, i->dst == WARP_DST_D_SINK);
        assert_int_equal(i->dsts[OPERAND_D].kind == OPERAND_NONE, i->dst == WARP_DST_NONE);
        assert_int_equal(text[0] == '@', i->guard != MODULE_NONE);
        for (unsigned k = 0; k < 4; k++)
            assert_int_equal(i->srcs[k].kind != OPERAND_NONE, has[k]);
        for (unsigned k = 0; k < 4; k++)
            if (i->srcs[k].kind == OPERAND_REGISTER)
                assert_non_null(strstr(text, name_of(&i->srcs[k])));
        forms |= UINT64_C(1) << i->form;
    }
    assert_int_equal(forms, (UINT64_C(1) << WARP_FORMS) - 1);
}

/* The words between the first and the type, in another order. */
static void mix_qualifiers(struct random *seed, const char *name, char *mixed)
{
    char copy[64], *words[8];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", name);
    for (char *word = strtok(copy, "."); word; word = strtok(NULL, "."))
        words[count++] = word;
    for (size_t n = 1; n + 1 < count; n++) {
        size_t with = n + (size_t)draw(seed, count - 1 - n);
        char *word = words[n];
        words[n] = words[with];
        words[with] = word;
    }
    mixed[0] = '\0';
    for (size_t n = 0; n < count; n++)
        snprintf(mixed + strlen(mixed), 64 - strlen(mixed), "%s%s", n ? "." : "", words[n]);
}

/* vote.ballot.sync.b32 is vote.sync.ballot.b32: compilers and libraries write both. */
static void qualifiers_in_any_order(void **state)
{
    struct random seed = {3};
    uint64_t forms = 0;
    (void)state;
    for (int n = 0; n < 20000; n++) {
        char text[512], line[640], mixed[64];
        random_line(&seed, text, sizeof text);
        const enum warp_form form = parse(text)->form;
        const char *name = warp_form_get(form)->name, *at = strstr(text, name);
        mix_qualifiers(&seed, name, mixed);
        snprintf(line, sizeof line, "%.*s%s%s", (int)(at - text), text, mixed, at + strlen(name));
        if (parse(line)->form != form)
            fail_msg("%s is read as %s", mixed, warp_form_get(parse(line)->form)->name);
        forms |= strcmp(name, mixed) != 0 ? UINT64_C(1) << form : 0;
    }
    for (uint32_t form = 0; form < WARP_FORMS; form++) { /* those with two words between were mixed */
        unsigned dots = 0;
        for (const char *c = warp_form_get(form)->name; *c; c++)
            dots += *c == '.';
        assert_int_equal(forms >> form & 1u, dots > 2);
    }
}

/* Any bytes: something is read, or there is an error with a place. */
static void damaged_lines(void **state)
{
    static const char marks[] = "@!|,;{}-_.0fx%/*\"\n\\(";
    struct random seed = {2};
    char text[512];
    unsigned read = 0;
    (void)state;
    for (int n = 0; n < 60000; n++) {
        struct warp_text_error error = {.line = 0};
        random_line(&seed, text, sizeof text);
        size_t size = strlen(text);
        for (uint64_t k = draw(&seed, 4); k > 0; k--)
            text[draw(&seed, size)] = draw(&seed, 4) ? marks[draw(&seed, sizeof marks)] : (char)draw(&seed, 256);
        if (draw(&seed, 4) == 0)
            size = (size_t)draw(&seed, size + 1);
        module_free(m);
        m = module_read_piece(text, size, &piece, &error);
        read += m != NULL;
        if (m == NULL)
            assert_true(error.line > 0 && error.column > 0 && error.what[0] != '\0');
    }
    assert_true(read > 5000);
}

static void opcodes_of_warp_instructions(void **state)
{
    (void)state;
    assert_true(ptx_is_warp_opcode("shfl.foo"));
    assert_true(ptx_is_warp_opcode("activemask"));
    assert_true(ptx_is_warp_opcode("redux.sync.add.u32"));
    assert_true(ptx_is_warp_opcode("bar.warp.sync"));
    assert_true(ptx_is_warp_opcode("bar.warp.foo"));
    assert_true(ptx_is_warp_opcode("elect"));
    assert_false(ptx_is_warp_opcode("bar.sync"));
    assert_false(ptx_is_warp_opcode("barrier.sync"));
    assert_false(ptx_is_warp_opcode("bar"));
    assert_false(ptx_is_warp_opcode("shfl_sync"));
    assert_false(ptx_is_warp_opcode("add.u32"));
    assert_false(ptx_is_warp_opcode(""));
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
        cmocka_unit_test(every_form_is_read),
        cmocka_unit_test(qualifiers_in_any_order),
        cmocka_unit_test(damaged_lines),
        cmocka_unit_test(opcodes_of_warp_instructions),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    module_free(m);
    return failed;
}
