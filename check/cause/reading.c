#include "check/cause/view.h"

#include "model/lanes.h"

#include <string.h>

static const struct mistake_info mistakes[MISTAKES] = {
#define MISTAKE(id, classes, reading, clause, words) {#id, classes, reading, clause, words},
#include "check/cause/mistakes.def"
#undef MISTAKE
};

const struct mistake_info *mistake_get(enum mistake mistake)
{
    return &mistakes[mistake];
}

uint32_t mistake_classes(const struct warp_form_info *info)
{
    const uint32_t sync = warp_form_is_sync(info) ? CLASS_SYNC : CLASS_LEGACY;
    switch (info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        return CLASS_SHFL | sync;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        return CLASS_VOTE | sync;
    case WARP_MATCH_SYNC:
        return CLASS_MATCH | sync;
    case WARP_REDUX_SYNC:
        return CLASS_REDUX | sync;
    case WARP_ACTIVEMASK:
        return CLASS_ACTIVEMASK;
    case WARP_BAR_WARP:
        return CLASS_BAR_WARP | sync;
    case WARP_ELECT:
        return CLASS_ELECT | sync;
    case WARP_FAMILIES:
        break;
    }
    return 0;
}

void reading_init(struct reading *reading)
{
    memset(reading, 0, sizeof *reading);
    reading->order = (struct mode_order){{0, 1, 2, 3}};
}

unsigned reading_op(const struct warp_form_info *info)
{
    if (info->type == WARP_F32)
        return info->op == WARP_MIN ? READING_MIN_F32 : READING_MAX_F32;
    if (info->type == WARP_S32)
        return info->op == WARP_ADD ? READING_ADD_S32 : info->op == WARP_MIN ? READING_MIN_S32 : READING_MAX_S32;
    if (info->type == WARP_B64)
        return info->op == WARP_ANY ? READING_ANY_B64 : READING_ALL_B64;
    return (unsigned)info->op;
}

/* --- who takes part --- */

/* Lanes with one membermask wait for the same lanes. */
struct waited {
    bool known;
    uint32_t mine;
    lanemask waits_for;
};

enum outcome { DONE, WAITING, UNDEFINED };

struct arrival {
    enum outcome outcome;
    lanemask waits_for;
};

static uint32_t membermask_of(const struct view *v, unsigned lane)
{
    const lanemask active = v->c->active;
    uint32_t mask = v->c->membermask[lane];
    if (has(v, MISTAKE_ONE_MEMBERMASK))
        mask = v->c->membermask[lanes_lowest(active)];
    if (has(v, MISTAKE_LAST_MEMBERMASK))
        mask = v->c->membermask[highest(active)];
    if (has(v, MISTAKE_MEMBERMASK_OF_LANE_0) || has(v, MISTAKE_OWN_MASK_OF_LANE_0))
        mask = v->c->membermask[0];
    for (unsigned other = 0; other < WARP_LANES && has(v, MISTAKE_COMMON_MEMBERMASK); other++)
        mask &= in_mask(active, other) ? v->c->membermask[other] : UINT32_MAX;
    if (has(v, MISTAKE_MEMBERMASK_FULL))
        return UINT32_MAX;
    return has(v, MISTAKE_MEMBERMASK_16) ? mask & 0xffffu : mask;
}

/* Up to sm_6x lanes must converge: they cannot arrive one after another. Somebody who simulates that by lanes that wait
 * may make such a mistake there nonetheless: the mistakes of both kinds stand apart. */
static bool arrived(const struct view *v, unsigned other, uint32_t mine)
{
    const bool new = !warp_target_needs_convergence(v->c->target);
    if (has(v, MISTAKE_INACTIVE_MASK_IS_THERE))
        return v->c->membermask[other] == mine;
    if (in_mask(v->c->active, other) && has(v, MISTAKE_OWN_MASK_OF_LANE_0))
        return v->c->membermask[other] == mine;
    if (in_mask(v->c->active, other))
        return membermask_of(v, other) == mine || (new &&has(v, MISTAKE_ANY_MASK_ARRIVES)) ||
               has(v, MISTAKE_ANY_MASK_IS_ONE);
    return new &&has(v, MISTAKE_INACTIVE_MASK_ARRIVES) && v->c->membermask[other] == mine;
}

static lanemask awaited(const struct view *v, uint32_t mine)
{
    const bool new = !warp_target_needs_convergence(v->c->target);
    const bool gone = has(v, MISTAKE_EXITED_MISSING) || (new &&has(v, MISTAKE_EXITED_MISSING_70));
    lanemask lanes = 0;
    if (v->known->known && v->known->mine == mine)
        return v->known->waits_for;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(gone ? mine : mine & ~v->c->exited, other) && !arrived(v, other, mine))
            lanes |= (lanemask)1 << other;
    *v->known = (struct waited){true, mine, lanes};
    return lanes;
}

/* The n lowest lanes of the warp. */
static lanemask lanes_first(unsigned n)
{
    return n >= WARP_LANES ? UINT32_MAX : ((lanemask)1 << n) - 1u;
}

