/* match: an equivalence on the lanes of a group, by bits. */
#include "smt/catalogue/catalogue.h"

#include <string.h>

/* Claims that are used as facts. */
#define PAIR "y matches x iff the values are equal"
#define OWN  "p: y's value is x's"

/* One warp, one done lane. */
struct match {
    struct smt_warp *w;
    term lane;
    struct smt_lane r;
};

static void make_match(struct goal *g, enum warp_form form, struct match *m)
{
    m->w = goal_warp(g, form);
    m->lane = goal_lane_number(g, "lane");
    m->r = goal_result(g, m->w, m->lane);
    goal_assume(g, m->r.done);
}

/* The same masks and values under another form. */
static struct smt_lane also(struct goal *g, const struct match *m, enum warp_form form, const term *a, term lane)
{
    struct smt_warp *w = goal_warp(g, form);
    const struct warp_form_info *info = w->info;
    uint32_t dst = w->dst;
    *w = *m->w;
    w->info = info;
    w->dst = dst;
    if (a != NULL)
        memcpy(w->a, a, sizeof w->a);
    return goal_result(g, w, lane);
}

static void reflexive(struct goal *g, int form)
{
    struct match m;
    make_match(g, (enum warp_form)form, &m);
    goal_claim(g, "matches itself", term_in(g->s, m.lane, m.r.d));
}

static void in_group(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct match m;
    make_match(g, (enum warp_form)form, &m);
    goal_claim(g, "only lanes of the group", term_eq(s, term_band(s, m.r.d, term_bnot(s, m.r.group)), term_word(s, 0)));
}

/* States bit k of d for each lane k. This is the definition, from which symmetry and transitivity follow by logic
 * alone. */
static void each_bit(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct match m;
    make_match(g, (enum warp_form)form, &m);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term same = term_eq(s, m.w->a[k], term_of_lane(s, m.w->a, m.lane));
        goal_claim(
            g, "one lane",
            term_eq(s, term_in(s, term_word(s, k), m.r.d), term_and(s, same, term_in(s, term_word(s, k), m.r.group))));
    }
}

/* Lanes of a complete group, any values. */
#define LANES 3
struct trio {
    struct goal_group group;
    term lane[LANES]; /* 5 bits */
    struct smt_lane r[LANES];
};

/* A lane number as it is in the lemmas: 5 bits, extended. */
static term lane_of(struct goal *g, term bits)
{
    return term_extend(g->s, 32, bits);
}

static void make_lanes(struct goal *g, enum warp_form form, unsigned n, struct trio *t)
{
    static const char *const names[LANES] = {"x", "y", "z"};
    goal_group_make(g, form, &t->group);
    for (unsigned i = 0; i < n; i++) {
        t->lane[i] = goal_bits(g, names[i], 5);
        goal_assume(g, term_in(g->s, lane_of(g, t->lane[i]), t->group.group));
        t->r[i] = goal_group_done(g, &t->group, lane_of(g, t->lane[i]));
    }
}

static term value_of(struct goal *g, const struct trio *t, term lane)
{
    return term_of_lane(g->s, t->group.w->a, lane_of(g, lane));
}

/* The result of lane x tells whether y's value is x's, for any two lanes. What is said of three lanes follows from
 * this alone. */
static void any_pair(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_lanes(g, (enum warp_form)form, 2, &t);
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_claim_when(g, "y is this lane", term_eq(s, t.lane[1], term_bits(s, k, 5)),
                        term_eq(s, term_in(s, lane_of(g, t.lane[1]), t.r[0].d),
                                term_eq(s, value_of(g, &t, t.lane[1]), value_of(g, &t, t.lane[0]))));
    goal_earlier(g);
    goal_claim(g, PAIR,
               term_eq(s, term_in(s, lane_of(g, t.lane[1]), t.r[0].d),
                       term_eq(s, value_of(g, &t, t.lane[1]), value_of(g, &t, t.lane[0]))));
}

