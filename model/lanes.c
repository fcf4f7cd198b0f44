#include "model/lanes.h"

/* The active lanes that execute the instruction with this membermask. */
static lanemask arrived(const struct warp_case *c, lanemask membermask)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (c->membermask[lane] == membermask)
            lanes |= 1u << lane;
    return lanes & c->active;
}

lanemask lanes_not_done(const struct warp_case *c)
{
    lanemask lanes = 0;
    if (!warp_form_is_sync(warp_form_get(c->form)))
        return 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const lanemask members = c->membermask[lane];
        const lanemask awaited = members & ~c->exited & ~arrived(c, members);
        if (!(members >> lane & 1u) || awaited != 0)
            lanes |= 1u << lane;
    }
    return lanes & c->active;
}

unsigned lanes_source(const struct warp_case *c, unsigned lane)
{
    const struct shfl_source s = shfl_source_of(warp_form_get(c->form)->op, lane, c->b[lane], c->c[lane]);
    return s.pval ? (unsigned)s.j : lane;
}

lanemask lanes_predictable(const struct warp_case *c)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    lanemask lanes = 0;
    if (!warp_form_writes_d(info, c->dst))
        return 0;
    if (!warp_form_is_shfl(info))
        return c->active;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (lanes_group(c, lane) >> lanes_source(c, lane) & 1u) << lane;
    return lanes & c->active;
}
