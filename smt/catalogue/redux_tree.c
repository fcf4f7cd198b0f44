/* redux: order of lanes, groups, and the butterfly, for each form; and the algebra that they rest on. */
#include "smt/catalogue/redux.h"
#include "smt/catalogue/shfl.h"

#include <stdio.h>
#include <string.h>

enum { COMMUTES, ASSOCIATES, STARTS, SWAPS };

/* One claim a form, about any values. */
static void lemma(struct goal *g, int which)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), y = goal_word(g, "y"), z = goal_word(g, "z"), t = goal_word(g, "t");
    term c = goal_bool(g, "c"), d = goal_bool(g, "d");
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        goal_claim(g, info->name,
                   which == COMMUTES     ? redux_commutes(s, info, x, y, z, t)
                   : which == ASSOCIATES ? redux_associates(s, info, t, x, y, z)
                   : which == STARTS     ? redux_starts(s, info, x, y, z)
                                         : redux_swaps(s, info, t, c, x, d, y));
    }
}

static void swap(struct goal *g, unsigned i, term v[WARP_LANES])
{
    term t = v[i];
    (void)g;
    v[i] = v[i + 1];
    v[i + 1] = t;
}

/* Bits i and i+1 exchanged. */
static term swap_bits(struct smt *s, term mask, unsigned i)
{
    term bit[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        bit[k] = term_in(s, term_word(s, k == i ? i + 1 : k == i + 1 ? i : k), mask);
    return term_mask(s, bit);
}

/* The run in which lanes i and i+1 have changed places, and the instances that bring the chains together again. */
static term swapped_result(struct goal *g, const struct redux_run *run, unsigned i)
{
    struct smt *s = g->s;
    struct goal_group group = run->group;
    struct smt_warp *w = goal_copy(g, run->group.w);
    term state[WARP_LANES + 1];
    group.w = w;
    w->exited = swap_bits(s, w->exited, i);
    w->active = swap_bits(s, w->active, i);
    group.membermask = swap_bits(s, group.membermask, i);
    group.group = term_band(s, group.membermask, term_bnot(s, w->exited));
    swap(g, i, w->a);
    for (unsigned k = 0; k < WARP_LANES; k++)
        w->membermask[k] = term_ite(s, term_in(s, term_word(s, k), group.group), group.membermask, term_word(s, 0));
    encode_redux_states(s, w, group.group, state);
    goal_assume(g, redux_swaps(s, run->info, run->state[i], run->takes_part[i], run->input[i], run->takes_part[i + 1],
                               run->input[i + 1]));
    for (unsigned k = i + 2; k < WARP_LANES; k++)
        goal_assume(g,
                    term_implies(s, term_eq(s, run->state[k], state[k]), term_eq(s, run->state[k + 1], state[k + 1])));
    return goal_group_done(g, &group, term_word(s, i)).d;
}

/* Exchanges of neighbours generate every order. */
static void order(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    redux_run_make(g, (enum warp_form)form, &run);
    for (unsigned i = 0; i + 1 < WARP_LANES; i++) {
        /* the lane that is asked is lane i of the exchanged warp, which must be in its group */
        term d = swapped_result(g, &run, i);
        goal_claim_when(g, "lanes i, i+1 exchanged", run.takes_part[i + 1], term_eq(s, run.r.d, d));
    }
}

/* The butterfly by 1, 2, 4, 8, 16: value[k] of all lanes after k steps, each d from the encoding of shfl. */
static void butterfly(struct goal *g, const struct warp_form_info *info, const term a[WARP_LANES],
                      term value[6][WARP_LANES], term d[5][WARP_LANES])
{
    struct smt *s = g->s;
    for (unsigned i = 0; i < WARP_LANES; i++)
        value[0][i] = encode_redux_input(s, info, a[i]);
    for (unsigned k = 0; k < 5; k++) {
        struct smt_warp *w = shfl_uniform(g, WARP_BFLY, value[k], term_word(s, 1u << k), term_word(s, 31));
        for (unsigned i = 0; i < WARP_LANES; i++) {
            d[k][i] = goal_result(g, w, term_word(s, i)).d;
            value[k + 1][i] = encode_redux_combine(s, info, value[k][i], d[k][i]);
        }
    }
}

/*
 * For each block of 2^k lanes from i on: its lanes agree (commutativity), and the chain over the block is one step with
 * the block's value (associativity).
 */
static void assume_algebra(struct goal *g, const struct redux_run *run, term value[6][WARP_LANES])
{
    struct smt *s = g->s;
    const struct warp_form_info *info = run->info;
    for (unsigned k = 0; k < 5; k++)
        for (unsigned block = 0; block < WARP_LANES; block += 2u << k) {
            unsigned half = block + (1u << k);
            for (unsigned i = block; i < half; i++) {
                unsigned j = i + (1u << k);
                goal_assume(g, goal_expand(g, redux_commutes(s, info, value[k][i], value[k][j], value[k][block],
                                                             value[k][half])));
                goal_assume(g, goal_expand(g, redux_commutes(s, info, value[k][j], value[k][i], value[k][half],
                                                             value[k][block])));
            }
            goal_assume(g, goal_expand(g, redux_associates(s, info, run->state[half], run->state[block],
                                                           value[k][block], value[k][half])));
        }
    goal_assume(g, goal_expand(g, redux_starts(s, info, value[5][0], value[4][0], value[4][16])));
}

static void equals_butterfly(struct goal *g, int form)
{
    struct smt *s = g->s;
    term value[6][WARP_LANES];
    term d[5][WARP_LANES];
    struct redux_run run;
    redux_run_make(g, (enum warp_form)form, &run);
    goal_assume(g, term_eq(s, run.group.group, term_word(s, UINT32_MAX)));
    butterfly(g, run.info, run.group.w->a, value, d);
    assume_algebra(g, &run, value);
    for (unsigned i = 0; i < WARP_LANES; i++)
        goal_claim(g, "every lane has the reduction", term_eq(s, value[5][i], run.r.d));
}

/* Any group: with its absent lanes the butterfly reads unpredictable values. */
static void butterfly_partial(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    struct smt_warp *w;
    struct smt_lane r;
    term a[WARP_LANES];
    redux_run_make(g, (enum warp_form)form, &run);
    memcpy(a, run.group.w->a, sizeof a);
    for (unsigned k = 0; k < 1; k++) {
        w = goal_copy(g, run.group.w);
        w->info = warp_form_get(WARP_SHFL_SYNC_BFLY_B32);
        w->dst = WARP_DST_D_P;
        goal_uniform(w->b, term_word(s, 16));
        goal_uniform(w->c, term_word(s, 31));
        r = goal_group_done(g, &(struct goal_group){w, run.group.membermask, run.group.group}, run.lane);
    }
    goal_claim(g, "the first step's d is defined", r.d_defined);
}

static term relation_same(struct smt *s, const struct warp_form_info *info, term seen, term x, term y)
{
    (void)info;
    (void)seen;
    return term_eq(s, x, y);
}

/* Values outside the group do not matter. */
static void outside(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run, other;
    term a[WARP_LANES];
    redux_run_make(g, (enum warp_form)form, &run);
    goal_operand(g, a, "other_a", 32);
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_assume(g, term_implies(s, run.takes_part[k], term_eq(s, a[k], run.group.w->a[k])));
    redux_run_also(g, &run, (enum warp_form)form, a, &other);
    redux_assume_kept(g, relation_same, &run, &other);
    goal_claim(g, "d", term_eq(s, run.r.d, other.r.d));
}

static void outside_lemma(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), y = goal_word(g, "y"), a = goal_word(g, "a"), b = goal_word(g, "b");
    term c = goal_bool(g, "c");
    (void)unused;
    goal_assume(g, term_and(s, term_eq(s, x, y), term_implies(s, c, term_eq(s, a, b))));
    for (unsigned i = 0; i < REDUX_FORMS; i++)
        goal_claim(g, redux_form(i)->name,
                   term_eq(s, redux_step(s, redux_form(i), x, c, a), redux_step(s, redux_form(i), y, c, b)));
}

