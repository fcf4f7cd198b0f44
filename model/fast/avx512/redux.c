/*
 * redux.sync: sixteen warps at a time, by the pairwise reduction that avx2/redux.c explains, one step deeper.
 */
#include "../redux_op.h"
#include "lanes.h"

/* gcc would broadcast a word that it has already from there, where permutations wait; a load broadcasts by itself. */
#if defined(__GNUC__) && !defined(__clang__)
#define READ_AGAIN(from) __asm__("" : "+r"(from))
#else
#define READ_AGAIN(from) (void)(from)
#endif

#define BLOCK 16u
_Static_assert(FAST_STRIP % BLOCK == 0, "a block that begins in a strip ends in it");

/* `op` is a constant in every caller, here and below. f32 operations work on keys, which are signed integers. */
FAST_INLINE __m512i combine(enum fast_redux op, __m512i x, __m512i y)
{
    switch (op) {
    case FAST_ADD:
        return _mm512_add_epi32(x, y);
    case FAST_MIN_U32:
        return _mm512_min_epu32(x, y);
    case FAST_MAX_U32:
        return _mm512_max_epu32(x, y);
    case FAST_AND:
        return _mm512_and_si512(x, y);
    case FAST_OR:
        return _mm512_or_si512(x, y);
    case FAST_XOR:
        return _mm512_xor_si512(x, y);
    case FAST_MIN_S32:
    case FAST_MIN_F32:
    case FAST_MIN_ABS_F32:
    case FAST_MIN_NAN_F32:
    case FAST_MIN_ABS_NAN_F32:
        return _mm512_min_epi32(x, y);
    case FAST_MAX_S32:
    case FAST_MAX_F32:
    case FAST_MAX_ABS_F32:
    case FAST_MAX_NAN_F32:
    case FAST_MAX_ABS_NAN_F32:
    case FAST_REDUX_COUNT:
        break;
    }
    return _mm512_max_epi32(x, y);
}

/* From floats to keys and back: negative words flipped but for the sign. */
FAST_INLINE __m512i flip_negative(__m512i x)
{
    const __m512i flip = _mm512_srli_epi32(_mm512_srai_epi32(x, 31), 1); /* negative: FAST_MAGNITUDE, else 0 */
    return _mm512_xor_si512(x, flip);
}

FAST_INLINE __m512i float_keys(__m512i x, bool abs, int32_t nan_key)
{
    const __m512i magnitude = _mm512_and_si512(x, broadcast(FAST_MAGNITUDE));
    const __m512i key = abs ? magnitude : flip_negative(x);
    if (fast_nan_in_place(abs, nan_key))
        return key;
    return _mm512_mask_mov_epi32(key, _mm512_cmpgt_epi32_mask(magnitude, broadcast(FAST_INFINITY)),
                                 broadcast((uint32_t)nan_key));
}

FAST_INLINE struct words load_keys(enum fast_redux op, const struct fast_strip *strip, size_t w)
{
    struct words x = load_words(fast_at(&strip->a, w));
    if (op >= FAST_MIN_F32) {
        x.low = float_keys(x.low, fast_redux_is_abs(op), fast_redux_nan_key(op));
        x.high = float_keys(x.high, fast_redux_is_abs(op), fast_redux_nan_key(op));
    }
    return x;
}

/* One warp, from 32 words to 16. */
FAST_INLINE __m512i fold_warp(enum fast_redux op, const struct fast_strip *strip, size_t w, bool full)
{
    struct words x = load_keys(op, strip, w);
    if (!full) {
        const __m512i neutral = broadcast(fast_redux_neutral(op));
        x.low = _mm512_mask_mov_epi32(neutral, low_lanes(strip->group[w]), x.low);
        x.high = _mm512_mask_mov_epi32(neutral, high_lanes(strip->group[w]), x.high);
    }
    return combine(op, x.low, x.high);
}

