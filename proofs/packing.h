/*
 * Lanes that a program packs: for each lane of a set, one after the other, it stores something at list[n] and counts
 * n up. What it stores so is kept beside the memory's cells (struct packed), by lane. In a run about sets of one size
 * the list is then put into the cells: its k-th word is what was stored for the k-th lane of the set. Where that is
 * the same term of each lane's unknowns, it becomes this term of the unknowns of "rank k", whichever lane that is;
 * where it is a number, a choice among the numbers of the lanes that rank k may be.
 *
 * So a run speaks of all sets of that size: the unknowns of rank k are those of the k-th lane of the set, in the order
 * in which the program takes the lanes.
 */
#ifndef WARPCHECK_PROOFS_PACKING_H
#define WARPCHECK_PROOFS_PACKING_H

#include "proofs/machine.h"
#include "warpcheck/warp.h"

#define PACKING_KINDS 16u

struct packing {
    bool sought; /* a program that packs lanes is only noticed: its run ends, and */
    bool found;

    term member[WARP_LANES]; /* is the lane in the set? */
    unsigned size;           /* so many are */
    unsigned kinds;          /* unknowns of a lane, of any lane, of a rank */
    term of_lane[WARP_LANES][PACKING_KINDS], of_any[PACKING_KINDS], of_rank[WARP_LANES][PACKING_KINDS];

    bool ordered; /* the order of the lanes is known */
    unsigned order[WARP_LANES];
    bool numbered; /* lanes' numbers are spoken of, by which is that of a rank */
};

/* Is the number of true ones among these Bools that of the set? */
bool packing_is_size(struct maker *m, const term *bits, unsigned n);
/* Does the address count lanes? What is stored there is packed. */
bool packing_wanted(struct machine *machine, const struct scalar *pointer);
void packing_store(struct machine *machine, const struct scalar *pointer, const struct scalar *x);
/* What was packed into the object is put into its cells. */
void packing_settle(struct machine *machine, unsigned object);
/* x[index] of n, where the index is the number of the lane of some rank. NULL: it is none. */
const struct scalar *packing_pick(struct maker *m, const struct scalar *const *x, unsigned n,
                                  const struct scalar *index);
/* Each lane of the set is that of one rank, and ranks are in the order of their lanes. */
term packing_places(struct smt *s, const struct packing *packing);
/* Ranks have what their lanes have. */
term packing_unknowns(struct smt *s, const struct packing *packing);

#endif
