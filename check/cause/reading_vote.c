/* vote, read with mistakes. */
#include "check/cause/view.h"

#include "model/lanes.h"

static bool votes(const struct view *v, unsigned lane)
{
    const bool negated = v->c->negate != 0 && !has(v, MISTAKE_NEGATION_LOST) && !has(v, MISTAKE_NEGATES_RESULT) &&
                         !has(v, MISTAKE_NEGATES_ALL_BITS);
    return (v->c->a[lane] != 0) != negated;
}

static lanemask voters(const struct view *v)
{
    const lanemask own = (lanemask)1 << v->lane;
    lanemask group = v->group;
    if (has(v, MISTAKE_EARLIER_GROUPS_COUNT))
        group |= v->c->active & ((group & (~group + 1u)) - 1u);
    if (has(v, v->info->op == WARP_BALLOT ? MISTAKE_SLOTS_IN_BALLOT : MISTAKE_SLOTS_IN_VOTE) ||
        has(v, MISTAKE_VOTES_OF_ALL_LANES))
        group = UINT32_MAX;
    if (v->info->op == WARP_ANY && has(v, MISTAKE_ANY_OF_OTHERS) && (group & ~own) != 0)
        group &= ~own;
    if (has(v, MISTAKE_VOTE_LOOP_TO_SELF))
        group &= own | (own - 1u);
    if (has(v, MISTAKE_LANE_0_UNSEEN))
        group &= ~(lanemask)1;
    if (has(v, MISTAKE_LANE_31_UNSEEN))
        group &= (lanemask)INT32_MAX;
    return v->info->op == WARP_ANY && has(v, MISTAKE_ANY_WITHOUT_OWN) ? group & ~own : group;
}

static bool uniform_with_lane_0(const struct view *v, lanemask group)
{
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other) && votes(v, other) != votes(v, 0))
            return false;
    return true;
}

uint32_t reading_counted_bits(lanemask group, lanemask yes)
{
    uint32_t bits = 0;
    unsigned counted = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(group, other))
            bits |= (uint32_t)in_mask(yes, other) << counted++;
    return bits;
}

uint32_t reading_reversed(lanemask lanes)
{
    uint32_t bits = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        bits |= (uint32_t)in_mask(lanes, other) << (WARP_LANES - 1 - other);
    return bits;
}

static bool uni_votes(const struct view *v, lanemask group, lanemask yes)
{
    if (has(v, MISTAKE_UNI_AGAINST_LANE_0))
        return uniform_with_lane_0(v, group);
    if (has(v, MISTAKE_UNI_IS_NONE))
        return yes == 0;
    if (has(v, MISTAKE_UNI_ALWAYS))
        return true;
    if (has(v, MISTAKE_UNI_IS_ANY))
        return yes != 0;
    if (has(v, MISTAKE_VOTES_COUNT_32) || has(v, MISTAKE_OTHERS_VOTE_TRUE))
        return yes == UINT32_MAX || yes == 0;
    if ((has(v, MISTAKE_EXITED_UNI_FALSE) || has(v, MISTAKE_EXITED_COUNT_FALSE)) &&
        (v->c->membermask[v->lane] & v->c->exited) != 0)
        return yes == 0;
    return yes == group || (yes == 0 && !has(v, MISTAKE_UNI_IS_ALL));
}

static bool all_votes(const struct view *v, lanemask group, lanemask yes)
{
    if (has(v, MISTAKE_ALL_IS_ANY) || has(v, MISTAKE_ALL_AND_ANY))
        return yes != 0;
    if (has(v, MISTAKE_ALL_IS_UNI) && yes == 0)
        return true;
    if ((has(v, MISTAKE_EXITED_VOTE_FALSE) || has(v, MISTAKE_EXITED_COUNT_FALSE)) &&
        (v->c->membermask[v->lane] & v->c->exited) != 0)
        return false;
    if (has(v, MISTAKE_ALL_COUNTS_64))
        return false;
    return yes == (has(v, MISTAKE_ALL_COUNTS_32) || has(v, MISTAKE_VOTES_COUNT_32) ? UINT32_MAX : group);
}

/* Results that combine nothing, or reach one lane alone. */
static void vote_elsewhere(struct view *v, lanemask group)
{
    const unsigned first = lanes_lowest(group);
    if (has(v, MISTAKE_VOTE_IS_OWN) || has(v, MISTAKE_VOTE_IS_FIRST)) {
        v->p = votes(v, has(v, MISTAKE_VOTE_IS_OWN) ? v->lane : first);
        v->d = v->p;
    }
    if (has(v, MISTAKE_VOTE_TO_FIRST) && v->lane != first) {
        v->p = false;
        v->d = 0;
    }
}

