/* The analysis of a function before it is executed: numbers of its blocks and values, and the places where branches
 * meet. */
#ifndef WARPCHECK_PROOFS_ROUTINE_H
#define WARPCHECK_PROOFS_ROUTINE_H

#include "proofs/arith.h"

#define NO_BLOCK (-1)

struct routine_step {
    LLVMValueRef instruction;
    LLVMOpcode op;
    struct flags flags;
    int number; /* of its result among the routine's values */
};

struct routine_block {
    LLVMBasicBlockRef block;
    struct routine_step *steps; /* phis first, the terminator last */
    unsigned n, phis;
    bool in_loop;     /* it comes back to itself */
    bool leaves_loop; /* its branch stays in a loop on one side and leaves it on another */
    int meet;         /* the nearest block through which every way to the end leads; NO_BLOCK: the end itself */
    uint64_t *live;   /* a set of values: its phis, and what is used from here on, as far as it was computed before */
};

/*
 * A word at the head of a loop: the value `base`, or in memory at base + offset[0]; with `loads`, a pointer is loaded
 * from there, and it lies at that pointer + offset[1], and so on.
 */
#define ROUTINE_LOADS 4u
struct routine_word {
    LLVMValueRef base;
    bool memory;
    unsigned loads;
    int64_t offset[ROUTINE_LOADS + 1];
};

/*
 * A loop that is entered through one block, its head. Many loops go over the set bits of a mask: they ask for the
 * mask's lowest (or highest) bit, clear it and end when none is left. The mask is a phi of the head, or lies in
 * memory: in a variable, in an iterator.
 */
struct routine_loop {
    int head;
    bool *body;     /* of each block: does it belong to the loop? */
    int *meet;      /* of each block of the body: where its ways to the head meet, at last at the head itself */
    unsigned exits; /* edges that leave it */

    unsigned width; /* of the mask; 0: none */
    struct routine_word word;
    bool highest_first;
    int latch, behind; /* the block that goes back to the head, or when the mask (phi) is empty to `behind`; NO_BLOCK:
                          the head itself asks */
};

struct routine {
    LLVMValueRef function;
    struct flags flags; /* of the function: attributes that are not translated */
    struct routine_block *blocks;
    unsigned n;
    struct routine_loop *loops;
    unsigned loop_count;
    unsigned values; /* parameters, then results of instructions */
    struct routine_name {
        const void *key;
        int number;
    } * names; /* hash table: values and blocks */
    size_t room;
};

/* Is the value, once the block's phis have theirs, used from there on? */
static inline bool routine_uses(const struct routine *r, int block, unsigned value)
{
    return (r->blocks[block].live[value / 64] >> value % 64 & 1u) != 0;
}

/* Is its mask a phi of the head? */
static inline bool routine_loop_phi(const struct routine_loop *loop)
{
    return loop->width != 0 && !loop->word.memory;
}

/* The loop that begins at this block; NULL: none. */
const struct routine_loop *routine_loop_at(const struct routine *r, int block);
struct routine *routine_make(LLVMValueRef function);
void routine_free(struct routine *r);
/* The number of a value or block; -1: it has none (a constant). */
int routine_number(const struct routine *r, const void *key);

#endif
