/* redux on values: bounds, duals and signs of integers; NaN, zeros and keys of f32. */
#include "smt/catalogue/redux.h"

#include <stdio.h>

/* The relation between the inputs of two runs, and between their chains. */
struct dual {
    enum warp_form first, second;
    uint32_t flip;   /* second's input is first's ^ flip (negated when 0) */
    bool no_minimum; /* no input is INT_MIN */
};

static const struct dual duals[] = {
    {WARP_REDUX_SYNC_MAX_U32, WARP_REDUX_SYNC_MIN_U32, UINT32_MAX, false},
    {WARP_REDUX_SYNC_MAX_S32, WARP_REDUX_SYNC_MIN_S32, UINT32_MAX, false},
    {WARP_REDUX_SYNC_MIN_S32, WARP_REDUX_SYNC_MIN_U32, SIGN_BIT, false},
    {WARP_REDUX_SYNC_MAX_S32, WARP_REDUX_SYNC_MAX_U32, SIGN_BIT, false},
    {WARP_REDUX_SYNC_AND_B32, WARP_REDUX_SYNC_OR_B32, UINT32_MAX, false},
    {WARP_REDUX_SYNC_MAX_S32, WARP_REDUX_SYNC_MIN_S32, 0, true},
    {WARP_REDUX_SYNC_MAX_S32, WARP_REDUX_SYNC_MIN_S32, 0, false},
    {WARP_REDUX_SYNC_ADD_U32, WARP_REDUX_SYNC_ADD_S32, 0, false},
};
enum { DUAL_MAX_U32, DUAL_MAX_S32, DUAL_MIN_SIGN, DUAL_MAX_SIGN, DUAL_AND_OR, DUAL_NEGATE, DUAL_NEGATE_ANY, DUAL_ADD };

static term image(struct smt *s, const struct dual *d, term x)
{
    if (d->first == WARP_REDUX_SYNC_ADD_U32)
        return x;
    return d->flip != 0 ? term_bxor(s, x, term_word(s, d->flip)) : term_neg(s, x);
}

/* Before any lane took part both chains are at their start; afterwards one is the image of the other. */
static term related(struct smt *s, const struct dual *d, term seen, term x, term y)
{
    term start = term_and(s, term_eq(s, x, encode_redux_start(s, warp_form_get(d->first))),
                          term_eq(s, y, encode_redux_start(s, warp_form_get(d->second))));
    term images = term_eq(s, y, image(s, d, x));
    if (d->no_minimum)
        images = term_and(s, images, term_ne(s, x, term_word(s, SIGN_BIT)));
    return term_ite(s, seen, images, start);
}

static term allowed(struct smt *s, const struct dual *d, term x)
{
    return d->no_minimum ? term_ne(s, x, term_word(s, SIGN_BIT)) : term_bool(s, true);
}

static void dual_step(struct goal *g, int which)
{
    struct smt *s = g->s;
    const struct dual *d = &duals[which];
    term x = goal_word(g, "x"), y = goal_word(g, "y"), a = goal_word(g, "a");
    term c = goal_bool(g, "c"), seen = goal_bool(g, "seen");
    goal_assume(g, term_and(s, related(s, d, seen, x, y), term_implies(s, c, allowed(s, d, a))));
    goal_claim(g, "kept by a step",
               related(s, d, term_or(s, seen, c), redux_step(s, warp_form_get(d->first), x, c, a),
                       redux_step(s, warp_form_get(d->second), y, c, image(s, d, a))));
}

static void dual_warp(struct goal *g, int which)
{
    struct smt *s = g->s;
    const struct dual *d = &duals[which];
    struct redux_run x, y;
    term a[WARP_LANES];
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 0, lemma);
    redux_run_make(g, d->first, &x);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        a[k] = image(s, d, x.group.w->a[k]);
        goal_assume(g, term_implies(s, x.takes_part[k], allowed(s, d, x.group.w->a[k])));
    }
    redux_run_also(g, &x, d->second, a, &y);
    if (which != DUAL_NEGATE_ANY) {
        redux_abstract(g, &x);
        redux_abstract(g, &y);
    }
    for (unsigned k = 0; k < WARP_LANES && which != DUAL_NEGATE_ANY; k++)
        GOAL_FACT(g, lemma, "kept by a step", {"x", x.state[k]}, {"y", y.state[k]}, {"a", x.input[k]},
                  {"c", x.takes_part[k]}, {"seen", x.seen[k]});
    goal_claim(g, "d", term_eq(s, y.r.d, image(s, d, x.r.d)));
}