static void vote_constants(struct view *v)
{
    v->p = (v->p && !has(v, MISTAKE_VOTE_NEVER)) || has(v, MISTAKE_VOTE_ALWAYS);
    if (has(v, MISTAKE_BALLOT_NEVER))
        v->d = 0;
}

static uint32_t ballot_of(const struct view *v, lanemask group, lanemask yes)
{
    const lanemask own = (lanemask)1 << v->lane;
    const bool sync = warp_form_is_sync(v->info);
    if (has(v, MISTAKE_BALLOT_GROUP))
        return yes != 0 ? group : 0;
    if (has(v, MISTAKE_BALLOT_31_BITS))
        yes &= (lanemask)INT32_MAX;
    if (has(v, MISTAKE_BALLOT_16_BITS))
        yes &= 0xffffu;
    if (has(v, MISTAKE_BALLOT_UP_TO_SELF) || has(v, MISTAKE_BALLOT_OWN_BIT))
        return yes & (own | (has(v, MISTAKE_BALLOT_OWN_BIT) ? 0 : own - 1u));
    if (has(v, MISTAKE_BALLOT_INVERTED))
        return ~yes;
    if (has(v, MISTAKE_BALLOT_OTHERS_SET) && sync)
        return yes | ~v->c->membermask[v->lane];
    if (has(v, MISTAKE_BALLOT_FROM_MASK) && sync)
        return yes >> lanes_lowest(v->c->membermask[v->lane]);
    if (has(v, MISTAKE_BALLOT_IS_ANY))
        return yes != 0;
    return has(v, MISTAKE_BALLOT_COUNTED)      ? reading_counted_bits(group, yes)
           : has(v, MISTAKE_BALLOT_REVERSED)   ? reading_reversed(yes)
           : has(v, MISTAKE_BALLOT_BELOW)      ? yes & (((lanemask)1 << v->lane) - 1u)
           : has(v, MISTAKE_BALLOT_NUMBER)     ? lanes_in(yes)
           : has(v, MISTAKE_BALLOT_FROM_FIRST) ? yes >> lanes_lowest(group)
                                               : yes;
}

/* The lanes whose votes are counted. */
static lanemask heard(const struct view *v, lanemask group)
{
    if (has(v, MISTAKE_ALL_BITS_VOTE))
        return UINT32_MAX;
    return has(v, MISTAKE_EXITED_BITS_VOTE) && warp_form_is_sync(v->info)
               ? group | (v->c->membermask[v->lane] & v->c->exited)
               : group;
}

void reading_vote(struct view *v)
{
    const lanemask group = voters(v);
    lanemask yes = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(heard(v, group), other) && votes(v, other))
            yes |= (lanemask)1 << other;
    if (has(v, MISTAKE_VOTES_16_BITS))
        yes &= 0xffffu;
    if (has(v, MISTAKE_OTHERS_VOTE_TRUE) && v->info->op != WARP_ALL)
        yes |= ~group;
    if (has(v, MISTAKE_VOTES_SO_FAR))
        yes &= UINT32_MAX >> (WARP_LANES - 1 - v->lane);
    switch (v->info->op) {
    case WARP_ALL:
        v->p = all_votes(v, group, yes);
        break;
    case WARP_ANY:
        v->p = has(v, MISTAKE_ANY_IS_ALL) || has(v, MISTAKE_ALL_AND_ANY) ? yes == group
               : has(v, MISTAKE_ANY_SIGNED)                              ? (int32_t)yes > 0
               : has(v, MISTAKE_ANY_PARITY)                              ? lanes_in(yes) % 2 != 0
                                                                         : yes != 0;
        break;
    case WARP_UNI:
        v->p = uni_votes(v, group, yes);
        break;
    case WARP_BALLOT:
        v->d = ballot_of(v, group, yes);
        break;
    case WARP_OPS_BUT_VOTE:
        break;
    }
    if (has(v, MISTAKE_NEGATES_RESULT) && v->c->negate != 0) {
        v->p = !v->p;
        v->d = ~v->d & group;
    }
    if (has(v, MISTAKE_NEGATES_ALL_BITS) && v->c->negate != 0) {
        v->p = !v->p;
        v->d = ~v->d;
    }
    if (has(v, MISTAKE_VOTE_INVERTED)) {
        v->p = !v->p;
        v->d = ~v->d & group;
    }
    vote_elsewhere(v, group);
    vote_constants(v);
}
