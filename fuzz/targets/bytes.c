/*
 * Property: every byte string decodes to a valid case, and bytes, line and file are lossless forms of it.
 */
#include "fuzz/harness.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"

#include <string.h>

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start(WARP_FAMILY_ALL);
    return 0;
}

static void expect_same(const struct warp_case *c, const struct warp_case *again, const char *name, const char *what,
                        const uint8_t *data, size_t size)
{
    if (memcmp(c, again, sizeof *c) != 0)
        harness_failure(harness, name, what, data, size);
}

static void text_round_trip(const struct warp_case *c, const uint8_t *data, size_t size)
{
    static char line[WARP_TEXT_MAX], file[4 * WARP_TEXT_MAX];
    static struct warp_text text;
    struct warp_text_error error;
    size_t length = warp_case_to_text(c, line, sizeof line);
    if (!warp_text_parse(line, length, &text, &error))
        harness_failure(harness, "line-unreadable", error.what, data, size);
    else
        expect_same(c, &text.c, "line-lossy", "the line of a case reads as another case", data, size);
    length = warp_case_to_file(c, "comment", NULL, 0, file, sizeof file);
    if (length >= sizeof file || !warp_text_parse(file, length, &text, &error))
        harness_failure(harness, "file-unreadable", length >= sizeof file ? "the file is too long" : error.what, data,
                        size);
    else
        expect_same(c, &text.c, "file-lossy", "the file of a case reads as another case", data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct warp_case c, again;
    static struct warp_result result;
    uint8_t raw[WARP_BYTES_MAX];
    char error[64];
    const char *wrong;
    size_t length;
    uint32_t families =
        size > 1 && data[1] % WARP_FAMILIES != 0 ? WARP_FAMILY_BIT(data[1] % WARP_FAMILIES) : WARP_FAMILY_ALL;
    warp_case_from_bytes(data, size, families, &c);
    wrong = warp_case_check(&c);
    if (wrong != NULL)
        harness_failure(harness, "bytes-invalid", wrong, data, size);
    if (!(families >> warp_form_get(c.form)->family & 1u))
        harness_failure(harness, "bytes-family", "the case is of a family that was not asked for", data, size);
    length = warp_case_to_bytes(&c, raw);
    if (length > WARP_BYTES_MAX)
        harness_failure(harness, "bytes-long", "the raw form is too long", data, size);
    warp_case_from_bytes(raw, length, WARP_FAMILY_ALL, &again);
    expect_same(&c, &again, "bytes-lossy", "the raw form decodes to another case", data, size);
    text_round_trip(&c, data, size);
    harness->reference->eval(harness->reference->state, &c, 1, &result, error, sizeof error);
    harness->status->checks++;
    harness_count_case(harness, &c, &result);
    return 0;
}
