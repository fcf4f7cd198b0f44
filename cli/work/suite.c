#include "cli/work/suite.h"

#include "base/text.h"
#include "warpcheck/text.h"

#include <string.h>

/* What the manual says of d and p: the lanes that count. */
static lanemask d_lanes(const struct suite_case *t)
{
    return warp_form_writes_d(warp_form_get(t->c.form), t->c.dst) ? t->expected.d_defined & t->expected.done : 0;
}

static lanemask p_lanes(const struct suite_case *t)
{
    return warp_form_writes_p(warp_form_get(t->c.form), t->c.dst) ? t->expected.done : 0;
}

bool suite_can_test(const struct suite_case *test)
{
    return (d_lanes(test) | p_lanes(test)) != 0;
}

/* A string literal that C, C++ and Python read alike. */
static void put_string(FILE *out, const char *text)
{
    char clean[1024];
    text_printable(text, strlen(text), clean, sizeof clean);
    fputc('"', out);
    for (const char *at = clean; *at != '\0'; at++)
        fprintf(out, "%s%c", *at == '"' || *at == '\\' ? "\\" : "", *at);
    fputc('"', out);
}

static void put_words(FILE *out, const uint32_t values[WARP_LANES], const char *open, const char *close)
{
    fprintf(out, "     %s", open);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        fprintf(out, "%s0x%x", lane == 0 ? "" : lane % 8 == 0 ? ",\n      " : ", ", (unsigned)values[lane]);
    fprintf(out, "%s,\n", close);
}

static void put_test(FILE *out, const struct suite_case *t, const char *open, const char *close)
{
    const struct warp_form_info *const info = warp_form_get(t->c.form);
    const uint32_t *const lists[] = {t->c.a, t->c.a_high, t->c.b, t->c.c, t->c.membermask, t->expected.d};
    char line[WARP_TEXT_MAX];
    warp_case_to_text(&t->c, line, sizeof line);
    fprintf(out, open[0] == '{' ? "    /* %s */\n    %s" : "    # %s\n    %s", line, open);
    put_string(out, t->name);
    fputs(", ", out);
    put_string(out, info->name);
    fputs(", ", out);
    put_string(out, warp_dst_name(t->c.dst));
    fprintf(out, ", %u, 0x%x, 0x%x,\n", (unsigned)t->c.negate, (unsigned)t->c.active, (unsigned)t->c.exited);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        put_words(out, lists[i], open, close);
    fprintf(out, "     0x%x, 0x%x, 0x%x, %d%s,\n", (unsigned)d_lanes(t), (unsigned)t->expected.p, (unsigned)p_lanes(t),
            warp_form_any_leader(info), close);
}

static void put_table(FILE *out, const struct suite_case *tests, size_t count, bool python)
{
    fprintf(out, python ? "TESTS = [Test(*fields) for fields in [\n" : "static const struct test tests[] = {\n");
    for (size_t i = 0; i < count; i++)
        put_test(out, &tests[i], python ? "(" : "{", python ? ")" : "}");
    fputs(python ? "]]\n\n" : "};\n\n", out);
}

/* --- C and C++ --- */

static const char c_head[] =
    "/*\n"
    " * Tests of warp instructions: what the PTX manual says of each case.\n"
    " *\n"
    " * Write the function `under_test` (below is an example of its shape), or link it from another file with\n"
    " * -DUNDER_TEST_ELSEWHERE. It gets the operands of all 32 lanes and must set d[lane] and the bit `lane` of *p "
    "for\n"
    " * the lanes in `active`, as far as the instruction has them; lanes outside hold garbage on purpose. d and p "
    "start\n"
    " * as the complement of what is expected: a function that does nothing is wrong everywhere.\n";
static const char c_head_main[] =
    " * The program exits 0 when all is as the manual says, else 1 after a line for each wrong lane.\n */\n"
    "#include <stdint.h>\n#include <stdio.h>\n\n";
static const char cpp_head[] = " * The program exits 0 when all is as the manual says, else 1 after a line for each "
                               "wrong lane. With -DWITH_GTEST,\n"
                               " * linked with GoogleTest and its main, each case is a test of its own.\n"
                               " */\n"
                               "#include <cstdint>\n#include <cstdio>\n"
                               "#ifdef WITH_GTEST\n#include <gtest/gtest.h>\n#endif\n\n";
