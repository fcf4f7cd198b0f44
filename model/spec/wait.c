/* Which lanes execute the instruction together. */
#include "spec.h"

/* "... have executed [the instruction] with the same qualifiers and same membermask value": all active lanes execute
 * one instruction, so the qualifiers are the same and the membermask decides. */
static lanemask arrived(const struct warp_case *c, uint32_t membermask)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(c->active, lane) && c->membermask[lane] == membermask)
            lanes |= 1u << lane;
    return lanes;
}

static void mark_undefined(struct warp_result *r, unsigned lane)
{
    r->undefined |= 1u << lane;
}

static void mark_waiting(struct warp_result *r, unsigned lane, lanemask missing)
{
    r->waiting |= 1u << lane;
    r->waits_for[lane] = missing;
}

static void mark_done(struct spec_warp *w, struct warp_result *r, unsigned lane, lanemask group)
{
    r->done |= 1u << lane;
    w->done |= 1u << lane;
    w->group[lane] = group;
}

/*
 * [shfl.sync, match.sync, redux.sync: Description] "will cause executing thread to wait until all non-exited threads
 * corresponding to membermask have executed [it] with the same qualifiers and same membermask value"; "The behavior is
 * undefined if the executing thread is not in the membermask." [shfl.sync: Note; summary of vote.sync] "For .target
 * sm_6x or below, all threads in membermask must execute the same instruction in convergence [...] Otherwise, the
 * behavior is undefined": on these targets there is no waiting.
 */
static void wait_for_specified_threads(struct spec_warp *w, struct warp_result *r)
{
    const struct warp_case *c = w->c;
    uint32_t membermask = 0;
    lanemask arrived_lanes = arrived(c, membermask);

    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!lane_in(c->active, lane))
            continue;
        if (c->membermask[lane] != membermask) { /* asked once for neighbours that pass the same membermask */
            membermask = c->membermask[lane];
            arrived_lanes = arrived(c, membermask);
        }
        const lanemask specified = membermask & ~c->exited;
        const lanemask missing = specified & ~arrived_lanes;
        if (!lane_in(membermask, lane))
            mark_undefined(r, lane);
        else if (missing == 0)
            mark_done(w, r, lane, specified);
        else if (warp_target_needs_convergence(c->target))
            mark_undefined(r, lane);
        else
            mark_waiting(r, lane, missing);
    }
}

/* [shfl: Semantics] and the older vote: no membermask, no waiting. Those that take part are the active threads. */
static void take_active_threads(struct spec_warp *w, struct warp_result *r)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(w->c->active, lane))
            mark_done(w, r, lane, w->c->active);
}

void spec_wait(const struct warp_case *c, const struct warp_form_info *info, struct spec_warp *w, struct warp_result *r)
{
    w->c = c;
    w->info = info;
    w->done = 0;
    if (warp_form_is_sync(info))
        wait_for_specified_threads(w, r);
    else
        take_active_threads(w, r);
}
