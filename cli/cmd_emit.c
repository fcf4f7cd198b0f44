/* warpcheck emit: a case in other forms. */
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"

#include "gpu/emit.h"
#include "kernel/emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- as C --- */

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

/* A case as a stand-alone C program that checks one function of the user's. */
static void emit_c(FILE *out, const struct warp_case *c, const struct warp_result *expected)
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

/* --- the formats --- */

/* What is written: the case, and what the manual expects of it. */
struct emission {
    const struct warp_case *c;
    struct warp_result expected;
    uint32_t parts;
    FILE *out;
};

/* Writes a text whose length is known only after it was made: `text` is called twice. */
static int write_text(struct emission *e, size_t (*text)(const struct emission *e, char *buf, size_t size))
{
    size_t size = text(e, NULL, 0) + 1;
    char *buffer = malloc(size);
    if (!buffer)
        return usage_error(&command_emit, "out of memory");
    text(e, buffer, size);
    fputs(buffer, e->out);
    free(buffer);
    return STATUS_AGREE;
}

static size_t file_text(const struct emission *e, char *buf, size_t size)
{
    return warp_case_to_file(e->c, NULL, &e->expected, e->parts, buf, size);
}

static int emit_file(struct emission *e)
{
    return write_text(e, file_text);
}

static int emit_line(struct emission *e)
{
    char text[WARP_TEXT_MAX];
    warp_case_to_text(e->c, text, sizeof text);
    fprintf(e->out, "%s\n", text);
    return STATUS_AGREE;
}

static int emit_answer(struct emission *e)
{
    char text[WARP_TEXT_MAX];
    char result[WARP_TEXT_MAX];
    warp_case_to_text(e->c, text, sizeof text);
    warp_result_to_text(&e->expected, e->parts, result, sizeof result);
    fprintf(e->out, "%s => %s\n", text, result);
    return STATUS_AGREE;
}

static int emit_bytes(struct emission *e)
{
    uint8_t bytes[WARP_BYTES_MAX];
    size_t size = warp_case_to_bytes(e->c, bytes);
    fwrite(bytes, 1, size, e->out);
    return STATUS_AGREE;
}

static int emit_c_test(struct emission *e)
{
    emit_c(e->out, e->c, &e->expected);
    return STATUS_AGREE;
}

static size_t ptx_text(const struct emission *e, char *buf, size_t size)
{
    return emit_ptx(e->c, buf, size);
}

static size_t host_text(const struct emission *e, char *buf, size_t size)
{
    return emit_ptx_host(e->c, &e->expected, e->parts, "case.ptx", buf, size);
}

static size_t cuda_text(const struct emission *e, char *buf, size_t size)
{
    return emit_cuda(e->c, &e->expected, e->parts, buf, size);
}

static int emit_ptx_file(struct emission *e)
{
    return write_text(e, ptx_text);
}

static int emit_host_file(struct emission *e)
{
    return write_text(e, host_text);
}

static int emit_cuda_file(struct emission *e)
{
    return write_text(e, cuda_text);
}

struct format {
    const char *name;
    int (*write)(struct emission *e);
    bool is_for_kernels; /* a kept kernel can be written so, too */
    enum kernel_emission kernel;
};
static const struct format formats[] = {
    {"file", emit_file, false, 0},
    {"line", emit_line, false, 0},
    {"answer", emit_answer, false, 0},
    {"bytes", emit_bytes, false, 0},
    {"c", emit_c_test, false, 0},
    {"ptx", emit_ptx_file, true, KERNEL_EMIT_PTX},
    {"host", emit_host_file, true, KERNEL_EMIT_HOST},
    {"cuda", emit_cuda_file, true, KERNEL_EMIT_CUDA},
};
#define FORMATS (sizeof formats / sizeof formats[0])

