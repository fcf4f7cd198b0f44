/*
 * match.any, match.all.
 *
 * match.any tries two values (match.c says why), or four where warps have several groups, then compares hashes: 32
 * half-words are one register, so one broadcast and one compare give the class of a lane, whose 32 bits are the lane's
 * d. Classes are exact when every lane has the value of the lowest lane of its class.
 */
#include "../match_hash.h"
#include "lanes.h"

/* A warp's values; `high` is used for .b64 alone. `wide` is a constant in every caller. */
struct values {
    struct words low, high;
};

FAST_INLINE struct values load_values(const struct fast_strip *strip, size_t w, bool wide)
{
    struct values v = {.low = load_words(fast_at(&strip->a, w))};
    if (wide)
        v.high = load_words(fast_at(&strip->a_high, w));
    return v;
}

/* The lanes that have the value of one lane. */
FAST_INLINE struct halves alike(struct values v, const uint32_t *a, const uint32_t *a_high, bool wide, unsigned lane)
{
    const __m512i low = broadcast(a[lane]);
    struct halves same = {_mm512_cmpeq_epi32_mask(v.low.low, low), _mm512_cmpeq_epi32_mask(v.low.high, low)};
    if (wide) {
        const __m512i high = broadcast(a_high[lane]);
        same.low = _mm512_mask_cmpeq_epi32_mask(same.low, v.high.low, high);
        same.high = _mm512_mask_cmpeq_epi32_mask(same.high, v.high.high, high);
    }
    return same;
}

/* The lanes of a set that have another value than one lane. */
FAST_INLINE struct halves unlike(struct halves set, struct values v, const uint32_t *a, const uint32_t *a_high,
                                 bool wide, unsigned lane)
{
    const __m512i low = broadcast(a[lane]);
    struct halves other = {_mm512_mask_cmpneq_epi32_mask(set.low, v.low.low, low),
                           _mm512_mask_cmpneq_epi32_mask(set.high, v.low.high, low)};
    if (wide) {
        const __m512i high = broadcast(a_high[lane]);
        other.low |= _mm512_mask_cmpneq_epi32_mask(set.low, v.high.low, high);
        other.high |= _mm512_mask_cmpneq_epi32_mask(set.high, v.high.high, high);
    }
    return other;
}

/* match_two for a group, `first` being its lowest lane. */
FAST_INLINE bool match_two_of(lanemask group, unsigned first, struct values v, const uint32_t *a,
                              const uint32_t *a_high, bool wide, uint32_t *row)
{
    const struct halves all = {low_lanes(group), high_lanes(group)};
    const struct halves others = unlike(all, v, a, a_high, wide, first);
    const lanemask second = mask_of(others.low, others.high);
    const struct halves more = unlike(others, v, a, a_high, wide, fast_first_lane(second));
    const __m512i two = broadcast(second), one = _mm512_xor_si512(two, broadcast(group));
    struct words d = {_mm512_mask_mov_epi32(one, others.low, two), _mm512_mask_mov_epi32(one, others.high, two)};
    if (group != FAST_ALL_LANES)
        d = only(d, group);
    store_words(row, d);
    return _mm512_kortestz(more.low, more.high) != 0; /* gcc takes `(low | high) == 0` apart */
}

/*
 * At most two values: the lowest lane's, and that of the lowest lane that has another. Without a branch on how many
 * there are. Writes the row; false when there are more values, and then the row says nothing. The full group has code
 * of its own: its lowest lane is known, and one warp's steps, which wait for one another, begin with reading its value.
 */
FAST_INLINE bool match_two(struct values v, const struct fast_strip *strip, size_t w, bool wide, uint32_t *row)
{
    const uint32_t *a = fast_at(&strip->a, w), *a_high = wide ? fast_at(&strip->a_high, w) : NULL;
    const lanemask group = strip->group[w];
    return group == FAST_ALL_LANES ? match_two_of(FAST_ALL_LANES, 0, v, a, a_high, wide, row)
                                   : match_two_of(group, fast_first_lane(group), v, a, a_high, wide, row);
}

/* Each lane keeps the lanes of its membermask. */
FAST_INLINE struct words within_members(struct words x, const struct fast_strip *strip, size_t w)
{
    const struct words members = load_words(fast_at(&strip->members, w));
    return (struct words){_mm512_and_si512(x.low, members.low), _mm512_and_si512(x.high, members.high)};
}

/* The lanes of a set that have another value than its lowest lane. */
FAST_INLINE struct halves peel(struct halves set, struct values v, const uint32_t *a, const uint32_t *a_high, bool wide)
{
    return unlike(set, v, a, a_high, wide, fast_first_lane(mask_of(set.low, set.high)));
}