/* States what the property's first lemma claims about x's result and lane y, with the values as any values. */
static void fact_of(struct goal *g, const struct trio *t, const char *claim, unsigned x, unsigned y)
{
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 0, lemma);
    goal_abstract(g, value_of(g, t, t->lane[x]));
    goal_abstract(g, value_of(g, t, t->lane[y]));
    GOAL_FACT(g, lemma, claim, {"x", t->lane[x]}, {"y", t->lane[y]});
}

static void fact_pair(struct goal *g, const struct trio *t, unsigned x, unsigned y)
{
    fact_of(g, t, PAIR, x, y);
}

static void symmetric(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_lanes(g, (enum warp_form)form, 2, &t);
    fact_pair(g, &t, 0, 1);
    fact_pair(g, &t, 1, 0);
    goal_claim_when(g, "y matches x", term_in(s, lane_of(g, t.lane[1]), t.r[0].d),
                    term_in(s, lane_of(g, t.lane[0]), t.r[1].d));
}

static void transitive(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_lanes(g, (enum warp_form)form, 3, &t);
    fact_pair(g, &t, 0, 1);
    fact_pair(g, &t, 1, 2);
    fact_pair(g, &t, 0, 2);
    goal_claim_when(
        g, "x matches z",
        term_and(s, term_in(s, lane_of(g, t.lane[1]), t.r[0].d), term_in(s, lane_of(g, t.lane[2]), t.r[1].d)),
        term_in(s, lane_of(g, t.lane[2]), t.r[0].d));
}

static void any_all(struct goal *g, int wide)
{
    struct smt *s = g->s;
    struct match m;
    struct smt_lane all;
    make_match(g, wide ? WARP_MATCH_ANY_SYNC_B64 : WARP_MATCH_ANY_SYNC_B32, &m);
    all = also(g, &m, wide ? WARP_MATCH_ALL_SYNC_B64 : WARP_MATCH_ALL_SYNC_B32, NULL, m.lane);
    goal_claim(g, "all iff any gives the group", term_eq(s, all.p, term_eq(s, m.r.d, m.r.group)));
}

static void all_d(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct match m;
    make_match(g, (enum warp_form)form, &m);
    goal_claim(g, "d = p ? group : 0", term_eq(s, m.r.d, term_ite(s, m.r.p, m.r.group, term_word(s, 0))));
}

/* p in lane x: every lane of the group has the value of x. This is the definition, with one claim for each lane and
 * one for all. */
static void all_own(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    term each[WARP_LANES];
    make_lanes(g, (enum warp_form)form, 2, &t);
    for (unsigned k = 0; k < WARP_LANES; k++)
        each[k] = term_eq(s, t.group.w->a[k], value_of(g, &t, t.lane[0]));
    goal_claim(g, "p iff every value of the group is x's", term_eq(s, t.r[0].p, term_each_in(s, t.group.group, each)));
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_claim_when(g, "y is this lane", term_eq(s, t.lane[1], term_bits(s, k, 5)),
                        term_implies(s, t.r[0].p, term_eq(s, value_of(g, &t, t.lane[1]), value_of(g, &t, t.lane[0]))));
    goal_earlier(g);
    goal_claim(g, OWN, term_implies(s, t.r[0].p, term_eq(s, value_of(g, &t, t.lane[1]), value_of(g, &t, t.lane[0]))));
}

static void fact_own(struct goal *g, const struct trio *t, unsigned x, unsigned y)
{
    fact_of(g, t, OWN, x, y);
}

/* Two lanes of the group, y and z, and one that is asked, x. */
static void all_pairs(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_lanes(g, (enum warp_form)form, 3, &t);
    fact_own(g, &t, 0, 1);
    fact_own(g, &t, 0, 2);
    goal_claim_when(g, "p: every pair is equal", t.r[0].p,
                    term_eq(s, value_of(g, &t, t.lane[1]), value_of(g, &t, t.lane[2])));
}

