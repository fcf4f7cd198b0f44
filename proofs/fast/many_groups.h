/* Inside the proof about warps whose lanes pass different membermasks: one run, and the claims about it. */
#ifndef WARPCHECK_PROOFS_FAST_MANY_GROUPS_H
#define WARPCHECK_PROOFS_FAST_MANY_GROUPS_H

#include "proofs/fast/proof.h"

/* vote with one group, whose number is 0: bits of its word. They outlive the run that found them. */
struct votes {
    term bits[WARP_LANES];
    bool known;
};

/* One run: the lanes pass different membermasks and make n groups. */
struct mixed {
    struct proof *proof;
    unsigned n, calls;
    const struct scalar *groups[WARP_LANES];
    struct strip_row rows[WARP_LANES];
    const struct scalar *done[2]; /* shfl: the lanes that its kernel is told are done */
    unsigned with;                /* the number of groups of which it was asked which sources they have; and where */
    LLVMValueRef with_function;
    struct votes *votes;                /* vote: what becomes of one group */
    bool evaluates;                     /* ... while the groups are evaluated */
    term words[WARP_LANES][WARP_LANES]; /* ... and of each of these: bits */
    term right;                         /* the arguments of kernels and other functions are right */
};

/* The word of group g of a vote, any bits of that name (a word, where whole words are put together). */
const struct scalar *many_groups_vote_word(struct maker *m, const struct warp_form_info *info, unsigned g);

/* done, undefined, waiting, waits_for are those of the groups; lanes in no group get nothing. */
term many_groups_outcome(struct proof *proof, const struct mixed *mixed);
/* Every lane of every group gets what its group's row, vote or source says. */
bool many_groups_results(struct proof *proof, struct mixed *mixed);

#endif
