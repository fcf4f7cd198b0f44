/* warpcheck emit: a case in other forms. */
#include "cli/registry.h"
#include "cli/ui/emit_c.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "warpcheck/bytes.h"

#ifdef WARPCHECK_HAVE_PTXTEXT
#include "gpu/emit.h"
#endif

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is written: the case, and what the manual expects of it. */
struct emission {
    const struct warp_case *c;
    struct warp_result expected;
    uint32_t parts;
    FILE *out;
};

/* Texts of which only the length is known beforehand: `text` is asked twice. */
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

#ifdef WARPCHECK_HAVE_PTXTEXT
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
#endif

struct format {
    const char *name;
    int (*write)(struct emission *e);
};
static const struct format formats[] = {
    {"file", emit_file},    {"line", emit_line},      {"answer", emit_answer},
    {"bytes", emit_bytes},  {"c", emit_c_test},
#ifdef WARPCHECK_HAVE_PTXTEXT
    {"ptx", emit_ptx_file}, {"host", emit_host_file}, {"cuda", emit_cuda_file},
#endif
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
    FILE *stream = strcmp(out, "-") == 0 ? stdout : fopen(out, "wb");
    int status = STATUS_AGREE;
    if (!stream)
        return usage_error(&command_emit, "%s: cannot be written: %s", out, strerror(errno));
    for (size_t i = 0; i < file->count && status == STATUS_AGREE; i++)
        status = emit_case(format, impl, &file->texts[i].c, stream);
    bool failed = fflush(stream) != 0 || ferror(stream);
    if (stream != stdout)
        failed = fclose(stream) != 0 || failed;
    return failed ? usage_error(&command_emit, "%s: cannot be written", out) : status;
}

static int emit(const struct format *format, const struct load_rules *rules, const char *name, const char *path,
                const char *out)
{
    struct case_file file;
    struct error error;
    int status = STATUS_USAGE;
    if (!case_file_load(path, rules, &file, &error)) {
        fprintf(stderr, "%s\n", error.text);
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
        if (strcmp(formats[i].name, name) == 0)
            return emit(&formats[i], &rules, impl, argv[1], out);
    return unknown_format(name);
}

const struct command command_emit = {
    .name = "emit",
    .summary = "write a case as text, bytes, a C test, PTX or CUDA",
    .help = "usage: warpcheck emit FILE --format NAME [OPTION...]\n"
            "\n"
            "  file    the readable form, with the expected result\n"
            "  line    one line, for pipes\n"
            "  answer  one line with `=>` and the expected result\n"
            "  bytes   the raw byte form, for a fuzzing engine's corpus\n"
            "  c       a stand-alone C program: fill in or link the function `under_test`, compile, run\n"
#ifdef WARPCHECK_HAVE_PTXTEXT
            "  ptx     a PTX kernel with the operands in it\n"
            "  host    a C program that loads case.ptx through the CUDA driver and compares\n"
            "  cuda    a CUDA source file that does both\n"
#endif
            "\n"
            "  warpcheck emit crashes/NAME/case.txt --format c --out test_mine.c\n",
    .run = run_main};
