/*
 * Reading text: the words of a line, numbers, lists of 32 elements, and errors with their place.
 *
 * A word ends at a blank, at the end of its line, or at `#`, which starts a comment. Functions that return bool return
 * false after an error, which is then described in reader.error.
 */
#ifndef WARPCHECK_TEXT_READER_H
#define WARPCHECK_TEXT_READER_H

#include "warpcheck/text.h"

struct place {
    size_t line;
    size_t column;
};

/* A part of one line; size 0 stands for the end of the line. */
struct word {
    const char *at;
    size_t size;
    struct place place;
};

struct reader {
    const char *at;
    const char *end;
    const char *line_start;
    size_t line;
    struct warp_text_error *error;
};

#define QUOTE_MAX 44u

void reader_init(struct reader *r, const char *text, size_t size, struct warp_text_error *error);

/* The next word of this line. */
struct word reader_word(struct reader *r);
/* Goes to the start of the next line. False at the end of the text. */
bool reader_next_line(struct reader *r);
/* Skips blank lines and comments; false when nothing else is left. */
bool reader_skip_blank(struct reader *r);

/* Describes an error; always returns false. */
bool reader_fail(struct reader *r, struct place place, const char *format, ...);

bool word_is(const struct word *w, const char *text);
/* Copies the word for a message: cut, and without bytes that do not print. */
const char *word_quote(const struct word *w, char quote[QUOTE_MAX]);
/* Splits key=value; false when there is no '='. */
bool word_split(const struct word *w, struct word *key, struct word *value);

/* The whole word as a number of 1, 32 or 64 bits: decimal, also negative, 0x, 0f (32 bits). */
bool reader_number(struct reader *r, const struct word *w, unsigned bits, uint64_t *value);
/* The whole word as a number of 32 bits, one for each lane. */
bool reader_mask(struct reader *r, const struct word *w, lanemask *mask);
/* The whole word as `v` or `v+s`; a missing step is 0. */
bool reader_stepped(struct reader *r, const struct word *w, unsigned bits, uint64_t *value, uint64_t *step);
/* The whole word as a list of 32 elements. */
bool reader_list(struct reader *r, const struct word *w, unsigned bits, uint64_t values[WARP_LANES]);

#endif
