/*
 * The transcription before the instruction: spec_eval hands a cleared result and the outcome of spec_wait to it, and
 * spec_wait settles the active lanes class by class (a class: the active lanes that pass one membermask), by the same
 * rules as those in groups.h.
 */
#ifndef WARPCHECK_PROOFS_FAST_WAIT_H
#define WARPCHECK_PROOFS_FAST_WAIT_H

#include "proofs/fast/proof.h"

bool wait_prove(struct proof *proof);

/* The claims about the lanes that pass one membermask: a Bool for each lane. */
struct wait_class {
    term members[WARP_LANES], outside[WARP_LANES]; /* active lanes that pass it: in it, and not */
    term missing[WARP_LANES];                      /* the lanes that the members wait for */
    term complete, undefined, waits;               /* which of the three the members are */
};
/* `mask`: the bits of the membermask; `here`: the active lanes that pass it. */
void wait_class(struct smt *s, const struct case_split *split, const term exited[WARP_LANES],
                const term mask[WARP_LANES], const term here[WARP_LANES], struct wait_class *c);

#endif
