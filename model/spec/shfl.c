/* [shfl.sync: Semantics] and [shfl: Semantics]: the same pseudo-code, after waiting or without. The names are the
 * manual's. */
#include "spec.h"

/* pval, and the source lane. `mode` is a constant in each call: the loop over lanes does not look at it. */
static inline bool source_lane(enum warp_op mode, int lane, uint32_t b, uint32_t c, int *source)
{
    const int bval = b & 0x1f;         /* bval[4:0] = b[4:0]: source lane or lane offset (0..31) */
    const int cval = c & 0x1f;         /* cval[4:0] = c[4:0]: clamp value */
    const int segmask = c >> 8 & 0x1f; /* segmask[4:0] = c[12:8] */
    const int not_segmask = ~segmask & 0x1f;
    const int maxLane = (lane & segmask) | (cval & not_segmask);
    const int minLane = lane & segmask;
    int j = 0;
    bool pval = false;

    switch (mode) {
    case WARP_UP:
        j = lane - bval;
        pval = j >= maxLane;
        break;
    case WARP_DOWN:
        j = lane + bval;
        pval = j <= maxLane;
        break;
    case WARP_BFLY:
        j = lane ^ bval;
        pval = j <= maxLane;
        break;
    case WARP_IDX:
        j = minLane | (bval & not_segmask);
        pval = j <= maxLane;
        break;
    case WARP_OPS_BUT_SHFL:
        break;
    }
    *source = pval ? j : lane; /* copy from own lane */
    return pval;
}

/* The source lane of each lane; returns the lanes whose pval is true. */
static inline lanemask source_lanes(enum warp_op mode, const struct warp_case *c, int j[WARP_LANES])
{
    lanemask pval = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        pval |= source_lane(mode, lane, c->b[lane], c->c[lane], &j[lane]) ? lanemask_eq[lane] : 0;
    return pval;
}

/* "a thread sources a register from an inactive thread or a thread that is not in membermask": the result is
 * unpredictable. */
static void copy_sources(const struct spec_warp *w, struct warp_result *r, const int j[WARP_LANES])
{
    uint32_t source[WARP_LANES];
    lanemask predictable = 0;
    if (!w->writes_d)
        return;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        source[lane] = w->c->a[j[lane]]; /* d = SourceA[j] */
        predictable |= lane_in(w->group[lane], (unsigned)j[lane]) ? lanemask_eq[lane] : 0;
    }
    predictable &= w->done;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        r->d[lane] = lane_in(predictable, lane) ? source[lane] : r->d[lane];
    r->d_defined |= predictable;
}

void spec_shfl(const struct spec_warp *w, struct warp_result *r)
{
    int j[WARP_LANES];
    lanemask pval = 0;
    switch (w->info->op) {
    case WARP_UP:
        pval = source_lanes(WARP_UP, w->c, j);
        break;
    case WARP_DOWN:
        pval = source_lanes(WARP_DOWN, w->c, j);
        break;
    case WARP_BFLY:
        pval = source_lanes(WARP_BFLY, w->c, j);
        break;
    case WARP_IDX:
        pval = source_lanes(WARP_IDX, w->c, j);
        break;
    case WARP_OPS_BUT_SHFL:
        return;
    }
    copy_sources(w, r, j);
    write_p_of_lanes(w, r, pval & w->done, true);
}
