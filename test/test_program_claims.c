/* Claims: for each kind a program for which it holds and one for which it does not, over the transcription. */
#include "kernel/execute.h"

#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

static const struct {
    const char *text; /* inputs and instructions */
    const char *claim;
    bool holds;
} claims[] = {
    {"vote.sync.any.pred p, 1, -1;", "faultless", true},
    {"vote.sync.any.pred p, 1, 1;", "faultless", false},
    {"vote.sync.any.pred p, 1, 1;", "defined p", false},
    {"//! input q pred\n@q mov.u32 y, 1;", "defined", true},
    {"//! input q pred\n@q mov.u32 y, 1; add.u32 y, y, 1;", "defined", false},
    {"//! input q pred\n@q mov.u32 y, 1; add.u32 y, y, 1;", "faultless", true},
    {"//! input q pred\n@q mov.u32 y, 1;", "defined y", false},
    {"//! input q pred\n@q mov.u32 y, 1;", "defined y where q", true},
    {"//! input q pred\n@q mov.u32 y, 1;", "defined y where !q", false},
    {"//! input q pred\n@q mov.pred r, 1; mov.u32 y, 1;", "uniform y where r", false},
    {"mov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y", false},
    {"mov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y over width 8", true},
    {"mov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y over width 16", false},
    {"mov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y over mask 0x00ff0000", true},
    {"mov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y over mask 0x01ff0000", false},
    {"mov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y over mask 0x01ff0000 lanes 0x00ffffff", true},
    {"//! active 0xff\nmov.u32 x, %laneid; and.b32 y, x, 24;", "uniform y", true},
    {"mov.u32 x, %laneid; setp.ge.u32 p, x, 8; @p exit; mov.u32 y, x; and.b32 y, x, 24;", "uniform y", true},
    {"//! input k u32 range 0 3\nmul.lo.u32 y, k, 5;", "uniform y over equal k", true},
    {"//! input k u32 range 0 3\nmov.u32 y, %laneid;", "uniform y over equal k", false},
    {"//! input k u32\nmov.u32 y, k;", "y = final k", true},
    {"//! input k u32\nmov.u32 y, k; add.u32 k, k, 1;", "y = final k", false},
    {"//! input k u32\nmov.u32 y, k; add.u32 k, k, 1;", "y = initial k", true},
    {"//! input k u32\n//! input q pred\nmov.u32 y, 7; @q mov.u32 z, 7;", "y = final z", false},
    {"//! input k u32\nshfl.sync.idx.b32 y, k, 3, 0x1807, -1;", "y = from 3 of k over width 8", true},
    {"//! input k u32\nshfl.sync.idx.b32 y, k, 3, 0x1807, -1;", "y = from 3 of k", false},
    {"//! input k u32\nshfl.sync.idx.b32 y, k, 3, 0x1f, -1;", "y = from 3 of k", true},
    {"//! input k s32\nredux.sync.min.s32 y, k, -1;", "y = reduce min of k", true},
    {"//! input k s32\nredux.sync.min.s32 y, k, -1;", "y = reduce min.u32 of k", false},
    {"//! input k u32\nredux.sync.add.u32 y, k, -1;", "y = reduce add of k", true},
    {"//! input k u32\nredux.sync.add.u32 y, k, -1;", "y = reduce add of k over width 16", false},
    {"//! input k b32\nredux.sync.add.u32 y, k, -1;", "y = reduce add of k", true},
    {"//! input k u32\nredux.sync.xor.b32 y, k, -1;", "y = reduce xor of k", true},
    {"//! input k u32\nredux.sync.and.b32 y, k, -1;", "y = reduce or of k", false},
    {"//! input k u32\nmov.u32 y, k;", "y = scan add of k", false},
    {"//! input k u32\nmov.u32 y, k;", "y = scan add of k lanes 1", true},
    {"//! input k u32\nmov.u32 y, k;", "y = rscan add of k lanes 0x80000000", true},
    {"//! input k u32\nmov.u32 y, k;", "y = rscan add of k lanes 1", false},
    {"//! input k u32 range 1 1\nmov.u32 y, %laneid; add.u32 y, y, 1;", "y = scan add of k", true},
    {"//! input k u32 range 1 1\nmov.u32 x, %laneid; sub.u32 y, 32, x;", "y = rscan add of k", true},
    {"//! input k u32 range 1 1\nmov.u32 y, %laneid;", "y = exscan add of k", true},
    {"//! input k u32 range 1 1\nmov.u32 y, %laneid; and.b32 y, y, 3;", "y = exscan add of k over width 4", true},
    {"//! input k s32\nmov.u32 y, 0x7fffffff;", "y = exscan min of k lanes 1", true},
    {"//! input k s32\nmov.u32 y, 0x80000000;", "y = exscan max of k lanes 1", true},
    {"//! input k u32\nmov.u32 y, -1;", "y = exscan min of k lanes 1", true},
    {"//! input k u32\nmov.u32 y, -1;", "y = exscan and of k lanes 1", true},
    {"//! input k u32\nmov.u32 y, 1;", "y = exscan mul of k lanes 1", true},
    {"//! input q pred\nvote.sync.ballot.b32 y, q, -1;", "y = ballot q", true},
    {"//! input q pred\nvote.sync.ballot.b32 y, !q, -1;", "y = ballot q", false},
    {"//! input q pred\nvote.sync.ballot.b32 y, q, -1; popc.b32 y, y;", "y = reduce add of q", true},
    {"//! input q pred\n//! active 0xf0\nvote.sync.ballot.b32 y, q, 0xf0;", "y = ballot q", true},
    {"//! input k b64\nmatch.any.sync.b64 y, k, -1;", "y = peers k", true},
    {"//! input k b64\nmov.b64 {l, h}, k; match.any.sync.b32 y, l, -1;", "y = peers k", false},
    {"//! input k b32\nmatch.all.sync.b32 y, k, -1;", "y = peers k", false},
    {"//! input k f32\nmov.f32 y, k; redux.sync.max.f32 y, k, -1;", "y = reduce max of k", true},
};

