#include "smt/encode/encode.h"

/*
 * "... will cause executing thread to wait until all non-exited threads corresponding to membermask have executed [it]
 * with the same qualifiers and same membermask value": the lanes of the mask that have not arrived.
 */
static term not_arrived(struct smt *s, const struct smt_warp *w, term membermask)
{
    term absent[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term lane = term_word(s, k);
        term executes = term_in(s, lane, w->active);
        term same = term_eq(s, w->membermask[k], membermask);
        term needed = term_and(s, term_in(s, lane, membermask), term_not(s, term_in(s, lane, w->exited)));
        absent[k] = term_and(s, needed, term_not(s, term_and(s, executes, same)));
    }
    return term_mask(s, absent);
}

static void outcome_sync(struct smt *s, const struct smt_warp *w, term lane, term is_active, struct smt_lane *r)
{
    term membermask = term_of_lane(s, w->membermask, lane);
    /* "The behavior is undefined if the executing thread is not in the membermask." */
    term outside = term_not(s, term_in(s, lane, membermask));
    term absent = not_arrived(s, w, membermask);
    term incomplete = term_ne(s, absent, term_word(s, 0));
    /* "For .target sm_6x or below, all threads in membermask must execute the same instruction in convergence [...]
     * Otherwise, the behavior is undefined." */
    term diverged = term_and(s, w->convergence, incomplete);
    r->undefined = term_and(s, is_active, term_or(s, outside, diverged));
    r->waiting = TERM_ALL(s, is_active, term_not(s, r->undefined), incomplete);
    r->done = TERM_ALL(s, is_active, term_not(s, r->undefined), term_not(s, incomplete));
    r->group = term_band(s, membermask, term_bnot(s, w->exited));
    r->waits_for = term_ite(s, r->waiting, absent, term_word(s, 0));
}

void encode_outcome(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term is_active = term_in(s, lane, w->active);
    if (warp_form_is_sync(w->info)) {
        outcome_sync(s, w, lane, is_active, r);
        return;
    }
    r->done = is_active;
    r->waiting = r->undefined = term_bool(s, false);
    r->waits_for = term_word(s, 0);
    r->group = w->active;
}

/* activemask, "Description": the active mask of the warp. */
void encode_activemask(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    (void)lane; /* each lane gets the same */
    r->d = w->active;
    r->d_defined = term_bool(s, true);
}
