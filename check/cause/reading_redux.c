/* redux, read with mistakes. */
#include "check/cause/view.h"

#include "model/lanes.h"

#include <string.h>

static bool is_nan(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

static int64_t order_of(const struct view *v, uint32_t x)
{
    const int64_t magnitude = (int64_t)(x & 0x7fffffffu);
    if (v->info->type == WARP_F32) {
        if (has(v, MISTAKE_FLOAT_AS_INTEGER))
            return (int32_t)x;
        if (has(v, MISTAKE_ZEROS_EQUAL) || has(v, MISTAKE_ZEROS_LAST))
            return x >> 31 ? -magnitude : magnitude;
        return x >> 31 ? -magnitude - 1 : magnitude;
    }
    if ((v->info->type == WARP_S32 && !has(v, MISTAKE_SIGN_IGNORED)) || has(v, MISTAKE_SIGN_ASSUMED))
        return (int32_t)x;
    return x;
}

static uint32_t bitwise(const struct view *v, uint32_t x, uint32_t y)
{
    switch (v->info->op) {
    case WARP_AND:
        return (has(v, MISTAKE_LOGICAL) || has(v, MISTAKE_LOGICAL_FROM_OWN))   ? x && y
               : has(v, MISTAKE_AND_AS_OR) || has(v, MISTAKE_AND_OR_EXCHANGED) ? x | y
               : has(v, MISTAKE_AND_AS_XOR)                                    ? x ^ y
               : has(v, MISTAKE_AND_AS_MIN)                                    ? (x < y ? x : y)
                                                                               : x & y;
    case WARP_OR:
        return (has(v, MISTAKE_LOGICAL) || has(v, MISTAKE_LOGICAL_FROM_OWN))   ? x || y
               : has(v, MISTAKE_OR_AS_XOR)                                     ? x ^ y
               : has(v, MISTAKE_OR_AS_AND) || has(v, MISTAKE_AND_OR_EXCHANGED) ? x & y
               : has(v, MISTAKE_OR_AS_ADD)                                     ? x + y
               : has(v, MISTAKE_OR_AS_MAX)                                     ? (x > y ? x : y)
                                                                               : x | y;
    case WARP_XOR:
    case WARP_OPS_BUT_REDUX:
    case WARP_ADD:
    case WARP_MIN:
    case WARP_MAX:
        break;
    }
    return (has(v, MISTAKE_LOGICAL) || has(v, MISTAKE_LOGICAL_FROM_OWN)) ? x != y
           : has(v, MISTAKE_XOR_AS_OR)                                   ? x | y
           : has(v, MISTAKE_XOR_AS_AND)                                  ? x & y
           : has(v, MISTAKE_XOR_AS_ADD)                                  ? x + y
                                                                         : x ^ y;
}

/* The sign of x - y, or of y - x the other way round, which differ where the difference is that of 2^31. */
static bool is_less_by_difference(const struct view *v, uint32_t x, uint32_t y)
{
    const bool turned = has(v, v->info->op == WARP_MAX ? MISTAKE_DIFFERENCE_OF_VALUE : MISTAKE_DIFFERENCE_OF_RESULT);
    return turned ? (int32_t)(y - x) > 0 : (int32_t)(x - y) < 0;
}

/* Is x less than y, as min and max compare? */
static bool is_less(const struct view *v, uint32_t x, uint32_t y)
{
    if ((has(v, MISTAKE_COMPARED_BY_DIFFERENCE) || has(v, MISTAKE_DIFFERENCE_FROM_OWN) ||
         has(v, MISTAKE_DIFFERENCE_OF_VALUE) || has(v, MISTAKE_DIFFERENCE_OF_RESULT)) &&
        v->info->type != WARP_F32)
        return is_less_by_difference(v, x, y);
    if (has(v, MISTAKE_COMPARED_AS_FLOAT) && v->info->type != WARP_F32)
        return (float)order_of(v, x) < (float)order_of(v, y);
    return order_of(v, x) < order_of(v, y);
}

static uint32_t saturated(int64_t sum)
{
    return (uint32_t)(int32_t)(sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum);
}

static uint32_t float_addition(const struct view *v, uint32_t x, uint32_t y)
{
    return v->info->type == WARP_S32 ? (uint32_t)(uint64_t)(int64_t)((float)(int32_t)x + (float)(int32_t)y)
                                     : (uint32_t)(uint64_t)(int64_t)((float)x + (float)y);
}

static uint32_t combine(const struct view *v, uint32_t x, uint32_t y)
{
    const bool exchanged = has(v, MISTAKE_MIN_AS_MAX);
    if (has(v, MISTAKE_ZEROS_LAST) && v->info->type == WARP_F32 && order_of(v, x) == order_of(v, y))
        return y;
    switch (v->info->op) {
    case WARP_ADD:
        if (has(v, MISTAKE_ADD_SATURATES_STEPWISE) && v->info->type == WARP_S32)
            return saturated((int64_t)(int32_t)x + (int32_t)y);
        if (has(v, MISTAKE_ADD_16_BITS))
            return (x + y) & 0xffffu;
        if (has(v, MISTAKE_ADD_AS_FLOAT_STEPWISE))
            return float_addition(v, x, y);
        return has(v, MISTAKE_ADD_AS_XOR) ? x ^ y : has(v, MISTAKE_ADD_AS_OR) ? x | y : x + y;
    case WARP_AND:
    case WARP_OR:
    case WARP_XOR:
        return bitwise(v, x, y);
    case WARP_MIN:
        return (exchanged ? is_less(v, x, y) : is_less(v, y, x)) ? y : x;
    case WARP_MAX:
    case WARP_OPS_BUT_REDUX:
        break;
    }
    return (exchanged ? is_less(v, y, x) : is_less(v, x, y)) ? y : x;
}

/* The input of a lane, after .abs. */
static uint32_t input_of(const struct view *v, unsigned lane)
{
    const unsigned of = has(v, MISTAKE_COUNTED_FROM_1) ? (lane + 1) % WARP_LANES : lane;
    uint32_t x = has(v, MISTAKE_REDUX_SWAPPED) ? v->c->membermask[lane] : v->c->a[of];
    if (has(v, MISTAKE_INPUT_16_BITS) || has(v, MISTAKE_INPUT_SIGNED_16))
        return has(v, MISTAKE_INPUT_16_BITS) ? x & 0xffffu : (uint32_t)(int32_t)reading_signed_bits(x, 16);
    if (has(v, MISTAKE_LOGICAL_INPUTS) && v->info->type == WARP_B32)
        return x != 0;
    if (v->info->type != WARP_F32)
        return has(v, MISTAKE_VALUES_ABSOLUTE) && x >> 31 ? ~x + 1u : x;
    if (has(v, MISTAKE_SUBNORMALS_FLUSHED) && (x & 0x7f800000u) == 0)
        x &= 0x80000000u;
    if (has(v, MISTAKE_ABS_ALWAYS))
        return x & 0x7fffffffu;
    return v->info->abs && !has(v, MISTAKE_ABS_IGNORED) && !has(v, MISTAKE_ABS_OF_RESULT) ? x & 0x7fffffffu : x;
}

static uint32_t infinity_of(const struct view *v)
{
    return v->info->op == WARP_MIN ? 0x7f800000u : 0xff800000u;
}

/* The first NaN that the group passes. */
static uint32_t first_nan(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && is_nan(v->c->a[other]))
            return input_of(v, other);
    return CANONICAL_NAN;
}

