/* Execution: values, guards, what is unpredictable, and every fault. */
#include "kernel/execute.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define ALL UINT32_MAX

struct run {
    struct program *program;
    struct program_state *state;
    struct program_outcome outcome;
};

/* Executes the text over the transcription on the first inputs: every input register holds its lane's number. */
static void run(struct run *r, const char *text)
{
    struct warp_text_error error;
    struct error why;
    r->program = program_parse(text, strlen(text), NULL, &error);
    if (!r->program)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.what);
    r->state = program_state_new(r->program);
    assert_non_null(r->state);
    program_state_random(r->program, r->state, 1, 0);
    if (!program_execute(r->program, spec_get(), r->state, &r->outcome, &why))
        fail_msg("%s", why.text);
}

static void end(struct run *r)
{
    program_state_free(r->state);
    program_free(r->program);
}

static uint32_t reg(const struct run *r, const char *name)
{
    uint32_t index = program_register_find(r->program, name);
    assert_int_not_equal(index, MODULE_NONE);
    return index;
}

static uint64_t value(const struct run *r, const char *name, unsigned lane)
{
    return r->state->value[reg(r, name)][lane];
}

static lanemask defined(const struct run *r, const char *name)
{
    return r->state->defined[reg(r, name)];
}

static void expect_fault(const char *text, enum program_fault_kind kind, size_t at, lanemask lanes,
                         const char *sentence)
{
    struct run r;
    char buf[256];
    run(&r, text);
    assert_int_equal(r.outcome.fault, kind);
    assert_int_equal(r.outcome.fault_at, at);
    assert_int_equal(r.outcome.fault_lanes, lanes);
    size_t length = program_fault_text(r.program, &r.outcome, buf, sizeof buf);
    assert_string_equal(buf, sentence);
    assert_int_equal(length, strlen(sentence));
    end(&r);
}

static void special_registers(void **state)
{
    struct run r;
    (void)state;
    run(&r, "mov.u32 i, %laneid; mov.u32 eq, %lanemask_eq; mov.u32 le, %lanemask_le; mov.u32 lt, %lanemask_lt;"
            "mov.u32 ge, %lanemask_ge; mov.u32 gt, %lanemask_gt;");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        uint64_t bit = UINT64_C(1) << lane;
        assert_int_equal(value(&r, "i", lane), lane);
        assert_int_equal(value(&r, "eq", lane), bit);
        assert_int_equal(value(&r, "lt", lane), bit - 1);
        assert_int_equal(value(&r, "le", lane), 2 * bit - 1);
        assert_int_equal(value(&r, "ge", lane), ALL & ~(bit - 1));
        assert_int_equal(value(&r, "gt", lane), ALL & ~(2 * bit - 1));
    }
    end(&r);
}

static void unsigned_comparisons(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\nsetp.lo.u32 a, x, 7; setp.ls.u32 b, x, 7; setp.hi.u32 c, x, 7; setp.hs.u32 d, x, 7;");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(value(&r, "a", lane), lane < 7);
        assert_int_equal(value(&r, "b", lane), lane <= 7);
        assert_int_equal(value(&r, "c", lane), lane > 7);
        assert_int_equal(value(&r, "d", lane), lane >= 7);
    }
    end(&r);
}

static void guards_leave_registers_alone(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\nsetp.lt.u32 p, x, 8; mov.u32 y, 1; @p add.u32 y, x, 10; @!p mov.u32 z, 5;");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(value(&r, "y", lane), lane < 8 ? lane + 10 : 1);
    assert_int_equal(defined(&r, "y"), ALL);
    assert_int_equal(defined(&r, "z"), 0xffffff00);
    assert_false(r.outcome.used);
    end(&r);
}

static void selections_and_pairs(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\nsetp.ge.u32 p, x, 16; selp.u32 y, x, 7, p; selp.u32 z, x, 7, !p; mov.b64 w, {x, y}; "
            "mov.b64 {lo, hi}, w;"
            "mov.b64 {_, h2}, w; mov.pred q, !p; and.pred s, p, !q;");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(value(&r, "y", lane), lane >= 16 ? lane : 7);
        assert_int_equal(value(&r, "z", lane), lane >= 16 ? 7 : lane);
        assert_int_equal(value(&r, "lo", lane), lane);
        assert_int_equal(value(&r, "hi", lane), lane >= 16 ? lane : 7);
        assert_int_equal(value(&r, "h2", lane), value(&r, "hi", lane));
        assert_int_equal(value(&r, "q", lane), lane < 16);
        assert_int_equal(value(&r, "s", lane), lane >= 16);
    }
    end(&r);
}

