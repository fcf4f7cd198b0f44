/*
 * Property: any text is either refused as a PTX instruction, with a place and a reason, or prints and reads back as the
 * same instruction.
 */
#include "fuzz/harness.h"
#include "ptx/ptx.h"

#include <string.h>

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start((1u << WARP_FAMILIES) - 1u);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct ptx_instruction once, again;
    char line[PTX_LINE_MAX];
    struct warp_text_error error;
    size_t length;
    memset(&error, 0xff, sizeof error);
    harness->status->executions++;
    harness->status->checks++;
    if (!ptx_parse((const char *)data, size, &once, &error)) {
        if (error.line < 1 || error.column < 1 || memchr(error.what, '\0', sizeof error.what) == NULL ||
            error.what[0] == '\0')
            harness_failure(harness, "ptx-no-reason", "refused without a place and a reason", data, size);
        return 0;
    }
    length = ptx_print(&once, line, sizeof line);
    if (length >= sizeof line)
        harness_failure(harness, "ptx-long", "the printed instruction is longer than PTX_LINE_MAX", data, size);
    else if (!ptx_parse(line, length, &again, &error))
        harness_failure(harness, "ptx-unreadable", error.what, data, size);
    else if (!ptx_equal(&once, &again))
        harness_failure(harness, "ptx-lossy", "the instruction prints as another instruction", data, size);
    return 0;
}
