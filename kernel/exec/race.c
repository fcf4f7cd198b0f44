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

void race_publish(struct race *race, lanemask lanes)
{
    lanemask fenced = race->fenced & lanes;
    if (fenced == 0)
        return;
    race->now++;
    for (lanemask m = lanes; m != 0; m &= m - 1)
        for (lanemask f = fenced; f != 0; f &= f - 1)
            race->known[__builtin_ctz(m)][__builtin_ctz(f)] = race->now;
}

static uint8_t bytes_of(const struct race_access *a)
{
    return (uint8_t)(((1u << a->width) - 1) << (a->address & 3));
}

static struct race_word *word_of(struct race *race, const struct race_access *a)
{
    race->fenced &= ~(UINT32_C(1) << a->lane);
    return &race->words[a->address / 4];
}

/* Did the write come before the access, with no order between them? */
static bool unordered_write(const struct race *race, const struct race_word *w, const struct race_access *a)
{
    return w->written != 0 && w->writer != a->lane && w->written >= race->known[a->lane][w->writer] &&
           (w->write_bytes & bytes_of(a)) && !(w->write_strong && a->strong);
}

int race_read(struct race *race, const struct race_access *a, uint32_t *place)
{
    struct race_word *w = word_of(race, a);
    bool races = unordered_write(race, w, a);
    lanemask own = UINT32_C(1) << a->lane;
    *place = w->write_at;
    if (!(w->readers & own) || w->read[a->lane] != race->now) { /* what it read before the last meeting is forgotten */
        w->read_bytes[a->lane] = 0;
        w->strong |= own;
    }
    w->readers |= own;
    w->read[a->lane] = race->now;
    w->read_bytes[a->lane] |= bytes_of(a);
    w->strong &= a->strong ? UINT32_MAX : ~own;
    w->read_at = a->at;
    return races ? w->writer : -1;
}

int race_write(struct race *race, const struct race_access *a, uint32_t *place)
{
    struct race_word *w = word_of(race, a);
    int with = unordered_write(race, w, a) ? w->writer : -1;
    *place = with >= 0 ? w->write_at : w->read_at;
    lanemask readers = w->readers & ~(UINT32_C(1) << a->lane) & ~(a->strong ? w->strong : 0);
    for (lanemask m = readers; m != 0 && with < 0; m &= m - 1) {
        unsigned reader = (unsigned)__builtin_ctz(m);
        if (w->read[reader] >= race->known[a->lane][reader] && (w->read_bytes[reader] & bytes_of(a)))
            with = (int)reader;
    }
    w->written = race->now;
    w->write_at = a->at;
    w->writer = (uint8_t)a->lane;
    w->write_bytes = bytes_of(a);
    w->write_strong = a->strong;
    w->readers = 0;
    return with;
}
