/* warpcheck show: draws cases. */
#include "cli/registry.h"
#include "cli/ui/draw.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"

#include <stdio.h>

struct show {
    const struct warp_impl *impl;
    bool all, json;
};

static bool show_case(const struct show *show, const struct warp_text *text, const char *path, size_t line)
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
        out_case("case", &text->c);
        out_text("by", show->impl->name);
        out_result("result", &result, show->impl->provides);
        out_end();
        return true;
    }
    struct drawing drawing = {.c = &text->c,
                              .expected = &result,
                              .expected_name = show->impl->name,
                              .observed = text->has_result ? &text->result : NULL,
                              .observed_name = "file",
                              .parts = text->parts & show->impl->provides,
                              .all = show->all};
    printf("%s:%zu, answered by %s\n", shown(path), line, shown(show->impl->name));
    draw_case(stdout, &drawing);
    printf("\n");
    return true;
}

static int show_file(const struct show *show, const struct load_rules *rules, const char *path)
{
    struct case_file file;
    struct error error;
    int status = STATUS_AGREE;
    if (!case_file_load(path, rules, &file, &error)) {
        complain("%s", error.text);
        return STATUS_USAGE;
    }
    for (size_t i = 0; i < file.count; i++)
        if (!show_case(show, &file.texts[i], path, file.lines[i]))
            status = STATUS_MISMATCH;
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
            "holds a result, the cells that differ from the answer are marked.\n"
            "\n"
            "  warpcheck show findings/NAME/case.txt\n"
            "  warpcheck gen shfl --count 1 | warpcheck show -\n",
    .run = run_main};