/* At most four values, with several groups; else as match_two. */
FAST_INLINE bool match_four(struct values v, const struct fast_strip *strip, size_t w, bool wide, uint32_t *row)
{
    const uint32_t *a = fast_at(&strip->a, w), *a_high = wide ? fast_at(&strip->a_high, w) : NULL;
    const struct halves group = {low_lanes(strip->group[w]), high_lanes(strip->group[w])};
    struct words d = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    struct halves rest = group;
    for (unsigned value = 0; value < 4; value++) {
        const struct halves left = peel(rest, v, a, a_high, wide);
        const __m512i lanes = broadcast(mask_of(rest.low, rest.high) ^ mask_of(left.low, left.high));
        d.low = _mm512_mask_mov_epi32(d.low, rest.low, lanes);
        d.high = _mm512_mask_mov_epi32(d.high, rest.high, lanes);
        rest = left;
    }
    store_words(row, within_members(d, strip, w));
    return _mm512_kortestz(rest.low, rest.high) != 0;
}

/* One value of the group after the other, however many: when hashes collide. */
static void match_one_by_one(struct values v, const struct fast_strip *strip, size_t w, bool wide, uint32_t *row)
{
    const lanemask group = strip->group[w];
    struct words d = {_mm512_setzero_si512(), _mm512_setzero_si512()};
    for (lanemask rest = group; rest != 0;) {
        const struct halves same =
            alike(v, fast_at(&strip->a, w), wide ? fast_at(&strip->a_high, w) : NULL, wide, fast_first_lane(rest));
        const lanemask lanes = mask_of(same.low, same.high) & group;
        d.low = _mm512_mask_mov_epi32(d.low, low_lanes(lanes), broadcast(lanes));
        d.high = _mm512_mask_mov_epi32(d.high, high_lanes(lanes), broadcast(lanes));
        rest &= ~lanes;
    }
    store_words(row, d);
}

/* Hashes in both halves of each word: a word's broadcast is then a half-word's. */
FAST_INLINE __m512i hash(__m512i low, __m512i high, bool wide)
{
    __m512i h = _mm512_madd_epi16(low, broadcast((uint32_t)FAST_HASH_1 << 16 | FAST_HASH_0));
    if (wide)
        h = _mm512_add_epi32(h, _mm512_madd_epi16(high, broadcast((uint32_t)FAST_HASH_3 << 16 | FAST_HASH_2)));
    return _mm512_mask_mov_epi16(h, 0xaaaaaaaau, _mm512_slli_epi32(h, 16)); /* odd half-words from the shifted one */
}

/* The even half-words of two registers: numbers 0, 2, 4 ... 62, the second register's following the first's. */
FAST_INLINE __m512i even_halves(__m512i low, __m512i high)
{
    const __m512i pairs = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    /* word k has the half-words 4k and 4k + 2 */
    const __m512i even =
        _mm512_add_epi32(_mm512_slli_epi32(pairs, 2),
                         _mm512_slli_epi32(_mm512_add_epi32(_mm512_slli_epi32(pairs, 2), broadcast(2)), 16));
    return _mm512_permutex2var_epi16(low, even, high);
}

/* d[i]: the lanes with the hash of lane i. */
FAST_INLINE void hash_classes(struct values v, bool wide, uint32_t d[WARP_LANES])
{
    const struct words h = {hash(v.low.low, v.high.low, wide), hash(v.low.high, v.high.high, wide)};
    const __m512i halves = even_halves(h.low, h.high);
    _Alignas(64) uint32_t twice[WARP_LANES]; /* else, as the stack happens to lie, each store touches two cache lines */
    store_words(twice, h);
    for (unsigned i = 0; i < WARP_LANES; i++)
        d[i] = _mm512_cmpeq_epi16_mask(halves, broadcast(twice[i]));
}

/*
 * The lowest lane of each set. An isolated bit i as a float has the exponent i + 127; bit 31 makes a negative float,
 * whose sign is above what the permutation reads. Of exponent - 127 it reads 5 bits, and -127 is 1 modulo 32. Lanes
 * outside the group have empty sets and give some lane or other.
 */
FAST_INLINE __m512i lowest_lane(__m512i sets)
{
    const __m512i isolated = _mm512_and_si512(sets, _mm512_sub_epi32(_mm512_setzero_si512(), sets));
    const __m512i exponent = _mm512_srli_epi32(_mm512_castps_si512(_mm512_cvtepi32_ps(isolated)), 23);
    return _mm512_add_epi32(exponent, broadcast(1));
}
_Static_assert((127 + 1) % 32 == 0, "-127 is 1 modulo 32");

