/*
 * shfl with several groups: `fast` runs the kernel twice as if all done lanes were one group, on the operand a and on
 * one bit for each lane, which tells of which lane the source is.
 *
 * Lane k gets, in the group G and of the row a: p = P[k]; d_defined = k and J[k] are in G; d = a[J[k]] where that is
 * so, else 0. P and J are functions of the lane's b and c alone.
 */
#ifndef WARPCHECK_PROOFS_FAST_SHFL_TWO_PASS_H
#define WARPCHECK_PROOFS_FAST_SHFL_TWO_PASS_H

#include "proofs/fast/proof.h"

/* Proves that the transcription's result has that form, and that the kernel's row for one warp is the
 * transcription's. */
bool two_pass_prove(struct proof *proof);

term two_pass_p(struct smt *s, unsigned k);                       /* P[k] */
term two_pass_done(struct smt *s, unsigned k);                    /* lane k is done */
const struct scalar *two_pass_moved(struct maker *m, unsigned k); /* a[J[k]] where k and J[k] are done, else 0 */

/* Answers a call in place of the kernel. Returns the lanes that the kernel is told are done; in what it leaves,
 * two_pass_done stands for them. */
const struct scalar *two_pass_answer(struct machine *machine, unsigned case_object, const struct scalar *strip);

/*
 * fast_lanes_with(words, set): the lanes whose word has a bit of the set. pair_answer_with answers it for the source
 * bits and group g with names, "pair.with[g][lane]"; false: it is called for something else.
 */
#define PAIR_WITH "fast_lanes_with"
bool two_pass_prove_with(struct proof *proof, LLVMValueRef function);
bool two_pass_answer_with(struct machine *machine, const struct value *const *a, unsigned n, unsigned g,
                          const struct value **result);

#endif
