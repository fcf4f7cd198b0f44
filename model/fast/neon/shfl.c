/*
 * shfl.sync, shfl: index arithmetic on bytes; then the warp's 128 bytes are two tables of 64, and look-ups by byte move
 * the data.
 */
#include "lanes.h"

struct sources {
    struct bytes lane;
    lanemask in_range;
};

static const uint8_t lane_numbers[WARP_LANES] = {FAST_LIST_32(FAST_NUMBER)};

FAST_INLINE struct bytes read_field(const struct warp_column *column, size_t w, int byte)
{
    const uint32_t *values = fast_at(column, w);
    const uint8x16_t five = vdupq_n_u8(31);
    struct bytes x;
    if (column->per_warp)
        x.v[0] = x.v[1] = vdupq_n_u8((uint8_t)(values[0] >> 8 * byte));
    else
        x = bytes_of(load_words(values), byte);
    return (struct bytes){{vandq_u8(x.v[0], five), vandq_u8(x.v[1], five)}};
}

/* All numbers are -31..62, so signed bytes hold them; `mode` is a constant in every caller. */
FAST_INLINE struct sources find_sources(enum warp_op mode, const struct warp_column *b, const struct warp_column *c,
                                        size_t w)
{
    const struct bytes bval = read_field(b, w, 0), cval = read_field(c, w, 0), segmask = read_field(c, w, 1);
    struct bytes in_range;
    struct sources s;
    for (int h = 0; h < 2; h++) {
        const uint8x16_t own = vld1q_u8(lane_numbers + 16 * h);
        /* Own bits where segmask has ones, the field's where it has zeros. */
        const int8x16_t bound = vreinterpretq_s8_u8(vbslq_u8(segmask.v[h], own, cval.v[h]));
        const uint8x16_t j = mode == WARP_UP     ? vsubq_u8(own, bval.v[h])
                             : mode == WARP_DOWN ? vaddq_u8(own, bval.v[h])
                             : mode == WARP_BFLY ? veorq_u8(own, bval.v[h])
                                                 : vbslq_u8(segmask.v[h], own, bval.v[h]);
        const int8x16_t signed_j = vreinterpretq_s8_u8(j);
        in_range.v[h] = mode == WARP_UP ? vcgeq_s8(signed_j, bound) : vcleq_s8(signed_j, bound);
        s.lane.v[h] = vbslq_u8(in_range.v[h], j, own);
    }
    s.in_range = mask_of_bytes(in_range);
    return s;
}

/* Bytes of ones where the lane in the byte is in the group: byte lane / 8 of the group, its bit lane % 8. */
FAST_INLINE uint8x16_t is_in(lanemask group, uint8x16_t lanes)
{
    const uint8x16_t byte = vqtbl1q_u8(vreinterpretq_u8_u32(vdupq_n_u32(group)), vshrq_n_u8(lanes, 3));
    const int8x16_t place = vreinterpretq_s8_u8(vandq_u8(lanes, vdupq_n_u8(7)));
    return vtstq_u8(byte, vshlq_u8(vdupq_n_u8(1), place));
}

/* Words of ones where the lane in the byte is among the members of the lane whose byte it is. */
FAST_INLINE struct bytes is_member(const uint32_t *members, struct bytes lanes)
{
    struct words x = load_words(members);
    for (int k = 0; k < EIGHTHS; k++) {
        const uint8x16_t bytes = lanes.v[k / 4];
        const uint16x8_t halves = k % 4 < 2 ? vmovl_u8(vget_low_u8(bytes)) : vmovl_u8(vget_high_u8(bytes));
        const uint32x4_t lane = k % 2 == 0 ? vmovl_u16(vget_low_u16(halves)) : vmovl_u16(vget_high_u16(halves));
        const int32x4_t down = vnegq_s32(vreinterpretq_s32_u32(lane));
        x.v[k] = vtstq_u32(vshlq_u32(x.v[k], down), vdupq_n_u32(1));
    }
    return bytes_of(x, 0);
}

