/* redux: a second definition of it; the order of lanes, groups, and the butterfly. */
#include "smt/catalogue/redux.h"
#include "smt/catalogue/shfl.h"

#include <stdio.h>
#include <string.h>

const struct warp_form_info *redux_form(unsigned i)
{
    return warp_form_get(WARP_REDUX_SYNC_ADD_U32 + i);
}

term redux_step(struct smt *s, const struct warp_form_info *info, term state, term c, term x)
{
    return term_ite(s, c, encode_redux_combine(s, info, state, x), state);
}

/* Fills next. */
static void redux_fill_next(struct smt *s, struct redux_run *run)
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        run->next[k] = redux_step(s, run->info, run->state[k], run->takes_part[k], run->input[k]);
}

static void fill(struct goal *g, struct redux_run *run)
{
    struct smt *s = g->s;
    run->info = run->group.w->info;
    run->r = goal_group_done(g, &run->group, run->lane);
    run->seen[0] = term_bool(s, false);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        run->takes_part[k] = term_in(s, term_word(s, k), run->group.group);
        run->seen[k + 1] = term_or(s, run->seen[k], run->takes_part[k]);
        run->input[k] = encode_redux_input(s, run->info, run->group.w->a[k]);
    }
    encode_redux_states(s, run->group.w, run->group.group, run->state);
    redux_fill_next(s, run);
}

void redux_run_make(struct goal *g, enum warp_form form, struct redux_run *run)
{
    goal_group_make(g, form, &run->group);
    run->lane = goal_lane_number(g, "lane");
    goal_assume(g, term_in(g->s, run->lane, run->group.group));
    fill(g, run);
}

void redux_run_also(struct goal *g, const struct redux_run *run, enum warp_form form, const term a[WARP_LANES],
                    struct redux_run *other)
{
    other->group = run->group;
    other->group.w = goal_copy(g, run->group.w);
    other->group.w->info = warp_form_get(form);
    memcpy(other->group.w->a, a, sizeof other->group.w->a);
    other->lane = run->lane;
    fill(g, other);
}

void redux_abstract(struct goal *g, const struct redux_run *run)
{
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_abstract(g, encode_redux_combine(g->s, run->info, run->state[k], run->input[k]));
}

/* An instance of redux-lemma-outside at one place: equal states and equal steps give equal states. */
static void redux_fact_same(struct goal *g, const struct redux_run *x, const struct redux_run *y, unsigned k)
{
    GOAL_FACT(g, "redux-lemma-outside", x->info->name, {"x", x->state[k]}, {"y", y->state[k]}, {"a", x->input[k]},
              {"b", y->input[k]}, {"c", x->takes_part[k]}, {"d", y->takes_part[k]});
}

/* x = x2 and y = y2: combine(x, y) = combine(x2, y2) = combine(y2, x2). */
static term redux_commutes(struct smt *s, const struct warp_form_info *info, term x, term y, term x2, term y2)
{
    term xy = encode_redux_combine(s, info, x, y);
    return term_implies(s, term_and(s, term_eq(s, x, x2), term_eq(s, y, y2)),
                        term_and(s, term_eq(s, xy, encode_redux_combine(s, info, x2, y2)),
                                 term_eq(s, xy, encode_redux_combine(s, info, y2, x2))));
}

/* joined = combine(x, y): combine(joined, z) = combine(x, combine(y, z)). */
static term redux_associates(struct smt *s, const struct warp_form_info *info, term joined, term x, term y, term z)
{
    term right = encode_redux_combine(s, info, x, encode_redux_combine(s, info, y, z));
    return term_implies(s, term_eq(s, joined, encode_redux_combine(s, info, x, y)),
                        term_eq(s, encode_redux_combine(s, info, joined, z), right));
}

/* x = combine(y, z): combine(start, x) = x. */
static term redux_starts(struct smt *s, const struct warp_form_info *info, term x, term y, term z)
{
    return term_implies(s, term_eq(s, x, encode_redux_combine(s, info, y, z)),
                        term_eq(s, encode_redux_combine(s, info, encode_redux_start(s, info), x), x));
}

/*
 * Two steps in either order: from state[1], which is state[0] after a step of x (if c[0]), the step of y (if c[2])
 * gives what state[0] becomes by the step of y (if c[1], which is c[2]) and then that of x.
 */
