/* [activemask: Constraints] "Active, predicated-on threads contribute 1; exited, inactive, or predicated-off threads
 * 0." */
#include "spec.h"

void spec_activemask(const struct spec_warp *w, struct warp_result *r)
{
    write_d_of_lanes(w, r, w->done, w->c->active);
}
