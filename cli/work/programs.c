#include "cli/work/programs.h"

#include "cli/command.h"
#include "cli/ui/json.h"
#include "cli/ui/terminal.h"
#include "cli/work/load.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct tally {
    uint64_t differing;
    struct program_difference first;
};

/* False when they could not be compared: `error`. */
static bool compare_all(const struct against *a, const struct program *program, struct tally *tally, char *error,
                        size_t error_size)
{
    for (uint64_t index = 0; index < a->count; index++) {
        struct program_difference d;
        const enum program_comparison result =
            program_find_difference(program, a->reference, a->observed, a->seed, index, &d, error, error_size);
        if (result == PROGRAM_NOT_COMPARED)
            return false;
        if (result == PROGRAM_DIFFERS && tally->differing++ == 0)
            tally->first = d;
    }
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
    char error[512] = "", what[1400] = "", name[FINDING_SIGNATURE_MAX] = "", instruction[FINDING_SIGNATURE_MAX];
    if (!compare_all(a, program, &tally, error, sizeof error)) {
        complain("%s: %s", path, error);
        return STATUS_USAGE;
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
