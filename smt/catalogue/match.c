/* match: an equivalence on the lanes of a group, by bits. */
#include "smt/catalogue/catalogue.h"

#include <string.h>

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

/* Bit k of d, for each lane k: the definition, from which symmetry and transitivity follow by logic alone. */
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

/* Three lanes of a complete group; keys as wide as 32 lanes need. */
struct trio {
    struct goal_group group;
    term keys[WARP_LANES];
    term lane[3];
    struct smt_lane r[3];
};

static void make_trio(struct goal *g, enum warp_form form, struct trio *t)
{
    static const char *const names[] = {"x", "y", "z"};
    goal_group_make(g, form, &t->group);
    goal_operand(g, t->keys, "key", 5);
    memcpy(t->group.w->a, t->keys, sizeof t->keys);
    for (unsigned i = 0; i < 3; i++) {
        t->lane[i] = goal_lane_number(g, names[i]);
        goal_assume(g, term_in(g->s, t->lane[i], t->group.group));
        t->r[i] = goal_group_done(g, &t->group, t->lane[i]);
    }
}

static void symmetric(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_trio(g, (enum warp_form)form, &t);
    goal_claim_when(g, "y matches x", term_in(s, t.lane[1], t.r[0].d), term_in(s, t.lane[0], t.r[1].d));
}

static void transitive(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_trio(g, (enum warp_form)form, &t);
    goal_claim_when(g, "x matches z", term_and(s, term_in(s, t.lane[1], t.r[0].d), term_in(s, t.lane[2], t.r[1].d)),
                    term_in(s, t.lane[2], t.r[0].d));
}

static void any_all(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct match m;
    struct smt_lane all;
    (void)unused;
    make_match(g, WARP_MATCH_ANY_SYNC_B32, &m);
    all = also(g, &m, WARP_MATCH_ALL_SYNC_B32, NULL, m.lane);
    goal_claim(g, "all iff any gives the group", term_eq(s, all.p, term_eq(s, m.r.d, m.r.group)));
}

static void all_d(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct match m;
    make_match(g, (enum warp_form)form, &m);
    goal_claim(g, "d = p ? group : 0", term_eq(s, m.r.d, term_ite(s, m.r.p, m.r.group, term_word(s, 0))));
}

/* All pairs of the group, with keys as wide as 32 lanes need. */
static void all_pairs(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct match m;
    term keys[WARP_LANES];
    term x = goal_lane_number(g, "x");
    term y = goal_lane_number(g, "y");
    (void)unused;
    m.w = goal_warp(g, WARP_MATCH_ALL_SYNC_B32);
    goal_operand(g, keys, "key", 5);
    memcpy(m.w->a, keys, sizeof keys);
    m.lane = goal_lane_number(g, "lane");
    m.r = goal_result(g, m.w, m.lane);
    goal_assume(g, TERM_ALL(s, m.r.done, term_in(s, x, m.r.group), term_in(s, y, m.r.group)));
    goal_claim_when(g, "p: every pair is equal", m.r.p, term_eq(s, term_of_lane(s, keys, x), term_of_lane(s, keys, y)));
}

static void all_uniform(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct trio t;
    make_trio(g, (enum warp_form)form, &t);
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
#define PAIRS                                                                                                          \
    "a complete group; 5-bit keys, since only equality matters and 32 lanes have at most 32 values; three symbolic "   \
    "lanes"
#define EACH "one symbolic lane; one claim for each value of the other"

static const struct property_entry entries[] = {
    P("any-reflexive", PROVED, reflexive, WARP_MATCH_ANY_SYNC_B32, "any: a lane matches itself (NaN bits too), b32",
      "one symbolic lane", ""),
    P("any-reflexive-b64", PROVED, reflexive, WARP_MATCH_ANY_SYNC_B64, "any: a lane matches itself, b64",
      "one symbolic lane", ""),
    P("any-in-group", PROVED, in_group, WARP_MATCH_ANY_SYNC_B32, "any: a lane matches only lanes of its group",
      "one symbolic lane", ""),
    P("any-bit", PROVED, each_bit, WARP_MATCH_ANY_SYNC_B32,
      "any: bit k of d exactly when lane k is in the group and has the same value, b32", EACH, ""),
    P("any-bit-b64", PROVED, each_bit, WARP_MATCH_ANY_SYNC_B64, "any: the same for b64", EACH, ""),
    P("any-symmetric", PROVED, symmetric, WARP_MATCH_ANY_SYNC_B32, "any: if x matches y, y matches x", PAIRS,
      GROUP_DONE),
    P("any-transitive", PROVED, transitive, WARP_MATCH_ANY_SYNC_B32, "any: if x matches y and y matches z, x matches z",
      PAIRS, GROUP_DONE),
    P("any-all", PROVED, any_all, 0, "all is true exactly when any gives the group", "one symbolic lane", ""),
    P("all-d", PROVED, all_d, WARP_MATCH_ALL_SYNC_B32, "all: d is the group where p is true, else 0, b32",
      "one symbolic lane", ""),
    P("all-d-b64", PROVED, all_d, WARP_MATCH_ALL_SYNC_B64, "all: d is the group where p is true, else 0, b64",
      "one symbolic lane", ""),
    P("all-pairs", PROVED, all_pairs, 0, "all: p means that every two lanes of the group have the same value",
      "5-bit keys: only equality matters, and 32 lanes have at most 32 values", ""),
    P("all-uniform", PROVED, all_uniform, WARP_MATCH_ALL_SYNC_B32, "all: lanes of one group get the same p", PAIRS,
      GROUP_DONE),
    P("any-b64", PROVED, b64, 1, "any of b64 is any of the low halves & any of the high halves", "one claim a lane",
      ""),
    P("all-b64", PROVED, b64, 0, "all of b64 is all of the low halves and all of the high halves", "one claim a lane",
      ""),
    P("by-float", REFUTED, by_float, 0, "lanes of a group that hold equal floats match (+0 and -0 do not)",
      "two symbolic lanes", ""),
};

PROPERTY_LIST(catalogue_match, entries);