static int unknown_format(const char *name)
{
    const char *names[FORMATS];
    for (size_t i = 0; i < FORMATS; i++)
        names[i] = formats[i].name;
    const char *nearest = text_nearest(name, names, FORMATS);
    return usage_error(&command_emit, "no format '%s'%s%s%s (warpcheck emit --help lists them)", name,
                       nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
}

static int emit_case(const struct format *format, const struct warp_impl *impl, const struct warp_case *c, FILE *out)
{
    struct emission e = {.c = c, .parts = impl->provides, .out = out};
    char why[256];
    if (ask_case(impl, c, &e.expected, why, sizeof why) != ANSWER_GIVEN)
        return usage_error(&command_emit, "%s does not answer this case: %s", impl->name, why);
    return format->write(&e);
}

static int emit_to(const struct format *format, const struct warp_impl *impl, const struct case_file *file,
                   const char *out)
{
    struct file_text text;
    struct error error;
    int status = STATUS_AGREE;
    if (!file_text_begin(&text, &error))
        return usage_error(&command_emit, "%s", error.text);
    for (size_t i = 0; i < file->count && status == STATUS_AGREE; i++)
        status = emit_case(format, impl, &file->texts[i].c, text.stream);
    if (status != STATUS_AGREE) { /* nothing is written by halves */
        fclose(text.stream);
        free(text.data);
        return status;
    }
    return file_text_end(&text, out, &error) ? STATUS_AGREE : usage_error(&command_emit, "%s", error.text);
}

/* A kept kernel: its folder holds the module and the launch. */
static int emit_kernel(const struct format *format, const char *name, const char *folder, const char *out)
{
    static struct kernel_launch launch;
    struct file_text text = {0};
    struct error error;
    struct buffer b = {0};
    const struct warp_impl *impl = format->is_for_kernels ? ask_open(&command_emit, name) : NULL;
    if (!format->is_for_kernels)
        return usage_error(&command_emit, "%s holds a kernel; --format ptx, host or cuda writes it", folder);
    bool ok = impl && kernel_launch_open(folder, &launch, &error) &&
              kernel_emit(&launch, impl, format->kernel, &b, &error) && file_text_begin(&text, &error);
    if (ok) {
        fwrite(b.data, 1, b.size, text.stream);
        ok = file_text_end(&text, out, &error);
    }
    if (impl && !ok)
        usage_error(&command_emit, "%s", error.text);
    kernel_launch_close(&launch);
    buffer_free(&b);
    registry_close(impl);
    return ok ? STATUS_AGREE : STATUS_USAGE;
}

static int emit(const struct format *format, const struct load_rules *rules, const char *name, const char *path,
                const char *out)
{
    struct case_file file;
    struct error error;
    int status = STATUS_USAGE;
    if (!case_file_load(path, rules, &file, &error)) {
        complain("%s", error.text);
        return STATUS_USAGE;
    }
    const struct warp_impl *impl = ask_open(&command_emit, name);
    bool many = strcmp(format->name, "line") == 0 || strcmp(format->name, "answer") == 0;
    if (impl && file.count > 1 && !many)
        usage_error(&command_emit, "%s holds %zu cases; only the formats line and answer take more than one", path,
                    file.count);
    else if (impl)
        status = emit_to(format, impl, &file, out);
    registry_close(impl);
    case_file_free(&file);
    return status;
}

static bool is_kernel(const char *path)
{
    char launch[FILE_PATH_MAX];
    struct error error;
    return file_is_folder(path) && file_join(path, "launch.txt", launch, &error) && file_exists(launch);
}

static int run_main(int argc, char **argv)
{
    struct load_rules rules = {0};
    const char *name = "file";
    const char *impl = "spec";
    const char *out = "-";
    const struct option table[] = {
        {OPT_FORMAT, &name, NULL, false},
        {OPT_IMPL, &impl, NULL, false},
        {OPT_OUT_FILE, &out, "standard output", false},
        {OPT_BYTES, &rules.bytes, NULL, false},
    };
    int operands = options_parse(&command_emit, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands != 1)
        return usage_error(&command_emit, "needs one case file, or - for standard input");
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0 && is_kernel(argv[1]))
            return emit_kernel(&formats[i], impl, argv[1], out);
        else if (strcmp(formats[i].name, name) == 0)
            return emit(&formats[i], &rules, impl, argv[1], out);
    return unknown_format(name);
}

const struct command command_emit = {
    .name = "emit",
    .summary = "write a case as text, bytes, a C test, PTX or CUDA; a kernel's launch as a program",
    .help = "usage: warpcheck emit FILE|FOLDER --format NAME [OPTION...]\n"
            "\n"
            "  file    the readable form, with the expected result\n"
            "  line    one line, for pipes\n"
            "  answer  one line with `=>` and the expected result\n"
            "  bytes   the raw byte form, for a fuzzing engine's corpus\n"
            "  c       a stand-alone C program: fill in or link the function `under_test`, compile, run\n"
            "  ptx     a PTX kernel with the operands in it\n"
            "  host    a C program that loads case.ptx through the CUDA driver and compares\n"
            "  cuda    a CUDA source file that does both\n"
            "\n"
            "Of a kept kernel (a folder with kernel.ptx and launch.txt): ptx, the module; host and cuda, the\n"
            "launch with its inputs, what the executor left in memory, and a limit of 5 seconds.\n"
            "\n"
            "  warpcheck emit findings/NAME/case.txt --format c --out test_mine.c\n",
    .run = run_main};