static const char c_types[] =
    "struct operands {\n"
    "    const char *test;           /* the case's name */\n"
    "    const char *instruction;    /* \"shfl.sync.up.b32\" */\n"
    "    const char *destinations;   /* \"d\", \"d|p\", \"_|p\", \"d|_\" */\n"
    "    uint32_t negate;            /* 1: the source predicate is !a */\n"
    "    uint32_t active, exited;    /* lane masks: bit i is lane i */\n"
    "    const uint32_t *a, *a_high; /* source; a_high: upper halves of 64-bit sources */\n"
    "    const uint32_t *b, *c;      /* shfl: lane or offset; clamp and segment mask */\n"
    "    const uint32_t *membermask; /* .sync forms */\n"
    "};\n\n"
    "struct test {\n"
    "    const char *name, *instruction, *destinations;\n"
    "    uint32_t negate, active, exited;\n"
    "    uint32_t a[32], a_high[32], b[32], c[32], membermask[32];\n"
    "    uint32_t d[32], d_defined, p, p_defined; /* what the manual says, in the lanes of the two masks */\n"
    "    int elects;                              /* elect.sync: any lane of a group may lead it */\n"
    "};\n\n";
static const char c_function[] = "void under_test(const struct operands *o, uint32_t d[32], uint32_t *p);\n\n"
                                 "#ifndef UNDER_TEST_ELSEWHERE\n"
                                 "void under_test(const struct operands *o, uint32_t d[32], uint32_t *p)\n"
                                 "{\n"
                                 "    /* Call your implementation of o->instruction here. */\n"
                                 "    (void)o, (void)d, (void)p;\n"
                                 "}\n"
                                 "#endif\n\n";
static const char c_elect[] =
    "/* elect.sync: d and p of each group must tell of one leader from it. Expects the one that they name, if they do. "
    "*/\n"
    "static void expect_leader(struct test *t, const uint32_t d[32], uint32_t p)\n"
    "{\n"
    "    const uint32_t lanes = t->d_defined | t->p_defined;\n"
    "    for (unsigned lane = 0; lane < 32; lane++) {\n"
    "        uint32_t group = 0, leader = 32;\n"
    "        for (unsigned other = 32; other-- > 0;)\n"
    "            if ((lanes >> other & 1u) && t->membermask[other] == t->membermask[lane]) {\n"
    "                group |= 1u << other;\n"
    "                leader = t->d_defined ? d[other] : leader;\n"
    "            }\n"
    "        for (unsigned other = 0; other < 32; other++)\n"
    "            if (!t->d_defined && (group & p) == 1u << other)\n"
    "                leader = other;\n"
    "        if (!(lanes >> lane & 1u) || leader > 31 || !(group >> leader & 1u))\n"
    "            continue;\n"
    "        t->d[lane] = leader;\n"
    "        t->p = (t->p & ~(1u << lane)) | (uint32_t)(leader == lane) << lane;\n"
    "    }\n"
    "}\n\n";
static const char c_run[] =
    "/* How many results are wrong. */\n"
    "static int run(const struct test *given)\n"
    "{\n"
    "    struct test own = *given, *t = &own;\n"
    "    const struct operands o = {t->name, t->instruction, t->destinations, t->negate, t->active, t->exited,\n"
    "                               t->a, t->a_high, t->b, t->c, t->membermask};\n"
    "    uint32_t d[32], p = t->elects ? 0 : ~t->p; /* not one of two leaders */\n"
    "    int wrong = 0;\n"
    "    for (unsigned lane = 0; lane < 32; lane++)\n"
    "        d[lane] = ~t->d[lane];\n"
    "    under_test(&o, d, &p);\n"
    "    if (t->elects)\n"
    "        expect_leader(t, d, p);\n"
    "    for (unsigned lane = 0; lane < 32; lane++) {\n"
    "        const int bad_d = (t->d_defined >> lane & 1u) && d[lane] != t->d[lane];\n"
    "        const int bad_p = (t->p_defined >> lane & 1u) && ((p ^ t->p) >> lane & 1u);\n"
    "        if (bad_d)\n"
    "            printf(\"%s: lane %u: d is 0x%x, expected 0x%x\\n\", t->name, lane, (unsigned)d[lane], "
    "(unsigned)t->d[lane]);\n"
    "        if (bad_p)\n"
    "            printf(\"%s: lane %u: p is %u, expected %u\\n\", t->name, lane, (unsigned)(p >> lane & 1u),\n"
    "                   (unsigned)(t->p >> lane & 1u));\n"
    "        wrong += bad_d + bad_p;\n"
    "    }\n"
    "    return wrong;\n"
    "}\n\n";
static const char c_main[] = "int main(void)\n"
                             "{\n"
                             "    const unsigned count = sizeof tests / sizeof tests[0];\n"
                             "    unsigned failed = 0;\n"
                             "    int wrong = 0;\n"
                             "    for (unsigned i = 0; i < count; i++) {\n"
                             "        const int now = run(&tests[i]);\n"
                             "        failed += now > 0;\n"
                             "        wrong += now;\n"
                             "    }\n"
                             "    if (wrong > 0)\n"
                             "        printf(\"%d wrong, in %u of %u tests\\n\", wrong, failed, count);\n"
                             "    else\n"
                             "        printf(\"as the manual says (%u tests)\\n\", count);\n"
                             "    return wrong != 0;\n"
                             "}\n";
