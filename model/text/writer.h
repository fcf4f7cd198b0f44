/*
 * Writes text into a buffer that may be too small: what does not fit is counted, not written.
 */
#ifndef WARPCHECK_TEXT_WRITER_H
#define WARPCHECK_TEXT_WRITER_H

#include "warpcheck/text.h"

struct writer {
    char *buf;
    size_t size;
    size_t length; /* of the whole text, also of what did not fit */
};

#if defined(__GNUC__)
#define WRITER_PRINTF __attribute__((format(printf, 2, 3)))
#else
#define WRITER_PRINTF
#endif

/* Begins a text in buf[size], as snprintf would write it; with size 0 the text is only measured. */
struct writer writer_start(char *buf, size_t size);
/* Adds text as printf would print it. Afterwards the text so far is a C string. */
void writer_format(struct writer *w, const char *format, ...) WRITER_PRINTF;
static inline void writer_char(struct writer *w, char ch)
{
    if (w->length < w->size)
        w->buf[w->length] = ch;
    w->length++;
}
void writer_bytes(struct writer *w, const char *text, size_t size);
void writer_string(struct writer *w, const char *text);
void writer_spaces(struct writer *w, size_t n);
void writer_decimal(struct writer *w, uint64_t value);
/* Adds the prefix ("0x", "0f") and at least `digits` digits. */
void writer_hex(struct writer *w, const char *prefix, uint64_t value, unsigned digits);
/* Adds 32 elements in their shortest form: v, v*n, v+s*n. `high` holds their high halves, or is NULL. */
void writer_list(struct writer *w, const uint32_t low[WARP_LANES], const uint32_t *high);
/* Ends the text with a zero byte, also when it was cut. Returns its whole length. */
size_t writer_end(struct writer *w);

#endif
