/* warpcheck lint: is this PTX legal, and is its warp-level behaviour defined? */
#include "cli/registry.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "kernel/lint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lint {
    struct lint_options options;
    struct lint_report report;
    uint64_t instructions; /* of all texts */
    bool json;
    int status;
};

static const enum paint colours[LINT_KINDS] = {
    [LINT_ILLEGAL] = PAINT_RED, [LINT_UNDEFINED] = PAINT_RED, [LINT_NOTE] = PAINT_YELLOW};

static void print_report(const char *name, const struct lint_report *r)
{
    uint64_t all = r->counts[LINT_ILLEGAL] + r->counts[LINT_UNDEFINED] + r->counts[LINT_NOTE];
    for (size_t i = 0; i < r->findings_count; i++) {
        const struct lint_finding *f = &r->findings[i];
        printf("%s:%u:%u: %s%s%s: %s\n", shown(name), f->line, f->column, paint(colours[f->kind]),
               lint_kind_name(f->kind), paint(PAINT_PLAIN), shown(f->what));
    }
    if (all > r->findings_count)
        printf("%s: %s more findings are not shown\n", shown(name), number_text(all - r->findings_count));
    printf("%s: PTX %u.%u, %s: %s warp instruction%s, %s illegal, %s undefined", shown(name), r->ptx / 10u,
           r->ptx % 10u, warp_target_name(r->target), number_text(r->instructions), r->instructions == 1 ? "" : "s",
           number_text(r->counts[LINT_ILLEGAL]), number_text(r->counts[LINT_UNDEFINED]));
    if (r->skipped)
        printf("; %s other statement%s not checked for legality", number_text(r->skipped), r->skipped == 1 ? "" : "s");
    if (r->executed)
        printf("; executed on %s inputs\n", number_text(r->executed));
    else
        printf("; not executed (%s)\n", shown(r->not_executed.text));
}

static void json_report(const char *name, const struct lint_report *r)
{
    char ptx[16];
    snprintf(ptx, sizeof ptx, "%u.%u", r->ptx / 10u, r->ptx % 10u);
    out_begin_object(NULL);
    out_text("name", name);
    out_text("ptx", ptx);
    out_text("target", warp_target_name(r->target));
    out_number("instructions", r->instructions);
    out_number("other_statements", r->skipped);
    for (int kind = 0; kind < LINT_KINDS; kind++)
        out_number(lint_kind_name((enum lint_kind)kind), r->counts[kind]);
    out_number("executed", r->executed);
    if (!r->executed)
        out_text("not_executed", r->not_executed.text);
    out_begin_array("findings");
    for (size_t i = 0; i < r->findings_count; i++) {
        const struct lint_finding *f = &r->findings[i];
        out_begin_object(NULL);
        out_text("kind", lint_kind_name(f->kind));
        out_number("line", f->line);
        out_number("column", f->column);
        out_text("what", f->what);
        out_end();
    }
    out_end();
    out_end();
}

static void worsen(struct lint *lint, int status)
{
    if (status > lint->status)
        lint->status = status;
}

static void lint_one(struct lint *lint, const char *name, const char *text, size_t size)
{
    struct warp_text_error error;
    if (!lint_text(text, size, &lint->options, &lint->report, &error)) {
        complain("%s:%zu:%zu: %s", name, error.line, error.column, error.what);
        worsen(lint, STATUS_USAGE);
        return;
    }
    if (lint->json)
        json_report(name, &lint->report);
    else
        print_report(name, &lint->report);
    if (lint->report.failed) {
        complain("%s: not executed to the end: %s", name, lint->report.not_executed.text);
        worsen(lint, STATUS_USAGE);
    }
    lint->instructions += lint->report.instructions;
    if (lint->report.counts[LINT_ILLEGAL] || lint->report.counts[LINT_UNDEFINED])
        worsen(lint, STATUS_MISMATCH);
}

static void lint_file(struct lint *lint, const char *path)
{
    struct error error;
    size_t size;
    char *text = file_read(path, LOAD_FILE_MAX, &size, &error);
    if (text) {
        lint_one(lint, path, text, size);
    } else {
        complain("%s", error.text);
        worsen(lint, STATUS_USAGE);
    }
    free(text);
}

