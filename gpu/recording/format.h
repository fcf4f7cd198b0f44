/*
 * The file format, version 1 (docs/recordings.md). All numbers are little-endian.
 *
 *   8 bytes "WARPREC\n", u32 version, u32 method (0 stored, 1 zlib), u32 length of the header text, u32 number of
 * cases, u64 length of the plain payload, u64 length of the payload as stored, header text ("key=value" lines),
 * payload, u32 CRC-32 of everything in front of it.
 */
#ifndef WARPCHECK_RECORDING_FORMAT_H
#define WARPCHECK_RECORDING_FORMAT_H

#include "base/buffer.h"
#include "gpu/recording.h"

#define FORMAT_MAGIC       "WARPREC\n"
#define FORMAT_FIXED       40u /* bytes in front of the header text */
#define FORMAT_HEADER_MAX  4096u
#define FORMAT_CASES_MAX   10000000u
#define FORMAT_PAYLOAD_MAX (1u << 30)

enum format_method { FORMAT_STORED, FORMAT_ZLIB };

/* Little-endian numbers behind what is there. */
void format_u8(struct buffer *b, uint32_t value);
void format_u32(struct buffer *b, uint32_t value);

/* Bytes that are read. `failed` once something stood past the end; zeros are read then. */
struct cursor {
    const uint8_t *data;
    size_t length;
    size_t at;
    bool failed;
};

uint32_t cursor_u8(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);

uint32_t format_crc32(const uint8_t *data, size_t n);

/* One case and its result. encode: false when the result is not one of a recording (a lane waiting or undefined). */
bool codec_encode(struct buffer *b, const struct warp_case *c, const struct warp_result *result);
/* decode: NULL, or what is wrong. The case passes warp_case_check. */
const char *codec_decode(struct cursor *in, struct warp_case *c, struct warp_result *result);

/* zlib: false on an error. */
bool format_compress(const struct buffer *plain, struct buffer *out);
bool format_expand(const uint8_t *stored, size_t n, uint8_t *plain, size_t plain_length);

#endif
