#include "choices.h"

/* Sets the operand in each lane: `keep` are the bits of a random word that stay, `set` the bits that are set. */
static void make_random(struct choices *choices, uint32_t keep, uint32_t set, uint32_t operand[WARP_LANES])
{
    struct words s = choose_words(choices);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = (next_word(&s) & keep) | set;
}

/* Lanes that real code reads: those k above, k below, partners, and the mirror image k above. */
static void make_pattern(struct choices *choices, uint32_t operand[WARP_LANES])
{
    const uint32_t pattern = choose_among(choices, 4);
    const uint32_t k = choose_among(choices, 32);
    const uint32_t flips[] = {0, 0, k, 31}, steps[] = {k, 0u - k, 0, k};
    const uint32_t flip = flips[pattern], step = steps[pattern];
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        operand[lane] = (lane ^ flip) + step;
}

static void make_b(struct choices *choices, uint32_t b[WARP_LANES])
{
    switch (choose_among(choices, 16)) {
    case 0:
    case 1:
    case 2:
        fill(b, choose_among(choices, 32));
        break;
    case 3:
        fill(b, 1u << choose_among(choices, 5));
        break;
    case 4: /* just outside a warp */
        fill(b, 32 + choose_among(choices, 32));
        break;
    case 5:
        fill(b, 0u - 1u - choose_among(choices, 32));
        break;
    case 6:
        fill(b, choose_word(choices));
        break;
    case 7:
    case 8:
    case 9:
        make_random(choices, 31u, 0u, b);
        break;
    case 10:
        make_random(choices, 31u, ~31u, b); /* small negative numbers */
        break;
    case 11:
        make_random(choices, UINT32_MAX, 0u, b);
        break;
    case 12:
    case 13:
        make_pattern(choices, b);
        break;
    case 14:
        make_random(choices, 63u, 0u, b);
        break;
    default:
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            b[lane] = choose(choices);
        break;
    }
}

/* Fields of c that are read: clamp c[4:0], segment mask c[12:8]. */
#define C_FIELDS 0x1f1fu

static unsigned choose_width(struct choices *choices)
{
    return 32u >> choose_among(choices, 6);
}

static void make_width_per_lane(struct choices *choices, enum warp_op op, uint32_t c[WARP_LANES])
{
    struct words s = choose_words(choices);
    uint32_t widths[6];
    for (unsigned i = 0; i < 6; i++)
        widths[i] = warp_width_c(op, 32u >> i);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c[lane] = widths[next_below(&s, 6)];
}

static void make_c(struct choices *choices, enum warp_op op, uint32_t c[WARP_LANES])
{
    unsigned width;
    switch (choose_among(choices, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        fill(c, warp_width_c(op, choose_width(choices)));
        break;
    case 5: /* the clamp of the other direction */
        fill(c, warp_width_c(op == WARP_UP ? WARP_DOWN : WARP_UP, choose_width(choices)));
        break;
    case 6: /* the clamp within the segment */
        width = choose_width(choices);
        fill(c, (32u - width) << 8 | (width - 1));
        break;
    case 7:
        make_width_per_lane(choices, op, c);
        break;
    case 8:
    case 9:
        fill(c, choose_word(choices) & C_FIELDS);
        break;
    case 10:
    case 11:
        make_random(choices, C_FIELDS, 0u, c);
        break;
    case 12:
        fill(c, choose_word(choices));
        break;
    case 13:
        make_random(choices, UINT32_MAX, 0u, c);
        break;
    case 14: /* a width, and bits that are not read */
        make_random(choices, ~C_FIELDS, warp_width_c(op, choose_width(choices)), c);
        break;
    default:
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            c[lane] = choose(choices);
            c[lane] |= choose(choices) << 8;
        }
        break;
    }
}

void generate_shfl(struct choices *choices, enum warp_op op, struct warp_case *c)
{
    make_b(choices, c->b);
    make_c(choices, op, c->c);
}