/* "8.6" as 86. */
static bool read_version(const char *text, uint16_t *ptx)
{
    if (strlen(text) != 3 || text[1] != '.' || strspn(text, "0123456789.") != 3 || text[0] == '.' || text[2] == '.')
        return false;
    *ptx = (uint16_t)((text[0] - '0') * 10 + (text[2] - '0'));
    for (size_t i = 0; warp_ptx_get(i) != 0; i++)
        if (warp_ptx_get(i) == *ptx)
            return true;
    return false;
}

static int set_options(struct lint *lint, const char *ptx, const char *target)
{
    const struct warp_target_info *info = target ? warp_target_find(target) : NULL;
    if (ptx && !read_version(ptx, &lint->options.ptx))
        return usage_error(&command_lint, "--ptx %s: not a known PTX version, such as 8.6", ptx);
    if (target && !info)
        return usage_error(&command_lint, "--target %s: not a known target, such as sm_90 or sm_100a", target);
    lint->options.target = info ? info->target : 0;
    lint->options.impl = ask_open(&command_lint, "spec");
    return lint->options.impl ? STATUS_AGREE : STATUS_USAGE;
}

static void lint_all(struct lint *lint, const char *instruction, int operands, char **argv)
{
    if (lint->json) {
        out_start();
        out_begin_array("texts");
    }
    if (instruction)
        lint_one(lint, "-e", instruction, strlen(instruction));
    for (int i = 1; i <= operands; i++)
        lint_file(lint, argv[i]);
    /* Nothing was checked: a misspelt instruction must not look legal. */
    if (lint->status == STATUS_AGREE && lint->instructions == 0)
        worsen(lint,
               usage_error(&command_lint, "no warp-level instruction in the input (warpcheck list instructions)"));
    if (lint->json) {
        out_end();
        out_number("status", (uint64_t)lint->status);
        out_print();
    }
}

/* -e is the one short option, as in sed and perl. */
static void spell_out(int argc, char **argv)
{
    static char spelt[] = "--e";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "-e") == 0)
            argv[i] = spelt;
}

static int lint_main(int argc, char **argv)
{
    static struct lint lint;
    const char *ptx = NULL, *target = NULL, *instruction = NULL;
    const struct option table[] = {
        {OPT_TEXT, &instruction, NULL, false},
        {OPT_PTX, &ptx, "the text's .version, else the newest", false},
        {OPT_TARGET_SM, &target, "the text's .target, else sm_90", false},
        {OPT_INPUTS_LINT, &lint.options.executions, "256", false},
        {OPT_JSON, &lint.json, NULL, false},
    };
    spell_out(argc, argv);
    int operands = options_parse(&command_lint, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands == 0 && !instruction)
        return usage_error(&command_lint, "needs a PTX file, - for standard input, or -e 'INSTRUCTION;'");
    if (set_options(&lint, ptx, target) != STATUS_AGREE)
        return STATUS_USAGE;
    lint_all(&lint, instruction, operands, argv);
    registry_close(lint.options.impl);
    return lint.status;
}

const struct command command_lint = {
    .name = "lint",
    .summary = "is this PTX legal, and is its warp-level behaviour defined",
    .help = "usage: warpcheck lint [OPTION...] FILE...     warpcheck lint [OPTION...] -e 'INSTRUCTION;'\n"
            "\n"
            "Checks every warp instruction (shfl, vote, match, redux, activemask, bar.warp, elect) of PTX\n"
            "text against the instruction table: form, operands, destinations, register types, PTX version,\n"
            "target. Other instructions of a module are skipped and counted. A text that is a straight line\n"
            "of the instructions that docs/programs.md lists is executed too, to find lanes that wait for\n"
            "ever, undefined lanes and unpredictable values that are used.\n"
            "\n"
            "Exit status: 0 legal (notes do not count), 1 illegal or undefined, 2 unreadable, or no warp\n"
            "instruction in any of the texts.\n"
            "\n"
            "  warpcheck lint --ptx 6.4 --target sm_70 -e 'shfl.up.b32 Ry|p, Rx, 0x1, 0x0;'\n"
            "  warpcheck lint kernel.ptx\n",
    .run = lint_main};
