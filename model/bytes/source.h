/*
 * Generative bytes that are made only as far as they are read, for whoever draws them at random: most cases need a few
 * of them, some need hundreds.
 */
#ifndef WARPCHECK_BYTES_SOURCE_H
#define WARPCHECK_BYTES_SOURCE_H

#include "warpcheck/bytes.h"

struct bytes_source {
    uint8_t bytes[WARP_BYTES_MAX];
    size_t made;                                            /* of the bytes; the first is not WARP_BYTES_RAW */
    void (*make)(struct bytes_source *source, size_t size); /* makes the bytes up to `size` or further */
};

/* What warp_case_from_bytes gives of all the bytes. */
void bytes_source_case(struct bytes_source *source, uint32_t families, struct warp_case *c);

/* The first fields of that case: form, target, dst, negate. The others stay. BYTES_HEAD bytes must have been made. */
#define BYTES_HEAD 5u
void bytes_source_head(const struct bytes_source *source, uint32_t families, struct warp_case *c);

#endif
