/*
 * Property: any text is either refused as a program, with a place and a reason, or prints and reads back as an equal
 * program; and the program does the same over the implementation under test as over the transcription.
 */
#include "fuzz/harness.h"
#include "kernel/differ.h"

#include <stdio.h>
#include <string.h>

#define PRINTED_MAX (1u << 18)

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start((1u << WARP_FAMILIES) - 1u);
    harness_watch(harness);
    return 0;
}

static void check_print(const struct program *program, const uint8_t *data, size_t size)
{
    static char text[PRINTED_MAX];
    struct warp_text_error error;
    struct program *again;
    size_t length = program_print(program, text, sizeof text);
    if (length >= sizeof text)
        return;
    again = program_parse(text, length, NULL, &error);
    if (again == NULL)
        harness_failure(harness, "program-unreadable", error.what, data, size);
    else if (!program_equal(program, again))
        harness_failure(harness, "program-lossy", "the program prints as another program", data, size);
    program_free(again);
}

static void report(const struct program *program, const struct program_difference *d, uint32_t who, const uint8_t *data,
                   size_t size)
{
    char instruction[FINDING_SIGNATURE_MAX], what[1400], sort[2 * FINDING_SIGNATURE_MAX];
    struct finding f = program_difference_finding(program, d, instruction);
    program_difference_text(program, d, what, sizeof what);
    f.what = what;
    f.observed_name = harness->tested[__builtin_ctz(who)]->name;
    f.reference_name = harness->reference->name;
    const int length = snprintf(sort, sizeof sort, "%s %d %u", instruction, f.faults, who);
    harness_found(harness, &f, sort, (size_t)length, data, size, (unsigned)__builtin_popcount(who));
}

/* Executes the program on one input over every implementation under test. An implementation that does not accept a
 * case is not compared; one that does not answer is left to harness_end_unanswered. */
static void check_run(const struct program *program, uint64_t index, const uint8_t *data, size_t size)
{
    struct program_difference first, d;
    uint32_t who = 0;
    for (size_t i = 0; i < harness->tested_count; i++) {
        const enum program_comparison result = program_find_difference(program, harness->reference, harness->tested[i],
                                                                       PROGRAM_DIFFER_SEED, index, &d, NULL);
        harness->status->checks += result != PROGRAM_NOT_COMPARED;
        if (result == PROGRAM_DIFFERS && who == 0)
            first = d;
        who |= (uint32_t)(result == PROGRAM_DIFFERS) << i;
    }
    if (who != 0)
        report(program, &first, who, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct program_options options = {.implicit_inputs = true};
    struct warp_text_error error;
    struct program *program;
    memset(&error, 0xff, sizeof error);
    harness->status->executions++;
    program = program_parse((const char *)data, size, &options, &error);
    if (program == NULL) {
        if (error.line < 1 || error.column < 1 || memchr(error.what, '\0', sizeof error.what) == NULL ||
            error.what[0] == '\0')
            harness_failure(harness, "program-no-reason", "refused without a place and a reason", data, size);
        return 0;
    }
    check_print(program, data, size);
    status_asks(harness->status, data, size);
    for (uint64_t index = 0; index < PROGRAM_DIFFER_RUNS; index++) {
        check_run(program, index, data, size);
        harness_end_unanswered(harness);
    }
    status_answered(harness->status);
    program_free(program);
    return 0;
}
