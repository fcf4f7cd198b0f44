/* warpcheck emit: a case in other forms. */
#include "base/buffer.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "cli/work/suite.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"

#include "gpu/emit.h"
#include "kernel/emit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* A format writes one case, or it is the language of a suite of tests. */
struct format {
    const char *name;
    int (*write)(struct emission *e);
    enum suite_language language; /* where there is no `write` */
    bool is_for_kernels;          /* a kept kernel can be written so, too */
    enum kernel_emission kernel;
};
static const struct format formats[] = {
    {.name = "file", .write = emit_file},
    {.name = "line", .write = emit_line},
    {.name = "answer", .write = emit_answer},
    {.name = "bytes", .write = emit_bytes},
    {.name = "c", .language = SUITE_C},
    {.name = "cpp", .language = SUITE_CPP},
    {.name = "python", .language = SUITE_PYTHON},
    {.name = "ptx", .write = emit_ptx_file, .is_for_kernels = true, .kernel = KERNEL_EMIT_PTX},
    {.name = "host", .write = emit_host_file, .is_for_kernels = true, .kernel = KERNEL_EMIT_HOST},
    {.name = "cuda", .write = emit_cuda_file, .is_for_kernels = true, .kernel = KERNEL_EMIT_CUDA},
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

/* Writes a text whole or not at all. */
static int emit_whole(int (*write)(void *context, FILE *out), void *context, const char *out)
{
    struct file_text text;
    struct error error;
    if (!file_text_begin(&text, &error))
        return usage_error(&command_emit, "%s", error.text);
    const int status = write(context, text.stream);
    if (status != STATUS_AGREE) {
        fclose(text.stream);
        free(text.data);
        return status;
    }
    return file_text_end(&text, out, &error) ? STATUS_AGREE : usage_error(&command_emit, "%s", error.text);
}

struct cases_job {
    const struct format *format;
    const struct warp_impl *impl;
    const struct case_file *file;
};

static int write_cases(void *context, FILE *out)
{
    const struct cases_job *const job = context;
    int status = STATUS_AGREE;
    for (size_t i = 0; i < job->file->count && status == STATUS_AGREE; i++)
        status = emit_case(job->format, job->impl, &job->file->texts[i].c, out);
    return status;
}

/* --- suites --- */

struct suite {
    enum suite_language language;
    struct suite_case *tests; /* owned, with their names */
    size_t count, room;
    uint64_t left_out; /* cases in which no lane has a result that the manual says */
};

static bool suite_add(struct suite *suite, const struct warp_impl *impl, const struct warp_text *text, const char *name,
                      struct error *error)
{
    struct suite_case test = {.c = text->c};
    char why[256];
    if (ask_case(impl, &test.c, &test.expected, why, sizeof why) != ANSWER_GIVEN)
        return error_set(error, ERROR_INPUT, "%s does not answer %.500s: %s", impl->name, name, why);
    if (!suite_can_test(&test)) {
        suite->left_out++;
        return true;
    }
    struct suite_case *const larger = array_grow(suite->tests, suite->count, &suite->room, sizeof *suite->tests);
    if (larger)
        suite->tests = larger;
    if (!larger || !(test.name = strdup(name)))
        return error_set(error, ERROR_SYSTEM, "out of memory");
    suite->tests[suite->count++] = test;
    return true;
}

/* The last part of the path that ends at `end`. */
static const char *last_part(const char *path, const char *end)
{
    while (end > path && end[-1] != '/')
        end--;
    return end;
}

/* "shfl.sync-b-whole" of findings/shfl.sync-b-whole/case.txt, "shfl.sync-b-whole/shfl.down" of also-shfl.down.txt
 * beside it; else the file's name without .txt; with the line where it has more. */
static void name_test(const char *path, const struct case_file *file, size_t i, char name[256])
{
    const char *const file_end = path + strlen(path) - (text_ends(path, ".txt") ? 4 : 0);
    const char *begin = last_part(path, file_end), *end = file_end;
    const char *also = "";
    if (strcmp(begin, "case.txt") == 0 || strncmp(begin, "also-", 5) == 0) {
        also = *begin == 'a' ? begin + 5 : "";
        end = begin > path ? begin - 1 : begin;
        begin = last_part(path, end);
    }
    snprintf(name, 256, "%.*s%s%.*s", end - begin < 120 ? (int)(end - begin) : 120, begin, *also != '\0' ? "/" : "",
             *also == '\0'          ? 0
             : file_end - also < 80 ? (int)(file_end - also)
                                    : 80,
             also);
    if (file->count > 1)
        snprintf(name + strlen(name), 256 - strlen(name), ":%zu", file->lines[i]);
}

/* Names that two files would share are told apart: "cases", "cases#2". */
static void make_unique(const struct suite *suite, char name[256])
{
    const size_t length = strlen(name);
    bool taken = true;
    for (unsigned n = 2; taken; n++) {
        taken = false;
        for (size_t i = 0; i < suite->count && !taken; i++)
            taken = strcmp(suite->tests[i].name, name) == 0;
        if (taken)
            snprintf(name + length, 256 - length, "#%u", n);
    }
}

static bool suite_add_file(struct suite *suite, const struct warp_impl *impl, const char *path,
                           const struct load_rules *rules, struct error *error)
{
    struct case_file file;
    char name[256];
    bool good = true;
    if (!case_file_load(path, rules, &file, error))
        return false;
    for (size_t i = 0; good && i < file.count; i++) {
        name_test(path, &file, i, name);
        make_unique(suite, name);
        good = suite_add(suite, impl, &file.texts[i], name, error);
    }
    case_file_free(&file);
    return good;
}

/* A file, a case of one (FILE:NAME), or a folder, of which all files that can hold cases are taken. */
static bool suite_add_path(struct suite *suite, const struct warp_impl *impl, const char *path,
                           const struct load_rules *rules, struct error *error)
{
    struct path_list list = {0};
    bool good = true;
    if (!file_is_folder(path))
        return suite_add_file(suite, impl, path, rules, error);
    good = path_list_find(&list, path, error);
    for (size_t i = 0; good && i < list.count; i++)
        if (path_is_case(list.paths[i]))
            good = suite_add_file(suite, impl, list.paths[i], rules, error);
    path_list_free(&list);
    return good;
}

static int write_suite(void *context, FILE *out)
{
    const struct suite *const suite = context;
    suite_write(out, suite->language, suite->tests, suite->count);
    return STATUS_AGREE;
}

static int emit_suite(const struct format *format, const struct load_rules *rules, const struct warp_impl *impl,
                      char **paths, int count, const char *out)
{
    struct suite suite = {.language = format->language};
    struct error error;
    bool good = true;
    for (int i = 0; good && i < count; i++)
        good = suite_add_path(&suite, impl, paths[i], rules, &error);
    int status = good ? STATUS_AGREE : STATUS_USAGE;
    if (!good)
        complain("%s", error.text);
    else if (suite.count == 0)
        status =
            usage_error(&command_emit, "no case that a test could see: in none has a lane a result that the manual "
                                       "says");
    else
        status = emit_whole(write_suite, &suite, out);
    if (status == STATUS_AGREE && suite.left_out > 0)
        complain("%s cases were left out: no lane of theirs has a result that the manual says",
                 number_text(suite.left_out));
    for (size_t i = 0; i < suite.count; i++)
        free((char *)suite.tests[i].name);
    free(suite.tests);
    return status;
}

/* --- the command --- */

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

static bool is_kernel(const char *path)
{
    char launch[FILE_PATH_MAX];
    struct error error;
    return file_is_folder(path) && file_join(path, "launch.txt", launch, &error) && file_exists(launch);
}

static int emit_one(const struct format *format, const struct load_rules *rules, const struct warp_impl *impl,
                    const char *path, const char *out)
{
    struct case_file file;
    struct error error;
    int status = STATUS_USAGE;
    if (!case_file_load(path, rules, &file, &error)) {
        complain("%s", error.text);
        return STATUS_USAGE;
    }
    struct cases_job job = {format, impl, &file};
    const bool many = format->write == emit_line || format->write == emit_answer;
    if (file.count > 1 && !many)
        usage_error(&command_emit,
                    "%s holds %zu cases; only the formats line and answer take more than one, and --suite", path,
                    file.count);
    else
        status = format->write ? emit_whole(write_cases, &job, out)
                               : emit_suite(format, rules, impl, (char *[]){(char *)path}, 1, out);
    case_file_free(&file);
    return status;
}

static int run_main(int argc, char **argv)
{
    struct load_rules rules = {0};
    const char *name = "file";
    const char *impl_name = "spec";
    const char *out = "-";
    bool suite = false;
    const struct option table[] = {
        {OPT_FORMAT, &name, NULL, false},
        {OPT_IMPL, &impl_name, NULL, false},
        {OPT_OUT_FILE, &out, "standard output", false},
        {OPT_BYTES, &rules.bytes, NULL, false},
        {OPT_SUITE, &suite, NULL, false},
    };
    int operands = options_parse(&command_emit, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (suite ? operands == 0 : operands != 1)
        return usage_error(&command_emit, suite ? "--suite needs files or folders with cases"
                                                : "needs one case file, or - for standard input");
    const struct format *format = NULL;
    for (size_t i = 0; i < FORMATS; i++)
        if (strcmp(formats[i].name, name) == 0)
            format = &formats[i];
    if (!format)
        return unknown_format(name);
    if (format->write == emit_bytes && strcmp(out, "-") == 0 && isatty(STDOUT_FILENO))
        return usage_error(&command_emit, "bytes are not for a terminal: give --out FILE");
    if (!suite && is_kernel(argv[1]))
        return emit_kernel(format, impl_name, argv[1], out);
    if (suite && format->write)
        return usage_error(&command_emit, "--suite is written as c, cpp or python, not as %s", name);
    const struct warp_impl *const impl = ask_open(&command_emit, impl_name);
    if (!impl)
        return STATUS_USAGE;
    const int status = suite ? emit_suite(format, &rules, impl, argv + 1, operands, out)
                             : emit_one(format, &rules, impl, argv[1], out);
    registry_close(impl);
    return status;
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
            "  cpp     the same in C++: a program, or with -DWITH_GTEST tests of GoogleTest\n"
            "  python  the same in Python, as a unittest\n"
            "  ptx     a PTX kernel with the operands in it\n"
            "  host    a C program that loads case.ptx through the CUDA driver and compares\n"
            "  cuda    a CUDA source file that does both\n"
            "\n"
            "Of a kept kernel (a folder with kernel.ptx and launch.txt): ptx, the module; host and cuda, the\n"
            "launch with its inputs, what the executor left in memory, and a limit of 5 seconds.\n"
            "\n"
            "  warpcheck emit findings/NAME/case.txt --format c --out test_mine.c\n"
            "  warpcheck emit --suite findings --format cpp --out findings_test.cpp\n",
    .run = run_main};
