/*
 * Makes mechanical mutants of a C source: one operator, constant or bound changed at a time.
 *
 *   mutate FILE          lists the mutations: number, tab, function, tab, key
 *   mutate FILE NUMBER   prints the source with that mutation
 *
 * The key is the source line with the change written in it, `i {< -> <=} n`, and `#2` behind it for the second such
 * line of the file, so that it outlives changes elsewhere. Comments, strings, preprocessor lines and static assertions
 * are left alone.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_MAX      (1u << 20)
#define MUTATIONS_MAX   8192u
#define TOKEN_MAX       48u
#define LITERALS_A_LINE 3u /* of a table of constants a few are enough */

struct mutation {
    size_t at, length; /* of what is replaced */
    char by[TOKEN_MAX];
    char function[TOKEN_MAX]; /* in which it is; "-" outside */
};

static char source[SOURCE_MAX + 1];
static size_t source_size;
static struct mutation mutations[MUTATIONS_MAX];
static size_t mutations_count;
static char function[TOKEN_MAX] = "-";

static void add(size_t at, size_t length, const char *by)
{
    if (mutations_count == MUTATIONS_MAX)
        return;
    mutations[mutations_count].at = at;
    mutations[mutations_count].length = length;
    snprintf(mutations[mutations_count].by, TOKEN_MAX, "%s", by);
    memcpy(mutations[mutations_count].function, function, sizeof function);
    mutations_count++;
}

/* A definition begins in the first column: the word before its first bracket names it. */
static void enter_line(size_t at)
{
    size_t end = at + strcspn(source + at, "(;={}\n"), first;
    if (source[end] != '(' || !(isalpha((unsigned char)source[at]) || source[at] == '_'))
        return;
    first = end;
    while (first > at && (isalnum((unsigned char)source[first - 1]) || source[first - 1] == '_'))
        first--;
    if (end - first < TOKEN_MAX) {
        memcpy(function, source + first, end - first);
        function[end - first] = '\0';
    }
}

/* Operators, longest first; NULL: known so that it is not taken for a shorter one, and left alone. `binary`: only
 * between operands. */
static const struct {
    const char *token, *by, *by_too;
    bool binary;
} operators[] = {
    {"<<=", ">>=", NULL, false}, {">>=", "<<=", NULL, false}, {"...", NULL, NULL, false}, {"->", NULL, NULL, false},
    {"++", NULL, NULL, false},   {"--", NULL, NULL, false},   {"<<", ">>", NULL, false},  {">>", "<<", NULL, false},
    {"<=", "<", NULL, false},    {">=", ">", NULL, false},    {"==", "!=", NULL, false},  {"!=", "==", NULL, false},
    {"&&", "||", NULL, false},   {"||", "&&", NULL, false},   {"&=", "|=", NULL, false},  {"|=", "&=", "^=", false},
    {"^=", "|=", NULL, false},   {"+=", "-=", NULL, false},   {"-=", "+=", NULL, false},  {"*=", NULL, NULL, false},
    {"/=", NULL, NULL, false},   {"%=", NULL, NULL, false},   {"<", "<=", NULL, false},   {">", ">=", NULL, false},
    {"&", "|", NULL, true},      {"|", "&", "^", true},       {"^", "|", "&", true},      {"+", "-", NULL, true},
    {"-", "+", NULL, true},      {"/", "*", NULL, true},      {"%", "/", NULL, true},     {"~", "", NULL, false},
    {"!", "", NULL, false}};

/* Text that holds no code begins here: returns where it ends, else `at`. */
static size_t skip(size_t at, bool line_start)
{
    size_t end = at;
    if (source[at] == '#' && line_start) {
        while (source[end] != '\0' && (source[end] != '\n' || source[end - 1] == '\\'))
            end++;
    } else if (strncmp(source + at, "//", 2) == 0) {
        while (source[end] != '\0' && source[end] != '\n')
            end++;
    } else if (strncmp(source + at, "/*", 2) == 0) {
        const char *close = strstr(source + at + 2, "*/");
        end = close != NULL ? (size_t)(close - source) + 2 : source_size;
    } else if (source[at] == '"' || source[at] == '\'') {
        for (end = at + 1; source[end] != '\0' && source[end] != source[at]; end++)
            end += source[end] == '\\';
        end++;
    } else if (strncmp(source + at, "_Static_assert", 14) == 0) {
        while (source[end] != '\0' && source[end] != ';')
            end++;
    }
    return end;
}

