/* [shfl.sync: Semantics] and [shfl: Semantics]: the same pseudo-code, after waiting or without. The names are the
 * manual's. */
#include "spec.h"

/* "a thread sources a register from an inactive thread or a thread that is not in membermask": the result is
 * unpredictable. */
static void copy_source(const struct spec_warp *w, struct warp_result *r, unsigned lane, unsigned j)
{
    if (lane_in(w->group[lane], j))
        write_d(w, r, lane, w->c->a[j]); /* d = SourceA[j] */
}

static void shfl_lane(const struct spec_warp *w, struct warp_result *r, int lane)
{
    const uint32_t b = w->c->b[lane];
    const uint32_t c = w->c->c[lane];
    const int bval = b & 0x1f;         /* bval[4:0] = b[4:0]: source lane or lane offset (0..31) */
    const int cval = c & 0x1f;         /* cval[4:0] = c[4:0]: clamp value */
    const int segmask = c >> 8 & 0x1f; /* segmask[4:0] = c[12:8] */
    const int not_segmask = ~segmask & 0x1f;
    const int maxLane = (lane & segmask) | (cval & not_segmask);
    const int minLane = lane & segmask;
    int j = 0;
    bool pval = false;

    switch (w->info->op) {
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
    if (!pval)
        j = lane; /* copy from own lane */
    copy_source(w, r, (unsigned)lane, (unsigned)j);
    write_p(w, r, (unsigned)lane, pval);
}

void spec_shfl(const struct spec_warp *w, struct warp_result *r)
{
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(w->done, (unsigned)lane))
            shfl_lane(w, r, lane);
}
