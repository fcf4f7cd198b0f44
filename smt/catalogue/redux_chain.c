/*
 * What redux is, said a second time: the group's lanes one after the other, from the start value on. Neither the binary
 * operation nor the chain is made by the encoding of redux (smt/encode/redux.c) here.
 */
#include "smt/catalogue/redux.h"

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
    default:
        break;
    }
    if (info->type == WARP_F32)
        return of_nans(s, info, x, y, lesser_or_greater(s, info, x, y));
    return lesser_or_greater(s, info, x, y);
}

/* The value from which the chain begins: min and max from what every number takes the place of. */
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

/* One more lane of the chain; what the lemmas say of the encoding's step at the same place. */
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

#define P(name, build, sentence, trick, lemmas)                                                                        \
    PROPERTY("redux-" name, "redux", PROVED, build, 0, sentence, REDUX_PAGE, trick, lemmas)

static const struct property_entry entries[] = {
    P("lemma-operation", lemma_operation,
      "the operation of every form is the manual's: f32 ordered as integers, with -0 below +0", "any two values", ""),
    P("is-the-chain", is_the_chain,
      "in every form, of any group: the start value, then for each lane of the group in turn the operation of what "
      "there is and the lane's value; nothing else",
      "a symbolic group and lane; lemma instances at each step of the chain",
      "redux-lemma-operation redux-lemma-outside " GROUP_DONE),
};

PROPERTY_LIST(catalogue_redux_chain, entries);
