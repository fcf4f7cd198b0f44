/*
 * Programs executed symbolically: program/program.h's rules, with a term for each register in each lane.
 *
 * Where the program (or a lemma of the catalogue) says no more of its operation than that it is commutative or
 * associative, a value stands for what the operation made of which lanes' inputs, and the operation is computed on
 * that: WORDS  associative: the product of the inputs of lanes first..last, in that order; SETS   associative and
 * commutative: the product of the inputs of a set of lanes, none twice; PAIRS  commutative: an uninterpreted function,
 * with an instance of the law for every pair it is applied to. Whatever is neither a word nor a set is the value
 * `broken`, which no claim accepts; so what holds of these values holds of every such operation.
 */
#ifndef WARPCHECK_SMT_PROGRAM_SYMBOLIC_H
#define WARPCHECK_SMT_PROGRAM_SYMBOLIC_H

#include "program/program.h"
#include "smt/goal.h"

enum symbolic_values { SYMBOLIC_CONCRETE, SYMBOLIC_WORDS, SYMBOLIC_SETS, SYMBOLIC_PAIRS };

struct symbolic_register {
    term value[WARP_LANES];   /* Bool, 32 or 64 bits */
    term defined[WARP_LANES]; /* Bool: not unpredictable */
};

struct symbolic {
    struct goal *g;
    const struct program *program;
    enum symbolic_values values;
    bool refuting;      /* operations as they are, most inputs 0 */
    enum program_op op; /* the operation that is abstracted */
    enum ptx_type type;
    Z3_func_decl function; /* of PAIRS */
    struct symbolic_register *initial;
    struct symbolic_register *now;
    term start_active; /* lane masks */
    term exited;       /* now */
    term faultless;    /* Bool: so far */
    term used;         /* Bool: an unpredictable value was read */
};

/* Chooses how values are taken (`refuting`: as they are), makes inputs, executes. g->error says what cannot be read.
 * False then. */
bool symbolic_execute(struct symbolic *x, struct goal *g, const struct program *program, bool refuting);
void symbolic_free(struct symbolic *x);

/*
 * The claim (its `refute` aside) as Bools that must all hold, with every fault making them false: one a lane of what
 * is to be proved lane by lane of values as they are, else one. How many; 0: it cannot be stated (g->error).
 */
size_t symbolic_claim(struct symbolic *x, const struct program_claim *claim, term each[WARP_LANES]);

/* Chooses x->values and what goes with it; makes all registers with the inputs' values. Used by symbolic_execute. */
void symbolic_choose(struct symbolic *x);
void symbolic_inputs(struct symbolic *x);

/* One step of arithmetic in a lane; NULL when this prover does not read the operation. */
term symbolic_operate(struct symbolic *x, enum program_op op, enum ptx_type type, bool nan, term a, term b);
term symbolic_compare(struct symbolic *x, enum program_compare compare, enum ptx_type type, term a, term b);
/* The abstracted operation, or the real one. */
term symbolic_combine(struct symbolic *x, enum program_op op, enum ptx_type type, term a, term b);
/* False for values that stand for no product. */
term symbolic_is_whole(struct symbolic *x, term value);

#endif