static term redux_swaps(struct smt *s, const struct warp_form_info *info, const term state[2], const term c[3], term x,
                        term y)
{
    term before = term_and(s, term_eq(s, state[1], redux_step(s, info, state[0], c[0], x)), term_eq(s, c[1], c[2]));
    term other = redux_step(s, info, redux_step(s, info, state[0], c[1], y), c[0], x);
    return term_implies(s, before, term_eq(s, redux_step(s, info, state[1], c[2], y), other));
}

/*
 * A second definition of redux: the group's lanes one after the other, from the start value on. Neither the binary
 * operation nor the chain is made by the encoding of redux (smt/encode/redux.c).
 */

static term is_less(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    return info->type == WARP_S32 ? term_slt(s, x, y) : term_ult(s, x, y);
}

/* f32 that are no NaN, in the order in which "+0.0 > -0.0", as unsigned numbers. */
static term ordered(struct smt *s, const struct warp_form_info *info, term x)
{
    if (info->type != WARP_F32)
        return x;
    return term_ite(s, term_is_negative(s, x), term_bnot(s, x), term_bxor(s, x, term_word(s, SIGN_BIT)));
}

static term lesser_or_greater(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    term x_key = ordered(s, info, x), y_key = ordered(s, info, y);
    term y_wins = info->op == WARP_MIN ? is_less(s, info, y_key, x_key) : is_less(s, info, x_key, y_key);
    return term_ite(s, y_wins, y, x);
}

/*
 * "If the .NaN qualifier is specified, then the result [...] is canonical NaN if the input [...] from any participating
 * thread is NaN. In the absence of .NaN qualifier, only non-NaN values are considered [...] and the result will be
 * canonical NaN when all inputs are NaNs."
 */
static term of_nans(struct smt *s, const struct warp_form_info *info, term x, term y, term of_numbers)
{
    term canonical = term_word(s, CANONICAL_NAN), x_nan = term_is_nan(s, x), y_nan = term_is_nan(s, y);
    term other = term_ite(s, x_nan, y, x);
    if (info->nan)
        other = canonical;
    other = term_ite(s, term_and(s, x_nan, y_nan), canonical, other);
    return term_ite(s, term_or(s, x_nan, y_nan), other, of_numbers);
}

term redux_operation(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    switch (info->op) {
    case WARP_ADD:
        return term_add(s, x, y);
    case WARP_AND:
        return term_band(s, x, y);
    case WARP_OR:
        return term_bor(s, x, y);
    case WARP_XOR:
        return term_bxor(s, x, y);
    case WARP_MIN:
    case WARP_MAX:
        return info->type == WARP_F32 ? of_nans(s, info, x, y, lesser_or_greater(s, info, x, y))
                                      : lesser_or_greater(s, info, x, y);
    case WARP_OPS_BUT_REDUX:
        break;
    }
    smt_defect("%s is no reduction", info->name);
}

/* The start value of the chain. For min and max every number replaces it. */
static uint32_t start(const struct warp_form_info *info)
{
    bool is_min = info->op == WARP_MIN;
    if (info->op != WARP_MIN && info->op != WARP_MAX)
        return info->op == WARP_AND ? UINT32_MAX : 0;
    if (info->type == WARP_F32)
        return !info->nan ? CANONICAL_NAN : is_min ? 0x7f800000u : 0xff800000u;
    if (info->type == WARP_S32)
        return is_min ? 0x7fffffffu : 0x80000000u;
    return is_min ? UINT32_MAX : 0;
}

static term considered(struct smt *s, const struct warp_form_info *info, term a)
{
    return info->abs ? term_band(s, a, term_word(s, ~SIGN_BIT)) : a;
}

static void lemma_operation(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), y = goal_word(g, "y");
    (void)unused;
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        goal_claim(g, info->name, term_eq(s, redux_operation(s, info, x, y), encode_redux_combine(s, info, x, y)));
    }
}