static const char cpp_main_begin[] =
    "#ifdef WITH_GTEST\n"
    "class Warp : public ::testing::TestWithParam<unsigned> {};\n"
    "TEST_P(Warp, IsAsTheManualSays)\n"
    "{\n"
    "    EXPECT_EQ(run(&tests[GetParam()]), 0) << tests[GetParam()].name << \": \" << tests[GetParam()].instruction;\n"
    "}\n"
    "INSTANTIATE_TEST_SUITE_P(Findings, Warp, ::testing::Range(0u, unsigned(sizeof tests / sizeof tests[0])));\n"
    "#else\n";

static void write_c(FILE *out, const struct suite_case *tests, size_t count, bool cpp)
{
    fputs(c_head, out);
    fputs(cpp ? cpp_head : c_head_main, out);
    fputs(c_types, out);
    put_table(out, tests, count, false);
    fputs(c_function, out);
    fputs(c_elect, out);
    fputs(c_run, out);
    fputs(cpp ? cpp_main_begin : "", out);
    fputs(c_main, out);
    fputs(cpp ? "#endif\n" : "", out);
}

/* --- Python --- */

static const char python_head[] =
    "\"\"\"Tests of warp instructions: what the PTX manual says of each case. Run it with pytest, or as a program.\n\n"
    "Write the function `under_test` below, or a module warp_under_test beside this file that has it. It gets the\n"
    "operands of all 32 lanes, and d and p, which start as the complement of what is expected: a function that does\n"
    "nothing is wrong everywhere. It returns both, with d[lane] and the bit `lane` of p set for the lanes in `active`, "
    "as\n"
    "far as the instruction has them; lanes outside hold garbage on purpose.\"\"\"\n"
    "import collections\nimport unittest\n\n"
    "Test = collections.namedtuple(\n"
    "    \"Test\", \"name instruction destinations negate active exited a a_high b c membermask d d_defined p "
    "p_defined elects\"\n"
    ")\n\n\n"
    "def under_test(operands, d, p):\n"
    "    # Call your implementation of operands.instruction here.\n"
    "    return d, p\n\n\n"
    "def expect_leader(test, d, p):\n"
    "    # elect.sync: d and p of each group must tell of one leader from it. Expects the one that they name, if they "
    "do.\n"
    "    lanes = [n for n in range(32) if (test.d_defined | test.p_defined) >> n & 1]\n"
    "    want_d, want_p = list(test.d), test.p\n"
    "    for lane in lanes:\n"
    "        group = [n for n in lanes if test.membermask[n] == test.membermask[lane]]\n"
    "        leaders = [n for n in group if p >> n & 1]\n"
    "        leader = d[group[0]] if test.d_defined else leaders[0] if len(leaders) == 1 else None\n"
    "        if leader in group:\n"
    "            want_d[lane] = leader\n"
    "            want_p = want_p & ~(1 << lane) | (leader == lane) << lane\n"
    "    return test._replace(d=want_d, p=want_p)\n\n\n"
    "try:\n"
    "    from warp_under_test import under_test\n"
    "except ModuleNotFoundError as missing:\n"
    "    if missing.name != \"warp_under_test\":\n"
    "        raise\n\n";
static const char python_tail[] =
    "\n"
    "class Warp(unittest.TestCase):\n"
    "    def test_as_the_manual_says(self):\n"
    "        for test in TESTS:\n"
    "            nothing = [~value & 0xFFFFFFFF for value in test.d]\n"
    "            p = 0 if test.elects else ~test.p & 0xFFFFFFFF  # not one of two leaders\n"
    "            d, p = under_test(test._replace(d=None, p=None), nothing, p)\n"
    "            if test.elects:\n"
    "                test = expect_leader(test, d, p)\n"
    "            for lane in range(32):\n"
    "                with self.subTest(test.name, lane=lane, instruction=test.instruction):\n"
    "                    if test.d_defined >> lane & 1:\n"
    "                        self.assertEqual(hex(d[lane]), hex(test.d[lane]), \"d\")\n"
    "                    if test.p_defined >> lane & 1:\n"
    "                        self.assertEqual(p >> lane & 1, test.p >> lane & 1, \"p\")\n\n\n"
    "if __name__ == \"__main__\":\n"
    "    unittest.main()\n";

static void write_python(FILE *out, const struct suite_case *tests, size_t count)
{
    fputs(python_head, out);
    put_table(out, tests, count, true);
    fputs(python_tail, out);
}

void suite_write(FILE *out, enum suite_language language, const struct suite_case *tests, size_t count)
{
    switch (language) {
    case SUITE_C:
    case SUITE_CPP:
        write_c(out, tests, count, language == SUITE_CPP);
        break;
    case SUITE_PYTHON:
        write_python(out, tests, count);
        break;
    }
}
