/*
 * match.any, match.all.
 *
 * match.any peels: the first lane's value, the lanes that have it, then the rest. Few distinct values are the common
 * case and cost a compare each. When FAST_PEEL values are not enough, all lanes are compared at once by a 16-bit hash,
 * and the classes that this gives are checked for exactness: equal values have equal hashes, so classes can only be too
 * large, and a class is right when every lane has the value of the class's lowest lane. When a check fails (two values
 * with one hash) peeling goes on to the end.
 */
#include "lanes.h"
#include "match_hash.h"

/* The 32 values of a warp; high is NULL for .b32. */
struct values {
    const uint32_t *low, *high;
};

static struct values values_of(const struct fast_strip *strip, size_t w, bool wide)
{
    return (struct values){fast_at(&strip->a, w), wide ? fast_at(&strip->a_high, w) : NULL};
}

/* The lanes, of all 32, with the value of one. */
FAST_INLINE lanemask alike(struct values v, bool wide, unsigned lane)
{
    const uint32_t low = v.low[lane], high = wide ? v.high[lane] : 0;
    lanemask lanes = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t difference = (v.low[i] ^ low) | (wide ? v.high[i] ^ high : 0);
        lanes |= difference == 0 ? fast_lane_bit[i] : 0;
    }
    return lanes;
}

/* Gives up to `limit` distinct values of the group their lanes in d, 0 elsewhere; returns the lanes that are left. */
FAST_INLINE lanemask peel(struct values v, bool wide, lanemask group, unsigned limit, uint32_t *restrict d)
{
    lanemask rest = group, same = 0;
    for (unsigned i = 0; i < limit && (i == 0 || rest != 0); i++) {
        same = alike(v, wide, fast_first_lane(rest)) & group;
        if (i == 0) /* the first value writes every lane, so that nothing has to be cleared before */
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                d[lane] = (same & fast_lane_bit[lane]) ? same : 0;
        else
            for (unsigned lane = 0; lane < WARP_LANES; lane++)
                d[lane] |= (same & fast_lane_bit[lane]) ? same : 0;
        rest &= ~same;
    }
    return rest;
}

/* Adds `bit` to the classes of the lanes whose hash is h: without branches, on 16 bits, so eight lanes in the narrowest
 * vector register. */
static void mark(const uint16_t *restrict hash, uint16_t h, uint16_t bit, uint16_t *restrict classes)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        classes[i] |= (uint16_t)((hash[i] == h ? 0xffff : 0) & bit);
}

/* Compares every pair of hashes. d[i]: the lanes with the hash of lane i, gathered in two half-words. */
static void hash_classes(const uint16_t *restrict hash, uint32_t *restrict d)
{
    uint16_t low[WARP_LANES] = {0}, high[WARP_LANES] = {0};
    for (unsigned j = 0; j < 16; j++) {
        mark(hash, hash[j], (uint16_t)(1u << j), low);
        mark(hash, hash[j + 16], (uint16_t)(1u << j), high);
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = (uint32_t)high[i] << 16 | low[i];
}

/* match_hash.h. `high` is NULL for .b32. */
static void hash_lanes(const uint32_t *restrict low, const uint32_t *restrict high, uint16_t *restrict hash)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        hash[i] = (uint16_t)((low[i] & 0xffffu) * FAST_HASH_0 + (low[i] >> 16) * FAST_HASH_1);
    if (high != NULL)
        for (unsigned i = 0; i < WARP_LANES; i++)
            hash[i] = (uint16_t)(hash[i] + (high[i] & 0xffffu) * FAST_HASH_2 + (high[i] >> 16) * FAST_HASH_3);
}

/* False when two values of the group have one hash. */
FAST_INLINE bool match_by_hash(struct values v, lanemask group, uint32_t *d)
{
    uint16_t hash[WARP_LANES];
    hash_lanes(v.low, v.high, hash);
    hash_classes(hash, d);
    return fast_check_classes(v.low, v.high, group, d);
}

FAST_INLINE void match_any(struct fast_strip *strip, bool wide)
{
    for (size_t w = 0; w < strip->n; w++) {
        const struct values v = values_of(strip, w, wide);
        const lanemask group = strip->group[w];
        uint32_t *d = strip->d.values + w * strip->d.stride;
        if (peel(v, wide, group, FAST_PEEL, d) == 0)
            continue;
        if (match_by_hash(v, group, d))
            continue;
        peel(v, wide, group, WARP_LANES, d);
    }
}

FAST_INLINE void match_all(struct fast_strip *strip, bool wide)
{
    for (size_t w = 0; w < strip->n; w++) {
        const lanemask group = strip->group[w];
        const lanemask same = alike(values_of(strip, w, wide), wide, fast_first_lane(group));
        strip->word[w] = (group & ~same) == 0 ? group : 0;
    }
}

void fast_match_any_b32_portable(struct fast_strip *strip)
{
    match_any(strip, false);
}

void fast_match_any_b64_portable(struct fast_strip *strip)
{
    match_any(strip, true);
}

void fast_match_all_b32_portable(struct fast_strip *strip)
{
    match_all(strip, false);
}

void fast_match_all_b64_portable(struct fast_strip *strip)
{
    match_all(strip, true);
}