/* The lanes from the first one on that is missing above the lowest lane of the group. */
static lanemask gap_and_above(lanemask group)
{
    const lanemask missing = ~group & ~lanes_first(lanes_lowest(group));
    return missing != 0 ? ~lanes_first(lanes_lowest(missing)) : 0;
}

/* The lanes of the group that the own subgroup has, and that the loop looks at. */
static lanemask looked_at(const struct view *v, lanemask group)
{
    const unsigned width = has(v, MISTAKE_SUBGROUPS_2)    ? 2
                           : has(v, MISTAKE_SUBGROUPS_4)  ? 4
                           : has(v, MISTAKE_SUBGROUPS_8)  ? 8
                           : has(v, MISTAKE_SUBGROUPS_16) ? 16
                                                          : WARP_LANES;
    lanemask seen = group;
    if (width < WARP_LANES)
        seen &= (((lanemask)1 << width) - 1u) << (v->lane / width * width);
    if (has(v, MISTAKE_LANE_0_MISSING))
        seen &= ~(lanemask)1;
    if (has(v, MISTAKE_LANE_31_MISSING))
        seen &= (lanemask)INT32_MAX;
    if (has(v, MISTAKE_FIRST_LANES))
        return lanes_first(lanes_in(group));
    if (has(v, MISTAKE_FIRST_MEMBERS))
        return lanes_first(lanes_in(warp_form_is_sync(v->info) ? v->c->membermask[v->lane] : group));
    if (has(v, MISTAKE_ENDS_AT_GAP))
        seen &= ~gap_and_above(group);
    return seen != 0 ? seen : group; /* a lane alone */
}

static struct arrival arrive_sync(struct view *v)
{
    const uint32_t mine = membermask_of(v, v->lane);
    struct arrival a = {DONE, 0};
    v->group = has(v, MISTAKE_EXITED_TAKE_PART) ? mine : mine & ~v->c->exited;
    if (has(v, MISTAKE_MEMBERMASK_IGNORED) || has(v, MISTAKE_MEMBERMASK_UNREAD))
        v->group = v->c->active;
    v->group = looked_at(v, v->group);
    if (has(v, MISTAKE_FULL_MASK_FOLDED) && mine == UINT32_MAX)
        v->group = UINT32_MAX;
    if (has(v, MISTAKE_MEMBERMASK_UNREAD))
        return a;
    if (!in_mask(mine, v->lane) && !has(v, MISTAKE_OUTSIDE_JOINS)) {
        a.outcome = has(v, MISTAKE_OUTSIDE_RUNS) ? DONE : has(v, MISTAKE_OUTSIDE_WAITS) ? WAITING : UNDEFINED;
        a.waits_for = a.outcome == WAITING ? mine & ~v->c->exited : 0;
        return a;
    }
    a.waits_for = awaited(v, mine);
    if (has(v, MISTAKE_EXITED_FIRST) && (mine & v->c->exited) != 0)
        return (struct arrival){WAITING, a.waits_for | (mine & v->c->exited)};
    if (has(v, MISTAKE_NEVER_MISSES)) {
        v->group &= ~a.waits_for;
        a.waits_for = 0;
    }
    if (a.waits_for != 0 && has(v, MISTAKE_NEVER_WAITS) && !warp_target_needs_convergence(v->c->target)) {
        v->group &= v->c->active;
        a.waits_for = 0;
    }
    if (a.waits_for != 0) {
        const bool old = warp_target_needs_convergence(v->c->target) ? !has(v, MISTAKE_OLD_TARGETS_WAIT)
                                                                     : has(v, MISTAKE_NEW_TARGETS_CONVERGE);
        a.outcome = old ? UNDEFINED : WAITING;
    } else if (has(v, MISTAKE_EXITED_AWAITED) && (mine & v->c->exited) != 0) {
        a.outcome = WAITING;
        a.waits_for = mine & v->c->exited;
    }
    return a;
}

static struct arrival arrive(struct view *v)
{
    if (warp_form_is_sync(v->info))
        return arrive_sync(v);
    v->group = has(v, MISTAKE_ALL_TAKE_PART) ? ~v->c->exited : v->c->active;
    v->group = looked_at(v, v->group);
    return (struct arrival){DONE, 0};
}

/* --- the case --- */

