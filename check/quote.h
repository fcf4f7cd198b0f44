/*
 * Words for the shell, in commands that are printed for a person to run.
 */
#ifndef WARPCHECK_CHECK_QUOTE_H
#define WARPCHECK_CHECK_QUOTE_H

#include <stddef.h>

/* Writes `word` in single quotes, an apostrophe as '\''. Needs up to 4 bytes for each of the word and 3 more; what does
 * not fit is left out, between quotes all the same. Returns `text`. */
const char *quote_word(const char *word, char *text, size_t size);

#endif
