#include "writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

void writer_bytes(struct writer *w, const char *text, size_t size)
{
    const size_t room = w->length < w->size ? w->size - w->length : 0;
    if (room > 0)
        memcpy(w->buf + w->length, text, size < room ? size : room);
    w->length += size;
}

void writer_string(struct writer *w, const char *text)
{
    writer_bytes(w, text, strlen(text));
}

void writer_spaces(struct writer *w, size_t n)
{
    for (; n > 0; n--)
        writer_char(w, ' ');
}

#define DIGITS_MAX 24u

/* The digits of numbers, least first; written by hand because a pipeline spends most of its time here. */
static unsigned hex_digits(uint64_t value, unsigned least, char digits[DIGITS_MAX])
{
    unsigned n = 0;
    for (; value > 0 || n < least; value >>= 4)
        digits[n++] = "0123456789abcdef"[value & 15u];
    return n;
}

static unsigned decimal_digits(uint64_t value, char digits[DIGITS_MAX])
{
    unsigned n = 0;
    do
        digits[n++] = (char)('0' + value % 10);
    while ((value /= 10) > 0);
    return n;
}

static char *put_reversed(char *at, const char *digits, unsigned n)
{
    while (n > 0)
        *at++ = digits[--n];
    return at;
}

static char *put_hex(char *at, uint64_t value)
{
    char digits[DIGITS_MAX];
    *at++ = '0';
    *at++ = 'x';
    return put_reversed(at, digits, hex_digits(value, 1, digits));
}

static char *put_decimal(char *at, uint64_t value)
{
    char digits[DIGITS_MAX];
    return put_reversed(at, digits, decimal_digits(value, digits));
}

void writer_decimal(struct writer *w, uint64_t value)
{
    char text[DIGITS_MAX];
    writer_bytes(w, text, (size_t)(put_decimal(text, value) - text));
}

void writer_hex(struct writer *w, const char *prefix, uint64_t value, unsigned digits)
{
    char reversed[DIGITS_MAX], text[DIGITS_MAX];
    const unsigned least = digits < 1 ? 1 : digits < DIGITS_MAX ? digits : DIGITS_MAX;
    const unsigned n = hex_digits(value, least, reversed);
    writer_string(w, prefix);
    writer_bytes(w, text, (size_t)(put_reversed(text, reversed, n) - text));
}

/* Small steps in decimal, since they are read by people: "+1", "+-1". */
static char *put_step(char *at, uint64_t step, uint64_t limit)
{
    const uint64_t small = 0xffff;
    *at++ = '+';
    if (step <= small)
        return put_decimal(at, step);
    if (((0 - step) & limit) > small)
        return put_hex(at, step);
    *at++ = '-';
    return put_decimal(at, (0 - step) & limit);
}

/* How many elements from `first` on make one arithmetic progression. */
static size_t run_length(const uint64_t values[WARP_LANES], size_t first, uint64_t step, uint64_t limit)
{
    size_t n = 1;
    while (first + n < WARP_LANES && values[first + n] == ((values[first + n - 1] + step) & limit))
        n++;
    return n;
}

#define ELEMENT_MAX (1 + 18 + 1 + 18 + 1 + 2) /* ,0x...+0x...*32 */

void writer_list(struct writer *w, const uint32_t low[WARP_LANES], const uint32_t *high)
{
    const uint64_t limit = high == NULL ? UINT32_MAX : UINT64_MAX;
    uint64_t values[WARP_LANES];
    char text[WARP_LANES * ELEMENT_MAX], *at = text;
    size_t n;
    for (size_t lane = 0; lane < WARP_LANES; lane++)
        values[lane] = low[lane] | (high == NULL ? 0 : (uint64_t)high[lane] << 32);
    for (size_t lane = 0; lane < WARP_LANES; lane += n) {
        uint64_t step = lane + 1 < WARP_LANES ? (values[lane + 1] - values[lane]) & limit : 0;
        n = run_length(values, lane, step, limit);
        if (n == 2 && step != 0)
            n = 1;
        if (lane > 0)
            *at++ = ',';
        at = put_hex(at, values[lane]);
        if (n > 1 && step != 0)
            at = put_step(at, step, limit);
        if (n > 1) {
            *at++ = '*';
            at = put_decimal(at, n);
        }
    }
    writer_bytes(w, text, (size_t)(at - text));
}

size_t writer_end(struct writer *w)
{
    if (w->size > 0)
        w->buf[w->length < w->size ? w->length : w->size - 1] = '\0';
    return w->length;
}
