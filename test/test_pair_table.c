/*
 * The proof by two lanes on small kernels that try to be proved though they are wrong (pair_table.txt), each executed
 * as well.
 *
 * usage: test_pair_table [FILE], from the root of the repository
 */
#include "base/file.h"
#include "kernel/search.h"
#include "smt/pair/pair.h"
#include "test/sample.h"
#include "warpcheck_spec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXECUTIONS 400u

static const char head[] =
    ".visible .entry k(.param .u64 a, .param .u64 b, .param .u32 n)\n{\n"
    ".reg .pred %p, %q, %r, %u;\n.reg .b16 %h<4>;\n.reg .b32 %m, %t, %c, %v<6>, %w<6>, %id, %lane, %n, %x<4>;\n"
    ".reg .b64 %base, %out, %o, %in, %d<6>;\n.local .align 8 .b8 stack[64];\n.shared .align 8 .b32 s[64];\n"
    "ld.param.u64 %base, [a];\nld.param.u64 %in, [b];\nld.param.u32 %n, [n];\nmov.u32 %id, %tid.x;\n"
    "mov.u32 %lane, %laneid;\ncvta.to.global.u64 %base, %base;\ncvta.to.global.u64 %in, %in;\n"
    "mul.wide.u32 %o, %id, 4;\nadd.u64 %out, %base, %o;\nld.global.u32 %v0, [%out];\nmov.u32 %v1, 0;\n"
    "mov.u32 %c, 0;\nsetp.gt.s32 %p, %v0, 5;\nsetp.lt.u32 %q, %lane, 16;\n";

enum kind { RIGHT, SHOWN, OPEN, APART, RACE, UNSURE, KINDS };
static const char *const kinds[KINDS] = {"right", "shown", "open", "apart", "race", "unsure"};

struct row {
    enum kind kind;
    char name[100];
    const char *functions, *body; /* not ended by 0 */
    size_t functions_size, body_size;
};

static unsigned failures, counts[KINDS];

static void fail(const struct row *row, const char *what, const char *why)
{
    printf("FAIL: %s: %s%s%s\n", row->name, what, why[0] != '\0' ? ": " : "", why);
    failures++;
}

static bool is_about_races(const struct row *row)
{
    return row->kind == APART || row->kind == RACE || row->kind == UNSURE;
}

/* Of the block, where the name ends with them; 0: any number of warps. */
static uint32_t threads_of(const struct row *row)
{
    const char *const comma = strrchr(row->name, ',');
    return comma != NULL && strstr(comma, " threads") != NULL ? (uint32_t)strtoul(comma + 1, NULL, 10) : 0;
}

/* Races count apart: only where they are asked about does the proof say anything of them. */
static bool shows_error(const struct row *row, const struct kernel_search *s)
{
    for (uint32_t n = 0; n < s->findings_count; n++)
        if (kernel_is_error(s->findings[n].event.kind) &&
            (s->findings[n].event.kind != KERNEL_RACE || is_about_races(row)))
            return true;
    return false;
}

static bool is_proved(const struct row *row, const struct code *code, const struct kernel_slots *slots,
                      struct error *error)
{
    const struct pair_options options = {.launch = {{threads_of(row), 1, 1}},
                                         .slots = slots,
                                         .races = is_about_races(row),
                                         .effort = PAIR_EFFORT,
                                         .memory_mb = 1000,
                                         .seconds = 600};
    struct pair_outcome outcome;
    bool whole = pair_prove(code, &options, &outcome, error);
    for (size_t i = 0; i < outcome.count; i++)
        whole &= outcome.items[i].verdict == PAIR_PROVED;
    pair_outcome_free(&outcome);
    return whole;
}

