#include "cli/ui/emit_c.h"

#include "warpcheck/text.h"

static void write_words(FILE *out, const char *name, const uint32_t values[WARP_LANES])
{
    fprintf(out, "static const uint32_t %s[32] = {", name);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        fprintf(out, "%s0x%x%s", lane % 8 == 0 ? "\n    " : " ", values[lane], lane + 1 < WARP_LANES ? "," : "");
    fprintf(out, "};\n");
}

static void write_head(FILE *out, const struct warp_case *c, const struct warp_form_info *info)
{
    char line[WARP_TEXT_MAX];
    warp_case_to_text(c, line, sizeof line);
    fprintf(
        out,
        "/*\n"
        " * A test of one warp instruction: %s, destinations %s%s.\n"
        " *\n"
        " * %s\n"
        " *\n"
        " * Write the function `under_test` (below is an example of its shape), or link it from another file with\n"
        " * -DUNDER_TEST_ELSEWHERE. It gets the operands of all 32 lanes and must set d[lane] and the bit `lane` of *p "
        "for\n"
        " * the lanes in `active`; lanes outside hold garbage on purpose. The program exits 0 when all is as the PTX\n"
        " * manual says, else 1 after a line for each wrong lane.\n"
        " */\n"
        "#include <stdint.h>\n"
        "#include <stdio.h>\n\n",
        info->name, warp_dst_name(c->dst), c->negate ? ", source predicate negated" : "", line);
}

static void write_operands(FILE *out, const struct warp_case *c)
{
    fprintf(out, "struct operands {\n"
                 "    uint32_t active, exited;    /* lane masks: bit i is lane i */\n"
                 "    const uint32_t *a, *a_high; /* source; a_high: upper halves of 64-bit sources */\n"
                 "    const uint32_t *b, *c;      /* shfl: lane or offset; clamp and segment mask */\n"
                 "    const uint32_t *membermask; /* .sync forms */\n"
                 "};\n\n");
    write_words(out, "a", c->a);
    write_words(out, "a_high", c->a_high);
    write_words(out, "b", c->b);
    write_words(out, "c", c->c);
    write_words(out, "membermask", c->membermask);
}

static void write_expected(FILE *out, const struct warp_form_info *info, const struct warp_case *c,
                           const struct warp_result *expected)
{
    bool with_d = warp_form_writes_d(info, c->dst);
    bool with_p = warp_form_writes_p(info, c->dst);
    fprintf(out,
            "\n/* What the manual says. d counts in d_defined, p in p_defined; elsewhere anything may come out. */\n");
    write_words(out, "expected_d", expected->d);
    fprintf(out, "static const uint32_t d_defined = 0x%08x;\n", with_d ? expected->d_defined & expected->done : 0);
    fprintf(out, "static const uint32_t expected_p = 0x%08x;\n", expected->p);
    fprintf(out, "static const uint32_t p_defined = 0x%08x;\n\n", with_p ? expected->done : 0);
}

void emit_c(FILE *out, const struct warp_case *c, const struct warp_result *expected)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    write_head(out, c, info);
    write_operands(out, c);
    write_expected(out, info, c, expected);
    fprintf(out,
            "void under_test(const struct operands *o, uint32_t d[32], uint32_t *p);\n\n"
            "#ifndef UNDER_TEST_ELSEWHERE\n"
            "void under_test(const struct operands *o, uint32_t d[32], uint32_t *p)\n"
            "{\n"
            "    /* Call your implementation of %s here. */\n"
            "    (void)o, (void)d, (void)p;\n"
            "}\n"
            "#endif\n\n"
            "int main(void)\n"
            "{\n"
            "    const struct operands o = {0x%08x, 0x%08x, a, a_high, b, c, membermask};\n"
            "    uint32_t d[32] = {0};\n"
            "    uint32_t p = 0;\n"
            "    int wrong = 0;\n"
            "    under_test(&o, d, &p);\n"
            "    for (unsigned lane = 0; lane < 32; lane++) {\n"
            "        int bad_d = (d_defined >> lane & 1u) && d[lane] != expected_d[lane];\n"
            "        int bad_p = (p_defined >> lane & 1u) && ((p ^ expected_p) >> lane & 1u);\n"
            "        if (bad_d)\n"
            "            printf(\"lane %%u: d is 0x%%x, expected 0x%%x\\n\", lane, (unsigned)d[lane], "
            "(unsigned)expected_d[lane]);\n"
            "        if (bad_p)\n"
            "            printf(\"lane %%u: p is %%u, expected %%u\\n\", lane, (unsigned)(p >> lane & 1u),\n"
            "                   (unsigned)(expected_p >> lane & 1u));\n"
            "        wrong += bad_d + bad_p;\n"
            "    }\n"
            "    printf(wrong ? \"%%d wrong\\n\" : \"as the manual says\\n\", wrong);\n"
            "    return wrong != 0;\n"
            "}\n",
            info->name, c->active, c->exited);
}
