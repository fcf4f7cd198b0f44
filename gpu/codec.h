/*
 * One case and its result as bytes of a recording: arrays that follow a formula take a few bytes. All numbers are
 * little-endian.
 */
#ifndef WARPCHECK_GPU_CODEC_H
#define WARPCHECK_GPU_CODEC_H

#include "base/buffer.h"
#include "warpcheck/warp.h"

/* Numbers behind what is there. */
void codec_put_u8(struct buffer *b, uint32_t value);
void codec_put_u32(struct buffer *b, uint32_t value);

/* Bytes that are read. `failed` once something stood past the end; zeros are read then. */
struct cursor {
    const uint8_t *data;
    size_t length;
    size_t at;
    bool failed;
};

uint32_t cursor_u8(struct cursor *c);
uint32_t cursor_u32(struct cursor *c);

/* One case and its result. encode: false when the result is not one of a recording (a lane waiting or undefined). */
bool codec_encode(struct buffer *b, const struct warp_case *c, const struct warp_result *result);
/* decode: NULL, or what is wrong. The case passes warp_case_check. */
const char *codec_decode(struct cursor *in, struct warp_case *c, struct warp_result *result);

#endif
