/*
 * One lane of a case as somebody who makes mistakes reads it (reading.h), for the instructions' files reading_*.c.
 */
#ifndef WARPCHECK_CHECK_CAUSE_VIEW_H
#define WARPCHECK_CHECK_CAUSE_VIEW_H

#include "check/cause/reading.h"

#define CANONICAL_NAN 0x7fffffffu

/* One lane of one case, read with mistakes. */
struct view {
    const struct reading *r;
    const struct warp_case *c;
    const struct warp_form_info *info;
    uint32_t classes; /* of the form */
    unsigned op;      /* reading_op */
    unsigned lane;
    lanemask group;
    uint32_t d;
    bool p, d_defined;
    bool anything;        /* it reads a lane that no warp has */
    bool beyond;          /* it does, and does not use it */
    bool endless;         /* it loops without an end */
    bool waits;           /* for its source lane */
    struct waited *known; /* of the case; reading.c has it */
};

/* Constants here, because each lane of each case asks some hundred times. */
static inline bool has(const struct view *v, enum mistake mistake)
{
    static const uint32_t classes[MISTAKES] = {
#define MISTAKE(id, classes, reading, clause, words) classes,
#include "check/cause/mistakes.def"
#undef MISTAKE
    };
    return (v->r->ops[mistake] >> v->op & 1u) != 0 && (classes[mistake] & v->classes) != 0;
}

static inline bool in_mask(lanemask lanes, unsigned lane)
{
    return (lanes >> lane & 1u) != 0;
}

/* 31 when there is none. */
static inline unsigned highest(lanemask lanes)
{
    return lanes == 0 ? WARP_LANES - 1 : WARP_LANES - 1 - (unsigned)__builtin_clz(lanes);
}

/* What lane v->lane, which is done and whose group is v->group, gets of the instruction: sets what follows `group`. */
void reading_shfl(struct view *v);
void reading_vote(struct view *v);
void reading_match(struct view *v);
void reading_redux(struct view *v);

/* The value as it arrives. */
uint32_t reading_carried(const struct view *v, uint32_t value);
/* Its lowest bits as a signed number. */
int64_t reading_signed_bits(uint32_t x, unsigned bits);
/* Bit i: the i-th lane of the group is among `yes`. */
uint32_t reading_counted_bits(lanemask group, lanemask yes);
uint32_t reading_reversed(lanemask lanes);

#endif
