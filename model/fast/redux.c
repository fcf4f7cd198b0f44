/*
 * redux.sync: lanes outside the group become the neutral element, then one reduction over 32 words.
 *
 * f32 is reduced as signed integers ("keys", redux_op.h).
 */
#include "lanes.h"
#include "redux_op.h"

/* `op` is a constant in every caller, here and below. f32 operations work on keys, which are signed integers. */
FAST_INLINE uint32_t combine(enum fast_redux op, uint32_t x, uint32_t y)
{
    switch (op) {
    case FAST_ADD:
        return x + y;
    case FAST_MIN_U32:
        return x < y ? x : y;
    case FAST_MAX_U32:
        return x > y ? x : y;
    case FAST_AND:
        return x & y;
    case FAST_OR:
        return x | y;
    case FAST_XOR:
        return x ^ y;
    case FAST_MIN_S32:
    case FAST_MIN_F32:
    case FAST_MIN_ABS_F32:
    case FAST_MIN_NAN_F32:
    case FAST_MIN_ABS_NAN_F32:
        return (int32_t)x < (int32_t)y ? x : y;
    case FAST_MAX_S32:
    case FAST_MAX_F32:
    case FAST_MAX_ABS_F32:
    case FAST_MAX_NAN_F32:
    case FAST_MAX_ABS_NAN_F32:
    case FAST_REDUX_COUNT:
        break;
    }
    return (int32_t)x > (int32_t)y ? x : y;
}

FAST_INLINE uint32_t value_of(enum fast_redux op, uint32_t a)
{
    return op < FAST_MIN_F32 ? a : (uint32_t)fast_float_key(a, fast_redux_is_abs(op), fast_redux_nan_key(op));
}

FAST_INLINE uint32_t reduce(enum fast_redux op, const uint32_t *a, lanemask group)
{
    const uint32_t neutral = fast_redux_neutral(op);
    uint32_t r = neutral;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const uint32_t in = fast_in_lane(group, i);
        r = combine(op, r, (value_of(op, a[i]) & in) | (neutral & ~in));
    }
    return op < FAST_MIN_F32 ? r : fast_float_of_key((int32_t)r);
}

FAST_INLINE void redux(enum fast_redux op, struct fast_strip *strip)
{
    for (size_t w = 0; w < strip->n; w++) {
        const uint32_t *a = fast_at(&strip->a, w);
        const lanemask group = strip->group[w];
        strip->word[w] = group == FAST_ALL_LANES ? reduce(op, a, FAST_ALL_LANES) : reduce(op, a, group);
    }
}

FAST_FOR_EACH_REDUX(FAST_REDUX_KERNEL)

const fast_kernel fast_redux_portable[FAST_REDUX_COUNT] = {FAST_FOR_EACH_REDUX(FAST_REDUX_ENTRY)};
