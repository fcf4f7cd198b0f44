/* shfl: widths and segments, CUDA's width API, composition, mirrors, involutions. */
#include "smt/catalogue/shfl.h"

/* With a width's c the source stays in the own segment. */
static void segment_width(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_width width;
    struct shfl_lane v;
    shfl_width_make(g, (enum warp_op)mode, &width);
    shfl_lane_make(g, (enum warp_op)mode, width.c, &v);
    goal_claim(g, "source in the own segment", term_eq(s, term_band(s, v.r.d, width.segmask), v.min_lane));
}

/* The source is in the own segment iff b does not leave it, or leaves it upwards. */
static void bfly_segment_condition(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_width width;
    struct shfl_lane v;
    term inside, flips, above;
    shfl_width_make(g, (enum warp_op)mode, &width);
    shfl_lane_make(g, (enum warp_op)mode, width.c, &v);
    inside = term_eq(s, term_band(s, v.r.d, width.segmask), v.min_lane);
    flips = term_ne(s, term_band(s, v.bval, width.segmask), term_word(s, 0));
    above = term_ult(s, v.lane, term_bxor(s, v.lane, v.bval));
    goal_claim(g, "own segment iff b < W or lane ^ b > lane",
               term_eq(s, inside, term_or(s, term_not(s, flips), above)));
}

/* c with clamp 31 against clamp W-1 (or, for up, clamp 0). */
static void clamp(struct goal *g, int mode, bool against_zero)
{
    struct smt *s = g->s;
    struct shfl_width width;
    struct shfl_lane v;
    struct smt_lane r;
    term segment;
    term low = term_word(s, 0);
    shfl_width_make(g, (enum warp_op)mode, &width);
    segment = term_shl(s, width.segmask, term_word(s, 8));
    if (!against_zero)
        low = term_sub(s, width.width, term_word(s, 1));
    shfl_lane_make(g, (enum warp_op)mode, term_bor(s, segment, term_word(s, 31)), &v);
    r = goal_result(g, shfl_uniform(g, (enum warp_op)mode, v.w->a, v.b, term_bor(s, segment, low)), v.lane);
    goal_claim(g, "d", term_eq(s, v.r.d, r.d));
    goal_claim(g, "p", term_eq(s, v.r.p, r.p));
}

static void clamp_31(struct goal *g, int mode)
{
    clamp(g, mode, false);
}

static void clamp_31_up(struct goal *g, int mode)
{
    clamp(g, mode, true);
}

/*
 * CUDA C++ Programming Guide, "Warp Shuffle Functions", the source of __shfl_*_sync with `width`: own value when it
 * leaves the segment, except __shfl_xor_sync, which may read an earlier one.
 */
static term cuda_source(struct smt *s, enum warp_op mode, const struct shfl_lane *v, term width)
{
    term last = term_sub(s, width, term_word(s, 1));
    term rank = term_band(s, v->lane, last);
    term begin = term_sub(s, v->lane, rank);
    term flipped = term_bxor(s, v->lane, v->b);
    switch (mode) {
    case WARP_UP:
        return term_ite(s, term_ule(s, v->b, rank), term_sub(s, v->lane, v->b), v->lane);
    case WARP_DOWN:
        return term_ite(s, term_ult(s, term_add(s, rank, v->b), width), term_add(s, v->lane, v->b), v->lane);
    case WARP_BFLY:
        return term_ite(s, term_ult(s, flipped, term_add(s, begin, width)), flipped, v->lane);
    default:
        return term_add(s, begin, term_band(s, v->b, last));
    }
}

static void width_api(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_width width;
    struct shfl_lane v;
    shfl_width_make(g, (enum warp_op)mode, &width);
    shfl_lane_make(g, (enum warp_op)mode, width.c, &v);
    if (mode != WARP_IDX) /* the guide gives a delta above 31 no meaning */
        goal_assume(g, term_ult(s, v.b, term_word(s, 32)));
    goal_claim(g, "source", term_eq(s, v.r.d, cuda_source(s, (enum warp_op)mode, &v, width.width)));
}

