/*
 * Buckets of lanes and masks: outcomes, groups, active lanes.
 */
#include "fuzz/coverage/internal.h"
#include "model/lanes.h"

unsigned coverage_shape(lanemask mask)
{
    lanemask run;
    if (mask == 0)
        return AXIS_NONE;
    if (mask == UINT32_MAX)
        return AXIS_FULL;
    if ((mask & (mask - 1)) == 0)
        return AXIS_SINGLE;
    run = mask >> coverage_first_lane(mask);
    if ((run & (run + 1)) != 0)
        return AXIS_SPARSE;
    return mask & 1u ? AXIS_PREFIX : AXIS_RUN;
}

/* On axis OUTCOMES, but for the number of groups. */
static unsigned outcome_of(const struct warp_result *r)
{
    static const unsigned outcome[8] = {AXIS_NOBODY,    AXIS_ONE_GROUP,      AXIS_WAITING,           AXIS_DONE_WAITING,
                                        AXIS_UNDEFINED, AXIS_DONE_UNDEFINED, AXIS_WAITING_UNDEFINED, AXIS_ALL_OUTCOMES};
    return outcome[(r->done != 0) + 2 * (r->waiting != 0) + 4 * (r->undefined != 0)];
}

/* The first buckets of a family's state: with a membermask its outcomes and groups, without its active lanes. */
struct state_buckets {
    unsigned outcome, group, active;
};

static struct state_buckets state_buckets_of(enum warp_family family)
{
    switch (family) {
    case WARP_SHFL_SYNC:
        return (struct state_buckets){.outcome = COVERAGE_SHFL_SYNC_OUTCOME, .group = COVERAGE_SHFL_SYNC_GROUP};
    case WARP_VOTE_SYNC:
        return (struct state_buckets){.outcome = COVERAGE_VOTE_SYNC_OUTCOME, .group = COVERAGE_VOTE_SYNC_GROUP};
    case WARP_MATCH_SYNC:
        return (struct state_buckets){.outcome = COVERAGE_MATCH_SYNC_OUTCOME, .group = COVERAGE_MATCH_SYNC_GROUP};
    case WARP_REDUX_SYNC:
        return (struct state_buckets){.outcome = COVERAGE_REDUX_SYNC_OUTCOME, .group = COVERAGE_REDUX_SYNC_GROUP};
    case WARP_BAR_WARP:
        return (struct state_buckets){.outcome = COVERAGE_BAR_WARP_OUTCOME, .group = COVERAGE_BAR_WARP_GROUP};
    case WARP_ELECT:
        return (struct state_buckets){.outcome = COVERAGE_ELECT_OUTCOME, .group = COVERAGE_ELECT_GROUP};
    case WARP_SHFL:
        return (struct state_buckets){.active = COVERAGE_SHFL_ACTIVE};
    case WARP_VOTE:
        return (struct state_buckets){.active = COVERAGE_VOTE_ACTIVE};
    case WARP_ACTIVEMASK:
        return (struct state_buckets){.active = COVERAGE_ACTIVEMASK_ACTIVE};
    case WARP_FAMILIES:
        break;
    }
    return (struct state_buckets){0};
}

static void active_lanes(struct coverage_set *set, const struct warp_case *c, unsigned first)
{
    unsigned elsewhere = (c->active | c->exited) != UINT32_MAX;
    coverage_hit(set, first + (coverage_shape(c->active) * COUNT_ANY_EXITED + (c->exited != 0)) * COUNT_ELSEWHERE +
                          elsewhere);
}

void coverage_state(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                    const struct warp_form_info *info)
{
    const struct state_buckets at = state_buckets_of(info->family);
    unsigned groups = 0, outcome;
    if (!warp_form_is_sync(info)) {
        active_lanes(set, c, at.active);
        return;
    }
    for (lanemask left = r->done; left != 0; groups++) {
        lanemask membermask = c->membermask[coverage_first_lane(left)];
        lanemask group = lanes_group(c, coverage_first_lane(left));
        unsigned names_exited = (membermask & c->exited) != 0;
        unsigned elsewhere = (group | c->exited) != UINT32_MAX;
        coverage_hit(set, at.group + (coverage_shape(group) * COUNT_NAMES_EXITED + names_exited) * COUNT_ELSEWHERE +
                              elsewhere);
        if ((group & left) == 0)
            break; /* a result that contradicts itself: the comparison reports it */
        left &= ~group;
    }
    outcome = outcome_of(r);
    if (outcome == AXIS_ONE_GROUP && groups > 1)
        outcome = AXIS_MANY_GROUPS;
    coverage_hit(set, at.outcome + outcome * COUNT_TARGET + !warp_target_needs_convergence(c->target));
}

void coverage_elect(struct coverage_set *set, const struct warp_case *c, const struct coverage_lanes *lanes)
{
    const lanemask below = (1u << lanes->first) - 1u, named = c->membermask[lanes->first];
    const unsigned kind = lanes->first == 0             ? AXIS_BELOW_NONE
                          : (c->active & below)         ? AXIS_BELOW_ACTIVE
                          : (c->exited & named & below) ? AXIS_BELOW_EXITED
                                                        : AXIS_BELOW_OTHER;
    const unsigned dst = c->dst == WARP_DST_D_P ? AXIS_E_D_P : AXIS_E_SINK_P;
    coverage_hit(set, BUCKET2(ELECT_LEADER, dst, kind, BELOW));
}
