/* shfl: what b, c and the lane number determine, for any 32-bit operands; widths and segments, CUDA's width API. */
#include "smt/catalogue/shfl.h"

#include <string.h>

/* The shfl.sync form of a mode. */
static enum warp_form shfl_form(enum warp_op mode)
{
    return mode == WARP_UP     ? WARP_SHFL_SYNC_UP_B32
           : mode == WARP_DOWN ? WARP_SHFL_SYNC_DOWN_B32
           : mode == WARP_BFLY ? WARP_SHFL_SYNC_BFLY_B32
                               : WARP_SHFL_SYNC_IDX_B32;
}

static const char *shfl_mode_name(enum warp_op mode)
{
    return mode == WARP_UP ? "up" : mode == WARP_DOWN ? "down" : mode == WARP_BFLY ? "bfly" : "idx";
}

struct smt_warp *shfl_uniform(struct goal *g, enum warp_op mode, const term a[WARP_LANES], term b, term c)
{
    struct smt_warp *w = goal_full_warp(g, shfl_form(mode));
    memcpy(w->a, a, sizeof w->a);
    goal_uniform(w->b, b);
    goal_uniform(w->c, c);
    return w;
}

/* c: NULL for any 32 bits. */
static void shfl_lane_make(struct goal *g, enum warp_op mode, term c, struct shfl_lane *v)
{
    struct smt *s = g->s;
    term numbers[WARP_LANES];
    term inside;
    goal_lane_numbers(g, numbers);
    v->lane = goal_lane_number(g, "lane");
    v->b = goal_word(g, "b");
    v->c = c != NULL ? c : goal_word(g, "c");
    v->bval = term_field(s, v->b, 4, 0);
    v->cval = term_field(s, v->c, 4, 0);
    v->segmask = term_field(s, v->c, 12, 8);
    v->min_lane = term_band(s, v->lane, v->segmask);
    inside = term_band(s, v->cval, term_bnot(s, v->segmask));
    v->max_lane = term_bor(s, v->min_lane, inside);
    v->w = shfl_uniform(g, mode, numbers, v->b, v->c);
    v->r = goal_result(g, v->w, v->lane);
}

static void shfl_width_make(struct goal *g, enum warp_op mode, struct shfl_width *width)
{
    struct smt *s = g->s;
    term log = term_extend(s, 32, goal_bits(g, "log_width", 3));
    goal_assume(g, term_ule(s, log, term_word(s, 5)));
    width->width = term_shl(s, term_word(s, 1), log);
    width->segmask = term_sub(s, term_word(s, 32), width->width);
    width->c = term_bor(s, term_shl(s, width->segmask, term_word(s, 8)), term_word(s, mode == WARP_UP ? 0 : 31));
}

/* shfl: what b, c and the lane number determine, for any 32-bit operands. */

static const enum warp_op modes[] = {WARP_UP, WARP_DOWN, WARP_BFLY, WARP_IDX};

/* Two warps in which one lane has the same operands; b and c of the other lanes are any, in each warp. */
static void own_operands(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, shfl_form((enum warp_op)mode));
    struct smt_warp *other = goal_warp(g, shfl_form((enum warp_op)mode));
    term lane = goal_lane_number(g, "lane");
    struct smt_lane r, q;
    term b[WARP_LANES], c[WARP_LANES];
    memcpy(b, other->b, sizeof b);
    memcpy(c, other->c, sizeof c);
    *other = *w;
    memcpy(other->b, b, sizeof b);
    memcpy(other->c, c, sizeof c);
    goal_assume(g, term_eq(s, term_of_lane(s, w->b, lane), term_of_lane(s, b, lane)));
    goal_assume(g, term_eq(s, term_of_lane(s, w->c, lane), term_of_lane(s, c, lane)));
    r = goal_result(g, w, lane);
    q = goal_result(g, other, lane);
    goal_claim(g, "p", term_eq(s, r.p, q.p));
    goal_claim(g, "d_defined", term_eq(s, r.d_defined, q.d_defined));
    goal_claim_when(g, "d", r.d_defined, term_eq(s, r.d, q.d));
}