static void idx_always_in_range(struct goal *g, int mode)
{
    struct shfl_width width;
    struct shfl_lane v;
    shfl_width_make(g, (enum warp_op)mode, &width);
    shfl_lane_make(g, (enum warp_op)mode, width.c, &v);
    goal_claim(g, "p", v.r.p);
}

/* All lanes of a first warp's result as the input of a second. */
static struct smt_warp *then(struct goal *g, enum warp_op mode, struct smt_warp *first, term b, term c)
{
    term d[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        d[k] = goal_result(g, first, term_word(g->s, k)).d;
    return shfl_uniform(g, mode, d, b, c);
}

/* kind 0: full width; 1: a width and b below it; 2: a width and any b. */
static void bfly_involution(struct goal *g, int kind)
{
    struct smt *s = g->s;
    struct shfl_width width;
    term b = goal_word(g, "b");
    term lane = goal_lane_number(g, "lane");
    term numbers[WARP_LANES];
    term c = term_word(s, 31);
    struct smt_warp *w;
    goal_lane_numbers(g, numbers);
    if (kind > 0) {
        shfl_width_make(g, WARP_BFLY, &width);
        c = width.c;
    }
    if (kind == 1)
        goal_assume(g, term_ult(s, b, width.width));
    w = then(g, WARP_BFLY, shfl_uniform(g, WARP_BFLY, numbers, b, c), b, c);
    goal_claim(g, "twice gives the own value", term_eq(s, goal_result(g, w, lane).d, lane));
}

/* Any group and any b: where the second d is defined, source and lane are both of the group, and it is the own value.
 */
static void bfly_involution_mask(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct goal_group first, second;
    term lane = goal_lane_number(g, "lane"), b = goal_word(g, "b");
    struct smt_lane r;
    (void)unused;
    goal_group_make(g, WARP_SHFL_SYNC_BFLY_B32, &first);
    goal_lane_numbers(g, first.w->a);
    goal_uniform(first.w->b, b);
    goal_uniform(first.w->c, term_word(s, 31));
    second = first;
    second.w = goal_copy(g, first.w);
    for (unsigned k = 0; k < WARP_LANES; k++)
        second.w->a[k] = goal_group_done(g, &first, term_word(s, k)).d;
    r = goal_group_done(g, &second, lane);
    goal_claim_when(g, "twice gives the own value", term_and(s, term_in(s, lane, first.group), r.d_defined),
                    term_eq(s, r.d, lane));
}

static void bfly_permutation(struct goal *g, int full)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_lane r;
    term lane = goal_lane_number(g, "other_lane");
    shfl_lane_make(g, WARP_BFLY, full ? term_word(s, 31) : NULL, &v);
    r = goal_result(g, v.w, lane);
    goal_claim_when(g, "two lanes get different values", term_ne(s, lane, v.lane), term_ne(s, v.r.d, r.d));
}

/* up at lane i is down at lane 31 - i, read backwards. */
static void mirror(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct shfl_width width;
    struct shfl_lane v;
    struct smt_lane r;
    term last = term_word(s, 31);
    term c;
    (void)unused;
    shfl_width_make(g, WARP_UP, &width);
    shfl_lane_make(g, WARP_UP, width.c, &v);
    c = term_bor(s, width.c, last);
    r = goal_result(g, shfl_uniform(g, WARP_DOWN, v.w->a, v.b, c), term_sub(s, last, v.lane));
    goal_claim(g, "p", term_eq(s, v.r.p, r.p));
    goal_claim(g, "source", term_eq(s, v.r.d, term_sub(s, last, r.d)));
}

/*
 * Two shifts against one by the sum, where that is in range. What the second one moves is what the first one gave its
 * source lane (shfl-up-moves, shfl-down-moves), so that one symbolic lane is enough.
 */
static void compose(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_width width;
    term lane = goal_lane_number(g, "lane");
    term x = goal_lane_number(g, "first_b"), y = goal_lane_number(g, "second_b");
    term sum = term_add(s, x, y);
    term numbers[WARP_LANES];
    struct smt_lane one, source;
    goal_lane_numbers(g, numbers);
    shfl_width_make(g, (enum warp_op)mode, &width);
    goal_assume(g, term_ult(s, sum, term_word(s, 32)));
    one = goal_result(g, shfl_uniform(g, (enum warp_op)mode, numbers, sum, width.c), lane);
    source = goal_result(g, shfl_uniform(g, (enum warp_op)mode, numbers, y, width.c), lane);
    goal_claim_when(
        g, "twice is once", one.p,
        term_eq(s, goal_result(g, shfl_uniform(g, (enum warp_op)mode, numbers, x, width.c), source.d).d, one.d));
}