static void all_uniform(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_lanes(g, (enum warp_form)form, 2, &t);
    fact_own(g, &t, 0, 1);
    goal_claim_when(g, "p", t.r[0].p, t.r[1].p);
    goal_claim(g, "d", term_eq(s, t.r[0].d, term_ite(s, t.r[0].p, t.group.group, term_word(s, 0))));
}

static void halves(struct goal *g, const struct smt_warp *w, unsigned high, unsigned low, term half[WARP_LANES])
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        half[k] = term_extract(g->s, high, low, w->a[k]);
}

static void b64(struct goal *g, int any)
{
    struct smt *s = g->s;
    struct match m;
    term low[WARP_LANES], high[WARP_LANES];
    enum warp_form narrow = any ? WARP_MATCH_ANY_SYNC_B32 : WARP_MATCH_ALL_SYNC_B32;
    m.w = goal_warp(g, any ? WARP_MATCH_ANY_SYNC_B64 : WARP_MATCH_ALL_SYNC_B64);
    halves(g, m.w, 31, 0, low);
    halves(g, m.w, 63, 32, high);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term lane = term_word(s, k);
        struct smt_lane r = goal_result(g, m.w, lane);
        struct smt_lane x = also(g, &m, narrow, low, lane), y = also(g, &m, narrow, high, lane);
        goal_claim_when(g, any ? "d = low & high" : "p = low and high", r.done,
                        any ? term_eq(s, r.d, term_band(s, x.d, y.d)) : term_eq(s, r.p, term_and(s, x.p, y.p)));
    }
}

static void by_float(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct match m;
    term other = goal_lane_number(g, "other_lane");
    (void)unused;
    m.w = goal_warp(g, WARP_MATCH_ANY_SYNC_B32);
    m.w->exited = term_word(s, 0); /* a group of two lanes is enough to refute it */
    m.w->active = term_word(s, 3);
    goal_same_membermask(m.w, m.w->active);
    m.lane = goal_lane_number(g, "lane");
    m.r = goal_result(g, m.w, m.lane);
    goal_assume(g, term_and(s, m.r.done, term_in(s, other, m.r.group)));
    goal_claim_when(g, "equal floats match",
                    term_float_eq(s, term_of_lane(s, m.w->a, other), term_of_lane(s, m.w->a, m.lane)),
                    term_in(s, other, m.r.d));
}

#define P(name, expected, build, argument, sentence, trick, lemmas)                                                    \
    PROPERTY("match-" name, "match", expected, build, argument, sentence, MATCH_PAGE, trick, lemmas)