static void uniform(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct goal_group group;
    term x = goal_lane_number(g, "lane"), y = goal_lane_number(g, "other_lane");
    (void)unused;
    goal_group_make(g, WARP_REDUX_SYNC_ADD_U32, &group);
    goal_assume(g, term_and(s, term_in(s, x, group.group), term_in(s, y, group.group)));
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        group.w = goal_copy(g, group.w);
        group.w->info = redux_form(i);
        goal_claim(g, redux_form(i)->name,
                   term_eq(s, goal_group_done(g, &group, x).d, goal_group_done(g, &group, y).d));
    }
}

#define ALGEBRA "redux-lemma-commutes redux-lemma-associates redux-lemma-starts " GROUP_DONE
#define CUTS    "lemma instances at each step of the chain"
#define P(name, expected, build, argument, sentence, trick, lemmas)                                                    \
    PROPERTY("redux-" name, "redux", expected, build, argument, sentence, REDUX_PAGE, trick, lemmas)
#define EACH_FORM(name, FORM)                                                                                          \
    P(name "-butterfly", PROVED, equals_butterfly, WARP_REDUX_SYNC_##FORM,                                             \
      name ": over a full warp, equal to the butterfly of shfl.bfly in every lane", "one symbolic chain; " CUTS,       \
      ALGEBRA),                                                                                                        \
        P("order-" name, PROVED, order, WARP_REDUX_SYNC_##FORM, name ": independent of the order of the lanes",        \
          "exchanges of neighbours; " CUTS, "redux-lemma-swaps " GROUP_DONE)