static void warp_instructions(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\n//! input w b64\nshfl.sync.up.b32 y|p, x, 1, 0, -1; setp.lt.u32 q, x, 4; "
            "vote.sync.ballot.b32 b, !q, -1;"
            "vote.sync.any.pred s, q, -1; match.all.sync.b64 _|e, w, -1; match.any.sync.b64 m, w, -1; activemask.b32 a;"
            "redux.sync.add.u32 sum, x, -1;");
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(value(&r, "y", lane), lane ? lane - 1 : 0);
        assert_int_equal(value(&r, "p", lane), lane != 0);
        assert_int_equal(value(&r, "b", lane), 0xfffffff0);
        assert_int_equal(value(&r, "s", lane), 1);
        assert_int_equal(value(&r, "e", lane), 0);
        assert_int_equal(value(&r, "m", lane), UINT64_C(1) << lane);
        assert_int_equal(value(&r, "a", lane), ALL);
        assert_int_equal(value(&r, "sum", lane), 496);
    }
    end(&r);
}

static void lanes_that_exit(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\n//! exited 0x3\n//! active 0x0fffffff\nsetp.lt.u32 p, x, 8; @p exit; activemask.b32 a; "
            "mov.u32 y, 1;"
            "@p mov.u32 y, 2;");
    assert_int_equal(r.state->exited, 0xff);
    assert_int_equal(r.state->active, 0x0ffffffc);
    assert_int_equal(defined(&r, "y"), 0x0fffff00);
    assert_int_equal(value(&r, "a", 8), 0x0fffff00);
    assert_int_equal(value(&r, "y", 9), 1);
    end(&r);
}

static void active_lanes_of_an_input(void **state)
{
    struct warp_text_error error;
    static const char text[] = "//! input m b32 uniform\n//! active m\n//! exited 0x1\nactivemask.b32 a;";
    (void)state;
    struct program *p = program_parse(text, sizeof text - 1, NULL, &error);
    assert_non_null(p);
    struct program_state *s = program_state_new(p);
    assert_int_equal(s->active, 0);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        s->value[program_register_find(p, "m")][lane] = 0x00ff00ff;
    program_state_start(p, s);
    assert_int_equal(s->active, 0x00ff00fe);
    program_state_free(s);
    program_free(p);
}

static void unpredictable_values_travel(void **state)
{
    struct run r;
    (void)state;
    /* lanes 12 to 15 read lanes 16 to 19, which are not in the membermask */
    run(&r,
        "//! input x u32\n//! active 0xffff\nshfl.sync.down.b32 y|p, x, 4, 0x1f, 0xffff; add.u32 z, y, 1; mov.u32 k, z;"
        "shfl.sync.bfly.b32 t, z, 8, 0x1f, 0xffff; shfl.sync.idx.b32 u, z, 13, 0x1f, 0xffff; shfl.sync.idx.b32 v, z, "
        "3, 0x1f, 0xffff; and.b32 n, y, 0; or.b32 o, y, 0xffffffff;");
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    assert_int_equal(defined(&r, "y"), 0x0fff);
    assert_int_equal(defined(&r, "n"), 0x0fff); /* a program does not go by what an instruction would hide */
    assert_int_equal(defined(&r, "o"), 0x0fff);
    assert_int_equal(defined(&r, "p"), 0xffff);
    assert_int_equal(defined(&r, "k"), 0x0fff);
    assert_int_equal(defined(&r, "t"), 0xff0f); /* lanes 4 to 7 read 12 to 15, and these read 4 to 7 */
    assert_int_equal(defined(&r, "u"), 0);
    assert_int_equal(defined(&r, "v"), 0xffff);
    assert_true(r.outcome.used);
    assert_int_equal(r.outcome.used_at, 1);
    assert_int_equal(r.outcome.used_lanes, 0xf000);
    assert_int_equal(r.outcome.used_reg, reg(&r, "y"));
    end(&r);
}

