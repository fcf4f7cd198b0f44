/*
 * Claims about parts of kernels: what becomes a program, what is refused with which reason, and that what is wrong is
 * neither held by execution nor proved.
 */
#include "kernel/execute.h"
#include "kernel/section.h"
#include "smt/program.h"
#include "warpcheck_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#define INPUTS 200u

static const char head[] = ".version 8.0\n.target sm_90\n.address_size 64\n"
                           ".visible .entry k(.param .u64 a, .param .u32 n)\n{\n"
                           ".reg .pred %p<4>;\n.reg .b32 %r<10>, %t;\n.reg .b64 %d<3>;\n.shared .b32 s[32];\n"
                           "ld.param.u32 %r9, [n];\nmov.u32 %t, %tid.x;\n";
static const char tail[] = "\nst.shared.b32 [s], %r1;\nret;\n}\n";

#define TREE(r, mask)                                                                                                  \
    "shfl.sync.bfly.b32 %r3, " r ", " mask ", 31, -1;\n"                                                               \
    "add.u32 " r ", " r ", %r3;\n"

static const struct {
    const char *body;
    const char *claims; /* of each: P proved and held, F fails (and is not proved), U held, not proved */
    const char *why;    /* else: why it is no program */
} rows[] = {
    {"//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\n" TREE("%r2", "16") TREE("%r2", "8") TREE("%r2", "4")
         TREE("%r2", "2") TREE("%r2", "1") "//! claim %r2 = reduce add of %r1\n//! end",
     "P", NULL},
    /* a step is missing; one is there twice */
    {"//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\n" TREE("%r2", "16") TREE("%r2", "8") TREE("%r2", "4")
         TREE("%r2", "2") "//! claim %r2 = reduce add of %r1\n//! claim uniform %r2 over width 16\n//! end",
     "FF", NULL},
    {"//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\n" TREE("%r2", "16") TREE("%r2", "8") TREE("%r2", "4")
         TREE("%r2", "2") TREE("%r2", "2") "//! claim %r2 = reduce add of %r1\n//! end",
     "F", NULL},
    /* the same as a loop, whose first offset is made above */
    {"mov.u32 %r4, 16;\n//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\nL:\n" TREE(
         "%r2", "%r4") "shr.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n//! claim %r2 = reduce add of "
                       "%r1\n//! end",
     "P", NULL},
    /* the first offset depends on the way by which lanes come */
    {"mov.u32 %r4, 16;\nsetp.eq.u32 %p2, %r9, 3;\n@%p2 bra A;\nmov.u32 %r4, 8;\nA:\n//! section s\n//! input %r1 u32\n"
     "mov.u32 %r2, %r1;\nL:\n" TREE("%r2", "%r4") "shr.u32 %r4, %r4, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n"
                                                  "//! claim %r2 = reduce add of %r1\n//! end",
     NULL, "line 25: bra goes where a value decides"},
    /* what an outer loop changes is no constant */
    {"mov.u32 %r4, 16;\nO:\n//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\n" TREE(
         "%r2", "%r4") "//! claim %r2 = reduce add of %r1 over width 2\n//! end\nshr.u32 %r4, %r4, 1;\n"
                       "setp.ne.u32 %p1, %r4, 0;\n@%p1 bra O;\n",
     "F", NULL},
    /* the lane, above and within; and what is not the lane */
    {"and.b32 %r5, %t, 31;\n//! section s\nmov.u32 %r6, %laneid;\n//! claim %r5 = final %r6\n//! end", "P", NULL},
    {"//! section s\nand.b32 %r5, %t, 31;\nmov.u32 %r6, %laneid;\n//! claim %r5 = final %r6\n//! end", "P", NULL},
    {"and.b32 %r5, %t, 15;\n//! section s\nmov.u32 %r6, %laneid;\n//! claim %r5 = final %r6\n//! end", "F", NULL},
    {"add.u32 %t, %t, 1;\nand.b32 %r5, %t, 31;\n//! section s\nmov.u32 %r6, %laneid;\n//! claim %r5 = final %r6\n//! "
     "end",
     "F", NULL},
    {"mov.u32 %t, %tid.y;\nand.b32 %r5, %t, 31;\n//! section s\nmov.u32 %r6, %laneid;\n//! claim %r5 = final %r6\n//! "
     "end",
     "F", NULL},
    /* a constant above, which the section changes before and after it reads it */
    {"mov.u32 %r5, 7;\n//! section s\nmov.u32 %r6, %r5;\nadd.u32 %r5, %r5, 1;\nmov.u32 %r7, 8;\n"
     "//! claim %r5 = final %r7\n//! claim %r6 = final %r7\n//! end",
     "PF", NULL},
    /* made above on one way alone, or by some lanes alone; and by some lanes within */
    {"setp.eq.u32 %p2, %r9, 3;\n@%p2 bra A;\nmov.u32 %r4, 7;\nA:\n//! section s\nmov.u32 %r6, %r4;\nmov.u32 %r7, 7;\n"
     "//! claim %r6 = final %r7\n//! end",
     "F", NULL},
    {"mov.u32 %r4, 1;\nsetp.eq.u32 %p2, %r9, 3;\n@%p2 mov.u32 %r4, 7;\n//! section s\nmov.u32 %r6, %r4;\nmov.u32 %r7, "
     "7;\n"
     "//! claim %r6 = final %r7\n//! end",
     "F", NULL},
    {"mov.u32 %r4, 1;\nsetp.eq.u32 %p2, %r9, 3;\n@%p2 mov.u32 %r4, 7;\n//! section s\nmov.u32 %r6, 1;\n"
     "setp.eq.u32 %p1, %r4, 7;\n@%p1 bra A;\nmov.u32 %r6, 2;\nA:\n//! claim %r6 = final %r4\n//! end",
     NULL, "bra goes where a value decides"},
    {"//! section s\n//! input %p1 pred\nmov.u32 %r5, 1;\n@%p1 mov.u32 %r5, 3;\nsetp.eq.u32 %p2, %r5, 3;\nmov.u32 %r6, "
     "1;\n"
     "@%p2 mov.u32 %r6, 2;\nmov.u32 %r7, 2;\n//! claim %r6 = final %r7\n//! claim %r6 = final %r7 where %p1\n//! end",
     "FP", NULL},
    /* a register that one made above was made of has changed since */
    {"mov.u32 %r5, 7;\nadd.u32 %r6, %r5, 1;\nmov.u32 %r5, 9;\n//! section s\nmov.u32 %r7, 8;\nmov.u32 %r1, %r6;\n"
     "mov.u32 %r8, %r5;\n//! claim %r1 = final %r7\n//! end",
     NULL, "%r5 holds two values above the section that both are needed: name it as an input"},
    {"mov.u32 %r5, 7;\nadd.u32 %r6, %r5, 1;\nmov.u32 %r5, 9;\n//! section s\nmov.u32 %r7, 8;\nmov.u32 %r8, %r5;\n"
     "mov.u32 %r1, %r6;\nmov.u32 %r4, 9;\n//! claim %r1 = final %r7\n//! claim %r8 = final %r4\n//! end",
     "FP", NULL},
    {"mov.u32 %r5, 7;\nadd.u32 %r6, %r5, 1;\nmov.u32 %r5, 9;\n//! section s\n//! input %r5 u32\nmov.u32 %r7, 8;\n"
     "mov.u32 %r8, %r5;\nmov.u32 %r1, %r6;\n//! claim %r1 = final %r7\n//! end",
     "F", NULL},
    /* a load, a store and arithmetic of other types do not matter where nothing reads them */
    {"//! section s\n//! input %r1 u32\nld.shared.u32 %r5, [s];\nadd.u32 %r5, %r5, 1;\nst.shared.u32 [s], %r5;\n"
     "mad.lo.u32 %r6, %r1, %r1, %r1;\nmov.u32 %r2, %r1;\n//! claim %r2 = initial %r1\n//! end",
     "P", NULL},
    {"//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\nld.shared.u32 %r2, [s];\n//! claim %r2 = initial %r1\n//! "
     "end",
     NULL, "the line reads %r2, which line 15 made in a way that no program has"},
    {"//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\nld.shared.u32 %r3, [s];\nsetp.eq.u32 %p1, %r1, 0;\n"
     "@%p1 mov.u32 %r2, %r3;\n//! claim %r2 = initial %r1\n//! end",
     NULL, "the line reads %r2, which line 17 made"},
    {"//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ld.shared.u32 %r2, [s];\n"
     "//! claim %r2 = initial %r1\n//! end",
     NULL, "the line reads %r2, which line 16 made"},
    {"//! section s\n//! input %r1 u32\nld.shared.u32 %r3, [s];\nshfl.sync.idx.b32 %r2, %r1, 0, 31, %r3;\n"
     "//! claim uniform %r2\n//! end",
     NULL, "shfl.sync.idx.b32 reads %r3, which line 14 made"},
    /* a guard that is a constant; one that is not, and keeps what was there */
    {"mov.pred %p1, 0;\n//! section s\n//! input %r1 u32\nmov.u32 %r2, %r1;\n@%p1 mov.u32 %r2, 0;\n"
     "@!%p1 add.u32 %r3, %r1, 0;\n//! claim %r2 = final %r3\n//! end",
     "P", NULL},
    {"//! section s\n//! input %r1 u32\n//! input %p1 pred\nmov.u32 %r2, %r1;\n@%p1 mov.u32 %r2, 0;\n"
     "//! claim %r2 = initial %r1\n//! claim %r2 = initial %r1 where !%p1\n//! end",
     "FP", NULL},
    {"//! section s\n//! input %r1 u32\n//! input %p1 pred\n@%p1 mov.u32 %r2, 5;\nmov.u32 %r3, 5;\n"
     "//! claim %r2 = final %r3\n//! end",
     "F", NULL}, /* lanes without %p1 keep what %r2 held above: anything */
    /* ways out */
    {"//! section s\n//! input %r1 u32\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ret;\nmov.u32 %r2, %r1;\n//! end", NULL,
     "line 15: ret leaves the section before its end"},
    {"//! section s\nbra B;\nmov.u32 %r2, 1;\n//! end\nmov.u32 %r3, 1;\nB:\n", NULL,
     "ret leaves the section before its end"},
    {"//! section s\nC: bra C;\n//! end\n", NULL, "lanes never come from here to the section's end"},
    {"//! section s\nmov.u32 %r2, 1;\n//! claim %r2 == 1\n//! end", NULL, "line 14: "},
    /* a barrier and lanes that wait: the claim is about those that come together */
    {"//! section s\n//! input %r1 u32\nsetp.lt.u32 %p1, %r1, 5;\n@%p1 shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;\n"
     "//! claim faultless\n//! end",
     "F", NULL},
};

