#include "check/impl/history.h"

#include "check/impl/impl.h"

#include <stdlib.h>
#include <string.h>

void history_add(struct history *h, const struct warp_case *cases, size_t n)
{
    if (h->ring == NULL)
        h->ring = malloc(IMPL_HISTORY_MAX * sizeof *h->ring);
    for (size_t done = 0, part; h->ring != NULL && done < n; done += part, h->count += part) {
        const size_t at = h->count % IMPL_HISTORY_MAX;
        part = n - done < IMPL_HISTORY_MAX - at ? n - done : IMPL_HISTORY_MAX - at;
        memcpy(&h->ring[at], &cases[done], part * sizeof *cases);
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
