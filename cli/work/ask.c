#include "cli/work/ask.h"

#include "check/impl/impl.h"
#include "cli/registry.h"
#include "cli/ui/options.h"
#include "cli/ui/terminal.h"
#include "warpcheck/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void ask_tell_first(const char *text)
{
    struct impl_name name;
    size_t count = 0;
    struct impl_offer *const offers =
        impl_name_parse(text, &name, NULL) && name.kind == IMPL_PLUGIN && name.inner[0] == '\0'
            ? impl_list_plugin(name.path, &count, NULL)
            : NULL;
    if (offers != NULL && count > 1)
        complain("%s has %zu implementations; asked is the first one, %s (FILE.so:NAME asks another, warpcheck list "
                 "FILE.so shows them)",
                 text, count, offers[0].name);
    free(offers);
}

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
    ask_tell_first(name);
    return opened(command, impl_open(name, &error), &error);
}

const struct warp_impl *ask_open_guarded(const struct command *command, const char *name)
{
    struct error error;
    ask_tell_first(name);
    return opened(command, impl_open_apart(name, &error), &error);
}

const struct warp_impl *ask_other(const struct command *command, const char *name, const struct warp_impl *impl,
                                  const char *reference_name, const struct warp_impl *reference)
{
    if (impl == NULL || reference == NULL || !impl_is_same(name, impl, reference_name, reference))
        return impl;
    usage_error(command, "%s would be compared with itself, which says nothing: name another", name);
    registry_close(impl);
    return NULL;
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
