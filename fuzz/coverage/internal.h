/*
 * Between the files of this folder: one function for each kind of instruction.
 */
#ifndef WARPCHECK_FUZZ_COVERAGE_INTERNAL_H
#define WARPCHECK_FUZZ_COVERAGE_INTERNAL_H

#include "fuzz/coverage/coverage.h"

static inline void coverage_hit(struct coverage_set *set, unsigned bucket)
{
    const uint64_t bit = UINT64_C(1) << bucket % 64;
    if (set->words[bucket / 64] & bit)
        return;
    set->words[bucket / 64] |= bit;
    set->list[set->count++] = (uint16_t)bucket;
}

/* The bucket of a group by its values on the first axes; the sizes of the following axes are the factors. */
#define BUCKET1(id, w)        (COVERAGE_##id + (unsigned)(w))
#define BUCKET2(id, w, x, nx) (COVERAGE_##id + (unsigned)(w)*COUNT_##nx + (unsigned)(x))
#define BUCKET3(id, w, x, nx, y, ny)                                                                                   \
    (COVERAGE_##id + ((unsigned)(w)*COUNT_##nx + (unsigned)(x)) * COUNT_##ny + (unsigned)(y))
#define BUCKET4(id, w, x, nx, y, ny, z, nz)                                                                            \
    (COVERAGE_##id + (((unsigned)(w)*COUNT_##nx + (unsigned)(x)) * COUNT_##ny + (unsigned)(y)) * COUNT_##nz +          \
     (unsigned)(z))

/* One group of done lanes (sync forms), or all active lanes. */
struct coverage_lanes {
    lanemask group;
    unsigned first; /* the lowest lane of the group, which is not empty */
};

/* The number of the lowest lane of a mask that is not empty. */
static inline unsigned coverage_first_lane(lanemask mask)
{
    return (unsigned)__builtin_ctz(mask);
}

static inline unsigned coverage_count(lanemask mask)
{
    return (unsigned)__builtin_popcount(mask);
}

unsigned coverage_shape(lanemask mask); /* on axis SHAPE, whose first values are those of GROUP_SHAPE */

void coverage_state(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                    const struct warp_form_info *info);
void coverage_shfl(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                   const struct warp_form_info *info);
void coverage_vote(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                   const struct coverage_lanes *lanes);
void coverage_match(struct coverage_set *set, const struct warp_case *c, const struct warp_form_info *info,
                    const struct coverage_lanes *lanes);
void coverage_redux(struct coverage_set *set, const struct warp_case *c, const struct warp_result *r,
                    const struct warp_form_info *info, const struct coverage_lanes *lanes);
void coverage_elect(struct coverage_set *set, const struct warp_case *c, const struct coverage_lanes *lanes);

#endif
