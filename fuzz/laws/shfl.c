/*
 * Laws of shfl, and of .sync against the older forms.
 */
#include "fuzz/laws/law.h"

#include <string.h>

const char *law_meaningless_bits(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case other = *c;
    struct warp_result x, y;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        other.b[lane] ^= 0xffffffe0u;
        other.c[lane] ^= 0xffffe0e0u;
    }
    *tried = law_provides(impl, LAW_D_AND_OUTCOME) && law_answer(impl, c, &x) && law_answer(impl, &other, &y);
    return !*tried || warp_result_compare(c, &x, &y, impl->provides, NULL)
               ? NULL
               : "bits of b or c outside b[4:0], c[4:0], c[12:8] matter";
}

const char *law_moves_data(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case other = *c;
    struct warp_result x, y;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        other.a[lane] = ~c->a[lane];
    *tried = law_provides(impl, LAW_D_AND_OUTCOME) && law_answer(impl, c, &x) && law_answer(impl, &other, &y);
    if (!*tried)
        return NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        y.d[lane] = ~y.d[lane];
    return warp_result_compare(c, &x, &y, impl->provides, NULL)
               ? NULL
               : "shfl of the complement is not the complement of shfl";
}

/* bfly twice with one b and a clamp of 31 gives a back, wherever both reads are predictable. */
const char *law_bfly_twice(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case twice = *c;
    struct warp_result x, y;
    lanemask both;
    *tried = warp_form_get(c->form)->op == WARP_BFLY && law_provides(impl, LAW_D_AND_OUTCOME);
    if (!*tried)
        return NULL;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        twice.b[lane] = c->b[0];
        twice.c[lane] = 0x1f;
    }
    if (!law_answer(impl, &twice, &x))
        return NULL;
    memcpy(twice.a, x.d, sizeof twice.a);
    if (!law_answer(impl, &twice, &y))
        return NULL;
    both = x.done & x.d_defined;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (!(x.d_defined >> (lane ^ (c->b[0] & 31u)) & 1u))
            both &= ~(1u << lane);
    return (law_differing(y.d, c->a) & both & y.d_defined) == 0 ? NULL : "bfly is not its own inverse";
}

/* Without other groups .sync is what the older form does. */
const char *law_sync_is_plain(const struct warp_impl *impl, const struct warp_case *c, bool *tried)
{
    struct warp_case sync = *c, plain = *c;
    struct warp_result x, y;
    const struct warp_form_info *info = warp_form_get(c->form);
    plain.form = c->form + (info->family == WARP_SHFL_SYNC ? WARP_SHFL_UP_B32 - WARP_SHFL_SYNC_UP_B32
                                                           : WARP_VOTE_ALL_PRED - WARP_VOTE_SYNC_ALL_PRED);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        sync.membermask[lane] = c->active;
    plain.target = sync.target = WARP_TARGET(30, 0);
    warp_case_repair(&plain);
    *tried = law_provides(impl, LAW_D_AND_OUTCOME) && law_answer(impl, &sync, &x) && law_answer(impl, &plain, &y);
    return !*tried || warp_result_compare(&sync, &x, &y, impl->provides, NULL)
               ? NULL
               : "with all active lanes as members .sync differs";
}
