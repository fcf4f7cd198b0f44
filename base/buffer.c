#include "base/buffer.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_bool any_failed;

static bool fail(struct buffer *buffer)
{
    buffer->failed = true;
    atomic_store(&any_failed, true);
    return false;
}

static bool reserve(struct buffer *buffer, size_t more)
{
    size_t room = buffer->room < 256 ? 256 : buffer->room;
    char *larger;
    if (buffer->failed || more >= SIZE_MAX / 2 - buffer->size)
        return fail(buffer);
    while (room < buffer->size + more + 1)
        room *= 2;
    if (room == buffer->room)
        return true;
    larger = realloc(buffer->data, room);
    if (larger == NULL)
        return fail(buffer);
    buffer->data = larger;
    buffer->room = room;
    return true;
}

void buffer_add(struct buffer *buffer, const void *data, size_t size)
{
    if (!reserve(buffer, size))
        return;
    if (size > 0)
        memcpy(buffer->data + buffer->size, data, size);
    buffer->size += size;
    buffer->data[buffer->size] = '\0';
}

void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, strlen(text));
}

void buffer_format(struct buffer *buffer, const char *format, ...)
{
    va_list arguments;
    int length;
    va_start(arguments, format);
    length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0 || !reserve(buffer, (size_t)length)) {
        fail(buffer);
        return;
    }
    va_start(arguments, format);
    vsnprintf(buffer->data + buffer->size, (size_t)length + 1, format, arguments);
    va_end(arguments);
    buffer->size += (size_t)length;
}

void buffer_hex(struct buffer *b, const uint8_t *data, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t n = 0; n < size; n++) {
        const char two[2] = {digits[data[n] >> 4], digits[data[n] & 15]};
        buffer_add(b, two, 2);
    }
}

const char *buffer_string(const struct buffer *buffer)
{
    return buffer->data != NULL ? buffer->data : "";
}

void buffer_free(struct buffer *buffer)
{
    free(buffer->data);
    *buffer = (struct buffer){0};
}

bool buffer_any_failed(void)
{
    return atomic_load(&any_failed);
}

void *array_grow(void *items, size_t count, size_t *room, size_t size)
{
    const size_t wanted = *room < 8 ? 8 : *room * 2;
    void *larger;
    if (count < *room)
        return items;
    if (wanted > SIZE_MAX / size)
        return NULL;
    larger = realloc(items, wanted * size);
    if (larger != NULL)
        *room = wanted;
    return larger;
}
