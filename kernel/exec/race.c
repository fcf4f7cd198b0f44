#include "kernel/exec/race.h"

#include <stdlib.h>
#include <string.h>

bool race_start(struct race *race, size_t bytes)
{
    size_t words = bytes / 4 + 1;
    if (words > race->words_count || race->now > UINT32_MAX / 2) {
        free(race->words);
        race->words = calloc(words, sizeof *race->words);
        race->words_count = race->words ? words : 0;
        race->now = 0;
    }
    race->now++;
    race->fenced = 0;
    /* Every lane knows everything that earlier executions did. */
    for (unsigned i = 0; i < WARP_LANES; i++)
        for (unsigned j = 0; j < WARP_LANES; j++)
            race->known[i][j] = race->now;
    return race->words_count > 0;
}

void race_free(struct race *race)
{
    free(race->words);
}

void race_meet(struct race *race, lanemask lanes)
{
    uint32_t all[WARP_LANES] = {0};
    race->now++;
    for (lanemask m = lanes; m != 0; m &= m - 1) {
        const uint32_t *known = race->known[__builtin_ctz(m)];
        for (unsigned j = 0; j < WARP_LANES; j++)
            all[j] = known[j] > all[j] ? known[j] : all[j];
    }
    for (unsigned j = 0; j < WARP_LANES; j++)
        if (lanes >> j & 1u)
            all[j] = race->now;
    for (lanemask m = lanes; m != 0; m &= m - 1)
        memcpy(race->known[__builtin_ctz(m)], all, sizeof all);
}

void race_fence(struct race *race, lanemask lanes)
{
    race->now++;
    race->fenced |= lanes;
    for (lanemask m = lanes; m != 0; m &= m - 1)
        race->fenced_when[__builtin_ctz(m)] = race->now;
}

void race_publish(struct race *race, lanemask lanes)
{
    const lanemask fenced = race->fenced & lanes;
    for (lanemask m = fenced ? lanes : 0; m != 0; m &= m - 1) {
        uint32_t *known = race->known[__builtin_ctz(m)];
        for (lanemask f = fenced; f != 0; f &= f - 1) {
            const uint32_t when = race->fenced_when[__builtin_ctz(f)];
            known[__builtin_ctz(f)] = when > known[__builtin_ctz(f)] ? when : known[__builtin_ctz(f)];
        }
    }
}

static uint8_t bytes_of(const struct race_access *a)
{
    return (uint8_t)(((1u << a->width) - 1) << (a->address & 3));
}

static struct race_word *word_of(struct race *race, const struct race_access *a)
{
    return &race->words[a->address / 4];
}

/* The last write of one of the bytes that comes with no order before the access; NULL: none. */
static const struct race_written *unordered_write(const struct race *race, const struct race_word *w,
                                                  const struct race_access *a)
{
    for (unsigned n = (unsigned)(a->address & 3); n < (a->address & 3) + a->width; n++) {
        const struct race_written *b = &w->bytes[n];
        if (b->when != 0 && b->lane != a->lane && b->when >= race->known[a->lane][b->lane] && !(b->strong && a->strong))
            return b;
    }
    return NULL;
}

int race_read(struct race *race, const struct race_access *a, uint32_t *place)
{
    struct race_word *w = word_of(race, a);
    const struct race_written *races = unordered_write(race, w, a);
    lanemask own = UINT32_C(1) << a->lane;
    *place = races ? races->at : a->at;
    if (!(w->readers & own) || w->read[a->lane] != race->now) { /* what it read before the last meeting is forgotten */
        w->read_bytes[a->lane] = 0;
        w->strong |= own;
    }
    w->readers |= own;
    w->read[a->lane] = race->now;
    w->read_bytes[a->lane] |= bytes_of(a);
    w->strong &= a->strong ? UINT32_MAX : ~own;
    w->read_at = a->at;
    return races ? races->lane : -1;
}

/* Whoever is ordered behind this write knows of the reads that it is ordered behind. */
static void forget_reads(struct race_word *w, uint8_t bytes)
{
    if (bytes == 0xf)
        w->readers = 0;
    for (lanemask m = w->readers; m != 0; m &= m - 1) {
        unsigned reader = (unsigned)__builtin_ctz(m);
        w->read_bytes[reader] &= (uint8_t)~bytes;
        if (w->read_bytes[reader] == 0)
            w->readers &= ~(m & -m);
    }
}

int race_write(struct race *race, const struct race_access *a, uint32_t *place)
{
    struct race_word *w = word_of(race, a);
    const struct race_written *other = unordered_write(race, w, a);
    int with = other ? other->lane : -1;
    *place = other ? other->at : w->read_at;
    lanemask readers = w->readers & ~(UINT32_C(1) << a->lane) & ~(a->strong ? w->strong : 0);
    for (lanemask m = readers; m != 0 && with < 0; m &= m - 1) {
        unsigned reader = (unsigned)__builtin_ctz(m);
        if (w->read[reader] >= race->known[a->lane][reader] && (w->read_bytes[reader] & bytes_of(a)))
            with = (int)reader;
    }
    for (unsigned n = (unsigned)(a->address & 3); n < (a->address & 3) + a->width; n++)
        w->bytes[n] = (struct race_written){race->now, a->at, (uint8_t)a->lane, a->strong};
    forget_reads(w, bytes_of(a));
    return with;
}
