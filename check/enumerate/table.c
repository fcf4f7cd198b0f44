#include "check/enumerate/lanes.h"

#include <string.h>

static const struct enumeration *const tables[] = {enumerations_of_shfl,  enumerations_of_vote,  enumerations_of_match,
                                                   enumerations_of_redux, enumerations_of_elect, enumerations_of_masks};

const struct enumeration *enumeration_get(size_t i)
{
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (const struct enumeration *e = tables[t]; e->name != NULL; e++)
            if (i-- == 0)
                return e;
    return NULL;
}

unsigned placement_lane(unsigned k, unsigned placement, unsigned i)
{
    switch (placement) {
    case 0:
        return i;
    case 1:
        return 13 + i; /* across the middle of the warp, no multiple of a power of two */
    case 2:
        return WARP_LANES - k + i;
    default:
        return i * (WARP_LANES / k) + 1;
    }
}

void case_begin(struct warp_case *c, uint32_t form, uint32_t target, uint32_t dst)
{
    memset(c, 0, sizeof *c);
    c->form = form;
    c->target = target;
    c->dst = dst;
}

void case_set_plan(struct warp_case *c, const struct lane_plan *plan)
{
    c->active = plan->active;
    c->exited = plan->exited;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = plan->other >> lane & 1u ? plan->other : plan->named;
}
