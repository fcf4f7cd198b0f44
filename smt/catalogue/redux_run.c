#include "smt/catalogue/redux.h"

#include <string.h>

const struct warp_form_info *redux_form(unsigned i)
{
    return warp_form_get(WARP_REDUX_SYNC_ADD_U32 + i);
}

term redux_step(struct smt *s, const struct warp_form_info *info, term state, term c, term x)
{
    return term_ite(s, c, encode_redux_combine(s, info, state, x), state);
}

void redux_fill_next(struct smt *s, struct redux_run *run)
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

void redux_fact_same(struct goal *g, const struct redux_run *x, const struct redux_run *y, unsigned k)
{
    GOAL_FACT(g, "redux-lemma-outside", x->info->name, {"x", x->state[k]}, {"y", y->state[k]}, {"a", x->input[k]},
              {"b", y->input[k]}, {"c", x->takes_part[k]}, {"d", y->takes_part[k]});
}

/* x = x2 and y = y2: combine(x, y) = combine(x2, y2) = combine(y2, x2). */
term redux_commutes(struct smt *s, const struct warp_form_info *info, term x, term y, term x2, term y2)
{
    term xy = encode_redux_combine(s, info, x, y);
    return term_implies(s, term_and(s, term_eq(s, x, x2), term_eq(s, y, y2)),
                        term_and(s, term_eq(s, xy, encode_redux_combine(s, info, x2, y2)),
                                 term_eq(s, xy, encode_redux_combine(s, info, y2, x2))));
}

/* joined = combine(x, y): combine(joined, z) = combine(x, combine(y, z)). */
term redux_associates(struct smt *s, const struct warp_form_info *info, term joined, term x, term y, term z)
{
    term right = encode_redux_combine(s, info, x, encode_redux_combine(s, info, y, z));
    return term_implies(s, term_eq(s, joined, encode_redux_combine(s, info, x, y)),
                        term_eq(s, encode_redux_combine(s, info, joined, z), right));
}

/* x = combine(y, z): combine(start, x) = x. */
term redux_starts(struct smt *s, const struct warp_form_info *info, term x, term y, term z)
{
    return term_implies(s, term_eq(s, x, encode_redux_combine(s, info, y, z)),
                        term_eq(s, encode_redux_combine(s, info, encode_redux_start(s, info), x), x));
}

/*
 * Two steps in either order: from state[1], which is state[0] after a step of x (if c[0]), the step of y (if c[2])
 * gives what state[0] becomes by the step of y (if c[1], which is c[2]) and then that of x.
 */
term redux_swaps(struct smt *s, const struct warp_form_info *info, const term state[2], const term c[3], term x, term y)
{
    term before = term_and(s, term_eq(s, state[1], redux_step(s, info, state[0], c[0], x)), term_eq(s, c[1], c[2]));
    term other = redux_step(s, info, redux_step(s, info, state[0], c[1], y), c[0], x);
    return term_implies(s, before, term_eq(s, redux_step(s, info, state[1], c[2], y), other));
}
