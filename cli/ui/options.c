#define _XOPEN_SOURCE 700 /* realpath */
#include "cli/ui/options.h"

#include "base/file.h"
#include "base/text.h"
#include "warpcheck/bytes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TAKEN_MAX       40u /* options of one command */
#define WORD_MAX_LENGTH 40u
#define LINE_WIDTH      100u

static const struct definition {
    const char *name;
    enum option_kind kind;
    const char *argument; /* "N", "DIR"; NULL for a flag */
    const char *what;     /* for --help */
} definitions[OPTIONS] = {
#define OPTION(ID, name, kind, argument, what) [OPT_##ID] = {name, kind, argument, what},
#include "cli/options.def"
#undef OPTION
};

/* The options of one command while they are parsed. */
struct parser {
    const struct command *command;
    const struct option *table;
    size_t count;
    bool given[TAKEN_MAX];
};

int usage_error(const struct command *command, const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    complain("warpcheck %s: %s", command->name, line);
    return STATUS_USAGE;
}

int error_status(const struct error *error)
{
    return error->code == ERROR_INTERRUPTED ? STATUS_MISMATCH : STATUS_USAGE;
}

/* --- help --- */

static bool may_repeat(const struct option *option)
{
    const enum option_kind kind = definitions[option->id].kind;
    return option->many || kind == OPTION_LIST || kind == OPTION_FAMILIES;
}

/* "fast", "20", "all": what holds when the option is not given; "" when there is nothing to say. */
static const char *default_text(const struct option *option, char *text, size_t size)
{
    text[0] = '\0';
    if (option->preset || option->many)
        return option->preset ? option->preset : text;
    switch (definitions[option->id].kind) {
    case OPTION_TEXT:
    case OPTION_FILE:
        snprintf(text, size, "%s", *(const char **)option->value ? *(const char **)option->value : "");
        break;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (*(const uint64_t *)option->value > 0)
            snprintf(text, size, "%llu", *(const unsigned long long *)option->value);
        break;
    case OPTION_SECONDS:
        snprintf(text, size, "%g", *(const double *)option->value);
        break;
    case OPTION_FAMILIES:
        snprintf(text, size, "all");
        break;
    case OPTION_FLAG:
    case OPTION_LIST:
        break;
    }
    return text;
}

static void print_option(const struct option *option)
{
    const struct definition *d = &definitions[option->id];
    char left[48], preset[200], line[400];
    const char *usual = default_text(option, preset, sizeof preset);
    snprintf(left, sizeof left, "--%s%s%s", d->name, d->argument ? " " : "", d->argument ? d->argument : "");
    const int used =
        snprintf(line, sizeof line, "  %-22s %s%s", left, d->what, may_repeat(option) ? ", may be repeated" : "");
    printf("%s", line);
    if (usual[0] && (size_t)used + strlen(usual) + strlen(" (default: )") > LINE_WIDTH)
        printf("\n%25s(default: %s)", "", usual);
    else if (usual[0])
        printf(" (default: %s)", usual);
    printf("\n");
}

static const char *last_word(const char *name)
{
    const char *space = strrchr(name, ' ');
    return space ? space + 1 : name;
}

static void print_help(const struct parser *p)
{
    printf("%s\n", p->command->help);
    for (size_t i = 0; p->command->subcommands && p->command->subcommands[i]; i++)
        printf("%s  warpcheck %-20s %s\n", i == 0 ? "Subcommands, each with a --help of its own:\n" : "",
               p->command->subcommands[i]->name, p->command->subcommands[i]->summary);
    printf("%sOptions:\n", p->command->subcommands ? "\n" : "");
    for (size_t i = 0; i < p->count; i++)
        print_option(&p->table[i]);
    printf("  %-22s %s\n", "--help", "this text");
}

/* --- values --- */

