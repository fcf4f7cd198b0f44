/*
 * What the commands for single cases share: opening implementations, asking one case, the usual options.
 */
#ifndef WARPCHECK_CLI_WORK_ASK_H
#define WARPCHECK_CLI_WORK_ASK_H

#include "cli/command.h"
#include "warpcheck/impl.h"

/* Says on standard error, when the name is that of a plugin with several implementations and names none of them, that
 * its first one is asked. */
void ask_tell_first(const char *name);

/* Opens the implementation, or prints one line on standard error. Of several (ask_tell_first) it says which. */
const struct warp_impl *ask_open(const struct command *command, const char *name);

/* Opens it so that a built-in implementation, too, that crashes or hangs fails with a reason instead of ending the
 * program (impl_open_apart). */
const struct warp_impl *ask_open_guarded(const struct command *command, const char *name);

/* Would the implementation be compared with itself, which says nothing? Then it is closed, and NULL after one line. */
const struct warp_impl *ask_other(const struct command *command, const char *name, const struct warp_impl *impl,
                                  const char *reference_name, const struct warp_impl *reference);

enum answer { ANSWER_GIVEN, ANSWER_NOT_ACCEPTED, ANSWER_FAILED };

/* Asks for one case. `why` gets the reason when there is no answer. */
enum answer ask_case(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *result, char *why,
                     size_t why_size);

#endif
