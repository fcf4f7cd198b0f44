/*
 * The options of a command: one table, which is parsed, checked and printed by --help.
 */
#ifndef WARPCHECK_CLI_UI_OPTIONS_H
#define WARPCHECK_CLI_UI_OPTIONS_H

#include "cli/command.h"
#include "cli/ui/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,    /* bool: --name */
    OPTION_TEXT,    /* const char *: --name TEXT or --name=TEXT; points into argv */
    OPTION_NUMBER,  /* uint64_t, decimal or 0x hexadecimal */
    OPTION_COUNT,   /* the same, and at least 1 */
    OPTION_SECONDS, /* double, not negative */
    OPTION_LIST     /* struct option_list: may be given several times */
};

#define OPTION_LIST_MAX 16u
struct option_list {
    const char *items[OPTION_LIST_MAX];
    size_t count;
};

struct option {
    const char *name; /* without the dashes */
    enum option_kind kind;
    void *value;          /* keeps its content when the option is not given */
    const char *argument; /* "N", "DIR"; NULL for a flag */
    const char *what;     /* one line for --help */
};

/* What options_parse returns beside a number of operands. */
enum { OPTIONS_HELP = -1, OPTIONS_BAD = -2 };

/*
 * Parses argv[1..]. Options may stand anywhere; `--` ends them; `-` alone is an operand. Returns the number of
 * operands, which are moved to argv[1...]; or OPTIONS_HELP after printing the help of the command and its table; or
 * OPTIONS_BAD after one line on standard error that names the nearest option.
 */
int options_parse(const struct command *command, const struct option *table, size_t count, int argc, char **argv);

/* The exit status for a negative answer of options_parse. */
int options_status(int parsed);

/* The nearest of n names (by edits) to `word`, or NULL when none is near. */
const char *options_nearest(const char *word, const char *const *names, size_t n);

/* Prints "warpcheck COMMAND: ..." on standard error as one line; returns STATUS_USAGE. */
int usage_error(const struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);

#endif
