#include "ptx/lex.h"

#include "base/text.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The C locale's classes, whatever locale the program is in. */
static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_word_start(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%';
}

static bool is_word(char c)
{
    return is_word_start(c) || is_digit(c);
}

static char peek(const struct lexer *l, size_t i)
{
    return (size_t)(l->end - l->at) > i ? l->at[i] : '\0';
}

static void advance(struct lexer *l, size_t n)
{
    while (n-- > 0 && l->at < l->end) {
        if (*l->at++ == '\n') {
            l->line++;
            l->column = 1;
        } else {
            l->column++;
        }
    }
}

static size_t line_size(const struct lexer *l)
{
    const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
    return (size_t)((newline ? newline : l->end) - l->at);
}

static bool is_note(const struct lexer *l)
{
    return l->notes && peek(l, 0) == '/' && peek(l, 1) == '/' && peek(l, 2) == '!';
}

/* False at the start of a comment that does not end. */
static bool skip_block_comment(struct lexer *l)
{
    for (const char *s = l->at + 2; s + 1 < l->end; s++) {
        if (s[0] == '*' && s[1] == '/') {
            advance(l, (size_t)(s + 2 - l->at));
            return true;
        }
    }
    return false;
}

static bool skip_blank(struct lexer *l)
{
    while (l->at < l->end) {
        char c = *l->at;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
            advance(l, 1);
        } else if (c == '/' && peek(l, 1) == '/' && !is_note(l)) {
            advance(l, line_size(l));
        } else if (c == '/' && peek(l, 1) == '*') {
            if (!skip_block_comment(l))
                return false;
        } else {
            break;
        }
    }
    return true;
}

static void finish(struct lexer *l, enum token_kind kind, size_t size)
{
    l->token.kind = kind;
    l->token.size = size;
    advance(l, size);
}

static size_t word_size(const struct lexer *l, size_t from)
{
    const char *s = l->at + from;
    while (s < l->end && is_word(*s))
        s++;
    return (size_t)(s - l->at);
}

/* Digits, letters and points, and the sign behind the e of a decimal exponent: what is wrong in it is the parser's to
 * say. */
static size_t number_size(const struct lexer *l)
{
    bool hex = peek(l, 0) == '0' && (peek(l, 1) == 'x' || peek(l, 1) == 'X' || peek(l, 1) == 'f' || peek(l, 1) == 'F');
    const char *s = l->at;
    while (s < l->end && (is_word(*s) || *s == '.')) {
        bool sign = !hex && (*s == 'e' || *s == 'E') && s + 1 < l->end && (s[1] == '-' || s[1] == '+');
        s += sign ? 2 : 1;
    }
    return (size_t)(s - l->at);
}

static void string_token(struct lexer *l)
{
    size_t size = line_size(l);
    const char *quote = size > 1 ? memchr(l->at + 1, '"', size - 1) : NULL;
    if (quote)
        finish(l, TOKEN_STRING, (size_t)(quote + 1 - l->at));
    else
        finish(l, TOKEN_BAD, size);
}

static void note_token(struct lexer *l)
{
    size_t size = line_size(l);
    l->token.at += 3;
    l->token.column += 3;
    l->token.kind = TOKEN_NOTE;
    l->token.size = size - 3;
    advance(l, size);
}

void lexer_next(struct lexer *l)
{
    bool closed = skip_blank(l);
    l->token = (struct token){.kind = TOKEN_END, .at = l->at, .line = l->line, .column = l->column};
    if (!closed)
        finish(l, TOKEN_BAD, (size_t)(l->end - l->at));
    else if (l->at == l->end)
        return;
    else if (is_note(l))
        note_token(l);
    else if (is_word_start(peek(l, 0)))
        finish(l, TOKEN_WORD, word_size(l, 0));
    else if (is_digit(peek(l, 0)) || (peek(l, 0) == '.' && is_digit(peek(l, 1))))
        finish(l, TOKEN_NUMBER, number_size(l));
    else if (peek(l, 0) == '.' && is_word_start(peek(l, 1)))
        finish(l, TOKEN_DOT, word_size(l, 1));
    else if (peek(l, 0) == '"')
        string_token(l);
    else
        finish(l, TOKEN_PUNCT, 1);
}

void lexer_start(struct lexer *l, const char *text, size_t size, uint32_t line, uint32_t column, bool notes)
{
    *l = (struct lexer){.at = text, .end = text + size, .line = line, .column = column, .notes = notes};
    lexer_next(l);
}