static term not_above(struct smt *s, const struct warp_form_info *info, term x, term y)
{
    term low = info->op == WARP_MIN ? x : y;
    term high = info->op == WARP_MIN ? y : x;
    return info->type == WARP_S32 ? term_sle(s, low, high) : term_ule(s, low, high);
}

static void bound_step(struct goal *g, int form)
{
    struct smt *s = g->s;
    const struct warp_form_info *info = warp_form_get((uint32_t)form);
    term x = goal_word(g, "x"), a = goal_word(g, "a"), y = goal_word(g, "y");
    term c = goal_bool(g, "c");
    goal_claim(g, "a step keeps a bound",
               term_implies(s, not_above(s, info, x, y), not_above(s, info, redux_step(s, info, x, c, a), y)));
    goal_claim(g, "a step makes its input a bound",
               term_implies(s, c, not_above(s, info, redux_step(s, info, x, c, a), a)));
    goal_claim(g, "a step keeps a value or takes its input",
               term_implies(s, term_eq(s, x, y),
                            term_or(s, term_eq(s, redux_step(s, info, x, c, a), y),
                                    term_and(s, c, term_eq(s, redux_step(s, info, x, c, a), a)))));
}

/* For each lane j: from its own step on the chain is bounded by its value. */
static void bound(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 0, lemma);
    redux_run_make(g, (enum warp_form)form, &run);
    redux_abstract(g, &run);
    for (unsigned j = 0; j < WARP_LANES; j++) {
        term y = run.input[j];
        GOAL_FACT(g, lemma, "a step makes its input a bound", {"x", run.state[j]}, {"a", y}, {"c", run.takes_part[j]});
        for (unsigned k = j + 1; k < WARP_LANES; k++)
            GOAL_FACT(g, lemma, "a step keeps a bound", {"x", run.state[k]}, {"a", run.input[k]}, {"y", y},
                      {"c", run.takes_part[k]});
        goal_claim_when(g, "d against one lane", run.takes_part[j], not_above(s, run.info, run.r.d, y));
    }
}

static term own_or_canonical(struct smt *s, const struct warp_form_info *info, term x)
{
    if (info->type != WARP_F32)
        return x;
    return term_ite(s, term_is_nan(s, x), term_word(s, CANONICAL_NAN), x);
}

static void fact_first(struct goal *g, const struct redux_run *run, unsigned k)
{
    GOAL_FACT(g, "redux-lemma-first", run->info->name, {"state", run->state[k]}, {"x", run->input[k]});
}

static void first_step(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term state = goal_word(g, "state"), x = goal_word(g, "x");
    (void)unused;
    for (unsigned i = 0; i < REDUX_FORMS; i++) {
        const struct warp_form_info *info = redux_form(i);
        goal_claim_when(g, info->name, term_eq(s, state, encode_redux_start(s, info)),
                        term_eq(s, encode_redux_combine(s, info, state, x), own_or_canonical(s, info, x)));
    }
}

/*
 * The result is some lane's value. For each lane j and each step behind its own: a chain that holds j's value keeps it,
 * or takes that of the step's lane. The first lane that takes part finds the chain at its start.
 */
static void attained(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    term is_lane[WARP_LANES];
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 1, lemma);
    redux_run_make(g, (enum warp_form)form, &run);
    redux_abstract(g, &run);
    for (unsigned j = 0; j < WARP_LANES; j++) {
        fact_first(g, &run, j);
        for (unsigned k = j; k < WARP_LANES; k++)
            GOAL_FACT(g, lemma, "a step keeps a value or takes its input", {"x", run.state[k]}, {"a", run.input[k]},
                      {"c", run.takes_part[k]}, {"y", k == j ? run.state[k] : run.input[j]});
        is_lane[j] = term_and(s, run.takes_part[j], term_eq(s, run.r.d, run.input[j]));
    }
    goal_claim(g, "d is a lane's value", term_any(s, is_lane, WARP_LANES));
}

/* When one lane takes part, the chain stays at its start before that lane and at the lane's value from it on. */
static void singleton(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    redux_run_make(g, (enum warp_form)form, &run);
    goal_assume(g, term_eq(s, run.group.group, term_only(s, run.lane)));
    redux_abstract(g, &run);
    for (unsigned k = 0; k < WARP_LANES; k++)
        fact_first(g, &run, k);
    for (unsigned k = 0; k < WARP_LANES; k++)
        goal_abstract(g, own_or_canonical(s, run.info, run.input[k]));
    goal_claim(g, "d", term_eq(s, run.r.d, own_or_canonical(s, run.info, term_of_lane(s, run.input, run.lane))));
}

/* Two lanes, u before v: which of them took part so far. */
struct so_far {
    term one, two;
};