/* In each quarter: x0*x2, y0*y2, x1*x3, y1*y3 (lo takes x0 y0 x1 y1, hi x2 y2 x3 y3). */
FAST_INLINE __m512i pair(enum fast_redux op, __m512i x, __m512i y)
{
    return combine(op, _mm512_unpacklo_epi32(x, y), _mm512_unpackhi_epi32(x, y));
}

/* In each quarter the four warps of two pairs: lo takes the even lanes of all four, hi the odd ones. */
FAST_INLINE __m512i four(enum fast_redux op, __m512i x, __m512i y)
{
    return combine(op, _mm512_unpacklo_epi64(x, y), _mm512_unpackhi_epi64(x, y));
}

/* Quarters 0 and 2 of both, then quarters 1 and 3 of both: from quarters of x and y to x, x, y, y, then to one quarter
 * each. */
FAST_INLINE __m512i quarters(enum fast_redux op, __m512i x, __m512i y)
{
    return combine(op, _mm512_shuffle_i32x4(x, y, _MM_SHUFFLE(2, 0, 2, 0)),
                   _mm512_shuffle_i32x4(x, y, _MM_SHUFFLE(3, 1, 3, 1)));
}

FAST_INLINE __m512i fold_four(enum fast_redux op, const struct fast_strip *strip, size_t first, bool full)
{
    __m512i x[4];
    for (size_t i = 0; i < 4;
         i++) /* past the end the last warp stands in; its results land beyond n, in the strip's room */
        x[i] = fold_warp(op, strip, first + i < strip->n ? first + i : strip->n - 1, full);
    return four(op, pair(op, x[0], x[1]), pair(op, x[2], x[3]));
}

FAST_INLINE void fold_block(enum fast_redux op, struct fast_strip *strip, size_t first, bool full)
{
    const __m512i x = fold_four(op, strip, first, full), y = fold_four(op, strip, first + 4, full);
    const __m512i z = fold_four(op, strip, first + 8, full), t = fold_four(op, strip, first + 12, full);
    _mm512_storeu_si512(&strip->word[first], quarters(op, quarters(op, x, y), quarters(op, z, t)));
}

FAST_INLINE bool block_is_full(const struct fast_strip *strip, size_t first)
{
    lanemask all = FAST_ALL_LANES;
    for (size_t w = first; w < strip->n && w < first + BLOCK; w++)
        all &= strip->group[w];
    return all == FAST_ALL_LANES;
}

FAST_INLINE void redux(enum fast_redux op, struct fast_strip *strip)
{
    for (size_t first = 0; first < strip->n; first += BLOCK) {
        if (block_is_full(strip, first))
            fold_block(op, strip, first, true);
        else
            fold_block(op, strip, first, false);
    }
    if (op >= FAST_MIN_F32)
        for (size_t w = 0; w < strip->n; w++)
            strip->word[w] = fast_float_of_key((int32_t)strip->word[w]);
}

FAST_FOR_EACH_REDUX(FAST_REDUX_KERNEL)

const fast_kernel fast_redux_avx512[FAST_REDUX_COUNT] = {FAST_FOR_EACH_REDUX(FAST_REDUX_ENTRY)};

/*
 * All groups of a warp at once, whatever their lanes: step k joins each lane with the lane that lies 2^k lanes of its
 * group before it, if there is one, and then knows the lane 2^(k+1) before. The group's last lane ends with all of it.
 */
#define STEPS 5u
_Static_assert(1u << STEPS == WARP_LANES, "as many lanes as a group may have");

FAST_INLINE struct halves not_negative(struct words x)
{
    const __m512i least = broadcast(UINT32_MAX);
    return (struct halves){_mm512_cmpgt_epi32_mask(x.low, least), _mm512_cmpgt_epi32_mask(x.high, least)};
}

/* The highest lane of each set; -1 for the empty one. */
FAST_INLINE struct words highest_lane(struct words sets)
{
    const __m512i last = broadcast(31);
    return (struct words){_mm512_sub_epi32(last, _mm512_lzcnt_epi32(sets.low)),
                          _mm512_sub_epi32(last, _mm512_lzcnt_epi32(sets.high))};
}