bool token_punct(const struct token *t, char c)
{
    return t->kind == TOKEN_PUNCT && *t->at == c;
}

bool token_is(const struct token *t, const char *word)
{
    return (t->kind == TOKEN_WORD || t->kind == TOKEN_DOT) && t->size == strlen(word) &&
           memcmp(t->at, word, t->size) == 0;
}

bool lexer_take(struct lexer *l, char c)
{
    if (!token_punct(&l->token, c))
        return false;
    lexer_next(l);
    return true;
}

const char *token_quote(const struct token *t, char buf[TOKEN_QUOTE_MAX])
{
    if (t->kind == TOKEN_END)
        return "the end of the text";
    if (t->kind == TOKEN_BAD)
        return t->at[0] == '"' ? "a string that does not end in its line" : "a comment that does not end";
    if (t->kind == TOKEN_NOTE)
        return "a //! comment";
    buf[0] = '\'';
    text_cut(t->at, t->size, buf + 1, TOKEN_QUOTE_MAX - 2);
    strcat(buf, "'");
    return buf;
}

bool error_at(struct warp_text_error *error, uint32_t line, uint32_t column, const char *what, ...)
{
    va_list arguments;
    va_start(arguments, what);
    error->line = line;
    error->column = column;
    error->no_memory = false;
    vsnprintf(error->what, sizeof error->what, what, arguments);
    va_end(arguments);
    return false;
}

bool error_no_memory(struct warp_text_error *error, uint32_t line, uint32_t column)
{
    error_at(error, line, column, "out of memory");
    error->no_memory = true;
    return false;
}

bool error_expected(struct warp_text_error *error, const struct token *t, const char *what)
{
    char quote[TOKEN_QUOTE_MAX];
    return error_at(error, t->line, t->column, "expected %s, found %s", what, token_quote(t, quote));
}

static bool digits(const char *s, size_t size, unsigned base, uint64_t *value)
{
    *value = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned digit = text_digit(s[i]);
        if (digit >= base || *value > (UINT64_MAX - digit) / base)
            return false;
        *value = *value * base + digit;
    }
    return size > 0;
}

static bool has_prefix(const struct token *t, char lower)
{
    return t->size > 2 && t->at[0] == '0' && (t->at[1] | 0x20) == lower;
}

bool number_integer(const struct token *t, uint64_t *value)
{
    size_t size = t->size;
    if (t->kind != TOKEN_NUMBER)
        return false;
    if (size > 1 && t->at[size - 1] == 'U')
        size--;
    if (has_prefix(t, 'x'))
        return digits(t->at + 2, size - 2, 16, value);
    if (has_prefix(t, 'b'))
        return digits(t->at + 2, size - 2, 2, value);
    if (size > 1 && t->at[0] == '0')
        return digits(t->at + 1, size - 1, 8, value);
    return digits(t->at, size, 10, value);
}

/* Only digits, one point at most, and an exponent: what strtod takes beyond that ("inf", "0x1p3") is not PTX. */
static bool is_decimal_float(const struct token *t)
{
    size_t i = 0, mantissa = 0, points = 0, exponent = 0;
    for (; i < t->size && (text_digit(t->at[i]) < 10 || t->at[i] == '.'); i++) {
        points += t->at[i] == '.';
        mantissa += t->at[i] != '.';
    }
    if (mantissa == 0 || points > 1)
        return false;
    if (i == t->size)
        return points == 1;
    if ((t->at[i++] | 0x20) != 'e')
        return false;
    if (i < t->size && (t->at[i] == '+' || t->at[i] == '-'))
        i++;
    for (; i < t->size && text_digit(t->at[i]) < 10; i++)
        exponent++;
    return exponent > 0 && i == t->size;
}

bool number_hex(const struct token *t, char letter, size_t count, uint64_t *bits)
{
    return t->kind == TOKEN_NUMBER && has_prefix(t, letter) && t->size == count + 2 &&
           digits(t->at + 2, count, 16, bits);
}

bool number_decimal(const struct token *t, uint64_t *bits)
{
    char copy[64];
    if (t->kind != TOKEN_NUMBER || t->size >= sizeof copy || !is_decimal_float(t))
        return false;
    memcpy(copy, t->at, t->size);
    copy[t->size] = '\0';
    double value = strtod(copy, NULL);
    memcpy(bits, &value, sizeof *bits);
    return value <= DBL_MAX;
}
