/*
 * match.any: each lane of the group gets the lanes of the group that have its operand.
 *
 * The kernels find these classes in three ways: the first lane's operand, and a second one; all lanes' hashes, which
 * are then checked; and, when two operands have one hash, one operand after the other, in a loop. Only equality matters
 * (equality.h), and the loop is cut: one round, from any set of lanes that are left which is a union of classes.
 */
#ifndef WARPCHECK_PROOFS_FAST_MATCH_ANY_H
#define WARPCHECK_PROOFS_FAST_MATCH_ANY_H

#include "proofs/equality.h"
#include "proofs/fast/proof.h"

bool classes_apply(const struct warp_form_info *info);
/* On one warp, with the case split's group, the proof's kernel leaves each lane's class, which is what the
 * transcription gives it. */
bool classes_prove(struct proof *proof);

/* Inside the proof about match.any: one run of the kernel, its loop cut. */

#define WAYS 8u

/* What the loop has when a round ends. */
struct way {
    term path;
    term rest[WARP_LANES], row[WARP_LANES][WARP_LANES], sound; /* sound: nothing is poison, and the limit is right */
};

struct classes {
    struct proof *proof;
    bool upward;  /* the loop's vectors of d hold the lowest lanes first; else last */
    bool outside; /* meanwhile d of lanes outside the group is anything; else 0 */
    struct strip_row row;
    unsigned rest_phi, limit_phi;
    bool has_limit, in_memory;
    struct way ways[WAYS];
    unsigned count;
    struct equality e;
    term low[WARP_LANES], high[WARP_LANES];
    term always; /* what is known of any state of the loop */
};

/* Is lane k left, in the state from which the round begins? */
term classes_left(struct classes *classes, unsigned k);
/* Bit o of the class of lane k in the group. */
term classes_bit(struct classes *classes, unsigned k, unsigned o);
/* The loop's limit in that state, and what holds of a limit: the lanes below the rounds that were done are not left. */
const struct scalar *classes_limit(struct maker *m, unsigned width);
term classes_limit_holds(struct maker *m, const struct scalar *limit, const term rest[WARP_LANES]);

/* For machine_try: fills the row, and the ways to a next round. */
void classes_run(struct machine *machine, void *context);

#endif
