/* Reading and printing programs. */
#include "base/random.h"
#include "ptx/program.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static struct program *parse(const char *text)
{
    struct warp_text_error error;
    struct program *program = program_parse(text, strlen(text), NULL, &error);
    if (!program)
        fail_msg("%zu:%zu: %s in\n%s", error.line, error.column, error.what, text);
    return program;
}

static void check_round_trip(const struct program *program)
{
    size_t size = program_print(program, NULL, 0) + 1;
    char *text = malloc(size);
    assert_non_null(text);
    assert_int_equal(program_print(program, text, size), size - 1);
    struct program *again = parse(text);
    if (!program_equal(program, again))
        fail_msg("does not read back:\n%s", text);
    program_free(again);
    free(text);
}

static const char scan[] = ".version 6.0\n"
                           ".target sm_70, debug\n"
                           "//! from here\n"
                           "//! input Rx f32 range -5 10\n"
                           "//! claim Rx = scan add over width 2 lanes 0xff where !p\n"
                           "    shfl.sync.up.b32  Ry|p, Rx, 0x1, 0x0, 0xffffffff;\n"
                           "@p  add.f32           Rx, Ry, Rx;\n"
                           "//! refute uniform Rx // because\n";

static void what_a_program_holds(void **state)
{
    (void)state;
    struct program *p = parse(scan);
    assert_int_equal(p->ptx, 60);
    assert_int_equal(p->target, WARP_TARGET(70, 0));
    assert_string_equal(p->from, "here");
    assert_int_equal(p->instructions_count, 2);
    assert_int_equal(p->registers_count, 3);
    uint32_t x = program_register_find(p, "Rx"), y = program_register_find(p, "Ry"), q = program_register_find(p, "p");
    assert_true(p->registers[x].input.is_input);
    assert_int_equal(p->registers[x].type, PTX_F32);
    assert_int_equal(p->registers[x].input.low, -5);
    assert_int_equal(p->registers[x].input.high, 10);
    assert_int_equal(p->registers[y].type, PTX_B32);
    assert_int_equal(p->registers[q].type, PTX_PRED);
    const struct module_instruction *i = &p->instructions[0];
    assert_int_equal(i->op, OP_WARP);
    assert_int_equal(i->line, 6);
    assert_int_equal(i->form, WARP_SHFL_SYNC_UP_B32);
    assert_int_equal(i->dsts[0].reg, y);
    assert_int_equal(i->dsts[1].reg, q);
    assert_int_equal(i->srcs[OPERAND_A].reg, x);
    assert_int_equal(i->srcs[OPERAND_MEMBERMASK].value, UINT32_MAX);
    assert_int_equal(p->instructions[1].guard, q);
    assert_int_equal(p->claims_count, 2);
    const struct program_claim *c = &p->claims[0];
    assert_int_equal(c->kind, PROGRAM_CLAIM_SCAN);
    assert_int_equal(c->op, OP_ADD);
    assert_int_equal(c->type, PTX_F32);
    assert_int_equal(c->group.width, 2);
    assert_int_equal(c->lanes, 0xff);
    assert_int_equal(c->where, q);
    assert_true(c->where_negate);
    assert_string_equal(c->text, "Rx = scan add over width 2 lanes 0xff where !p");
    assert_true(p->claims[1].refute);
    assert_string_equal(p->claims[1].text, "uniform Rx");
    check_round_trip(p);
    program_free(p);
}

static void every_instruction_round_trips(void **state)
{
    static const char *const lines[] = {
        "mov.u32 a, %lanemask_gt;",
        "mov.pred p, !q;",
        "mov.f32 f, 1.5;",
        "mov.b32 f, 0f80000000;",
        "mov.b64 x, 0x123456789a;",
        "add.u32 a, a, -1;",
        "add.rn.f32 f, f, 0f3f800000;",
        "sub.s64 x, x, y;",
        "mul.lo.u64 x, x, 3;",
        "mul.f32 f, f, f;",
        "min.NaN.f32 f, f, f;",
        "max.s32 a, a, b;",
        "and.pred p, !p, 1;",
        "or.b64 x, x, y;",
        "xor.b32 a, a, 0x80000000;",
        "not.b32 a, a;",
        "shl.b64 x, x, a;",
        "shr.s32 a, a, 31;",
        "neg.f32 f, f;",
        "abs.s64 x, x;",
        "selp.b32 a, a, b, !p;",
        "selp.f32 f, 0.0, f, p;",
        "setp.lo.u32 p, a, b;",
        "setp.geu.f32 p, f, f;",
        "setp.num.f32 p, f, f;",
        "setp.ne.b64 p, x, y;",
        "popc.b64 a, x;",
        "clz.b32 a, a;",
        "brev.b64 x, x;",
        "mov.b64 x, {a, 7};",
        "mov.b64 {a, b}, x;",
        "mov.b64 {_, b}, x;",
        "mov.b64 {a, _}, x;",
        "@!p exit;",
        "exit;",
        "@p vote.sync.all.pred q, !p, a;",
        "vote.sync.any.pred q, !0, 1;",
        "match.all.sync.b64 _|p, x, a;",
        "match.any.sync.b64 a, 99, b;",
        "redux.sync.min.abs.f32 f, 0f7f800000, a;",
        "redux.sync.max.s32 a, -5, b;",
        "activemask.b32 a;",
        "vote.uni.pred p, p;",
    };
    (void)state;
    for (size_t n = 0; n < sizeof lines / sizeof lines[0]; n++) {
        char text[512];
        snprintf(text, sizeof text,
                 "//! input a u32\n//! input b b32\n//! input x b64\n//! input y b64\n//! input p pred\n"
                 "//! input q pred\n//! input f f32\n.reg .b64 unused;\n%s\n",
                 lines[n]);
        /* u32 against s32 and b32: a is drawn as u32 but usable as any integer. */
        struct program *p = parse(text);
        assert_int_equal(p->instructions_count, 1);
        check_round_trip(p);
        program_free(p);
    }
}

