/*
 * Membermasks of each lane: do all lanes of a warp pass the same, and if not, are all of them done?
 *
 * They are where each group is the active lanes that pass one membermask, and nobody else passes it or is expected. The
 * groups are found one after the other, and no turn waits for the comparison of the turn before: the lanes that a
 * membermask names are taken for those that pass it, and whether they are is remembered.
 */
#ifndef WARPCHECK_FAST_UNIFY_H
#define WARPCHECK_FAST_UNIFY_H

#include "kernels.h"

/*
 * Takes the lanes away that the lowest lane of `rest` expects, and that lane; returns what is left. Where they are not
 * the active lanes that pass the same membermask, `open` gets lanes.
 */
FAST_INLINE lanemask fast_take_group(fast_equal *equal, const uint32_t *members, lanemask active, lanemask exited,
                                     lanemask rest, lanemask *open)
{
    const uint32_t mask = members[fast_lowest_lane(rest)];
    const lanemask present = mask & ~exited;
    *open |= present ^ (equal(members, mask) & active);
    return rest & ~present & (rest - 1);
}

FAST_INLINE void fast_unify(fast_equal *equal, fast_turn *turn, const struct warp_column *membermask, size_t n,
                            const struct fast_unified *u)
{
    for (size_t w = 0; w < n; w++) {
        const uint32_t *members = fast_at(membermask, w);
        const lanemask active = u->active[w], exited = u->exited[w];
        const uint32_t mask = members[fast_first_lane(active)];
        const lanemask others = active & ~equal(members, mask), present = mask & ~exited;
        lanemask rest = active & ~present & (active - 1), open = present ^ active ^ others;
        if (others != 0)
            while (rest != 0)
                rest = turn(members, active, exited, rest, &open);
        u->mask[w] = mask;
        u->stray[w] = others;
        u->open[w] = open;
    }
}

/* take_group and unify of a variant, with its equal. */
#define FAST_DEFINE_UNIFY(variant)                                                                                     \
    FAST_APART fast_turn fast_take_group_##variant;                                                                    \
    lanemask fast_take_group_##variant(const uint32_t *members, lanemask active, lanemask exited, lanemask rest,       \
                                       lanemask *open)                                                                 \
    {                                                                                                                  \
        return fast_take_group(equal_##variant, members, active, exited, rest, open);                                  \
    }                                                                                                                  \
    static void unify_##variant(const struct warp_column *membermask, size_t n, const struct fast_unified *u)          \
    {                                                                                                                  \
        fast_unify(equal_##variant, fast_take_group_##variant, membermask, n, u);                                      \
    }

#endif