/* With every lane in the group, d is defined exactly when the source lane is 0..31. */
static void source_in_warp(struct goal *g, int mode)
{
    struct shfl_lane v;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    goal_claim(g, shfl_mode_name((enum warp_op)mode), v.r.d_defined);
}

/* A second warp whose b or c has the same fields. */
static void same_fields(struct goal *g, int mode, bool of_b)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_lane other;
    struct smt_warp *w;
    term x = goal_word(g, of_b ? "other_b" : "other_c");
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    if (of_b) {
        goal_assume(g, term_eq(s, term_extract(s, 4, 0, x), term_extract(s, 4, 0, v.b)));
        w = shfl_uniform(g, (enum warp_op)mode, v.w->a, x, v.c);
    } else {
        goal_assume(g, term_eq(s, term_extract(s, 4, 0, x), term_extract(s, 4, 0, v.c)));
        goal_assume(g, term_eq(s, term_extract(s, 12, 8, x), term_extract(s, 12, 8, v.c)));
        w = shfl_uniform(g, (enum warp_op)mode, v.w->a, v.b, x);
    }
    other = goal_result(g, w, v.lane);
    goal_claim(g, "d", term_eq(s, other.d, v.r.d));
    goal_claim(g, "p", term_eq(s, other.p, v.r.p));
    goal_claim(g, "d_defined", term_eq(s, other.d_defined, v.r.d_defined));
}

static void b_low_bits(struct goal *g, int mode)
{
    same_fields(g, mode, true);
}

static void c_fields(struct goal *g, int mode)
{
    same_fields(g, mode, false);
}

static void bounded(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    goal_claim_when(g, "minLane <= j <= maxLane", v.r.p,
                    term_and(s, term_sle(s, v.min_lane, v.r.d), term_sle(s, v.r.d, v.max_lane)));
}

static void up_lower_bound(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    goal_claim_when(g, "maxLane <= j <= lane", v.r.p,
                    term_and(s, term_sle(s, v.max_lane, v.r.d), term_sle(s, v.r.d, v.lane)));
}

/* "j = lane - bval; pval = (j >= maxLane)" and so on, of the own b and c, whatever their other bits. */
static void pval_exact(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    term j, pval;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    j = mode == WARP_UP     ? term_sub(s, v.lane, v.bval)
        : mode == WARP_DOWN ? term_add(s, v.lane, v.bval)
        : mode == WARP_BFLY ? term_bxor(s, v.lane, v.bval)
                            : term_bor(s, v.min_lane, term_band(s, v.bval, term_bnot(s, v.segmask)));
    pval = mode == WARP_UP ? term_sle(s, v.max_lane, j) : term_sle(s, j, v.max_lane);
    goal_claim(g, "p is pval", term_eq(s, v.r.p, pval));
    goal_claim_when(g, "the source is j", v.r.p, term_eq(s, v.r.d, j));
}

static void segment_any_c(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    goal_claim_when(g, "source in the own segment", v.r.p, term_eq(s, term_band(s, v.r.d, v.segmask), v.min_lane));
}

static void own_value(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    goal_claim_when(g, "own lane", term_not(s, v.r.p), term_eq(s, v.r.d, v.lane));
}

static void zero_delta(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    goal_claim_when(g, "own lane", term_eq(s, v.bval, term_word(s, 0)), term_eq(s, v.r.d, v.lane));
}

/* Lanes of one segment, that is, with the same lane & segmask. */
static void idx_broadcast(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_lane other;
    term lane = goal_lane_number(g, "other_lane");
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    other = goal_result(g, v.w, lane);
    goal_assume(g, term_eq(s, term_band(s, lane, v.segmask), v.min_lane));
    goal_claim(g, "p", term_eq(s, v.r.p, other.p));
    goal_claim_when(g, "d", v.r.p, term_eq(s, v.r.d, other.d));
}

/* Two warps that differ in nothing but `a`. */
static void p_independent_of_data(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct smt_warp *w = goal_warp(g, shfl_form((enum warp_op)mode));
    struct smt_warp *other = goal_warp(g, shfl_form((enum warp_op)mode));
    term lane = goal_lane_number(g, "lane");
    struct smt_lane r, q;
    term a[WARP_LANES];
    goal_operand(g, a, "other_a", 32);
    *other = *w;
    for (unsigned k = 0; k < WARP_LANES; k++)
        other->a[k] = a[k];
    r = goal_result(g, w, lane);
    q = goal_result(g, other, lane);
    goal_claim(g, "p", term_eq(s, r.p, q.p));
    goal_claim(g, "d_defined", term_eq(s, r.d_defined, q.d_defined));
}

