/* [activemask: Constraints] "Active, predicated-on threads contribute 1; exited, inactive, or predicated-off threads
 * 0." */
#include "spec.h"

void spec_activemask(const struct spec_warp *w, struct warp_result *r)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(w->done, lane))
            write_d(w, r, lane, w->c->active);
}
