#include "cli/ui/options.h"

#include "base/text.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX     32u
#define WORD_MAX_LENGTH 40u

int usage_error(const struct command *command, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "warpcheck %s: ", command->name);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return STATUS_USAGE;
}

const char *options_nearest(const char *word, const char *const *names, size_t n)
{
    return text_nearest(word, names, n);
}

static void print_help(const struct command *command, const struct option *table, size_t count)
{
    printf("%s\n", command->help);
    printf("Options:\n");
    for (size_t i = 0; i < count; i++) {
        char left[48];
        snprintf(left, sizeof left, "--%s%s%s", table[i].name, table[i].argument ? " " : "",
                 table[i].argument ? table[i].argument : "");
        printf("  %-22s %s\n", left, table[i].what);
    }
    printf("  %-22s %s\n", "--help", "this text");
}

static int unknown_option(const struct command *command, const struct option *table, size_t count, const char *word)
{
    const char *names[OPTIONS_MAX + 1];
    size_t n = 0;
    for (; n < count && n < OPTIONS_MAX; n++)
        names[n] = table[n].name;
    names[n++] = "help";
    char bare[WORD_MAX_LENGTH + 1];
    const char *start = word + strspn(word, "-");
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(start, "="), start);
    const char *nearest = options_nearest(bare, names, n);
    if (nearest)
        usage_error(command, "unknown option '%s'; did you mean --%s? (warpcheck %s --help lists them)", word, nearest,
                    command->name);
    else
        usage_error(command, "unknown option '%s'; warpcheck %s --help lists them", word, command->name);
    return OPTIONS_BAD;
}

static bool list_add(struct option_list *list, const char *text)
{
    if (list->count == OPTION_LIST_MAX)
        return false;
    list->items[list->count++] = text;
    return true;
}

static bool set_seconds(double *seconds, const char *text)
{
    char *end = NULL;
    double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value < 0.0)
        return false;
    *seconds = value;
    return true;
}

/* Stores the argument; false after a line that says what would be right. */
static bool set_value(const struct command *command, const struct option *option, const char *text)
{
    switch (option->kind) {
    case OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case OPTION_TEXT:
        *(const char **)option->value = text;
        return true;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (!text_number(text, option->value)) {
            usage_error(command, "--%s %s: not a number (decimal, or hexadecimal with 0x)", option->name, text);
            return false;
        }
        if (option->kind == OPTION_NUMBER || *(uint64_t *)option->value > 0)
            return true;
        usage_error(command, "--%s %s: a count must be 1 or more", option->name, text);
        return false;
    case OPTION_SECONDS:
        if (set_seconds(option->value, text))
            return true;
        usage_error(command, "--%s %s: not a number of seconds (0, 1.5, 20...)", option->name, text);
        return false;
    case OPTION_LIST:
        if (list_add(option->value, text))
            return true;
        usage_error(command, "--%s may be given at most %u times", option->name, OPTION_LIST_MAX);
        return false;
    }
    return false;
}

/* Parses the option argv[i]. Returns how many words it took, or 0 after an error. */
static int parse_one(const struct command *command, const struct option *table, size_t count, int i, int argc,
                     char **argv)
{
    const char *word = argv[i] + 2;
    size_t length = strcspn(word, "=");
    for (size_t k = 0; argv[i][1] == '-' && k < count; k++) {
        const struct option *option = &table[k];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        bool joined = word[length] == '=';
        if (option->kind == OPTION_FLAG) {
            if (joined)
                return usage_error(command, "--%s takes no value", option->name), 0;
            return set_value(command, option, NULL) ? 1 : 0;
        }
        if (joined)
            return set_value(command, option, word + length + 1) ? 1 : 0;
        if (i + 1 >= argc)
            return usage_error(command, "--%s needs a value: --%s %s", option->name, option->name, option->argument), 0;
        return set_value(command, option, argv[i + 1]) ? 2 : 0;
    }
    unknown_option(command, table, count, argv[i]);
    return 0;
}

int options_parse(const struct command *command, const struct option *table, size_t count, int argc, char **argv)
{
    int operands = 0;
    bool ended = false;
    for (int i = 1; i < argc;) {
        char *word = argv[i];
        if (ended || word[0] != '-' || word[1] == '\0') {
            argv[++operands] = word;
            i++;
        } else if (strcmp(word, "--") == 0) {
            ended = true;
            i++;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(command, table, count);
            return OPTIONS_HELP;
        } else {
            int taken = parse_one(command, table, count, i, argc, argv);
            if (taken == 0)
                return OPTIONS_BAD;
            i += taken;
        }
    }
    return operands;
}

int options_status(int parsed)
{
    return parsed == OPTIONS_HELP ? STATUS_AGREE : STATUS_USAGE;
}
