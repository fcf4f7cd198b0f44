#include "writer.h"

#include <stdarg.h>
#include <stdio.h>

struct writer writer_start(char *buf, size_t size)
{
    const struct writer w = {buf, size, 0};
    if (size > 0)
        buf[0] = '\0';
    return w;
}

void writer_format(struct writer *w, const char *format, ...)
{
    const size_t room = w->length < w->size ? w->size - w->length : 0;
    va_list arguments;
    int n;
    va_start(arguments, format);
    n = vsnprintf(room > 0 ? w->buf + w->length : NULL, room, format, arguments);
    va_end(arguments);
    if (n > 0)
        w->length += (size_t)n;
}

void writer_char(struct writer *w, char ch)
{
    if (w->length < w->size)
        w->buf[w->length] = ch;
    w->length++;
}

void writer_string(struct writer *w, const char *text)
{
    for (; *text != '\0'; text++)
        writer_char(w, *text);
}

void writer_spaces(struct writer *w, size_t n)
{
    for (; n > 0; n--)
        writer_char(w, ' ');
}

static void write_digits(struct writer *w, uint64_t value, unsigned base, unsigned least)
{
    char digits[24];
    unsigned n = 0;
    do {
        digits[n++] = "0123456789abcdef"[value % base];
        value /= base;
    } while (value > 0 || n < least);
    while (n > 0)
        writer_char(w, digits[--n]);
}

void writer_decimal(struct writer *w, uint64_t value)
{
    write_digits(w, value, 10, 1);
}

void writer_hex(struct writer *w, const char *prefix, uint64_t value, unsigned digits)
{
    writer_string(w, prefix);
    write_digits(w, value, 16, digits);
}

/* Small steps in decimal, since they are read by people: "+1", "+-1". */
static void write_step(struct writer *w, uint64_t step, uint64_t limit)
{
    const uint64_t small = 0xffff;
    writer_char(w, '+');
    if (step <= small) {
        writer_decimal(w, step);
    } else if (((0 - step) & limit) <= small) {
        writer_char(w, '-');
        writer_decimal(w, (0 - step) & limit);
    } else {
        writer_hex(w, "0x", step, 1);
    }
}

/* How many elements from `first` on make one arithmetic progression. */
static size_t run_length(const uint64_t values[WARP_LANES], size_t first, uint64_t step, uint64_t limit)
{
    size_t n = 1;
    while (first + n < WARP_LANES && values[first + n] == ((values[first + n - 1] + step) & limit))
        n++;
    return n;
}

void writer_list(struct writer *w, const uint32_t low[WARP_LANES], const uint32_t *high)
{
    const uint64_t limit = high == NULL ? UINT32_MAX : UINT64_MAX;
    uint64_t values[WARP_LANES];
    size_t n;
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        values[lane] = low[lane] | (high == NULL ? 0 : (uint64_t)high[lane] << 32);
    for (size_t lane = 0; lane < WARP_LANES; lane += n) {
        uint64_t step = lane + 1 < WARP_LANES ? (values[lane + 1] - values[lane]) & limit : 0;
        n = run_length(values, lane, step, limit);
        if (n == 2 && step != 0)
            n = 1;
        if (lane > 0)
            writer_char(w, ',');
        writer_hex(w, "0x", values[lane], 1);
        if (n > 1 && step != 0)
            write_step(w, step, limit);
        if (n > 1) {
            writer_char(w, '*');
            writer_decimal(w, n);
        }
    }
}

size_t writer_end(struct writer *w)
{
    if (w->size > 0)
        w->buf[w->length < w->size ? w->length : w->size - 1] = '\0';
    return w->length;
}
