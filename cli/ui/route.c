#include "cli/ui/route.h"

struct route shfl_route(const struct warp_case *c, enum warp_op op, int lane)
{
    int bval = (int)(c->b[lane] & 31u);
    int cval = (int)(c->c[lane] & 31u);
    int segmask = (int)(c->c[lane] >> 8 & 31u);
    struct route r = {(lane & segmask) | (cval & ~segmask & 31), lane & segmask, 0, false};
    switch (op) {
    case WARP_UP:
        r.j = lane - bval;
        break;
    case WARP_DOWN:
        r.j = lane + bval;
        break;
    case WARP_BFLY:
        r.j = lane ^ bval;
        break;
    default:
        r.j = r.min_lane | (bval & ~segmask & 31);
        break;
    }
    r.pval = op == WARP_UP ? r.j >= r.max_lane : r.j <= r.max_lane;
    return r;
}
