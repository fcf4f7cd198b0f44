/*
 * NEON (64-bit Arm): a warp's 32 words are eight registers, its 32 bytes two.
 */
#ifndef WARPCHECK_FAST_NEON_LANES_H
#define WARPCHECK_FAST_NEON_LANES_H

#include "../kernels.h"
#include "../tables.h"

#include <arm_neon.h>

#define EIGHTHS 8 /* registers a warp */

/* Lanes 4k..4k+3 are in v[k]. */
struct words {
    uint32x4_t v[EIGHTHS];
};

/* Lanes 16h..16h+15 are in v[h]. */
struct bytes {
    uint8x16_t v[2];
};

FAST_INLINE struct words load_words(const uint32_t *from)
{
    struct words x;
    for (int k = 0; k < EIGHTHS; k++)
        x.v[k] = vld1q_u32(from + 4 * k);
    return x;
}

FAST_INLINE void store_words(uint32_t *to, struct words x)
{
    for (int k = 0; k < EIGHTHS; k++)
        vst1q_u32(to + 4 * k, x.v[k]);
}

/* The byte numbered `byte` (0 or 1) of each word: even half-words, then even or odd bytes. */
FAST_INLINE struct bytes bytes_of(struct words x, int byte)
{
    struct bytes y;
    for (int h = 0; h < 2; h++) {
        const uint32x4_t *v = x.v + 4 * h;
        const uint16x8_t low = vuzp1q_u16(vreinterpretq_u16_u32(v[0]), vreinterpretq_u16_u32(v[1]));
        const uint16x8_t high = vuzp1q_u16(vreinterpretq_u16_u32(v[2]), vreinterpretq_u16_u32(v[3]));
        y.v[h] = byte == 0 ? vuzp1q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high))
                           : vuzp2q_u8(vreinterpretq_u8_u16(low), vreinterpretq_u8_u16(high));
    }
    return y;
}

/*
 * Bytes of all ones or zeros to a lane mask: each byte keeps its bit; three rounds of adding neighbours gather eight
 * bytes in one. The table is of 16 lanes, for each half of the warp.
 */
#define BIT_IN_BYTE(lane) (1u << (lane) % 8)
#define IS_BIT_OF(lane)   (1u << (lane)) == BIT_IN_BYTE((lane) % 16) << 8 * ((lane) / 8)
_Static_assert(FAST_ALL_32(IS_BIT_OF), "mask_of_bytes: lane % 8 of byte lane / 8");

FAST_INLINE lanemask mask_of_bytes(struct bytes x)
{
    static const uint8_t bit[16] = {FAST_LIST_16(BIT_IN_BYTE)};
    const uint8x16_t bits = vld1q_u8(bit);
    uint8x16_t sum = vpaddq_u8(vandq_u8(x.v[0], bits), vandq_u8(x.v[1], bits));
    sum = vpaddq_u8(sum, sum);
    sum = vpaddq_u8(sum, sum);
    return vgetq_lane_u32(vreinterpretq_u32_u8(sum), 0);
}

FAST_INLINE lanemask mask_of(struct words x)
{
    return mask_of_bytes(bytes_of(x, 0));
}

/* A lane mask to words of all ones or zeros: each lane tests its own bit. */
FAST_INLINE struct words words_of(lanemask lanes)
{
    static const uint32_t bit[4] = {FAST_LIST_4(FAST_BIT)}; /* of lanes 0..3 */
    const uint32x4_t all = vdupq_n_u32(lanes);
    uint32x4_t bits = vld1q_u32(bit);
    struct words x;
    for (int k = 0; k < EIGHTHS; k++) {
        x.v[k] = vtstq_u32(all, bits);
        bits = vshlq_n_u32(bits, 4);
    }
    return x;
}

FAST_INLINE struct words equal_words(struct words x, uint32_t y)
{
    for (int k = 0; k < EIGHTHS; k++)
        x.v[k] = vceqq_u32(x.v[k], vdupq_n_u32(y));
    return x;
}

FAST_INLINE struct words and_words(struct words x, struct words y)
{
    for (int k = 0; k < EIGHTHS; k++)
        x.v[k] = vandq_u32(x.v[k], y.v[k]);
    return x;
}

void fast_shfl_up_neon(struct fast_strip *strip);
void fast_shfl_down_neon(struct fast_strip *strip);
void fast_shfl_bfly_neon(struct fast_strip *strip);
void fast_shfl_idx_neon(struct fast_strip *strip);
void fast_match_any_b32_neon(struct fast_strip *strip);
void fast_match_any_b64_neon(struct fast_strip *strip);
void fast_match_all_b32_neon(struct fast_strip *strip);
void fast_match_all_b64_neon(struct fast_strip *strip);
extern const fast_kernel fast_redux_neon[FAST_REDUX_COUNT];

#endif