static void compose_anywhere(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_lane one;
    term b = goal_word(g, "second_b");
    term c = term_word(s, mode == WARP_UP ? 0 : 31);
    shfl_lane_make(g, (enum warp_op)mode, c, &v);
    one = goal_result(g, shfl_uniform(g, (enum warp_op)mode, v.w->a, term_add(s, v.b, b), c), v.lane);
    goal_claim(g, "twice is once", term_eq(s, goal_result(g, then(g, (enum warp_op)mode, v.w, b, c), v.lane).d, one.d));
}

/* Rotations: idx with b = lane + delta modulo the width, and back. */
static void idx_rotation(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term delta = goal_word(g, "delta");
    term lane = goal_lane_number(g, "lane");
    term c = term_word(s, 31);
    term numbers[WARP_LANES];
    struct smt_warp *w, *back;
    (void)unused;
    goal_lane_numbers(g, numbers);
    w = shfl_uniform(g, WARP_IDX, numbers, delta, c);
    for (unsigned k = 0; k < WARP_LANES; k++)
        w->b[k] = term_add(s, numbers[k], delta);
    back = then(g, WARP_IDX, w, delta, c);
    for (unsigned k = 0; k < WARP_LANES; k++)
        back->b[k] = term_sub(s, numbers[k], delta);
    goal_claim(g, "there and back", term_eq(s, goal_result(g, back, lane).d, lane));
}

#define WIDTH_PAGE "shfl.sync, Sub-warp width W"
#define CUDA_PAGE  "CUDA C++ Programming Guide, Warp Shuffle Functions; " WIDTH_PAGE
#define UNIFORM    "one b and c for all lanes"
#define ONE        "one symbolic lane and width, " UNIFORM "; a is the lane number, so d is the source"
#define P(name, expected, build, argument, sentence, clause, trick)                                                    \
    PROPERTY("shfl-" name, "shfl", expected, build, argument, sentence, clause, trick, "")
