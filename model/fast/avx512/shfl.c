/*
 * shfl.sync, shfl: index arithmetic once for two warps, on 64 bytes; then one permutation a half-warp.
 *
 * Only b[4:0], c[4:0] and c[12:8] matter: one byte of b, two of c. Byte 4k of a register is lane k, byte 4k+2 is lane
 * k+16, and bytes 4k+1 and 4k+3 are the same lanes of the next warp, or anything where there is none. A permutation of
 * bytes that writes only some of them brings a second register's bytes between the first one's, in one instruction. The
 * permutation of words reads five bits of an index, so the bytes serve as indices where they are, after a shift.
 */
#include "lanes.h"

/* gcc would load a register anew for each of the two permutations that read it. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__AVX512F__)
#define KEEP_LOADED(x) __asm__("" : "+v"(x))
#else
#define KEEP_LOADED(x) (void)(x)
#endif

/* Truth tables of ternary logic: bit 4x+2y+z is f(x, y, z), so x, y, z themselves are these. */
#define X      0xf0
#define Y      0xcc
#define Z      0xaa
#define SELECT ((X & Y) | (~X & Z & 0xff)) /* y where x has ones, z where it has zeros */
#define FLIP   ((X & Y) ^ Z)               /* z, flipped where x and y have ones */
_Static_assert(SELECT == 0xca && FLIP == 0x6a, "as the manual of the instruction has them");

/* Groups of ones: the lowest `ones` bits of every `bits`. (2^64 - 1 divided by 2^n - 1 has every n-th bit, from 0.) */
#define GROUPS(ones, bits) (UINT64_MAX / ((1ull << (bits)) - 1) * ((1ull << (ones)) - 1))
_Static_assert(GROUPS(1, 4) == 0x1111111111111111u && GROUPS(8, 32) == 0x000000ff000000ffu, "groups of ones");

/* Sets of bytes, a bit a byte. */
#define LANES_LOW   GROUPS(1, 4)                   /* bytes 4k: lanes 0..15 */
#define LANES_HIGH  (LANES_LOW << 2)               /* bytes 4k+2: lanes 16..31 */
#define HIGH_HALVES (LANES_HIGH | LANES_HIGH << 1) /* bytes 4k+2 and 4k+3 */
#define EVEN_BYTES  (LANES_LOW | LANES_HIGH)
#define ODD_BYTES   (EVEN_BYTES << 1)
_Static_assert((EVEN_BYTES ^ ODD_BYTES) == UINT64_MAX && (EVEN_BYTES & 3u) == 1 && (HIGH_HALVES & 15u) == 12,
               "sets of bytes");

/* A word of four bytes, the lowest first. */
#define WORD(b0, b1, b2, b3) ((uint32_t)(b0) | (uint32_t)(b1) << 8 | (uint32_t)(b2) << 16 | (uint32_t)(b3) << 24)
#define ALL_FOUR(b)          WORD(b, b, b, b)
_Static_assert(WORD(1, 2, 3, 4) == 0x04030201u, "the lowest first");

FAST_INLINE __m512i broadcast_half(uint32_t x)
{
    return _mm512_set1_epi16((short)x);
}

/*
 * Clang 14 makes several slow instructions of a masked permutation whose indices it knows: for it, shifts by whole
 * bytes and choices of bits. Elsewhere the one permutation is faster.
 */
#if defined(__clang__)
/* x where `bits`, the same in each word, are ones, y where they are zeros. */
FAST_INLINE __m512i choose(uint32_t bits, __m512i x, __m512i y)
{
    return _mm512_ternarylogic_epi32(broadcast(bits), x, y, SELECT);
}
#else
/* Indices of the permutation of bytes, which counts from the start of each 16: `first` for 0..3, the same later. */
FAST_INLINE __m512i in_each_word(uint32_t first)
{
    return _mm512_set4_epi32((int)(first + ALL_FOUR(12)), (int)(first + ALL_FOUR(8)), (int)(first + ALL_FOUR(4)),
                             (int)first);
}

/* Where each byte of a word comes from; not all are written. */
#define FROM_LOW_HALF WORD(0, 1, 2 - 2, 3 - 2) /* 2 and 3 from 0 and 1 */
#define FROM_BELOW    WORD(0, 1 - 1, 2, 3 - 1) /* odd ones from below */
#define FROM_ABOVE    WORD(0 + 1, 1, 2 + 1, 3) /* even ones from above */
#endif