static void every_note_round_trips(void **state)
{
    (void)state;
    struct program *p = parse(
        "//! input m b32 uniform\n//! active m\n//! exited 0xf0\n//! abstract mul.lo.s32 commutative associative\n"
        "//!\n//! input x s32 range -7 -3\n//! input k u64\n//! input q pred uniform range 0 1\nmov.b32 y, x;\n"
        "//! claim faultless\n//! claim defined\n//! claim defined y lanes 3\n//! claim uniform y over equal k\n"
        "//! claim y = initial x\n//! claim x = final y over mask 0xff\n//! claim y = from 1 of x over width 4\n"
        "//! refute y = reduce min.u32 of x\n//! claim y = rscan xor of x\n//! claim y = exscan add of q\n"
        "//! claim y = ballot q where q\n//! claim y = peers k\n//! claim y = reduce add of m\n");
    assert_int_equal(p->claims_count, 13);
    assert_int_equal(p->claims[12].type, PTX_U32);
    assert_int_equal(p->active_reg, program_register_find(p, "m"));
    assert_int_equal(p->exited, 0xf0);
    assert_true(p->abstract.commutative && p->abstract.associative);
    assert_int_equal(p->abstract.type, PTX_S32);
    assert_int_equal(p->claims[7].type, PTX_U32);
    assert_int_equal(p->claims[8].type, PTX_B32);
    check_round_trip(p);
    program_free(p);
}

static void ranges_of_registers(void **state)
{
    (void)state;
    struct program *p = parse(".reg .f32 %f<4>;\n.reg .pred %p<2>, done;\n.reg .b64 %rd<1>;\nmov.f32 %f3, "
                              "1.0;\nsetp.eq.f32 %p1, %f3, 0.0;\n");
    assert_int_equal(p->registers[program_register_find(p, "%f3")].type, PTX_F32);
    assert_int_equal(p->registers[program_register_find(p, "%p1")].type, PTX_PRED);
    assert_int_equal(p->registers[program_register_find(p, "done")].type, PTX_PRED);
    assert_int_equal(program_register_find(p, "%f0"), MODULE_NONE);
    check_round_trip(p);
    program_free(p);
    p = parse(".reg .f32 %f<4>;\nmov.b32 %f4, 1;\nmov.b32 %f04, 1;\n"); /* outside the range: a register of its own */
    assert_int_equal(p->registers[program_register_find(p, "%f4")].type, PTX_B32);
    assert_int_equal(p->registers[program_register_find(p, "%f04")].type, PTX_B32);
    program_free(p);
}

static void implicit_inputs(void **state)
{
    static const char text[] = "@g add.f32 x, y, y;";
    struct program_options options = {.implicit_inputs = true};
    struct warp_text_error error;
    (void)state;
    struct program *p = program_parse(text, strlen(text), &options, &error);
    assert_non_null(p);
    uint32_t y = program_register_find(p, "y");
    assert_true(p->registers[y].input.is_input && p->registers[y].input.implicit);
    assert_int_equal(p->registers[program_register_find(p, "g")].type, PTX_PRED);
    assert_false(p->registers[program_register_find(p, "x")].input.is_input);
    program_free(p);
    assert_null(program_parse(text, strlen(text), NULL, &error));
    char longer[] = "mov.b32 x, y234567890123456789012345678901234567890123456789012345678901234;";
    assert_null(program_parse(longer, strlen(longer), &options, &error));
    assert_string_equal(error.what, "a register's name of more than 63 characters is not read");
    memcpy(strchr(longer, ';') - 1, "; ", 2); /* 63 */
    p = program_parse(longer, strlen(longer), &options, &error);
    assert_non_null(p);
    program_free(p);
}

