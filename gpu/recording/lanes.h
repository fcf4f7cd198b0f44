/* What of a case must be known before it may go to a device: whether every active lane is done, and which d are
 * predictable. */
#ifndef WARPCHECK_GPU_LANES_H
#define WARPCHECK_GPU_LANES_H

#include "warpcheck/warp.h"

/* The active lanes that are undefined or would wait: 0 when the case is safe to run. */
lanemask lanes_not_done(const struct warp_case *c);

/* The group of an active lane of a case in which every active lane is done. */
lanemask lanes_group(const struct warp_case *c, unsigned lane);

/* The lane that a lane's shfl reads (its own when out of range), after the manual's pseudo-code. */
unsigned lanes_source(const struct warp_case *c, unsigned lane);

/* The active lanes whose d is predictable, for a case in which every active lane is done; 0 where the form writes no d.
 */
lanemask lanes_predictable(const struct warp_case *c);

#endif
