/* [vote.sync: Variants]; the older vote is the same over the active threads. */
#include "spec.h"

/* The source predicate of a lane; "{!}a": it may be negated. */
static bool source_predicate(const struct warp_case *c, unsigned lane)
{
    return (c->a[lane] != 0) != (c->negate != 0);
}

/* .ballot: "Bit i of d = predicate of lane i. Non-membermask threads contribute 0." */
static lanemask ballot(const struct warp_case *c, lanemask group)
{
    lanemask d = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        d |= source_predicate(c, lane) ? lanemask_eq[lane] : 0;
    return d & group;
}

static bool vote(enum warp_op mode, lanemask votes, lanemask group)
{
    switch (mode) {
    case WARP_ALL: /* "True if a is True for all non-exited threads in membermask" */
        return votes == group;
    case WARP_ANY: /* "True if a is True for any thread in membermask" */
        return votes != 0;
    case WARP_UNI: /* "True if a has the same value in all non-exited threads in membermask" */
        return votes == group || votes == 0;
    case WARP_BALLOT: /* has no truth value */
    case WARP_OPS_BUT_VOTE:
        break;
    }
    return false;
}

static void vote_group(const struct spec_warp *w, struct warp_result *r, lanemask group)
{
    const lanemask votes = ballot(w->c, group);
    if (w->info->op == WARP_BALLOT)
        write_d_of_lanes(w, r, group, votes);
    else
        write_p_of_lanes(w, r, group, vote(w->info->op, votes, group));
}

void spec_vote(const struct spec_warp *w, struct warp_result *r)
{
    for (lanemask leaders = group_leaders(w); leaders != 0; leaders &= leaders - 1)
        vote_group(w, r, w->group[(unsigned)__builtin_ctz(leaders)]);
}
