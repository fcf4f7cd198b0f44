/*
 * shfl.sync, shfl: index arithmetic on words, where the data are, so that nothing has to be packed: packing the bytes
 * of b and c and widening the indices again costs more than arithmetic on twice as many registers. One permutation a
 * half-warp moves the data.
 */
#include "lanes.h"

/* Truth tables of ternary logic: bit 4x+2y+z is f(x, y, z), so x, y, z themselves are these. */
#define X      0xf0
#define Y      0xcc
#define Z      0xaa
#define SELECT ((X & Y) | (~X & Z & 0xff)) /* y where x has ones, z where it has zeros */
#define FLIP   ((X & Y) ^ Z)               /* z, flipped where x and y have ones */
_Static_assert(SELECT == 0xca && FLIP == 0x6a, "as the manual of the instruction has them");

struct half {
    __m512i lane; /* the source */
    __mmask16 in_range;
};

/*
 * 16 lanes; b and c are whole operands, `own` the lanes' numbers. `outside` has ones where the manual's segmask has
 * zeros, in five bits: a bit of the own lane where segmask has ones, of b or c where it has zeros, is a number of five
 * bits. `mode` is a constant in every caller.
 */
FAST_INLINE struct half find_half(enum warp_op mode, __m512i own, __m512i b, __m512i c)
{
    const __m512i five = broadcast(31);
    const __m512i outside = _mm512_andnot_si512(_mm512_srli_epi32(c, 8), five);
    const __m512i bound = _mm512_ternarylogic_epi32(outside, c, own, SELECT);
    const __m512i j = mode == WARP_UP     ? _mm512_sub_epi32(own, _mm512_and_si512(b, five))
                      : mode == WARP_DOWN ? _mm512_add_epi32(own, _mm512_and_si512(b, five))
                      : mode == WARP_BFLY ? _mm512_ternarylogic_epi32(b, five, own, FLIP)
                                          : _mm512_ternarylogic_epi32(outside, b, own, SELECT);
    const __mmask16 in_range = mode == WARP_UP ? _mm512_cmpge_epi32_mask(j, bound) : _mm512_cmple_epi32_mask(j, bound);
    return (struct half){_mm512_mask_mov_epi32(own, in_range, j), in_range};
}

struct sources {
    struct words lane;
    lanemask in_range;
};

FAST_INLINE struct sources find_sources(enum warp_op mode, struct words b, struct words c)
{
    const __m512i own = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const struct half low = find_half(mode, own, b.low, c.low);
    const struct half high = find_half(mode, _mm512_add_epi32(own, broadcast(16)), b.high, c.high);
    return (struct sources){{low.lane, high.lane}, mask_of(low.in_range, high.in_range)};
}

FAST_INLINE struct words operand(const struct warp_column *column, bool per_warp, size_t w)
{
    const uint32_t *values = fast_at(column, w);
    if (per_warp)
        return (struct words){broadcast(*values), broadcast(*values)};
    return load_words(values);
}

/* Lanes whose source is in the group: each shifts the group right by its source and looks at the last bit. */
FAST_INLINE lanemask sources_in(lanemask group, struct words source)
{
    const __m512i all = broadcast(group), one = broadcast(1);
    return mask_of(_mm512_test_epi32_mask(_mm512_srlv_epi32(all, source.low), one),
                   _mm512_test_epi32_mask(_mm512_srlv_epi32(all, source.high), one));
}

/* `shape` is a constant in every caller, like the mode: fewer values live in the loop. */
FAST_INLINE void shfl_shaped(enum warp_op mode, struct fast_shape shape, struct fast_strip *strip)
{
    /* Copies, which stores through pointers to words cannot change: they stay in registers. */
    const struct warp_column a = strip->a, b = strip->b, c = strip->c;
    const struct warp_sink to = strip->d;
    const lanemask *group = strip->group;
    lanemask *word = strip->word, *d_defined = strip->d_defined;
    const size_t n = strip->n;
    struct sources s = find_sources(mode, operand(&b, shape.b_per_warp, 0), operand(&c, shape.c_per_warp, 0));
    for (size_t w = 0; w < n; w++) {
        const lanemask in = group[w];
        struct words d;
        if (!shape.constant)
            s = find_sources(mode, operand(&b, shape.b_per_warp, w), operand(&c, shape.c_per_warp, w));
        d = permute_words(load_words(fast_at(&a, w)), s.lane);
        word[w] = s.in_range & in;
        d_defined[w] = in;
        if (in != FAST_ALL_LANES) {
            const lanemask defined = in & sources_in(in, s.lane);
            d_defined[w] = defined;
            d = only(d, defined);
        }
        store_words(to.values + w * to.stride, d);
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
