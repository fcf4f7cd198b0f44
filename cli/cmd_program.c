/* warpcheck program: run PTX for one warp over an implementation and test its claims. */
#include "cli/registry.h"
#include "cli/ui/json.h"
#include "cli/ui/options.h"
#include "cli/ui/table.h"
#include "cli/work/ask.h"
#include "cli/work/load.h"
#include "cli/work/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_SHOW UINT64_MAX

struct job {
    const struct warp_impl *impl;
    const struct warp_impl *against; /* NULL: claims are tested */
    uint64_t seed;
    uint64_t count;
    uint64_t show; /* index of inputs, or NO_SHOW */
    bool json;
    int status;
};

static void worsen(struct job *job, int status)
{
    if (status > job->status)
        job->status = status;
}

static const char *verdict(const struct program_claim *claim, const struct program_claim_record *r)
{
    if (r->held + r->failed == 0)
        return "NOT TESTED";
    if (claim->refute)
        return r->failed ? "refuted" : "NOT REFUTED";
    return r->failed ? "CONTRADICTED" : "held";
}

static void print_claim(const struct program *program, const struct program_claim *claim,
                        const struct program_claim_record *r)
{
    char why[256];
    bool expected = program_claim_as_expected(claim, r);
    printf("  %s%-12s%s %-6s %s\n", paint(expected ? PAINT_GREEN : PAINT_RED), verdict(claim, r), paint(PAINT_PLAIN),
           claim->refute ? "refute" : "claim", shown(claim->text));
    if (r->failed)
        printf("               fails on %s of %s inputs, first on input %s: %s\n", number_text(r->failed),
               number_text(r->held + r->failed), number_text(r->first_failure),
               shown(program_failure_text(program, claim, r, why, sizeof why)));
}

static void json_claim(const struct program *program, const struct program_claim *claim,
                       const struct program_claim_record *r)
{
    char why[256];
    out_begin_object(NULL);
    out_number("line", claim->line);
    out_text("kind", claim->refute ? "refute" : "claim");
    out_text("claim", claim->text);
    out_text("verdict", verdict(claim, r));
    out_bool("as_expected", program_claim_as_expected(claim, r));
    out_number("held", r->held);
    out_number("failed", r->failed);
    if (r->failed) {
        out_number("first_failure", r->first_failure);
        out_text("failure", program_failure_text(program, claim, r, why, sizeof why));
    }
    out_end();
}

static void print_claims(struct job *job, const char *path, const struct program *program,
                         const struct program_claim_record *records)
{
    if (!job->json)
        printf("%s: %zu instructions, %zu claims, %s on %s inputs of seed %" PRIu64 "\n", shown(path),
               program->instructions_count, program->claims_count, job->impl->name, number_text(job->count), job->seed);
    else {
        out_begin_object(NULL);
        out_text("name", path);
        out_number("instructions", program->instructions_count);
        out_number("inputs", job->count);
        out_begin_array("claims");
    }
    for (size_t i = 0; i < program->claims_count; i++) {
        (job->json ? json_claim : print_claim)(program, &program->claims[i], &records[i]);
        if (!program_claim_as_expected(&program->claims[i], &records[i]))
            worsen(job, STATUS_MISMATCH);
    }
    if (job->json) {
        out_end();
        out_end();
    }
}

/* Nothing of the implementation was compared, or no claim was tested: that is no success. */
static void tell_nothing(struct job *job, const char *path, const char *why)
{
    complain("NOTHING COMPARED: %s %s", path, why);
    worsen(job, STATUS_MISMATCH);
}

/* No instruction is one of the implementation's. */
static bool asks_nothing(const struct program *program)
{
    for (size_t n = 0; n < program->instructions_count; n++)
        if (program->instructions[n].op == OP_WARP)
            return false;
    return true;
}

static bool test_claims(struct job *job, const char *path, const struct program *program)
{
    static struct program_claim_record records[PROGRAM_CLAIMS_MAX];
    struct error error;
    struct counted impl;
    if (!program_test_claims(program, counted_init(&impl, job->impl), job->seed, job->count, records, &error)) {
        complain("%s: %s", path, error.text);
        return false;
    }
    print_claims(job, path, program, records);
    if (program->claims_count == 0)
        tell_nothing(job, path, "has no claim: write one as `//! claim ...` (docs/programs.md)");
    else if (impl.asked == 0 && !asks_nothing(program))
        tell_nothing(job, path, "has warp instructions, and no lane came to one");
    return true;
}

static void add_column(struct table *table, const struct program_register *reg, const char *mark,
                       const struct program_state *state, size_t r)
{
    char head[24];
    if (table->count == TABLE_COLUMNS_MAX)
        return;
    snprintf(head, sizeof head, "%s%.20s", mark, reg->name);
    struct table_column *column = table_add(table, head);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (state->defined[r] >> lane & 1u)
            program_value_text(column->cells[lane], sizeof column->cells[lane], program_shown_type(reg),
                               state->value[r][lane]);
        else
            snprintf(column->cells[lane], sizeof column->cells[lane], "?");
    }
}

static void print_states(const struct program *program, const struct program_state *initial,
                         const struct program_state *final)
{
    struct table table = {.rows = initial->active};
    struct table_column *lanes = table_add(&table, "lane");
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        snprintf(lanes->cells[lane], sizeof lanes->cells[lane], "%u%s", lane,
                 final->exited >> lane & 1u ? " exited" : "");
    for (size_t r = 0; r < program->registers_count; r++)
        if (program->registers[r].input.is_input)
            add_column(&table, &program->registers[r], "in:", initial, r);
    for (size_t r = 0; r < program->registers_count; r++)
        add_column(&table, &program->registers[r], "", final, r);
    table_print(stdout, &table);
    if (program->registers_count + 1 > table.count)
        printf("(only the first columns are shown; ? is unpredictable)\n");
}

