/*
 * The options of a command: those of cli/options.def that it takes, which are parsed, checked and printed by --help.
 */
#ifndef WARPCHECK_CLI_UI_OPTIONS_H
#define WARPCHECK_CLI_UI_OPTIONS_H

#include "base/error.h"
#include "cli/command.h"
#include "cli/ui/terminal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum option_kind {
    OPTION_FLAG,    /* bool: --name */
    OPTION_TEXT,    /* const char *: --name TEXT or --name=TEXT; points into argv */
    OPTION_FILE,    /* the same: a file that is written besides the report. "-" is refused: standard output has that */
    OPTION_NUMBER,  /* uint64_t, decimal or 0x hexadecimal */
    OPTION_COUNT,   /* the same, and at least 1 */
    OPTION_SECONDS, /* double, not negative */
    OPTION_LIST,    /* struct option_list: may be given several times */
    OPTION_FAMILIES /* uint32_t, bit set: families of instructions, may be given several times */
};

#define OPTION(ID, name, kind, argument, what) OPT_##ID,
enum option_id {
#include "cli/options.def"
    OPTIONS
};
#undef OPTION

#define OPTION_LIST_MAX 64u
struct option_list {
    const char *items[OPTION_LIST_MAX];
    size_t count;
};

/* An option that a command takes. */
struct option {
    enum option_id id;
    void *value;        /* of the kind's type; keeps its content, which is the default, when the option is not given */
    const char *preset; /* the default in words; NULL: what `value` holds */
    bool many;          /* it may be repeated: `value` is a struct option_list */
};

/* Return values of options_parse beside the number of operands. */
enum { OPTIONS_HELP = -1, OPTIONS_BAD = -2 };

/*
 * Parses argv[1..]. Options may stand anywhere; `--` ends them; `-` alone is an operand. Repeating an option that may
 * not be repeated is an error, and so is an empty value, or a file to write that another option or an operand names.
 * Returns the number of operands, which are moved to
 * argv[1...]; OPTIONS_HELP after printing the help of the command; or OPTIONS_BAD after one line on standard error that
 * names the nearest option.
 */
int options_parse(const struct command *command, const struct option *table, size_t count, int argc, char **argv);

/* The exit status for a negative answer of options_parse. */
int options_status(int parsed);

/*
 * Runs the command, or the subcommand that argv[1] names: `prove compiled`. A subcommand's older spelling as an option
 * is accepted anywhere: `prove --compiled`, `prove --bitcode FILE`.
 */
int command_call(const struct command *command, int argc, char **argv);

/* Prints "warpcheck COMMAND: ..." on standard error as one line; returns STATUS_USAGE. */
int usage_error(const struct command *command, const char *format, ...) PRINTF_LIKE(2, 3);
/* The exit status after an error that was told: an interrupt is no wrong use. */
int error_status(const struct error *error);

/*
 * The families that a word stands for: a family's name ("shfl.sync", also "shfl" for both shfl.sync and shfl), or
 * "all"; 0 when it is none. With `form` not NULL the name of a form is taken too: then *form is it, else WARP_FORMS.
 */
uint32_t option_families(const char *word, uint32_t *form);

/* After option_families gave 0: one line with the nearest name on standard error; STATUS_USAGE. */
int option_unknown_instruction(const struct command *command, const char *word);

#endif