/* States one more lane of the chain, and what the lemmas say about the encoding's step at the same place. */
static term next(struct goal *g, const struct redux_run *run, unsigned k, term state)
{
    struct smt *s = g->s;
    const struct warp_form_info *info = run->info;
    term in_group = term_in(s, term_word(s, k), run->group.group);
    term input = considered(s, info, run->group.w->a[k]);
    term value = redux_operation(s, info, state, input);
    goal_abstract(g, value);
    goal_abstract(g, encode_redux_combine(s, info, state, input));
    GOAL_FACT(g, "redux-lemma-operation", info->name, {"x", state}, {"y", input});
    GOAL_FACT(g, "redux-lemma-outside", info->name, {"x", state}, {"y", run->state[k]}, {"a", input},
              {"b", run->input[k]}, {"c", in_group}, {"d", run->takes_part[k]});
    return term_ite(s, in_group, value, state);
}

static void is_the_chain(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct redux_run any, run;
    (void)unused;
    redux_run_make(g, WARP_REDUX_SYNC_ADD_U32, &any);
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        term state = term_word(s, start(info));
        redux_run_also(g, &any, info->form, any.group.w->a, &run);
        redux_abstract(g, &run);
        for (unsigned k = 0; k < WARP_LANES; k++)
            state = next(g, &run, k, state);
        goal_claim(g, info->name, term_and(s, run.r.d_defined, term_eq(s, run.r.d, state)));
    }
}

#define CHAIN(name, build, sentence, trick, lemmas)                                                                    \
    PROPERTY("redux-" name, "redux", PROVED, build, 0, sentence, REDUX_PAGE, trick, lemmas)

static const struct property_entry chain_entries[] = {
    CHAIN("lemma-operation", lemma_operation,
          "the operation of every form is the manual's: f32 ordered as integers, with -0 below +0", "any two values",
          ""),
    CHAIN("is-the-chain", is_the_chain,
          "in every form, of any group: the start value, then for each lane of the group in turn the operation of what "
          "there is and the lane's value; nothing else",
          "a symbolic group and lane; lemma instances at each step of the chain",
          "redux-lemma-operation redux-lemma-outside " GROUP_DONE),
};

PROPERTY_LIST(catalogue_redux_chain, chain_entries);

/* redux: order of lanes, groups, and the butterfly, for each form; and the algebra that they rest on. */

enum { COMMUTES, ASSOCIATES, STARTS };

static void abstract(struct goal *g, const struct warp_form_info *info, term x, term y)
{
    goal_abstract(g, encode_redux_combine(g->s, info, x, y));
}

static void fact_associates(struct goal *g, const struct warp_form_info *info, term joined, term x, term y, term z)
{
    GOAL_FACT(g, "redux-lemma-associates", info->name, {"t", joined}, {"x", x}, {"y", y}, {"z", z});
}

static void fact_commutes(struct goal *g, const struct warp_form_info *info, term x, term y, term x2, term y2)
{
    abstract(g, info, x, y);
    abstract(g, info, x2, y2);
    abstract(g, info, y2, x2);
    GOAL_FACT(g, "redux-lemma-commutes", info->name, {"x", x}, {"y", y}, {"z", x2}, {"t", y2});
}

/* (t x) y = (t y) x, from commutativity and associativity. */
static void lemma_exchange(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term t = goal_word(g, "t"), x = goal_word(g, "x"), y = goal_word(g, "y");
    (void)unused;
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        term tx = encode_redux_combine(s, info, t, x), ty = encode_redux_combine(s, info, t, y);
        term xy = encode_redux_combine(s, info, x, y), yx = encode_redux_combine(s, info, y, x);
        abstract(g, info, tx, y);
        abstract(g, info, ty, x);
        goal_abstract(g, tx);
        goal_abstract(g, ty);
        fact_associates(g, info, tx, t, x, y);
        fact_associates(g, info, ty, t, y, x);
        fact_commutes(g, info, x, y, x, y);
        fact_commutes(g, info, t, xy, t, yx);
        goal_claim(g, info->name,
                   term_eq(s, encode_redux_combine(s, info, tx, y), encode_redux_combine(s, info, ty, x)));
    }
}

/* Two steps exchanged, each of which may leave the state as it is. */
static void lemma_swaps(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term state[2] = {goal_word(g, "t"), goal_word(g, "moved")}, x = goal_word(g, "x"), y = goal_word(g, "y");
    term c[3] = {goal_bool(g, "c"), goal_bool(g, "d"), goal_bool(g, "e")};
    (void)unused;
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        term tx = encode_redux_combine(s, info, state[0], x), ty = encode_redux_combine(s, info, state[0], y);
        term stepped = redux_step(s, info, state[0], c[1], y);
        GOAL_FACT(g, "redux-lemma-exchange", info->name, {"t", state[0]}, {"x", x}, {"y", y});
        /* Terms that are abstracted separately have equal values when their arguments are equal. */
        fact_commutes(g, info, state[1], y, tx, y);
        fact_commutes(g, info, state[1], y, state[0], y);
        fact_commutes(g, info, stepped, x, ty, x);
        fact_commutes(g, info, stepped, x, state[0], x);
        goal_claim(g, info->name, redux_swaps(s, info, state, c, x, y));
    }
}

