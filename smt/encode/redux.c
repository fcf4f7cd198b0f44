#include "smt/encode/encode.h"

#define CANONICAL_NAN  0x7fffffffu
#define MINUS_INFINITY 0xff800000u
#define PLUS_INFINITY  0x7f800000u

/* x before y in the order of f32 values, where "+0.0 > -0.0". Neither is a NaN. */
static term float_before(struct smt *s, term x, term y)
{
    term both_equal = term_float_eq(s, x, y);
    term zeros = TERM_ALL(s, both_equal, term_is_negative(s, x), term_not(s, term_is_negative(s, y)));
    if (smt_faulty(s, SMT_FAULT_REDUX_F32_ZEROS_EQUAL))
        return term_float_lt(s, x, y);
    return term_or(s, term_float_lt(s, x, y), zeros);
}

static enum warp_op operation(struct smt *s, const struct warp_form_info *info)
{
    if (info->nan && smt_faulty(s, SMT_FAULT_REDUX_F32_NAN_EXCHANGED))
        return info->op == WARP_MIN ? WARP_MAX : WARP_MIN;
    return info->op;
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
    term chosen = float_choose(s, operation(s, info), x, y);
    if (info->nan && !smt_faulty(s, SMT_FAULT_REDUX_F32_NAN_SKIPPED))
        return term_ite(s, term_or(s, x_nan, y_nan), canonical, chosen);
    if (smt_faulty(s, SMT_FAULT_REDUX_F32_NAN_PAYLOAD))
        canonical = y;
    return term_ite(s, x_nan, term_ite(s, y_nan, canonical, y), term_ite(s, y_nan, x, chosen));
}

term encode_redux_combine(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    bool is_signed = info->type == WARP_S32 && !smt_faulty(s, SMT_FAULT_REDUX_UNSIGNED);
    term x_first;
    switch (info->op) {
    case WARP_ADD: /* "For the .add operation result is truncated to 32 bits." */
        return smt_faulty(s, SMT_FAULT_REDUX_ADD_IS_OR) ? term_bor(s, x, y) : term_add(s, x, y);
    case WARP_AND:
        return smt_faulty(s, SMT_FAULT_REDUX_AND_IS_OR) ? term_bor(s, x, y) : term_band(s, x, y);
    case WARP_OR:
        return term_bor(s, x, y);
    case WARP_XOR:
        return smt_faulty(s, SMT_FAULT_REDUX_XOR_IS_OR) ? term_bor(s, x, y) : term_bxor(s, x, y);
    default:
        break;
    }
    if (info->type == WARP_F32)
        return combine_float(s, info, x, y);
    if (smt_faulty(s, SMT_FAULT_REDUX_LAST_WINS))
        return y;
    x_first = is_signed ? term_sle(s, x, y) : term_ule(s, x, y);
    return info->op == WARP_MIN ? term_ite(s, x_first, x, y) : term_ite(s, x_first, y, x);
}

/* What leaves the first input as it is (for f32 without .NaN: a NaN, which is not considered). */
term encode_redux_start(struct smt *s, const struct warp_form_info *info)
{
    bool is_min = operation(s, info) == WARP_MIN;
    switch (info->op) {
    case WARP_ADD:
    case WARP_OR:
    case WARP_XOR:
        return term_word(s, 0);
    case WARP_AND:
        return term_word(s, UINT32_MAX);
    default:
        break;
    }
    if (smt_faulty(s, SMT_FAULT_REDUX_START_ZERO))
        return term_word(s, 0);
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
    if (!info->abs || smt_faulty(s, SMT_FAULT_REDUX_F32_ABS_IGNORED))
        return x;
    if (smt_faulty(s, SMT_FAULT_REDUX_F32_ABS_30_BITS))
        return term_band(s, x, term_word(s, 0x3fffffffu));
    return term_band(s, x, term_word(s, 0x7fffffffu));
}

/* The mistake: the last lane of the group wins when lanes 0, 1 and 31 are outside. */
static term last_wins(struct smt *s, const struct smt_warp *w, term group, term d)
{
    term outside = term_eq(s, term_band(s, group, term_word(s, 0x80000003u)), term_word(s, 0));
    term last = d;
    for (unsigned k = 2; k < WARP_LANES - 1; k++)
        last = term_ite(s, term_in(s, term_word(s, k), group), encode_redux_input(s, w->info, w->a[k]), last);
    return term_ite(s, outside, last, d);
}

/* The mistake: a wrong bit in groups of 3 to 31 lanes. */
static term wrong_in_part(struct smt *s, term group, term d)
{
    term zero = term_word(s, 0), one = term_word(s, 1);
    term less_one = term_band(s, group, term_sub(s, group, one));
    term less_two = term_band(s, less_one, term_sub(s, less_one, one));
    term in_part = term_and(s, term_ne(s, less_two, zero), term_ne(s, group, term_word(s, UINT32_MAX)));
    return term_ite(s, in_part, term_bxor(s, d, one), d);
}

void encode_redux_states(struct smt *s, const struct smt_warp *w, term group, term state[WARP_LANES + 1])
{
    state[0] = encode_redux_start(s, w->info);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term input = encode_redux_input(s, w->info, w->a[k]);
        term takes_part = term_in(s, term_word(s, k), group);
        if (smt_faulty(s, SMT_FAULT_REDUX_WHOLE_WARP))
            takes_part = term_bool(s, true);
        state[k + 1] = term_ite(s, takes_part, encode_redux_combine(s, w->info, state[k], input), state[k]);
    }
    if (smt_faulty(s, SMT_FAULT_REDUX_ORDER_INSIDE))
        state[WARP_LANES] = last_wins(s, w, group, state[WARP_LANES]);
    if (smt_faulty(s, SMT_FAULT_REDUX_WRONG_IN_PART))
        state[WARP_LANES] = wrong_in_part(s, group, state[WARP_LANES]);
}

void encode_redux(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term state[WARP_LANES + 1];
    (void)lane; /* each lane of a group gets the same */
    encode_redux_states(s, w, r->group, state);
    r->d = state[WARP_LANES];
    r->d_defined = term_bool(s, true);
}
