/*
 * Lemmas of the catalogue as statements, and their instances.
 *
 * A fact is made from the lemma's goal by substitution. The prover does not trust that: it matches every fact against
 * the lemma's statement before it uses it.
 */
#ifndef WARPCHECK_SMT_LEMMA_H
#define WARPCHECK_SMT_LEMMA_H

#include "smt/goal.h"

/* A lemma's goal, in the context of the goal that uses it. */
struct goal_lemma {
    struct goal goal;
    struct goal_lemma *next;
};
void lemmas_free(struct goal *g);

/*
 * Adds an instance of a lemma, for the next claim only: the property `lemma` of the catalogue, its hypotheses and its
 * claim `what`, with `value` in the place of each of its unknowns. The term is made from the lemma's own goal; the
 * lemma must be among those of the property. Sets g->error when it cannot be made.
 */
struct goal_with {
    const char *unknown;
    term value;
};
void goal_fact(struct goal *g, const char *lemma, const char *what, const struct goal_with *with, size_t n);
#define GOAL_FACT(g, lemma, what, ...)                                                                                 \
    goal_fact(g, lemma, what, (struct goal_with[]){__VA_ARGS__},                                                       \
              sizeof((struct goal_with[]){__VA_ARGS__}) / sizeof(struct goal_with))
/* All claims so far, as facts for the next one: each is proved before it. */
void goal_earlier(struct goal *g);
/* The i-th name in the property's list of lemmas. */
void goal_lemma_name(const struct goal *g, unsigned i, char name[SMT_NAME_MAX]);

/* Is x the pattern with terms in the place of its variables, the same term for the same variable? */
bool instance_of(struct smt *s, term pattern, const struct term_list *variables, term x);

/*
 * Is the fact, used by this claim of the goal, an instance of its lemma's statement, and the lemma among those of the
 * property; or a claim before that one? False with one clause in `error`.
 */
bool fact_check(struct goal *g, const struct goal_fact *fact, size_t of_claim, struct error *error);

#endif
