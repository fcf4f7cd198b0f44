/*
 * Property: any text is either refused as a program, with a place and a reason, or prints and reads back as an equal
 * program; and the program does the same over the implementation under test as over the transcription.
 */
#include "fuzz/harness.h"
#include "program/execute.h"

#include <stdlib.h>
#include <string.h>

#define RUNS        3u /* inputs that are drawn for each program */
#define PRINTED_MAX (1u << 18)

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start((1u << WARP_FAMILIES) - 1u);
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

static bool same_values(const struct program *program, const struct program_state *x, const struct program_state *y)
{
    if (x->active != y->active || x->exited != y->exited)
        return false;
    for (size_t reg = 0; reg < program->registers_count; reg++) {
        if (x->defined[reg] != y->defined[reg])
            return false;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            if ((x->defined[reg] >> lane & 1u) && x->value[reg][lane] != y->value[reg][lane])
                return false;
    }
    return true;
}

static void check_run(const struct program *program, const struct warp_impl *impl, struct program_state *x,
                      struct program_state *y, uint64_t index, const uint8_t *data, size_t size)
{
    struct program_outcome expected, observed;
    char error[256];
    program_state_random(program, x, 1, index);
    program_state_copy(program, y, x);
    if (!program_execute(program, harness->reference, x, &expected, error, sizeof error) ||
        !program_execute(program, impl, y, &observed, error, sizeof error))
        return; /* not accepted: a part that the implementation does not have */
    harness->status->checks++;
    if (expected.fault != observed.fault || expected.fault_at != observed.fault_at ||
        expected.fault_lanes != observed.fault_lanes)
        harness_failure(harness, "program-fault", "the implementations differ in how the program faults", data, size);
    else if (expected.fault == PROGRAM_FAULT_NONE && !same_values(program, x, y))
        harness_failure(harness, "program-values", "the implementations leave different registers", data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct program_options options = {.implicit_inputs = true};
    struct warp_text_error error;
    struct program *program;
    struct program_state *x, *y;
    char why[128];
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
    x = program_state_new(program);
    y = program_state_new(program);
    if (x != NULL && y != NULL && program_target(program, why, sizeof why) != 0)
        for (uint64_t index = 0; index < RUNS * harness->tested_count; index++)
            check_run(program, harness->tested[index % harness->tested_count], x, y, index / harness->tested_count,
                      data, size);
    program_state_free(x);
    program_state_free(y);
    program_free(program);
    return 0;
}
