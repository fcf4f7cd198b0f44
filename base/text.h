/*
 * Text for a terminal and for a shell, and numbers in texts.
 */
#ifndef WARPCHECK_BASE_TEXT_H
#define WARPCHECK_BASE_TEXT_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A copy for a terminal or a line of a report: every byte below 0x20, 0x7f, and every byte that is not part of valid
 * UTF-8 becomes \xHH; so do the bytes of control characters (U+0080 to U+009F), of those that turn the direction of
 * writing or break a line, and of those that take no room. Cut to `size`, never within an escape or a
 * character. Returns `out`. Everything that was not written by warpcheck goes through it: error texts of
 * implementations, answers of pipes, names of files, devices and commands.
 */
const char *text_printable(const char *text, size_t length, char *out, size_t size);

/* The same; what does not fit ends in "...". `size` is at least 8. */
const char *text_cut(const char *text, size_t length, char *out, size_t size);

/* The value of a digit of a base up to 16, in either case; 16: it is none. */
static inline unsigned text_digit(char digit)
{
    /* clang-format off */
    static const uint8_t one_more[UCHAR_MAX + 1] = {
        ['0'] = 1, ['1'] = 2, ['2'] = 3, ['3'] = 4, ['4'] = 5, ['5'] = 6, ['6'] = 7, ['7'] = 8, ['8'] = 9, ['9'] = 10,
        ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
        ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16};
    /* clang-format on */
    const unsigned found = one_more[(unsigned char)digit];
    return found == 0 ? 16u : found - 1u;
}

/* Reads exactly `size` bytes of hexadecimal digits, and nothing behind them; false else. */
bool text_hex(const char *text, uint8_t *data, size_t size);

/*
 * The word in single quotes, so that a shell takes it as it is; cut to `size`. A word that is not fit for a terminal
 * becomes $'...' with octal escapes, which bash, zsh and ksh read. Returns `text`.
 */
const char *text_quote(const char *word, char *text, size_t size);

/* A decimal or 0x number that fills the whole text. */
bool text_number(const char *text, uint64_t *value);

/* "1,234,567" in one of a few buffers that are used in turn: at most 8 in one expression. Only one thread may call it.
 */
const char *number_text(uint64_t n);

/* Does `text` end with `suffix`? */
bool text_ends(const char *text, const char *suffix);

/* The known name that was probably meant by `word` (few edits away, or begun so), or NULL. */
const char *text_nearest(const char *word, const char *const *names, size_t n);

#endif