static char *whole(const char *body)
{
    static char text[8192];
    snprintf(text, sizeof text, "%s%s%s", head, body, tail);
    return text;
}

#define ROWS       (sizeof rows / sizeof rows[0])
#define CLAIMS_MAX 100u

/* All claims of all rows: proved together, since the laws that proofs rest on are proved each time. */
static struct smt_claim claims[CLAIMS_MAX];
static const char *bodies[CLAIMS_MAX];
static char expected[CLAIMS_MAX];
static size_t claims_count;

static void test_claims(const struct program *p, size_t row)
{
    static struct program_claim_record records[PROGRAM_CLAIMS_MAX];
    struct error error;
    if (!program_test_claims(p, spec_get(), 1, INPUTS, records, &error))
        fail_msg("%s\n%s", rows[row].body, error.text);
    assert_int_equal(p->claims_count, strlen(rows[row].claims));
    for (size_t n = 0; n < p->claims_count; n++) {
        const bool held = records[n].failed == 0;
        if (held != (rows[row].claims[n] != 'F'))
            fail_msg("%s\nclaim %zu: %s", rows[row].body, n, held ? "held by execution" : "fails");
        assert_true(claims_count < CLAIMS_MAX);
        claims[claims_count] = (struct smt_claim){.program = p, .claim = n};
        bodies[claims_count] = rows[row].body;
        expected[claims_count++] = rows[row].claims[n];
    }
}