/*
 * The low halves of 32 words: bytes 4k and 4k+1 are of word k, 4k+2 and 4k+3 of word k+16. (To load these from two
 * bytes before word 16 instead takes longer: such a load touches two cache lines.)
 */
FAST_INLINE __m512i load_halves(const uint32_t *row)
{
    const struct words x = load_words(row);
#if defined(__clang__)
    return choose(WORD(0, 0, 255, 255), _mm512_slli_epi32(x.high, 16), x.low);
#else
    return _mm512_mask_shuffle_epi8(x.low, HIGH_HALVES, x.high, in_each_word(FROM_LOW_HALF));
#endif
}

/* The even bytes of both: x's stay there, y's move up by one. */
FAST_INLINE __m512i even_bytes(__m512i x, __m512i y)
{
#if defined(__clang__)
    return choose(WORD(0, 255, 0, 255), _mm512_slli_epi32(y, 8), x);
#else
    return _mm512_mask_shuffle_epi8(x, ODD_BYTES, y, in_each_word(FROM_BELOW));
#endif
}

/* The odd bytes of both: x's move down by one, y's stay there. */
FAST_INLINE __m512i odd_bytes(__m512i x, __m512i y)
{
#if defined(__clang__)
    return choose(WORD(255, 0, 255, 0), _mm512_srli_epi32(x, 8), y);
#else
    return _mm512_mask_shuffle_epi8(y, EVEN_BYTES, x, in_each_word(FROM_ABOVE));
#endif
}

/* Bits LANES_LOW or LANES_HIGH of x, close together. */
FAST_INLINE uint32_t fourth_bits(uint64_t x, uint64_t bits)
{
#if defined(__BMI2__)
    return (uint32_t)_pext_u64(x, bits);
#else
    /* In turn 1, 2, 4, 8 bits of each pair of groups move next to each other. */
    x = (bits & 1u ? x : x >> 2) & GROUPS(1, 4);
    x = (x | x >> 3) & GROUPS(2, 8);
    x = (x | x >> 6) & GROUPS(4, 16);
    x = (x | x >> 12) & GROUPS(8, 32);
    return (uint32_t)((x | x >> 24) & 0xffffu);
#endif
}

/* One bit a byte to the lane mask of the first warp (`next` 0) or the second (1). */
FAST_INLINE lanemask mask_of_bytes(__mmask64 x, unsigned next)
{
    return fourth_bits(x >> next, LANES_LOW) | fourth_bits(x >> next, LANES_HIGH) << 16;
}

/* A byte a lane; only bits 4..0 matter. */
struct operands {
    __m512i b, c_low, c_high; /* c_low: of c[4:0], c_high: of c[12:8] */
};

struct sources {
    __m512i lane; /* bits 4..0 of each byte */
    __mmask64 in_range;
};

/* Word k of the lane numbers: lanes k and k+16 of two warps. */
#define OWN_WORD(k)    (0x01010101 * (k) + 0x10100000)
#define IS_OWN_WORD(k) WORD(k, k, (k) + 16, (k) + 16) == OWN_WORD(k)
_Static_assert(FAST_ALL_16(IS_OWN_WORD), "own lanes");

/*
 * `outside` has ones where the manual's segmask has zeros, in five bits: a bit of the own lane where segmask has ones,
 * of b or c where it has zeros, is a number of five bits. All j are -31..62. `mode` is a constant in every caller.
 */
FAST_INLINE struct sources find_sources(enum warp_op mode, struct operands x)
{
    const __m512i own = FAST_CALL(_mm512_setr_epi32, FAST_LIST_16(OWN_WORD));
    const __m512i five = broadcast(ALL_FOUR(31));
    const __m512i outside = _mm512_andnot_si512(x.c_high, five);
    const __m512i bound = _mm512_ternarylogic_epi32(outside, x.c_low, own, SELECT);
    const __m512i j = mode == WARP_UP     ? _mm512_sub_epi8(own, _mm512_and_si512(x.b, five))
                      : mode == WARP_DOWN ? _mm512_add_epi8(own, _mm512_and_si512(x.b, five))
                      : mode == WARP_BFLY ? _mm512_ternarylogic_epi32(x.b, five, own, FLIP)
                                          : _mm512_ternarylogic_epi32(outside, x.b, own, SELECT);
    const __mmask64 in_range = mode == WARP_UP ? _mm512_cmpge_epi8_mask(j, bound) : _mm512_cmple_epi8_mask(j, bound);
    return (struct sources){_mm512_mask_mov_epi8(own, in_range, j), in_range};
}

