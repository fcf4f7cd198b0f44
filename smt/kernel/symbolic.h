/*
 * Programs executed symbolically: ptx/program.h's rules, with a term for each register in each lane.
 *
 * Where the program (or a lemma of the catalogue) says no more of its operation than that it is commutative or
 * associative, a value stands for what the operation made of which lanes' inputs, and the operation is computed on
 * that:
 *
 *   WORDS  associative: the product of the inputs of lanes first..last, in that order
 *   SETS   associative and commutative: the product of the inputs of a set of lanes, none twice
 *   PAIRS  commutative: an uninterpreted function, with an instance of the law for every pair it is applied to
 *
 * A value that is neither a word nor a set is `broken`, and no claim accepts that. So what holds of these values holds
 * of every such operation.
 *
 * Lanes that do not execute an instruction together fault here at once. In truth they may still meet at another
 * instruction of the same form. So what is proved here holds; a witness counts only where such a meeting cannot happen
 * (symbolic_may_meet).
 */
#ifndef WARPCHECK_SMT_KERNEL_SYMBOLIC_H
#define WARPCHECK_SMT_KERNEL_SYMBOLIC_H

#include "ptx/program.h"
#include "smt/goal.h"

enum symbolic_values { SYMBOLIC_CONCRETE, SYMBOLIC_WORDS, SYMBOLIC_SETS, SYMBOLIC_PAIRS };

/* What a register holds. */
enum symbolic_kind {
    SYMBOLIC_UNWRITTEN,
    SYMBOLIC_KEY,     /* an input of which only equality matters: 5 bits tell 32 lanes' values apart */
    SYMBOLIC_PLAIN,   /* its value, which no input of the operation has a part in */
    SYMBOLIC_PRODUCT, /* a word or a set of inputs (of 64 bits: the same in both halves) */
    SYMBOLIC_SIGNED,  /* the same of inputs whose absolute values are meant */
    SYMBOLIC_LOW,     /* half a product of 64 bits */
    SYMBOLIC_HIGH,
    SYMBOLIC_BROKEN /* the result of another operation on a product */
};

/* What an instruction does with such values. */
enum symbolic_step { SYMBOLIC_AS_IT_IS, SYMBOLIC_COMBINES, SYMBOLIC_PASSES, SYMBOLIC_BREAKS };

/* `op.type`, of min and max also `.NaN`. */
struct symbolic_operation {
    enum ptx_op op;
    enum ptx_type type;
    bool nan;
};

struct symbolic_register {
    term value[WARP_LANES];   /* Bool, 32 or 64 bits */
    term defined[WARP_LANES]; /* Bool: not unpredictable */
};

struct symbolic {
    struct goal *g;
    const struct program *program;
    enum symbolic_values values;
    bool refuting;                       /* operations as they are, most inputs 0 */
    struct symbolic_operation operation; /* that is abstracted */
    Z3_func_decl function;               /* of PAIRS */
    enum symbolic_kind *plain_kind;      /* of each register: a key or plain input, or not written yet */
    enum symbolic_kind *first_kind;      /* of each register, at the start */
    enum symbolic_kind *last_kind;       /* and at the end */
    enum symbolic_step *steps;           /* of each instruction */
    struct symbolic_register *initial;
    struct symbolic_register *now;
    term start_active;                   /* lane masks */
    term exited;                         /* now */
    struct term_list faults[WARP_LANES]; /* Bools, so far: the lane waits, is undefined, ... */
    struct term_list uses[WARP_LANES];   /* Bools: the lane read an unpredictable value */
    struct smt_warp warp;                /* the instruction, when no witness is wanted of it */
};

/*
 * A program is executed once for each way in which its values can be taken: as symbols of an operation that a claim or
 * an instruction names, and last as they are (`refuting`: only so). Chooses the `way`-th; false past the end.
 */
bool symbolic_open(struct symbolic *x, struct goal *g, const struct program *program, unsigned way, bool refuting);
void symbolic_close(struct symbolic *x);
/* May lanes that wait at one instruction be met by lanes at another? */
bool symbolic_may_meet(const struct program *program);
/* Can the claim be stated of values that are taken in this way? */
bool symbolic_fits(const struct symbolic *x, const struct program_claim *claim);
/* Makes the inputs and executes the program. Returns false when it cannot be read; g->error says what. */
bool symbolic_execute(struct symbolic *x);

/*
 * The claim (its `refute` aside, and that there is no fault) as Bools that must all hold: one a lane of what is to be
 * proved lane by lane, else one. How many; 0: it cannot be stated (g->error).
 */
size_t symbolic_claim(struct symbolic *x, const struct program_claim *claim, term each[WARP_LANES]);
/* States that no lane has a fault, one Bool for each lane. */
void symbolic_faultless(struct symbolic *x, term each[WARP_LANES]);
/* The condition under which the claim is about some lane; when it cannot hold, the claim says nothing. NULL: the
 * claim is always about some lane, or about none. */
term symbolic_about(struct symbolic *x, const struct program_claim *claim);

/* States the claims that are wanted, each in the first way of taking values that allows it, and takes them off
 * `wanted`. `refuting`: `refute` lines, else `claim` lines. g->error says why not. */
void symbolic_state(struct goal *g, const struct program *program, bool wanted[PROGRAM_CLAIMS_MAX], bool refuting);

/* Is this the operation? Signed and unsigned ones that give the same bits count as one. */
bool symbolic_same_operation(const struct symbolic_operation *x, enum ptx_op op, enum ptx_type type, bool nan);

/* One step of arithmetic in a lane; NULL when this prover does not read the operation. */
term symbolic_operate(struct symbolic *x, enum ptx_op op, enum ptx_type type, bool nan, term a, term b);
term symbolic_compare(struct symbolic *x, enum ptx_compare compare, enum ptx_type type, term a, term b);
/* The abstracted operation on two products. */
term symbolic_combine(struct symbolic *x, term a, term b);
/* The union of the sets of those values that are taken; `broken` when none is. */
term symbolic_union(struct symbolic *x, const term value[WARP_LANES], const term takes[WARP_LANES]);
/* What redux makes of the lanes of a mask; of f32 broken for less than two, since it makes another NaN of one lane's.
 */
term symbolic_redux(struct symbolic *x, const term value[WARP_LANES], term mask);
/* Makes a value that stands for no product. */
term symbolic_broken(struct symbolic *x, unsigned bits);
/* False for values that stand for no product. */
term symbolic_is_whole(struct symbolic *x, term value);

#endif
