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

/* The lanes, of all 32, with a value. */
FAST_OUTLINE lanemask with_word(const uint32_t *low, uint32_t low_value)
{
    return fast_equal_lanes(low, low_value);
}

FAST_OUTLINE lanemask with_words(const uint32_t *low, const uint32_t *high, uint32_t low_value, uint32_t high_value)
{
    lanemask lanes = 0;
    for (unsigned i = 0; i < WARP_LANES; i++)
        lanes |= (low[i] == low_value ? fast_lane_bit[i] : 0) & (high[i] == high_value ? fast_lane_bit[i] : 0);
    return lanes;
}

/* The lanes, of all 32, with the value of one. */
FAST_INLINE lanemask alike(struct values v, bool wide, unsigned lane)
{
    return wide ? with_words(v.low, v.high, v.low[lane], v.high[lane]) : with_word(v.low, v.low[lane]);
}

/* The upper or the lower half-word of x, rotated within 16 bits; what is above them does not matter. */
static uint32_t rotate_high(uint32_t x, unsigned n)
{
    return x >> 16 << n | x >> (32 - n);
}

static uint32_t rotate_low(uint32_t x, unsigned n)
{
    return x << n | (x & 0xffffu) >> (16 - n);
}

/* All ones where the lane is in the set, else 0: arithmetic, because compilers make a branch of a choice whether to
 * store. */
FAST_INLINE uint32_t in_lane(lanemask lanes, unsigned lane)
{
    return 0u - (uint32_t)((lanes & fast_lane_bit[lane]) != 0);
}

/* d of a warp with two classes, or one (the other empty), and perhaps lanes in neither. */
FAST_OUTLINE void assign_two(uint32_t *restrict d, lanemask first, lanemask second)
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

/* Which of eight hashes each lane has, as eight bits: on half-words, so eight lanes in the narrowest vector register.
 */
FAST_OUTLINE void compare_with_eight(const uint16_t *restrict hash, const uint16_t (*restrict eight)[8],
                                     uint16_t (*restrict bits)[WARP_LANES])
{
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint16_t h = hash[i];
        uint16_t equal = 0;
        for (unsigned j = 0; j < 8; j++) {
            const uint16_t bit =
                h == (*eight)[j] ? (uint16_t)(1u << j) : 0; /* no wider than the half-word it selects */
            equal |= bit;
        }
        (*bits)[i] = equal;
    }
}

/* d[i]: the lanes with the hash of lane i. */
static void hash_classes(const uint16_t *restrict hash, uint32_t *restrict d)
{
    uint16_t bits[4][WARP_LANES];
    for (unsigned k = 0; k < 4; k++)
        compare_with_eight(hash, (const uint16_t(*)[8])(hash + 8 * k), &bits[k]);
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = ((uint32_t)bits[3][i] << 24 | (uint32_t)bits[2][i] << 16) | ((uint32_t)bits[1][i] << 8 | bits[0][i]);
}

/*
 * Half-words shifted and combined: without a multiplication, which is not vectorized everywhere. Words first, since a
 * loop with one width is vectorized better. Values that differ in one half-word only never collide, as with the hash of
 * match_hash.h: each half-word comes in rotated, and a rotation loses nothing. `high` is NULL for .b32.
 */
FAST_OUTLINE void hash_lanes(const uint32_t *restrict low, const uint32_t *restrict high, uint16_t *restrict hash)
{
    uint32_t words[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++)
        words[i] = low[i] ^ rotate_high(low[i], 7);
    if (high != NULL)
        for (unsigned i = 0; i < WARP_LANES; i++)
            words[i] ^= rotate_low(high[i], 3) ^ rotate_high(high[i], 12);
    for (unsigned i = 0; i < WARP_LANES; i++)
        hash[i] = (uint16_t)words[i];
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
