/*
 * Whole kernels proved by two lanes: two arbitrary threads of a block, executed symbolically, in place of all of them
 * (SOUNDNESS.md tells why two are enough).
 *
 * What is proved of each instruction that lanes execute together, for all parameters, memory contents and schedules in
 * the launch: the lane is in its own membermask; every other lane of the membermask comes to the same instruction, in
 * the same turn of the loops around it, with the same membermask, or has exited before; a lane's source takes part, or
 * what was read is not used.
 *
 * Source: docs/kernels.md.
 */
#ifndef WARPCHECK_SMT_PAIR_H
#define WARPCHECK_SMT_PAIR_H

#include "base/error.h"
#include "kernel/params.h"

#define PAIR_EFFORT 3000000u /* one or two seconds for the hardest queries */

struct pair_launch {
    uint32_t block[3]; /* 0 0 0: every multiple of 32 from 32 to 1024, in one dimension */
};

enum pair_obligation {
    PAIR_MEMBER,  /* the lane is in its own membermask */
    PAIR_MEETS,   /* every lane of the membermask comes here with the same one, or has exited */
    PAIR_USE,     /* no unpredictable value decides a branch, an address, a membermask, or leaves the lane */
    PAIR_BARRIER, /* all threads of the block come to a block barrier */
    PAIR_RACE     /* no other lane of the warp touches a word of shared memory that one of them changes, unordered */
};
const char *pair_obligation_name(enum pair_obligation obligation);

enum pair_verdict {
    PAIR_PROVED,
    PAIR_POLLS, /* proved if a loop ends that polls shared memory: another lane decides that */
    PAIR_RESTS, /* proved if all others are, and one of them is not */
    PAIR_OPEN,  /* no answer in the time */
    PAIR_FAILS  /* the prover's picture of it allows a violation: a candidate, no more */
};

/* One obligation at one place. */
struct pair_item {
    uint32_t at; /* place in the code */
    enum pair_obligation obligation;
    enum pair_verdict verdict;
    unsigned queries;
    uint32_t other; /* RACE that is not proved: the place of the other lane */
};

struct pair_options {
    struct pair_launch launch;
    const struct kernel_slots *slots;      /* of the code */
    const struct kernel_require *requires; /* what may be assumed of parameters */
    uint32_t requires_count;
    bool pointers_apart; /* assumed: words behind two pointer parameters are never the same */
    unsigned effort;     /* of the solver for one query, in its own steps: the same on every machine */
    double seconds;      /* for all queries */
    bool races;          /* PAIR_RACE, too */
    bool cross;          /* ask cvc5, too, wherever Z3 says that something cannot happen */
    unsigned memory_mb;  /* 0: no limit */
    bool (*stop)(void *context);
    void *context;
};

struct pair_outcome {
    struct pair_item *items; /* in the order of the code */
    size_t count, room;
    size_t root; /* the first that was not proved by itself, if another rests on it */
    unsigned queries;
    unsigned agreed, undecided; /* with `cross`: cvc5 says the same; it had no answer */
    char undecided_why[96];     /* the last time */
    double seconds;
    bool other_warps;     /* threads of two warps were looked at, too: there is a block barrier */
    bool overlap_matters; /* a read may be disturbed through another pointer parameter: `pointers_apart` forbids it */
};

/*
 * Tries all obligations of the code's entry. False with one clause in `error` when the kernel is not read by this
 * prover (ERROR_UNSUPPORTED), when time or memory ran out (ERROR_TIMEOUT, ERROR_SYSTEM), on Ctrl-C
 * (ERROR_INTERRUPTED), and when the two solvers contradict each other or cvc5 fails (ERROR_INTERNAL): nothing is proved
 * then. pair_outcome_free afterwards, in either case.
 */
bool pair_prove(const struct code *code, const struct pair_options *options, struct pair_outcome *outcome,
                struct error *error);
void pair_outcome_free(struct pair_outcome *outcome);

#endif