FAST_INLINE __m512i operand(const struct warp_column *column, bool per_warp, size_t w)
{
    const uint32_t *values = fast_at(column, w);
    return per_warp ? broadcast_half(*values) : load_halves(values);
}

FAST_INLINE struct sources sources_of_one(enum warp_op mode, struct fast_shape shape, const struct warp_column *b,
                                          const struct warp_column *c, size_t w)
{
    const __m512i c_of_w = operand(c, shape.c_per_warp, w);
    return find_sources(mode, (struct operands){operand(b, shape.b_per_warp, w), c_of_w, _mm512_srli_epi32(c_of_w, 8)});
}

/* Of warps w and w+1; b and c are per lane. */
FAST_INLINE struct sources sources_of_two(enum warp_op mode, const struct warp_column *b, const struct warp_column *c,
                                          size_t w)
{
    const __m512i c0 = load_halves(fast_at(c, w)), c1 = load_halves(fast_at(c, w + 1));
    const __m512i b0 = load_halves(fast_at(b, w)), b1 = load_halves(fast_at(b, w + 1));
    return find_sources(mode, (struct operands){even_bytes(b0, b1), even_bytes(c0, c1), odd_bytes(c0, c1)});
}

/* Sources of the first warp (`next` 0) or the second (1) as the permutation wants them: words of which it reads bits
 * 4..0. */
FAST_INLINE struct words source_words(__m512i lane, unsigned next)
{
    return (struct words){next == 0 ? lane : _mm512_srli_epi32(lane, 8), _mm512_srli_epi32(lane, 16 + 8 * next)};
}

/* Of lanes `in`, those whose source is in their group: each turns its group right by its source and looks at the last
 * bit. (The rotation reads bits 4..0 of the source, as the permutation does.) */
FAST_INLINE struct halves sources_in(struct words group, struct words source, lanemask in)
{
    const __m512i one = broadcast(1);
    return (struct halves){
        _mm512_mask_test_epi32_mask(low_lanes(in), _mm512_rorv_epi32(group.low, source.low), one),
        _mm512_mask_test_epi32_mask(high_lanes(in), _mm512_rorv_epi32(group.high, source.high), one)};
}

/* The group of each lane of a warp: `in`, or its members among these. */
FAST_INLINE struct words groups_of(bool several, const struct fast_strip *strip, size_t w, lanemask in)
{
    const __m512i all = broadcast(in);
    struct words x = {all, all};
    if (several) {
        const struct words members = load_words(fast_at(&strip->members, w));
        x = (struct words){_mm512_and_si512(members.low, all), _mm512_and_si512(members.high, all)};
    }
    return x;
}

/* The rows of an array follow each other, and so do those of all operands and of d. */
FAST_INLINE bool is_dense(const struct fast_strip *strip)
{
    return strip->a.stride == WARP_LANES && strip->d.stride == WARP_LANES &&
           strip->b.stride == (strip->b.per_warp ? 1 : WARP_LANES) &&
           strip->c.stride == (strip->c.per_warp ? 1 : WARP_LANES);
}

/* Every lane of every warp is in its warp's group. */
FAST_INLINE bool is_whole(const struct fast_strip *strip)
{
    lanemask all = FAST_ALL_LANES;
    for (size_t w = 0; w < strip->n; w++)
        all &= strip->group[w];
    return all == FAST_ALL_LANES;
}

/* What is the same for all warps of a strip. */
struct layout {
    bool dense, whole;
    bool several;  /* a warp may have several groups */
    bool repeated; /* ... and these are the same for all warps; where the layout is dense */
};

