/*
 * Mistakes about who takes part: membermask, groups, exited lanes, waiting; and activemask.
 */
#include "base.h"

static bool is_sync(const struct warp_case *c)
{
    return warp_form_is_sync(warp_form_get(c->form));
}

static void membermask_ignored(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    arrival->group = c->active;
}

static void membermask_unread(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    (void)lane;
    arrival->outcome = DONE;
    arrival->group = c->active;
    arrival->waits_for = 0;
}

static void groups_mixed(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    struct warp_case same = *c;
    unsigned first = 0;
    while (!in_mask(c->active, first))
        first++;
    for (unsigned other = 0; is_sync(c) && other < WARP_LANES; other++)
        same.membermask[other] = c->membermask[first];
    base_arrive(&same, lane, arrival);
}

static void exited_awaited(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (is_sync(c) && arrival->outcome == DONE && (c->membermask[lane] & c->exited) != 0) {
        arrival->outcome = WAITING;
        arrival->waits_for = c->membermask[lane] & c->exited;
    }
}

/* Lanes that have exited are like lanes that are elsewhere. */
static void exited_missing(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    struct warp_case none = *c;
    none.exited = 0;
    base_arrive(&none, lane, arrival);
}

static void exited_missing_70(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    (c->target < 700 ? base_arrive : exited_missing)(c, lane, arrival);
}

static void exited_first(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (is_sync(c) && in_mask(c->membermask[lane], lane) && (c->membermask[lane] & c->exited) != 0) {
        arrival->outcome = WAITING;
        arrival->waits_for |= c->membermask[lane] & c->exited;
    }
}

static void never_waits(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (arrival->outcome == WAITING) {
        arrival->outcome = DONE;
        arrival->group &= c->active;
    }
}

static void any_mask_arrives(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    arrival->waits_for &= ~c->active;
    if (arrival->outcome == WAITING && arrival->waits_for == 0)
        arrival->outcome = DONE;
}

/* Every lane has the membermask of this one. */
static void any_mask_is_one(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    struct warp_case same = *c;
    for (unsigned other = 0; is_sync(c) && other < WARP_LANES; other++)
        same.membermask[other] = c->membermask[lane];
    base_arrive(&same, lane, arrival);
}

static void inactive_mask_arrives(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (c->membermask[other] == c->membermask[lane])
            arrival->waits_for &= ~((lanemask)1 << other);
    if (arrival->outcome == WAITING && arrival->waits_for == 0)
        arrival->outcome = DONE;
}

static void outside_runs(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (is_sync(c) && !in_mask(c->membermask[lane], lane))
        arrival->outcome = DONE;
}

static void outside_waits(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (is_sync(c) && !in_mask(c->membermask[lane], lane)) {
        arrival->outcome = WAITING;
        arrival->waits_for = c->membermask[lane] & ~c->exited;
    }
}

/* It adds itself to the membermask of its group. */
static void outside_joins(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    struct warp_case in = *c;
    for (unsigned other = 0; is_sync(c) && other < WARP_LANES; other++)
        if (c->membermask[other] == c->membermask[lane])
            in.membermask[other] |= UINT32_C(1) << lane;
    base_arrive(in_mask(c->membermask[lane], lane) ? c : &in, lane, arrival);
}

static void old_targets_wait(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (arrival->outcome == UNDEFINED && arrival->waits_for != 0)
        arrival->outcome = WAITING;
}

static void new_targets_converge(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (arrival->outcome == WAITING)
        arrival->outcome = UNDEFINED;
}

static void exited_take_part(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (is_sync(c))
        arrival->group = c->membermask[lane];
}

static void legacy_all_take_part(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (!is_sync(c))
        arrival->group = ~c->exited;
}

static void activemask_not_exited(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                                  struct answer *r)
{
    (void)s;
    (void)lane;
    (void)group;
    r->d = ~c->exited;
}

static void activemask_prefix(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                              struct answer *r)
{
    (void)s;
    (void)lane;
    (void)group;
    r->d = 0;
    for (unsigned other = 0; other < WARP_LANES; other++)
        if (in_mask(c->active, other))
            r->d = r->d << 1 | 1u;
}

static void activemask_full(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    (void)s;
    (void)c;
    (void)lane;
    (void)group;
    r->d = UINT32_MAX;
}

const struct mutant mutants_of_masks[] = {
    {"membermask-ignored", "the group is all active lanes", {.arrive = membermask_ignored}, 0, NULL},
    {"membermask-unread",
     "membermask not looked at: nobody waits, nothing is undefined",
     {.arrive = membermask_unread},
     0,
     NULL},
    {"groups-mixed", "one membermask, the first lane's, for all lanes", {.arrive = groups_mixed}, 0, NULL},
    {"exited-awaited", "waits for lanes that have exited", {.arrive = exited_awaited}, 0, NULL},
    {"exited-missing", "lanes that have exited count as missing", {.arrive = exited_missing}, 0, NULL},
    {"exited-missing-70", "the same from sm_70 on alone", {.arrive = exited_missing_70}, 0, NULL},
    {"exited-first", "waits for lanes that have exited before all else", {.arrive = exited_first}, 0, NULL},
    {"never-waits", "does not wait for lanes that are elsewhere", {.arrive = never_waits}, 0, NULL},
    {"any-mask-arrives", "a lane with another membermask counts as arrived", {.arrive = any_mask_arrives}, 0, NULL},
    {"any-mask-is-one", "membermasks are not compared", {.arrive = any_mask_is_one}, 0, NULL},
    {"inactive-mask-arrives",
     "a lane that does not execute counts as arrived by its register",
     {.arrive = inactive_mask_arrives},
     0,
     NULL},
    {"outside-runs", "a lane outside its own membermask executes", {.arrive = outside_runs}, 0, NULL},
    {"outside-waits", "a lane outside its own membermask waits", {.arrive = outside_waits}, 0, NULL},
    {"outside-joins", "a lane outside its own membermask joins its lanes", {.arrive = outside_joins}, 0, NULL},
    {"old-targets-wait", "up to sm_6x: waits where it is undefined", {.arrive = old_targets_wait}, 0, NULL},
    {"new-targets-converge", "from sm_70 on: undefined where it waits", {.arrive = new_targets_converge}, 0, NULL},
    {"exited-take-part",
     "exited lanes of the membermask take part with old registers",
     {.arrive = exited_take_part},
     0,
     NULL},
    {"legacy-all-take-part",
     "without .sync: lanes that are elsewhere take part",
     {.arrive = legacy_all_take_part},
     0,
     NULL},
    {"activemask-not-exited",
     "activemask: lanes that are elsewhere counted in",
     {.activemask = activemask_not_exited},
     0,
     NULL},
    {"activemask-prefix",
     "activemask: as if the active lanes were the first ones",
     {.activemask = activemask_prefix},
     0,
     NULL},
    {"activemask-full", "activemask: always all lanes", {.activemask = activemask_full}, 0, NULL},
    {0},
};
