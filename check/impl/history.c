#include "check/impl/history.h"

#include "check/impl/impl.h"

#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* The ring is hardly ever read: what is written there would only push out of the cache what is asked next. */
static void copy_past_cache(struct warp_case *to, const struct warp_case *from, size_t n)
{
#if defined(__SSE2__)
    const char *const data = (const char *)from;
    _Static_assert(sizeof *to % sizeof(__m128i) == 0, "a case is whole vectors");
    for (size_t at = 0; at < n * sizeof *to; at += sizeof(__m128i))
        _mm_stream_si128((__m128i *)(void *)((char *)to + at),
                         _mm_loadu_si128((const __m128i *)(const void *)(data + at)));
    _mm_sfence();
#else
    memcpy(to, from, n * sizeof *to);
#endif
}

void history_add(struct history *h, const struct warp_case *cases, size_t n)
{
    if (h->ring == NULL)
        h->ring = aligned_alloc(64, IMPL_HISTORY_MAX * sizeof *h->ring);
    for (size_t done = 0, part; h->ring != NULL && done < n; done += part, h->count += part) {
        const size_t at = h->count % IMPL_HISTORY_MAX;
        part = n - done < IMPL_HISTORY_MAX - at ? n - done : IMPL_HISTORY_MAX - at;
        copy_past_cache(&h->ring[at], &cases[done], part);
    }
}

void history_forget(struct history *h)
{
    h->count = 0;
}

size_t history_get(const struct history *h, struct warp_case *cases)
{
    const size_t n = h->count < IMPL_HISTORY_MAX ? (size_t)h->count : IMPL_HISTORY_MAX;
    const size_t oldest = (h->count - n) % IMPL_HISTORY_MAX, tail = IMPL_HISTORY_MAX - oldest;
    if (h->ring == NULL || n == 0)
        return 0;
    memcpy(cases, &h->ring[oldest], (n < tail ? n : tail) * sizeof *cases);
    if (n > tail)
        memcpy(cases + tail, h->ring, (n - tail) * sizeof *cases);
    return n;
}

void history_free(struct history *h)
{
    free(h->ring);
    h->ring = NULL;
}