static int unknown_option(const struct parser *p, const char *word)
{
    const char *names[TAKEN_MAX + 1];
    size_t n = 0;
    for (; n < p->count; n++)
        names[n] = definitions[p->table[n].id].name;
    names[n++] = "help";
    char bare[WORD_MAX_LENGTH + 1];
    const char *start = word + strspn(word, "-");
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(start, "="), start);
    const char *nearest = text_nearest(bare, names, n);
    if (nearest)
        usage_error(p->command, "unknown option '%s'; did you mean --%s? (warpcheck %s --help lists them)", word,
                    nearest, p->command->name);
    else
        usage_error(p->command, "unknown option '%s'; warpcheck %s --help lists them", word, p->command->name);
    return OPTIONS_BAD;
}

static bool set_number(const struct command *command, const struct definition *d, uint64_t *value, const char *text)
{
    if (!text_number(text, value))
        return usage_error(command, "--%s %s: not a number (decimal, or hexadecimal with 0x)", d->name, text), false;
    if (d->kind == OPTION_COUNT && *value == 0)
        return usage_error(command, "--%s %s: a count must be 1 or more", d->name, text), false;
    return true;
}

static bool set_seconds(const struct command *command, const struct definition *d, double *seconds, const char *text)
{
    char *end = NULL;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !isfinite(value) || value < 0.0)
        return usage_error(command, "--%s %s: not a number of seconds (0, 1.5, 20...)", d->name, text), false;
    *seconds = value;
    return true;
}

static bool add_item(const struct command *command, const struct definition *d, struct option_list *list,
                     const char *text)
{
    if (list->count == OPTION_LIST_MAX)
        return usage_error(command, "--%s may be given at most %u times", d->name, OPTION_LIST_MAX), false;
    list->items[list->count++] = text;
    return true;
}

uint32_t option_families(const char *word, uint32_t *form)
{
    uint32_t families = 0;
    size_t length = strlen(word);
    if (form)
        *form = WARP_FORMS;
    if (strcmp(word, "all") == 0)
        return WARP_FAMILY_ALL;
    for (uint32_t f = 0; f < WARP_FAMILIES; f++) {
        const char *name = warp_family_name(f);
        bool whole = strcmp(name, word) == 0;
        bool begins = length > 0 && strncmp(name, word, length) == 0 && strcmp(name + length, ".sync") == 0;
        if (whole || begins)
            families |= WARP_FAMILY_BIT(f);
    }
    const struct warp_form_info *info = form && !families ? warp_form_find(word) : NULL;
    if (info) {
        *form = info->form;
        families = WARP_FAMILY_BIT((unsigned)info->family);
    }
    return families;
}

int option_unknown_instruction(const struct command *command, const char *word)
{
    const char *names[(size_t)WARP_FORMS + WARP_FAMILIES];
    size_t n = 0;
    for (uint32_t f = 0; f < WARP_FAMILIES; f++)
        names[n++] = warp_family_name(f);
    for (uint32_t f = 0; f < WARP_FORMS; f++)
        names[n++] = warp_form_get(f)->name;
    const char *nearest = text_nearest(word, names, n);
    if (nearest)
        return usage_error(command, "no instruction '%s'; did you mean %s? (warpcheck list instructions)", word,
                           nearest);
    return usage_error(command, "no instruction '%s' (warpcheck list instructions)", word);
}

/* The first time replaces the default. */
static bool add_families(const struct command *command, uint32_t *families, const char *text, bool first)
{
    const uint32_t more = option_families(text, NULL);
    if (more == 0)
        return option_unknown_instruction(command, text), false;
    *families = (first ? 0 : *families) | more;
    return true;
}

/* Can a report be written there? That is told before the work whose result would be lost. */
static bool check_file(const struct command *command, const struct definition *d, const char *path)
{
    struct error error;
    if (strcmp(path, "-") == 0)
        return usage_error(command, "--%s -: needs the name of a file: standard output has the report", d->name), false;
    if (file_is_writable(path, &error))
        return true;
    usage_error(command, "--%s: %s", d->name, error.text);
    return false;
}

