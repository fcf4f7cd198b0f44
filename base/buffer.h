/*
 * Text or bytes that grow. When memory runs out, a buffer keeps what it has and sets `failed`, so that the caller can
 * look once, at the end. Whoever forgets to look prints less than it says: the program asks buffer_any_failed before it
 * ends with success.
 */
#ifndef WARPCHECK_BASE_BUFFER_H
#define WARPCHECK_BASE_BUFFER_H

#include "base/error.h"

#include <stdint.h>

struct buffer {
    char *data; /* ends with a zero byte; NULL while nothing was added */
    size_t size, room;
    bool failed;
};

void buffer_add(struct buffer *buffer, const void *data, size_t size);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_format(struct buffer *buffer, const char *format, ...) PRINTF_LIKE(2, 3);
/* As hexadecimal digits, two a byte. */
void buffer_hex(struct buffer *buffer, const uint8_t *data, size_t size);
/* The text as a C string, "" while empty. Valid until the next addition. */
const char *buffer_string(const struct buffer *buffer);
void buffer_free(struct buffer *buffer);
/* Did any buffer of this process ever fail? */
bool buffer_any_failed(void);

/*
 * Makes room for one more element in an array of `count` elements of `size` bytes, of which *room are allocated.
 * Returns `items` or its larger copy. Returns NULL when there is no memory, and `items` is then unchanged.
 */
void *array_grow(void *items, size_t count, size_t *room, size_t size);

#endif
