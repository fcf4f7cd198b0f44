/*
 * Laws of vote.
 */
#include "fuzz/laws/law.h"

#include "model/lanes.h"

/* The answers of one vote on c with another operation. */
static bool vote(const struct warp_impl *impl, const struct warp_case *c, enum warp_op op, bool negate,
                 struct warp_result *r)
{
    struct warp_case other = *c;
    uint32_t first = warp_form_get(c->form)->family == WARP_VOTE ? WARP_VOTE_ALL_PRED : WARP_VOTE_SYNC_ALL_PRED;
    other.form = first + (uint32_t)(op - WARP_ALL);
    other.negate = c->negate ^ negate;
    return law_provides(impl, LAW_D_AND_OUTCOME | WARP_PART_P) &&
           warp_legal_from(warp_form_get(other.form), other.target) != 0 && law_answer(impl, &other, r);
}

const char *law_vote_de_morgan(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result any, all;
    *tried = vote(impl, c, WARP_ANY, false, &any) && vote(impl, c, WARP_ALL, true, &all);
    return !*tried || ((any.p ^ ~all.p) & any.done) == 0 ? NULL : "any(a) is not !all(!a)";
}

const char *law_vote_uni(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result uni, all, none;
    *tried = vote(impl, c, WARP_UNI, false, &uni) && vote(impl, c, WARP_ALL, false, &all) &&
             vote(impl, c, WARP_ALL, true, &none);
    return !*tried || ((uni.p ^ (all.p | none.p)) & uni.done) == 0 ? NULL : "uni(a) is not all(a) or all(!a)";
}

const char *law_vote_ballot(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result yes, no, all, any;
    *tried = vote(impl, c, WARP_BALLOT, false, &yes) && vote(impl, c, WARP_BALLOT, true, &no) &&
             vote(impl, c, WARP_ALL, false, &all) && vote(impl, c, WARP_ANY, false, &any);
    if (!*tried)
        return NULL;
    for (lanemask left = yes.done; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if ((yes.d[lane] & no.d[lane]) != 0 || (yes.d[lane] | no.d[lane]) != group)
            return "ballot(a) and ballot(!a) do not split the group";
        if ((all.p >> lane & 1u) != (yes.d[lane] == group) || (any.p >> lane & 1u) != (yes.d[lane] != 0))
            return "all or any differs from ballot";
    }
    return NULL;
}
