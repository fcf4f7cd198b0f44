/* The part of an emitted program that compares and prints. */
#include "gpu/text/emit_text.h"

static void add_expected(struct writer *t, const struct warp_case *c, const struct warp_result *e, uint32_t parts)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d = warp_form_writes_d(info, c->dst) && (parts & WARP_PART_D);
    const bool p = warp_form_writes_p(info, c->dst) && (parts & WARP_PART_P);
    emit_words(t, "expected_d", e->d, WARP_LANES);
    writer_format(t,
                  "static const unsigned exited = 0x%xu, active = 0x%xu;\n"
                  "static const unsigned done = 0x%xu;         /* lanes that get an answer */\n"
                  "static const unsigned compare_d = 0x%xu;    /* lanes whose d is predictable */\n"
                  "static const unsigned compare_p = 0x%xu, expected_p = 0x%xu;\n\n",
                  (unsigned)c->exited, (unsigned)c->active, (unsigned)e->done, (unsigned)(d ? e->d_defined : 0u),
                  (unsigned)(p ? e->done : 0u), (unsigned)e->p);
}

void emit_report(struct writer *t, const struct warp_case *c, const struct warp_result *expected, uint32_t parts)
{
    add_expected(t, c, expected, parts);
    writer_format(
        t, "/* answers: d of 32 lanes, then flags of 32 lanes (1: ran, 2: predicate). Returns 1 when one differs. */\n"
           "static int report(const unsigned *answers)\n{\n    int differs = 0;\n"
           "    printf(\"lane  state      expected d  p   observed d  p\\n\");\n"
           "    for (unsigned lane = 0; lane < 32; lane++) {\n"
           "        const unsigned bit = 1u << lane, d = answers[lane], flags = answers[32 + lane];\n"
           "        const unsigned p = flags >> 1 & 1u;\n        int wrong = 0;\n"
           "        if (!(active & bit)) {\n"
           "            printf(\"%%4u  %%s\\n\", lane, exited & bit ? \"exited\" : \"elsewhere\");\n"
           "            continue;\n        }\n");
    writer_format(t, "        wrong |= (done & bit) && !(flags & 1u);\n"
                     "        wrong |= (compare_d & bit) && d != expected_d[lane];\n"
                     "        wrong |= (compare_p & bit) && p != (expected_p >> lane & 1u);\n"
                     "        printf(\"%%4u  %%-9s\", lane, done & bit ? \"done\" : \"not done\");\n"
                     "        if (compare_d & bit)\n            printf(\"  0x%%08x\", expected_d[lane]);\n"
                     "        else\n            printf(\"           -\");\n"
                     "        printf(compare_p & bit ? \"  %%u\" : \"  -\", expected_p >> lane & 1u);\n"
                     "        printf(\"   0x%%08x  %%u%%s\\n\", d, p, wrong ? \"   <- differs\" : \"\");\n"
                     "        differs |= wrong;\n    }\n"
                     "    printf(differs ? \"MISMATCH\\n\" : \"the device agrees\\n\");\n    return differs;\n}\n\n");
    writer_format(t, "static void on_alarm(int signal_number)\n{\n    static const char text[] = \"no answer within 20 "
                     "seconds\\n\";\n"
                     "    (void)signal_number;\n    if (write(2, text, sizeof text - 1) < 0)\n        _exit(4);\n    "
                     "_exit(3);\n}\n\n"
                     "static void start_watchdog(void)\n{\n    signal(SIGALRM, on_alarm);\n    alarm(20);\n}\n\n");
}

void emit_guard(struct writer *t, const struct warp_case *c, const struct warp_result *expected)
{
    if ((c->active & ~expected->done) != 0)
        writer_format(
            t, "    if (argc < 2 || strcmp(argv[argc - 1], \"--may-hang\") != 0) {\n"
               "        fprintf(stderr, \"some lanes wait for ever or are undefined: this may hang the device; \"\n"
               "                        \"give --may-hang to start it\\n\");\n        return 2;\n    }\n");
    else
        writer_format(t, "    (void)argc;\n    (void)argv;\n");
    writer_format(t, "    start_watchdog();\n");
}