/*
 * Takes lanes outside the group out of the classes in the warp's row. False when two values of the group have one hash.
 */
FAST_INLINE bool check_classes(struct values v, bool wide, lanemask group, uint32_t *row)
{
    const struct words d = within(load_words(row), group);
    struct words leaders;
    lanemask right;
    leaders = (struct words){lowest_lane(d.low), lowest_lane(d.high)};
    right = equal_lanes(v.low, permute_words(v.low, leaders));
    if (wide)
        right &= equal_lanes(v.high, permute_words(v.high, leaders));
    store_words(row, only(d, group));
    return (group & ~right) == 0;
}

/*
 * Classes of all warps first, then all checks: a check loads whole registers from words that were just written one by
 * one, which stalls until they have left the store buffer; by then they have. `several` is a constant in every caller:
 * what match.any finds among all done lanes is then left where the lane has it in its group.
 */
FAST_INLINE void match_any(struct fast_strip *strip, bool wide, bool several)
{
    const struct fast_strip copy = *strip; /* which stores through pointers to words cannot change */
    size_t hashed[FAST_STRIP], count = 0;
    for (size_t w = 0; w < copy.n; w++) {
        const struct values v = load_values(&copy, w, wide);
        uint32_t *row = copy.d.values + w * copy.d.stride;
        if (!(several ? match_four(v, &copy, w, wide, row) : match_two(v, &copy, w, wide, row))) {
            hash_classes(v, wide, row);
            hashed[count++] = w;
        }
    }
    for (size_t i = 0; i < count; i++) {
        const size_t w = hashed[i];
        const struct values v = load_values(strip, w, wide);
        uint32_t *row = strip->d.values + w * strip->d.stride;
        if (!check_classes(v, wide, strip->group[w], row))
            match_one_by_one(v, strip, w, wide, row);
        if (several)
            store_words(row, within_members(load_words(row), strip, w));
    }
}

FAST_INLINE void match_all(struct fast_strip *strip, bool wide)
{
    const struct warp_column a = strip->a, a_high = strip->a_high;
    const lanemask *groups = strip->group;
    lanemask *word = strip->word;
    const size_t n = strip->n;
    for (size_t w = 0; w < n; w++) {
        const lanemask group = groups[w];
        const unsigned first = fast_first_lane(group);
        lanemask same = equal_to(load_words(fast_at(&a, w)), fast_at(&a, w)[first]);
        if (wide)
            same &= equal_to(load_words(fast_at(&a_high, w)), fast_at(&a_high, w)[first]);
        word[w] = (group & ~same) == 0 ? group : 0;
    }
}

/* Each lane is compared with the lowest of its group; a group with a lane that differs has no result. */
FAST_INLINE void match_all_by_lane(struct fast_strip *strip, bool wide)
{
    const struct fast_strip copy = *strip;
    for (size_t w = 0; w < copy.n; w++) {
        const lanemask group = copy.group[w];
        const struct words members = groups_of_lanes(&copy, w);
        const struct words leaders = {lowest_lane(members.low), lowest_lane(members.high)};
        const struct values v = load_values(&copy, w, wide);
        lanemask same = equal_lanes(v.low, permute_words(v.low, leaders));
        __m512i others;
        if (wide)
            same &= equal_lanes(v.high, permute_words(v.high, leaders));
        others = broadcast(group & ~same);
        same =
            group & ~mask_of(_mm512_test_epi32_mask(members.low, others), _mm512_test_epi32_mask(members.high, others));
        copy.word[w] = same;
        store_words(copy.d.values + w * copy.d.stride, only(members, same));
    }
}

void fast_match_any_b32_avx512(struct fast_strip *strip)
{
    match_any(strip, false, false);
}

void fast_match_any_b64_avx512(struct fast_strip *strip)
{
    match_any(strip, true, false);
}

void fast_match_all_b32_avx512(struct fast_strip *strip)
{
    match_all(strip, false);
}

void fast_match_all_b64_avx512(struct fast_strip *strip)
{
    match_all(strip, true);
}

void fast_match_any_by_lane_b32_avx512(struct fast_strip *strip)
{
    match_any(strip, false, true);
}

void fast_match_any_by_lane_b64_avx512(struct fast_strip *strip)
{
    match_any(strip, true, true);
}

void fast_match_all_by_lane_b32_avx512(struct fast_strip *strip)
{
    match_all_by_lane(strip, false);
}

void fast_match_all_by_lane_b64_avx512(struct fast_strip *strip)
{
    match_all_by_lane(strip, true);
}