/* p depends on b, c and the lane alone: not on who takes part. */
static void p_independent_of_group(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_warp *w;
    struct smt_lane r;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    w = goal_warp(g, shfl_form((enum warp_op)mode));
    goal_uniform(w->b, v.b);
    goal_uniform(w->c, v.c);
    goal_same_membermask(w, goal_membermask(g));
    r = goal_result(g, w, v.lane);
    goal_assume(g, r.done);
    goal_claim(g, "p", term_eq(s, r.p, v.r.p));
}

/* Any masks, groups, exited and absent lanes; operands b and c the same in all lanes. */
static struct smt_warp *any_group(struct goal *g, enum warp_op mode, term *b, term *c)
{
    struct smt_warp *w = goal_warp(g, shfl_form(mode));
    *b = goal_word(g, "b");
    *c = goal_word(g, "c");
    goal_uniform(w->b, *b);
    goal_uniform(w->c, *c);
    return w;
}

/* The source, observed in a full warp with the same b and c, is in the group exactly when d is defined. */
static void defined_from_group(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_warp *w;
    struct smt_lane r;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    w = goal_warp(g, shfl_form((enum warp_op)mode));
    goal_uniform(w->b, v.b);
    goal_uniform(w->c, v.c);
    r = goal_result(g, w, v.lane);
    goal_assume(g, r.done);
    goal_claim(g, "defined iff the source is in the group", term_eq(s, r.d_defined, term_in(s, v.r.d, r.group)));
}

/* The source, observed in a full warp whose lanes pass their own numbers, is the lane whose a is d. */
static void moves(struct goal *g, int mode)
{
    struct smt *s = g->s;
    struct shfl_lane v;
    struct smt_warp *w;
    struct smt_lane r;
    shfl_lane_make(g, (enum warp_op)mode, NULL, &v);
    w = goal_warp(g, shfl_form((enum warp_op)mode));
    goal_uniform(w->b, v.b);
    goal_uniform(w->c, v.c);
    r = goal_result(g, w, v.lane);
    goal_claim_when(g, "d = a of the source", r.d_defined, term_eq(s, r.d, term_of_lane(s, w->a, v.r.d)));
}

static void own_always_defined(struct goal *g, int mode)
{
    struct smt *s = g->s;
    term b, c;
    struct smt_warp *w = any_group(g, (enum warp_op)mode, &b, &c);
    term lane = goal_lane_number(g, "lane");
    struct smt_lane r = goal_result(g, w, lane);
    goal_claim_when(g, "own value", term_and(s, r.done, term_not(s, r.p)),
                    term_and(s, r.d_defined, term_eq(s, r.d, term_of_lane(s, w->a, lane))));
}

/* The same case twice: is d the same? */
static void determined(struct goal *g, int when_defined)
{
    struct smt *s = g->s;
    term b, c;
    struct smt_warp *w = any_group(g, WARP_IDX, &b, &c);
    struct smt_warp *again = goal_warp(g, WARP_SHFL_SYNC_IDX_B32);
    term lane = goal_lane_number(g, "lane");
    struct smt_lane r, q;
    *again = *w;
    r = goal_result(g, w, lane);
    q = goal_result(g, again, lane);
    goal_claim_when(g, "d", when_defined ? r.d_defined : r.done, term_eq(s, r.d, q.d));
}

