/*
 * What the tables of redux share. A reduction is a chain of 32 steps. A property of a whole warp follows from a lemma
 * about one step of arbitrary values, inserted at each of the 32 places (a "cut"). The lemmas are in the catalogue,
 * and proved.
 */
#ifndef WARPCHECK_SMT_CATALOGUE_REDUX_H
#define WARPCHECK_SMT_CATALOGUE_REDUX_H

#include "smt/catalogue/catalogue.h"

#define CANONICAL_NAN 0x7fffffffu
#define SIGN_BIT      0x80000000u

/* A reduction over a complete group, seen from one of its lanes. */
struct redux_run {
    struct goal_group group;
    const struct warp_form_info *info;
    term lane;
    struct smt_lane r;
    term takes_part[WARP_LANES]; /* lane k is in the group */
    term seen[WARP_LANES + 1];   /* some lane below k is */
    term input[WARP_LANES];      /* a, or its absolute value */
    term state[WARP_LANES + 1];  /* the encoding's chain; state[32] is the result */
    /*
     * What a lemma about one step speaks of: redux_step from state[k]. Facts end in next[k], never in state[k + 1]: so
     * they are instances of the lemma whatever the chain is, and help only where the chain is made of such steps.
     */
    term next[WARP_LANES];
};

void redux_run_make(struct goal *g, enum warp_form form, struct redux_run *run);
/* Makes a run with the same group and lane, but another form and other values. */
void redux_run_also(struct goal *g, const struct redux_run *run, enum warp_form form, const term a[WARP_LANES],
                    struct redux_run *other);

/* One step: c ? combine(s, x) : s. */
term redux_step(struct smt *s, const struct warp_form_info *info, term state, term c, term x);

/* The 17 forms of redux, and the words of their names: "min-u32". */
#define REDUX_FORMS (WARP_REDUX_SYNC_MAX_ABS_NAN_F32 - WARP_REDUX_SYNC_ADD_U32 + 1)
const struct warp_form_info *redux_form(unsigned i);
/* The operation of two values, in the words of the manual: no part of it is made by the encoding of redux. */
term redux_operation(struct smt *s, const struct warp_form_info *info, term x, term y);

/* Lets a proof take the operation's values in the chain as any values: only the lemmas know them. */
void redux_abstract(struct goal *g, const struct redux_run *run);

#endif
