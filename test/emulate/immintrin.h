/*
 * The AVX-512 instructions that model/fast/avx512/ uses, in plain C: so that those sources run, and their defects are
 * found, on machines and under sanitizers that lack the instructions. Written from the vendor's description of each; it
 * stands in for the compiler's header of this name when it comes first on the include path.
 *
 * What it does not show: that the compiler's header and the processor agree with it, alignment and timing.
 */
#ifndef WARPCHECK_TEST_EMULATE_IMMINTRIN_H
#define WARPCHECK_TEST_EMULATE_IMMINTRIN_H

#include <stdint.h>
#include <string.h>

/* Not inlined: the sources unroll everything, and compilers would work on the result for hours. */
#define EMULATE static __attribute__((noinline, unused))

typedef struct {
    uint32_t w[16];
} __m512i;
typedef __m512i __m512;
typedef uint16_t __mmask16;
typedef uint32_t __mmask32;
typedef uint64_t __mmask64;

#define _MM_SHUFFLE(z, y, x, w) ((z) << 6 | (y) << 4 | (x) << 2 | (w))

/* r.w[i] = expression over i, for all 16 words */
#define EMULATE_WORDS(name, parameters, expression)                                                                    \
    EMULATE __m512i name parameters                                                                                    \
    {                                                                                                                  \
        __m512i r;                                                                                                     \
        for (unsigned i = 0; i < 16; i++)                                                                              \
            r.w[i] = (uint32_t)(expression);                                                                           \
        return r;                                                                                                      \
    }

/* bit i of the mask = expression over i */
#define EMULATE_MASK(name, parameters, expression)                                                                     \
    EMULATE __mmask16 name parameters                                                                                  \
    {                                                                                                                  \
        unsigned r = 0;                                                                                                \
        for (unsigned i = 0; i < 16; i++)                                                                              \
            r |= (unsigned)((expression) != 0) << i;                                                                   \
        return (__mmask16)r;                                                                                           \
    }

EMULATE int32_t emulate_signed(uint32_t x)
{
    int32_t y;
    memcpy(&y, &x, sizeof y);
    return y;
}

#define EMULATE_S(x)      emulate_signed(x)
#define EMULATE_MIN(x, y) ((x) < (y) ? (x) : (y))
#define EMULATE_MAX(x, y) ((x) > (y) ? (x) : (y))

EMULATE_WORDS(_mm512_add_epi32, (__m512i x, __m512i y), x.w[i] + y.w[i])
EMULATE_WORDS(_mm512_sub_epi32, (__m512i x, __m512i y), x.w[i] - y.w[i])
EMULATE_WORDS(_mm512_and_si512, (__m512i x, __m512i y), x.w[i] & y.w[i])
EMULATE_WORDS(_mm512_andnot_si512, (__m512i x, __m512i y), ~x.w[i] & y.w[i])
EMULATE_WORDS(_mm512_or_si512, (__m512i x, __m512i y), x.w[i] | y.w[i])
EMULATE_WORDS(_mm512_xor_si512, (__m512i x, __m512i y), x.w[i] ^ y.w[i])
EMULATE_WORDS(_mm512_min_epu32, (__m512i x, __m512i y), EMULATE_MIN(x.w[i], y.w[i]))
EMULATE_WORDS(_mm512_max_epu32, (__m512i x, __m512i y), EMULATE_MAX(x.w[i], y.w[i]))
EMULATE_WORDS(_mm512_min_epi32, (__m512i x, __m512i y), EMULATE_MIN(EMULATE_S(x.w[i]), EMULATE_S(y.w[i])))
EMULATE_WORDS(_mm512_max_epi32, (__m512i x, __m512i y), EMULATE_MAX(EMULATE_S(x.w[i]), EMULATE_S(y.w[i])))
EMULATE_WORDS(_mm512_lzcnt_epi32, (__m512i x), x.w[i] == 0 ? 32 : __builtin_clz(x.w[i]))
EMULATE_WORDS(_mm512_slli_epi32, (__m512i x, unsigned n), n > 31 ? 0 : x.w[i] << n)
EMULATE_WORDS(_mm512_srli_epi32, (__m512i x, unsigned n), n > 31 ? 0 : x.w[i] >> n)
EMULATE_WORDS(_mm512_srai_epi32, (__m512i x, unsigned n), (x.w[i] >> n) | (x.w[i] >> 31 ? ~(UINT32_MAX >> n) : 0))
/* The rotation reads bits 4..0 of the count. */
EMULATE_WORDS(_mm512_rorv_epi32, (__m512i x, __m512i n), x.w[i] >> (n.w[i] & 31) | x.w[i] << (-n.w[i] & 31))
EMULATE_WORDS(_mm512_set1_epi32, (int x), x)
EMULATE_WORDS(_mm512_setzero_si512, (void), 0)
EMULATE_WORDS(_mm512_castps_si512, (__m512 x), x.w[i])
EMULATE_WORDS(_mm512_mask_mov_epi32, (__m512i otherwise, __mmask16 k, __m512i x), k >> i & 1 ? x.w[i] : otherwise.w[i])
EMULATE_WORDS(_mm512_maskz_mov_epi32, (__mmask16 k, __m512i x), k >> i & 1 ? x.w[i] : 0)
/* Bit 4 of an index chooses the second register. */
EMULATE_WORDS(_mm512_permutex2var_epi32, (__m512i x, __m512i at, __m512i y), (at.w[i] & 16 ? y : x).w[at.w[i] & 15])
/* Words that the mask leaves out keep their index. */
EMULATE_WORDS(_mm512_mask2_permutex2var_epi32, (__m512i x, __m512i at, __mmask16 k, __m512i y),
              k >> i & 1 ? (at.w[i] & 16 ? y : x).w[at.w[i] & 15] : at.w[i])