/* The results of warp w, which is the first (`next` 0) or the second (1) of those whose sources are there. */
FAST_INLINE void shfl_warp(struct sources s, unsigned next, struct layout layout, const struct fast_strip *strip,
                           size_t w)
{
    const lanemask in = layout.whole ? FAST_ALL_LANES : strip->group[w];
    const struct words source = source_words(s.lane, next);
    struct words from = load_words(fast_at(&strip->a, w)), d;
    KEEP_LOADED(from.low);
    KEEP_LOADED(from.high);
    d = permute_words(from, source);
    strip->word[w] = mask_of_bytes(s.in_range, next) & in;
    strip->d_defined[w] = in;
    if (layout.several || in != FAST_ALL_LANES) {
        const struct halves defined = sources_in(groups_of(layout.several, strip, w, in), source, in);
        strip->d_defined[w] = mask_of(defined.low, defined.high);
        d = (struct words){_mm512_maskz_mov_epi32(defined.low, d.low), _mm512_maskz_mov_epi32(defined.high, d.high)};
    }
    store_words(strip->d.values + w * strip->d.stride, d);
}

/*
 * `shape` is a constant in every caller, like the mode: fewer values live in the loop. So is `layout`: with strides
 * that the compiler knows, one counter does for all pointers, and no pointer has to wait in a vector register; and
 * where no lane is missing, the loop need not look at groups.
 */
FAST_INLINE void shfl_shaped(enum warp_op mode, struct fast_shape shape, struct layout layout,
                             const struct fast_strip *strip)
{
    struct fast_strip s =
        *strip; /* a copy, which stores through pointers to words cannot change: it stays in registers */
    struct sources same = sources_of_one(mode, shape, &s.b, &s.c, 0);
    size_t w = 0;
    if (layout.dense) {
        s.a.stride = s.d.stride = WARP_LANES;
        s.b.stride = shape.b_per_warp ? 1 : WARP_LANES;
        s.c.stride = shape.c_per_warp ? 1 : WARP_LANES;
        s.members.stride = layout.repeated ? 0 : WARP_LANES;
    }
    if (!shape.b_per_warp && !shape.c_per_warp)
        for (; w + 1 < s.n; w += 2) {
            const struct sources two = sources_of_two(mode, &s.b, &s.c, w);
            shfl_warp(two, 0, layout, &s, w);
            shfl_warp(two, 1, layout, &s, w + 1);
        }
    for (; w < s.n; w++)
        shfl_warp(shape.constant ? same : sources_of_one(mode, shape, &s.b, &s.c, w), 0, layout, &s, w);
}

/* One loop for each layout. */
FAST_INLINE void shfl_laid_out(enum warp_op mode, struct fast_shape shape, const struct fast_strip *strip)
{
    const bool dense = is_dense(strip), whole = is_whole(strip);
    if (dense && whole)
        shfl_shaped(mode, shape, (struct layout){.dense = true, .whole = true}, strip);
    else if (dense)
        shfl_shaped(mode, shape, (struct layout){.dense = true}, strip);
    else if (whole)
        shfl_shaped(mode, shape, (struct layout){.whole = true}, strip);
    else
        shfl_shaped(mode, shape, (struct layout){.several = false}, strip);
}

FAST_INLINE void shfl(enum warp_op mode, const struct fast_strip *strip)
{
    const struct fast_shape shape = fast_shape_of(strip);
    const struct layout any = {.several = false}, mixed = {.several = true};
    const bool rows = !shape.b_per_warp && !shape.c_per_warp && is_dense(strip);
    if (strip->members.values != NULL && rows && strip->members.stride == WARP_LANES)
        shfl_shaped(mode, (struct fast_shape){false, false, false}, (struct layout){.several = true, .dense = true},
                    strip);
    else if (strip->members.values != NULL && rows && strip->members.stride == 0)
        shfl_shaped(mode, (struct fast_shape){false, false, false},
                    (struct layout){.several = true, .dense = true, .repeated = true}, strip);
    else if (strip->members.values != NULL)
        shfl_shaped(mode, shape, mixed, strip);
    else if (shape.constant)
        shfl_shaped(mode, (struct fast_shape){true, true, true}, any, strip);
    else if (shape.b_per_warp && shape.c_per_warp)
        shfl_laid_out(mode, (struct fast_shape){true, true, false}, strip);
    else if (shape.b_per_warp)
        shfl_shaped(mode, (struct fast_shape){true, false, false}, any, strip);
    else if (shape.c_per_warp)
        shfl_shaped(mode, (struct fast_shape){false, true, false}, any, strip);
    else
        shfl_laid_out(mode, (struct fast_shape){false, false, false}, strip);
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