static term is_so_far(struct smt *s, const struct warp_form_info *info, struct so_far n, term x, term u, term v)
{
    term start = encode_redux_start(s, info);
    return term_eq(s, x, term_ite(s, n.two, redux_operation(s, info, u, v), term_ite(s, n.one, u, start)));
}

static void pair_step(struct goal *g, int unused)
{
    struct smt *s = g->s;
    term x = goal_word(g, "x"), a = goal_word(g, "a"), u = goal_word(g, "u"), v = goal_word(g, "v");
    term c = goal_bool(g, "c");
    char what[64];
    struct so_far before = {goal_bool(g, "one"), goal_bool(g, "two")};
    struct so_far after = {goal_bool(g, "one_after"), goal_bool(g, "two_after")};
    (void)unused;
    goal_assume(g, term_implies(s, c, term_eq(s, a, term_ite(s, before.one, v, u))));
    goal_assume(g, TERM_ALL(s, term_implies(s, before.two, before.one), term_not(s, term_and(s, c, before.two)),
                            term_eq(s, after.one, term_or(s, before.one, c)),
                            term_eq(s, after.two, term_or(s, before.two, term_and(s, before.one, c)))));
    for (unsigned i = 0; redux_form(i)->type != WARP_F32; i++) {
        const struct warp_form_info *info = redux_form(i);
        goal_claim_when(g, info->name, is_so_far(s, info, before, x, u, v),
                        is_so_far(s, info, after, redux_step(s, info, x, c, a), u, v));
        snprintf(what, sizeof what, "%s, either way", info->name);
        goal_claim(g, what, term_eq(s, redux_operation(s, info, u, v), redux_operation(s, info, v, u)));
    }
}

/* A group of any two lanes, in every integer form. */
static void pair(struct goal *g, int unused)
{
    struct smt *s = g->s;
    struct redux_run any, run;
    term first = goal_lane_number(g, "first"), second = goal_lane_number(g, "second");
    (void)unused;
    redux_run_make(g, WARP_REDUX_SYNC_ADD_U32, &any);
    goal_assume(g, term_and(s, term_ult(s, first, second),
                            term_eq(s, any.group.group, term_bor(s, term_only(s, first), term_only(s, second)))));
    for (unsigned i = 0; redux_form(i)->type != WARP_F32; i++) {
        const struct warp_form_info *info = redux_form(i);
        term u = term_of_lane(s, any.input, first), v = term_of_lane(s, any.input, second);
        redux_run_also(g, &any, info->form, any.group.w->a, &run);
        redux_abstract(g, &run);
        goal_abstract(g, redux_operation(s, info, u, v));
        for (unsigned k = 0; k < WARP_LANES; k++) {
            term at = term_word(s, k), next = term_word(s, k + 1);
            GOAL_FACT(g, "redux-lemma-pair", info->name, {"x", run.state[k]}, {"a", run.input[k]}, {"u", u}, {"v", v},
                      {"c", run.takes_part[k]}, {"one", term_ult(s, first, at)}, {"two", term_ult(s, second, at)},
                      {"one_after", term_ult(s, first, next)}, {"two_after", term_ult(s, second, next)});
        }
        goal_claim(g, info->name, term_eq(s, run.r.d, redux_operation(s, info, u, v)));
    }
}

/* Every lane gives the same value. */
static void all_same(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    term value = goal_word(g, "value");
    goal_group_make(g, (enum warp_form)form, &run.group);
    goal_uniform(run.group.w->a, value);
    run.lane = goal_lane_number(g, "lane");
    goal_assume(g, term_in(s, run.lane, run.group.group));
    goal_claim(g, "d", term_eq(s, goal_group_done(g, &run.group, run.lane).d, value));
}

#define CUTS "a lemma instance at each step of the chain"
#define P(name, expected, build, argument, sentence, trick, lemmas)                                                    \
    PROPERTY("redux-" name, "redux", expected, build, argument, sentence, REDUX_PAGE, trick, lemmas)
