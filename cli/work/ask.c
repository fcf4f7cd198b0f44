#include "cli/work/ask.h"

#include "check/impl/impl.h"
#include "cli/ui/options.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <string.h>

static const struct warp_impl *opened(const struct command *command, const struct warp_impl *impl,
                                      const struct error *error)
{
    if (impl == NULL)
        usage_error(command, "%s", error->text);
    return impl;
}

const struct warp_impl *ask_open(const struct command *command, const char *name)
{
    struct error error;
    return opened(command, impl_open(name, &error), &error);
}

const struct warp_impl *ask_open_guarded(const struct command *command, const char *name)
{
    struct error error;
    return opened(command, impl_open_apart(name, &error), &error);
}

enum answer ask_case(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *result, char *why,
                     size_t why_size)
{
    snprintf(why, why_size, "no reason given");
    if (!warp_impl_accepts(impl, c, why, why_size))
        return ANSWER_NOT_ACCEPTED;
    memset(result, 0, sizeof *result);
    return impl->eval(impl->state, c, 1, result, why, why_size) ? ANSWER_GIVEN : ANSWER_FAILED;
}

uint32_t ask_families(const char *word, uint32_t *form)
{
    uint32_t families = 0;
    size_t length = strlen(word);
    if (form)
        *form = WARP_FORMS;
    if (strcmp(word, "all") == 0)
        return WARP_FAMILY_ALL;
    for (uint32_t f = 0; f < WARP_FAMILIES; f++) {
        const char *name = warp_family_name(f);
        bool whole = strcmp(name, word) == 0;
        bool begins = length > 0 && strncmp(name, word, length) == 0 && strcmp(name + length, ".sync") == 0;
        if (whole || begins)
            families |= WARP_FAMILY_BIT(f);
    }
    const struct warp_form_info *info = form && !families ? warp_form_find(word) : NULL;
    if (info) {
        *form = info->form;
        families = WARP_FAMILY_BIT((unsigned)info->family);
    }
    return families;
}

int ask_unknown_instruction(const struct command *command, const char *word)
{
    const char *names[WARP_FORMS + WARP_FAMILIES];
    size_t n = 0;
    for (uint32_t f = 0; f < WARP_FAMILIES; f++)
        names[n++] = warp_family_name(f);
    for (uint32_t f = 0; f < WARP_FORMS; f++)
        names[n++] = warp_form_get(f)->name;
    const char *nearest = text_nearest(word, names, n);
    if (nearest)
        return usage_error(command, "no instruction '%s'; did you mean %s? (warpcheck list instructions)", word,
                           nearest);
    return usage_error(command, "no instruction '%s' (warpcheck list instructions)", word);
}
