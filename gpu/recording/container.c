#include "gpu/recording/format.h"

#include <stdlib.h>
#include <string.h>

#ifdef WARPCHECK_HAVE_ZLIB
#include <zlib.h>
#endif

void bytes_put(struct bytes *b, const void *data, size_t n)
{
    if (b->failed)
        return;
    if (b->room - b->length < n) {
        const size_t room = (b->room + n) * 2 + 4096;
        uint8_t *grown = realloc(b->data, room);
        if (grown == NULL) {
            b->failed = true;
            return;
        }
        b->data = grown;
        b->room = room;
    }
    if (n > 0)
        memcpy(b->data + b->length, data, n);
    b->length += n;
}

void bytes_u8(struct bytes *b, uint32_t value)
{
    const uint8_t byte = (uint8_t)value;
    bytes_put(b, &byte, 1);
}

void bytes_u32(struct bytes *b, uint32_t value)
{
    const uint8_t word[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
    bytes_put(b, word, sizeof word);
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

/* The usual CRC-32 (reflected polynomial 0xedb88320); its own, so that it does not need zlib. */
uint32_t format_crc32(const uint8_t *data, size_t n)
{
    uint32_t table[256];
    uint32_t crc = UINT32_MAX;
    for (uint32_t i = 0; i < 256; i++) {
        table[i] = i;
        for (int bit = 0; bit < 8; bit++)
            table[i] = table[i] >> 1 ^ (table[i] & 1u ? 0xedb88320u : 0u);
    }
    for (size_t i = 0; i < n; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xffu];
    return ~crc;
}

#ifdef WARPCHECK_HAVE_ZLIB
bool format_can_compress(void)
{
    return true;
}

bool format_compress(const struct bytes *plain, struct bytes *out)
{
    uLongf length = compressBound((uLong)plain->length);
    out->data = malloc(length);
    if (out->data == NULL || compress2(out->data, &length, plain->data, (uLong)plain->length, 9) != Z_OK)
        return false;
    out->length = length;
    return true;
}

bool format_expand(const uint8_t *stored, size_t n, uint8_t *plain, size_t plain_length)
{
    uLongf length = (uLongf)plain_length;
    return uncompress(plain, &length, stored, (uLong)n) == Z_OK && length == plain_length;
}
#else
bool format_can_compress(void)
{
    return false;
}

bool format_compress(const struct bytes *plain, struct bytes *out)
{
    (void)plain;
    (void)out;
    return false;
}

bool format_expand(const uint8_t *stored, size_t n, uint8_t *plain, size_t plain_length)
{
    (void)stored;
    (void)n;
    (void)plain;
    (void)plain_length;
    return false;
}
#endif

bool recording_can_compress(void)
{
    return format_can_compress();
}