#define DUAL(name, WHICH, sentence)                                                                                    \
    P("lemma-" name, PROVED, dual_step, DUAL_##WHICH, "one step of: " sentence, "", ""),                               \
        P(name, PROVED, dual_warp, DUAL_##WHICH, sentence, CUTS, "redux-lemma-" name " " GROUP_DONE)
#define BOUND(name, FORM)                                                                                              \
    P("lemma-bound-" name, PROVED, bound_step, WARP_REDUX_SYNC_##FORM, name ": one step and its bounds", "", ""),      \
        P(name "-bound", PROVED, bound, WARP_REDUX_SYNC_##FORM,                                                        \
          name ": the result is a bound of every lane of the group", CUTS, "redux-lemma-bound-" name " " GROUP_DONE),  \
        P(name "-attained", PROVED, attained, WARP_REDUX_SYNC_##FORM,                                                  \
          name ": the result is the value of some lane of the group", CUTS,                                            \
          "redux-lemma-first redux-lemma-bound-" name " " GROUP_DONE)

static const struct property_entry integer_entries[] = {
    DUAL("add-signed-unsigned", ADD, "add.s32 is add.u32"),
    DUAL("max-min-complement-u32", MAX_U32, "max.u32(a) = ~min.u32(~a)"),
    DUAL("max-min-complement-s32", MAX_S32, "max.s32(a) = ~min.s32(~a)"),
    DUAL("min-signed-unsigned", MIN_SIGN, "min.s32(a) = min.u32(a ^ 0x80000000) ^ 0x80000000"),
    DUAL("max-signed-unsigned", MAX_SIGN, "max.s32(a) = max.u32(a ^ 0x80000000) ^ 0x80000000"),
    DUAL("and-or-de-morgan", AND_OR, "and(a) = ~or(~a)"),
    DUAL("max-min-negation", NEGATE, "max.s32(a) = -min.s32(-a), when no lane holds -2^31"),
    P("max-min-negation-any", REFUTED, dual_warp, DUAL_NEGATE_ANY, "max.s32(a) = -min.s32(-a) for all values", "",
      GROUP_DONE),
    BOUND("min-u32", MIN_U32),
    BOUND("max-u32", MAX_U32),
    BOUND("min-s32", MIN_S32),
    BOUND("max-s32", MAX_S32),
    P("lemma-first", PROVED, first_step, 0, "the first step of every form gives its input (a NaN: the canonical one)",
      "", ""),
    P("singleton-add", PROVED, singleton, WARP_REDUX_SYNC_ADD_U32, "add: a group of one lane gets its own value", CUTS,
      "redux-lemma-first " GROUP_DONE),
    P("singleton-min", PROVED, singleton, WARP_REDUX_SYNC_MIN_S32, "min.s32: a group of one lane gets its own value",
      CUTS, "redux-lemma-first " GROUP_DONE),
    P("singleton-max", PROVED, singleton, WARP_REDUX_SYNC_MAX_U32, "max.u32: a group of one lane gets its own value",
      CUTS, "redux-lemma-first " GROUP_DONE),
    P("singleton-and", PROVED, singleton, WARP_REDUX_SYNC_AND_B32, "and: a group of one lane gets its own value", CUTS,
      "redux-lemma-first " GROUP_DONE),
    P("lemma-pair", PROVED, pair_step, 0,
      "one step of every integer form, when two lanes take part: the start, the first value, their sum, minimum, ..., "
      "whichever is first",
      "", ""),
    P("pair", PROVED, pair, 0,
      "a group of any two lanes gets the sum, the minimum, ... of their two values, in every integer form",
      "two symbolic lanes; " CUTS, "redux-lemma-pair " GROUP_DONE),
    P("and-same", PROVED, all_same, WARP_REDUX_SYNC_AND_B32, "and of one value is that value", "one symbolic lane",
      GROUP_DONE),
    P("min-same", PROVED, all_same, WARP_REDUX_SYNC_MIN_S32, "min.s32 of one value is that value", "one symbolic lane",
      GROUP_DONE),
    P("xor-same", REFUTED, all_same, WARP_REDUX_SYNC_XOR_B32, "xor of one value is that value", "one symbolic lane",
      GROUP_DONE),
};

PROPERTY_LIST(catalogue_redux_int, integer_entries);

/* redux on f32: NaN, signed zeros, absolute values, and the integer keys that fast code compares. */

/*
 * A law of the chain: what its value says about the inputs so far. `flag` is true when some input so far was `marked`.
 * Every law holds at the start, is kept by a step (its lemma), and so holds of the result.
 */
struct law {
    term (*marked)(struct smt *s, term x);
    term (*allowed)(struct smt *s, term x); /* what is assumed of the inputs */
    term (*holds)(struct smt *s, const struct warp_form_info *info, term seen, term flag, term value);
};

static term any(struct smt *s, term x)
{
    (void)x;
    return term_bool(s, true);
}

static term is_number(struct smt *s, term x)
{
    return term_not(s, term_is_nan(s, x));
}

static term is_zero(struct smt *s, term x)
{
    return term_eq(s, term_band(s, x, term_word(s, ~SIGN_BIT)), term_word(s, 0));
}

static term at_start(struct smt *s, const struct warp_form_info *info, term value)
{
    return term_eq(s, value, encode_redux_start(s, info));
}

static term canonical(struct smt *s, term value)
{
    return term_eq(s, value, term_word(s, CANONICAL_NAN));
}

/* Without .NaN the chain is a number as soon as some input is one, and canonical NaN before. */
static term all_nan_holds(struct smt *s, const struct warp_form_info *info, term seen, term flag, term value)
{
    (void)info;
    (void)seen;
    return term_ite(s, flag, is_number(s, value), canonical(s, value));
}

/* With .NaN the chain is canonical NaN as soon as some input is a NaN, and a number before. */
static term nan_wins_holds(struct smt *s, const struct warp_form_info *info, term seen, term flag, term value)
{
    (void)info;
    (void)seen;
    return term_ite(s, flag, canonical(s, value), is_number(s, value));
}

static term positive_holds(struct smt *s, const struct warp_form_info *info, term seen, term flag, term value)
{
    (void)flag;
    return term_ite(s, seen, term_not(s, term_is_negative(s, value)), at_start(s, info, value));
}

/* Of zeros alone: min is -0 when some input is, max is +0 when some input is. `marked` says which. */
static term zeros_holds(struct smt *s, const struct warp_form_info *info, term seen, term flag, term value)
{
    uint32_t marked = info->op == WARP_MIN ? SIGN_BIT : 0;
    term zero = term_ite(s, flag, term_word(s, marked), term_word(s, marked ^ SIGN_BIT));
    return term_ite(s, seen, term_eq(s, value, zero), at_start(s, info, value));
}

static term is_positive(struct smt *s, term x)
{
    return term_not(s, term_is_negative(s, x));
}

enum { ALL_NAN, NAN_WINS, POSITIVE, ZEROS_MIN, ZEROS_MAX };
static const struct law laws[] = {
    {is_number, any, all_nan_holds},          {term_is_nan, any, nan_wins_holds},  {any, any, positive_holds},
    {term_is_negative, is_zero, zeros_holds}, {is_positive, is_zero, zeros_holds},
};
#define LAW_FORM(law, form) ((law)*256 + WARP_REDUX_SYNC_##form)

static void law_step(struct goal *g, int argument)
{
    struct smt *s = g->s;
    const struct law *law = &laws[argument / 256];
    const struct warp_form_info *info = warp_form_get((uint32_t)argument % 256);
    term value = goal_word(g, "value"), x = goal_word(g, "x");
    term c = goal_bool(g, "c"), seen = goal_bool(g, "seen"), flag = goal_bool(g, "flag");
    term input = encode_redux_input(s, info, x);
    term after = term_or(s, flag, term_and(s, c, law->marked(s, input)));
    goal_claim(g, "holds at the start",
               law->holds(s, info, term_bool(s, false), term_bool(s, false), encode_redux_start(s, info)));
    goal_claim_when(g, "kept by a step",
                    TERM_ALL(s, term_implies(s, flag, seen), term_implies(s, c, law->allowed(s, input)),
                             law->holds(s, info, seen, flag, value)),
                    law->holds(s, info, term_or(s, seen, c), after, redux_step(s, info, value, c, input)));
}

static void law_warp(struct goal *g, int argument)
{
    struct smt *s = g->s;
    const struct law *law = &laws[argument / 256];
    struct redux_run run;
    term flag = term_bool(s, false);
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 0, lemma);
    redux_run_make(g, (enum warp_form)(argument % 256), &run);
    redux_abstract(g, &run);
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term next = term_or(s, flag, term_and(s, run.takes_part[k], law->marked(s, run.input[k])));
        goal_assume(g, term_implies(s, run.takes_part[k], law->allowed(s, run.input[k])));
        GOAL_FACT(g, lemma, "kept by a step", {"value", run.state[k]}, {"x", run.group.w->a[k]},
                  {"c", run.takes_part[k]}, {"seen", run.seen[k]}, {"flag", flag});
        flag = next;
    }
    goal_claim(g, "of the result", law->holds(s, run.info, term_bool(s, true), flag, run.r.d));
}

/* min(a) = -max(-a): both canonical NaN, or negatives of each other. */
static term negatives(struct smt *s, term x, term y)
{
    term nan = term_and(s, canonical(s, x), canonical(s, y));
    term minus = TERM_ALL(s, is_number(s, x), is_number(s, y), term_eq(s, y, term_bxor(s, x, term_word(s, SIGN_BIT))));
    return term_or(s, nan, minus);
}

static void negation_step(struct goal *g, int nan)
{
    struct smt *s = g->s;
    const struct warp_form_info *min = warp_form_get(nan ? WARP_REDUX_SYNC_MIN_NAN_F32 : WARP_REDUX_SYNC_MIN_F32);
    const struct warp_form_info *max = warp_form_get(nan ? WARP_REDUX_SYNC_MAX_NAN_F32 : WARP_REDUX_SYNC_MAX_F32);
    term x = goal_word(g, "x"), y = goal_word(g, "y"), a = goal_word(g, "a");
    term c = goal_bool(g, "c");
    goal_claim(g, "holds at the start", negatives(s, encode_redux_start(s, min), encode_redux_start(s, max)));
    goal_claim_when(
        g, "kept by a step", negatives(s, x, y),
        negatives(s, redux_step(s, min, x, c, a), redux_step(s, max, y, c, term_bxor(s, a, term_word(s, SIGN_BIT)))));
}

enum { PLAIN, WITH_NAN, BITS };

static void negation(struct goal *g, int kind)
{
    struct smt *s = g->s;
    struct redux_run x, y;
    term a[WARP_LANES];
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 0, lemma);
    redux_run_make(g, kind == WITH_NAN ? WARP_REDUX_SYNC_MIN_NAN_F32 : WARP_REDUX_SYNC_MIN_F32, &x);
    for (unsigned k = 0; k < WARP_LANES; k++)
        a[k] = term_bxor(s, x.group.w->a[k], term_word(s, SIGN_BIT));
    redux_run_also(g, &x, kind == WITH_NAN ? WARP_REDUX_SYNC_MAX_NAN_F32 : WARP_REDUX_SYNC_MAX_F32, a, &y);
    if (kind == BITS) {
        goal_assume(g, term_eq(s, x.group.membermask, term_word(s, 3))); /* two lanes are enough to refute it */
        goal_claim(g, "bit by bit", term_eq(s, y.r.d, term_bxor(s, x.r.d, term_word(s, SIGN_BIT))));
        return;
    }
    redux_abstract(g, &x);
    redux_abstract(g, &y);
    for (unsigned k = 0; k < WARP_LANES; k++)
        GOAL_FACT(g, lemma, "kept by a step", {"x", x.state[k]}, {"y", y.state[k]}, {"a", x.input[k]},
                  {"c", x.takes_part[k]});
    goal_claim(g, "d", negatives(s, x.r.d, y.r.d));
}

