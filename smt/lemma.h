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

/* Is x the pattern with terms in the place of its variables, the same term for the same variable? */
bool instance_of(struct smt *s, term pattern, const struct term_list *variables, term x);

/*
 * Is the fact, used by this claim of the goal, an instance of its lemma's statement, and the lemma among those of the
 * property; or a claim before that one? False with one clause in `error`.
 */
bool fact_check(struct goal *g, const struct goal_fact *fact, size_t of_claim, struct error *error);

#endif
