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

/* d of a warp with two classes, or one (the other empty), and perhaps lanes in neither. */
FAST_OUTLINE void assign_two(uint32_t *restrict d, lanemask first, lanemask second)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        d[lane] = (fast_in_lane(first, lane) & first) | (fast_in_lane(second, lane) & second);
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

/* Peels one value after the other, however many there are: needed when hashes collide. */
static void match_one_by_one(struct values v, bool wide, lanemask group, uint32_t *d)
{
    memset(d, 0, WARP_LANES * sizeof *d);
    for (lanemask rest = group; rest != 0;) {
        const lanemask same = alike(v, wide, fast_first_lane(rest)) & group;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            d[lane] |= fast_in_lane(same, lane) & same;
        rest &= ~same;
    }
}

/* Permutations of vectors, whose indices the compiler wants as constants; from gcc 12 and Clang 3 on. */
#if defined(__GNUC__) && defined(__has_builtin) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#if __has_builtin(__builtin_shufflevector)
#define FAST_PERMUTES 1
#endif
#endif

#ifdef FAST_PERMUTES

typedef uint16_t half_words __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(16)));

#define SPLAT(x, i)        __builtin_shufflevector(x, x, i, i, i, i, i, i, i, i)
#define UPPER_HALVES(x, y) __builtin_shufflevector((half_words)(x), (half_words)(y), 1, 3, 5, 7, 9, 11, 13, 15)
#define LOWER_BYTES(x, y)                                                                                              \
    __builtin_shufflevector((bytes)(x), (bytes)(y), 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30)
/* One of x, one of y, in turns: of their first halves, of their second halves. */
#define MIX_BYTES_0(x, y)  __builtin_shufflevector(x, y, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define MIX_BYTES_1(x, y)  __builtin_shufflevector(x, y, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
#define MIX_HALVES_0(x, y) __builtin_shufflevector(x, y, 0, 8, 1, 9, 2, 10, 3, 11)
#define MIX_HALVES_1(x, y) __builtin_shufflevector(x, y, 4, 12, 5, 13, 6, 14, 7, 15)

/* The hashes of four lanes, in the upper halves of words. */
FAST_INLINE fast_words hash_four(struct values v, bool wide, unsigned lane)
{
    const fast_words zero = {0};
    const fast_words low_factors = zero + ((uint32_t)FAST_HASH_1 << 16 | FAST_HASH_0);
    const fast_words high_factors = zero + ((uint32_t)FAST_HASH_3 << 16 | FAST_HASH_2);
    half_words products = (half_words)fast_load_words(v.low + lane) * (half_words)low_factors;
    if (wide)
        products += (half_words)fast_load_words(v.high + lane) * (half_words)high_factors;
    return (fast_words)products + ((fast_words)products << 16);
}

/* Sets the bit in the bytes of the lanes with a hash. Comparing gives half-words of ones or zeros: a byte is enough. */
FAST_INLINE void mark(const half_words hash[4], half_words one, uint8_t bit, bytes bits[2])
{
    bits[0] |= LOWER_BYTES(hash[0] == one, hash[1] == one) & bit;
    bits[1] |= LOWER_BYTES(hash[2] == one, hash[3] == one) & bit;
}

/* Which of eight hashes each lane has, as eight bits. */
FAST_OUTLINE void compare_with_eight(const half_words hash[4], const half_words *eight, bytes bits[2])
{
    const half_words h[4] = {hash[0], hash[1], hash[2], hash[3]}, x = *eight;
    bytes b[2] = {{0}, {0}};
    mark(h, SPLAT(x, 0), 1u << 0, b);
    mark(h, SPLAT(x, 1), 1u << 1, b);
    mark(h, SPLAT(x, 2), 1u << 2, b);
    mark(h, SPLAT(x, 3), 1u << 3, b);
    mark(h, SPLAT(x, 4), 1u << 4, b);
    mark(h, SPLAT(x, 5), 1u << 5, b);
    mark(h, SPLAT(x, 6), 1u << 6, b);
    mark(h, SPLAT(x, 7), 1u << 7, b);
    bits[0] = b[0];
    bits[1] = b[1];
}