/* Unsigned numbers in the order of the floats: negative ones complemented, positive ones with the sign bit set. */
static term key_of(struct smt *s, term x)
{
    return term_ite(s, term_is_negative(s, x), term_bnot(s, x), term_bor(s, x, term_word(s, SIGN_BIT)));
}

static term value_of(struct smt *s, term key)
{
    return term_ite(s, term_is_negative(s, key), term_band(s, key, term_word(s, ~SIGN_BIT)), term_bnot(s, key));
}

/* A NaN gets a key that no number has: one that never wins, under .NaN one that always wins. */
static term key(struct smt *s, const struct warp_form_info *info, term x)
{
    bool greatest = (info->op == WARP_MIN) != info->nan;
    return term_ite(s, term_is_nan(s, x), term_word(s, greatest ? UINT32_MAX : 0), key_of(s, x));
}

static const struct warp_form_info *integer_form(const struct warp_form_info *info)
{
    return warp_form_get(info->op == WARP_MIN ? WARP_REDUX_SYNC_MIN_U32 : WARP_REDUX_SYNC_MAX_U32);
}

/* Before any lane took part both chains are at their start; afterwards one is the key of the other. */
static term keyed(struct smt *s, const struct warp_form_info *info, term seen, term value, term integer)
{
    term start = term_and(s, at_start(s, info, value), at_start(s, integer_form(info), integer));
    term keys = term_and(s, term_eq(s, integer, key(s, info, value)),
                         term_implies(s, term_is_nan(s, value), canonical(s, value)));
    return term_ite(s, seen, keys, start);
}

