#include "smt/encode/encode.h"

void encode_match(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term own = term_of_lane(s, w->a, lane);
    term same[WARP_LANES];
    /* "broadcast and compare of operand a across all non-exited threads in membermask" */
    for (unsigned k = 0; k < WARP_LANES; k++)
        same[k] = term_eq(s, w->a[k], own);
    r->d_defined = term_bool(s, true);
    if (w->info->op == WARP_ANY) { /* "mask of non-exited threads in membermask that have same value of operand a" */
        r->d = term_band(s, r->group, term_mask(s, same));
        return;
    }
    /* "mask corresponding to non-exited threads in membermask if all [...] have same value of operand a; otherwise 0"
     */
    r->p = term_each_in(s, r->group, same);
    r->d = term_ite(s, r->p, r->group, term_word(s, 0));
}
