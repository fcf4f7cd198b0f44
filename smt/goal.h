/*
 * A goal: what one property asks of a solver, and how its witness is read back.
 *
 * A property states hypotheses and claims over symbolic warps and over constants that stand for the results of these
 * warps. For the solver the constants are replaced by the terms of the encoding; for a replay, by what an
 * implementation answers.
 */
#ifndef WARPCHECK_SMT_GOAL_H
#define WARPCHECK_SMT_GOAL_H

#include "smt/encode/encode.h"
#include "smt/warpcheck_smt.h"

/* One query: `claim` whenever `when`. */
struct goal_claim {
    char what[96];
    term when; /* NULL: always */
    term claim;
    size_t first_fact, end_fact; /* of goal.facts: the lemma instances it may use */
    const char *no_witness;      /* why values that a solver finds refute nothing; NULL: they are a refutation */
    const char *no_proof;        /* why finding no values proves nothing; NULL: it is a proof */
};

/* An instance of a lemma: what the lemma's claim says, with terms in the place of the lemma's unknowns. */
struct goal_fact {
    term instance;
    struct goal_lemma *lemma; /* NULL: an earlier claim of the same goal, as it stands */
    size_t claim;             /* of the lemma's goal */
};

struct goal_result {
    size_t warp;
    term lane;
    struct smt_lane shown; /* constants; group is a term over the case */
};

#define GOAL_WARPS 128

struct goal {
    struct smt *s;
    const struct smt_property *property;
    const char *programs_dir;
    struct term_list hypotheses; /* of all claims */
    struct goal_fact *facts;     /* made by goal_fact alone; the prover checks each against its lemma */
    size_t facts_count;
    size_t facts_room;
    struct goal_lemma *lemmas;   /* those that the facts are instances of */
    bool is_lemma;               /* built for its statement alone: it has no facts, and abstracts nothing */
    struct term_list abstracted; /* terms, in terms of unknowns, that a proof may take as any values */
    struct term_list unknowns;   /* every constant that a model gives a value */
    struct term_list warp_masks; /* unknowns that are lane masks of a warp or a group */
    struct term_list lane_masks; /* unknowns that are membermasks of single lanes */
    size_t named_unknowns;       /* the first so many were made by goal_word and its like: shown in a witness */
    struct goal_claim *claims;
    size_t claims_count;
    size_t claims_room;
    struct smt_warp *warps[GOAL_WARPS];
    size_t warps_count;
    struct goal_result *results;
    size_t results_count;
    size_t results_room;
    struct term_list from, to;      /* result constants and what they mean, without other result constants */
    struct term_replacer expansion; /* the same, for repeated use */
    struct error error;             /* the goal could not be built (a program that cannot be read) */
};

void goal_init(struct goal *g, struct smt *s);
void goal_free(struct goal *g);

/* Is this unknown a lane mask: one of a warp or a group (exited, active, a membermask that several lanes pass), or one
 * lane's membermask? */
enum goal_mask { GOAL_NO_MASK, GOAL_WARP_MASK, GOAL_LANE_MASK };
enum goal_mask goal_mask_kind(const struct goal *g, term unknown);
/* An unknown membermask that several lanes pass. */
term goal_membermask(struct goal *g);

/* Unknowns with a name, shown in a witness. */
term goal_word(struct goal *g, const char *name);
term goal_bool(struct goal *g, const char *name);
term goal_bits(struct goal *g, const char *name, unsigned width);
/* A constant that was made elsewhere; `show_it`: in a witness. */
void goal_unknown(struct goal *g, term constant, bool show_it);
/* A lane number, 0 to 31. */
term goal_lane_number(struct goal *g, const char *name);

/*
 * A symbolic warp that executes `form` with any operands and masks (active and exited apart; the convergence rule only
 * for forms that targets up to sm_6x have). The caller may replace fields by other terms before the first goal_result.
 */
struct smt_warp *goal_warp(struct goal *g, enum warp_form form);
/* One more warp with the same fields. */
struct smt_warp *goal_copy(struct goal *g, const struct smt_warp *w);
/* A symbolic warp with all lanes active and full membermasks, so that every lane is done. */
struct smt_warp *goal_full_warp(struct goal *g, enum warp_form form);
/*
 * A warp with a complete group: its lanes are active and pass one membermask, the others pass anything. By the
 * property outcome-group-shape every warp in which some lane is done is of this kind, with that lane's membermask.
 */
struct goal_group {
    struct smt_warp *w;
    term membermask;
    term group;
};
void goal_group_make(struct goal *g, enum warp_form form, struct goal_group *group);
/* What lane `lane` gets, provided that it is in the group: its own membermask is put in as such, which leaves no
 * choices. */
struct smt_lane goal_group_result(struct goal *g, const struct goal_group *group, unsigned lane);
/* The same, done and with the group by the property outcome-group-agrees instead of by the encoding of outcomes. */
struct smt_lane goal_group_done(struct goal *g, const struct goal_group *group, term lane);
/* The lemmas of a property that uses it. Shape and agreement are proved of one form, from which every other .sync form
 * has the outcomes and the groups by outcome-same-for-all. */
#define GROUP_DONE "outcome-group-shape outcome-group-agrees outcome-same-for-all"
/* All lanes pass the same membermask. */
void goal_same_membermask(struct smt_warp *w, term membermask);
/* All lanes pass the same value. */
void goal_uniform(term v[WARP_LANES], term value);
/* Lane k passes k. */
void goal_lane_numbers(struct goal *g, term v[WARP_LANES]);
/* New unknowns for an operand, not shown. */
void goal_operand(struct goal *g, term v[WARP_LANES], const char *name, unsigned width);

/* The result of one lane of the warp. */
struct smt_lane goal_result(struct goal *g, const struct smt_warp *w, term lane);

void goal_assume(struct goal *g, term hypothesis);
/*
 * Lets a proof replace this term by any value (one value for the same term): what is proved for any values holds for
 * the term. A claim that fails this way is asked again with the term itself.
 */
void goal_abstract(struct goal *g, term x);
void goal_claim(struct goal *g, const char *what, term claim);
void goal_claim_when(struct goal *g, const char *what, term when, term claim);

/* Replaces the result constants by the encoding. */
term goal_expand(struct goal *g, term x);

/* Builds a property's goal; `argument` and `form` come from its entry. */
struct property_entry {
    struct smt_property property;
    void (*build)(struct goal *g, int argument);
    int argument;
};

#endif
