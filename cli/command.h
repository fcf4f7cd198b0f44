/*
 * A command of the program. The table is cli/commands.def; each command is one file, cmd_NAME.c.
 */
#ifndef WARPCHECK_CLI_COMMAND_H
#define WARPCHECK_CLI_COMMAND_H

/* Exit status of every command. */
enum { STATUS_AGREE = 0, STATUS_MISMATCH = 1, STATUS_USAGE = 2 };

struct command {
    const char *name;
    const char *summary; /* one line for `warpcheck --help` */
    const char
        *help; /* for `warpcheck NAME --help`: usage, operands, an example; the options follow from their table */
    const struct command *const *subcommands; /* NULL behind the last; each is named "COMMAND WORD". NULL: none */
    int (*run)(int argc, char **argv);        /* argv[0] is the command's name; returns the exit status */
};

#define COMMAND_GROUP(title)
#define COMMAND(name, variable) extern const struct command variable;
#define COMMAND_UNAVAILABLE(name, summary, reason)
#include "cli/commands.def"
#undef COMMAND_GROUP
#undef COMMAND
#undef COMMAND_UNAVAILABLE

/* Subcommands that stand in a file of their own. */
extern const struct command command_cross_kernels;
extern const struct command command_gen_kernel;
extern const struct command command_record_kernels;

#endif
