/*
 * Mutations of who takes part: active, exited, membermasks, and where in the warp all of it lies.
 */
#include "fuzz/mutate/mutation.h"

void mutate_active(struct mutation *m)
{
    switch (mutation_below(m, 6)) {
    case 5:
        m->c->active = 0;
        break;
    case 0:
        m->c->active = mutation_mask(m);
        break;
    case 1:
        m->c->active ^= 1u << mutation_below(m, WARP_LANES);
        break;
    case 2:
        m->c->exited = mutation_mask(m) & mutation_mask(m);
        break;
    case 3:
        m->c->exited ^= 1u << mutation_below(m, WARP_LANES);
        break;
    default: /* all lanes are active or have ended */
        m->c->exited = ~m->c->active;
        break;
    }
    m->c->active &= ~m->c->exited;
}

/* Gives the lanes of `members` one membermask. */
static void set_group(struct warp_case *c, lanemask members, lanemask membermask)
{
    for (uint32_t i = 0; i < WARP_LANES; i++)
        if (members >> i & 1u)
            c->membermask[i] = membermask;
}

void mutate_membermask(struct mutation *m)
{
    struct warp_case *c = m->c;
    lanemask one = mutation_mask(m), lane = mutation_below(m, WARP_LANES);
    switch (mutation_below(m, 7)) {
    case 0: /* everybody who is there */
        set_group(c, UINT32_MAX, c->active);
        break;
    case 1: /* and those who have left */
        set_group(c, UINT32_MAX, c->active | c->exited);
        break;
    case 2: /* two groups */
        set_group(c, c->active & one, c->active & one);
        set_group(c, c->active & ~one, c->active & ~one);
        break;
    case 3:
        set_group(c, one, one);
        break;
    case 4:
        set_group(c, UINT32_MAX, one);
        break;
    case 5: /* a lane too many or too few, in one lane or all */
        set_group(c, mutation_below(m, 2) ? UINT32_MAX : 1u << lane,
                  c->membermask[lane] ^ 1u << mutation_below(m, WARP_LANES));
        break;
    default:
        mutation_operand(m, c->membermask);
        break;
    }
}

/* Tiles of a power of two, each its own group: cooperative groups, sub-warp reductions. */
void mutate_tiles(struct mutation *m)
{
    uint32_t width = 1u << mutation_below(m, 6);
    lanemask tile = width == 32 ? UINT32_MAX : (1u << width) - 1u;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        m->c->membermask[i] = tile << i / width * width & (mutation_below(m, 16) ? UINT32_MAX : m->c->active);
}

/* Moves all lanes round the warp, operands and masks together. */
void mutate_place(struct mutation *m)
{
    struct warp_case from = *m->c;
    uint32_t by = 1 + mutation_below(m, WARP_LANES - 1);
    m->c->active = from.active << by | from.active >> (WARP_LANES - by);
    m->c->exited = from.exited << by | from.exited >> (WARP_LANES - by);
    for (uint32_t i = 0; i < WARP_LANES; i++) {
        uint32_t to = (i + by) % WARP_LANES;
        m->c->a[to] = from.a[i];
        m->c->a_high[to] = from.a_high[i];
        m->c->b[to] = from.b[i];
        m->c->c[to] = from.c[i];
        m->c->membermask[to] = from.membermask[i] << by | from.membermask[i] >> (WARP_LANES - by);
    }
}
