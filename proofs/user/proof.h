/* Inside the user's part: goals about all cases in which one group executes a form. */
#ifndef WARPCHECK_PROOFS_USER_PROOF_H
#define WARPCHECK_PROOFS_USER_PROOF_H

#include "base/random.h"
#include "proofs/packing.h"
#include "proofs/user/shape.h"

#define USER_UNKNOWNS 400u

/* What of a case nobody knows, of one lane. */
enum user_unknown_is {
    UNKNOWN_A,
    UNKNOWN_A_HIGH,
    UNKNOWN_B,
    UNKNOWN_C,
    UNKNOWN_PREDICATE, /* the source, where it is a predicate */
    UNKNOWN_IN_GROUP,
    UNKNOWN_EXITED,
    UNKNOWN_WAITED_FOR, /* a member that is neither in the group nor exited */
    UNKNOWN_EXITED_MEMBER,
    UNKNOWNS
};

enum { OPERAND_A, OPERAND_HIGH, OPERAND_B, OPERAND_C, OPERANDS };

struct user_proof {
    const struct user_request *request;
    const struct user_shape *shape;
    struct user_outcome *outcome;
    struct smt *s;
    struct machine *spec, *user;

    /* The cases of the goal at hand. */
    uint32_t width; /* cuda: of the segments; else 0 */
    term group[WARP_LANES], active[WARP_LANES], exited[WARP_LANES], members[WARP_LANES], predicates[WARP_LANES];
    term words[OPERANDS][WARP_LANES];
    term before[USER_BEFORE]; /* what d and *p hold before the call: anything */
    term assumption;
    struct user_unknown {
        enum user_unknown_is kind;
        unsigned lane;
        term t;
    } unknowns[USER_UNKNOWNS];
    size_t unknown_count;

    /* The results of the transcription. */
    const struct scalar *d[WARP_LANES];
    term p[WARP_LANES], d_defined[WARP_LANES];
    struct packing packing; /* of the function's run */
    bool watches_packing;
    bool hurries;      /* there is another way to prove the goal at hand */
    term of_key;       /* the user's word that is that of the group's key, in any group of the goal; NULL: none yet */
    bool by_key_alone; /* d is proved so, or not at all */
    bool keyed;        /* reduce_float was proved to give the number of the least key */
    /* The results of the user's function. */
    struct user_outputs out;
    unsigned lane; /* for which it is called */

    struct term_list held; /* claims of the goal at hand that hold */
    term led;              /* that which holds of the leader's predicate; NULL: not known */
    /* Claims about lanes that stand for others, of any goal, that hold, and what they speak of. */
    struct term_list lane_terms;
    unsigned together; /* so often more all claims of a goal are tried at once */
    bool collecting;   /* claims are added to `collected` and not decided */
    term collected;
};

/* Lanes that a goal gives: the lowest of the group; WARP_LANES: any. Members are below `limit`. */
struct user_cases {
    unsigned leader, limit;
    enum { GROUP_NOT_OF_ALL, GROUP_OF_ALL, ANY_GROUP } group; /* matters with leader 0 */
};

void user_cases_make(struct user_proof *p, struct user_cases cases);
/* All 32 lanes are the group, and lane k's source is k. */
void user_lanes_make(struct user_proof *p, uint32_t width);
/* An unknown of a lane or, with `rank`, of the lane that is packed as this one. */
term user_unknown(struct user_proof *p, enum user_unknown_is kind, unsigned lane, bool rank);
/* Executes spec_shfl, spec_vote, ... on the cases at hand. False: the outcome says why. */
bool user_run_spec(struct user_proof *p);
bool user_run_function(struct user_proof *p);

/* Is a lane's result of match.any right, bit by bit? False: it may be. (equality.c) */
bool user_match_any(struct user_proof *p, const struct scalar *d, unsigned k);
/* Is it decided soon that the claim holds? */
bool user_holds(struct user_proof *p, term claim, unsigned most_ms);
/* Are two results, each of which chooses one lane's value, the same where `lane` (WARP_LANES: any) is in the group?
 * False: they may be. (one_lane.c) */
bool user_one_lane(struct user_proof *p, unsigned lane, term x, term y);
/* x with any Bool in the place of each comparison of what several lanes hold: where that holds, so does x. */
term user_compared_anyhow(struct user_proof *p, term x);
/* False: refuted (the outcome has a witness) or not decided. */
bool user_obligations(struct user_proof *p);
bool user_lemmas(struct user_proof *p);
bool user_lane_claims(struct user_proof *p, unsigned k);
/* These and the obligations as one question. False: it is not decided soon that all hold. */
bool user_lane_holds(struct user_proof *p, unsigned k);
bool user_group_claims(struct user_proof *p);
bool user_prove_cases(struct user_proof *p, struct user_cases cases);
/* All groups, of a function that packs their lanes (packed.c). False: not decided. */
bool user_prove_packed(struct user_proof *p);
/* Is the condition so, or a lane's word that, in each case of the goal? */
bool user_claim(struct user_proof *p, term claim, const char *what, unsigned lane);
/* The same of all lanes at once, where it mostly matters which words are equal, not what they are. */
bool user_claim_equalities(struct user_proof *p, term claim, const char *what);

/* A case of the form that the shape can be asked, from pseudo-random bytes as a fuzzing engine's would be. */
void user_random_case(const struct user_request *request, struct random *random, struct warp_case *c);

/* The transcription's bitcode; NULL with one clause. */
struct machine *user_spec_open(struct smt *s, const char *folder, struct error *error);
/* Proves or refutes a function of whole cases (struct warp_impl's eval). */
void user_prove_whole(const struct user_request *request, struct user_outcome *outcome);

#endif
