/*
 * Property: any text is either refused as a PTX instruction, with a place and a reason, or prints and reads back as the
 * same instruction. And it is either refused as a module, with a place and a reason, or what was read is sound.
 */
#include "fuzz/harness.h"
#include "fuzz/targets/sound.h"
#include "ptx/ptx.h"

#include <stdio.h>
#include <string.h>

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start((1u << WARP_FAMILIES) - 1u);
    return 0;
}

static void check_module(const uint8_t *data, size_t size)
{
    struct error error = {.code = ERROR_NONE};
    struct module *m = module_read((const char *)data, size, "-", &error);
    const char *why = m ? module_unsound(m) : NULL;
    unsigned line, column;
    harness->status->checks++;
    if (m == NULL && (error.code == ERROR_NONE || sscanf(error.text, "-:%u:%u: ", &line, &column) != 2))
        harness_failure(harness, "module-no-reason", "refused without a place and a reason", data, size);
    if (why)
        harness_failure(harness, "module-unsound", why, data, size);
    module_free(m);
}

static void check_instruction(const uint8_t *data, size_t size)
{
    static struct ptx_instruction once, again;
    char line[PTX_LINE_MAX];
    struct warp_text_error error;
    size_t length;
    memset(&error, 0xff, sizeof error);
    harness->status->checks++;
    if (!ptx_parse((const char *)data, size, &once, &error)) {
        if (error.line < 1 || error.column < 1 || memchr(error.what, '\0', sizeof error.what) == NULL ||
            error.what[0] == '\0')
            harness_failure(harness, "ptx-no-reason", "refused without a place and a reason", data, size);
        return;
    }
    length = ptx_print(&once, line, sizeof line);
    if (length >= sizeof line)
        harness_failure(harness, "ptx-long", "the printed instruction is longer than PTX_LINE_MAX", data, size);
    else if (!ptx_parse(line, length, &again, &error))
        harness_failure(harness, "ptx-unreadable", error.what, data, size);
    else if (!ptx_equal(&once, &again))
        harness_failure(harness, "ptx-lossy", "the instruction prints as another instruction", data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness->status->executions++;
    check_instruction(data, size);
    check_module(data, size);
    return 0;
}
