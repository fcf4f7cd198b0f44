/* redux.sync: eight registers to one, then its four words to one by two rotations. */
#include "../redux_op.h"
#include "lanes.h"

/* `op` is a constant in every caller, here and below. f32 operations work on keys, which are signed integers. */
FAST_INLINE uint32x4_t combine(enum fast_redux op, uint32x4_t x, uint32x4_t y)
{
    switch (op) {
    case FAST_ADD:
        return vaddq_u32(x, y);
    case FAST_MIN_U32:
        return vminq_u32(x, y);
    case FAST_MAX_U32:
        return vmaxq_u32(x, y);
    case FAST_AND:
        return vandq_u32(x, y);
    case FAST_OR:
        return vorrq_u32(x, y);
    case FAST_XOR:
        return veorq_u32(x, y);
    case FAST_MIN_S32:
    case FAST_MIN_F32:
    case FAST_MIN_ABS_F32:
    case FAST_MIN_NAN_F32:
    case FAST_MIN_ABS_NAN_F32:
        return vreinterpretq_u32_s32(vminq_s32(vreinterpretq_s32_u32(x), vreinterpretq_s32_u32(y)));
    case FAST_MAX_S32:
    case FAST_MAX_F32:
    case FAST_MAX_ABS_F32:
    case FAST_MAX_NAN_F32:
    case FAST_MAX_ABS_NAN_F32:
    case FAST_REDUX_COUNT:
        break;
    }
    return vreinterpretq_u32_s32(vmaxq_s32(vreinterpretq_s32_u32(x), vreinterpretq_s32_u32(y)));
}

FAST_INLINE uint32x4_t float_keys(uint32x4_t x, bool abs, int32_t nan_key)
{
    const uint32x4_t magnitude = vandq_u32(x, vdupq_n_u32(FAST_MAGNITUDE));
    const uint32x4_t sign = vreinterpretq_u32_s32(vshrq_n_s32(vreinterpretq_s32_u32(x), 31));
    const uint32x4_t flip = vshrq_n_u32(sign, 1); /* negative: FAST_MAGNITUDE, else 0 */
    const uint32x4_t key = abs ? magnitude : veorq_u32(x, flip);
    const uint32x4_t is_nan = vcgtq_u32(magnitude, vdupq_n_u32(FAST_INFINITY));
    return fast_nan_in_place(abs, nan_key) ? key : vbslq_u32(is_nan, vdupq_n_u32((uint32_t)nan_key), key);
}

FAST_INLINE uint32_t reduce(enum fast_redux op, const uint32_t *a, lanemask group)
{
    struct words x = load_words(a);
    uint32x4_t r;
    if (op >= FAST_MIN_F32)
        for (int k = 0; k < EIGHTHS; k++)
            x.v[k] = float_keys(x.v[k], fast_redux_is_abs(op), fast_redux_nan_key(op));
    if (group != FAST_ALL_LANES) {
        const struct words in = words_of(group);
        for (int k = 0; k < EIGHTHS; k++)
            x.v[k] = vbslq_u32(in.v[k], x.v[k], vdupq_n_u32(fast_redux_neutral(op)));
    }
    for (int step = EIGHTHS / 2; step > 0; step /= 2)
        for (int k = 0; k < step; k++)
            x.v[k] = combine(op, x.v[k], x.v[k + step]);
    r = combine(op, x.v[0], vextq_u32(x.v[0], x.v[0], 2));
    return vgetq_lane_u32(combine(op, r, vextq_u32(r, r, 1)), 0);
}

FAST_INLINE void redux(enum fast_redux op, struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++) {
        const uint32_t r = reduce(op, fast_at(&strip->a, w), strip->group[w]);
        strip->word[w] = op < FAST_MIN_F32 ? r : fast_float_of_key((int32_t)r);
    }
}

FAST_FOR_EACH_REDUX(FAST_REDUX_KERNEL)

const fast_kernel fast_redux_neon[FAST_REDUX_COUNT] = {FAST_FOR_EACH_REDUX(FAST_REDUX_ENTRY)};
