/*
 * Floats as signed integers with the order that redux.sync's min and max want.
 *
 * A float that is not NaN, its sign cleared, is an unsigned number that grows with the magnitude. Flipping those 31
 * bits of negative floats gives a signed integer, the key, that grows with the value; -0.0 becomes -1 and +0.0 becomes
 * 0, so +0.0 > -0.0 as the manual says, and subnormals need no care. No floating-point instruction runs: neither
 * rounding modes nor traps can matter.
 *
 * The infinities lie strictly inside, so that the outer keys are free. NaN takes the outermost on one side:
 *   .NaN absent   NaN must never win unless there is nothing else: the neutral key. Lanes outside the group have it
 *                 too.
 *   .NaN present  NaN must always win: the opposite key. Any key beyond the infinities becomes a float that is NaN
 *                 again, and then the canonical NaN.
 */
#ifndef WARPCHECK_FAST_REDUX_OP_H
#define WARPCHECK_FAST_REDUX_OP_H

#include "kernels.h"

#define FAST_KEY_MAX   INT32_MAX
#define FAST_KEY_MIN   INT32_MIN
#define FAST_MAGNITUDE 0x7fffffffu
#define FAST_INFINITY  0x7f800000u

_Static_assert(FAST_INFINITY < FAST_KEY_MAX, "no number has the largest key");
_Static_assert(((0x80000000u | FAST_INFINITY) ^ FAST_MAGNITUDE) > 0x80000000u, "nor the least: -inf is above it");

FAST_INLINE int32_t fast_nan_key(enum warp_op op, bool nan)
{
    return (op == WARP_MIN) != nan ? FAST_KEY_MAX : FAST_KEY_MIN;
}

/* With .abs every NaN is above +inf by itself: nothing to do when it belongs there. */
FAST_INLINE bool fast_nan_in_place(bool abs, int32_t nan_key)
{
    return abs && nan_key == FAST_KEY_MAX;
}

FAST_INLINE int32_t fast_float_key(uint32_t bits, bool abs, int32_t nan_key)
{
    const uint32_t magnitude = bits & FAST_MAGNITUDE;
    const uint32_t flip = bits >> 31 ? FAST_MAGNITUDE : 0;
    const uint32_t key = abs ? magnitude : bits ^ flip;
    return magnitude > FAST_INFINITY && !fast_nan_in_place(abs, nan_key) ? nan_key : (int32_t)key;
}

FAST_INLINE uint32_t fast_float_of_key(int32_t key)
{
    const uint32_t bits = (uint32_t)key ^ (key < 0 ? FAST_MAGNITUDE : 0);
    return (bits & FAST_MAGNITUDE) > FAST_INFINITY ? FAST_CANONICAL_NAN : bits;
}

/* The order of the operations says which qualifiers they have. */
_Static_assert((FAST_MIN_ABS_F32 - FAST_MIN_F32) == 1 && (FAST_MIN_NAN_F32 - FAST_MIN_F32) == 2 &&
                   FAST_MAX_F32 - FAST_MIN_F32 == 4,
               "bit 0: .abs, bit 1: .NaN, bit 2: max");

FAST_INLINE bool fast_redux_is_abs(enum fast_redux op)
{
    return (op - FAST_MIN_F32) & 1;
}

FAST_INLINE int32_t fast_redux_nan_key(enum fast_redux op)
{
    return fast_nan_key(op < FAST_MAX_F32 ? WARP_MIN : WARP_MAX, (op - FAST_MIN_F32) & 2);
}

/* The value of a lane outside the group, which changes no result. */
FAST_INLINE uint32_t fast_redux_neutral(enum fast_redux op)
{
    switch (op) {
    case FAST_ADD:
    case FAST_OR:
    case FAST_XOR:
    case FAST_MAX_U32:
        return 0;
    case FAST_AND:
    case FAST_MIN_U32:
        return UINT32_MAX;
    case FAST_MAX_S32:
        return (uint32_t)FAST_KEY_MIN;
    case FAST_MIN_S32:
        return (uint32_t)FAST_KEY_MAX;
    case FAST_MIN_F32:
    case FAST_MIN_ABS_F32:
    case FAST_MIN_NAN_F32:
    case FAST_MIN_ABS_NAN_F32:
        return (uint32_t)FAST_KEY_MAX;
    case FAST_MAX_F32:
    case FAST_MAX_ABS_F32:
    case FAST_MAX_NAN_F32:
    case FAST_MAX_ABS_NAN_F32:
    case FAST_REDUX_COUNT:
        break;
    }
    return (uint32_t)FAST_KEY_MIN;
}

/* One function for each operation, by the file's redux(op, strip) or redux_by_lane(op, strip), and their
 * tables. */
#define FAST_REDUX_KERNEL(name, op)                                                                                    \
    static void name(struct fast_strip *strip)                                                                         \
    {                                                                                                                  \
        redux(op, strip);                                                                                              \
    }
#define FAST_REDUX_ENTRY(name, op) [op] = name,
#define FAST_REDUX_BY_LANE_KERNEL(name, op)                                                                            \
    static void name##_by_lane(struct fast_strip *strip)                                                               \
    {                                                                                                                  \
        redux_by_lane(op, strip);                                                                                      \
    }
#define FAST_REDUX_BY_LANE_ENTRY(name, op) [op] = name##_by_lane,
#define FAST_FOR_EACH_REDUX(M)                                                                                         \
    M(redux_add, FAST_ADD)                                                                                             \
    M(redux_min_u32, FAST_MIN_U32)                                                                                     \
    M(redux_max_u32, FAST_MAX_U32)                                                                                     \
    M(redux_min_s32, FAST_MIN_S32)                                                                                     \
    M(redux_max_s32, FAST_MAX_S32)                                                                                     \
    M(redux_and, FAST_AND)                                                                                             \
    M(redux_or, FAST_OR)                                                                                               \
    M(redux_xor, FAST_XOR)                                                                                             \
    M(redux_min_f32, FAST_MIN_F32)                                                                                     \
    M(redux_min_abs_f32, FAST_MIN_ABS_F32)                                                                             \
    M(redux_min_nan_f32, FAST_MIN_NAN_F32)                                                                             \
    M(redux_min_abs_nan_f32, FAST_MIN_ABS_NAN_F32)                                                                     \
    M(redux_max_f32, FAST_MAX_F32)                                                                                     \
    M(redux_max_abs_f32, FAST_MAX_ABS_F32)                                                                             \
    M(redux_max_nan_f32, FAST_MAX_NAN_F32)                                                                             \
    M(redux_max_abs_nan_f32, FAST_MAX_ABS_NAN_F32)

#endif