static bool word_character(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* A literal: one more, and of a hexadecimal one, a mask, also its lowest bit the other way. */
static void literal(size_t at, size_t length)
{
    char text[TOKEN_MAX], by[TOKEN_MAX], *suffix;
    unsigned long long value;
    bool hex;
    if (length >= TOKEN_MAX)
        return;
    memcpy(text, source + at, length);
    text[length] = '\0';
    if (strchr(text, '.') != NULL)
        return;
    value = strtoull(text, &suffix, 0);
    hex = length > 2 && (text[1] == 'x' || text[1] == 'X');
    snprintf(by, sizeof by, hex ? "0x%llx%s" : "%llu%s", value + 1, suffix);
    add(at, length, by);
    if (hex || value > 1) {
        snprintf(by, sizeof by, hex ? "0x%llx%s" : "%llu%s", hex ? value >> 1 : value - 1, suffix);
        add(at, length, by);
    }
}

static size_t operator_at(size_t at, bool after_operand)
{
    for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++) {
        size_t length = strlen(operators[i].token);
        if (strncmp(source + at, operators[i].token, length) != 0)
            continue;
        if (operators[i].by != NULL && (!operators[i].binary || after_operand)) {
            add(at, length, operators[i].by);
            if (operators[i].by_too != NULL)
                add(at, length, operators[i].by_too);
        }
        return length;
    }
    return 1;
}

static void find_mutations(void)
{
    bool line_start = true, after_operand = false;
    unsigned literals = 0;
    for (size_t at = 0; at < source_size;) {
        size_t end = skip(at, line_start);
        if (end > at) {
            at = end;
            continue;
        }
        if (source[at] == '\n') {
            line_start = true;
            literals = 0;
            enter_line(at + 1);
        } else if (!isspace((unsigned char)source[at])) {
            line_start = false;
        }
        if (isspace((unsigned char)source[at])) {
            at++;
            continue;
        }
        if (word_character(source[at])) {
            while (word_character(source[end]))
                end++;
            if (isdigit((unsigned char)source[at]) && literals++ < LITERALS_A_LINE)
                literal(at, end - at);
            after_operand = strncmp(source + at, "return", 6) != 0;
            at = end;
            continue;
        }
        end = at + operator_at(at, after_operand);
        after_operand = source[at] == ')' || source[at] == ']';
        at = end;
    }
}

static void print_key(const struct mutation *m)
{
    size_t first = m->at, last = m->at, same = 1;
    size_t length;
    while (first > 0 && source[first - 1] != '\n')
        first--;
    while (isspace((unsigned char)source[first]))
        first++;
    while (source[last] != '\0' && source[last] != '\n')
        last++;
    length = last - first;
    for (const char *line = source; line < source + first; line++) /* equal lines above */
        if ((size_t)(source + first - line) > length && strncmp(line, source + first, length) == 0 &&
            line[length] == '\n')
            same++;
    printf("%.*s{%.*s -> %s}%.*s", (int)(m->at - first), source + first, (int)m->length, source + m->at, m->by,
           (int)(last - m->at - m->length), source + m->at + m->length);
    if (same > 1)
        printf(" #%zu", same);
    printf("\n");
}

int main(int argc, char **argv)
{
    FILE *file = argc >= 2 ? fopen(argv[1], "rb") : NULL;
    const struct mutation *m;
    size_t number;
    if (file == NULL) {
        fprintf(stderr, "usage: mutate FILE [NUMBER]\n");
        return 2;
    }
    source_size = fread(source, 1, SOURCE_MAX, file);
    fclose(file);
    find_mutations();
    if (argc == 2) {
        for (number = 0; number < mutations_count; number++) {
            printf("%zu\t%s\t", number, mutations[number].function);
            print_key(&mutations[number]);
        }
        return 0;
    }
    number = strtoul(argv[2], NULL, 10);
    if (number >= mutations_count) {
        fprintf(stderr, "mutate: %s has %zu mutations\n", argv[1], mutations_count);
        return 2;
    }
    m = &mutations[number];
    fwrite(source, 1, m->at, stdout);
    fputs(m->by, stdout);
    fwrite(source + m->at + m->length, 1, source_size - m->at - m->length, stdout);
    return 0;
}
