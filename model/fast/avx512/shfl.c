/*
 * shfl.sync, shfl: index arithmetic once, on 32 half-words; then one permutation a half-warp.
 *
 * Only b[4:0], c[4:0] and c[12:8] matter: the low half of each operand word. So half-word 2k is lane k and half-word
 * 2k+1 is lane k+16 ("paired order"), in one register instead of two. Bringing b and c there costs one blend each,
 * since the shift of lanes 16..31 by a half-word is done by where they are loaded from. The permutation of words reads
 * five bits of an index, so the paired indices serve lanes 0..15 as they are and lanes 16..31 after one shift.
 */
#include "lanes.h"

/* Truth tables of ternary logic: bit 4x+2y+z is f(x, y, z), so x, y, z themselves are these. */
#define X      0xf0
#define Y      0xcc
#define Z      0xaa
#define SELECT ((X & Y) | (~X & Z & 0xff)) /* y where x has ones, z where it has zeros */
#define FLIP   ((X & Y) ^ Z)               /* z, flipped where x and y have ones */
_Static_assert(SELECT == 0xca && FLIP == 0x6a, "as the manual of the instruction has them");

#define ODD_HALVES 0xaaaaaaaau /* half-words 2k+1: lanes 16..31 in paired order */

FAST_INLINE __m512i broadcast_half(uint32_t x)
{
    return _mm512_set1_epi16((short)x);
}

/*
 * The low halves of 32 words in paired order. Half-word 2k+1 of what is loaded 2 bytes before word 16 is the low half
 * of word 16+k (x86 is little-endian); all 64 bytes of that load belong to the row.
 */
FAST_INLINE __m512i load_paired(const uint32_t *row)
{
    const char *high = (const char *)(row + 16) - 2;
    return _mm512_mask_loadu_epi16(_mm512_loadu_si512(row), ODD_HALVES, high);
}

/* The even bits of x, close together. */
FAST_INLINE uint32_t even_bits(uint32_t x)
{
#if defined(__BMI2__)
    return _pext_u32(x, 0x55555555u);
#else
    x &= 0x55555555u; /* in turn 1, 2, 4, 8 bits of each pair of groups move next to each other */
    x = (x | x >> 1) & 0x33333333u;
    x = (x | x >> 2) & 0x0f0f0f0fu;
    x = (x | x >> 4) & 0x00ff00ffu;
    return (x | x >> 8) & 0x0000ffffu;
#endif
}

/* One bit a lane, in paired order, to a lane mask. */
FAST_INLINE lanemask mask_of_paired(__mmask32 x)
{
    return even_bits(x) | even_bits(x >> 1) << 16;
}

struct sources {
    __m512i lane; /* in paired order, 0..31 */
    __mmask32 in_range;
};

/*
 * b and c are in paired order, whole half-words. `outside` has ones where the manual's segmask has zeros, in five bits:
 * a bit of the own lane where segmask has ones, of b or c where it has zeros, is a number of five bits. All j are
 * -31..62. `mode` is a constant in every caller.
 */
FAST_INLINE struct sources find_sources(enum warp_op mode, __m512i b, __m512i c)
{
    const __m512i first = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i own = _mm512_add_epi32(_mm512_or_si512(first, _mm512_slli_epi32(first, 16)), broadcast(16u << 16));
    const __m512i five = broadcast(31u << 16 | 31u);
    const __m512i outside = _mm512_andnot_si512(_mm512_srli_epi32(c, 8), five);
    const __m512i bound = _mm512_ternarylogic_epi32(outside, c, own, SELECT);
    const __m512i j = mode == WARP_UP     ? _mm512_sub_epi16(own, _mm512_and_si512(b, five))
                      : mode == WARP_DOWN ? _mm512_add_epi16(own, _mm512_and_si512(b, five))
                      : mode == WARP_BFLY ? _mm512_ternarylogic_epi32(b, five, own, FLIP)
                                          : _mm512_ternarylogic_epi32(outside, b, own, SELECT);
    const __mmask32 in_range = mode == WARP_UP ? _mm512_cmpge_epi16_mask(j, bound) : _mm512_cmple_epi16_mask(j, bound);
    return (struct sources){_mm512_mask_mov_epi16(own, in_range, j), in_range};
}

FAST_INLINE __m512i operand(const struct warp_column *column, bool per_warp, size_t w)
{
    const uint32_t *values = fast_at(column, w);
    return per_warp ? broadcast_half(*values) : load_paired(values);
}