static void legacy(struct goal *g, int unused)
{
    static const enum warp_form forms[] = {WARP_SHFL_UP_B32, WARP_SHFL_DOWN_B32, WARP_SHFL_BFLY_B32, WARP_SHFL_IDX_B32};
    struct smt *s = g->s;
    struct smt_warp *w, *sync;
    term lane = goal_lane_number(g, "lane");
    (void)unused;
    w = goal_warp(g, WARP_SHFL_UP_B32);
    sync = goal_warp(g, WARP_SHFL_SYNC_UP_B32);
    *sync = *w;
    sync->convergence = w->convergence = term_bool(s, false);
    goal_same_membermask(sync, w->active);
    for (unsigned i = 0; i < 4; i++) {
        struct smt_warp *const old = i == 0 ? w : goal_copy(g, w), *const new = i == 0 ? sync : goal_copy(g, sync);
        struct smt_lane r, q;
        old->info = warp_form_get(forms[i]);
        new->info = warp_form_get(shfl_form(modes[i]));
        r = goal_result(g, old, lane);
        q = goal_result(g, new, lane);
        goal_claim(g, "done", term_eq(s, r.done, q.done));
        goal_claim(g, "p", term_eq(s, r.p, q.p));
        goal_claim(g, "d_defined", term_eq(s, r.d_defined, q.d_defined));
        goal_claim_when(g, "d", r.d_defined, term_eq(s, r.d, q.d));
    }
}

