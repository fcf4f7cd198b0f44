#include "model/lanes.h"

#include <stdio.h>

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

char *lanes_ranges(lanemask lanes, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (unsigned lane = 0; lane < WARP_LANES && used + 8 < size; lane++) {
        unsigned last = lane;
        if (!(lanes >> lane & 1u))
            continue;
        while (last + 1 < WARP_LANES && (lanes >> (last + 1) & 1u))
            last++;
        used += (size_t)snprintf(text + used, size - used, last > lane ? "%s%u-%u" : "%s%u", used > 0 ? "," : "", lane,
                                 last);
        lane = last;
    }
    return text;
}

char *lanes_text(lanemask lanes, char *text, size_t size)
{
    if (lanes == 0 || lanes == UINT32_MAX) {
        snprintf(text, size, "%s", lanes ? "all lanes" : "no lane");
        return text;
    }
    const int used = snprintf(text, size, "lane%s ", (lanes & (lanes - 1)) == 0 ? "" : "s");
    lanes_ranges(lanes, text + used, size - (size_t)used);
    return text;
}
