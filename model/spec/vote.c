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
        if (lane_in(group, lane) && source_predicate(c, lane))
            d |= 1u << lane;
    return d;
}

static bool vote(enum warp_op mode, lanemask votes, lanemask group)
{
    switch (mode) {
    case WARP_ALL: /* "True if a is True for all non-exited threads in membermask" */
        return votes == group;
    case WARP_ANY: /* "True if a is True for any thread in membermask" */
        return votes != 0;
    default: /* .uni: "True if a has the same value in all non-exited threads in membermask" */
        return votes == group || votes == 0;
    }
}

static void vote_group(const struct spec_warp *w, struct warp_result *r, lanemask group)
{
    const lanemask votes = ballot(w->c, group);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(group, lane))
            continue;
        if (w->info->op == WARP_BALLOT)
            write_d(w, r, lane, votes);
        else
            write_p(w, r, lane, vote(w->info->op, votes, group));
    }
}

void spec_vote(const struct spec_warp *w, struct warp_result *r)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (leads_group(w, lane))
            vote_group(w, r, w->group[lane]);
}
