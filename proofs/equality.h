/*
 * Claims in which only equality matters: what is compared are the operands of lanes, and functions of one lane's
 * operand.
 *
 * Comparisons become Bools of their own: "E[i][j]", the words of the lanes i and j are equal ("H[i][j]": their high
 * words; "F<n>[i][j]": the n-th function of both). What is known of these is that each is an equivalence and that equal
 * operands have equal functions. A claim that follows from instances of that is true of the words themselves.
 */
#ifndef WARPCHECK_PROOFS_EQUALITY_H
#define WARPCHECK_PROOFS_EQUALITY_H

#include "proofs/logic.h"

#include "warpcheck/warp.h"

#define EQUALITY_FUNCTIONS 32u

struct equality {
    struct smt *s;
    const term *low, *high; /* the lanes' operands; high NULL: there are none */
    term functions[EQUALITY_FUNCTIONS];
    unsigned function_count;
    term same[EQUALITY_FUNCTIONS][2]; /* functions written in another way, and what they are */
    unsigned same_count;
    struct equality_known {
        term x, y, is;
    } * known; /* hash table */
    size_t used, room;
};

/* Keeps terms alive until the caller releases them. */
void equality_begin(struct equality *e, struct smt *s, const term low[WARP_LANES], const term *high);
void equality_end(struct equality *e);

/* The Bool x with Bools in place of comparisons. */
term equality_of(struct equality *e, term x);
/* The operands (both words) of two lanes are equal. */
term equality_lanes(struct equality *e, unsigned i, unsigned j);
/* States instances of the known facts, for comparisons among the lanes i, j and every other one. */
term equality_facts(struct equality *e, unsigned i, unsigned j);

/* Finds two operands (low and high words) that differ while a function of both, which was met, is the same. False:
 * none was found. */
bool equality_collision(struct equality *e, uint32_t low[2], uint32_t high[2]);

#endif
