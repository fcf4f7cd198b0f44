/*
 * Laws of all instructions, and of activemask.
 */
#include "fuzz/laws/law.h"

const char *law_inactive_lanes(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case other = *c;
    struct warp_result x, y;
    uint32_t parts = impl->provides;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(c->active >> lane & 1u)) {
            other.a[lane] = ~c->a[lane];
            other.a_high[lane] = ~c->a_high[lane];
            other.b[lane] = ~c->b[lane];
            other.c[lane] = c->c[lane] ^ 0x101fu;
            other.membermask[lane] = c->active;
        }
    warp_case_repair(&other);
    *tried = c->active != UINT32_MAX && law_provides(impl, WARP_PART_OUTCOME) && law_answer(impl, c, &x) &&
             law_answer(impl, &other, &y);
    if (*tried && !law_provides(impl, WARP_PART_D_DEFINED))
        parts &= ~WARP_PART_D; /* a d that is unpredictable may come from there */
    return !*tried || warp_result_compare(c, &x, &y, parts, NULL) ? NULL
                                                                  : "operands of a lane that is not active matter";
}

const char *law_activemask_ballot(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case ballot = *c;
    struct warp_result x, y;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        ballot.a[lane] = 1;
    ballot.form = WARP_VOTE_BALLOT_B32;
    ballot.target = WARP_TARGET(30, 0);
    *tried = law_provides(impl, LAW_D_AND_OUTCOME) && law_answer(impl, c, &x) && law_answer(impl, &ballot, &y);
    return !*tried || (law_differing(x.d, y.d) & c->active) == 0 ? NULL : "activemask is not the ballot of true";
}
