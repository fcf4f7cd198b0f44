/* Streaming stores: SSE2 has them, and every 64-bit x86 has SSE2. On other processors fast_stream_fits is false,
 * and the kernels write d themselves. */
#include "stream.h"

#define ROW_BYTES (WARP_LANES * sizeof(uint32_t))

#if defined(__SSE2__)
#include <emmintrin.h>

#define ALIGNMENT sizeof(__m128i)
_Static_assert(ROW_BYTES % ALIGNMENT == 0, "when the first row is aligned, all are");

#define LINE_WORDS 16u /* 64 bytes */

bool fast_stream_fits(const struct warp_sink *d)
{
    return d->stride == WARP_LANES && (uintptr_t)d->values % ALIGNMENT == 0;
}

void fast_stream_rows(uint32_t *to, const uint32_t *from, size_t rows)
{
    const __m128i *source = (const __m128i *)(const void *)from;
    __m128i *target = (__m128i *)(void *)to;
    for (size_t i = 0; i < rows * ROW_BYTES / ALIGNMENT; i++)
        _mm_stream_si128(&target[i], _mm_load_si128(&source[i]));
}

void fast_stream_end(void)
{
    _mm_sfence();
}

void fast_stream_ask(const struct warp_column *column, size_t first, size_t rows)
{
    if (column->values == NULL || column->per_warp || column->stride != WARP_LANES)
        return;
    for (size_t word = 0; word < rows * WARP_LANES; word += LINE_WORDS) {
        const uint32_t *line = column->values + first * WARP_LANES + word;
        _mm_prefetch((const char *)line, _MM_HINT_T0);
    }
}
#else
#include <string.h>

bool fast_stream_fits(const struct warp_sink *d)
{
    (void)d;
    return false;
}

void fast_stream_rows(uint32_t *to, const uint32_t *from, size_t rows)
{
    memcpy(to, from, rows * ROW_BYTES);
}

void fast_stream_end(void)
{
}

void fast_stream_ask(const struct warp_column *column, size_t first, size_t rows)
{
    (void)column, (void)first, (void)rows;
}
#endif