static void unpredictable_values_spoil_a_group(void **state)
{
    struct run r;
    (void)state;
    /* y is unpredictable in lanes 14 and 15; the membermasks make two groups, 0 to 7 and 8 to 15 */
    run(&r, "//! input x u32\n//! active 0xffff\nshfl.sync.down.b32 y, x, 2, 0x1f, 0xffff; and.b32 h, x, 8; mov.u32 m, "
            "0xff; shl.b32 m, m, h;"
            "redux.sync.or.b32 d, y, m; match.any.sync.b32 e, y, m; match.all.sync.b32 _|q, y, m; setp.eq.u32 c, y, 3;"
            "vote.sync.ballot.b32 b, c, m; vote.sync.any.pred v, !c, m;");
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    const char *const names[] = {"d", "e", "q", "b", "v"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        assert_int_equal(defined(&r, names[n]), 0x00ff);
    end(&r);
}

static void only_the_chosen_source_is_read(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\nsetp.lt.u32 p, x, 8; @p mov.u32 y, 1; selp.u32 z, y, 2, p;");
    assert_false(r.outcome.used);
    assert_int_equal(defined(&r, "z"), ALL);
    end(&r);
    run(&r, "//! input x u32\nsetp.lt.u32 p, x, 8; @p mov.u32 y, 1; selp.u32 z, y, 2, !p;");
    assert_true(r.outcome.used);
    assert_int_equal(r.outcome.used_lanes, 0xffffff00);
    assert_int_equal(defined(&r, "z"), 0x000000ff);
    end(&r);
    run(&r, "//! input x u32\nsetp.lt.u32 p, x, 8; @p mov.u32 y, 1; selp.u32 z, 2, y, !p;");
    assert_false(r.outcome.used);
    assert_int_equal(defined(&r, "z"), ALL);
    end(&r);
}

static void faults(void **state)
{
    (void)state;
    expect_fault("//! input x u32\nmov.u32 y, x; shfl.sync.idx.b32 y, x, 0, 31, 0xff; add.u32 y, y, y;",
                 PROGRAM_FAULT_UNDEFINED, 1, 0xffffff00,
                 "line 2: undefined for lanes 0xffffff00, which are not in their membermask");
    expect_fault("//! input x u32\nsetp.lt.u32 p, x, 8;\n@p redux.sync.add.u32 y, x, 0x3ff;", PROGRAM_FAULT_WAITS, 1,
                 0xff,
                 "line 3: lanes 0x000000ff wait for lanes 0x00000300, which do not execute it with that membermask");
    expect_fault(".target sm_60\n//! input x u32\nsetp.lt.u32 p, x, 8;\n@p shfl.sync.idx.b32 y, x, 0, 31, 0x3ff;",
                 PROGRAM_FAULT_UNDEFINED, 1, 0xff,
                 "line 4: undefined for lanes 0x000000ff: not in their membermask, or (up to sm_6x) not all of it "
                 "executes this together");
    expect_fault("//! input x u32\nsetp.lt.u32 p, x, 8; @p mov.pred q, 1; @q mov.u32 y, 1;", PROGRAM_FAULT_GUARD, 2,
                 0xffffff00, "line 2: the guard is unpredictable in lanes 0xffffff00");
    expect_fault("//! input x u32\nsetp.lt.u32 p, x, 8; @p mov.u32 m, -1; vote.sync.any.pred q, 1, m;",
                 PROGRAM_FAULT_OPERAND, 2, 0xffffff00,
                 "line 2: b, c or membermask is unpredictable in lanes 0xffffff00");
    expect_fault("//! input x u32\nsetp.lt.u32 p, x, 8; @p mov.u32 b, 1; shfl.idx.b32 y, x, b, 31;",
                 PROGRAM_FAULT_OPERAND, 2, 0xffffff00,
                 "line 2: b, c or membermask is unpredictable in lanes 0xffffff00");
}

static void the_first_fault_ends_the_program(void **state)
{
    struct run r;
    char buf[8];
    (void)state;
    run(&r, "//! input x u32\nmov.u32 y, 1; vote.sync.any.pred p, 1, 1; mov.u32 y, 2;");
    assert_int_equal(value(&r, "y", 0), 1);
    assert_int_equal(value(&r, "y", 31), 1);
    assert_true(program_fault_text(r.program, &r.outcome, buf, sizeof buf) > sizeof buf);
    assert_string_equal(buf, "line 2:");
    end(&r);
}

static void nobody_executes(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\n//! active 0\nvote.sync.any.pred p, 1, 0; mov.u32 y, 1;");
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    assert_int_equal(defined(&r, "y"), 0);
    end(&r);
}

static bool accepts_nothing(void *context, const struct warp_case *c, char *why, size_t why_size)
{
    (void)context;
    (void)c;
    assert_true(why_size > 20);
    memcpy(why, "not today", 10);
    return false;
}

static void an_implementation_that_does_not_answer(void **state)
{
    static const char text[] = "mov.u32 x, 1;\nvote.sync.any.pred p, 1, -1;";
    struct warp_impl impl = {.name = "none", .accepts = accepts_nothing};
    struct warp_text_error parse_error;
    struct program_outcome outcome;
    struct error error = {0};
    (void)state;
    struct program *p = program_parse(text, sizeof text - 1, NULL, &parse_error);
    struct program_state *s = program_state_new(p);
    assert_false(program_execute(p, &impl, s, &outcome, &error));
    assert_int_equal(error.code, ERROR_DECLINED);
    assert_string_equal(error.text, "line 2: none does not answer vote.sync.any.pred: not today");
    program_state_free(s);
    program_free(p);
}

static void inputs_keep_to_their_lines(void **state)
{
    static const char text[] =
        "//! input a u32 range 3 5\n//! input b f32 range -2 2\n//! input c b64 uniform\n//! input d pred\n"
        "//! input e s32 range -4 -4\n";
    struct warp_text_error error;
    (void)state;
    struct program *p = program_parse(text, sizeof text - 1, NULL, &error);
    assert_non_null(p);
    struct program_state *s = program_state_new(p);
    lanemask seen = 0;
    for (uint64_t index = 0; index < 200; index++) {
        program_state_random(p, s, 7, index);
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            uint32_t bits = (uint32_t)s->value[1][lane];
            float f;
            memcpy(&f, &bits, sizeof f);
            assert_true(s->value[0][lane] >= 3 && s->value[0][lane] <= 5);
            assert_true(f >= -2 && f <= 2 && f == (float)(int)f);
            assert_true(s->value[2][lane] == s->value[2][0]);
            assert_true(s->value[3][lane] <= 1);
            assert_int_equal(s->value[4][lane], 0xfffffffc);
            seen |= UINT32_C(1) << (unsigned)(f + 2);
        }
    }
    assert_int_equal(seen, 0x1f);
    program_state_free(s);
    program_free(p);
}