static void judge(const struct row *row, const struct code *code)
{
    static struct kernel_search search;
    struct kernel_search_options options = {.impl = spec_get(),
                                            .seed = 1,
                                            .seconds = 600,
                                            .executions = EXECUTIONS,
                                            .steps = 100000,
                                            .blocks = {{threads_of(row) != 0 ? threads_of(row) : 32, 1, 1}, {64, 1, 1}},
                                            .blocks_count = threads_of(row) != 0 ? 1 : 2};
    struct error error = {0};
    bool wrong, proved;
    memset(&search, 0, sizeof search);
    kernel_find_slots(code, &search.slots);
    if (!kernel_search(code, &options, &search)) {
        fail(row, "not executed", search.why);
        return;
    }
    wrong = shows_error(row, &search);
    proved = is_proved(row, code, &search.slots, &error);
    if (proved && row->kind != RIGHT && row->kind != APART)
        fail(row, "wrong, and proved", "");
    if (!proved && (row->kind == RIGHT || row->kind == APART))
        fail(row, "right, and not proved", error.text);
    if (wrong != (row->kind == SHOWN || row->kind == RACE))
        fail(row, wrong ? "executions show an error" : "no execution shows the error", "");
    counts[row->kind]++;
}

static void look_at(const struct row *row)
{
    static char text[1 << 16];
    struct error error = {0};
    const int size = snprintf(text, sizeof text, ".version 8.0\n.target sm_90\n.address_size 64\n%.*s%s%.*s%s",
                              (int)row->functions_size, row->functions, head, (int)row->body_size, row->body,
                              "bar.sync 0;\nret;\n}\n");
    struct module *const module = module_read(text, (size_t)size, row->name, &error);
    uint32_t entry = 0;
    struct code *code = NULL;
    for (uint32_t n = 0; module != NULL && n < module->functions_count; n++)
        entry = module->functions[n].is_entry ? n : entry;
    if (module != NULL)
        code = code_new(module, entry, &error);
    if (code != NULL)
        judge(row, code);
    else
        fail(row, "not read", error.text);
    code_free(code);
    module_free(module);
}

/* Reads the line of a row: `KIND: NAME | WHY`. */
static bool read_title(struct row *row, const char *line, size_t size)
{
    for (unsigned k = 0; k < KINDS; k++) {
        const size_t word = strlen(kinds[k]);
        size_t end = word + 2;
        if (size < word + 3 || strncmp(line, kinds[k], word) != 0 || line[word] != ':')
            continue;
        while (end < size && strncmp(line + end, " | ", 3) != 0)
            end++;
        snprintf(row->name, sizeof row->name, "%.*s", (int)(end - word - 2), line + word + 2);
        row->kind = (enum kind)k;
        return true;
    }
    return false;
}

static void read_rows(const char *text)
{
    size_t number = 0;
    const char *at = strstr(text, "\n== ");
    while (at != NULL) {
        struct row row = {0};
        const char *const title = at + 4, *const line_end = strchr(title, '\n'), *const next = strstr(title, "\n== ");
        const char *const end = next != NULL ? next + 1 : title + strlen(title), *split;
        if (line_end == NULL || !read_title(&row, title, (size_t)(line_end - title))) {
            printf("FAIL: a row of no kind: %.60s\n", title);
            failures++;
            return;
        }
        row.body = line_end + 1;
        split = strstr(row.body, "\n--\n");
        if (split != NULL && split < end) {
            row.functions = row.body;
            row.functions_size = (size_t)(split + 1 - row.body);
            row.body = split + 4;
        }
        row.body_size = (size_t)(end - row.body);
        if (is_in_sample(number++, 2))
            look_at(&row);
        at = next;
    }
}

int main(int argc, char **argv)
{
    struct error error;
    size_t size;
    char *const text = file_read(argc > 1 ? argv[1] : "test/pair_table.txt", 1 << 20, &size, &error);
    if (text == NULL) {
        printf("FAIL: %s\n", error.text);
        return 1;
    }
    read_rows(text);
    free(text);
    for (unsigned k = 0; k < KINDS; k++)
        printf("%u %s, ", counts[k], kinds[k]);
    printf("%u failures\n", failures);
    for (unsigned k = 0; k < KINDS; k++)
        failures += counts[k] == 0;
    return failures == 0 ? 0 : 1;
}
