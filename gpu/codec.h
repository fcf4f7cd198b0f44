/*
 * One case and its result as bytes of a recording: arrays that follow a formula take a few bytes. All numbers are
 * little-endian.
 */
#ifndef WARPCHECK_GPU_CODEC_H
#define WARPCHECK_GPU_CODEC_H

#include "base/buffer.h"
#include "warpcheck/warp.h"

/* Appends numbers. */
void codec_put_u32(struct buffer *b, uint32_t value);

/* Bytes that are read. Reading past the end gives zeros and sets `failed`. */
struct cursor {
    const uint8_t *data;
    size_t length;
    size_t at;
    bool failed;
};

uint32_t cursor_u32(struct cursor *c);

/* Encodes one case and its result. Returns false when the result is not one that a recording holds (a lane waits or
 * is undefined). */
bool codec_encode(struct buffer *b, const struct warp_case *c, const struct warp_result *result);
/* Decodes a case, which passes warp_case_check, and its result. Returns NULL, or what is wrong. */
const char *codec_decode(struct cursor *in, struct warp_case *c, struct warp_result *result);

#endif
