/* [bar.warp.sync: Description] "will cause executing thread to wait until all threads corresponding to membermask have
 * executed a bar.warp.sync with the same membermask value": spec_wait has said which threads wait, for which others,
 * and which are done. */
#include "spec.h"

/* It gives no value: "bar.warp.sync membermask;" has no destination. The memory that it orders is no part of a case. */
void spec_bar_warp(const struct spec_warp *w, struct warp_result *r)
{
    (void)w;
    (void)r;
}
