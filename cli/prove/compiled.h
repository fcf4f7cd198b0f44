/* `warpcheck prove` about compiled code: the product's own (--compiled), a user's (--bitcode). */
#ifndef WARPCHECK_CLI_PROVE_COMPILED_H
#define WARPCHECK_CLI_PROVE_COMPILED_H

#include "check/finding.h"
#include "cli/command.h"
#include "cli/ui/options.h"

/* True: the arguments of `prove` ask for it; *status is the exit status. */
bool prove_compiled(int argc, char **argv, int *status);

int prove_own(int argc, char **argv);
int prove_bitcode(int argc, char **argv);

extern const struct command command_prove_own, command_prove_bitcode;

/* The forms that --only names, all without it, in `forms`; 0 after one line on standard error. */
size_t prove_forms(const struct command *command, const struct option_list *only, uint32_t forms[WARP_FORMS]);

/* Text as one word for the shell, in quotes where they are needed. Returns `text`. */
const char *prove_quoted(const char *word, char *text, size_t size);

#endif