/* One claim for each form, about any values. */
static void lemma(struct goal *g, int which)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), y = goal_word(g, "y"), z = goal_word(g, "z"), t = goal_word(g, "t");
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        goal_claim(g, info->name,
                   which == COMMUTES     ? redux_commutes(s, info, x, y, z, t)
                   : which == ASSOCIATES ? redux_associates(s, info, t, x, y, z)
                                         : redux_starts(s, info, x, y, z));
    }
}

/* Lane k of the second warp is lane place[k] of the first. */
static void move_lanes(struct goal *g, const struct redux_run *run, const unsigned place[WARP_LANES],
                       struct redux_run *moved)
{
    struct smt *s = g->s;
    const struct smt_warp *from = run->group.w;
    struct smt_warp *w = goal_copy(g, from);
    term exited[WARP_LANES], active[WARP_LANES], member[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term lane = term_word(s, place[k]);
        exited[k] = term_in(s, lane, from->exited);
        active[k] = term_in(s, lane, from->active);
        member[k] = term_in(s, lane, run->group.membermask);
        w->a[k] = from->a[place[k]];
    }
    moved->info = run->info;
    moved->group.w = w;
    moved->group.membermask = term_mask(s, member);
    w->exited = term_mask(s, exited);
    w->active = term_mask(s, active);
    moved->group.group = term_band(s, moved->group.membermask, term_bnot(s, w->exited));
    for (unsigned k = 0; k < WARP_LANES; k++) {
        moved->takes_part[k] = term_in(s, term_word(s, k), moved->group.group);
        moved->input[k] = encode_redux_input(s, run->info, w->a[k]);
        w->membermask[k] = term_ite(s, moved->takes_part[k], moved->group.membermask, term_word(s, 0));
    }
    encode_redux_states(s, w, moved->group.group, moved->state);
    redux_fill_next(s, moved);
    redux_abstract(g, moved);
    moved->lane = goal_lane_number(g, "moved_lane");
    goal_assume(g, term_in(s, moved->lane, moved->group.group));
    moved->r = goal_group_done(g, &moved->group, moved->lane);
}

/*
 * The step of lane k of `after`, with its state the one of `before` when x took part there (if c): exchanged with x's.
 */
static void fact_swaps(struct goal *g, const struct redux_run *before, unsigned k, term c, term x,
                       const struct redux_run *after, unsigned place)
{
    abstract(g, before->info, before->state[k], x);
    abstract(g, before->info, before->next[k], x);
    GOAL_FACT(g, "redux-lemma-swaps", before->info->name, {"t", before->state[k]}, {"moved", after->state[place]},
              {"x", x}, {"y", before->input[k]}, {"c", c}, {"d", before->takes_part[k]},
              {"e", after->takes_part[place]});
}

/* Lanes 0 and 1 exchanged. */
static void first_two(struct goal *g, const struct redux_run *run)
{
    struct redux_run other;
    unsigned place[WARP_LANES];
    for (unsigned k = 0; k < WARP_LANES; k++)
        place[k] = k < 2 ? 1 - k : k;
    move_lanes(g, run, place, &other);
    /* The moved warp first takes lane 1's value, which is lane 0's in the other warp: two steps exchanged, from any
     * first value. */
    fact_swaps(g, run, 0, other.takes_part[0], other.input[0], &other, 1);
    GOAL_FACT(g, "redux-lemma-outside", run->info->name, {"x", run->state[1]}, {"y", run->next[0]},
              {"a", run->input[1]}, {"b", other.input[0]}, {"c", run->takes_part[1]}, {"d", other.takes_part[0]});
    for (unsigned k = 2; k < WARP_LANES; k++)
        redux_fact_same(g, run, &other, k);
    goal_claim(g, "lanes 0 and 1 exchanged", term_eq(g->s, run->r.d, other.r.d));
}

