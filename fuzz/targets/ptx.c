/*
 * Property: any text is either refused as a module and as a piece of one, with a place and a reason, or what was read
 * is sound. Mistakes in instructions that are kept are sound, too.
 */
#include "fuzz/harness.h"
#include "fuzz/targets/sound.h"

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

static void check_piece(const uint8_t *data, size_t size, bool keep_wrong)
{
    const struct module_options options = {.fragment = true, .keep_wrong = keep_wrong};
    struct warp_text_error error;
    memset(&error, 0xff, sizeof error);
    struct module *m = module_read_piece((const char *)data, size, &options, &error);
    const char *why = m ? module_unsound(m) : NULL;
    harness->status->checks++;
    if (m == NULL && (error.line < 1 || error.column < 1 || memchr(error.what, '\0', sizeof error.what) == NULL ||
                      error.what[0] == '\0'))
        harness_failure(harness, "ptx-no-reason", "refused without a place and a reason", data, size);
    if (why)
        harness_failure(harness, "ptx-unsound", why, data, size);
    module_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness->status->executions++;
    check_module(data, size);
    check_piece(data, size, false);
    check_piece(data, size, true);
    return 0;
}
