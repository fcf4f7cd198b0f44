/*
 * The third transcription: the manual's instructions as Z3 terms, written from its words, not from the C.
 *
 * A symbolic warp holds a term for each field of a case. encode_lane gives the terms of one lane's result; the lane may
 * itself be a term, which is how a proof speaks of any lane at the cost of one.
 */
#ifndef WARPCHECK_SMT_ENCODE_H
#define WARPCHECK_SMT_ENCODE_H

#include "smt/term.h"

struct smt_warp {
    const struct warp_form_info *info;
    uint32_t dst;
    term convergence;    /* Bool: a target up to sm_6x, which knows no waiting */
    term negate;         /* Bool: the source predicate is written !a */
    term exited, active; /* lane masks */
    term a[WARP_LANES];  /* .pred: Bool; .b64: 64 bits; else 32 bits */
    term b[WARP_LANES];
    term c[WARP_LANES];
    term membermask[WARP_LANES];
    term preferred; /* elect.sync: the lanes that are elected where they can be; the manual leaves them open */
};

/* The result of one lane. Unless it is done, only the outcome and waits_for have a meaning. */
struct smt_lane {
    term done, waiting, undefined; /* Bool; all false: not active */
    term group;                    /* mask of the lanes that take part with this one */
    term waits_for;
    term d, d_defined, p;
    term unpredictable; /* the fresh value that d has where it is not defined */
};

/* Every field a constant named PREFIX.field[lane]; operands that the form lacks are 0. */
void encode_warp(struct smt *s, struct smt_warp *w, enum warp_form form, uint32_t dst, const char *prefix);

void encode_lane(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);
/* The same for a lane that is known to be done, with this group. */
void encode_done_lane(struct smt *s, const struct smt_warp *w, term lane, term group, struct smt_lane *r);

/* The manual's semantics of shfl for one lane: j before the choice of the own lane, pval, minLane and maxLane. */
struct smt_shfl_source {
    term j, pval, min_lane, max_lane;
};
struct smt_shfl_source encode_shfl_source(struct smt *s, enum warp_op op, term lane, term b, term c);
/* "if (!pval) j = lane". */
term encode_shfl_lane(struct smt *s, const struct smt_shfl_source *source, term lane);

/* The reduction operation of a form, what it starts from, and what is done to an input first (.abs). */
term encode_redux_combine(struct smt *s, const struct warp_form_info *info, term x, term y);
term encode_redux_start(struct smt *s, const struct warp_form_info *info);
term encode_redux_input(struct smt *s, const struct warp_form_info *info, term x);
/* The reduction over the group, lane by lane: state[0] before lane 0, state[32] the result. */
void encode_redux_states(struct smt *s, const struct smt_warp *w, term group, term state[WARP_LANES + 1]);

/* One function for each family: fills d, p and d_defined of a done lane, before the destination is chosen. */
void encode_shfl(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);
void encode_vote(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);
void encode_match(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);
void encode_redux(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);
void encode_activemask(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);
void encode_elect(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);

/* done, waiting, undefined, group, waits_for. */
void encode_outcome(struct smt *s, const struct smt_warp *w, term lane, struct smt_lane *r);

#endif
