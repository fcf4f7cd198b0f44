#include "cli/ui/terminal.h"

#include "base/clock.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_plain_terminal(int descriptor)
{
    const char *term = getenv("TERM");
    return isatty(descriptor) == 1 && (!term || strcmp(term, "dumb") != 0);
}

static bool has_colour(void)
{
    static int known = -1;
    if (known < 0) {
        const char *no_colour = getenv("NO_COLOR");
        known = (!no_colour || no_colour[0] == '\0') && is_plain_terminal(STDOUT_FILENO);
    }
    return known == 1;
}

const char *paint(enum paint p)
{
    static const char *const sequences[] = {
        [PAINT_PLAIN] = "\033[0m",  [PAINT_BOLD] = "\033[1m",    [PAINT_DIM] = "\033[2m",  [PAINT_RED] = "\033[31m",
        [PAINT_GREEN] = "\033[32m", [PAINT_YELLOW] = "\033[33m", [PAINT_CYAN] = "\033[36m"};
    return has_colour() ? sequences[p] : "";
}

const char *shown(const char *text)
{
    static char buffers[8][16384];
    static size_t turn;
    char *buffer = buffers[turn++ % 8];
    return text_printable(text, strlen(text), buffer, sizeof buffers[0]);
}

void complain(const char *format, ...)
{
    char line[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    fprintf(stderr, "%s\n", shown(line));
}

void progress_start(struct progress *progress, const char *label)
{
    progress->label = label;
    progress->unit = "cases";
    progress->start = clock_seconds();
    progress->last = progress->start;
    progress->drawn = false;
}

static void progress_bar(char bar[24], double share)
{
    size_t full = (size_t)((share < 1.0 ? share : 1.0) * 20.0);
    bar[0] = '[';
    memset(bar + 1, '#', full);
    memset(bar + 1 + full, '.', 20 - full);
    memcpy(bar + 21, "]", 2);
}

static void progress_draw(struct progress *progress, double now, double share, uint64_t done, uint64_t mismatches)
{
    double elapsed = now - progress->start;
    const char *rate = number_text((uint64_t)((double)done / (elapsed > 0.0 ? elapsed : 1.0)));
    char found[48] = "";
    char bar[24] = "";
    if (mismatches > 0)
        snprintf(found, sizeof found, ", %s mismatches", number_text(mismatches));
    if (share >= 0.0)
        progress_bar(bar, share);
    if (is_plain_terminal(STDERR_FILENO)) {
        fprintf(stderr, "\r\033[K%-12s %s %s %s, %s/s, %.0f s%s", progress->label, bar, number_text(done),
                progress->unit, rate, elapsed, found);
        fflush(stderr);
    } else {
        fprintf(stderr, "%s: %s %s, %s/s, %.0f s%s\n", progress->label, number_text(done), progress->unit, rate,
                elapsed, found);
    }
    progress->drawn = true;
}

void progress_update(struct progress *progress, uint64_t done, uint64_t total, double seconds, uint64_t mismatches)
{
    double now = clock_seconds();
    double elapsed = now - progress->start;
    if (elapsed < 1.0 || now - progress->last < 0.1) /* before anything is asked of the terminal */
        return;
    double interval = is_plain_terminal(STDERR_FILENO) ? 0.1 : progress->drawn ? 5.0 : 1.0;
    if (now - progress->last < interval)
        return;
    double share = -1.0;
    if (total > 0)
        share = (double)done / (double)total;
    if (seconds > 0.0 && elapsed / seconds > share)
        share = elapsed / seconds;
    progress_draw(progress, now, share, done, mismatches);
    progress->last = now;
}

void progress_end(struct progress *progress)
{
    if (progress->drawn && is_plain_terminal(STDERR_FILENO)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
    progress->drawn = false;
}