static struct program *parse(const char *text)
{
    struct warp_text_error error;
    struct program *program = program_parse(text, strlen(text), NULL, &error);
    if (!program)
        fail_msg("%s\n%zu:%zu: %s", text, error.line, error.column, error.what);
    return program;
}

static void test(struct program *program, uint64_t count, struct program_claim_record *records)
{
    struct error error;
    if (!program_test_claims(program, spec_get(), 1, count, records, &error))
        fail_msg("%s", error.text);
}

static void every_kind_holds_and_fails(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof claims / sizeof claims[0]; n++) {
        struct program_claim_record records[2];
        char text[512];
        snprintf(text, sizeof text, "%s\n//! claim %s\n//! refute %s\n", claims[n].text, claims[n].claim,
                 claims[n].claim);
        struct program *p = parse(text);
        test(p, 100, records);
        if ((records[0].failed == 0) != claims[n].holds)
            fail_msg("%sfails on %u inputs", text, (unsigned)records[0].failed);
        assert_int_equal(records[0].held + records[0].failed, 100);
        assert_int_equal(program_claim_as_expected(&p->claims[0], &records[0]), claims[n].holds);
        assert_int_equal(program_claim_as_expected(&p->claims[1], &records[1]), !claims[n].holds);
        program_free(p);
    }
}

static void what_fails_is_told(void **state)
{
    struct program_claim_record r;
    (void)state;
    struct program *p = parse("//! input k u32\nadd.u32 y, k, 1;\n//! claim y = initial k lanes 0xf0\n");
    test(p, 1, &r);
    assert_int_equal(r.first_failure, 0);
    assert_int_equal(r.failure.lanes, 0xf0);
    assert_int_equal(r.failure.lane, 4);
    assert_int_equal(r.failure.observed, 5);
    assert_int_equal(r.failure.expected, 4);
    assert_false(r.failure.undefined);
    program_free(p);
}

static void nothing_tested_is_not_as_expected(void **state)
{
    struct program_claim_record records[2];
    (void)state;
    struct program *p = parse("mov.u32 y, 1;\n//! claim defined\n//! refute faultless\n");
    test(p, 0, records);
    assert_false(program_claim_as_expected(&p->claims[0], &records[0]));
    assert_false(program_claim_as_expected(&p->claims[1], &records[1]));
    program_free(p);
}

/* Serial sums of f32 are in lane order: not what a tree gives for values that round. */
static void float_sums_are_serial(void **state)
{
    struct warp_text_error error;
    static const char text[] =
        "//! input x f32\nmov.f32 y, x;\n//! claim y = reduce add of x\n//! claim y = rscan add of x";
    (void)state;
    struct program *p = program_parse(text, sizeof text - 1, NULL, &error);
    struct program_state *s = program_state_new(p);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        s->value[0][lane] = 0x33800000; /* 2^-24, half a unit in the last place of 1 */
    s->value[0][0] = 0x3f800000;
    assert_int_equal(program_claim_expected(p, &p->claims[0], 0, s, s), 0x3f800000); /* each step rounds to even */
    assert_int_equal(program_claim_expected(p, &p->claims[1], 0, s, s),
                     0x3f800010); /* 31 * 2^-24 and 1: tie, to even */
    program_state_free(s);
    program_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_holds_and_fails),
        cmocka_unit_test(what_fails_is_told),
        cmocka_unit_test(nothing_tested_is_not_as_expected),
        cmocka_unit_test(float_sums_are_serial),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