/* Every lane one place up, the last one first: its step is exchanged with each of the others. */
static void rotated(struct goal *g, const struct redux_run *run)
{
    struct smt *s = g->s;
    struct redux_run other;
    unsigned place[WARP_LANES];
    term c = run->takes_part[WARP_LANES - 1];
    term x = run->input[WARP_LANES - 1];
    for (unsigned k = 0; k < WARP_LANES; k++)
        place[k] = (k + WARP_LANES - 1) % WARP_LANES;
    move_lanes(g, run, place, &other);
    GOAL_FACT(g, "redux-lemma-outside", run->info->name, {"x", other.state[0]}, {"y", run->state[0]},
              {"a", other.input[0]}, {"b", x}, {"c", other.takes_part[0]}, {"d", c});
    for (unsigned k = 1; k < WARP_LANES; k++)
        fact_swaps(g, run, k - 1, c, x, &other, k);
    goal_claim(g, "all lanes rotated", term_eq(s, run->r.d, other.r.d));
}

/*
 * The exchange of two neighbours and the rotation generate every order of the lanes. Each is claimed of every group and
 * of any lane of it before and after, so that the claims can be put one after the other.
 */
static void order(struct goal *g, int form)
{
    struct redux_run run;
    redux_run_make(g, (enum warp_form)form, &run);
    redux_abstract(g, &run);
    first_two(g, &run);
    rotated(g, &run);
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
static void use_algebra(struct goal *g, const struct redux_run *run, term value[6][WARP_LANES], term d[5][WARP_LANES])
{
    const struct warp_form_info *info = run->info;
    for (unsigned k = 0; k < 5; k++)
        for (unsigned block = 0; block < WARP_LANES; block += 2u << k) {
            unsigned half = block + (1u << k);
            term x = value[k][block], y = d[k][block];
            for (unsigned i = block; i < half; i++) {
                unsigned j = i + (1u << k);
                fact_commutes(g, info, value[k][i], d[k][i], x, y);
                fact_commutes(g, info, value[k][j], d[k][j], y, x);
            }
            fact_commutes(g, info, run->state[half], value[k][half], run->state[half], y);
            abstract(g, info, run->state[block], x);
            abstract(g, info, run->state[block], value[k + 1][block]);
            fact_associates(g, info, run->state[half], run->state[block], x, y);
        }
    abstract(g, info, run->state[0], value[5][0]);
    GOAL_FACT(g, "redux-lemma-starts", info->name, {"x", value[5][0]}, {"y", value[4][0]}, {"z", d[4][0]});
}

static void equals_butterfly(struct goal *g, int form)
{
    struct smt *s = g->s;
    term value[6][WARP_LANES];
    term d[5][WARP_LANES];
    term same[WARP_LANES];
    struct redux_run run;
    redux_run_make(g, (enum warp_form)form, &run);
    goal_assume(g, term_eq(s, run.group.group, term_word(s, UINT32_MAX)));
    butterfly(g, run.info, run.group.w->a, value, d);
    redux_abstract(g, &run);
    use_algebra(g, &run, value, d);
    for (unsigned i = 0; i < WARP_LANES; i++)
        same[i] = term_eq(s, value[5][i], run.r.d);
    goal_claim(g, "every lane has the reduction", term_all(s, same, WARP_LANES));
}

/* Any group: with its absent lanes the butterfly reads unpredictable values. */
static void butterfly_partial(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    struct smt_warp *w;
    struct smt_lane r;
    redux_run_make(g, (enum warp_form)form, &run);
    w = goal_copy(g, run.group.w);
    w->info = warp_form_get(WARP_SHFL_SYNC_BFLY_B32);
    w->dst = WARP_DST_D_P;
    goal_uniform(w->b, term_word(s, 16));
    goal_uniform(w->c, term_word(s, 31));
    r = goal_group_done(g, &(struct goal_group){w, run.group.membermask, run.group.group}, run.lane);
    goal_claim(g, "the first step's d is defined", r.d_defined);
}

/* States that values outside the group do not matter, in every integer form or in every f32 form. */
static void outside(struct goal *g, int of_floats)
{
    struct smt *s = g->s;
    struct redux_run any, run, other;
    term a[WARP_LANES];
    redux_run_make(g, of_floats ? WARP_REDUX_SYNC_MIN_F32 : WARP_REDUX_SYNC_ADD_U32, &any);
    goal_operand(g, a, "other_a", 32);
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_assume(g, term_implies(s, any.takes_part[k], term_eq(s, a[k], any.group.w->a[k])));
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        if ((info->type == WARP_F32) != of_floats)
            continue;
        redux_run_also(g, &any, info->form, any.group.w->a, &run);
        redux_run_also(g, &any, info->form, a, &other);
        redux_abstract(g, &run);
        redux_abstract(g, &other);
        for (unsigned k = 0; k < WARP_LANES; k++)
            redux_fact_same(g, &run, &other, k);
        goal_claim(g, info->name, term_eq(s, run.r.d, other.r.d));
    }
}

