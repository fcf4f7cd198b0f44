/* Which lanes execute the instruction together. */
#include "spec.h"

#include <string.h>

/* "... have executed [the instruction] with the same qualifiers and same membermask value": all active lanes execute
 * one instruction, so the qualifiers are the same and the membermask decides. */
static lanemask arrived(const struct warp_case *c, uint32_t membermask)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= c->membermask[lane] == membermask ? lanemask_eq[lane] : 0;
    return lanes & c->active;
}

/* The lanes that take part: each has the same group. */
static void mark_done(struct spec_warp *w, lanemask group)
{
    w->done |= group;
    write_lanes(w->group, group, group);
}

static void mark_waiting(struct warp_result *r, lanemask lanes, lanemask missing)
{
    r->waiting |= lanes;
    write_lanes(r->waits_for, lanes, missing);
}

/*
 * The outcome of all lanes that have arrived with one membermask.
 *
 * [shfl.sync, match.sync, redux.sync: Description] "will cause executing thread to wait until all non-exited threads
 * corresponding to membermask have executed [it] with the same qualifiers and same membermask value"; "The behavior is
 * undefined if the executing thread is not in the membermask." [shfl.sync: Note; summary of vote.sync] "For .target
 * sm_6x or below, all threads in membermask must execute the same instruction in convergence [...] Otherwise, the
 * behavior is undefined": on these targets there is no waiting.
 *
 * [bar.warp.sync, elect.sync: Description] say "all threads" where the others say "all non-exited threads"; an exited
 * thread can execute nothing, and these do not wait for it either (docs/ambiguities.md).
 *
 * Where none of the lanes is in the membermask, there are no members that could take part or wait.
 */
static void wait_for_specified_threads(struct spec_warp *w, struct warp_result *r, uint32_t membermask, lanemask here)
{
    const lanemask specified = membermask & ~w->c->exited;
    const lanemask missing = specified & ~here;
    const lanemask members = here & membermask;

    r->undefined |= here & ~membermask;
    if (missing == 0)
        mark_done(w, members); /* all specified threads, and no other, are members */
    else if (warp_target_needs_convergence(w->c->target))
        r->undefined |= members;
    else
        mark_waiting(r, members, missing);
}

static void wait_by_membermask(struct spec_warp *w, struct warp_result *r)
{
    const struct warp_case *const c = w->c;
    lanemask open = c->active; /* lanes whose outcome is open */
    while (open != 0) {
        const unsigned lane = (unsigned)__builtin_ctz(open); /* the lowest */
        const lanemask here = arrived(c, c->membermask[lane]);
        wait_for_specified_threads(w, r, c->membermask[lane], here);
        open &= ~here;
    }
}

void spec_wait(const struct warp_case *c, const struct warp_form_info *info, struct spec_warp *w, struct warp_result *r)
{
    w->c = c;
    w->info = info;
    w->writes_d = warp_form_writes_d(info, c->dst);
    w->writes_p = warp_form_writes_p(info, c->dst);
    w->done = 0;
    memset(w->group, 0, sizeof w->group);
    if (warp_form_is_sync(info))
        wait_by_membermask(w, r);
    else /* [shfl: Semantics] and the older vote: no membermask, no waiting; the active threads take part */
        mark_done(w, c->active);
    r->done = w->done;
}