static void prove_claims(void)
{
    const struct warp_impl *const spec = spec_get();
    struct smt_options options;
    struct error error;
    smt_options_init(&options);
    options.jobs = 2;
    options.timeout_s = 120;
    options.replay = &spec;
    options.replay_count = 1;
    if (!smt_prove_claims(claims, claims_count, &options, &error))
        fail_msg("%s", error.text);
    for (size_t n = 0; n < claims_count; n++) {
        const struct smt_outcome *const o = &claims[n].outcome;
        if ((o->verdict == SMT_PROVED) != (expected[n] == 'P'))
            fail_msg("%s\nclaim %zu: %s: %s", bodies[n], claims[n].claim, smt_verdict_name(o->verdict), o->note);
    }
}

static void sections_are_as_expected(void **state)
{
    static struct sections sections[ROWS];
    (void)state;
    for (size_t i = 0; i < ROWS; i++) {
        const char *const text = whole(rows[i].body);
        struct error error = {.code = ERROR_NONE};
        if (!sections_read(text, strlen(text), &sections[i], &error))
            fail_msg("%s\n%s", rows[i].body, error.text);
        assert_int_equal(sections[i].count, 1);
        const struct section *const s = &sections[i].items[0];
        assert_string_equal(s->name, "s");
        if ((s->program != NULL) != (rows[i].why == NULL) || (rows[i].why && strstr(s->why, rows[i].why) == NULL))
            fail_msg("%s\nwhy: %s", rows[i].body, s->program != NULL ? "(it is a program)" : s->why);
        if (s->program != NULL)
            test_claims(s->program, i);
    }
    prove_claims();
    for (size_t i = 0; i < ROWS; i++)
        sections_free(&sections[i]);
}

static void malformed_sections_are_refused(void **state)
{
    static const struct {
        const char *body, *why;
    } malformed[] = {{"//! section s\nmov.u32 %r1, 1;\n", "line 12: the section has no //! end"},
                     {"//! section s\n//! section t\n//! end\n", "line 13: the section of line 12 has no //! end"},
                     {"mov.u32 %r1, 1;\n//! end\n", "line 13: //! end without //! section above it"},
                     {"//! section\n//! end\n", "line 12: a section has one name"},
                     {"//! section a b\n//! end\n", "line 12: a section has one name"}};
    (void)state;
    for (size_t i = 0; i < sizeof malformed / sizeof malformed[0]; i++) {
        const char *const text = whole(malformed[i].body);
        struct sections sections;
        struct error error = {.code = ERROR_NONE};
        assert_false(sections_read(text, strlen(text), &sections, &error));
        sections_free(&sections);
        assert_int_equal(error.code, ERROR_INPUT);
        if (strstr(error.text, malformed[i].why) == NULL)
            fail_msg("%s\n%s", malformed[i].body, error.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sections_are_as_expected),
                                       cmocka_unit_test(malformed_sections_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