/* ---- more than a straight line ---- */

/* A lane that waits is met at any instruction of its form with its membermask. */
static void groups_meet_across_places(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\nsetp.lt.u32 p, x, 16;\n@p shfl.sync.bfly.b32 y, x, 16, 0x1f, -1;\n"
            "@!p shfl.sync.bfly.b32 y, x, 16, 0x1f, -1;\n");
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(value(&r, "y", lane), lane ^ 16);
    end(&r);
    expect_fault("//! input x u32\nsetp.lt.u32 p, x, 16;\n@p shfl.sync.bfly.b32 y, x, 16, 0x1f, -1;\n"
                 "@!p shfl.sync.idx.b32 y, x, 16, 0x1f, -1;\n",
                 PROGRAM_FAULT_WAITS, 1, 0xffff,
                 "line 3: lanes 0x0000ffff wait for lanes 0xffff0000, which do not execute it with that membermask");
    expect_fault("//! input x u32\nsetp.lt.u32 p, x, 16;\n@p shfl.sync.bfly.b32 y, x, 16, 0x1f, -1;\n", /* the end */
                 PROGRAM_FAULT_WAITS, 1, 0xffff,
                 "line 3: lanes 0x0000ffff wait for lanes 0xffff0000, which do not execute it with that membermask");
}

