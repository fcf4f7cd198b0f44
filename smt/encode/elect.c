#include "smt/encode/encode.h"

/*
 * "elects one predicated active leader thread from among a set of threads specified by membermask": the lowest
 * preferred lane of the group, or its lowest lane where it has no preferred one. So each lane of each group can be the
 * leader, in any combination, and what is proved is proved of any choice.
 */
void encode_elect(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r)
{
    term in[WARP_LANES], wanted[WARP_LANES], some, leader = term_word(s, WARP_LANES - 1u);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        in[k] = term_in(s, term_word(s, k), r->group);
        wanted[k] = term_and(s, in[k], term_in(s, term_word(s, k), w->preferred));
    }
    some = term_any(s, wanted, WARP_LANES);
    for (unsigned k = WARP_LANES; k-- > 0;)
        leader = term_ite(s, term_ite(s, some, wanted[k], in[k]), term_word(s, k), leader);
    r->d = leader; /* "laneid of the elected thread is returned in the 32-bit destination operand d" */
    r->d_defined = term_bool(s, true);
    r->p = term_eq(s, lane, leader); /* "set to True for the leader thread, and False for all other threads" */
}
