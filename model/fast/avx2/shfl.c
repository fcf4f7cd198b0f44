/* shfl.sync, shfl: index arithmetic once, on 32 bytes; then one permutation of 32 words. */
#include "lanes.h"

/* Fields of b and c, one byte a lane in packed order; bits above the fields are not clean. */
struct fields {
    __m256i b, cval, segmask;
};

struct sources {
    __m256i lane; /* one byte a lane, in packed order */
    struct route route;
    lanemask in_range;
};

FAST_INLINE __m256i read_b(const struct warp_column *b, bool per_warp, size_t w)
{
    struct words x;
    if (per_warp)
        return _mm256_set1_epi8((char)(*fast_at(b, w) & 31u));
    x = load_words(fast_at(b, w));
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_and_si256(x.v[k], _mm256_set1_epi32(31)); /* below 256: nothing saturates */
    return pack_bytes(x);
}

FAST_INLINE struct fields read_fields(const struct warp_column *b, const struct warp_column *c, struct fast_shape shape,
                                      size_t w)
{
    struct fields f = {.b = read_b(b, shape.b_per_warp, w)};
    struct words x;
    __m256i low, high;
    if (shape.c_per_warp) {
        const uint32_t fields = *fast_at(c, w);
        f.cval = _mm256_set1_epi8((char)(fields & 31u));
        f.segmask = _mm256_set1_epi8((char)(fields >> 8 & 31u));
        return f;
    }
    x = load_words(fast_at(c, w));
    for (int k = 0; k < QUARTERS; k++)
        x.v[k] = _mm256_and_si256(x.v[k], _mm256_set1_epi32(31 << 8 | 31)); /* both fields, in 16 bits, not negative */
    low = _mm256_packus_epi32(x.v[0], x.v[1]);
    high = _mm256_packus_epi32(x.v[2], x.v[3]);
    f.cval = _mm256_packus_epi16(_mm256_and_si256(low, _mm256_set1_epi16(31)),
                                 _mm256_and_si256(high, _mm256_set1_epi16(31)));
    f.segmask = _mm256_packus_epi16(_mm256_srli_epi16(low, 8), _mm256_srli_epi16(high, 8));
    return f;
}

/* own where segmask has ones, x where it has zeros: base and bound, and j of idx, are formed in this way. */
FAST_INLINE __m256i pick_bits(__m256i segmask, __m256i own, __m256i x)
{
    return _mm256_or_si256(_mm256_and_si256(segmask, own), _mm256_andnot_si256(segmask, x));
}

/* All numbers are -31..62, so signed bytes hold them; `mode` is a constant in every caller. */
FAST_INLINE struct sources find_sources(enum warp_op mode, struct fields f)
{
    const __m256i own = own_packed();
    const __m256i bound = pick_bits(f.segmask, own, f.cval);
    const __m256i j = mode == WARP_UP     ? _mm256_sub_epi8(own, f.b)
                      : mode == WARP_DOWN ? _mm256_add_epi8(own, f.b)
                      : mode == WARP_BFLY ? _mm256_xor_si256(own, f.b)
                                          : pick_bits(f.segmask, own, f.b);
    const __m256i out = mode == WARP_UP ? _mm256_cmpgt_epi8(bound, j) : _mm256_cmpgt_epi8(j, bound);
    const __m256i lane = _mm256_blendv_epi8(j, own, out);
    return (struct sources){lane, route_from(lane), ~packed_mask(out)};
}

/*
 * Bytes of ones where the lane in the byte is in the group. Byte s / 8 of the group has the bit of lane s at s % 8;
 * both are table look-ups, which read bits 3..0 of an index: the table of bits is there twice, so bit 3 does not matter
 * to it.
 */
#define BIT_TABLE        0x8040201008040201u
#define HAS_BIT_OF(lane) (BIT_TABLE >> 8 * ((lane) % 8) & 0xffu) == 1u << (lane) % 8
_Static_assert(FAST_ALL_32(HAS_BIT_OF), "is_in: byte s % 8 has bit s % 8");