static const struct property_entry entries[] = {
    P("lemma-commutes", PROVED, lemma, COMMUTES, "the operation of every form is commutative", "", ""),
    P("lemma-associates", PROVED, lemma, ASSOCIATES, "the operation of every form is associative", "", ""),
    P("lemma-starts", PROVED, lemma, STARTS, "the start of every form leaves a result of the operation as it is", "",
      ""),
    P("lemma-swaps", PROVED, lemma, SWAPS, "two steps of any form may be exchanged", "", ""),
    P("lemma-outside", PROVED, outside_lemma, 0, "a step of any form looks at its input only when the lane takes part",
      "", ""),
    P("uniform", PROVED, uniform, 0, "all lanes of a group get the same value, in every form",
      "two symbolic lanes of a complete group", GROUP_DONE),
    P("outside-irrelevant", PROVED, outside, WARP_REDUX_SYNC_ADD_U32,
      "add: values of lanes outside the group do not matter", CUTS, "redux-lemma-outside " GROUP_DONE),
    P("outside-irrelevant-f32", PROVED, outside, WARP_REDUX_SYNC_MIN_F32,
      "min.f32: values of lanes outside the group do not matter", CUTS, "redux-lemma-outside " GROUP_DONE),
    P("butterfly-partial", REFUTED, butterfly_partial, WARP_REDUX_SYNC_ADD_U32,
      "a butterfly under a group's membermask reads no unpredictable value", "one symbolic lane", GROUP_DONE),
    EACH_FORM("add-u32", ADD_U32),
    EACH_FORM("add-s32", ADD_S32),
    EACH_FORM("min-u32", MIN_U32),
    EACH_FORM("min-s32", MIN_S32),
    EACH_FORM("max-u32", MAX_U32),
    EACH_FORM("max-s32", MAX_S32),
    EACH_FORM("and", AND_B32),
    EACH_FORM("or", OR_B32),
    EACH_FORM("xor", XOR_B32),
    EACH_FORM("min-f32", MIN_F32),
    EACH_FORM("min-abs-f32", MIN_ABS_F32),
    EACH_FORM("min-nan-f32", MIN_NAN_F32),
    EACH_FORM("min-abs-nan-f32", MIN_ABS_NAN_F32),
    EACH_FORM("max-f32", MAX_F32),
    EACH_FORM("max-abs-f32", MAX_ABS_F32),
    EACH_FORM("max-nan-f32", MAX_NAN_F32),
    EACH_FORM("max-abs-nan-f32", MAX_ABS_NAN_F32),
};

PROPERTY_LIST(catalogue_redux_tree, entries);
