#include "gpu/recording/format.h"

#include <stdlib.h>
#include <zlib.h>

/* MemorySanitizer does not see what zlib, which it did not compile, writes. */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define WRITTEN(data, n) __msan_unpoison(data, n)
#endif
#endif
#ifndef WRITTEN
#define WRITTEN(data, n) ((void)(data), (void)(n))
#endif

void format_u8(struct buffer *b, uint32_t value)
{
    const uint8_t byte = (uint8_t)value;
    buffer_add(b, &byte, 1);
}

void format_u32(struct buffer *b, uint32_t value)
{
    const uint8_t word[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    buffer_add(b, word, sizeof word);
}

uint32_t cursor_u8(struct cursor *c)
{
    if (c->at >= c->length) {
        c->failed = true;
        return 0;
    }
    return c->data[c->at++];
}

uint32_t cursor_u32(struct cursor *c)
{
    uint32_t value = cursor_u8(c);
    value |= cursor_u8(c) << 8;
    value |= cursor_u8(c) << 16;
    return value | cursor_u8(c) << 24;
}

uint32_t format_crc32(const uint8_t *data, size_t n)
{
    return (uint32_t)crc32_z(0, data, n);
}

bool format_compress(const struct buffer *plain, struct buffer *out)
{
    uLongf length = compressBound((uLong)plain->size);
    uint8_t *const data = malloc(length);
    const bool good =
        data != NULL && compress2(data, &length, (const uint8_t *)buffer_string(plain), (uLong)plain->size, 9) == Z_OK;
    if (good) {
        WRITTEN(data, length);
        buffer_add(out, data, length);
    }
    free(data);
    return good && !out->failed;
}

bool format_expand(const uint8_t *stored, size_t n, uint8_t *plain, size_t plain_length)
{
    uLongf length = (uLongf)plain_length;
    if (uncompress(plain, &length, stored, (uLong)n) != Z_OK || length != plain_length)
        return false;
    WRITTEN(plain, plain_length);
    return true;
}
