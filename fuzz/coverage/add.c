/*
 * From a case to its buckets.
 */
#include "fuzz/coverage/internal.h"

#include "model/lanes.h"

#include <string.h>

static void group_buckets(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                          const struct warp_form_info *info, lanemask group)
{
    struct coverage_lanes lanes = {group, coverage_first_lane(group)};
    switch (info->family) {
    case WARP_VOTE_SYNC:
    case WARP_VOTE:
        coverage_vote(set, c, info, &lanes);
        break;
    case WARP_MATCH_SYNC:
        coverage_match(set, c, info, &lanes);
        break;
    case WARP_REDUX_SYNC:
        coverage_redux(set, c, r, info, &lanes);
        break;
    case WARP_ELECT:
        coverage_elect(set, c, &lanes);
        break;
    case WARP_SHFL_SYNC: /* lane by lane: coverage_shfl */
    case WARP_SHFL:
    case WARP_ACTIVEMASK: /* the state of the warp is all there is */
    case WARP_BAR_WARP:
    case WARP_FAMILIES:
        break;
    }
}

void coverage_clear(struct coverage_set *set)
{
    memset(set->words, 0, sizeof set->words);
    set->count = 0;
}

void coverage_add(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    coverage_state(set, c, r, info);
    if (warp_form_is_shfl(info)) {
        coverage_shfl(set, c, r, info);
        return;
    }
    for (lanemask left = r->done; left != 0;) {
        lanemask group = lanes_group(c, coverage_first_lane(left));
        if ((group & left) == 0)
            return;
        group_buckets(set, c, r, info, group);
        left &= ~group;
    }
}