static void branches_and_loops(void **state)
{
    struct run r;
    (void)state;
    run(&r, "//! input x u32\nmov.u32 n, 0; mov.u32 i, x;\nloop: setp.eq.u32 p, i, 0;\n@p bra.uni done;\n"
            "sub.u32 i, i, 1; add.u32 n, n, 2;\nbra loop;\ndone: redux.sync.add.u32 s, n, -1;\n");
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        assert_int_equal(value(&r, "n", lane), 2 * lane);
        assert_int_equal(value(&r, "s", lane), 2 * 496);
    }
    end(&r);
}

/* The lanes that come to the end of a kernel take part in its claims; those that `exit` do not. Nobody waits for
 * either. */
static void kernels(void **state)
{
    struct run r;
    (void)state;
    run(&r,
        ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .pred %p<3>;\n"
        "//! input x u32\nsetp.lt.u32 %p1, x, 4;\nsetp.lt.u32 %p2, x, 8;\n@%p1 exit;\nmov.u32 y, 0;\n@%p2 bra out;\n"
        "redux.sync.add.u32 y, x, -1;\nout: ret;\n}\n//! claim y = reduce add of x lanes 0xffffff00\n");
    assert_true(r.program->is_kernel);
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    assert_int_equal(r.state->exited, 0xf);
    assert_int_equal(value(&r, "y", 4), 0);
    assert_int_equal(value(&r, "y", 31), 496 - 28);
    end(&r);
}

static void memory_and_races(void **state)
{
    struct run r;
    (void)state;
    const char *const head =
        "//! input x u32\n.shared .align 4 .b32 s[32];\nshl.b32 a, x, 2; mov.u32 b, s; add.u32 b, b, a;"
        "st.shared.u32 [b], x;\n";
    char text[512];
    snprintf(text, sizeof text,
             "%sbar.warp.sync -1;\nxor.b32 a, a, 4; mov.u32 c, s; add.u32 c, c, a;\n"
             "ld.shared.u32 y, [c];\n",
             head);
    run(&r, text);
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_NONE);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        assert_int_equal(value(&r, "y", lane), lane ^ 1);
    end(&r);
    snprintf(text, sizeof text, "%sxor.b32 a, a, 4; mov.u32 c, s; add.u32 c, c, a;\nld.shared.u32 y, [c];\n", head);
    run(&r, text);
    assert_int_equal(r.outcome.fault, PROGRAM_FAULT_RACE);
    end(&r);
}

static void an_endless_loop_is_no_result(void **state)
{
    static const char text[] = "//! input x u32\nloop: add.u32 x, x, 1;\nbra loop;\n";
    struct warp_text_error error;
    struct program_outcome outcome;
    struct error why = {0};
    (void)state;
    struct program *p = program_parse(text, sizeof text - 1, NULL, &error);
    assert_non_null(p);
    struct program_state *s = program_state_new(p);
    assert_non_null(s);
    assert_false(program_execute(p, spec_get(), s, &outcome, &why));
    assert_int_equal(why.code, ERROR_TIMEOUT);
    assert_non_null(strstr(why.text, "no end after"));
    program_state_free(s);
    program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(special_registers),
        cmocka_unit_test(unsigned_comparisons),
        cmocka_unit_test(guards_leave_registers_alone),
        cmocka_unit_test(selections_and_pairs),
        cmocka_unit_test(warp_instructions),
        cmocka_unit_test(lanes_that_exit),
        cmocka_unit_test(active_lanes_of_an_input),
        cmocka_unit_test(unpredictable_values_travel),
        cmocka_unit_test(unpredictable_values_spoil_a_group),
        cmocka_unit_test(only_the_chosen_source_is_read),
        cmocka_unit_test(faults),
        cmocka_unit_test(the_first_fault_ends_the_program),
        cmocka_unit_test(nobody_executes),
        cmocka_unit_test(an_implementation_that_does_not_answer),
        cmocka_unit_test(inputs_keep_to_their_lines),
        cmocka_unit_test(groups_meet_across_places),
        cmocka_unit_test(branches_and_loops),
        cmocka_unit_test(kernels),
        cmocka_unit_test(memory_and_races),
        cmocka_unit_test(an_endless_loop_is_no_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