/* Lanes of the group whose source is in theirs keep their source; the others get 255, which is outside both tables. */
FAST_INLINE lanemask restrict_to(lanemask group, const uint32_t *members, struct bytes *lane)
{
    const struct bytes some = {{vdupq_n_u8(255), vdupq_n_u8(255)}};
    const struct bytes member = members == NULL ? some : is_member(members, *lane);
    struct bytes defined;
    for (int h = 0; h < 2; h++) {
        const uint8x16_t source_in = vandq_u8(is_in(group, lane->v[h]), member.v[h]);
        defined.v[h] = vandq_u8(is_in(group, vld1q_u8(lane_numbers + 16 * h)), source_in);
        lane->v[h] = vornq_u8(lane->v[h], defined.v[h]);
    }
    return mask_of_bytes(defined);
}

/* Byte i of four lanes is byte i % 4 of lane i / 4. */
#define LANE_OF_BYTE(i)   ((i) / 4)
#define NUMBER_OF_BYTE(i) ((i) % 4)
#define IS_BYTE(i)        4 * LANE_OF_BYTE(i) + NUMBER_OF_BYTE(i) == (i) && NUMBER_OF_BYTE(i) < 4
_Static_assert(FAST_ALL_16(IS_BYTE), "permute_words: bytes of four lanes");

/* Bytes of a table. Byte 0 lies outside the second one, since subtraction wraps, and 255 outside both. */
#define TABLE 64
_Static_assert(2 * TABLE == WARP_LANES * sizeof(uint32_t) && 256 - TABLE >= TABLE && 255 - TABLE >= TABLE,
               "two tables");

/* Lane i of the result is lane lane[i] of the row; 0 where lane[i] is 255. */
FAST_INLINE struct words permute_words(const uint32_t *row, struct bytes lane)
{
    static const uint8_t repeat[16] = {FAST_LIST_16(LANE_OF_BYTE)}, number[16] = {FAST_LIST_16(NUMBER_OF_BYTE)};
    const uint8_t *from = (const uint8_t *)row;
    const uint8x16x4_t low = {{vld1q_u8(from), vld1q_u8(from + 16), vld1q_u8(from + 32), vld1q_u8(from + 48)}};
    const uint8x16x4_t high = {{vld1q_u8(from + 64), vld1q_u8(from + 80), vld1q_u8(from + 96), vld1q_u8(from + 112)}};
    struct words y;
    for (int k = 0; k < EIGHTHS; k++) {
        const uint8x16_t which = vaddq_u8(vld1q_u8(repeat), vdupq_n_u8((uint8_t)(4 * (k % 4))));
        const uint8x16_t source = vqtbl1q_u8(lane.v[k / 4], which);
        /* Byte 4 * source + 0..3; saturating, so that 255 stays outside. Outside its table a look-up gives 0, or keeps
         * what was there. */
        const uint8x16_t four = vqaddq_u8(vqaddq_u8(source, source), vqaddq_u8(source, source));
        const uint8x16_t index = vqaddq_u8(four, vld1q_u8(number));
        const uint8x16_t from_low = vqtbl4q_u8(low, index);
        y.v[k] = vreinterpretq_u32_u8(vqtbx4q_u8(from_low, high, vsubq_u8(index, vdupq_n_u8(TABLE))));
    }
    return y;
}

FAST_INLINE void shfl(enum warp_op mode, struct fast_strip *strip)
{
    const struct warp_column a = strip->a, b = strip->b, c = strip->c;
    const struct warp_sink to = strip->d;
    const bool constant = fast_shape_of(strip).constant;
    struct sources s = find_sources(mode, &b, &c, 0);
    for (size_t w = 0; w < strip->n; w++) {
        const lanemask group = strip->group[w];
        struct bytes lane;
        if (!constant)
            s = find_sources(mode, &b, &c, w);
        lane = s.lane;
        strip->word[w] = s.in_range & group;
        strip->d_defined[w] = group;
        if (strip->members.values != NULL || group != FAST_ALL_LANES)
            strip->d_defined[w] = restrict_to(group, fast_members(strip, w), &lane);
        store_words(to.values + w * to.stride, permute_words(fast_at(&a, w), lane));
    }
}

void fast_shfl_up_neon(struct fast_strip *strip)
{
    shfl(WARP_UP, strip);
}

void fast_shfl_down_neon(struct fast_strip *strip)
{
    shfl(WARP_DOWN, strip);
}

void fast_shfl_bfly_neon(struct fast_strip *strip)
{
    shfl(WARP_BFLY, strip);
}

void fast_shfl_idx_neon(struct fast_strip *strip)
{
    shfl(WARP_IDX, strip);
}