/* The result where it is NaN; `all`: every input is. */
static uint32_t nan_result(const struct view *v, lanemask group, bool all)
{
    const uint32_t first = v->c->a[lanes_lowest(group)];
    if (all && has(v, MISTAKE_NAN_INFINITY) && (!v->info->nan || has(v, MISTAKE_NAN_NOT_RAISED)))
        return infinity_of(v);
    if (v->info->nan && has(v, MISTAKE_NAN_PASSED))
        return first_nan(v, group);
    if (all && has(v, MISTAKE_NAN_OF_FIRST))
        return first;
    if (has(v, MISTAKE_NAN_KEPT) && is_nan(first))
        return first | 0x00400000u;
    return has(v, MISTAKE_NAN_7FC00000) ? 0x7fc00000u : CANONICAL_NAN;
}

static uint32_t saturated_sum(const struct view *v, lanemask group)
{
    int64_t sum = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        sum += in_mask(group, other) ? (int32_t)input_of(v, other) : 0;
    return saturated(sum);
}

static uint32_t saturated_unsigned_sum(const struct view *v, lanemask group)
{
    uint64_t sum = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        sum += in_mask(group, other) ? input_of(v, other) : 0;
    return sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
}

/* The sum in float, one lane after another, as a 32-bit number. */
static uint32_t float_sum(const struct view *v, lanemask group)
{
    float sum = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other))
            sum += v->info->type == WARP_S32 ? (float)(int32_t)input_of(v, other) : (float)input_of(v, other);
    return (uint32_t)(uint64_t)(int64_t)sum;
}