#define OF_MODE(mode, stem, expected, build, argument, sentence, clause, trick)                                        \
    PROPERTY("shfl-" mode "-" stem, "shfl", expected, build, argument, sentence, clause, trick,                        \
             SHFL_OWN_##expected(mode))

static const struct property_entry entries[] = {
    OF_MODE("up", "segment-width", PROVED, segment_width, WARP_UP,
            "up: with a width's c the source is in the own segment", WIDTH_PAGE, ONE),
    OF_MODE("down", "segment-width", PROVED, segment_width, WARP_DOWN,
            "down: with a width's c the source is in the own segment", WIDTH_PAGE, ONE),
    OF_MODE("idx", "segment-width", PROVED, segment_width, WARP_IDX,
            "idx: with a width's c the source is in the own segment", WIDTH_PAGE, ONE),
    OF_MODE("bfly", "segment-width", REFUTED, segment_width, WARP_BFLY,
            "bfly: with a width's c the source is in the own segment (it may read an earlier one)", WIDTH_PAGE, ONE),
    OF_MODE("bfly", "segment-condition", PROVED, bfly_segment_condition, WARP_BFLY,
            "bfly: with a width's c the source is in the own segment exactly when b[4:0] < W or lane ^ b > lane",
            WIDTH_PAGE, ONE),
    OF_MODE("up", "clamp-31-w", PROVED, clamp_31, WARP_UP,
            "up: clamp 31 and clamp W-1 are the same (and both give the own value)", SHFL_PAGE, ONE),
    OF_MODE("down", "clamp-31-w", PROVED, clamp_31, WARP_DOWN, "down: clamp 31 and clamp W-1 are the same", SHFL_PAGE,
            ONE),
    OF_MODE("bfly", "clamp-31-w", PROVED, clamp_31, WARP_BFLY, "bfly: clamp 31 and clamp W-1 are the same", SHFL_PAGE,
            ONE),
    OF_MODE("idx", "clamp-31-w", PROVED, clamp_31, WARP_IDX, "idx: clamp 31 and clamp W-1 are the same", SHFL_PAGE,
            ONE),
    OF_MODE("up", "clamp-31", REFUTED, clamp_31_up, WARP_UP,
            "up: clamp 31, as in the other modes, is as good as its clamp 0", SHFL_PAGE, ONE),
    OF_MODE("up", "width-api", PROVED, width_api, WARP_UP, "__shfl_up_sync's width is c = (32-W) << 8, for every width",
            CUDA_PAGE, ONE),
    OF_MODE("down", "width-api", PROVED, width_api, WARP_DOWN,
            "__shfl_down_sync's width is c = (32-W) << 8 | 31, for every width", CUDA_PAGE, ONE),
    OF_MODE("bfly", "width-api", PROVED, width_api, WARP_BFLY,
            "__shfl_xor_sync's width is c = (32-W) << 8 | 31, for every width", CUDA_PAGE, ONE),
    OF_MODE("idx", "width-api", PROVED, width_api, WARP_IDX,
            "__shfl_sync's width is c = (32-W) << 8 | 31, for every width and any srcLane", CUDA_PAGE, ONE),
    OF_MODE("idx", "p-with-width", PROVED, idx_always_in_range, WARP_IDX, "idx: with a width's c, p is always true",
            WIDTH_PAGE, ONE),
    P("bfly-involution", PROVED, bfly_involution, 0,
      "bfly over the full width, twice with the same b, gives every lane its own value", SHFL_PAGE,
      "a is the lane number; a second warp takes the first one's d"),
    P("bfly-involution-width", PROVED, bfly_involution, 1, "the same with a width W and b < W", SHFL_PAGE,
      "a is the lane number; a second warp takes the first one's d"),
    P("bfly-involution-any-b", REFUTED, bfly_involution, 2, "the same with a width W and any b", SHFL_PAGE,
      "a is the lane number; a second warp takes the first one's d"),
    PROPERTY("shfl-bfly-involution-mask", "shfl", PROVED, bfly_involution_mask, 0,
             "bfly over the full width under any membermask, twice: where d is defined, every lane has its own value",
             SHFL_PAGE, "a complete group; a second warp takes the first one's d", GROUP_DONE),
    P("bfly-permutation", PROVED, bfly_permutation, 1, "bfly over the full width is a permutation of the lanes",
      SHFL_PAGE, "two symbolic lanes; an injection of 32 lanes into themselves is a permutation"),
    P("bfly-permutation-any-c", REFUTED, bfly_permutation, 0, "bfly is a permutation of the lanes for any c", SHFL_PAGE,
      "two symbolic lanes"),
    PROPERTY("shfl-up-down-mirror", "shfl", PROVED, mirror, 0,
             "up in lane i is down in lane 31-i, mirrored, for every width", SHFL_PAGE, ONE,
             SHFL_OWN_PROVED("up") " " SHFL_OWN_PROVED("down")),
    PROPERTY("shfl-compose-up", "shfl", PROVED, compose, WARP_UP,
             "up by x, then by y, is up by x+y where that is in range, for every width", SHFL_PAGE,
             "one symbolic lane and width; the second warp's d is what the first one gave its source lane",
             "shfl-up-moves " SHFL_OWN_PROVED("up")),
    PROPERTY("shfl-compose-down", "shfl", PROVED, compose, WARP_DOWN,
             "down by x, then by y, is down by x+y where that is in range, for every width", SHFL_PAGE,
             "one symbolic lane and width; the second warp's d is what the first one gave its source lane",
             "shfl-down-moves " SHFL_OWN_PROVED("down")),
    P("compose-up-anywhere", REFUTED, compose_anywhere, WARP_UP, "up by x, then by y, is up by x+y everywhere",
      SHFL_PAGE, "a is the lane number; a second warp takes the first one's d"),
    P("idx-rotation", PROVED, idx_rotation, 0,
      "idx with b = lane + x, then with b = lane - x, gives every lane its own value", SHFL_PAGE,
      "a is the lane number; a second warp takes the first one's d"),
};

PROPERTY_LIST(catalogue_shfl_width, entries);
