/* Streaming stores: SSE2 has them, and every 64-bit x86 has SSE2. Elsewhere nothing fits, and the kernels write d. */
#include "stream.h"

#if defined(__SSE2__)
#include <emmintrin.h>

#define ALIGNMENT sizeof(__m128i)
_Static_assert(WARP_LANES * sizeof(uint32_t) % ALIGNMENT == 0, "when the first row is aligned, all are");

bool fast_stream_fits(const struct warp_sink *d, size_t n)
{
    return d->stride == WARP_LANES && (uintptr_t)d->values % ALIGNMENT == 0 &&
           n >= FAST_STREAM_BYTES / (WARP_LANES * sizeof(uint32_t));
}

void fast_stream_rows(uint32_t *to, const uint32_t *from, size_t rows)
{
    const __m128i *source = (const __m128i *)(const void *)from;
    __m128i *target = (__m128i *)(void *)to;
    for (size_t i = 0; i < rows * WARP_LANES * sizeof(uint32_t) / ALIGNMENT; i++)
        _mm_stream_si128(&target[i], _mm_load_si128(&source[i]));
}

void fast_stream_end(void)
{
    _mm_sfence();
}
#else
#include <string.h>

bool fast_stream_fits(const struct warp_sink *d, size_t n)
{
    (void)d, (void)n;
    return false;
}

void fast_stream_rows(uint32_t *to, const uint32_t *from, size_t rows)
{
    memcpy(to, from, rows * WARP_LANES * sizeof *to);
}

void fast_stream_end(void)
{
}
#endif