static void key_step(struct goal *g, int form)
{
    struct smt *s = g->s;
    const struct warp_form_info *info = warp_form_get((uint32_t)form);
    term x = goal_word(g, "x"), y = goal_word(g, "y"), a = goal_word(g, "a");
    term c = goal_bool(g, "c"), seen = goal_bool(g, "seen");
    goal_claim_when(g, "the key can be read back", is_number(s, a), term_eq(s, value_of(s, key(s, info, a)), a));
    goal_claim(
        g, "holds at the start",
        keyed(s, info, term_bool(s, false), encode_redux_start(s, info), encode_redux_start(s, integer_form(info))));
    goal_claim_when(g, "kept by a step", keyed(s, info, seen, x, y),
                    keyed(s, info, term_or(s, seen, c), redux_step(s, info, x, c, a),
                          redux_step(s, integer_form(info), y, c, key(s, info, a))));
}

static void key_warp(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run x, y;
    term a[WARP_LANES];
    term nan;
    char lemma[SMT_NAME_MAX];
    goal_lemma_name(g, 0, lemma);
    redux_run_make(g, (enum warp_form)form, &x);
    for (unsigned k = 0; k < WARP_LANES; k++)
        a[k] = key(s, x.info, x.group.w->a[k]);
    redux_run_also(g, &x, integer_form(x.info)->form, a, &y);
    redux_abstract(g, &x);
    redux_abstract(g, &y);
    for (unsigned k = 0; k < WARP_LANES; k++)
        GOAL_FACT(g, lemma, "kept by a step", {"x", x.state[k]}, {"y", y.state[k]}, {"a", x.input[k]},
                  {"c", x.takes_part[k]}, {"seen", x.seen[k]});
    GOAL_FACT(g, lemma, "the key can be read back", {"a", x.state[WARP_LANES]});
    nan = term_eq(s, y.r.d, key(s, x.info, term_word(s, CANONICAL_NAN)));
    goal_claim(g, "d", term_eq(s, x.r.d, term_ite(s, nan, term_word(s, CANONICAL_NAN), value_of(s, y.r.d))));
}