/* Stores the argument; false after a line that says what would be right. */
static bool set_value(struct parser *p, size_t k, const char *text)
{
    const struct option *option = &p->table[k];
    const struct definition *d = &definitions[option->id];
    const bool first = !p->given[k];
    if (!first && !may_repeat(option))
        return usage_error(p->command, "--%s is given twice; once is what can be meant", d->name), false;
    p->given[k] = true;
    if (d->kind != OPTION_FLAG && text[0] == '\0')
        return usage_error(p->command, "--%s '' is empty: --%s %s", d->name, d->name, d->argument), false;
    if (option->many)
        return add_item(p->command, d, option->value, text);
    switch (d->kind) {
    case OPTION_FLAG:
        *(bool *)option->value = true;
        return true;
    case OPTION_FILE:
        *(const char **)option->value = text;
        return check_file(p->command, d, text);
    case OPTION_TEXT:
        *(const char **)option->value = text;
        return true;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        return set_number(p->command, d, option->value, text);
    case OPTION_SECONDS:
        return set_seconds(p->command, d, option->value, text);
    case OPTION_LIST:
        return add_item(p->command, d, option->value, text);
    case OPTION_FAMILIES:
        return add_families(p->command, option->value, text, first);
    }
    abort();
}

/* --- what is written is nothing that is read --- */

/* Is the file in the folder, and of a kind that folders are read for? */
static bool is_read_with(const char *file, const char *folder)
{
    static const char *const endings[] = {".txt", ".rec", ".ptx", ".so", ".bc"};
    const char *const name = file_name(file);
    const size_t length = strlen(folder);
    bool is_kind = strchr(name, '.') == NULL; /* a fuzzer's input */
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        is_kind = is_kind || text_ends(name, endings[i]);
    return is_kind && strncmp(file, folder, length) == 0 && file[length] == '/';
}

/* Does the word name the file: as it stands, with ":NAME" behind it, or by a folder? */
static bool names_file(const char *word, const char *file)
{
    char text[FILE_PATH_MAX];
    snprintf(text, sizeof text, "%s", word);
    for (char *colon = text; colon != NULL; colon = strrchr(text, ':')) {
        if (*colon == ':')
            *colon = '\0';
        char *const real = realpath(text, NULL);
        const bool is = real != NULL && (file_is_same(real, file) || is_read_with(file, real));
        free(real);
        if (is)
            return true;
    }
    return false;
}

static bool is_output(const struct option *option)
{
    return definitions[option->id].kind == OPTION_FILE || option->id == OPT_OUT_FILE;
}

/* Does the option, as it was given, name the file? */
static bool option_names(const struct option *option, const char *file)
{
    const enum option_kind kind = definitions[option->id].kind;
    const struct option_list *const list = option->value;
    bool is = false;
    if (!option->many && kind != OPTION_LIST)
        return (kind == OPTION_TEXT || kind == OPTION_FILE) && names_file(*(const char **)option->value, file);
    for (size_t i = 0; i < list->count; i++)
        is = is || names_file(list->items[i], file);
    return is;
}

/* No option may write what an operand or another option names. False after one line. */
static bool check_outputs(const struct parser *p, int operands, char *const *argv)
{
    for (size_t k = 0; k < p->count; k++) {
        if (!p->given[k] || !is_output(&p->table[k]))
            continue;
        const char *const path = *(const char **)p->table[k].value;
        char *const file = realpath(path, NULL); /* NULL: it does not exist, or has no name */
        bool is_read = false;
        for (int i = 1; file != NULL && i <= operands; i++)
            is_read = is_read || names_file(argv[i], file);
        for (size_t other = 0; file != NULL && other < p->count; other++)
            is_read = is_read || (other != k && p->given[other] && option_names(&p->table[other], file));
        free(file);
        for (size_t other = 0; other < k; other++)
            if (p->given[other] && is_output(&p->table[other]) &&
                file_is_same(*(const char **)p->table[other].value, path))
                return usage_error(p->command, "--%s and --%s name one file: %s", definitions[p->table[other].id].name,
                                   definitions[p->table[k].id].name, path),
                       false;
        if (is_read)
            return usage_error(p->command, "--%s %s: this file is read; give another", definitions[p->table[k].id].name,
                               path),
                   false;
    }
    return true;
}