/* A tree downwards, whose result in one lane all lanes get. */
static bool is_tree_for_all(const struct view *v)
{
    return has(v, MISTAKE_TREE_DOWN_OF_LANE_0) || has(v, MISTAKE_TREE_DOWN_OF_FIRST);
}

static bool is_tree(const struct view *v)
{
    return has(v, MISTAKE_TREE_OF_FULL_WARP) || has(v, MISTAKE_TREE_SKIPS) || has(v, MISTAKE_TREE_DOWN) ||
           has(v, MISTAKE_TREE_DOWN_SKIPS) || has(v, MISTAKE_TREE_ZEROS) || has(v, MISTAKE_TREE_DOWN_ZEROS) ||
           is_tree_for_all(v);
}

static uint32_t tree(const struct view *v, lanemask group)
{
    const bool down = has(v, MISTAKE_TREE_DOWN) || has(v, MISTAKE_TREE_DOWN_SKIPS) || has(v, MISTAKE_TREE_DOWN_ZEROS) ||
                      is_tree_for_all(v);
    const bool zeros = has(v, MISTAKE_TREE_ZEROS) || has(v, MISTAKE_TREE_DOWN_ZEROS);
    const bool skips = has(v, MISTAKE_TREE_SKIPS) || has(v, MISTAKE_TREE_DOWN_SKIPS);
    uint32_t values[WARP_LANES], next[WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++)
        values[i] = input_of(v, i);
    for (unsigned step = WARP_LANES / 2; step > 0; step /= 2) {
        for (unsigned i = 0; i < WARP_LANES; i++) {
            const unsigned partner = down ? i + step : i ^ step;
            const bool there = partner < WARP_LANES && in_mask(group, partner);
            next[i] =
                !there && skips ? values[i] : combine(v, values[i], !there && zeros ? 0 : values[there ? partner : i]);
        }
        memcpy(values, next, sizeof values);
    }
    return values[has(v, MISTAKE_TREE_DOWN_OF_LANE_0)  ? 0
                  : has(v, MISTAKE_TREE_DOWN_OF_FIRST) ? lanes_lowest(v->group)
                                                       : v->lane];
}

/* Floats one after another by < or > alone, which no NaN is. */
static uint32_t naive(const struct view *v, lanemask group)
{
    bool found = false;
    uint32_t d = 0;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint32_t x = input_of(v, other);
        bool nan, less;
        if (!in_mask(group, other))
            continue;
        nan = is_nan(x) || is_nan(d);
        less = (v->info->op == WARP_MIN) == (order_of(v, x) < order_of(v, d)) && order_of(v, x) != order_of(v, d);
        less = less && ((x | d) & 0x7fffffffu) != 0; /* +0 is not less than -0 */
        if (!found || (nan ? has(v, MISTAKE_NAN_LAST_TAKES) : less))
            d = x;
        found = true;
    }
    return d;
}

/* Floats one after another by fminf or fmaxf: a number is preferred to a NaN, but a signalling NaN gives a quiet one.
 */
static uint32_t by_library(const struct view *v, lanemask group)
{
    bool found = has(v, MISTAKE_FMIN_FROM_INFINITY);
    uint32_t d = found ? infinity_of(v) : 0;
    for (unsigned other = 0; other < WARP_LANES; other++) {
        const uint32_t x = input_of(v, other);
        const int64_t x_order = order_of(v, x), d_order = order_of(v, d);
        const bool less = v->info->op == WARP_MIN ? x_order < d_order : d_order < x_order;
        if (!in_mask(group, other))
            continue;
        if (!found)
            d = x;
        else if (is_nan(x) && (is_nan(d) || (x & 0x00400000u) == 0))
            d = x | 0x00400000u;
        else if (!is_nan(x) && (is_nan(d) || (less && ((x | d) & 0x7fffffffu) != 0)))
            d = x;
        found = true;
    }
    return d;
}

