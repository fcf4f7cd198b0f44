/*
 * Inside the reducer: the cost of a case, which says what "simpler" means, and the steps that propose simpler cases.
 */
#ifndef WARPCHECK_CHECK_REDUCE_STEPS_H
#define WARPCHECK_CHECK_REDUCE_STEPS_H

#include "check/reduce.h"

/* The parts of the cost, the most important first: a later part decides only when all earlier parts are equal. */
enum cost_part {
    COST_ACTIVE,   /* active lanes */
    COST_GROUPS,   /* different membermasks in active lanes */
    COST_EXITED,   /* exited lanes */
    COST_MASKS,    /* bits by which membermasks differ from the lanes that hold them */
    COST_TARGET,   /* distance from the plainest target */
    COST_FORM,     /* negation, destinations */
    COST_POSITION, /* numbers of the active and exited lanes */
    COST_IGNORED,  /* bits of b and c that have no meaning */
    COST_UNIFORM,  /* different values of b and of c */
    COST_SHIFT,    /* meaning bits of b and c */
    COST_SOURCE,   /* a */
    COST_GARBAGE,  /* words of inactive lanes that are not zero */
    COST_PARTS
};

struct reduce_cost {
    uint32_t part[COST_PARTS];
};

/* The cost depends on the case alone. Every accepted step makes it smaller, so the reduction ends. */
void reduce_cost_of(const struct warp_case *c, struct reduce_cost *cost);
bool reduce_cost_less(const struct reduce_cost *x, const struct reduce_cost *y);

/* The target that a person expects for the form: the least one with independent lanes where there is one. */
uint32_t reduce_plain_target(const struct warp_form_info *info);
/* The c of a whole warp in the mode: clamp 0 for up, 31 for the others. */
uint32_t reduce_plain_c(const struct warp_form_info *info);

/* Floats that a person knows by sight, the simplest first: 0, 1, -1, -0, infinities, NaN. */
#define PLAIN_FLOATS 8u
extern const uint32_t reduce_plain_floats[PLAIN_FLOATS];

#define SHIFT_MEANING_B 0x1fu   /* b[4:0] */
#define SHIFT_MEANING_C 0x1f1fu /* c[12:8], c[4:0] */

struct reducer {
    struct warp_case *best;
    struct reduce_cost cost; /* of *best */
    reduce_test test;
    void *context;
    struct reduction *limits;
};

/* Takes the candidate as the new best when it is a case, costs less, and still shows the mismatch. */
bool reduce_propose(struct reducer *r, const struct warp_case *candidate);

/* The steps. Each proposes simpler cases of one kind. */
void reduce_lanes(struct reducer *r);    /* fewer active lanes, groups, exited lanes */
void reduce_masks(struct reducer *r);    /* plainer membermasks */
void reduce_position(struct reducer *r); /* lower lane numbers */
void reduce_form(struct reducer *r);     /* target, destinations, negation */
void reduce_shift(struct reducer *r);    /* b and c */
void reduce_source(struct reducer *r);   /* a */
void reduce_garbage(struct reducer *r);  /* registers of inactive lanes */

static inline bool lane_in(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

/* The active lanes that hold this membermask. */
static inline lanemask lanes_with_mask(const struct warp_case *c, uint32_t membermask)
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (lane_in(c->active, lane) && c->membermask[lane] == membermask)
            lanes |= (lanemask)1 << lane;
    return lanes;
}

#endif