#define OF_MODE_WITH(mode, MODE, stem, expected, build, sentence, clause, trick, lemmas)                               \
    PROPERTY("shfl-" mode "-" stem, "shfl", expected, build, WARP_##MODE, mode ": " sentence, clause, trick, lemmas)
#define OF_MODES_FREE(stem, expected, build, sentence, clause, trick)                                                  \
    OF_MODE_WITH("up", UP, stem, expected, build, sentence, clause, trick, ""),                                        \
        OF_MODE_WITH("down", DOWN, stem, expected, build, sentence, clause, trick, ""),                                \
        OF_MODE_WITH("bfly", BFLY, stem, expected, build, sentence, clause, trick, ""),                                \
        OF_MODE_WITH("idx", IDX, stem, expected, build, sentence, clause, trick, "")
/* The same with one b and c for all lanes. */
#define OF_MODE(mode, MODE, stem, expected, build, sentence, clause, trick)                                            \
    OF_MODE_WITH(mode, MODE, stem, expected, build, sentence, clause, trick, SHFL_OWN_##expected(mode))
#define OF_MODES(stem, expected, build, sentence, clause, trick)                                                       \
    OF_MODE("up", UP, stem, expected, build, sentence, clause, trick),                                                 \
        OF_MODE("down", DOWN, stem, expected, build, sentence, clause, trick),                                         \
        OF_MODE("bfly", BFLY, stem, expected, build, sentence, clause, trick),                                         \
        OF_MODE("idx", IDX, stem, expected, build, sentence, clause, trick)

#define UNIFORM  "one b and c for all lanes"
#define ONE_LANE "one symbolic lane of a full warp, " UNIFORM "; a is the lane number, so d is the source"
#define BOUNDED  "where p is true, minLane <= j <= maxLane"
#define SEGMENT  "where p is true, the source is in the own segment, for any c"

static const struct property_entry entries[] = {
    OF_MODES_FREE("own-operands", PROVED, own_operands, "what a lane gets depends on no other lane's b and c",
                  SHFL_PAGE, "one symbolic lane; two warps that differ in b and c of the others"),
    OF_MODES("source-in-warp", PROVED, source_in_warp, "the source lane is 0..31 for any 32-bit b and c", SHFL_PAGE,
             ONE_LANE),
    OF_MODES("b-low-bits", PROVED, b_low_bits, "only b[4:0] matters", SHFL_PAGE ": bval[4:0] = b[4:0]", ONE_LANE),
    OF_MODES("c-fields", PROVED, c_fields, "only c[4:0] and c[12:8] matter", SHFL_PAGE ": cval, segmask", ONE_LANE),
    OF_MODE("up", UP, "bounded", REFUTED, bounded, BOUNDED " (maxLane is its lower bound)", SHFL_PAGE, ONE_LANE),
    OF_MODE("down", DOWN, "bounded", PROVED, bounded, BOUNDED, SHFL_PAGE, ONE_LANE),
    OF_MODE("bfly", BFLY, "bounded", REFUTED, bounded, BOUNDED " (it may read an earlier segment)", SHFL_PAGE,
            ONE_LANE),
    OF_MODE("idx", IDX, "bounded", PROVED, bounded, BOUNDED, SHFL_PAGE, ONE_LANE),
    OF_MODE("up", UP, "lower-bound", PROVED, up_lower_bound, "where p is true, maxLane <= j <= lane", SHFL_PAGE,
            ONE_LANE),
    OF_MODES("pval-exact", PROVED, pval_exact, "p is true exactly where the manual's pval is; then the source is its j",
             SHFL_PAGE ": pval", ONE_LANE),
    OF_MODE("up", UP, "segment-any-c", REFUTED, segment_any_c, SEGMENT, SHFL_PAGE, ONE_LANE),
    OF_MODE("down", DOWN, "segment-any-c", REFUTED, segment_any_c, SEGMENT, SHFL_PAGE, ONE_LANE),
    OF_MODE("bfly", BFLY, "segment-any-c", REFUTED, segment_any_c, SEGMENT, SHFL_PAGE, ONE_LANE),
    OF_MODE("idx", IDX, "segment-any-c", PROVED, segment_any_c, SEGMENT, SHFL_PAGE, ONE_LANE),
    OF_MODES("own-value", PROVED, own_value, "where p is false, the lane gets its own value",
             SHFL_PAGE ": if (!pval) j = lane", ONE_LANE),
    OF_MODE("up", UP, "zero-delta", PROVED, zero_delta, "b[4:0] = 0 gives the own value, for any c", SHFL_PAGE,
            ONE_LANE),
    OF_MODE("down", DOWN, "zero-delta", PROVED, zero_delta, "b[4:0] = 0 gives the own value, for any c", SHFL_PAGE,
            ONE_LANE),
    OF_MODE("bfly", BFLY, "zero-delta", PROVED, zero_delta, "b[4:0] = 0 gives the own value, for any c", SHFL_PAGE,
            ONE_LANE),
    OF_MODE("idx", IDX, "broadcast", PROVED, idx_broadcast,
            "lanes of one segment with the same b and c get the same p, and where it is true the same d", SHFL_PAGE,
            "two symbolic lanes, " UNIFORM),
    OF_MODES_FREE("p-independent", PROVED, p_independent_of_data,
                  "p and whether d is defined do not depend on the data", SHFL_PAGE, "two warps that differ in a"),
    OF_MODES("p-not-of-group", PROVED, p_independent_of_group, "p of a done lane does not depend on who takes part",
             SHFL_PAGE, "one symbolic lane, one membermask, " UNIFORM),
    OF_MODES("defined-from-group", PROVED, defined_from_group,
             "d of a done lane is unpredictable exactly when the source is outside its group",
             "shfl.sync, Description: results are undefined if a thread sources [...] an inactive thread", ONE_LANE),
    OF_MODES("moves", PROVED, moves, "where d is defined it is the value a of the source lane, whatever the values are",
             SHFL_PAGE ": d = value of a in lane j",
             "one symbolic lane, " UNIFORM "; the source is what a full warp of lane numbers gets"),
    OF_MODES("own-defined", PROVED, own_always_defined,
             "a done lane whose p is false gets its own value, always defined", SHFL_PAGE,
             "one symbolic lane, " UNIFORM),
    PROPERTY("shfl-d-determined", "shfl", PROVED, determined, 1, "where d is defined, it is a function of the case",
             SHFL_PAGE, "the same case twice, each time with a fresh unpredictable value; " UNIFORM,
             SHFL_OWN_PROVED("idx")),
    PROPERTY("shfl-d-unpredictable", "shfl", REFUTED, determined, 0,
             "d of a done lane is always a function of the case", "shfl.sync, Description: results are undefined",
             "the same case twice, each time with a fresh unpredictable value", ""),
    PROPERTY("shfl-legacy-is-sync", "shfl", PROVED, legacy, 0,
             "shfl is shfl.sync with membermask = the active lanes, in every mode", "shfl, Description",
             "one symbolic lane", ""),
};

PROPERTY_LIST(catalogue_shfl, entries);

/* shfl: widths and segments, CUDA's width API, composition, mirrors, involutions. */

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
    case WARP_IDX:
        return term_add(s, begin, term_band(s, v->b, last));
    case WARP_OPS_BUT_SHFL:
        break;
    }
    smt_defect("a shuffle's mode is up, down, bfly or idx");
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

/* Uses the results of all lanes of a first warp as the input of a second. */
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
#define ONE        "one symbolic lane and width, " UNIFORM "; a is the lane number, so d is the source"
#define P(name, expected, build, argument, sentence, clause, trick)                                                    \
    PROPERTY("shfl-" name, "shfl", expected, build, argument, sentence, clause, trick, "")
#define WIDTH_OF_MODE(mode, stem, expected, build, argument, sentence, clause, trick)                                  \
    PROPERTY("shfl-" mode "-" stem, "shfl", expected, build, argument, sentence, clause, trick,                        \
             SHFL_OWN_##expected(mode))

static const struct property_entry width_entries[] = {
    WIDTH_OF_MODE("up", "segment-width", PROVED, segment_width, WARP_UP,
                  "up: with a width's c the source is in the own segment", WIDTH_PAGE, ONE),
    WIDTH_OF_MODE("down", "segment-width", PROVED, segment_width, WARP_DOWN,
                  "down: with a width's c the source is in the own segment", WIDTH_PAGE, ONE),
    WIDTH_OF_MODE("idx", "segment-width", PROVED, segment_width, WARP_IDX,
                  "idx: with a width's c the source is in the own segment", WIDTH_PAGE, ONE),
    WIDTH_OF_MODE("bfly", "segment-width", REFUTED, segment_width, WARP_BFLY,
                  "bfly: with a width's c the source is in the own segment (it may read an earlier one)", WIDTH_PAGE,
                  ONE),
    WIDTH_OF_MODE("bfly", "segment-condition", PROVED, bfly_segment_condition, WARP_BFLY,
                  "bfly: with a width's c the source is in the own segment exactly when b[4:0] < W or lane ^ b > lane",
                  WIDTH_PAGE, ONE),
    WIDTH_OF_MODE("up", "clamp-31-w", PROVED, clamp_31, WARP_UP,
                  "up: clamp 31 and clamp W-1 are the same (and both give the own value)", SHFL_PAGE, ONE),
    WIDTH_OF_MODE("down", "clamp-31-w", PROVED, clamp_31, WARP_DOWN, "down: clamp 31 and clamp W-1 are the same",
                  SHFL_PAGE, ONE),
    WIDTH_OF_MODE("bfly", "clamp-31-w", PROVED, clamp_31, WARP_BFLY, "bfly: clamp 31 and clamp W-1 are the same",
                  SHFL_PAGE, ONE),
    WIDTH_OF_MODE("idx", "clamp-31-w", PROVED, clamp_31, WARP_IDX, "idx: clamp 31 and clamp W-1 are the same",
                  SHFL_PAGE, ONE),
    WIDTH_OF_MODE("up", "clamp-31", REFUTED, clamp_31_up, WARP_UP,
                  "up: clamp 31, as in the other modes, is as good as its clamp 0", SHFL_PAGE, ONE),
    WIDTH_OF_MODE("up", "width-api", PROVED, width_api, WARP_UP,
                  "__shfl_up_sync's width is c = (32-W) << 8, for every width", CUDA_PAGE, ONE),
    WIDTH_OF_MODE("down", "width-api", PROVED, width_api, WARP_DOWN,
                  "__shfl_down_sync's width is c = (32-W) << 8 | 31, for every width", CUDA_PAGE, ONE),
    WIDTH_OF_MODE("bfly", "width-api", PROVED, width_api, WARP_BFLY,
                  "__shfl_xor_sync's width is c = (32-W) << 8 | 31, for every width", CUDA_PAGE, ONE),
    WIDTH_OF_MODE("idx", "width-api", PROVED, width_api, WARP_IDX,
                  "__shfl_sync's width is c = (32-W) << 8 | 31, for every width and any srcLane", CUDA_PAGE, ONE),
    WIDTH_OF_MODE("idx", "p-with-width", PROVED, idx_always_in_range, WARP_IDX,
                  "idx: with a width's c, p is always true", WIDTH_PAGE, ONE),
    /* masks/bfly-involution.ptx claims the first; here it stands beside its widths, without a reader of PTX. */
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

PROPERTY_LIST(catalogue_shfl_width, width_entries);
