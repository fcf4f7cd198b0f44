#include "cli/work/programs.h"

#include "cli/command.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct tally {
    uint64_t differing;
    uint64_t asked; /* cases of the implementation */
    struct program_difference first;
};

static bool eval_counted(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                         size_t error_size)
{
    struct counted *const counted = state;
    for (size_t i = 0; i < n; i++)
        counted->asked += cases[i].active != 0;
    return counted->inner->eval(counted->inner->state, cases, n, results, error, error_size);
}

static bool accepts_counted(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    return warp_impl_accepts(((const struct counted *)state)->inner, c, why, why_size);
}

const struct warp_impl *counted_init(struct counted *counted, const struct warp_impl *inner)
{
    *counted = (struct counted){.impl = *inner, .inner = inner};
    counted->impl.state = counted;
    counted->impl.eval = eval_counted;
    counted->impl.accepts = inner->accepts != NULL ? accepts_counted : NULL;
    counted->impl.close = NULL;
    return &counted->impl;
}

/* False when they could not be compared: `error`. */
static bool compare_all(const struct against *a, const struct program *program, struct tally *tally,
                        struct error *error)
{
    struct counted observed;
    counted_init(&observed, a->observed);
    for (uint64_t index = 0; index < a->count; index++) {
        struct program_difference d;
        const enum program_comparison result =
            program_find_difference(program, a->reference, &observed.impl, a->seed, index, &d, error);
        if (result == PROGRAM_NOT_COMPARED)
            return false;
        if (result == PROGRAM_DIFFERS && tally->differing++ == 0)
            tally->first = d;
    }
    tally->asked = observed.asked;
    return true;
}

static void print_json(const struct against *a, const char *path, const struct tally *tally, const char *name,
                       const char *what)
{
    out_begin_object(NULL);
    out_text("name", path);
    out_text("implementation", a->observed->name);
    out_text("reference", a->reference->name);
    out_number("inputs", a->count);
    out_number("differing", tally->differing);
    if (tally->differing > 0) {
        out_text("signature", name);
        out_text("first_difference", what);
    }
    out_end();
}

int against_run(const struct against *a, const char *path, const struct program *program)
{
    struct tally tally = {0};
    struct error error;
    char what[1400] = "", name[FINDING_SIGNATURE_MAX] = "", instruction[FINDING_SIGNATURE_MAX];
    if (!compare_all(a, program, &tally, &error)) {
        complain("%s: %s", path, error.text);
        return STATUS_USAGE;
    }
    if (tally.differing == 0 && tally.asked == 0) {
        complain("NOTHING COMPARED: %s: no lane came to a warp instruction on %s inputs", shown(path),
                 number_text(a->count));
        return STATUS_MISMATCH;
    }
    if (tally.differing > 0) {
        program_difference_text(program, &tally.first, what, sizeof what);
        const struct finding f = program_difference_finding(program, &tally.first, instruction);
        finding_signature(&f, name);
    }
    if (a->json)
        print_json(a, path, &tally, name, what);
    else if (tally.differing == 0)
        printf("%s: %s does as %s on %s inputs of seed %" PRIu64 "\n", shown(path), shown(a->observed->name),
               shown(a->reference->name), number_text(a->count), a->seed);
    else
        printf("%s: %sDIFFERS%s: %s against %s, on %s of %s inputs\n  %s\n", shown(path), paint(PAINT_RED),
               paint(PAINT_PLAIN), a->observed->name, a->reference->name, number_text(tally.differing),
               number_text(a->count), what);
    return tally.differing > 0 ? STATUS_MISMATCH : STATUS_AGREE;
}

struct program *program_load(const char *path)
{
    struct error error;
    struct warp_text_error wrong;
    size_t size;
    char *text = file_read(path, LOAD_FILE_MAX, &size, &error);
    struct program *program = text ? program_parse(text, size, NULL, &wrong) : NULL;
    if (!text)
        complain("%s", error.text);
    else if (!program)
        complain("%s:%zu:%zu: %s", path, wrong.line, wrong.column, wrong.what);
    free(text);
    return program;
}

void program_value_text(char *buf, size_t size, enum ptx_type type, uint64_t value)
{
    uint32_t bits = (uint32_t)value;
    float f;
    memcpy(&f, &bits, sizeof f);
    if (type == PTX_PRED)
        snprintf(buf, size, "%s", value ? "true" : "false");
    else if (type == PTX_F32 && f == f)
        snprintf(buf, size, "%.9g", (double)f);
    else
        snprintf(buf, size, "0x%" PRIx64, value);
}

enum ptx_type program_shown_type(const struct program_register *reg)
{
    return reg->input.is_input ? reg->input.as : reg->type;
}

const char *program_failure_text(const struct program *program, const struct program_claim *claim,
                                 const struct program_claim_record *r, char *buf, size_t size)
{
    const struct program_failure *f = &r->failure;
    char observed[32], expected[32];
    if (r->outcome.fault != PROGRAM_FAULT_NONE) {
        program_fault_text(program, &r->outcome, buf, size);
        return buf;
    }
    if (claim->kind == PROGRAM_CLAIM_DEFINED) {
        snprintf(buf, size, "line %u uses %s, unpredictable in lanes 0x%08x",
                 program->instructions[r->outcome.used_at].line, program->registers[r->outcome.used_reg].name,
                 r->outcome.used_lanes);
        return buf;
    }
    const struct program_register *reg = &program->registers[claim->reg];
    program_value_text(observed, sizeof observed, program_shown_type(reg), f->observed);
    program_value_text(expected, sizeof expected, program_shown_type(reg), f->expected);
    if (f->undefined)
        snprintf(buf, size, "%s is unpredictable in lane %u", reg->name, f->lane);
    else
        snprintf(buf, size, "lane %u has %s, not %s", f->lane, observed, expected);
    return buf;
}
