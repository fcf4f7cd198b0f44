/*
 * The options behind `--` of `warpcheck fuzz`, which are passed to the engine.
 */
#ifndef WARPCHECK_CLI_FUZZ_PASSED_H
#define WARPCHECK_CLI_FUZZ_PASSED_H

#include "cli/command.h"
#include "fuzz/campaign/command.h"

struct passed {
    const char *options[COMMAND_OPTIONS_MAX + 1]; /* ended by NULL */
    char text[JOB_PATH_MAX];                      /* of those with a path, which the engine reads from elsewhere */
};

/*
 * Takes the given ones (NULL: none), with paths made absolute. Those that would end the campaign or hide from it what
 * the engine finds are refused: 0, or an exit status after one line on standard error. The strings given are still used
 * by *passed.
 */
int passed_take(const struct command *command, enum engine engine, const char *const *given, struct passed *passed);

#endif
