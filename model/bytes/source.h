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

/*
 * Together what warp_case_from_bytes gives of all the bytes. The first fills form, target, dst and negate, from the
 * first BYTES_HEAD bytes, which must have been made, and returns how many it has read; the second fills all else, from
 * byte `at` on.
 */
#define BYTES_HEAD 5u
size_t bytes_source_head(const struct bytes_source *source, uint32_t families, struct warp_case *c);
void bytes_source_body(struct bytes_source *source, size_t at, struct warp_case *c);

#endif
