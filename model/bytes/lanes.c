#include "choices.h"

/* ---- which lanes are active and which have exited ---- */

static lanemask prefix(uint32_t n)
{
    return n >= WARP_LANES ? UINT32_MAX : ((lanemask)1 << n) - 1u;
}

static lanemask choose_active(struct choices *choices)
{
    struct words s;
    uint32_t first, width;
    switch (choose_among(choices, 16)) {
    case 4:
    case 5: /* a partial last warp */
        return prefix(1 + choose_among(choices, 32));
    case 6:
        return ~prefix(choose_among(choices, 32));
    case 7:
        return (lanemask)1 << choose_among(choices, 32);
    case 8:
    case 9:
        s = choose_words(choices);
        return next_word(&s);
    case 10: /* an aligned tile */
        width = 2u << choose_among(choices, 4);
        first = choose_among(choices, 32) & ~(width - 1);
        return prefix(width) << first;
    case 11: /* few are missing */
        s = choose_words(choices);
        return next_word(&s) | next_word(&s) | next_word(&s);
    case 12:
        return ~((lanemask)1 << choose_among(choices, 32));
    case 13: /* few lanes are active */
        s = choose_words(choices);
        return next_word(&s) & next_word(&s);
    case 14:
        return choose_word(choices);
    case 15: /* a range */
        first = choose_among(choices, 32);
        return prefix(1 + choose_among(choices, 32)) << first;
    default:
        return UINT32_MAX;
    }
}

void generate_lanes(struct choices *choices, struct warp_case *c)
{
    struct words s;
    c->active = choose_active(choices);
    c->exited = 0;
    if (c->active == UINT32_MAX)
        return;
    switch (choose_among(choices, 4)) {
    case 0:
        c->exited = ~c->active;
        break;
    case 1:
        break;
    case 2:
        s = choose_words(choices);
        c->exited = ~c->active & next_word(&s);
        break;
    default: /* all exited but few */
        s = choose_words(choices);
        c->exited = ~c->active & (next_word(&s) | next_word(&s) | next_word(&s));
        break;
    }
}

/* ---- membermasks ---- */

#define GROUPS 4u

/* Every n-th lane, from lane 0 on. */
static const lanemask every[GROUPS + 1] = {0, UINT32_MAX, 0x55555555u, 0x49249249u, 0x11111111u};

/* Sets lanes[i] to the lanes of group i < n, each lane in one of them: in turns, or at random. */
static void choose_groups(struct words *s, uint32_t n, bool in_turns, lanemask lanes[GROUPS])
{
    uint32_t group[WARP_LANES];
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        group[lane] = next_below(s, n);
    for (uint32_t i = 0; i < n; i++) {
        lanemask drawn = 0;
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            drawn |= group[lane] == i ? lane_bit[lane] : 0u;
        lanes[i] = in_turns ? every[n] << i : drawn;
    }
}

/* Gives the lanes of group i this mask; the first group's goes to all lanes, before others take theirs. */
static void give(struct warp_case *c, uint32_t i, lanemask lanes, lanemask mask)
{
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = word_of(i == 0 ? UINT32_MAX : lanes, lane, mask, c->membermask[lane]);
}

/* Disjoint groups, each with its own mask; exited lanes may be named by any. */
static void make_groups(struct choices *choices, struct warp_case *c)
{
    const uint32_t n = 2 + choose_among(choices, 3);
    const bool in_turns = choose_among(choices, 2) == 0;
    struct words s = choose_words(choices);
    lanemask lanes[GROUPS];
    choose_groups(&s, n, in_turns, lanes);
    for (uint32_t i = 0; i < n; i++) {
        const lanemask mask = (lanes[i] & c->active) | (c->exited & next_word(&s) & next_word(&s));
        give(c, i, lanes[i], mask);
    }
}

/* Tiles of 2, 4, 8 or 16 lanes; with all their lanes, or without those that could only be waited for. */
static void make_tiles(struct choices *choices, struct warp_case *c)
{
    const uint32_t width = 2u << choose_among(choices, 4);
    const lanemask kept = choose_among(choices, 4) < 3 ? c->active | c->exited : UINT32_MAX;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        c->membermask[lane] = (prefix(width) << (lane & ~(width - 1))) & kept;
}

/* Masks that nothing relates: another in each lane, or few, each passed by several lanes; who passes a mask is in it if
 * `own`. */
static void make_arbitrary(struct choices *choices, struct warp_case *c)
{
    const bool few = choose_among(choices, 4) > 0, own = choose_among(choices, 2) == 0;
    struct words s = choose_words(choices);
    lanemask lanes[GROUPS];
    if (!few) {
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            c->membermask[lane] = next_word(&s) | (own ? lane_bit[lane] : 0u);
        return;
    }
    choose_groups(&s, GROUPS, false, lanes);
    for (uint32_t i = 0; i < GROUPS; i++)
        give(c, i, lanes[i], next_word(&s) | (own ? lanes[i] : 0u));
}

/* One bit of one lane's mask is wrong: that lane is undefined or waits, and its group waits for it. */
static void damage(struct choices *choices, struct warp_case *c)
{
    uint32_t lane = choose_among(choices, 32);
    c->membermask[lane] ^= (lanemask)1 << choose_among(choices, 32);
}

/* Chooses among 16 kinds, of which 10 make every active lane done. In four the lanes pass different masks: not in more,
 * because these cost all implementations several times as much as the others. */
void generate_membermasks(struct choices *choices, struct warp_case *c)
{
    const lanemask here = c->active | c->exited;
    switch (choose_among(choices, 16)) {
    case 0:
    case 1:
        fill(c->membermask, UINT32_MAX);
        break;
    case 2:
    case 3:
        fill(c->membermask, here);
        break;
    case 4:
    case 5:
    case 6:
        fill(c->membermask, c->active);
        break;
    case 7:
        fill(c->membermask, c->active | (c->exited & choose_word(choices)));
        break;
    case 8:
        make_groups(choices, c);
        break;
    case 9:
        make_tiles(choices, c);
        break;
    case 10: /* a lane more: all wait for it, unless it has exited */
        fill(c->membermask, c->active | (lanemask)1 << choose_among(choices, 32));
        break;
    case 11: /* a lane less: it is outside its own mask */
        fill(c->membermask, here & ~((lanemask)1 << choose_among(choices, 32)));
        break;
    case 12:
        make_groups(choices, c);
        damage(choices, c);
        break;
    case 13:
        if (choose_among(choices, 8) == 0)
            choose_operand(choices, c->membermask);
        else
            make_arbitrary(choices, c);
        break;
    case 14:
        fill(c->membermask, choose_word(choices));
        break;
    default:
        fill(c->membermask, choose_word(choices) | c->active);
        break;
    }
}
