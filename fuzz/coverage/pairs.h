/*
 * Pairs of features. Five things are noted of each case: its mode (the form), the shape of its first group, the kinds
 * of two operands in it, what becomes of the warp, and how the values of the lanes are related. Each pair of them is a
 * counter. There are thousands, of which some never come together: a campaign goes on reaching new ones for long after
 * it has reached all buckets.
 */
#ifndef WARPCHECK_FUZZ_COVERAGE_PAIRS_H
#define WARPCHECK_FUZZ_COVERAGE_PAIRS_H

#include "warpcheck/form.h"
#include "warpcheck/warp.h"

enum coverage_feature { FEATURE_MODE, FEATURE_SHAPE, FEATURE_KINDS, FEATURE_OUTCOME, FEATURE_RELATION, FEATURES };

/* The shape of the group, or of the active lanes where nobody is done. */
enum coverage_mask_shape {
    MASK_NONE,
    MASK_SINGLE,
    MASK_TWO,      /* two lanes */
    MASK_TILE,     /* lanes of a power of two, aligned */
    MASK_PREFIX,   /* from lane 0 on */
    MASK_RUN,      /* lanes without a gap */
    MASK_RUNS,     /* two such runs */
    MASK_PERIODIC, /* the same in both halves of the warp */
    MASK_OTHER,
    MASK_FULL,
    MASK_SHAPES
};

/* What a word is; the rarer come first. */
enum coverage_kind {
    KIND_SIGNALLING,
    KIND_QUIET_NAN,
    KIND_INFINITY,
    KIND_EXTREME, /* least or greatest integer */
    KIND_SUBNORMAL,
    KIND_ZERO,
    KIND_SMALL, /* below 64 */
    KIND_ORDINARY,
    WORD_KINDS
};
/* The two rarest kinds among the lanes, which may be one; the last: no lane. */
#define KIND_PAIRS (WORD_KINDS * (WORD_KINDS + 1) / 2 + 1)

/* Of shfl which lanes are read (the low bits of b), else the values of a; the first that fits. */
enum coverage_relation {
    RELATION_NONE, /* no lane */
    RELATION_ONE,  /* one lane */
    RELATION_EQUAL,
    RELATION_STEP, /* the same step from lane to lane; three lanes or more */
    RELATION_ODD,  /* all but one lane are equal */
    RELATION_TWO,  /* two values */
    RELATION_MIRROR,
    RELATION_HALVES, /* the halves of the group are equal */
    RELATION_RISING,
    RELATION_FALLING,
    RELATION_PERMUTED, /* all differ in the low five bits */
    RELATION_OTHER,
    RELATIONS
};

#define OUTCOME_SETS 16 /* done, waiting, undefined lanes; and exited ones */

/* The pairs of two features lie together, and begin at a number that 8 divides: of each a case has one. */
#define PAIRS_OF(x, y) (((x) * (y) + 7) / 8 * 8)
#define PAIRS_WITH_MODE                                                                                                \
    (PAIRS_OF(WARP_FORMS, MASK_SHAPES) + PAIRS_OF(WARP_FORMS, KIND_PAIRS) + PAIRS_OF(WARP_FORMS, OUTCOME_SETS) +       \
     PAIRS_OF(WARP_FORMS, RELATIONS))
#define PAIRS_WITH_SHAPE                                                                                               \
    (PAIRS_OF(MASK_SHAPES, KIND_PAIRS) + PAIRS_OF(MASK_SHAPES, OUTCOME_SETS) + PAIRS_OF(MASK_SHAPES, RELATIONS))
#define PAIRS_WITH_KINDS       (PAIRS_OF(KIND_PAIRS, OUTCOME_SETS) + PAIRS_OF(KIND_PAIRS, RELATIONS))
#define PAIRS_OF_REST          PAIRS_OF(OUTCOME_SETS, RELATIONS)
#define COVERAGE_PAIRS         (PAIRS_WITH_MODE + PAIRS_WITH_SHAPE + PAIRS_WITH_KINDS + PAIRS_OF_REST)

#define COVERAGE_PAIRS_OF_CASE (FEATURES * (FEATURES - 1) / 2)

/* The features of a case; `r` is the reference's result for it. */
void coverage_features(const struct warp_case *c, const struct warp_result *r, unsigned features[FEATURES]);
/* Its pairs, each below COVERAGE_PAIRS. */
void coverage_pairs(const struct warp_case *c, const struct warp_result *r, uint16_t pairs[COVERAGE_PAIRS_OF_CASE]);

#endif