FAST_INLINE __m256i is_in(lanemask group, __m256i lanes)
{
    const __m256i bits = _mm256_set1_epi64x((long long)BIT_TABLE);
    const __m256i bit = _mm256_shuffle_epi8(bits, lanes);
    const __m256i byte_number = _mm256_and_si256(_mm256_srli_epi16(lanes, 3), _mm256_set1_epi8(3));
    const __m256i byte = _mm256_shuffle_epi8(broadcast(group), byte_number);
    return _mm256_cmpeq_epi8(_mm256_and_si256(byte, bit), bit);
}

/* Bytes of ones where the lane in the byte is in the group and among the members of the lane whose byte it is. */
FAST_INLINE __m256i is_member(const uint32_t *members, lanemask group, __m256i lanes)
{
    const __m256i in_order = to_lane_order(lanes);
    const __m128i halves[] = {_mm256_castsi256_si128(in_order), _mm256_extracti128_si256(in_order, 1)};
    struct words x = load_words(members);
    for (int k = 0; k < QUARTERS; k++) {
        const __m256i lane = _mm256_cvtepu8_epi32(k % 2 == 0 ? halves[k / 2] : _mm_srli_si128(halves[k / 2], 8));
        x.v[k] = _mm256_srlv_epi32(_mm256_and_si256(x.v[k], broadcast(group)), lane);
        x.v[k] = _mm256_and_si256(x.v[k], broadcast(1));
    }
    return _mm256_cmpeq_epi8(pack_bytes(x), _mm256_set1_epi8(1));
}

/* Closes the route of lanes that are not in the group or whose source is not in theirs; returns the others. */
FAST_INLINE lanemask restrict_to(lanemask group, const uint32_t *members, struct sources s, struct route *route)
{
    const __m256i source_in = members == NULL ? is_in(group, s.lane) : is_member(members, group, s.lane);
    const __m256i defined = _mm256_and_si256(is_in(group, own_packed()), source_in);
    *route = route_closed(s.route, _mm256_xor_si256(defined, _mm256_set1_epi8(-1)));
    return packed_mask(defined);
}

/* `shape` is a constant in every caller, like the mode: fewer values live in the loop. */
FAST_INLINE void shfl_shaped(enum warp_op mode, struct fast_shape shape, struct fast_strip *strip)
{
    /* Copies, which stores through pointers to words cannot change: they stay in registers. */
    const struct warp_column a = strip->a, b = strip->b, c = strip->c, members = strip->members;
    const struct warp_sink to = strip->d;
    const lanemask *group = strip->group;
    lanemask *word = strip->word, *d_defined = strip->d_defined;
    const size_t n = strip->n;
    const bool several = members.values != NULL;
    struct sources s = find_sources(mode, read_fields(&b, &c, shape, 0));
    for (size_t w = 0; w < n; w++) {
        const lanemask in = group[w];
        struct route route;
        if (!shape.constant)
            s = find_sources(mode, read_fields(&b, &c, shape, w));
        route = s.route;
        word[w] = s.in_range & in;
        d_defined[w] = in;
        if (several || in != FAST_ALL_LANES)
            d_defined[w] = restrict_to(in, several ? fast_at(&members, w) : NULL, s, &route);
        store_words(to.values + w * to.stride, permute_words(load_words(fast_at(&a, w)), route));
    }
}

FAST_INLINE void shfl(enum warp_op mode, struct fast_strip *strip)
{
    const struct fast_shape shape = fast_shape_of(strip);
    if (shape.constant)
        shfl_shaped(mode, (struct fast_shape){true, true, true}, strip);
    else if (shape.b_per_warp && shape.c_per_warp)
        shfl_shaped(mode, (struct fast_shape){true, true, false}, strip);
    else if (shape.b_per_warp)
        shfl_shaped(mode, (struct fast_shape){true, false, false}, strip);
    else if (shape.c_per_warp)
        shfl_shaped(mode, (struct fast_shape){false, true, false}, strip);
    else
        shfl_shaped(mode, (struct fast_shape){false, false, false}, strip);
}

void fast_shfl_up_avx2(struct fast_strip *strip)
{
    shfl(WARP_UP, strip);
}

void fast_shfl_down_avx2(struct fast_strip *strip)
{
    shfl(WARP_DOWN, strip);
}

void fast_shfl_bfly_avx2(struct fast_strip *strip)
{
    shfl(WARP_BFLY, strip);
}

void fast_shfl_idx_avx2(struct fast_strip *strip)
{
    shfl(WARP_IDX, strip);
}
