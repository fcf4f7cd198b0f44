#include "warpcheck/warp.h"

static lanemask differing(const uint32_t x[WARP_LANES], const uint32_t y[WARP_LANES])
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (lanemask)(x[lane] != y[lane]) << lane;
    return lanes;
}

bool warp_result_compare(const struct warp_case *c, const struct warp_result *reference,
                         const struct warp_result *observed, uint32_t parts, struct warp_diff *diff)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d_selected = warp_form_writes_d(info, c->dst);
    const bool p_selected = warp_form_writes_p(info, c->dst);
    lanemask done = reference->done;
    lanemask predictable = reference->d_defined;
    lanemask stray = 0; /* lanes that have no d and no p by either outcome */
    struct warp_diff found = {0};

    if (parts & WARP_PART_OUTCOME) {
        found.outcome = (reference->done ^ observed->done) | (reference->waiting ^ observed->waiting) |
                        (reference->undefined ^ observed->undefined);
        done &= observed->done;
        stray = ~(reference->done | observed->done);
        if (parts & WARP_PART_WAITS_FOR)
            found.waits_for =
                differing(reference->waits_for, observed->waits_for) & reference->waiting & observed->waiting;
    }
    if (d_selected && (parts & WARP_PART_D_DEFINED)) {
        found.d_defined = ((reference->d_defined ^ observed->d_defined) & done) | (observed->d_defined & stray);
        predictable &= observed->d_defined;
    }
    if (d_selected && (parts & WARP_PART_D))
        found.d = differing(reference->d, observed->d) & done & predictable;
    if (p_selected && (parts & WARP_PART_P))
        found.p = ((reference->p ^ observed->p) & done) | (observed->p & stray);
    if (diff != NULL)
        *diff = found;
    return (found.outcome | found.waits_for | found.d_defined | found.d | found.p) == 0;
}

lanemask warp_result_compared(const struct warp_case *c, const struct warp_result *reference,
                              const struct warp_result *observed, uint32_t parts)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const bool d_selected = warp_form_writes_d(info, c->dst);
    const bool p_selected = warp_form_writes_p(info, c->dst);
    lanemask done = c->active & reference->done;
    lanemask lanes = 0;
    if (parts & WARP_PART_OUTCOME) {
        lanes = c->active;
        done &= observed->done;
    }
    if ((d_selected && (parts & WARP_PART_D_DEFINED)) || (p_selected && (parts & WARP_PART_P)))
        lanes |= done;
    if (d_selected && (parts & WARP_PART_D))
        lanes |= done & reference->d_defined & (parts & WARP_PART_D_DEFINED ? observed->d_defined : ~(lanemask)0);
    return lanes;
}
