#include "cli/work/expected.h"

#include <stdio.h>
#include <string.h>

static bool accepts(void *state, const struct warp_case *c, char *why, size_t why_size)
{
    const struct expected *expected = state;
    if (memcmp(c, &expected->text->c, sizeof *c) == 0)
        return true;
    if (why_size > 0)
        snprintf(why, why_size, "the file says nothing about any other case");
    return false;
}

static bool eval(void *state, const struct warp_case *cases, size_t n, struct warp_result *results, char *error,
                 size_t error_size)
{
    const struct expected *expected = state;
    (void)cases, (void)error, (void)error_size;
    for (size_t i = 0; i < n; i++)
        results[i] = expected->text->result;
    return true;
}

const struct warp_impl *expected_init(struct expected *expected, const struct warp_text *text)
{
    expected->text = text;
    expected->impl = (struct warp_impl){.name = "expect",
                                        .description = "what the case file expects",
                                        .provides = text->parts,
                                        .state = expected,
                                        .accepts = accepts,
                                        .eval = eval,
                                        .close = NULL};
    return &expected->impl;
}
