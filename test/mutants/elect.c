/*
 * Mistakes in elect, and one in bar.warp: who leads, and what the others are told.
 */
#include "base.h"

static unsigned lowest(lanemask lanes)
{
    unsigned lane = 0;
    while (lane < WARP_LANES - 1 && !in_mask(lanes, lane))
        lane++;
    return lane;
}

static void led_by(unsigned leader, unsigned lane, struct answer *r)
{
    r->d = leader;
    r->p = leader == lane;
}

static void first_active(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    (void)s;
    (void)group;
    led_by(lowest(c->active), lane, r);
}

static void lane_0(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    (void)s;
    (void)c;
    (void)group;
    led_by(0, lane, r);
}

static void exited_leads(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    (void)s;
    (void)group;
    led_by(lowest(c->membermask[lane]), lane, r);
}

static void everybody_leads(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    base_elect(s, c, lane, group, r);
    r->p = true;
}

static void nobody_leads(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    base_elect(s, c, lane, group, r);
    r->p = false;
}

static void own_lane(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group, struct answer *r)
{
    base_elect(s, c, lane, group, r);
    r->d = lane;
}

static void mask_of_leader(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    base_elect(s, c, lane, group, r);
    r->d = 1u << r->d;
}

/* d by the lowest lane, p by the highest: each alone would be right. */
static void two_leaders(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                        struct answer *r)
{
    base_elect(s, c, lane, group, r);
    r->p = lane == WARP_LANES - 1 || group >> (lane + 1) == 0;
}

/* The number among the lanes of the group, which is 0 for the lowest. */
static void rank_of_leader(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    base_elect(s, c, lane, group, r);
    r->d = 0;
}

/* Each half of the warp elects its own. */
static void one_a_half(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                       struct answer *r)
{
    const lanemask half = lane < 16 ? 0xffffu : 0xffff0000u;
    base_elect(s, c, lane, group & half, r);
}

/* p is written only together with d. */
static void sink_loses_p(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                         struct answer *r)
{
    base_elect(s, c, lane, group, r);
    if (c->dst == WARP_DST_SINK_P)
        r->p = false;
}

/* Taken for the barrier of a block: it does not know whom it may wait for, and so for nobody. */
static void barrier_of_nobody(const struct warp_case *c, unsigned lane, struct arrival *arrival)
{
    base_arrive(c, lane, arrival);
    if (warp_form_get(c->form)->family == WARP_BAR_WARP && arrival->outcome == WAITING)
        arrival->outcome = DONE;
}

const struct mutant mutants_of_elect[] = {
    {"elect-first-active", "the lowest active lane of the warp leads", {.elect = first_active}, 0, NULL},
    {"elect-lane-0", "lane 0 leads, in the group or not", {.elect = lane_0}, 0, NULL},
    {"elect-exited", "a lane of the membermask that has exited can lead", {.elect = exited_leads}, 0, NULL},
    {"elect-everybody", "p is true in every lane", {.elect = everybody_leads}, 0, NULL},
    {"elect-nobody", "p is true in no lane", {.elect = nobody_leads}, 0, NULL},
    {"elect-own-lane", "d is the own lane", {.elect = own_lane}, 0, NULL},
    {"elect-mask", "d is the leader's bit, not its number", {.elect = mask_of_leader}, 0, NULL},
    {"elect-two-leaders", "d names the lowest lane, p is true in the highest", {.elect = two_leaders}, 0, NULL},
    {"elect-rank", "d is the leader's number among the group", {.elect = rank_of_leader}, 0, NULL},
    {"elect-one-a-half", "each half of the warp elects its own leader", {.elect = one_a_half}, 0, NULL},
    {"elect-sink", "p is lost where d is the sink", {.elect = sink_loses_p}, 0, NULL},
    {"bar-warp-of-nobody",
     "bar.warp does not wait for lanes that are elsewhere",
     {.arrive = barrier_of_nobody},
     0,
     NULL},
    {0},
};
