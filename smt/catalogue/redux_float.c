/* redux on f32: NaN, signed zeros, absolute values, and the integer keys that fast code compares. */
#include "smt/catalogue/redux.h"

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

/* Without .NaN: a number as soon as some input is one, until then canonical NaN. */
static term all_nan_holds(struct smt *s, const struct warp_form_info *info, term seen, term flag, term value)
{
    (void)info;
    (void)seen;
    return term_ite(s, flag, is_number(s, value), canonical(s, value));
}

/* .NaN: canonical NaN as soon as some input is a NaN, until then a number. */
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
    char lemma[GOAL_NAME_MAX];
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
    char lemma[GOAL_NAME_MAX];
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
    char lemma[GOAL_NAME_MAX];
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

/* What C's `a < b ? a : b` makes of the group, lane by lane from infinity. */
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

#define CUTS "a lemma instance at each step of the chain"
#define P(name, expected, build, argument, sentence, trick, lemmas)                                                    \
    PROPERTY("redux-f32-" name, "redux-f32", expected, build, argument, sentence, REDUX_PAGE, trick, lemmas)
#define LAW(name, WHICH, FORM, sentence)                                                                               \
    P("lemma-" name, PROVED, law_step, LAW_FORM(WHICH, FORM), "one step of: " sentence, "", ""),                       \
        P(name, PROVED, law_warp, LAW_FORM(WHICH, FORM), sentence, CUTS, "redux-f32-lemma-" name " " GROUP_DONE)

static const struct property_entry entries[] = {
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
    P("lemma-negation", PROVED, negation_step, PLAIN, "one step of: min(a) = -max(-a)", "", ""),
    P("negation", PROVED, negation, PLAIN, "min(a) = -max(-a), or both are canonical NaN", CUTS,
      "redux-f32-lemma-negation " GROUP_DONE),
    P("lemma-negation-nan", PROVED, negation_step, WITH_NAN, "one step of: min.NaN(a) = -max.NaN(-a)", "", ""),
    P("negation-nan", PROVED, negation, WITH_NAN, "min.NaN(a) = -max.NaN(-a), or both are canonical NaN", CUTS,
      "redux-f32-lemma-negation-nan " GROUP_DONE),
    P("negation-bits", REFUTED, negation, BITS, "min(a) = -max(-a) bit by bit (canonical NaN has no negative)", "",
      GROUP_DONE),
    P("lemma-key", PROVED, key_step, WARP_REDUX_SYNC_MIN_F32, "one step of: min by integer keys", "", ""),
    P("key", PROVED, key_warp, WARP_REDUX_SYNC_MIN_F32,
      "min.f32 is min.u32 of integer keys, read back (the trick of fast code)", CUTS,
      "redux-f32-lemma-key " GROUP_DONE),
    P("lemma-key-max", PROVED, key_step, WARP_REDUX_SYNC_MAX_F32, "one step of: max by integer keys", "", ""),
    P("key-max", PROVED, key_warp, WARP_REDUX_SYNC_MAX_F32, "max.f32 is max.u32 of integer keys, read back", CUTS,
      "redux-f32-lemma-key-max " GROUP_DONE),
    P("lemma-key-nan", PROVED, key_step, WARP_REDUX_SYNC_MIN_NAN_F32, "one step of: min.NaN by integer keys", "", ""),
    P("key-nan", PROVED, key_warp, WARP_REDUX_SYNC_MIN_NAN_F32,
      "min.NaN.f32 is min.u32 of integer keys, read back, where a NaN has the least key", CUTS,
      "redux-f32-lemma-key-nan " GROUP_DONE),
    P("lemma-key-nan-max", PROVED, key_step, WARP_REDUX_SYNC_MAX_NAN_F32, "one step of: max.NaN by integer keys", "",
      ""),
    P("key-nan-max", PROVED, key_warp, WARP_REDUX_SYNC_MAX_NAN_F32,
      "max.NaN.f32 is max.u32 of integer keys, read back, where a NaN has the greatest key", CUTS,
      "redux-f32-lemma-key-nan-max " GROUP_DONE),
    P("abs-is-plain-min", PROVED, abs_is_plain, WARP_REDUX_SYNC_MIN_ABS_F32, "min.abs.f32 is min.f32 of a & 0x7fffffff",
      "", GROUP_DONE),
    P("abs-is-plain-max", PROVED, abs_is_plain, WARP_REDUX_SYNC_MAX_ABS_F32, "max.abs.f32 is max.f32 of a & 0x7fffffff",
      "", GROUP_DONE),
    P("abs-is-plain-min-nan", PROVED, abs_is_plain, WARP_REDUX_SYNC_MIN_ABS_NAN_F32,
      "min.abs.NaN.f32 is min.NaN.f32 of a & 0x7fffffff", "", GROUP_DONE),
    P("abs-is-plain-max-nan", PROVED, abs_is_plain, WARP_REDUX_SYNC_MAX_ABS_NAN_F32,
      "max.abs.NaN.f32 is max.NaN.f32 of a & 0x7fffffff", "", GROUP_DONE),
    P("naive-min", REFUTED, naive, WARP_REDUX_SYNC_MIN_F32,
      "min.f32 is `a < b ? a : b`, lane by lane (NaN and -0 are not)", "", GROUP_DONE),
};

PROPERTY_LIST(catalogue_redux_float, entries);
