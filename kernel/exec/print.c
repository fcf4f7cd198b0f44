#include "kernel/exec/print.h"

#include <string.h>

struct reader {
    const char *at, *end;
};

static char next(struct reader *r)
{
    return r->at < r->end ? *r->at++ : '\0';
}

/* The bytes of the argument for a conversion, of which `is_long` was said; 0: it has none. */
static unsigned size_of(char conversion, bool is_long)
{
    if (strchr("diuoxXc", conversion))
        return is_long ? 8 : 4;
    return strchr("fFeEgGaAsp", conversion) ? 8 : 0;
}

static size_t mark(bool marks[PRINTED_MAX], size_t at, unsigned bytes)
{
    if (bytes == 0)
        return at;
    at = (at + bytes - 1) / bytes * bytes;
    for (size_t n = at; n < at + bytes && n < PRINTED_MAX; n++)
        marks[n] = true;
    return at + bytes;
}

void print_mark_arguments(const struct code *code, uint64_t format, bool marks[PRINTED_MAX])
{
    const uint64_t offset = format - CODE_VARIABLES;
    if (offset >= code->image_bytes)
        return;
    struct reader r = {(const char *)code->image + offset, (const char *)code->image + code->image_bytes};
    size_t at = 0;
    for (char c = next(&r); c != '\0'; c = next(&r)) {
        bool is_long = false;
        if (c != '%')
            continue;
        for (c = next(&r); c != '\0' && strchr("-+ #0123456789.*hlLqjzt", c); c = next(&r)) {
            is_long |= strchr("lqjzt", c) != NULL;
            at = mark(marks, at, c == '*' ? 4 : 0); /* a width or a precision */
        }
        if (c != '\0')
            at = mark(marks, at, size_of(c, is_long));
    }
}
