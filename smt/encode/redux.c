#include "smt/encode/encode.h"

#define CANONICAL_NAN  0x7fffffffu
#define MINUS_INFINITY 0xff800000u
#define PLUS_INFINITY  0x7f800000u

/* x before y in the order of f32 values, where "+0.0 > -0.0". Neither is a NaN. */
static term float_before(struct smt *s, term x, term y)
{
    term both_equal = term_float_eq(s, x, y);
    term zeros = TERM_ALL(s, both_equal, term_is_negative(s, x), term_not(s, term_is_negative(s, y)));
    return term_or(s, term_float_lt(s, x, y), zeros);
}

/* The lesser or the greater of two f32, as bits: no rounding, subnormals stay. */
static term float_choose(struct smt *s, enum warp_op op, term x, term y)
{
    return op == WARP_MIN ? term_ite(s, float_before(s, y, x), y, x) : term_ite(s, float_before(s, x, y), y, x);
}

/*
 * ".NaN: the result is canonical NaN if the input from any participating thread is NaN". "In the absence of .NaN, only
 * non-NaN values are considered for the reduction operation and the result will be canonical NaN when all inputs are
 * NaNs."
 */
static term combine_float(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    term canonical = term_word(s, CANONICAL_NAN);
    term x_nan = term_is_nan(s, x);
    term y_nan = term_is_nan(s, y);
    term chosen = float_choose(s, info->op, x, y);
    if (info->nan)
        return term_ite(s, term_or(s, x_nan, y_nan), canonical, chosen);
    return term_ite(s, x_nan, term_ite(s, y_nan, canonical, y), term_ite(s, y_nan, x, chosen));
}

/* "The lesser or the greater", signed or unsigned by the type. */
static term combine_integer(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    term x_first = info->type == WARP_S32 ? term_sle(s, x, y) : term_ule(s, x, y);
    return info->op == WARP_MIN ? term_ite(s, x_first, x, y) : term_ite(s, x_first, y, x);
}

term encode_redux_combine(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    switch (info->op) {
    case WARP_ADD: /* "For the .add operation result is truncated to 32 bits." */
        return term_add(s, x, y);
    case WARP_AND:
        return term_band(s, x, y);
    case WARP_OR:
        return term_bor(s, x, y);
    case WARP_XOR:
        return term_bxor(s, x, y);
    case WARP_MIN:
    case WARP_MAX:
        return info->type == WARP_F32 ? combine_float(s, info, x, y) : combine_integer(s, info, x, y);
    case WARP_OPS_BUT_REDUX:
        break;
    }
    smt_defect("%s is no reduction", info->name);
}

/* What leaves the first input as it is (for f32 without .NaN: a NaN, which is not considered). */
term encode_redux_start(struct smt *s, const struct warp_form_info *info)
{
    bool is_min = info->op == WARP_MIN;
    switch (info->op) {
    case WARP_ADD:
    case WARP_OR:
    case WARP_XOR:
        return term_word(s, 0);
    case WARP_AND:
        return term_word(s, UINT32_MAX);
    case WARP_MIN:
    case WARP_MAX:
        break;
    case WARP_OPS_BUT_REDUX:
        smt_defect("%s is no reduction", info->name);
    }
    if (info->type == WARP_F32 && !info->nan)
        return term_word(s, CANONICAL_NAN);
    if (info->type == WARP_F32)
        return term_word(s, is_min ? PLUS_INFINITY : MINUS_INFINITY);
    if (info->type == WARP_S32)
        return term_word(s, is_min ? (uint32_t)INT32_MAX : (uint32_t)INT32_MAX + 1u);
    return term_word(s, is_min ? UINT32_MAX : 0);
}

/* ".abs: the absolute value of the input is considered". */
term encode_redux_input(struct smt *s, const struct warp_form_info *info, term x)
{
    return info->abs ? term_band(s, x, term_word(s, 0x7fffffffu)) : x;
}

void encode_redux_states(struct smt *s, const struct smt_warp *w, term group, term state[WARP_LANES + 1])
{
    state[0] = encode_redux_start(s, w->info);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term input = encode_redux_input(s, w->info, w->a[k]);
        term takes_part = term_in(s, term_word(s, k), group);
        state[k + 1] = term_ite(s, takes_part, encode_redux_combine(s, w->info, state[k], input), state[k]);
    }
}

void encode_redux(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term state[WARP_LANES + 1];
    (void)lane; /* each lane of a group gets the same */
    encode_redux_states(s, w, r->group, state);
    r->d = state[WARP_LANES];
    r->d_defined = term_bool(s, true);
}
