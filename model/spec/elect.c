/* [elect.sync: Description] "elects one predicated active leader thread from among a set of threads specified by
 * membermask." */
#include "spec.h"

/*
 * "laneid of the elected thread is returned in the 32-bit destination operand d [...]. The predicate destination p is
 * set to True for the leader thread, and False for all other threads."
 *
 * Which thread is the leader is not said; the answer here is the lowest one, and comparisons take any other of the
 * group (docs/ambiguities.md). "The same leader thread is elected for the same membermask every time": it follows from
 * the group alone.
 */
static void elect_group(const struct spec_warp *w, struct warp_result *r, unsigned leader)
{
    write_d_of_lanes(w, r, w->group[leader], leader);
    write_p(w, r, leader, true);
}

void spec_elect(const struct spec_warp *w, struct warp_result *r)
{
    for (lanemask leaders = group_leaders(w); leaders != 0; leaders &= leaders - 1)
        elect_group(w, r, (unsigned)__builtin_ctz(leaders));
}
