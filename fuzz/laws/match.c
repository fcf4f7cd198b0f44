/*
 * Laws of match.
 */
#include "fuzz/laws/law.h"

#include "model/lanes.h"

#include <string.h>

const char *law_match_equivalence(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_result r;
    *tried = warp_form_get(c->form)->op == WARP_ANY && law_provides(impl, LAW_D_AND_OUTCOME) && law_answer(impl, c, &r);
    for (lanemask left = *tried ? r.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if (!(r.d[lane] >> lane & 1u) || (r.d[lane] & ~group) != 0)
            return "match.any: a lane does not match itself, or matches outside its group";
        for (lanemask peer = r.d[lane]; peer != 0; peer &= peer - 1)
            if (r.d[__builtin_ctz(peer)] != r.d[lane])
                return "match.any: not an equivalence";
    }
    return NULL;
}

const char *law_match_all_any(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case all = *c, any = *c;
    struct warp_result x, y;
    bool wide = warp_form_get(c->form)->type == WARP_B64;
    *tried = law_provides(impl, LAW_D_AND_OUTCOME) &&
             law_with_form(&all, wide ? WARP_MATCH_ALL_SYNC_B64 : WARP_MATCH_ALL_SYNC_B32) &&
             law_with_form(&any, wide ? WARP_MATCH_ANY_SYNC_B64 : WARP_MATCH_ANY_SYNC_B32) &&
             law_answer(impl, &all, &x) && law_answer(impl, &any, &y);
    for (lanemask left = *tried ? x.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        lanemask group = lanes_group(c, lane);
        if (x.d[lane] != (y.d[lane] == group ? group : 0))
            return "match.all is not match.any with the whole group";
    }
    return NULL;
}

const char *law_match_halves(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case both = *c, low = *c, high = *c;
    struct warp_result x, y, z;
    memcpy(high.a, c->a_high, sizeof high.a);
    *tried = warp_form_get(c->form)->type == WARP_B64 && law_provides(impl, LAW_D_AND_OUTCOME) &&
             law_with_form(&both, WARP_MATCH_ANY_SYNC_B64) && law_with_form(&low, WARP_MATCH_ANY_SYNC_B32) &&
             law_with_form(&high, WARP_MATCH_ANY_SYNC_B32) && law_answer(impl, &both, &x) &&
             law_answer(impl, &low, &y) && law_answer(impl, &high, &z);
    for (lanemask left = *tried ? x.done : 0; left != 0; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        if (x.d[lane] != (y.d[lane] & z.d[lane]))
            return "match.any.b64 is not match.any of both halves";
    }
    return NULL;
}
