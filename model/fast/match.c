/*
 * match.any, match.all.
 *
 * match.any peels: the first lane's value, the lanes that have it, then the rest. Few distinct values are the common
 * case and cost a compare each. When two values are not enough, all lanes are compared at once by a 16-bit hash,
 * and the classes that this gives are checked for exactness: equal values have equal hashes, so classes can only be too
 * large, and a class is right when every lane has the value of the class's lowest lane. When a check fails (two values
 * with one hash) peeling goes on to the end.
 */
#include "lanes.h"
#include "match_hash.h"

#include <string.h>

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

/*
 * Small loops in functions of their own: inlined into the loop over warps they lose what `restrict` says of their
 * arrays, and with it their vectorization.
 */
#if defined(__GNUC__)
#define OUTLINE static __attribute__((noinline))
#else
#define OUTLINE static
#endif

/* All ones where the lane is in the set, else 0: arithmetic, because compilers make a branch of a choice whether to
 * store. */
FAST_INLINE uint32_t in_lane(lanemask lanes, unsigned lane)
{
    return 0u - (uint32_t)((lanes & fast_lane_bit[lane]) != 0);
}

/* d of a warp with two classes, or one (the other empty), and perhaps lanes in neither. */
OUTLINE void assign_two(uint32_t *restrict d, lanemask first, lanemask second)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        d[lane] = (in_lane(first, lane) & first) | (in_lane(second, lane) & second);
}

/* True when the group has at most two values: d is written. */
FAST_INLINE bool match_by_peeling(struct values v, bool wide, lanemask group, uint32_t *d)
{
    const lanemask first = alike(v, wide, fast_first_lane(group)) & group, rest = group & ~first;
    const lanemask second = rest == 0 ? 0 : alike(v, wide, fast_first_lane(rest)) & rest;
    if ((rest & ~second) != 0)
        return false;
    assign_two(d, first, second);
    return true;
}

/* One value after the other, however many: when hashes collide. */
static void match_one_by_one(struct values v, bool wide, lanemask group, uint32_t *d)
{
    memset(d, 0, WARP_LANES * sizeof *d);
    for (lanemask rest = group; rest != 0;) {
        const lanemask same = alike(v, wide, fast_first_lane(rest)) & group;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            d[lane] |= in_lane(same, lane) & same;
        rest &= ~same;
    }
}

/* Adds `bit` to the classes of the lanes whose hash is h: without branches, on 16 bits, so eight lanes in the narrowest
 * vector register. */
FAST_INLINE void mark(const uint16_t *restrict hash, uint16_t h, uint16_t bit, uint16_t *restrict classes)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        classes[i] |= (uint16_t)((hash[i] == h ? 0xffff : 0) & bit);
}

/* Compares every pair of hashes. d[i]: the lanes with the hash of lane i, gathered in two half-words. */
OUTLINE void hash_classes(const uint16_t *restrict hash, uint32_t *restrict d)
{
    uint16_t low[WARP_LANES] = {0}, high[WARP_LANES] = {0};
    for (unsigned j = 0; j < 16; j++) {
        mark(hash, hash[j], (uint16_t)(1u << j), low);
        mark(hash, hash[j + 16], (uint16_t)(1u << j), high);
    }
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = (uint32_t)high[i] << 16 | low[i];
}

static uint32_t rotate16(uint32_t half, unsigned n)
{
    return half << n | half >> (16 - n);
}

/*
 * Half-words rotated and combined: without a multiplication, which is not vectorized everywhere. Like the hash of
 * match_hash.h it never collides on values that differ in one half-word only. `high` is NULL for .b32.
 */
OUTLINE void hash_lanes(const uint32_t *restrict low, const uint32_t *restrict high, uint16_t *restrict hash)
{
    for (unsigned i = 0; i < WARP_LANES; i++)
        hash[i] = (uint16_t)(low[i] ^ rotate16(low[i] >> 16, 7));
    if (high != NULL)
        for (unsigned i = 0; i < WARP_LANES; i++)
            hash[i] ^= (uint16_t)(rotate16(high[i] & 0xffffu, 3) ^ rotate16(high[i] >> 16, 12));
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
        if (!match_by_peeling(v, wide, group, d) && !match_by_hash(v, group, d))
            match_one_by_one(v, wide, group, d);
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