/* The i-th lane that a loop over the warp looks at: the own one first, where it begins with the own value. */
static unsigned looped(const struct view *v, unsigned i)
{
    if (!has(v, MISTAKE_LOGICAL_FROM_OWN) && !has(v, MISTAKE_DIFFERENCE_FROM_OWN))
        return i;
    return i == 0 ? v->lane : i <= v->lane ? i - 1 : i;
}

/* What the operation of no lane is. */
static uint32_t identity_of(const struct view *v)
{
    const bool is_min = v->info->op == WARP_MIN, is_max = v->info->op == WARP_MAX;
    if (v->info->type == WARP_F32)
        return v->info->nan ? infinity_of(v) : CANONICAL_NAN;
    if (v->info->type == WARP_S32 && (is_min || is_max))
        return is_min ? INT32_MAX : UINT32_C(1) << 31;
    return is_min || v->info->op == WARP_AND ? UINT32_MAX : 0;
}

/* The result of the loop, with what it starts from. */
static uint32_t started(const struct view *v, uint32_t d)
{
    const bool is_min = v->info->op == WARP_MIN, is_max = v->info->op == WARP_MAX;
    if (has(v, MISTAKE_STARTS_SIGNED) && v->info->type == WARP_U32 && (is_min || is_max))
        return combine(v, is_min ? INT32_MAX : UINT32_C(1) << 31, d);
    if (has(v, MISTAKE_STARTS_UNSIGNED) && v->info->type == WARP_S32 && (is_min || is_max))
        return combine(v, is_min ? UINT32_MAX : 0, d);
    if (has(v, MISTAKE_STARTS_AT_LANE_0) && v->info->type != WARP_F32 && !in_mask(v->group, 0))
        return combine(v, input_of(v, 0), d);
    return has(v, MISTAKE_STARTS_AT_ZERO) && v->info->type != WARP_F32 ? combine(v, 0, d) : d;
}

/* The reduction of the group one lane after another. */
static uint32_t chain(const struct view *v, lanemask group)
{
    const bool is_float = v->info->type == WARP_F32, skips = !v->info->nan || has(v, MISTAKE_NAN_NOT_RAISED);
    const bool from_infinity = is_float && has(v, MISTAKE_NAN_SKIPPED);
    bool found = from_infinity || (is_float && has(v, MISTAKE_STARTS_AT_ZERO)), uniform = true, nan = false;
    uint32_t d = from_infinity ? infinity_of(v) : 0, first = 0;
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const unsigned other = looped(v, i);
        const uint32_t x = input_of(v, other);
        if (!in_mask(group, other))
            continue;
        if (is_float && is_nan(x)) {
            nan = true;
            continue;
        }
        uniform = uniform && (!found || x == first);
        first = found ? first : x;
        d = found ? combine(v, d, x) : x;
        found = true;
    }
    if (nan && !from_infinity && (!found || !skips || has(v, MISTAKE_NAN_RAISED)))
        return nan_result(v, group, !found);
    if (has(v, MISTAKE_UNIFORM_FOLDED) && uniform && (v->info->op == WARP_ADD || v->info->op == WARP_XOR))
        return first;
    return started(v, d);
}

/* The lanes that the lane reduces. */
static lanemask reduced_lanes(const struct view *v)
{
    const lanemask own = (lanemask)1 << v->lane, below = own | (own - 1);
    lanemask group = v->group;
    if (has(v, MISTAKE_REDUX_SWAPPED) && (v->c->a[v->lane] & group) != 0)
        group &= v->c->a[v->lane];
    if (has(v, MISTAKE_REDUX_ALL_LANES))
        group = UINT32_MAX;
    if (has(v, MISTAKE_REDUX_PREFIX))
        group &= below;
    if (has(v, MISTAKE_REDUX_SUFFIX))
        group &= ~below | own;
    if (has(v, MISTAKE_REDUX_EXCLUSIVE))
        group &= below & ~own;
    if (has(v, MISTAKE_REDUX_OWN))
        group = own;
    if (has(v, MISTAKE_REDUX_FIRST_VALUE) || has(v, MISTAKE_REDUX_LAST_VALUE))
        group &= (lanemask)1 << (has(v, MISTAKE_REDUX_LAST_VALUE) ? highest(group) : lanes_lowest(group));
    if (has(v, MISTAKE_REDUX_WITHOUT_SELF) && (group & ~own) != 0)
        group &= ~own;
    if (has(v, MISTAKE_LANE_0_UNSEEN) || has(v, MISTAKE_LANE_0_IDENTITY))
        group &= ~(lanemask)1;
    if (has(v, MISTAKE_LANE_31_UNSEEN) || has(v, MISTAKE_LANE_31_IDENTITY))
        group &= (lanemask)INT32_MAX;
    return group;
}

