/*
 * What depends on where the output goes: colour, progress, and text from outside.
 */
#ifndef WARPCHECK_CLI_UI_TERMINAL_H
#define WARPCHECK_CLI_UI_TERMINAL_H

#include "base/error.h"
#include "base/interrupt.h"
#include "base/text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum paint { PAINT_PLAIN, PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_CYAN };

/* The escape sequence on standard output: empty when that is no terminal, NO_COLOR is set, or TERM is "dumb". */
const char *paint(enum paint p);

/* text_printable of a text that was not written by warpcheck (name, path, answer, error), in one of 8 buffers that are
 * used in turn. */
const char *shown(const char *text);

/* Prints one line on standard error, fit for a terminal whatever was put into it. */
void complain(const char *format, ...) PRINTF_LIKE(1, 2);

/*
 * Progress of something that may last longer than a second, on standard error: a line that is redrawn on a terminal,
 * else a plain line every few seconds. Nothing is printed in the first second.
 */
struct progress {
    const char *label;
    const char *unit; /* what is counted: "cases", unless changed after progress_start */
    double start;
    double last;
    bool drawn;
};

void progress_start(struct progress *progress, const char *label);
/* `total` 0: unknown. `seconds` 0: not limited by time. Cheap to call often. */
void progress_update(struct progress *progress, uint64_t done, uint64_t total, double seconds, uint64_t mismatches);
/* Removes the line from the terminal. */
void progress_end(struct progress *progress);

#endif