static void targets(void **state)
{
    struct error why = {0};
    (void)state;
    struct program *p = parse("vote.any.pred p, 1;");
    assert_int_equal(program_target(p, &why), WARP_TARGET(70, 0));
    program_free(p);
    p = parse("vote.any.pred p, 1;\nmatch.any.sync.b32 d, 1, 1;");
    assert_int_equal(program_target(p, &why), WARP_TARGET(70, 0));
    program_free(p);
    p = parse("vote.any.pred p, 1;\nredux.sync.add.u32 d, 1, 1;");
    assert_int_equal(program_target(p, &why), 0);
    assert_string_equal(why.text, "no target takes all instructions of the program");
    program_free(p);
    p = parse(".target sm_60\nmatch.any.sync.b32 d, 1, 1;");
    assert_int_equal(program_target(p, &why), 0);
    assert_non_null(strstr(why.text, "sm_60 does not take"));
    program_free(p);
}

static void differences_are_seen(void **state)
{
    static const char *const texts[] = {"//! input x u32\nsetp.lt.u32 p, x, 1;",
                                        "//! input x u32\nsetp.le.u32 p, x, 1;",
                                        "//! input x u32\nadd.u32 y, x, 1;",
                                        "//! input x u32\nadd.u32 y, x, 2;",
                                        "//! input x u32\nadd.s32 y, x, 1;",
                                        "//! input x u32 uniform\nadd.u32 y, x, 1;",
                                        "//! input x u32\nsub.u32 y, x, 1;",
                                        "//! input x u32\nadd.u32 x, x, 1;",
                                        "//! input x u32\n//! active 1\nadd.u32 y, x, 1;",
                                        "//! input x u32\nadd.u32 y, x, 1;\n//! claim uniform y",
                                        "//! input x u32\nadd.u32 y, x, 1;\n//! refute uniform y",
                                        "//! input x u32\nadd.u32 y, x, 1;\n//! claim uniform x",
                                        ".version 6.0\n//! input x u32\nadd.u32 y, x, 1;"};
    struct program *programs[sizeof texts / sizeof texts[0]];
    size_t count = sizeof texts / sizeof texts[0];
    (void)state;
    for (size_t n = 0; n < count; n++)
        programs[n] = parse(texts[n]);
    for (size_t n = 0; n < count; n++)
        for (size_t k = 0; k < count; k++)
            assert_int_equal(program_equal(programs[n], programs[k]), n == k);
    for (size_t n = 0; n < count; n++)
        program_free(programs[n]);
}

/* Damaged text: a program that round trips, or an error with a place. */
static void damaged_programs(void **state)
{
    static const char whole[] =
        ".reg .b32 %r<5>;\n//! input Rx f32 range -5 10\n//! input m b32 uniform\n//! active m\n//! abstract add.f32 "
        "commutative\n"
        "shfl.sync.up.b32 Ry|p, Rx, 0x1, 0x0, 0xffffffff;\n@!p add.f32 Rx, Ry, 1.0;\nmov.b64 q, {Rx, 3};\n"
        "mov.b64 {_, Rx}, q;\nsetp.lt.u32 p, m, 3;\n//! claim Rx = scan add over width 4 where !p\n//! refute "
        "defined\n";
    static const char marks[] = "@!|,;{}-_.0fx%/*\"\n =";
    struct random random = {3};
    (void)state;
    for (int n = 0; n < 30000; n++) {
        char text[sizeof whole];
        struct warp_text_error error = {.line = 0};
        memcpy(text, whole, sizeof whole);
        for (unsigned k = 0; k < 1u + (unsigned)n % 3; k++) {
            const uint64_t seed = random_next(&random);
            text[(seed >> 33) % (sizeof whole - 1)] =
                seed >> 20 & 1 ? marks[(seed >> 24) % (sizeof marks - 1)] : (char)(seed >> 22);
        }
        struct program *p = program_parse(text, sizeof whole - 1, NULL, &error);
        if (p)
            check_round_trip(p);
        else
            assert_true(error.line > 0 && error.column > 0 && error.what[0] != '\0');
        program_free(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_holds),   cmocka_unit_test(every_instruction_round_trips),
        cmocka_unit_test(every_note_round_trips), cmocka_unit_test(ranges_of_registers),
        cmocka_unit_test(implicit_inputs),        cmocka_unit_test(targets),
        cmocka_unit_test(differences_are_seen),   cmocka_unit_test(damaged_programs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