/* The lane before the one before; negative words stay. */
FAST_INLINE struct words twice(struct words before)
{
    const struct halves some = not_negative(before);
    return (struct words){_mm512_mask2_permutex2var_epi32(before.low, before.low, some.low, before.high),
                          _mm512_mask2_permutex2var_epi32(before.low, before.high, some.high, before.high)};
}

FAST_INLINE struct words join(enum fast_redux op, struct words x, struct words before)
{
    const struct halves some = not_negative(before);
    const struct words other = permute_words(x, before);
    return (struct words){_mm512_mask_mov_epi32(x.low, some.low, combine(op, x.low, other.low)),
                          _mm512_mask_mov_epi32(x.high, some.high, combine(op, x.high, other.high))};
}

FAST_INLINE __m512i floats_of_keys(__m512i keys)
{
    const __m512i bits = flip_negative(keys), magnitude = _mm512_and_si512(bits, broadcast(FAST_MAGNITUDE));
    return _mm512_mask_mov_epi32(bits, _mm512_cmpgt_epi32_mask(magnitude, broadcast(FAST_INFINITY)),
                                 broadcast(FAST_CANONICAL_NAN));
}

/* Writes d of warp w: each lane gets what the last lane of its group has. */
FAST_INLINE void give_all(enum fast_redux op, const struct fast_strip *strip, size_t w, struct words x,
                          struct words last)
{
    x = permute_words(x, last);
    if (op >= FAST_MIN_F32)
        x = (struct words){floats_of_keys(x.low), floats_of_keys(x.high)};
    store_words(strip->d.values + w * strip->d.stride, only(x, strip->group[w]));
}

/* A warp with at most four groups is reduced group by group: fewer permutations, and no steps that wait for another. */
#define FEW 4u

/*
 * Finds the first lanes of the groups of a warp with so few, in order; after the last one, 31. Each membermask names a
 * group's lanes, and of `group` no others.
 */
FAST_INLINE bool find_few(const uint32_t *members, lanemask group, unsigned first[FEW])
{
    lanemask rest = group;
    for (unsigned g = 0; g < FEW; g++) {
        first[g] = fast_first_lane(rest);
        rest &= ~members[first[g]];
    }
    return rest == 0;
}

/* The lanes that pass what this lane passes. */
FAST_INLINE struct halves lanes_with(struct words members, const uint32_t *of_lane)
{
    READ_AGAIN(of_lane);
    const __m512i mask = broadcast(*of_lane);
    return (struct halves){_mm512_cmpeq_epi32_mask(members.low, mask), _mm512_cmpeq_epi32_mask(members.high, mask)};
}

/* Some lanes of a warp, from 32 words to 16. */
FAST_INLINE __m512i fold_lanes(enum fast_redux op, struct words x, struct halves lanes)
{
    const __m512i low = _mm512_mask_mov_epi32(broadcast(fast_redux_neutral(op)), lanes.low, x.low);
    return _mm512_mask_mov_epi32(low, lanes.high, combine(op, low, x.high));
}

/* Four sets of lanes: four words in each quarter. */
FAST_INLINE __m512i fold_few(enum fast_redux op, const __m512i folded[FEW])
{
    __m512i x = four(op, pair(op, folded[0], folded[1]), pair(op, folded[2], folded[3]));
    x = combine(op, x, _mm512_shuffle_i32x4(x, x, _MM_SHUFFLE(1, 0, 3, 2)));
    x = combine(op, x, _mm512_shuffle_i32x4(x, x, _MM_SHUFFLE(2, 3, 0, 1)));
    return op < FAST_MIN_F32 ? x : floats_of_keys(x);
}

/* Word g of each quarter in all four places; x, but in some lanes that. g is a constant. */
#define EVERYWHERE(g) _MM_SHUFFLE(g, g, g, g)
#define WITH_WORD(x, lanes, from, g)                                                                                   \
    (struct words)                                                                                                     \
    {                                                                                                                  \
        _mm512_mask_shuffle_epi32((x).low, (lanes).low, from, EVERYWHERE(g)),                                          \
            _mm512_mask_shuffle_epi32((x).high, (lanes).high, from, EVERYWHERE(g))                                     \
    }

