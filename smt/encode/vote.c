#include "smt/encode/encode.h"

/* The source predicate of each lane, "{!}a". */
static void predicates(struct smt *s, const struct smt_warp *w, term q[WARP_LANES], term not_q[WARP_LANES])
{
    for (unsigned k = 0; k < WARP_LANES; k++) {
        q[k] = term_ne(s, w->a[k], w->negate);
        not_q[k] = term_not(s, q[k]);
    }
}

void encode_vote(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term q[WARP_LANES];
    term not_q[WARP_LANES];
    term group = r->group;
    (void)lane; /* each lane of a group gets the same */
    predicates(s, w, q, not_q);
    switch (w->info->op) {
    case WARP_ALL: /* "True if a is True for all non-exited threads in membermask" */
        r->p = term_each_in(s, group, q);
        break;
    case WARP_ANY: /* "True if a is True for any thread in membermask" */
        r->p = term_not(s, term_each_in(s, group, not_q));
        break;
    case WARP_UNI: /* "True if a has the same value in all non-exited threads in membermask" */
        r->p = term_or(s, term_each_in(s, group, q), term_each_in(s, group, not_q));
        break;
    case WARP_BALLOT: /* bit i is the predicate of lane i; "Non-membermask threads contribute 0" */
        r->d = term_band(s, group, term_mask(s, q));
        r->d_defined = term_bool(s, true);
        break;
    case WARP_OPS_BUT_VOTE:
        smt_defect("%s is no vote", w->info->name);
    }
}