/* Sources as the permutation wants them: words of which it reads bits 4..0. */
FAST_INLINE struct words source_words(__m512i lane)
{
    return (struct words){lane, _mm512_srli_epi32(lane, 16)};
}

/* Lanes whose source is in the group: each shifts the group right by its source and looks at the last bit. */
FAST_INLINE lanemask sources_in(lanemask group, struct words source)
{
    const __m512i all = broadcast(group), one = broadcast(1), low = _mm512_and_si512(source.low, broadcast(31));
    return mask_of(_mm512_test_epi32_mask(_mm512_srlv_epi32(all, low), one),
                   _mm512_test_epi32_mask(_mm512_srlv_epi32(all, source.high), one));
}

/* The rows of an array follow each other, and so do those of all operands and of d. */
FAST_INLINE bool is_dense(const struct fast_strip *strip)
{
    return strip->a.stride == WARP_LANES && strip->d.stride == WARP_LANES &&
           strip->b.stride == (strip->b.per_warp ? 1 : WARP_LANES) &&
           strip->c.stride == (strip->c.per_warp ? 1 : WARP_LANES);
}

/*
 * `shape` is a constant in every caller, like the mode: fewer values live in the loop. So is `dense`: with strides that
 * the compiler knows, one counter does for all pointers, and no pointer has to wait in a vector register.
 */
FAST_INLINE void shfl_shaped(enum warp_op mode, struct fast_shape shape, bool dense, struct fast_strip *strip)
{
    /* Copies, which stores through pointers to words cannot change: they stay in registers. */
    struct warp_column a = strip->a, b = strip->b, c = strip->c;
    struct warp_sink to = strip->d;
    const lanemask *group = strip->group;
    lanemask *word = strip->word, *d_defined = strip->d_defined;
    const size_t n = strip->n;
    struct sources s = find_sources(mode, operand(&b, shape.b_per_warp, 0), operand(&c, shape.c_per_warp, 0));
    if (dense) {
        a.stride = to.stride = WARP_LANES;
        b.stride = shape.b_per_warp ? 1 : WARP_LANES;
        c.stride = shape.c_per_warp ? 1 : WARP_LANES;
    }
    for (size_t w = 0; w < n; w++) {
        const lanemask in = group[w];
        struct words source, d;
        if (!shape.constant)
            s = find_sources(mode, operand(&b, shape.b_per_warp, w), operand(&c, shape.c_per_warp, w));
        source = source_words(s.lane);
        d = permute_words(load_words(fast_at(&a, w)), source);
        word[w] = mask_of_paired(s.in_range) & in;
        d_defined[w] = in;
        if (in != FAST_ALL_LANES) {
            const lanemask defined = in & sources_in(in, source);
            d_defined[w] = defined;
            d = only(d, defined);
        }
        store_words(to.values + w * to.stride, d);
    }
}

FAST_INLINE void shfl(enum warp_op mode, struct fast_strip *strip)
{
    const struct fast_shape shape = fast_shape_of(strip);
    const bool dense = is_dense(strip);
    if (shape.constant)
        shfl_shaped(mode, (struct fast_shape){true, true, true}, false, strip);
    else if (shape.b_per_warp && shape.c_per_warp && dense)
        shfl_shaped(mode, (struct fast_shape){true, true, false}, true, strip);
    else if (shape.b_per_warp && shape.c_per_warp)
        shfl_shaped(mode, (struct fast_shape){true, true, false}, false, strip);
    else if (shape.b_per_warp)
        shfl_shaped(mode, (struct fast_shape){true, false, false}, false, strip);
    else if (shape.c_per_warp)
        shfl_shaped(mode, (struct fast_shape){false, true, false}, false, strip);
    else if (dense)
        shfl_shaped(mode, (struct fast_shape){false, false, false}, true, strip);
    else
        shfl_shaped(mode, (struct fast_shape){false, false, false}, false, strip);
}

void fast_shfl_up_avx512(struct fast_strip *strip)
{
    shfl(WARP_UP, strip);
}

void fast_shfl_down_avx512(struct fast_strip *strip)
{
    shfl(WARP_DOWN, strip);
}

void fast_shfl_bfly_avx512(struct fast_strip *strip)
{
    shfl(WARP_BFLY, strip);
}

void fast_shfl_idx_avx512(struct fast_strip *strip)
{
    shfl(WARP_IDX, strip);
}
