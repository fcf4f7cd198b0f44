/* shfl: what b, c and the lane number determine, for any 32-bit operands. */
#include "smt/catalogue/shfl.h"

#include <string.h>

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
    goal_same_membermask(w, goal_word(g, "membermask"));
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
        struct smt_lane r, q;
        w->info = warp_form_get(forms[i]);
        sync->info = warp_form_get(shfl_form(modes[i]));
        r = goal_result(g, w, lane);
        q = goal_result(g, sync, lane);
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
/* With one b and c for all lanes. */
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