static bool show(struct job *job, const char *path, const struct program *program)
{
    struct program_state *initial = program_state_new(program);
    struct program_state *final = program_state_new(program);
    struct program_outcome outcome;
    struct error error;
    char text[256];
    bool ok = (initial && final) || error_set(&error, ERROR_SYSTEM, "out of memory");
    if (ok) {
        program_state_random(program, initial, job->seed, job->show);
        program_state_copy(program, final, initial);
        ok = program_execute(program, job->impl, final, &outcome, &error);
    }
    if (ok) {
        printf("%s: input %" PRIu64 " of seed %" PRIu64 ", %s; ? is unpredictable\n", shown(path), job->show, job->seed,
               shown(job->impl->name));
        print_states(program, initial, final);
        if (program_fault_text(program, &outcome, text, sizeof text) > 0)
            printf("fault: %s\n", shown(text));
    } else {
        complain("%s: %s", path, error.text);
    }
    program_state_free(initial);
    program_state_free(final);
    return ok;
}

static bool compare(struct job *job, const char *path, const struct program *program)
{
    const struct against a = {job->against, job->impl, job->seed, job->count, job->json};
    if (job->count == 0)
        tell_nothing(job, path, "was executed on no input");
    else if (asks_nothing(program))
        tell_nothing(job, path, "has no warp instruction, which an implementation would be asked about");
    else
        worsen(job, against_run(&a, path, program));
    return true;
}

static void run_file(struct job *job, const char *path)
{
    struct program *program = program_load(path);
    bool ok = program != NULL;
    if (ok && job->show != NO_SHOW)
        ok = show(job, path, program);
    else if (ok)
        ok = (job->against ? compare : test_claims)(job, path, program);
    if (!ok)
        worsen(job, STATUS_USAGE);
    program_free(program);
}

/* A file, whatever its name; or the .ptx files of a folder. */
static void run_operand(struct job *job, const char *path)
{
    struct path_list list = {0};
    struct error error;
    size_t programs = 0;
    if (strcmp(path, "-") == 0) {
        run_file(job, path);
        return;
    }
    const bool is_whole = path_list_find(&list, path, &error);
    if (!is_whole) {
        complain("%s", error.text);
        worsen(job, STATUS_USAGE);
    }
    for (size_t i = 0; i < list.count; i++)
        if (strcmp(list.paths[i], path) == 0 || text_ends(list.paths[i], ".ptx")) {
            run_file(job, list.paths[i]);
            programs++;
        }
    if (programs == 0 && is_whole) {
        complain("%s: a folder without a .ptx file", path);
        worsen(job, STATUS_USAGE);
    }
    path_list_free(&list);
}

static void run_all(struct job *job, int operands, char **argv)
{
    if (job->json) {
        out_start();
        out_begin_array("programs");
    }
    for (int i = 1; i <= operands; i++)
        run_operand(job, argv[i]);
    if (job->json) {
        out_end();
        out_number("status", (uint64_t)job->status);
        out_print();
    }
}

static int program_main(int argc, char **argv)
{
    struct job job = {.seed = 1, .count = 1000, .show = NO_SHOW};
    const char *impl = "spec";
    const char *against = NULL;
    const struct option table[] = {
        {OPT_IMPL, &impl, NULL, false},         {OPT_AGAINST, &against, NULL, false},
        {OPT_SEED, &job.seed, NULL, false},     {OPT_INPUTS, &job.count, NULL, false},
        {OPT_SHOW_INPUT, &job.show, "", false}, {OPT_JSON, &job.json, NULL, false},
    };
    int operands = options_parse(&command_program, table, sizeof table / sizeof table[0], argc, argv);
    if (operands < 0)
        return options_status(operands);
    if (operands == 0)
        return usage_error(&command_program, "needs PTX files, or a folder of them, such as corpus/programs");
    if (against && job.show != NO_SHOW)
        return usage_error(&command_program, "--show prints what one implementation does: leave --against out");
    if (job.json && job.show != NO_SHOW)
        return usage_error(&command_program, "--show prints a table for people: leave --json out");
    job.against = against ? ask_open(&command_program, against) : NULL;
    job.impl = against && !job.against ? NULL : ask_open(&command_program, impl);
    job.impl = against ? ask_other(&command_program, impl, job.impl, against, job.against) : job.impl;
    if (job.impl)
        run_all(&job, operands, argv);
    else
        job.status = STATUS_USAGE;
    registry_close(job.impl);
    registry_close(job.against);
    return job.status;
}

const struct command command_program = {
    .name = "program",
    .summary = "run a PTX program of warp instructions over an implementation, test its claims",
    .help =
        "usage: warpcheck program [OPTION...] FILE...\n"
        "\n"
        "Executes PTX for one warp, lines or a kernel, each warp instruction by the implementation, and tests the\n"
        "claims in its //! comments (docs/programs.md). A claim that holds on all inputs is tested,\n"
        "not proved: `warpcheck prove` proves. A line `//! refute` needs an input on which its claim fails.\n"
        "\n"
        "With --against another implementation executes it too, and the first instruction after which their\n"
        "registers or faults differ is shown.\n"
        "\n"
        "Exit status: 0 all as expected, 1 a claim contradicted, nothing refuted, a difference or nothing compared\n"
        "(no claim; with --against no warp instruction), 2 unreadable.\n"
        "\n"
        "  warpcheck program corpus/programs\n"
        "  warpcheck program --impl ./mine.so --against spec corpus/programs\n"
        "  warpcheck program --show 0 corpus/programs/butterfly-add-f32.ptx\n",
    .run = program_main};
