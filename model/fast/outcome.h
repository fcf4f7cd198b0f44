/*
 * Outcomes of a strip of warps: which lanes are done, waiting, undefined.
 */
#ifndef WARPCHECK_FAST_OUTCOME_H
#define WARPCHECK_FAST_OUTCOME_H

#include "kernels.h"

struct fast_outcomes {
    lanemask active[FAST_STRIP], exited[FAST_STRIP];
    lanemask mask[FAST_STRIP];  /* the membermask of the warp, or of its first active lane */
    lanemask stray[FAST_STRIP]; /* active lanes that pass another one; 0 in nearly every warp */
    lanemask group[FAST_STRIP]; /* the done lanes */
    lanemask waiting[FAST_STRIP], undefined[FAST_STRIP];
    lanemask missing[FAST_STRIP]; /* the lanes that the waiting lanes wait for */
    lanemask open[FAST_STRIP];    /* where it has: empty only if all active lanes are done */
    bool mixed;                   /* the stray lanes of some warp are not empty */
    bool same;                    /* all warps have the outcomes of the first */
};

/* The groups of one warp; they do not overlap. */
struct fast_groups {
    size_t n;
    lanemask lanes[WARP_LANES];
    lanemask done; /* their union */
};

/* True when the masks are the same for all warps: settling one warp then settles all. */
bool fast_outcomes_constant(const struct warp_batch *batch, bool sync);

/*
 * Settles warps first..first+n-1. o->group[w] becomes the done lanes, which are one group. Warps with stray lanes get
 * empty sets: each needs fast_settle_groups.
 */
void fast_settle(const struct fast_kernels *kernels, const struct warp_batch *batch, bool sync, size_t first, size_t n,
                 struct fast_outcomes *o);

/* The outcomes of the first warp become those of n warps, where they are wanted. */
void fast_repeat(const struct warp_batch *batch, size_t n, struct fast_outcomes *o);

/*
 * One turn of fast_settle_groups: settles the active lanes of warp w that pass the same membermask as the lowest lane
 * of `rest`, by the rows of the warp (waits_for NULL: not wanted). Returns the lanes that are left. The proofs take it
 * apart from the loop. Where the warp is not open, these lanes are those that the membermask names.
 */
FAST_APART lanemask fast_settle_class(const struct fast_kernels *kernels, const uint32_t *members, bool convergence,
                                      uint32_t *waits_for, struct fast_outcomes *o, size_t w,
                                      struct fast_groups *groups, lanemask rest);

/* Settles warp `at` of the batch, which is warp w of the strip: writes its sets in `o`, its row of the batch's
 * waits_for, and its groups. */
FAST_APART void fast_settle_groups(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t at,
                                   struct fast_outcomes *o, size_t w, struct fast_groups *groups);

/* Settles those of n warps that need it, the first of which is warp `first` of the batch and warp 0 of the strip; their
 * groups are not wanted. */
void fast_settle_lanes(const struct fast_kernels *kernels, const struct warp_batch *batch, size_t first, size_t n,
                       struct fast_outcomes *o);

/* Where all n warps have the outcomes of the first, for which fast_settle_groups was asked: the others get them. */
void fast_repeat_mixed(const struct warp_batch *batch, size_t first, size_t n, struct fast_outcomes *o);

#endif
