/*
 * Writing past the caches.
 *
 * A store to memory that is in no cache first reads the line, so that writing d costs the traffic of reading it too. A
 * result that is larger than a cache would not be there any more when it is read: storing it without a detour through
 * the caches saves that traffic, as memcpy does for large copies. The values are the same either way. The kernels know
 * nothing of it: they write a few rows at a time that stay in the first-level cache, and those are copied out.
 */
#ifndef WARPCHECK_FAST_STREAM_H
#define WARPCHECK_FAST_STREAM_H

#include "kernels.h"

/* The size of d, or of an operand of a lane, from which rows are streamed: more than the part of a last-level cache
 * that one core has for itself. */
#define FAST_STREAM_BYTES (24u << 20)

#define FAST_STREAM_ROWS  32u /* rows at a time: 4 KiB */
_Static_assert(FAST_STREAM_ROWS <= FAST_STRIP, "a strip holds them");

/* Are the rows of n warps that large? */
FAST_INLINE bool fast_stream_is_large(size_t n)
{
    return n >= FAST_STREAM_BYTES / (WARP_LANES * sizeof(uint32_t));
}

/* Do the rows follow each other, aligned as the processor's streaming stores need it? */
bool fast_stream_fits(const struct warp_sink *d);

/* Copies rows; `from` is aligned to 16 bytes. */
void fast_stream_rows(uint32_t *to, const uint32_t *from, size_t rows);

/* Call it after the last rows: orders them before whatever the caller stores next. */
void fast_stream_end(void);

/*
 * Prefetches rows `first`.. of an operand, so that they arrive while others are worked on: the processor's own
 * prefetcher stops at the end of each page, which is as long as FAST_STREAM_ROWS. It reads nothing, so it is harmless
 * past the end.
 */
void fast_stream_ask(const struct warp_column *column, size_t first, size_t rows);

#endif