#define PAIRS "a complete group; two or three symbolic lanes; the lemma's instances for each two"
#define SPLIT "a complete group; two symbolic lanes; one claim for each value of the second, and all of them together"
#define BOTH(name, build, OP, sentence, trick, lemmas)                                                                 \
    P(name, PROVED, build, WARP_MATCH_##OP##_SYNC_B32, sentence ", b32", trick, lemmas),                               \
        P(name "-b64", PROVED, build, WARP_MATCH_##OP##_SYNC_B64, sentence ", b64", trick, lemmas)
#define EACH "one symbolic lane; one claim for each value of the other"

static const struct property_entry entries[] = {
    P("any-reflexive", PROVED, reflexive, WARP_MATCH_ANY_SYNC_B32, "any: a lane matches itself (NaN bits too), b32",
      "one symbolic lane", ""),
    P("any-reflexive-b64", PROVED, reflexive, WARP_MATCH_ANY_SYNC_B64, "any: a lane matches itself, b64",
      "one symbolic lane", ""),
    P("any-in-group", PROVED, in_group, WARP_MATCH_ANY_SYNC_B32, "any: a lane matches only lanes of its group, b32",
      "one symbolic lane", ""),
    P("any-in-group-b64", PROVED, in_group, WARP_MATCH_ANY_SYNC_B64, "any: a lane matches only lanes of its group, b64",
      "one symbolic lane", ""),
    P("any-bit", PROVED, each_bit, WARP_MATCH_ANY_SYNC_B32,
      "any: bit k of d exactly when lane k is in the group and has the same value, b32", EACH, ""),
    P("any-bit-b64", PROVED, each_bit, WARP_MATCH_ANY_SYNC_B64, "any: the same for b64", EACH, ""),
    BOTH("lemma-pair", any_pair, ANY, "any: x gets the bit of y exactly when their values are equal, for any two lanes",
         SPLIT, GROUP_DONE),
    P("any-symmetric", PROVED, symmetric, WARP_MATCH_ANY_SYNC_B32, "any: if x matches y, y matches x, b32", PAIRS,
      "match-lemma-pair " GROUP_DONE),
    P("any-symmetric-b64", PROVED, symmetric, WARP_MATCH_ANY_SYNC_B64, "any: if x matches y, y matches x, b64", PAIRS,
      "match-lemma-pair-b64 " GROUP_DONE),
    P("any-transitive", PROVED, transitive, WARP_MATCH_ANY_SYNC_B32,
      "any: if x matches y and y matches z, x matches z, b32", PAIRS, "match-lemma-pair " GROUP_DONE),
    P("any-transitive-b64", PROVED, transitive, WARP_MATCH_ANY_SYNC_B64,
      "any: if x matches y and y matches z, x matches z, b64", PAIRS, "match-lemma-pair-b64 " GROUP_DONE),
    P("any-all", PROVED, any_all, 0, "all is true exactly when any gives the group, b32", "one symbolic lane", ""),
    P("any-all-b64", PROVED, any_all, 1, "all is true exactly when any gives the group, b64", "one symbolic lane", ""),
    P("all-d", PROVED, all_d, WARP_MATCH_ALL_SYNC_B32, "all: d is the group where p is true, else 0, b32",
      "one symbolic lane", ""),
    P("all-d-b64", PROVED, all_d, WARP_MATCH_ALL_SYNC_B64, "all: d is the group where p is true, else 0, b64",
      "one symbolic lane", ""),
    BOTH("lemma-own", all_own, ALL, "all: x gets p exactly when every lane of the group has the value of x", SPLIT,
         GROUP_DONE),
    P("all-pairs", PROVED, all_pairs, WARP_MATCH_ALL_SYNC_B32,
      "all: p means that every two lanes of the group have the same value, b32", PAIRS, "match-lemma-own " GROUP_DONE),
    P("all-pairs-b64", PROVED, all_pairs, WARP_MATCH_ALL_SYNC_B64,
      "all: p means that every two lanes of the group have the same value, b64", PAIRS,
      "match-lemma-own-b64 " GROUP_DONE),
    P("all-uniform", PROVED, all_uniform, WARP_MATCH_ALL_SYNC_B32, "all: lanes of one group get the same p, b32", PAIRS,
      "match-lemma-own " GROUP_DONE),
    P("all-uniform-b64", PROVED, all_uniform, WARP_MATCH_ALL_SYNC_B64, "all: lanes of one group get the same p, b64",
      PAIRS, "match-lemma-own-b64 " GROUP_DONE),
    /* idioms/match-b64.ptx claims it of a full warp. */
    P("any-b64", PROVED, b64, 1, "any of b64 is any of the low halves & any of the high halves", "one claim a lane",
      ""),
    P("all-b64", PROVED, b64, 0, "all of b64 is all of the low halves and all of the high halves", "one claim a lane",
      ""),
    P("by-float", REFUTED, by_float, 0, "lanes of a group that hold equal floats match (+0 and -0 do not)",
      "two symbolic lanes", ""),
};

PROPERTY_LIST(catalogue_match, entries);
