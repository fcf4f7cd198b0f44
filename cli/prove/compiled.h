/* `warpcheck prove` about compiled code: the product's own (prove compiled), a user's (prove bitcode). */
#ifndef WARPCHECK_CLI_PROVE_COMPILED_H
#define WARPCHECK_CLI_PROVE_COMPILED_H

#include "check/finding.h"
#include "cli/command.h"
#include "cli/ui/options.h"

extern const struct command command_prove_own, command_prove_bitcode;

/* The forms that --only names, all without it, in `forms`; 0 after one line on standard error. */
size_t prove_forms(const struct command *command, const struct option_list *only, uint32_t forms[WARP_FORMS]);

/* Text as one word for the shell, in quotes where they are needed. Returns `text`. */
const char *prove_quoted(const char *word, char *text, size_t size);

#endif
