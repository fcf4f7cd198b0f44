/*
 * Random cases for the tests of fast: all forms, masks of every kind, operands that collide, garbage in lanes that are
 * not active.
 */
#ifndef WARPCHECK_TEST_FAST_CASES_H
#define WARPCHECK_TEST_FAST_CASES_H

#include "base/random.h"
#include "warpcheck/impl.h"

static inline uint32_t fast_random_word(struct random *r)
{
    return (uint32_t)random_next(r);
}

static inline uint32_t fast_random_below(struct random *r, uint32_t limit)
{
    return fast_random_word(r) % limit;
}

/* Full, a prefix, one lane, sparse, dense, anything, empty. */
static inline lanemask fast_random_mask(struct random *r)
{
    switch (fast_random_below(r, 8)) {
    case 0:
    case 1:
        return UINT32_MAX;
    case 2:
        return UINT32_MAX >> fast_random_below(r, 32);
    case 3:
        return 1u << fast_random_below(r, 32);
    case 4:
        return fast_random_word(r) & fast_random_word(r);
    case 5:
        return fast_random_word(r) | fast_random_word(r);
    case 6:
        return fast_random_word(r);
    default:
        return 0;
    }
}

static inline uint32_t fast_random_value(struct random *r, unsigned kind)
{
    static const uint32_t special[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff,
                                       0x7f800000, 0xff800000, 0x7f800001, 0xff800001, 0x7fc00000,
                                       0xffc00000, 0x00000001, 0x80000001, 0x007fffff, 0x807fffff,
                                       0x3f800000, 0xbf800000, 0x7f7fffff, 0xff7fffff, 0xfffffffe};
    switch (kind) {
    case 0:
        return fast_random_below(r, 2);
    case 1:
        return fast_random_below(r, 8);
    case 2:
        return special[fast_random_below(r, sizeof special / sizeof special[0])];
    case 3:
        return fast_random_below(r, 4) << 28 | 0x0fc00000u; /* collide in the low bits */
    case 4:
        return 0x7f800000u | (fast_random_word(r) & 0x80000003u); /* infinities and NaN */
    default:
        return fast_random_word(r);
    }
}

/* Values of the lanes: any in each; one in all; one for each block of lanes; one with a few exceptions. */
static inline void fast_random_operand(struct random *r, uint32_t x[WARP_LANES])
{
    const unsigned kind = fast_random_below(r, 7), shape = fast_random_below(r, 8);
    const uint32_t one = fast_random_value(r, kind), block = 4u << fast_random_below(r, 3);
    for (unsigned i = 0; i < WARP_LANES; i++) {
        const bool other = shape < 4 || (shape == 4 && i % block == 0) || (shape == 5 && fast_random_below(r, 16) == 0);
        x[i] = other ? fast_random_value(r, kind) : shape == 4 ? x[i - 1] : one;
    }
}

/* Puts lanes into a few groups. Each group passes its own membermask, sometimes with exited lanes, sometimes
 * damaged. */
static inline void fast_random_groups(struct random *r, struct warp_case *c)
{
    const uint32_t groups = 1 + fast_random_below(r, fast_random_below(r, 4) == 0 ? 32 : 4);
    uint32_t of[WARP_LANES], mask[WARP_LANES] = {0};
    for (unsigned i = 0; i < WARP_LANES; i++) {
        of[i] = fast_random_below(r, groups);
        if (c->active >> i & 1u)
            mask[of[i]] |= 1u << i;
    }
    for (uint32_t g = 0; g < groups; g++) {
        mask[g] |= c->exited & fast_random_mask(r);
        if (fast_random_below(r, 8) == 0)
            mask[g] ^= 1u << fast_random_below(r, 32);
    }
    for (unsigned i = 0; i < WARP_LANES; i++) {
        c->membermask[i] = c->active >> i & 1u ? mask[of[i]] : fast_random_word(r);
        if (fast_random_below(r, 200) == 0)
            c->membermask[i] = fast_random_word(r);
    }
}

static inline void fast_random_members(struct random *r, struct warp_case *c)
{
    const lanemask whole = c->active | (c->exited & fast_random_mask(r));
    switch (fast_random_below(r, 5)) {
    case 0:
        for (unsigned i = 0; i < WARP_LANES; i++)
            c->membermask[i] = whole;
        break;
    case 1: /* uniform where active only */
        for (unsigned i = 0; i < WARP_LANES; i++)
            c->membermask[i] = c->active >> i & 1u ? whole : fast_random_word(r);
        break;
    case 2:
    case 3:
        fast_random_groups(r, c);
        break;
    default: {
        const lanemask one = fast_random_mask(r);
        for (unsigned i = 0; i < WARP_LANES; i++)
            c->membermask[i] = one;
    }
    }
}

/* A case of that form; it passes warp_case_check. */
static inline void fast_random_case(struct random *r, uint32_t form, struct warp_case *c)
{
    c->form = form;
    c->target = fast_random_word(r);
    c->dst = fast_random_word(r);
    c->negate = fast_random_word(r) & 1u;
    c->exited = fast_random_below(r, 2) == 0 ? 0 : fast_random_mask(r) & fast_random_mask(r);
    c->active = fast_random_mask(r) & ~c->exited;
    if (fast_random_below(r, 3) == 0)
        c->active = ~c->exited;
    fast_random_operand(r, c->a);
    fast_random_operand(r, c->a_high);
    fast_random_operand(r, c->b);
    fast_random_operand(r, c->c);
    fast_random_members(r, c);
    warp_case_repair(c);
}

#endif
