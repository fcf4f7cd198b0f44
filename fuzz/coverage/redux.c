/*
 * Buckets of redux: the inputs of a group, and which of them made the result.
 */
#include "fuzz/coverage/internal.h"

#define CANONICAL_NAN 0x7fffffffu

static unsigned integer_form(const struct warp_form_info *info)
{
    switch (info->op) {
    case WARP_ADD:
        return info->type == WARP_S32 ? AXIS_ADD_S32 : AXIS_ADD_U32;
    case WARP_MIN:
        return info->type == WARP_S32 ? AXIS_MIN_S32 : AXIS_MIN_U32;
    case WARP_MAX:
        return info->type == WARP_S32 ? AXIS_MAX_S32 : AXIS_MAX_U32;
    case WARP_AND:
        return AXIS_AND_B32;
    case WARP_OR:
        return AXIS_OR_B32;
    default:
        return AXIS_XOR_B32;
    }
}

/* Would the value, as one more input, change the result? */
static bool changes(unsigned form, uint32_t result, uint32_t value)
{
    switch (form) {
    case AXIS_MIN_U32:
        return value < result;
    case AXIS_MAX_U32:
        return value > result;
    case AXIS_MIN_S32:
        return (int32_t)value < (int32_t)result;
    case AXIS_MAX_S32:
        return (int32_t)value > (int32_t)result;
    case AXIS_AND_B32:
        return (result & ~value) != 0;
    case AXIS_OR_B32:
        return (~result & value) != 0;
    default: /* add, xor */
        return value != 0;
    }
}

/* On axis POSITION: where in the group the lanes are that hold the result. */
static unsigned position_of(lanemask winners, lanemask group)
{
    lanemask below = winners - 1;
    if (winners & below)
        return AXIS_WIN_TIE;
    if ((group & below) == 0)
        return AXIS_WIN_FIRST;
    return winners > (group & ~winners) ? AXIS_WIN_LAST : AXIS_WIN_MIDDLE;
}

static void sum_buckets(struct coverage_set *set, const struct warp_case *c, unsigned form, lanemask group)
{
    uint64_t as_unsigned = 0;
    int64_t as_signed = 0;
    bool overflow;
    for (lanemask left = group; left != 0; left &= left - 1) {
        uint32_t value = c->a[coverage_first_lane(left)];
        as_unsigned += value;
        as_signed += (int32_t)value;
    }
    overflow = as_signed < INT32_MIN || as_signed > INT32_MAX;
    coverage_hit(set, BUCKET3(REDUX_SUM, form == AXIS_ADD_S32, as_unsigned >> 32 != 0, CARRY, overflow, OVERFLOW));
}

static void integer_result(struct coverage_set *set, const struct warp_case *c, unsigned form, lanemask group,
                           uint32_t result, lanemask winners)
{
    if (form <= AXIS_ADD_S32)
        sum_buckets(set, c, form, group);
    else if (form <= AXIS_MAX_S32 && winners != 0)
        coverage_hit(set, BUCKET2(REDUX_WINNER_I, form - AXIS_MIN_U32, position_of(winners, group), POSITION));
    else if (form >= AXIS_AND_B32) {
        unsigned word = result == 0 ? AXIS_WORD_ZERO : result == UINT32_MAX ? AXIS_WORD_ONES : AXIS_WORD_OTHER;
        coverage_hit(set, BUCKET2(REDUX_BITWISE, form - AXIS_AND_B32, word, WORD));
    }
}

static void redux_integer(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                          lanemask group, uint32_t result)
{
    unsigned form = integer_form(info), outside = AXIS_OUT_R_NONE, signs;
    lanemask top = 0, winners = 0, changing = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        top |= (c->a[lane] >> 31) << lane;
        winners |= (lanemask)(c->a[lane] == result) << lane;
    }
    for (lanemask left = ~group; left != 0 && !changing; left &= left - 1)
        changing = changes(form, result, c->a[coverage_first_lane(left)]);
    if (group != UINT32_MAX)
        outside = changing ? AXIS_OUT_R_CHANGES : AXIS_OUT_R_NEUTRAL;
    signs = (group & top) == 0 ? AXIS_TOP_CLEAR : (group & ~top) == 0 ? AXIS_TOP_SET : AXIS_TOP_MIXED;
    coverage_hit(set, BUCKET2(REDUX_SIGNS, form, signs, SIGNS));
    coverage_hit(set, BUCKET2(REDUX_OUTSIDE, form, outside, OUTSIDE_R));
    integer_result(set, c, form, group, result, winners & group);
}

static unsigned nan_kind(uint32_t bits)
{
    if (bits == CANONICAL_NAN)
        return AXIS_NAN_CANONICAL;
    if (bits >> 31)
        return AXIS_NAN_NEGATIVE;
    return bits >> 22 & 1u ? AXIS_NAN_QUIET : AXIS_NAN_SIGNALLING;
}

/* On axis RESULT. */
static unsigned result_class(uint32_t bits)
{
    uint32_t magnitude = bits & 0x7fffffffu, negative = bits >> 31;
    if (magnitude > 0x7f800000u)
        return AXIS_RES_NAN;
    if (magnitude == 0)
        return AXIS_RES_PLUS_0 + negative;
    if (magnitude < 0x00800000u)
        return AXIS_RES_PLUS_SUB + negative;
    return (magnitude < 0x7f800000u ? AXIS_RES_PLUS : AXIS_RES_PLUS_INF) + negative;
}

static void redux_float(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                        lanemask group, uint32_t result)
{
    unsigned form = (info->op == WARP_MAX ? 1u : 0u) * (AXIS_F_MAX - AXIS_F_MIN) + 2u * info->nan + info->abs;
    uint32_t sign = info->abs ? 0x7fffffffu : UINT32_MAX;
    lanemask nans = 0, plus = 0, minus = 0, winners = 0;
    for (lanemask left = group; left != 0; left &= left - 1) {
        unsigned lane = coverage_first_lane(left);
        uint32_t bits = c->a[lane];
        if ((bits & 0x7fffffffu) > 0x7f800000u) {
            nans |= 1u << lane;
            coverage_hit(set, BUCKET2(REDUX_NAN_KIND, form, nan_kind(bits), NAN_KIND));
            continue;
        }
        plus |= (lanemask)(bits == 0) << lane;
        minus |= (lanemask)(bits == 0x80000000u) << lane;
        winners |= (lanemask)((bits & sign) == result) << lane;
    }
    coverage_hit(set, BUCKET2(REDUX_NANS, form,
                              nans == 0       ? AXIS_NAN_NONE
                              : nans == group ? AXIS_NAN_ALL
                                              : AXIS_NAN_SOME,
                              NANS));
    if (plus | minus)
        coverage_hit(set, BUCKET2(REDUX_ZEROS, form,
                                  minus == 0  ? AXIS_ZERO_PLUS
                                  : plus == 0 ? AXIS_ZERO_MINUS
                                              : AXIS_ZERO_BOTH,
                                  ZEROS));
    coverage_hit(set, BUCKET2(REDUX_RESULT, form, result_class(result), RESULT));
    if (winners != 0)
        coverage_hit(set, BUCKET2(REDUX_WINNER_F, form, position_of(winners, group), POSITION));
}

void coverage_redux(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                    const struct warp_form_info *info, const struct coverage_lanes *lanes)
{
    if (info->type == WARP_F32)
        redux_float(set, c, info, lanes->group, r->d[lanes->first]);
    else
        redux_integer(set, c, info, lanes->group, r->d[lanes->first]);
}
