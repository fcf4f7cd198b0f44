/*
 * Where a lane of shfl reads, for drawings: the manual's numbers in between. Nothing is judged by them.
 */
#ifndef WARPCHECK_CLI_UI_ROUTE_H
#define WARPCHECK_CLI_UI_ROUTE_H

#include "warpcheck/warp.h"

/* shfl's intermediate numbers, in the manual's names ([shfl.sync: Semantics]). */
struct route {
    int max_lane, min_lane, j;
    bool pval;
};

struct route shfl_route(const struct warp_case *c, enum warp_op op, int lane);

#endif