/* Where there are fewer groups than four, each lane of them is in one of the first three. */
FAST_INLINE void redux_of_few(enum fast_redux op, const struct fast_strip *strip, size_t w, const uint32_t *row,
                              const unsigned first[FEW])
{
    const lanemask group = strip->group[w];
    const struct words x = load_keys(op, strip, w);
    struct words members = load_words(row), d;
    struct halves lanes[FEW];
    __m512i folded[FEW], results;
    if (group != FAST_ALL_LANES)
        members = only(members, group);
    for (unsigned g = FEW; g != 0; g--) { /* the last one's lanes are not needed any more then */
        lanes[g - 1] = lanes_with(members, row + first[g - 1]);
        folded[g - 1] = fold_lanes(op, x, lanes[g - 1]);
    }
    results = fold_few(op, folded);
    d.low = d.high = _mm512_shuffle_epi32(results, EVERYWHERE(3));
    d = WITH_WORD(d, lanes[0], results, 0);
    d = WITH_WORD(d, lanes[1], results, 1);
    d = WITH_WORD(d, lanes[2], results, 2);
    if (group != FAST_ALL_LANES)
        d = only(d, group);
    store_words(strip->d.values + w * strip->d.stride, d);
}

/* Without a branch on how large the groups are: they differ from warp to warp. */
FAST_INLINE void redux_of_many(enum fast_redux op, const struct fast_strip *strip, size_t w)
{
    const struct words members = groups_of_lanes(strip, w);
    struct words x = load_keys(op, strip, w), before = lanes_before(turn_to_own(members));
    for (unsigned step = 0; step < STEPS; step++) {
        x = join(op, x, before);
        before = twice(before);
    }
    give_all(op, strip, w, x, highest_lane(members));
}

FAST_INLINE void redux_of_others(enum fast_redux op, struct fast_strip strip)
{
    for (size_t w = 0; w < strip.n; w++) {
        const uint32_t *row = fast_at(&strip.members, w);
        unsigned first[FEW];
        if (find_few(row, strip.group[w], first))
            redux_of_few(op, &strip, w, row, first);
        else
            redux_of_many(op, &strip, w);
    }
}

/* The same for all warps of a strip. */
struct joins {
    struct words before[STEPS + 1]; /* negative where there is none, as in all lanes of the last */
    unsigned steps;                 /* the others join nothing */
    struct words last;
};

FAST_INLINE void find_joins(struct words members, struct joins *j)
{
    struct words before = lanes_before(turn_to_own(members));
    j->last = highest_lane(members);
    for (j->steps = 0;; j->steps++) {
        const struct halves some = not_negative(before);
        j->before[j->steps] = before;
        if (_mm512_kortestz(some.low, some.high))
            break;
        before = twice(before);
    }
}

/* Where all warps pass the same membermasks, it is found once which lanes are joined, if the same lanes are there. */
FAST_INLINE void redux_of_repeated(enum fast_redux op, struct fast_strip strip)
{
    struct joins j = {.steps = 0};
    lanemask found = 0; /* the group whose joins these are */
    for (size_t w = 0; w < strip.n; w++) {
        struct words x = load_keys(op, &strip, w);
        if (strip.group[w] != found)
            find_joins(groups_of_lanes(&strip, w), &j);
        found = strip.group[w];
        for (unsigned step = 0; step < j.steps; step++)
            x = join(op, x, j.before[step]);
        give_all(op, &strip, w, x, j.last);
    }
}

FAST_INLINE void redux_by_lane(enum fast_redux op, const struct fast_strip *strip)
{
    if (strip->members.stride == 0)
        redux_of_repeated(op, *strip);
    else
        redux_of_others(op, *strip);
}

FAST_FOR_EACH_REDUX(FAST_REDUX_BY_LANE_KERNEL)

const fast_kernel fast_redux_by_lane_avx512[FAST_REDUX_COUNT] = {FAST_FOR_EACH_REDUX(FAST_REDUX_BY_LANE_ENTRY)};