EMULATE_MASK(_mm512_cmpeq_epi32_mask, (__m512i x, __m512i y), x.w[i] == y.w[i])
EMULATE_MASK(_mm512_cmpge_epi32_mask, (__m512i x, __m512i y), EMULATE_S(x.w[i]) >= EMULATE_S(y.w[i]))
EMULATE_MASK(_mm512_cmple_epi32_mask, (__m512i x, __m512i y), EMULATE_S(x.w[i]) <= EMULATE_S(y.w[i]))
EMULATE_MASK(_mm512_cmpgt_epi32_mask, (__m512i x, __m512i y), EMULATE_S(x.w[i]) > EMULATE_S(y.w[i]))
EMULATE_MASK(_mm512_test_epi32_mask, (__m512i x, __m512i y), (x.w[i] & y.w[i]) != 0)
EMULATE_MASK(_mm512_mask_test_epi32_mask, (__mmask16 k, __m512i x, __m512i y), k >> i & 1 && (x.w[i] & y.w[i]) != 0)
EMULATE_MASK(_mm512_mask_cmpeq_epi32_mask, (__mmask16 k, __m512i x, __m512i y), k >> i & 1 && x.w[i] == y.w[i])
EMULATE_MASK(_mm512_mask_cmpneq_epi32_mask, (__mmask16 k, __m512i x, __m512i y), k >> i & 1 && x.w[i] != y.w[i])

EMULATE __m512i _mm512_loadu_si512(const void *from)
{
    __m512i r;
    memcpy(&r, from, sizeof r);
    return r;
}

EMULATE void _mm512_storeu_si512(void *to, __m512i x)
{
    memcpy(to, &x, sizeof x);
}

EMULATE __m512i _mm512_setr_epi32(int a, int b, int c, int d, int e, int f, int g, int h, int i, int j, int k, int l,
                                  int m, int n, int o, int p)
{
    const int x[16] = {a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p};
    return _mm512_loadu_si512(x);
}

/* Bit 4x+2y+z of the table. */
EMULATE __m512i _mm512_ternarylogic_epi32(__m512i x, __m512i y, __m512i z, int table)
{
    __m512i r = _mm512_setzero_si512();
    for (unsigned i = 0; i < 16; i++)
        for (unsigned bit = 0; bit < 32; bit++) {
            const unsigned at = (x.w[i] >> bit & 1) << 2 | (y.w[i] >> bit & 1) << 1 | (z.w[i] >> bit & 1);
            r.w[i] |= ((unsigned)table >> at & 1) << bit;
        }
    return r;
}

/* Signed integer to the bits of a float, rounded to nearest. */
EMULATE __m512 _mm512_cvtepi32_ps(__m512i x)
{
    for (unsigned i = 0; i < 16; i++) {
        const float y = (float)EMULATE_S(x.w[i]);
        memcpy(&x.w[i], &y, sizeof y);
    }
    return x;
}

/* Half-words. */
EMULATE uint32_t emulate_half(__m512i x, unsigned n)
{
    return x.w[n / 2] >> 16 * (n % 2) & 0xffff;
}

EMULATE void emulate_set_half(__m512i *x, unsigned n, uint32_t value)
{
    x->w[n / 2] = (x->w[n / 2] & ~(0xffffu << 16 * (n % 2))) | value << 16 * (n % 2);
}

/* Mask registers. */
EMULATE __mmask32 _mm512_kunpackw(__mmask32 high, __mmask32 low)
{
    return high << 16 | (low & 0xffff);
}

EMULATE int _mm512_kortestz(__mmask16 x, __mmask16 y)
{
    return (x | y) == 0;
}

EMULATE __mmask32 _mm512_cmpeq_epi16_mask(__m512i x, __m512i y)
{
    __mmask32 r = 0;
    for (unsigned n = 0; n < 32; n++)
        r |= (__mmask32)(emulate_half(x, n) == emulate_half(y, n)) << n;
    return r;
}

EMULATE __m512i _mm512_mask_mov_epi16(__m512i otherwise, __mmask32 k, __m512i x)
{
    for (unsigned n = 0; n < 32; n++)
        if (k >> n & 1)
            emulate_set_half(&otherwise, n, emulate_half(x, n));
    return otherwise;
}

EMULATE __m512i _mm512_set1_epi16(short x)
{
    __m512i r = _mm512_setzero_si512();
    for (unsigned n = 0; n < 32; n++)
        emulate_set_half(&r, n, (uint16_t)x);
    return r;
}

