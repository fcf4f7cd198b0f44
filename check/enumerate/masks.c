/*
 * Masks of whole warps: activemask, and every prefix, suffix, single lane and missing lane for all that has a
 * membermask.
 */
#include "check/enumerate/lanes.h"

#define WINDOW       8u
#define WINDOW_PLANS 6561u /* 3 ^ WINDOW */

static uint64_t activemask_count(void)
{
    return (uint64_t)WINDOW_PLANS * PLACEMENTS * 2u;
}

static void make_activemask(uint64_t index, struct warp_case *c)
{
    const uint32_t placement = take_digit(&index, PLACEMENTS);
    const bool others_active = take_digit(&index, 2) != 0;
    case_begin(c, WARP_ACTIVEMASK_B32, WARP_TARGET(70, 0), WARP_DST_D);
    c->active = others_active ? UINT32_MAX : 0;
    for (unsigned i = 0; i < WINDOW; i++) {
        const lanemask bit = (lanemask)1 << placement_lane(WINDOW, placement, i);
        const uint32_t state = take_digit(&index, 3);
        c->active = state == 0 ? c->active | bit : c->active & ~bit;
        c->exited |= state == 1 ? bit : 0;
    }
}

/* The .sync forms in the order of the table; NULL past the last. */
static const struct warp_form_info *sync_form(uint32_t number)
{
    for (uint32_t form = 0; form < WARP_FORMS; form++)
        if (warp_form_is_sync(warp_form_get(form)) && number-- == 0)
            return warp_form_get(form);
    return NULL;
}

/* The least target on which lanes wait and for which the form is legal. */
static uint32_t waiting_target(const struct warp_form_info *info)
{
    const struct warp_target_info *t;
    for (size_t i = 0; (t = warp_target_get(i)) != NULL; i++)
        if (!warp_target_needs_convergence(t->target) && warp_legal_from(info, t->target) != 0)
            return t->target;
    return 0;
}

/* Patterns of lanes: all but one, one, the first n, the last n. */
#define SHAPES 4u
static lanemask shaped_mask(uint32_t shape, uint32_t n)
{
    switch (shape) {
    case 0:
        return ~((lanemask)1 << n);
    case 1:
        return (lanemask)1 << n;
    case 2:
        return UINT32_MAX >> (31u - n);
    default:
        return UINT32_MAX << (31u - n);
    }
}

/* The lanes that the pattern leaves out. */
enum rest {
    REST_ELSEWHERE,
    REST_EXITED,
    REST_EXITED_NAMED,
    REST_WAITED_FOR,
    REST_OTHER_GROUP,       /* active, with a membermask of their own */
    REST_OTHER_GROUP_NAMED, /* the same, and the group waits for them */
    REST_OUTSIDE,           /* active with the group's membermask, which does not name them */
    RESTS
};

static void set_masks(struct warp_case *c, lanemask group, enum rest rest)
{
    struct lane_plan plan = {.named = group, .active = group};
    if (rest == REST_EXITED || rest == REST_EXITED_NAMED)
        plan.exited = ~group;
    if (rest == REST_EXITED_NAMED || rest == REST_WAITED_FOR || rest == REST_OTHER_GROUP_NAMED)
        plan.named = UINT32_MAX;
    if (rest == REST_OTHER_GROUP || rest == REST_OTHER_GROUP_NAMED)
        plan.other = ~group;
    if (rest >= REST_OTHER_GROUP)
        plan.active = UINT32_MAX;
    case_set_plan(c, &plan);
}

/* Values: all alike in the group and different outside; all different; alike everywhere but in the group's first lane.
 */
#define FILLS 3u
static void set_fill(struct warp_case *c, uint32_t fill, lanemask group)
{
    const struct warp_form_info *info = warp_form_get(c->form);
    const lanemask first = group & (~group + 1u);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        const uint32_t odd = fill == 0 ? ~group >> lane & 1u : first >> lane & 1u;
        const uint32_t value = fill == 1 ? lane * 0x01010101u : odd;
        c->a[lane] = info->type == WARP_NO_SOURCE ? 0 : info->type == WARP_PRED ? value & 1u : value;
        c->a_high[lane] = info->type == WARP_B64 ? value ^ 1u : 0;
        c->b[lane] = warp_form_is_shfl(info) ? fill + 1u : 0;
        c->c[lane] = warp_form_is_shfl(info) && info->op != WARP_UP ? 31u : 0;
    }
}

static uint64_t membership_count(void)
{
    uint32_t forms = 0;
    while (sync_form(forms) != NULL)
        forms++;
    return (uint64_t)forms * SHAPES * WARP_LANES * RESTS * FILLS;
}

static void make_membership(uint64_t index, struct warp_case *c)
{
    const uint32_t shape = take_digit(&index, SHAPES);
    const lanemask group = shaped_mask(shape, take_digit(&index, WARP_LANES));
    const enum rest rest = (enum rest)take_digit(&index, RESTS);
    const uint32_t fill = take_digit(&index, FILLS);
    const struct warp_form_info *info = sync_form((uint32_t)index);
    case_begin(c, info->form, waiting_target(info), warp_form_widest_dst(info));
    set_masks(c, group, rest);
    set_fill(c, fill, group);
}

const struct enumeration enumerations_of_masks[] = {
    {"activemask-states",
     "every state (active, exited, elsewhere) of 8 lanes, 4 places, 2 surroundings: complete for 8 lanes",
     FAMILY(WARP_ACTIVEMASK), "cases", 1, activemask_count, make_activemask},
    {"membership",
     "every prefix, suffix, single lane and missing lane as group, 7 states of the other lanes, every .sync form: "
     "bounded (3 fills)",
     FAMILY(WARP_SHFL_SYNC) | FAMILY(WARP_VOTE_SYNC) | FAMILY(WARP_MATCH_SYNC) | FAMILY(WARP_REDUX_SYNC) |
         FAMILY(WARP_BAR_WARP) | FAMILY(WARP_ELECT),
     "cases", 1, membership_count, make_membership},
    {0},
};