/* Are lanes that give no value reduced as 0? */
static bool adds_zero(const struct view *v)
{
    return (has(v, MISTAKE_OTHERS_ARE_ZERO) && v->group != UINT32_MAX) ||
           (has(v, MISTAKE_EXITED_ARE_ZERO) && (v->c->membermask[v->lane] & v->c->exited) != 0);
}

/* What the lane gets of the result in v->d. */
static uint32_t redux_told(const struct view *v, lanemask group)
{
    const uint32_t own = input_of(v, v->lane);
    if (has(v, MISTAKE_REDUX_NEVER) || (has(v, MISTAKE_REDUX_TO_FIRST) && v->lane != lanes_lowest(group)) ||
        (has(v, MISTAKE_REDUX_TO_LANE_0) && v->lane != 0))
        return 0;
    if ((has(v, MISTAKE_REDUX_LANE_0_ONLY) && v->lane != 0) ||
        (has(v, MISTAKE_REDUX_FIRST_ONLY) && v->lane != lanes_lowest(v->group)) ||
        (has(v, MISTAKE_REDUX_LAST_ONLY) && v->lane < highest(v->group)))
        return own;
    if (v->info->op == WARP_ADD && has(v, MISTAKE_ADD_TIMES))
        return own * lanes_in(group);
    if (has(v, MISTAKE_OWN_TWICE) && v->info->type != WARP_F32)
        return combine(v, v->d, own);
    return v->info->op == WARP_ADD && has(v, MISTAKE_ADD_OWN_TWICE) ? v->d + own : v->d;
}

void reading_redux(struct view *v)
{
    const lanemask group = reduced_lanes(v);
    const bool is_float = v->info->type == WARP_F32;
    /* Behind lane 31 there is no value. With all lanes that would leave every answer open. */
    v->anything = has(v, MISTAKE_COUNTED_FROM_1) && !has(v, MISTAKE_REDUX_ALL_LANES) && in_mask(group, WARP_LANES - 1);
    if (group == 0 && (has(v, MISTAKE_LANE_0_IDENTITY) || has(v, MISTAKE_LANE_31_IDENTITY)))
        v->d = identity_of(v);
    else if (is_tree(v) && !is_float)
        v->d = tree(v, group);
    else if (has(v, MISTAKE_ADD_AS_FLOAT) && v->info->op == WARP_ADD)
        v->d = float_sum(v, group);
    else if (has(v, MISTAKE_ADD_SATURATES) && v->info->op == WARP_ADD && v->info->type == WARP_S32)
        v->d = saturated_sum(v, group);
    else if (has(v, MISTAKE_ADD_SATURATES_U32) && v->info->op == WARP_ADD && v->info->type == WARP_U32)
        v->d = saturated_unsigned_sum(v, group);
    else if (is_float && (has(v, MISTAKE_NAN_FIRST_STAYS) || has(v, MISTAKE_NAN_LAST_TAKES)))
        v->d = naive(v, group);
    else if (is_float && (has(v, MISTAKE_FMIN_FROM_INFINITY) || has(v, MISTAKE_FMIN_FROM_FIRST)))
        v->d = by_library(v, group);
    else
        v->d = chain(v, group);
    if (adds_zero(v))
        v->d = is_nan(v->d) && is_float ? 0 : combine(v, v->d, 0);
    if (has(v, MISTAKE_ABS_OF_RESULT) && v->info->abs)
        v->d &= 0x7fffffffu;
    v->d = reading_carried(v, redux_told(v, group));
}