static void outside_lemma(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), y = goal_word(g, "y"), a = goal_word(g, "a"), b = goal_word(g, "b");
    term c = goal_bool(g, "c"), d = goal_bool(g, "d");
    (void)unused;
    goal_assume(g, TERM_ALL(s, term_eq(s, x, y), term_eq(s, c, d), term_implies(s, c, term_eq(s, a, b))));
    for (unsigned i = 0; i < REDUX_FORMS; i++)
        goal_claim(g, redux_form(i)->name,
                   term_eq(s, redux_step(s, redux_form(i), x, c, a), redux_step(s, redux_form(i), y, d, b)));
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

#define ALGEBRA    "redux-lemma-commutes redux-lemma-associates redux-lemma-starts " GROUP_DONE
#define CUTS       "lemma instances at each step of the chain"
#define ANY_VALUES "the operation as any values that the lemmas allow"
#define P(name, expected, build, argument, sentence, trick, lemmas)                                                    \
    PROPERTY("redux-" name, "redux", expected, build, argument, sentence, REDUX_PAGE, trick, lemmas)
/*
 * The butterfly: idioms/redux-is-butterfly-*.ptx and redux-abs.ptx claim it of ten of these seventeen forms. Their
 * proofs take redux of a group for the union of its lanes; here it is the chain of the encoding, without a reader of
 * PTX.
 */
#define EACH_FORM(name, FORM)                                                                                          \
    P(name "-butterfly", PROVED, equals_butterfly, WARP_REDUX_SYNC_##FORM,                                             \
      name ": over a full warp, equal to the butterfly of shfl.bfly in every lane", "one symbolic chain; " CUTS,       \
      ALGEBRA),                                                                                                        \
        P("order-" name, PROVED, order, WARP_REDUX_SYNC_##FORM, name ": independent of the order of the lanes",        \
          "an exchange of two lanes and a rotation, which generate every order; " CUTS,                                \
          "redux-lemma-swaps redux-lemma-outside " GROUP_DONE)

static const struct property_entry tree_entries[] = {
    P("lemma-commutes", PROVED, lemma, COMMUTES, "the operation of every form is commutative", "", ""),
    P("lemma-associates", PROVED, lemma, ASSOCIATES, "the operation of every form is associative", "", ""),
    P("lemma-starts", PROVED, lemma, STARTS, "the start of every form leaves a result of the operation as it is", "",
      ""),
    P("lemma-exchange", PROVED, lemma_exchange, 0, "the operation of every form, twice: either input may be first",
      ANY_VALUES, "redux-lemma-commutes redux-lemma-associates"),
    P("lemma-swaps", PROVED, lemma_swaps, 0, "two steps of any form may be exchanged", ANY_VALUES,
      "redux-lemma-exchange redux-lemma-commutes"),
    P("lemma-outside", PROVED, outside_lemma, 0,
      "equal steps of any form lead from equal states to equal states; a lane that takes no part may have any input",
      "", ""),
    P("uniform", PROVED, uniform, 0, "all lanes of a group get the same value, in every form",
      "two symbolic lanes of a complete group", GROUP_DONE),
    P("outside-irrelevant", PROVED, outside, false,
      "values of lanes outside the group do not matter, in every integer form", CUTS,
      "redux-lemma-outside " GROUP_DONE),
    P("outside-irrelevant-f32", PROVED, outside, true,
      "values of lanes outside the group do not matter, in every f32 form", CUTS, "redux-lemma-outside " GROUP_DONE),
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

PROPERTY_LIST(catalogue_redux_tree, tree_entries);