/* --- the words --- */

/* Parses the option argv[i]. Returns how many words it took, or 0 after an error. */
static int parse_one(struct parser *p, int i, int argc, char **argv)
{
    const char *word = argv[i] + 2;
    const size_t length = argv[i][1] == '-' ? strcspn(word, "=") : 0;
    for (size_t k = 0; length > 0 && k < p->count; k++) {
        const struct definition *d = &definitions[p->table[k].id];
        if (strlen(d->name) != length || strncmp(d->name, word, length) != 0)
            continue;
        const bool joined = word[length] == '=';
        if (d->kind == OPTION_FLAG) {
            if (joined)
                return usage_error(p->command, "--%s takes no value", d->name), 0;
            return set_value(p, k, NULL) ? 1 : 0;
        }
        if (joined)
            return set_value(p, k, word + length + 1) ? 1 : 0;
        if (i + 1 >= argc)
            return usage_error(p->command, "--%s needs a value: --%s %s", d->name, d->name, d->argument), 0;
        return set_value(p, k, argv[i + 1]) ? 2 : 0;
    }
    unknown_option(p, argv[i]);
    return 0;
}

int options_parse(const struct command *command, const struct option *table, size_t count, int argc, char **argv)
{
    struct parser p = {.command = command, .table = table, .count = count};
    int operands = 0;
    bool ended = false;
    if (count > TAKEN_MAX)
        abort();
    for (int i = 1; i < argc;) {
        char *word = argv[i];
        if (ended || word[0] != '-' || word[1] == '\0') {
            argv[++operands] = word;
            i++;
        } else if (strcmp(word, "--") == 0) {
            ended = true;
            i++;
        } else if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
            print_help(&p);
            return OPTIONS_HELP;
        } else {
            int taken = parse_one(&p, i, argc, argv);
            if (taken == 0)
                return OPTIONS_BAD;
            i += taken;
        }
    }
    return check_outputs(&p, operands, argv) ? operands : OPTIONS_BAD;
}

int options_status(int parsed)
{
    return parsed == OPTIONS_HELP ? STATUS_AGREE : STATUS_USAGE;
}

/* --- subcommands --- */

/* Is argv[i] an older spelling of the subcommand, "--NAME" or "--NAME=OPERAND"? Then the word becomes the operand, or
 * goes. */
static bool take_spelling(const char *name, int *argc, char **argv)
{
    const size_t length = strlen(name);
    for (int i = 1; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], "--", 2) != 0 || strncmp(argv[i] + 2, name, length) != 0)
            continue;
        if (argv[i][2 + length] == '=') {
            argv[i] += 3 + length;
            return true;
        }
        if (argv[i][2 + length] != '\0')
            continue;
        memmove(&argv[i], &argv[i + 1], (size_t)(*argc - i) * sizeof *argv); /* with the NULL behind the last */
        (*argc)--;
        return true;
    }
    return false;
}

int command_call(const struct command *command, int argc, char **argv)
{
    for (size_t i = 0; command->subcommands && command->subcommands[i]; i++) {
        const struct command *sub = command->subcommands[i];
        if (argc > 1 && strcmp(argv[1], last_word(sub->name)) == 0)
            return command_call(sub, argc - 1, argv + 1);
        if (take_spelling(last_word(sub->name), &argc, argv))
            return command_call(sub, argc, argv);
    }
    return command->run(argc, argv);
}