static void read_activemask(struct view *v)
{
    const lanemask active = v->c->active, own = (lanemask)1 << v->lane;
    v->d = has(v, MISTAKE_ACTIVEMASK_FULL)         ? UINT32_MAX
           : has(v, MISTAKE_ACTIVEMASK_NOT_EXITED) ? ~v->c->exited
                                                   : active;
    if (has(v, MISTAKE_ACTIVEMASK_BELOW))
        v->d = active & (own - 1u);
    if (has(v, MISTAKE_ACTIVEMASK_UP_TO_SELF))
        v->d = active & (own | (own - 1u));
    if (has(v, MISTAKE_ACTIVEMASK_REVERSED))
        v->d = reading_reversed(active);
    if (has(v, MISTAKE_ACTIVEMASK_OTHERS))
        v->d = active & ~own;
    if (has(v, MISTAKE_ACTIVEMASK_LOWEST))
        v->d = active & (~active + 1u);
    if (has(v, MISTAKE_ACTIVEMASK_NUMBER))
        v->d = lanes_in(active);
    if (has(v, MISTAKE_ACTIVEMASK_SELF))
        v->d = own;
    if (has(v, MISTAKE_ACTIVEMASK_INVERTED))
        v->d = ~active;
    if (has(v, MISTAKE_ACTIVEMASK_NEVER))
        v->d = 0;
    if (has(v, MISTAKE_ACTIVEMASK_PREFIX))
        v->d = lanes_first(lanes_in(active));
}

static unsigned leader_of(const struct view *v)
{
    const lanemask half = v->lane < 16 ? 0xffffu : 0xffff0000u;
    if (has(v, MISTAKE_ELECT_FIRST_ACTIVE))
        return lanes_lowest(v->c->active);
    if (has(v, MISTAKE_ELECT_LANE_0))
        return 0;
    if (has(v, MISTAKE_ELECT_COUNTED_FROM_1))
        return lanes_lowest(v->group) + 1;
    return lanes_lowest(has(v, MISTAKE_ELECT_IN_HALVES) ? v->group & half : v->group);
}

static uint32_t leader_told(const struct view *v, unsigned leader)
{
    if (has(v, MISTAKE_ELECT_D_OWN))
        return v->lane;
    if (has(v, MISTAKE_ELECT_D_FROM_1))
        return leader + 1;
    if (has(v, MISTAKE_ELECT_D_MASK))
        return (uint32_t)1 << leader;
    return has(v, MISTAKE_ELECT_D_RANK) || (has(v, MISTAKE_ELECT_D_ELSE_0) && v->lane != leader) ? 0 : leader;
}

static void read_elect(struct view *v)
{
    const unsigned leader = leader_of(v);
    const lanemask above = v->lane < WARP_LANES - 1 ? UINT32_MAX << (v->lane + 1) : 0;
    v->p = has(v, MISTAKE_ELECT_P_OF_LAST) ? (v->group & above) == 0 : leader == v->lane;
    if (has(v, MISTAKE_ELECT_P_LANE_0))
        v->p = v->lane == 0;
    if (has(v, MISTAKE_ELECT_P_ALWAYS))
        v->p = true;
    if (has(v, MISTAKE_ELECT_P_NEVER) || (has(v, MISTAKE_ELECT_SINK_P) && v->c->dst == WARP_DST_SINK_P))
        v->p = false;
    v->d = leader_told(v, leader);
}

static void read_instruction(struct view *v)
{
    switch (v->info->family) {
    case WARP_SHFL_SYNC:
    case WARP_SHFL:
        reading_shfl(v);
        return;
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        reading_vote(v);
        return;
    case WARP_MATCH_SYNC:
        reading_match(v);
        return;
    case WARP_REDUX_SYNC:
        reading_redux(v);
        return;
    case WARP_ACTIVEMASK:
        read_activemask(v);
        return;
    case WARP_BAR_WARP: /* gives no value */
        return;
    case WARP_ELECT:
        read_elect(v);
        return;
    case WARP_FAMILIES:
        return;
    }
}

void reading_eval_lanes(const struct reading *reading, const struct warp_case *c, lanemask lanes,
                        struct reading_answer *answer)
{
    const struct warp_form_info *const info = warp_form_get(c->form);
    struct warp_result *const result = &answer->r;
    struct waited known = {.known = false};
    memset(answer, 0, sizeof *answer);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        struct view v = {.r = reading,
                         .c = c,
                         .info = info,
                         .classes = mistake_classes(info),
                         .op = reading_op(info),
                         .lane = lane,
                         .d_defined = true,
                         .known = &known};
        const lanemask bit = (lanemask)1 << lane;
        struct arrival a;
        if (!in_mask(c->active & lanes, lane))
            continue;
        a = arrive(&v);
        result->waiting |= a.outcome == WAITING ? bit : 0;
        result->undefined |= a.outcome == UNDEFINED ? bit : 0;
        result->waits_for[lane] = a.outcome == WAITING ? a.waits_for : 0;
        if (a.outcome != DONE)
            continue;
        read_instruction(&v);
        if (v.waits) {
            result->waiting |= bit;
            continue;
        }
        result->done |= bit;
        answer->beyond |= v.beyond ? bit : 0;
        answer->endless |= v.endless ? bit : 0;
        result->p |= warp_form_writes_p(info, c->dst) && v.p ? bit : 0;
        answer->anything |= v.anything ? bit : 0;
        if (!warp_form_writes_d(info, c->dst))
            continue;
        result->d[lane] = v.d;
        result->d_defined |= v.d_defined ? bit : 0;
    }
}

void reading_eval(const struct reading *reading, const struct warp_case *c, struct reading_answer *answer)
{
    reading_eval_lanes(reading, c, UINT32_MAX, answer);
}
