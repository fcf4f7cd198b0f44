/*
 * Buckets of redux: the inputs of a group, and which of them made the result.
 */
#include "fuzz/coverage/internal.h"
#include "model/lanes.h"

#define CANONICAL_NAN 0x7fffffffu

static enum coverage_axis_INTEGER integer_form(const struct warp_form_info *info)
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
    case WARP_XOR:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return AXIS_XOR_B32;
}

#define LANES_WHERE(condition)                                                                                         \
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {                                                               \
        const uint32_t value = a[lane];                                                                                \
        lanes |= (condition) ? 1u << lane : 0;                                                                         \
    }                                                                                                                  \
    break

/* The lanes whose value, as one more input, would change the result. A loop for each form, which compilers vectorize.
 */
static lanemask changing_lanes(enum coverage_axis_INTEGER form, uint32_t result, const uint32_t a[WARP_LANES])
{
    lanemask lanes = 0;
    switch (form) {
    case AXIS_MIN_U32:
        LANES_WHERE(value < result);
    case AXIS_MAX_U32:
        LANES_WHERE(value > result);
    case AXIS_MIN_S32:
        LANES_WHERE((int32_t)value < (int32_t)result);
    case AXIS_MAX_S32:
        LANES_WHERE((int32_t)value > (int32_t)result);
    case AXIS_AND_B32:
        LANES_WHERE((result & ~value) != 0);
    case AXIS_OR_B32:
        LANES_WHERE((~result & value) != 0);
    case AXIS_ADD_U32:
    case AXIS_ADD_S32:
    case AXIS_XOR_B32:
    case COUNT_INTEGER:
        LANES_WHERE(value != 0);
    }
    return lanes;
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
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t value = group & 1u << lane ? c->a[lane] : 0;
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
    const enum coverage_axis_INTEGER form = integer_form(info);
    unsigned outside = AXIS_OUT_R_NONE, signs;
    lanemask top = 0, winners = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        top |= c->a[lane] >> 31 ? 1u << lane : 0;
        winners |= c->a[lane] == result ? 1u << lane : 0;
    }
    if (group != UINT32_MAX)
        outside = changing_lanes(form, result, c->a) & ~group ? AXIS_OUT_R_CHANGES : AXIS_OUT_R_NEUTRAL;
    signs = (group & top) == 0 ? AXIS_TOP_CLEAR : (group & ~top) == 0 ? AXIS_TOP_SET : AXIS_TOP_MIXED;
    coverage_hit(set, BUCKET2(REDUX_SIGNS, form, signs, SIGNS));
    coverage_hit(set, BUCKET2(REDUX_OUTSIDE, form, outside, OUTSIDE_R));
    integer_result(set, c, form, group, result, winners & group);
}

/* On axis RESULT. */
static unsigned result_class(uint32_t bits)
{
    uint32_t magnitude = bits & 0x7fffffffu, negative = bits >> 31;
    if (lanes_is_nan(bits))
        return AXIS_RES_NAN;
    if (magnitude == 0)
        return AXIS_RES_PLUS_0 + negative;
    if (magnitude < 0x00800000u)
        return AXIS_RES_PLUS_SUB + negative;
    return (magnitude < 0x7f800000u ? AXIS_RES_PLUS : AXIS_RES_PLUS_INF) + negative;
}

/* What the lanes of a warp hold, as lane masks. Without branches, so that compilers vectorize it. */
struct float_lanes {
    lanemask nans, quiet, negative, canonical; /* the last three: among the NaNs and elsewhere */
    lanemask plus, minus;                      /* zeros */
    lanemask winners;                          /* the lanes that hold the result */
};

static struct float_lanes float_lanes_of(const uint32_t a[WARP_LANES], uint32_t sign, uint32_t result)
{
    struct float_lanes is = {0};
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t bits = a[lane], bit = 1u << lane;
        is.nans |= lanes_is_nan(bits) ? bit : 0;
        is.quiet |= bits & 0x00400000u ? bit : 0;
        is.negative |= bits & 0x80000000u ? bit : 0;
        is.canonical |= bits == CANONICAL_NAN ? bit : 0;
        is.plus |= bits == 0 ? bit : 0;
        is.minus |= bits == 0x80000000u ? bit : 0;
        is.winners |= (bits & sign) == result ? bit : 0;
    }
    return is;
}

static void nan_kinds(struct coverage_set *set, unsigned form, const struct float_lanes *is, lanemask nans)
{
    const lanemask positive = nans & ~is->negative & ~is->canonical;
    if (nans & is->canonical)
        coverage_hit(set, BUCKET2(REDUX_NAN_KIND, form, AXIS_NAN_CANONICAL, NAN_KIND));
    if (nans & is->negative)
        coverage_hit(set, BUCKET2(REDUX_NAN_KIND, form, AXIS_NAN_NEGATIVE, NAN_KIND));
    if (positive & is->quiet)
        coverage_hit(set, BUCKET2(REDUX_NAN_KIND, form, AXIS_NAN_QUIET, NAN_KIND));
    if (positive & ~is->quiet)
        coverage_hit(set, BUCKET2(REDUX_NAN_KIND, form, AXIS_NAN_SIGNALLING, NAN_KIND));
}

static void redux_float(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                        lanemask group, uint32_t result)
{
    unsigned form = (info->op == WARP_MAX ? 1u : 0u) * (AXIS_F_MAX - AXIS_F_MIN) + 2u * info->nan + info->abs;
    const struct float_lanes is = float_lanes_of(c->a, info->abs ? 0x7fffffffu : UINT32_MAX, result);
    const lanemask nans = is.nans & group, plus = is.plus & group, minus = is.minus & group,
                   winners = is.winners & group & ~nans;
    nan_kinds(set, form, &is, nans);
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
