/* [redux.sync: Description] "a reduction operation .op of the 32 bit source register src across all non-exited
 * threads". */
#include "spec.h"

#include <string.h>

#define CANONICAL_NAN 0x7fffffffu /* the manual's value for f32 results ("canonical NaN"); docs/ambiguities.md */

/*
 * Floats are compared as bits: the processor's comparison depends on its state, and who sets it to take subnormal
 * numbers for zero would change the meaning. Exponent and fraction of an f32 stand in one number that grows with the
 * absolute value (IEEE 754-2019, 3.4); above infinity's are the NaNs.
 */
#define INFINITY_BITS 0x7f800000u

static uint32_t magnitude(uint32_t bits)
{
    return bits & 0x7fffffffu;
}

static bool is_negative(uint32_t bits)
{
    return bits >> 31 != 0;
}

static bool is_nan(uint32_t bits)
{
    return magnitude(bits) > INFINITY_BITS;
}

/* "if the input value is 0.0 then +0.0 > -0.0": a negative zero is below a positive one as other negative numbers are.
 */
static bool float_less(uint32_t x, uint32_t y)
{
    if (is_negative(x) != is_negative(y))
        return is_negative(x);
    return is_negative(x) ? magnitude(y) < magnitude(x) : magnitude(x) < magnitude(y);
}

/* .s32 in two's complement, as the processor's own numbers are. */
static bool signed_less(uint32_t x, uint32_t y)
{
    int32_t i, j;
    memcpy(&i, &x, sizeof i);
    memcpy(&j, &y, sizeof j);
    return i < j;
}

static inline bool less(enum warp_type type, uint32_t x, uint32_t y)
{
    switch (type) {
    case WARP_S32:
        return signed_less(x, y);
    case WARP_F32:
        return float_less(x, y);
    case WARP_B32:
    case WARP_U32:
        return x < y;
    case WARP_PRED:
    case WARP_B64:
    case WARP_NO_SOURCE: /* redux has no such type */
        break;
    }
    return false;
}

static inline uint32_t apply(enum warp_op op, enum warp_type type, uint32_t x, uint32_t y)
{
    switch (op) {
    case WARP_ADD:
        return x + y; /* "For the .add operation result is truncated to 32 bits": u32 and s32 alike */
    case WARP_MIN:
        return less(type, y, x) ? y : x;
    case WARP_MAX:
        return less(type, x, y) ? y : x;
    case WARP_AND:
        return x & y;
    case WARP_OR:
        return x | y;
    case WARP_XOR:
        return x ^ y;
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return 0;
}

/* "If .abs qualifier is specified, then the absolute value of the input is considered for the reduction operation." */
static uint32_t source(const struct spec_warp *w, unsigned lane)
{
    const uint32_t src = w->c->a[lane];
    return w->info->abs ? src & 0x7fffffffu : src;
}

/* The value that changes no result: lanes that do not take part are taken to hold it. */
static inline uint32_t neutral(enum warp_op op, enum warp_type type)
{
    switch (op) {
    case WARP_MIN:
        return type == WARP_S32 ? 0x7fffffffu : UINT32_MAX;
    case WARP_MAX:
        return type == WARP_S32 ? 0x80000000u : 0;
    case WARP_AND:
        return UINT32_MAX;
    case WARP_ADD:
    case WARP_OR:
    case WARP_XOR:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return 0;
}

/* `op` and `type` are constants in each call: the loop over lanes does not look at them. Nor does it branch on the
 * lane: compilers make no vectors of a choice whether to read. */
static inline uint32_t reduce_by(enum warp_op op, enum warp_type type, const struct spec_warp *w, lanemask group)
{
    uint32_t result = neutral(op, type);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t in = lane_in(group, lane) ? UINT32_MAX : 0;
        result = apply(op, type, result, (source(w, lane) & in) | (neutral(op, type) & ~in));
    }
    return result;
}

/* Integers: every lane of the group takes part. */
static uint32_t reduce(const struct spec_warp *w, lanemask group)
{
    const enum warp_type type = w->info->type;
    switch (w->info->op) {
    case WARP_ADD:
        return reduce_by(WARP_ADD, WARP_U32, w, group);
    case WARP_MIN:
        return type == WARP_S32 ? reduce_by(WARP_MIN, WARP_S32, w, group) : reduce_by(WARP_MIN, WARP_U32, w, group);
    case WARP_MAX:
        return type == WARP_S32 ? reduce_by(WARP_MAX, WARP_S32, w, group) : reduce_by(WARP_MAX, WARP_U32, w, group);
    case WARP_AND:
        return reduce_by(WARP_AND, WARP_B32, w, group);
    case WARP_OR:
        return reduce_by(WARP_OR, WARP_B32, w, group);
    case WARP_XOR:
        return reduce_by(WARP_XOR, WARP_B32, w, group);
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return 0;
}

/*
 * ".NaN: the result of the reduction operation is canonical NaN if the input to the reduction operation from any
 * participating thread is NaN. In the absence of .NaN qualifier, only non-NaN values are considered for the reduction
 * operation and the result will be canonical NaN when all inputs are NaNs."
 */
static uint32_t reduce_float(const struct spec_warp *w, lanemask group)
{
    uint32_t result = CANONICAL_NAN;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(group, lane))
            continue;
        if (is_nan(source(w, lane))) {
            if (w->info->nan)
                return CANONICAL_NAN;
            continue;
        }
        result = is_nan(result) ? source(w, lane) : apply(w->info->op, WARP_F32, result, source(w, lane));
    }
    return result;
}

static void redux_group(const struct spec_warp *w, struct warp_result *r, unsigned leader)
{
    const lanemask group = w->group[leader];
    const uint32_t dst = w->info->type == WARP_F32 ? reduce_float(w, group) : reduce(w, group);
    write_d_of_lanes(w, r, group, dst);
}

void spec_redux(const struct spec_warp *w, struct warp_result *r)
{
    for (lanemask leaders = group_leaders(w); leaders != 0; leaders &= leaders - 1)
        redux_group(w, r, (unsigned)__builtin_ctz(leaders));
}
