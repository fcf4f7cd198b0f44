/*
 * Property: any text is either refused, with a place inside it and a reason, or is a case that prints and reads back as
 * itself.
 */
#include "fuzz/harness.h"
#include "warpcheck/text.h"

#include <string.h>

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start((1u << WARP_FAMILIES) - 1u);
    return 0;
}

static void fail(const char *name, const char *what, const uint8_t *data, size_t size)
{
    harness_failure(harness, name, what, data, size);
}

static void check_refusal(const struct warp_text_error *error, const uint8_t *data, size_t size)
{
    size_t lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += data[i] == '\n';
    if (error->what[0] == '\0' || memchr(error->what, '\0', sizeof error->what) == NULL)
        fail("text-no-reason", "refused without a reason", data, size);
    if (error->line < 1 || error->line > lines || error->column < 1 || error->column > size + 1)
        fail("text-no-place", "refused at a place outside the text", data, size);
}

/* Are the parts that both name equal? The others are not printed. */
static bool same_result(const struct warp_text *x, const struct warp_text *y)
{
    const struct warp_result *r = &x->result, *s = &y->result;
    const uint32_t parts = x->parts;
    return parts == y->parts && (!(parts & WARP_PART_D) || memcmp(r->d, s->d, sizeof r->d) == 0) &&
           (!(parts & WARP_PART_P) || r->p == s->p) &&
           (!(parts & WARP_PART_D_DEFINED) || r->d_defined == s->d_defined) &&
           (!(parts & WARP_PART_OUTCOME) ||
            (r->done == s->done && r->waiting == s->waiting && r->undefined == s->undefined)) &&
           (!(parts & WARP_PART_WAITS_FOR) || memcmp(r->waits_for, s->waits_for, sizeof r->waits_for) == 0);
}

static void check_round_trip(const struct warp_text *text, const uint8_t *data, size_t size)
{
    static char line[2 * WARP_TEXT_MAX + 8];
    static struct warp_text again;
    struct warp_text_error error;
    size_t length = warp_case_to_text(&text->c, line, WARP_TEXT_MAX);
    if (text->has_result) {
        memcpy(line + length, " => ", 4);
        length += 4;
        length += warp_result_to_text(&text->result, text->parts, line + length, WARP_TEXT_MAX);
    }
    if (!warp_text_parse(line, length, &again, &error))
        fail("text-unreadable", error.what, data, size);
    else if (memcmp(&text->c, &again.c, sizeof again.c) != 0)
        fail("text-lossy", "the case prints as another case", data, size);
    else if (text->has_result != again.has_result || (text->has_result && !same_result(text, &again)))
        fail("text-result-lost", "the result prints as another result", data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct warp_text text;
    struct warp_text_error error;
    const char *wrong;
    memset(&error, 0xff, sizeof error);
    harness->status->executions++;
    harness->status->checks++;
    if (!warp_text_parse((const char *)data, size, &text, &error)) {
        check_refusal(&error, data, size);
        return 0;
    }
    wrong = warp_case_check(&text.c);
    if (wrong != NULL)
        fail("text-invalid", wrong, data, size);
    check_round_trip(&text, data, size);
    return 0;
}
