#include "gpu/recording/lanes.h"

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

lanemask lanes_group(const struct warp_case *c, unsigned lane)
{
    return warp_form_is_sync(warp_form_get(c->form)) ? c->membermask[lane] & ~c->exited : c->active;
}

/* The lane that shfl reads, after the manual's pseudo-code; the own lane when it is out of range. */
static unsigned source_lane(enum warp_op op, unsigned lane, uint32_t b, uint32_t c)
{
    const unsigned bval = b & 31u;
    const unsigned segmask = c >> 8 & 31u;
    const unsigned max_lane = (lane & segmask) | (c & 31u & ~segmask);
    const unsigned min_lane = lane & segmask;
    unsigned j = lane;
    bool in_range = false;
    switch (op) {
    case WARP_UP:
        j = lane - bval;
        in_range = (int)lane - (int)bval >= (int)max_lane;
        break;
    case WARP_DOWN:
        j = lane + bval;
        in_range = j <= max_lane;
        break;
    case WARP_BFLY:
        j = lane ^ bval;
        in_range = j <= max_lane;
        break;
    default:
        j = min_lane | (bval & ~segmask);
        in_range = j <= max_lane;
        break;
    }
    return in_range ? j : lane;
}

unsigned lanes_source(const struct warp_case *c, unsigned lane)
{
    return source_lane(warp_form_get(c->form)->op, lane, c->b[lane], c->c[lane]);
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
