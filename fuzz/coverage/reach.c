/*
 * Buckets that no case can fall into, and why. The test compares the rules for shfl with all its lane points.
 */
#include "fuzz/coverage/coverage.h"

/* Has the family a form for a target up to sm_6x? */
static bool has_old_target(enum warp_family family)
{
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (warp_form_get(form)->family == family &&
            warp_target_needs_convergence(warp_form_least_target(warp_form_get(form))))
            return true;
    return false;
}

static const char *outcome(const struct coverage_info *i)
{
    unsigned outcome = i->value[0];
    bool waits = outcome == AXIS_WAITING || outcome == AXIS_DONE_WAITING || outcome == AXIS_WAITING_UNDEFINED ||
                 outcome == AXIS_ALL_OUTCOMES;
    if (i->value[1] != AXIS_CONVERGENT)
        return NULL;
    if (!has_old_target(i->family))
        return "the instruction needs a later target";
    return waits ? "up to sm_6x a lane that would wait is undefined" : NULL;
}

static const char *group(const struct coverage_info *i)
{
    if (i->value[0] != AXIS_G_FULL)
        return NULL;
    if (i->value[1] == AXIS_NAMES_EXITED)
        return "a group of 32 lanes leaves none that exited";
    return i->value[2] == AXIS_SOME_ELSEWHERE ? "a group of 32 lanes leaves none elsewhere" : NULL;
}

static const char *active(const struct coverage_info *i)
{
    bool others = i->value[1] == AXIS_SOME_EXITED || i->value[2] == AXIS_SOME_ELSEWHERE;
    if (i->value[0] == AXIS_FULL)
        return others ? "32 active lanes leave no others" : NULL;
    return others ? NULL : "a lane that is not active has exited or is elsewhere";
}

/* For segments of neighbouring lanes: `up` reads lower lanes, `down` higher ones. */
static const char *regular_source(unsigned mode, unsigned segment, unsigned clamp, unsigned source)
{
    bool one_lane = segment == AXIS_SEG_LANE;
    if (source == AXIS_SRC_OTHER) {
        if (mode == AXIS_BFLY)
            return segment == AXIS_SEG_WHOLE ? "the warp is one segment" : NULL;
        if (mode == AXIS_IDX)
            return "idx takes the upper bits of j from its own lane";
        return "maxLane keeps up and down in their segment";
    }
    if (one_lane && (source == AXIS_SRC_BELOW || source == AXIS_SRC_ABOVE))
        return "the segment has one lane";
    if (one_lane && source == AXIS_SRC_CLAMPED && mode == AXIS_IDX)
        return "the segment has one lane, and idx stays in it";
    if (source == AXIS_SRC_CLAMPED && clamp == AXIS_CLAMP_31) {
        if (segment == AXIS_SEG_WHOLE && (mode == AXIS_BFLY || mode == AXIS_IDX))
            return "every lane is within a clamp of 31";
        if (mode == AXIS_IDX)
            return "every lane of the segment is within a clamp of 31";
    }
    if (clamp == AXIS_CLAMP_0 && source == AXIS_SRC_ABOVE)
        return "with clamp 0 no higher lane of the segment is in range";
    if (clamp == AXIS_CLAMP_31 && source == AXIS_SRC_BELOW && mode == AXIS_UP)
        return "with clamp 31 up is in range for the last lane of a segment alone";
    return NULL;
}

/* For a segment mask that is no width: a segment is a set of lanes with gaps. */
static const char *irregular_source(unsigned mode, unsigned clamp, unsigned source)
{
    if (source == AXIS_SRC_OTHER && mode == AXIS_IDX)
        return "idx takes the bits of the segment mask from its own lane";
    if (source == AXIS_SRC_CLAMPED && mode == AXIS_IDX && clamp == AXIS_CLAMP_31)
        return "every lane of the segment is within a clamp of 31";
    if (clamp == AXIS_CLAMP_0 && source == AXIS_SRC_ABOVE)
        return "with clamp 0 no higher lane of the segment is in range";
    if (mode == AXIS_UP && clamp == AXIS_CLAMP_31 && (source == AXIS_SRC_BELOW || source == AXIS_SRC_OTHER))
        return "with clamp 31 up is in range for the last lane of a segment alone";
    if (mode == AXIS_DOWN && clamp == AXIS_CLAMP_0 && source == AXIS_SRC_OTHER)
        return "with clamp 0 down is in range for the first lane of a segment alone";
    return NULL;
}