/* An .abs form and the form without .abs, on inputs whose sign bit is cleared here. */
static void abs_is_plain(struct goal *g, int form)
{
    struct smt *s = g->s;
    const struct warp_form_info *info = warp_form_get((uint32_t)form);
    struct redux_run x, y;
    term a[WARP_LANES];
    enum warp_form plain = info->op == WARP_MIN ? WARP_REDUX_SYNC_MIN_F32 : WARP_REDUX_SYNC_MAX_F32;
    if (info->nan)
        plain = info->op == WARP_MIN ? WARP_REDUX_SYNC_MIN_NAN_F32 : WARP_REDUX_SYNC_MAX_NAN_F32;
    redux_run_make(g, (enum warp_form)form, &x);
    for (unsigned k = 0; k < WARP_LANES; k++)
        a[k] = term_band(s, x.group.w->a[k], term_word(s, 0x7fffffffu));
    redux_run_also(g, &x, plain, a, &y);
    goal_claim(g, "d", term_eq(s, x.r.d, y.r.d));
}

/* The result of C's `a < b ? a : b` over the group, lane by lane from infinity. */
static void naive(struct goal *g, int form)
{
    struct smt *s = g->s;
    struct redux_run run;
    term state = term_word(s, 0x7f800000u);
    redux_run_make(g, (enum warp_form)form, &run);
    goal_assume(g, term_eq(s, run.group.membermask, term_word(s, 3))); /* two lanes are enough to refute it */
    for (unsigned k = 0; k < WARP_LANES; k++) {
        term less = term_float_lt(s, run.input[k], state);
        state = term_ite(s, term_and(s, run.takes_part[k], less), run.input[k], state);
    }
    goal_claim(g, "d", term_eq(s, run.r.d, state));
}

#define OF_FLOATS(name, expected, build, argument, sentence, trick, lemmas)                                            \
    PROPERTY("redux-f32-" name, "redux-f32", expected, build, argument, sentence, REDUX_PAGE, trick, lemmas)
#define LAW(name, WHICH, FORM, sentence)                                                                               \
    OF_FLOATS("lemma-" name, PROVED, law_step, LAW_FORM(WHICH, FORM), "one step of: " sentence, "", ""),               \
        OF_FLOATS(name, PROVED, law_warp, LAW_FORM(WHICH, FORM), sentence, CUTS,                                       \
                  "redux-f32-lemma-" name " " GROUP_DONE)

