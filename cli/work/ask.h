/*
 * What the commands for single cases share: opening implementations, asking one case, the usual options.
 */
#ifndef WARPCHECK_CLI_WORK_ASK_H
#define WARPCHECK_CLI_WORK_ASK_H

#include "cli/command.h"
#include "warpcheck/impl.h"

/* Opens the implementation, or prints one line on standard error. */
const struct warp_impl *ask_open(const struct command *command, const char *name);

/* Opens it so that a built-in implementation, too, that crashes or hangs fails with a reason instead of ending the
 * program (impl_open_apart). */
const struct warp_impl *ask_open_guarded(const struct command *command, const char *name);

enum answer { ANSWER_GIVEN, ANSWER_NOT_ACCEPTED, ANSWER_FAILED };

/* Asks for one case. `why` gets the reason when there is no answer. */
enum answer ask_case(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *result, char *why,
                     size_t why_size);

/*
 * The families that a word stands for: a family's name ("shfl.sync", also "shfl" for both shfl.sync and shfl), or
 * "all"; 0 when it is none. With `form` not NULL the name of a form is taken too: then *form is it, else WARP_FORMS.
 */
uint32_t ask_families(const char *word, uint32_t *form);

/* After ask_families gave 0: one line with the nearest name on standard error; STATUS_USAGE. */
int ask_unknown_instruction(const struct command *command, const char *word);

#endif
