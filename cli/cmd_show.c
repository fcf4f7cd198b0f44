/* warpcheck show: draws cases. */
#include "base/file.h"
#include "check/finding.h"
#include "cli/registry.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "cli/work/relatives.h"
#include "warpcheck_spec.h"

#include <stdio.h>

struct show {
    const struct warp_impl *impl;
    bool all, json;
};

/* `relative`: its number among the relatives of an engine's input; -1: the case itself. */
static bool show_case(const struct show *show, const struct warp_text *text, const char *path, size_t line,
                      int relative)
{
    struct warp_result result;
    char why[256];
    enum answer answer = ask_case(show->impl, &text->c, &result, why, sizeof why);
    if (answer != ANSWER_GIVEN) {
        complain("%s:%zu: %s %s: %s", path, line, show->impl->name,
                 answer == ANSWER_FAILED ? "could not answer" : "does not accept this case", why);
        return false;
    }
    if (show->json) {
        out_begin_object(NULL);
        out_text("file", path);
        out_number("line", line);
        if (relative >= 0)
            out_number("relative", (uint64_t)relative);
        out_case("case", &text->c);
        out_text("by", show->impl->name);
        out_result("result", &result, show->impl->provides);
        out_end();
        return true;
    }
    struct drawing drawing = {.c = &text->c, .expected = &result, .expected_name = show->impl->name, .all = show->all};
    struct warp_result expected;
    if (show->impl !=
        spec_get()) { /* it may give less than a drawing needs: spec has the rest, and they are compared */
        if (ask_case(spec_get(), &text->c, &expected, why, sizeof why) != ANSWER_GIVEN) {
            complain("%s:%zu: spec could not answer: %s", path, line, why);
            return false;
        }
        drawing.expected = &expected;
        drawing.expected_name = "spec";
        drawing.observed = &result;
        drawing.observed_name = show->impl->name;
        drawing.parts = show->impl->provides;
    } else if (text->has_result) {
        drawing.observed = &text->result;
        drawing.observed_name = "file";
        drawing.parts = text->parts;
    }
    printf("%s:%zu, answered by %s\n", shown(path), line, shown(show->impl->name));
    if (relative >= 0)
        printf("(number %d of its relatives, which a target asks with it: the first that is wrong)\n", relative);
    draw_case(stdout, &drawing);
    printf("\n");
    return true;
}

/* Of an engine's input, the relative that is wrong, when the case itself is right. */
static bool show_relative(const struct show *show, const struct warp_text *base, const char *path, size_t line)
{
    struct warp_text text = {.parts = 0};
    struct finding f;
    if (show->impl == spec_get() || finding_make(&f, spec_get(), show->impl, &base->c))
        return true;
    const int relative = relative_that_differs(spec_get(), show->impl, &base->c, &text.c);
    return relative < 0 || show_case(show, &text, path, line, relative);
}

static int show_file(const struct show *show, const struct load_rules *rules, const char *path)
{
    struct case_file file;
    struct error error;
    int status = STATUS_AGREE;
    char kernel[FILE_PATH_MAX];
    if (file_join(path, "kernel.ptx", kernel, NULL) && file_exists(kernel)) {
        complain("%s: the finding of a kernel: finding.txt tells it, kernel.ptx is its text; warpcheck replay executes "
                 "it",
                 shown(path));
        return STATUS_USAGE;
    }
    if (!case_file_load(path, rules, &file, &error)) {
        complain("%s", error.text);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < file.count; i++) {
        if (!show_case(show, &file.texts[i], path, file.lines[i], -1))
            status = STATUS_MISMATCH;
        if (file.from_bytes && !show_relative(show, &file.texts[i], path, file.lines[i]))
            status = STATUS_MISMATCH;
    }
    case_file_free(&file);
    return status;
}

static int show_files(const struct show *show, const struct load_rules *rules, char **paths, int count)
{
    int status = STATUS_AGREE;
    if (show->json) {
        out_start();
        out_begin_array("cases");
    }
    for (int i = 1; i <= count; i++) {
        int one = show_file(show, rules, paths[i]);
        status = one > status ? one : status;
    }
    if (show->json) {
        out_end();
        out_print();
    }
    return status;
}

static int run_main(int argc, char **argv)
{
    struct show show = {NULL, false, false};
    struct load_rules rules = {0};
    const char *name = "spec";
    const struct option table[] = {
        {OPT_IMPL, &name, NULL, false},
        {OPT_ALL, &show.all, NULL, false},
        {OPT_BYTES, &rules.bytes, NULL, false},
        {OPT_JSON, &show.json, NULL, false},
    };
    int operands = options_parse(&command_show, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands == 0)
        return usage_error(&command_show, "needs a case file, or - for standard input");
    show.impl = ask_open(&command_show, name);
    if (!show.impl)
        return STATUS_USAGE;
    int status = show_files(&show, &rules, argv, operands);
    registry_close(show.impl);
    return status;
}

const struct command command_show = {
    .name = "show",
    .summary = "draw a case: lanes, who reads whom, what comes out",
    .help = "usage: warpcheck show FILE... [OPTION...]\n"
            "\n"
            "Draws the cases of readable files or one-line texts; with --bytes, of byte files. When a file\n"
            "holds a result, the cells that differ from the answer are marked; of another implementation than\n"
            "spec (--impl), its answer is drawn beside what spec says.\n"
            "\n"
            "  warpcheck show findings/NAME/case.txt\n"
            "  warpcheck gen shfl --count 1 | warpcheck show -\n",
    .run = run_main};