static const struct property_entry float_entries[] = {
    LAW("all-nan", ALL_NAN, MIN_F32, "min: canonical NaN exactly when every input is a NaN"),
    LAW("all-nan-max", ALL_NAN, MAX_F32, "max: canonical NaN exactly when every input is a NaN"),
    LAW("nan-wins", NAN_WINS, MIN_NAN_F32, "min.NaN: canonical NaN exactly when some input is a NaN"),
    LAW("nan-wins-max", NAN_WINS, MAX_NAN_F32, "max.NaN: canonical NaN exactly when some input is a NaN"),
    LAW("abs-positive", POSITIVE, MIN_ABS_F32, "min.abs: the sign bit of the result is 0"),
    LAW("abs-positive-max", POSITIVE, MAX_ABS_F32, "max.abs: the sign bit of the result is 0"),
    LAW("abs-nan-positive", POSITIVE, MIN_ABS_NAN_F32, "min.abs.NaN: the sign bit of the result is 0"),
    LAW("abs-nan-positive-max", POSITIVE, MAX_ABS_NAN_F32, "max.abs.NaN: the sign bit of the result is 0"),
    LAW("zero-order", ZEROS_MIN, MIN_F32, "min of zeros is -0 exactly when some input is -0"),
    LAW("zero-order-max", ZEROS_MAX, MAX_F32, "max of zeros is +0 exactly when some input is +0"),
    OF_FLOATS("lemma-negation", PROVED, negation_step, PLAIN, "one step of: min(a) = -max(-a)", "", ""),
    OF_FLOATS("negation", PROVED, negation, PLAIN, "min(a) = -max(-a), or both are canonical NaN", CUTS,
              "redux-f32-lemma-negation " GROUP_DONE),
    OF_FLOATS("lemma-negation-nan", PROVED, negation_step, WITH_NAN, "one step of: min.NaN(a) = -max.NaN(-a)", "", ""),
    OF_FLOATS("negation-nan", PROVED, negation, WITH_NAN, "min.NaN(a) = -max.NaN(-a), or both are canonical NaN", CUTS,
              "redux-f32-lemma-negation-nan " GROUP_DONE),
    OF_FLOATS("negation-bits", REFUTED, negation, BITS, "min(a) = -max(-a) bit by bit (canonical NaN has no negative)",
              "", GROUP_DONE),
    OF_FLOATS("lemma-key", PROVED, key_step, WARP_REDUX_SYNC_MIN_F32, "one step of: min by integer keys", "", ""),
    OF_FLOATS("key", PROVED, key_warp, WARP_REDUX_SYNC_MIN_F32,
              "min.f32 is min.u32 of integer keys, read back (the trick of fast code)", CUTS,
              "redux-f32-lemma-key " GROUP_DONE),
    OF_FLOATS("lemma-key-max", PROVED, key_step, WARP_REDUX_SYNC_MAX_F32, "one step of: max by integer keys", "", ""),
    OF_FLOATS("key-max", PROVED, key_warp, WARP_REDUX_SYNC_MAX_F32, "max.f32 is max.u32 of integer keys, read back",
              CUTS, "redux-f32-lemma-key-max " GROUP_DONE),
    OF_FLOATS("lemma-key-nan", PROVED, key_step, WARP_REDUX_SYNC_MIN_NAN_F32, "one step of: min.NaN by integer keys",
              "", ""),
    OF_FLOATS("key-nan", PROVED, key_warp, WARP_REDUX_SYNC_MIN_NAN_F32,
              "min.NaN.f32 is min.u32 of integer keys, read back, where a NaN has the least key", CUTS,
              "redux-f32-lemma-key-nan " GROUP_DONE),
    OF_FLOATS("lemma-key-nan-max", PROVED, key_step, WARP_REDUX_SYNC_MAX_NAN_F32,
              "one step of: max.NaN by integer keys", "", ""),
    OF_FLOATS("key-nan-max", PROVED, key_warp, WARP_REDUX_SYNC_MAX_NAN_F32,
              "max.NaN.f32 is max.u32 of integer keys, read back, where a NaN has the greatest key", CUTS,
              "redux-f32-lemma-key-nan-max " GROUP_DONE),
    OF_FLOATS("abs-is-plain-min", PROVED, abs_is_plain, WARP_REDUX_SYNC_MIN_ABS_F32,
              "min.abs.f32 is min.f32 of a & 0x7fffffff", "", GROUP_DONE),
    OF_FLOATS("abs-is-plain-max", PROVED, abs_is_plain, WARP_REDUX_SYNC_MAX_ABS_F32,
              "max.abs.f32 is max.f32 of a & 0x7fffffff", "", GROUP_DONE),
    OF_FLOATS("abs-is-plain-min-nan", PROVED, abs_is_plain, WARP_REDUX_SYNC_MIN_ABS_NAN_F32,
              "min.abs.NaN.f32 is min.NaN.f32 of a & 0x7fffffff", "", GROUP_DONE),
    OF_FLOATS("abs-is-plain-max-nan", PROVED, abs_is_plain, WARP_REDUX_SYNC_MAX_ABS_NAN_F32,
              "max.abs.NaN.f32 is max.NaN.f32 of a & 0x7fffffff", "", GROUP_DONE),
    OF_FLOATS("naive-min", REFUTED, naive, WARP_REDUX_SYNC_MIN_F32,
              "min.f32 is `a < b ? a : b`, lane by lane (NaN and -0 are not)", "", GROUP_DONE),
};

PROPERTY_LIST(catalogue_redux_float, float_entries);
