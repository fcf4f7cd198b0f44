#include "smt/encode/encode.h"

/* "broadcast and compare of operand a across all non-exited threads in membermask": lane k has the own lane's value. */
static term same_value(struct smt *s, const struct smt_warp *w, unsigned k, term own)
{
    if (smt_faulty(s, SMT_FAULT_MATCH_TRUNCATES) && w->info->type == WARP_B64)
        return term_eq(s, term_extract(s, 31, 0, w->a[k]), term_extract(s, 31, 0, own));
    if (smt_faulty(s, SMT_FAULT_MATCH_BY_FLOAT) && w->info->type == WARP_B32)
        return term_float_eq(s, w->a[k], own);
    return term_eq(s, w->a[k], own);
}

void encode_match(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term own = term_of_lane(s, w->a, lane);
    term same[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        same[k] = same_value(s, w, k, own);
    r->d_defined = term_bool(s, true);
    if (w->info->op == WARP_ANY) { /* "mask of non-exited threads in membermask that have same value of operand a" */
        r->d = term_band(s, r->group, term_mask(s, same));
        if (smt_faulty(s, SMT_FAULT_MATCH_ANY_OUTSIDE))
            r->d = term_mask(s, same);
        return;
    }
    /* "mask corresponding to non-exited threads in membermask if all [...] have same value of operand a; otherwise 0"
     */
    r->p = term_each_in(s, r->group, same);
    r->d = term_ite(s, r->p, r->group, term_word(s, 0));
    if (smt_faulty(s, SMT_FAULT_MATCH_ALL_KEEPS_D))
        r->d = r->group;
}
