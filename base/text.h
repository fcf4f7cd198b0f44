/*
 * Text for a terminal and for a shell, and numbers in texts.
 */
#ifndef WARPCHECK_BASE_TEXT_H
#define WARPCHECK_BASE_TEXT_H

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
