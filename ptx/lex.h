/*
 * The tokens of PTX text, with their places. Any bytes can be given.
 */
#ifndef WARPCHECK_PTX_LEX_H
#define WARPCHECK_PTX_LEX_H

#include "warpcheck/text.h"

enum token_kind {
    TOKEN_END,
    TOKEN_WORD,   /* letters, digits, _ $ %; not starting with a digit */
    TOKEN_DOT,    /* a word behind a dot: ".b32" (the token starts with the dot) */
    TOKEN_NUMBER, /* starts with a digit, or a dot and a digit */
    TOKEN_STRING, /* "..." in one line */
    TOKEN_NOTE,   /* `//! ...` to the end of the line, without the `//!`; only for lexers with `notes` */
    TOKEN_PUNCT,  /* one byte, whatever it is */
    TOKEN_BAD     /* an unterminated comment or string */
};

struct token {
    enum token_kind kind;
    const char *at;
    size_t size;
    uint32_t line; /* from 1 */
    uint32_t column;
};

struct lexer {
    const char *at;
    const char *end;
    uint32_t line;
    uint32_t column;
    bool notes;
    struct token token; /* the current one */
};

/* Starts at the place `line`, `column`, and reads the first token. */
void lexer_start(struct lexer *l, const char *text, size_t size, uint32_t line, uint32_t column, bool notes);
/* Reads the next token into l->token. */
void lexer_next(struct lexer *l);

/* Is the token this punctuation byte, this word (with its dot for TOKEN_DOT)? */
bool token_punct(const struct token *t, char c);
bool token_is(const struct token *t, const char *word);
/* If the current token is this byte, goes past it and returns true. */
bool lexer_take(struct lexer *l, char c);

#define TOKEN_QUOTE_MAX 48u
/* The token for an error message, in quotes, unprintable bytes as '?', cut where long; "the end of the text" at the
 * end. */
const char *token_quote(const struct token *t, char buf[TOKEN_QUOTE_MAX]);

/*
 * Fills in the error and returns false. `what` is printf's format.
 */
#if defined(__GNUC__)
__attribute__((format(printf, 4, 5)))
#endif
bool error_at(struct warp_text_error *error, uint32_t line, uint32_t column, const char *what, ...);
/* Sets `error` to: out of memory. */
bool error_no_memory(struct warp_text_error *error, uint32_t line, uint32_t column);
/* "expected WHAT, found TOKEN". */
bool error_expected(struct warp_text_error *error, const struct token *t, const char *what);

/* An unsigned constant as PTX spells it: decimal, 0x, 0b, octal with a leading 0, all with an optional U. False when it
 * is none, or too large. */
bool number_integer(const struct token *t, uint64_t *value);
/* 0 LETTER and exactly `count` hexadecimal digits: the bits of a floating-point constant. */
bool number_hex(const struct token *t, char letter, size_t count, uint64_t *bits);
/* A decimal constant with a point or an exponent, as the bits of an f64. */
bool number_decimal(const struct token *t, uint64_t *bits);

#endif
