/*
 * The catalogue: one table a file. A property is data and a function that states its goal.
 */
#ifndef WARPCHECK_SMT_CATALOGUE_H
#define WARPCHECK_SMT_CATALOGUE_H

#include "smt/lemma.h"

struct property_list {
    const struct property_entry *entries;
    size_t count;
};
#define PROPERTY_LIST(list, entries) const struct property_list list = {entries, sizeof(entries) / sizeof((entries)[0])}

extern const struct property_list catalogue_shfl;
extern const struct property_list catalogue_shfl_width;
extern const struct property_list catalogue_outcome;
extern const struct property_list catalogue_vote;
extern const struct property_list catalogue_match;
extern const struct property_list catalogue_elect;
extern const struct property_list catalogue_redux_chain;
extern const struct property_list catalogue_redux_tree;
extern const struct property_list catalogue_redux_int;
extern const struct property_list catalogue_redux_float;
extern const struct property_list catalogue_program;
extern const struct property_list catalogue_program_masks;
extern const struct property_list catalogue_legality;

/* The entry of a property that smt_property_get gave. */
const struct property_entry *property_entry_of(const struct smt_property *property);

/* PROPERTY(name, family, expected, build, argument, sentence, clause, trick, lemmas), for goals that both solvers take.
 */
#define PROPERTY(name, family, expected, build, argument, sentence, clause, trick, lemmas)                             \
    {                                                                                                                  \
        {name, family, sentence, clause, SMT_##expected, SMT_Z3, trick, lemmas}, build, argument                       \
    }

/* The manual's page of an instruction. */
#define SHFL_PAGE  "shfl.sync, Semantics"
#define VOTE_PAGE  "vote.sync, Variants"
#define MATCH_PAGE "match.sync, Description"
#define REDUX_PAGE "redux.sync, Description"

#endif
