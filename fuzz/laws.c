/*
 * The list of laws, and what they share.
 */
#include "fuzz/laws.h"

#include "fuzz/laws/law.h"

#include <string.h>

bool law_answer(const struct warp_impl *impl, const struct warp_case *c, struct warp_result *r)
{
    char error[64];
    memset(r, 0xa5, sizeof *r);
    return warp_impl_accepts(impl, c, NULL, 0) && impl->eval(impl->state, c, 1, r, error, sizeof error);
}

bool law_provides(const struct warp_impl *impl, uint32_t parts)
{
    return (impl->provides & parts) == parts;
}

bool law_with_form(struct warp_case *c, uint32_t form)
{
    c->form = form;
    c->dst = WARP_DST_D;
    if (warp_legal_from(warp_form_get(form), c->target) == 0)
        return false;
    warp_case_repair(c);
    return true;
}

lanemask law_differing(const uint32_t x[WARP_LANES], const uint32_t y[WARP_LANES])
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (lanemask)(x[lane] != y[lane]) << lane;
    return lanes;
}

#define SHFL  (WARP_FAMILY_BIT(WARP_SHFL) | WARP_FAMILY_BIT(WARP_SHFL_SYNC))
#define VOTE  (WARP_FAMILY_BIT(WARP_VOTE) | WARP_FAMILY_BIT(WARP_VOTE_SYNC))
#define SYNC  (WARP_FAMILY_BIT(WARP_SHFL_SYNC) | WARP_FAMILY_BIT(WARP_VOTE_SYNC))
#define MATCH WARP_FAMILY_BIT(WARP_MATCH_SYNC)
#define REDUX WARP_FAMILY_BIT(WARP_REDUX_SYNC)

static const struct law laws[] = {
    {"inactive-lanes", "operands of lanes that are not active do not matter", WARP_FAMILY_ALL, law_inactive_lanes},
    {"meaningless-bits", "only b[4:0], c[4:0] and c[12:8] matter", SHFL, law_meaningless_bits},
    {"moves-data", "shfl(~a) = ~shfl(a), and p does not depend on a", SHFL, law_moves_data},
    {"bfly-twice", "bfly is its own inverse", SHFL, law_bfly_twice},
    {"sync-is-plain", "with all active lanes as members .sync is the older form", SYNC, law_sync_is_plain},
    {"vote-de-morgan", "any(a) = !all(!a)", VOTE, law_vote_de_morgan},
    {"vote-uni", "uni(a) = all(a) or all(!a)", VOTE, law_vote_uni},
    {"vote-ballot", "ballot(a), ballot(!a) split the group; all and any follow from ballot", VOTE, law_vote_ballot},
    {"match-equivalence", "match.any is an equivalence on each group", MATCH, law_match_equivalence},
    {"match-all-any", "match.all = match.any with the whole group", MATCH, law_match_all_any},
    {"match-halves", "match.any.b64 = match.any of the low halves and of the high halves", MATCH, law_match_halves},
    {"redux-integers", "add, min, max, and, or of integers follow from each other", REDUX, law_redux_integers},
    {"redux-floats", "min(x) = -max(-x)", REDUX, law_redux_floats},
    {"redux-uniform", "all lanes of a group get the same", REDUX, law_redux_uniform},
    {"redux-butterfly", "redux of a full warp is the butterfly of five shfl", REDUX, law_redux_butterfly},
    {"activemask-ballot", "activemask = ballot of true", WARP_FAMILY_BIT(WARP_ACTIVEMASK), law_activemask_ballot}};

const struct law *law_get(size_t i)
{
    return i < sizeof laws / sizeof laws[0] ? &laws[i] : NULL;
}