/* Bit 5 of an index chooses the second register. */
EMULATE __m512i _mm512_permutex2var_epi16(__m512i x, __m512i at, __m512i y)
{
    __m512i r = x;
    for (unsigned n = 0; n < 32; n++) {
        const uint32_t index = emulate_half(at, n);
        emulate_set_half(&r, n, emulate_half(index & 32 ? y : x, index & 31));
    }
    return r;
}

/* Bytes. */
EMULATE uint32_t emulate_byte(__m512i x, unsigned n)
{
    return x.w[n / 4] >> 8 * (n % 4) & 0xff;
}

EMULATE void emulate_set_byte(__m512i *x, unsigned n, uint32_t value)
{
    x->w[n / 4] = (x->w[n / 4] & ~(0xffu << 8 * (n % 4))) | value << 8 * (n % 4);
}

EMULATE __m512i _mm512_add_epi8(__m512i x, __m512i y)
{
    for (unsigned n = 0; n < 64; n++)
        emulate_set_byte(&x, n, (emulate_byte(x, n) + emulate_byte(y, n)) & 0xff);
    return x;
}

EMULATE __m512i _mm512_sub_epi8(__m512i x, __m512i y)
{
    for (unsigned n = 0; n < 64; n++)
        emulate_set_byte(&x, n, (emulate_byte(x, n) - emulate_byte(y, n)) & 0xff);
    return x;
}

EMULATE __m512i _mm512_mask_mov_epi8(__m512i otherwise, __mmask64 k, __m512i x)
{
    for (unsigned n = 0; n < 64; n++)
        if (k >> n & 1)
            emulate_set_byte(&otherwise, n, emulate_byte(x, n));
    return otherwise;
}

/* Within each 16 bytes: 0 where bit 7 of the index is set, else the byte that bits 3..0 name. */
EMULATE __m512i _mm512_mask_shuffle_epi8(__m512i otherwise, __mmask64 k, __m512i x, __m512i at)
{
    for (unsigned n = 0; n < 64; n++) {
        const uint32_t index = emulate_byte(at, n);
        if (k >> n & 1)
            emulate_set_byte(&otherwise, n, index & 0x80 ? 0 : emulate_byte(x, n / 16 * 16 + (index & 15)));
    }
    return otherwise;
}

/* Bytes as signed numbers: the sign bit inverted, their order is that of unsigned ones. */
EMULATE __mmask64 _mm512_cmpge_epi8_mask(__m512i x, __m512i y)
{
    __mmask64 r = 0;
    for (unsigned n = 0; n < 64; n++)
        r |= (__mmask64)((emulate_byte(x, n) ^ 0x80) >= (emulate_byte(y, n) ^ 0x80)) << n;
    return r;
}

EMULATE __mmask64 _mm512_cmple_epi8_mask(__m512i x, __m512i y)
{
    return _mm512_cmpge_epi8_mask(y, x);
}

/* The same four words four times, the last argument first. */
EMULATE_WORDS(_mm512_set4_epi32, (int d, int c, int b, int a), i % 4 == 0 ? a : i % 4 == 1 ? b : i % 4 == 2 ? c : d)

/* Signed half-words multiplied, the two products of each word added. */
EMULATE_WORDS(_mm512_madd_epi16, (__m512i x, __m512i y),
              (int64_t)(int16_t)(x.w[i] & 0xffff) * (int16_t)(y.w[i] & 0xffff) +
                  (int64_t)(int16_t)(x.w[i] >> 16) * (int16_t)(y.w[i] >> 16))

/* Within each quarter of four words. */
EMULATE_WORDS(_mm512_unpacklo_epi32, (__m512i x, __m512i y), (i % 2 ? y : x).w[i / 4 * 4 + i % 4 / 2])
EMULATE_WORDS(_mm512_unpackhi_epi32, (__m512i x, __m512i y), (i % 2 ? y : x).w[i / 4 * 4 + 2 + i % 4 / 2])
EMULATE_WORDS(_mm512_unpacklo_epi64, (__m512i x, __m512i y), (i % 4 / 2 ? y : x).w[i / 4 * 4 + i % 2])
EMULATE_WORDS(_mm512_unpackhi_epi64, (__m512i x, __m512i y), (i % 4 / 2 ? y : x).w[i / 4 * 4 + 2 + i % 2])
EMULATE_WORDS(_mm512_shuffle_epi32, (__m512i x, unsigned order), x.w[i / 4 * 4 + (order >> 2 * (i % 4) & 3)])
EMULATE_WORDS(_mm512_mask_shuffle_epi32, (__m512i otherwise, __mmask16 k, __m512i x, unsigned order),
              (k >> i & 1 ? _mm512_shuffle_epi32(x, order) : otherwise).w[i])
/* Two quarters of x, then two of y, by the four fields of the constant. */
EMULATE_WORDS(_mm512_shuffle_i32x4, (__m512i x, __m512i y, unsigned order),
              (i < 8 ? x : y).w[4 * (order >> 2 * (i / 4) & 3) + i % 4])

#endif
