/*
 * What depends on where the output goes: colour and progress; and the spelling of numbers.
 */
#ifndef WARPCHECK_CLI_UI_TERMINAL_H
#define WARPCHECK_CLI_UI_TERMINAL_H

#include "base/error.h"
#include "base/interrupt.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum paint { PAINT_PLAIN, PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_CYAN };

/* The escape sequence on standard output: empty when that is no terminal, NO_COLOR is set, or TERM is "dumb". */
const char *paint(enum paint p);

/* "1,234,567" in one of a few buffers that are used in turn: at most 8 in one expression. */
const char *number_text(uint64_t n);

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