/* Sixteen words of four bytes each: byte k from x[k]. */
FAST_INLINE void store_joined(uint32_t *to, bytes x0, bytes x1, bytes x2, bytes x3)
{
    const half_words a = (half_words)MIX_BYTES_0(x0, x1), b = (half_words)MIX_BYTES_0(x2, x3);
    const half_words c = (half_words)MIX_BYTES_1(x0, x1), e = (half_words)MIX_BYTES_1(x2, x3);
    fast_store_words(to, (fast_words)MIX_HALVES_0(a, b));
    fast_store_words(to + 4, (fast_words)MIX_HALVES_1(a, b));
    fast_store_words(to + 8, (fast_words)MIX_HALVES_0(c, e));
    fast_store_words(to + 12, (fast_words)MIX_HALVES_1(c, e));
}

/* d[i]: the lanes with the hash of lane i. */
FAST_INLINE void hash_classes(struct values v, bool wide, uint32_t *d)
{
    half_words hash[4];
    bytes bits[4][2];
    for (unsigned k = 0; k < 4; k++)
        hash[k] = UPPER_HALVES(hash_four(v, wide, 8 * k), hash_four(v, wide, 8 * k + 4));
    for (unsigned k = 0; k < 4; k++)
        compare_with_eight(hash, &hash[k], bits[k]);
    for (unsigned k = 0; k < 2; k++)
        store_joined(d + 16 * k, bits[0][k], bits[1][k], bits[2][k], bits[3][k]);
}

/* False when two values have one hash. */
FAST_INLINE bool match_by_hash(struct values v, bool wide, lanemask group, uint32_t *d)
{
    hash_classes(v, wide, d);
    if (!fast_check_classes(v.low, wide ? v.high : NULL, d))
        return false;
    if (group != FAST_ALL_LANES)
        fast_restrict_classes(group, d);
    return true;
}

/* 1 when two lanes have different values. */
FAST_INLINE unsigned differ(struct values v, bool wide, unsigned i, unsigned j)
{
    return ((v.low[i] ^ v.low[j]) | (wide ? v.high[i] ^ v.high[j] : 0)) != 0;
}

/* True when the two lowest lanes of the group and its highest have three different values: peeling would then not
 * be enough. */
FAST_INLINE bool shows_three_values(struct values v, bool wide, lanemask group)
{
    const unsigned first = fast_first_lane(group), next = fast_first_lane(group & (group - 1));
    const unsigned last = 31u - (unsigned)__builtin_clz(group | 1u);
    return (differ(v, wide, first, next) & differ(v, wide, next, last) & differ(v, wide, last, first)) != 0;
}

#else /* one value after the other: right, and slow with many values */

FAST_INLINE bool match_by_hash(struct values v, bool wide, lanemask group, uint32_t *d)
{
    (void)v, (void)wide, (void)group, (void)d;
    return false;
}

FAST_INLINE bool shows_three_values(struct values v, bool wide, lanemask group)
{
    (void)v, (void)wide, (void)group;
    return false;
}

#endif

/* Returns false when two values have one hash. These are functions of their own because the proof cuts the loop
 * that follows them, and only one way may lead to it. */
FAST_INLINE bool match_at_once(struct values v, bool wide, lanemask group, uint32_t *d)
{
    return (!shows_three_values(v, wide, group) && match_by_peeling(v, wide, group, d)) ||
           match_by_hash(v, wide, group, d);
}

FAST_OUTLINE bool match_at_once_b32(struct values v, lanemask group, uint32_t *d)
{
    return match_at_once(v, false, group, d);
}

FAST_OUTLINE bool match_at_once_b64(struct values v, lanemask group, uint32_t *d)
{
    return match_at_once(v, true, group, d);
}

FAST_INLINE void match_any(struct fast_strip *strip, bool wide)
{
    for (size_t w = 0; w < strip->n; w++) {
        const struct values v = values_of(strip, w, wide);
        const lanemask group = strip->group[w];
        uint32_t *d = strip->d.values + w * strip->d.stride;
        if (!(wide ? match_at_once_b64(v, group, d) : match_at_once_b32(v, group, d)))
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
