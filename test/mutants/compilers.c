/*
 * Mistakes of compilers: instructions that are right in general, and wrong where an operand is a constant or is known
 * to be uniform, so that another pattern is taken.
 */
#include "base.h"

static bool is_uniform(const uint32_t values[WARP_LANES], lanemask lanes)
{
    const unsigned first = lanes != 0 ? (unsigned)__builtin_ctz(lanes) : 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in_mask(lanes, lane) && values[lane] != values[first])
            return false;
    return true;
}

/* A reduction of equal values is taken for the value: right for min, max, and, or. What redux leaves is uniform, so a
 * redux of it is where that happens. */
static void uniform_folded(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    base_redux(s, c, lane, group, r);
    if ((op_of(c) == WARP_ADD || op_of(c) == WARP_XOR) && is_uniform(c->a, group))
        r->d = c->a[lane];
}

/* With the constant membermask 0xffffffff the instruction without a mask is taken, which reads all registers. */
static void full_mask_folded(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                             struct answer *r)
{
    base_redux(s, c, lane, c->membermask[lane] == UINT32_MAX ? UINT32_MAX : group, r);
}

/* Is this the step of a reduction: bfly by a constant, clamp 31, so that every lane has a source? */
static bool is_step(const struct warp_case *c, uint32_t by)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        if (in_mask(c->active, lane) && ((c->b[lane] & 31u) != by || (c->c[lane] & 31u) != 31u))
            return false;
    return op_of(c) == WARP_BFLY;
}

static void step_16_dropped(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                            struct answer *r)
{
    base_shfl(s, c, lane, group, r);
    if (is_step(c, 16)) {
        r->d = c->a[lane];
        r->d_defined = true;
    }
}

/* Lanes exchanged in pairs by an instruction that rotates pairs of the wrong parity. */
static void step_1_shifted(const struct steps *s, const struct warp_case *c, unsigned lane, lanemask group,
                           struct answer *r)
{
    base_shfl(s, c, lane, group, r);
    if (is_step(c, 1)) {
        const unsigned from = ((lane + 1) ^ 1u) - 1;
        r->d = c->a[from & 31u];
        r->d_defined = in_mask(group, from & 31u);
    }
}

const struct mutant mutants_of_compilers[] = {
    {"redux-uniform-folded",
     "compiler: add, xor of a uniform operand, as an earlier redux leaves it, folded to the operand",
     {.redux = uniform_folded},
     0,
     NULL},
    {"redux-full-mask-folded",
     "compiler: redux under the constant membermask 0xffffffff also reads lanes that have exited",
     {.redux = full_mask_folded},
     0,
     NULL},
    {"bfly-16-dropped",
     "compiler: the step of a warp's reduction with the constant 16 is left out",
     {.shfl = step_16_dropped},
     0,
     NULL},
    {"bfly-1-shifted",
     "compiler: the step of a warp's reduction with the constant 1 exchanges the wrong pairs",
     {.shfl = step_1_shifted},
     0,
     NULL},
    {0},
};