static const char *source(const struct coverage_info *i)
{
    unsigned mode = i->value[0], segment = i->value[1], clamp = i->value[2], source = i->value[3];
    if (mode == AXIS_UP && source == AXIS_SRC_ABOVE)
        return "up never reads a higher lane";
    if (mode == AXIS_DOWN && source == AXIS_SRC_BELOW)
        return "down never reads a lower lane";
    if (segment == AXIS_SEG_IRREGULAR)
        return irregular_source(mode, clamp, source);
    return regular_source(mode, segment, clamp, source);
}

static const char *half(const struct coverage_info *i)
{
    bool wide = i->value[0] == AXIS_ANY_B64 || i->value[0] == AXIS_ALL_B64;
    return !wide && i->value[1] != AXIS_HALF_LOW ? "a .b32 value has no high half" : NULL;
}

static const char *float_result(const struct coverage_info *i)
{
    bool abs = i->value[0] & 1u;
    unsigned result = i->value[1];
    bool negative = result == AXIS_RES_MINUS_0 || result == AXIS_RES_MINUS_SUB || result == AXIS_RES_MINUS ||
                    result == AXIS_RES_MINUS_INF;
    return abs && negative ? ".abs makes every input positive" : NULL;
}
_Static_assert((AXIS_F_MIN_ABS & 1) && (AXIS_F_MIN_ABS_NAN & 1) && (AXIS_F_MAX_ABS & 1) && (AXIS_F_MAX_ABS_NAN & 1) &&
                   !(AXIS_F_MIN & 1) && !(AXIS_F_MIN_NAN & 1) && !(AXIS_F_MAX & 1) && !(AXIS_F_MAX_NAN & 1),
               "bit 0 of a float form tells .abs");

const char *coverage_why_not(const struct coverage_info *i)
{
    switch (i->group) {
    case GROUP_SHFL_SYNC_OUTCOME:
    case GROUP_VOTE_SYNC_OUTCOME:
    case GROUP_MATCH_SYNC_OUTCOME:
    case GROUP_REDUX_SYNC_OUTCOME:
    case GROUP_BAR_WARP_OUTCOME:
    case GROUP_ELECT_OUTCOME:
        return outcome(i);
    case GROUP_SHFL_SYNC_GROUP:
    case GROUP_VOTE_SYNC_GROUP:
    case GROUP_MATCH_SYNC_GROUP:
    case GROUP_REDUX_SYNC_GROUP:
    case GROUP_BAR_WARP_GROUP:
    case GROUP_ELECT_GROUP:
        return group(i);
    case GROUP_SHFL_ACTIVE:
    case GROUP_VOTE_ACTIVE:
    case GROUP_ACTIVEMASK_ACTIVE:
        return active(i);
    case GROUP_SHFL_SYNC_SOURCE:
    case GROUP_SHFL_SOURCE:
        return source(i);
    case GROUP_SHFL_READ:
        return i->value[1] == AXIS_READ_FOREIGN ? "without .sync all active lanes are one group" : NULL;
    case GROUP_MATCH_VALUES:
        return i->value[1] == AXIS_VALUES_32 && i->value[2] == AXIS_OUT_V_SAME ? "the group has all 32 lanes" : NULL;
    case GROUP_MATCH_HALF:
        return half(i);
    case GROUP_MATCH_DST:
        return i->value[0] <= AXIS_ANY_B64 && i->value[1] != AXIS_M_D ? "match.any has one destination" : NULL;
    case GROUP_REDUX_RESULT:
        return float_result(i);
    /* Every combination of these groups occurs. */
    case GROUP_SHFL_SYNC_READ:
    case GROUP_SHFL_SYNC_DST:
    case GROUP_SHFL_SYNC_BITS:
    case GROUP_SHFL_SYNC_UNIFORM:
    case GROUP_SHFL_DST:
    case GROUP_SHFL_BITS:
    case GROUP_SHFL_UNIFORM:
    case GROUP_VOTE_SYNC_PREDICATES:
    case GROUP_VOTE_PREDICATES:
    case GROUP_MATCH_FLOAT:
    case GROUP_MATCH_ODD:
    case GROUP_REDUX_SIGNS:
    case GROUP_REDUX_OUTSIDE:
    case GROUP_REDUX_SUM:
    case GROUP_REDUX_WINNER_I:
    case GROUP_REDUX_BITWISE:
    case GROUP_REDUX_WINNER_F:
    case GROUP_REDUX_NANS:
    case GROUP_REDUX_NAN_KIND:
    case GROUP_REDUX_ZEROS:
    case GROUP_ELECT_LEADER:
    case COVERAGE_GROUPS:
        return NULL;
    }
    return NULL;
}
