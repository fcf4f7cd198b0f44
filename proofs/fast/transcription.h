/*
 * The transcription, cut at its functions: spec_eval calls spec_wait and then the instruction; the instruction treats
 * each group apart; so what a lane gets depends on its own group alone. (Its bitcode is made without inlining, so that
 * its functions are there to be cut at.)
 */
#ifndef WARPCHECK_PROOFS_FAST_TRANSCRIPTION_H
#define WARPCHECK_PROOFS_FAST_TRANSCRIPTION_H

#include "proofs/fast/proof.h"

bool transcription_is_match_all(const struct warp_form_info *info);

/* vote, match.all and redux are computed once a group, by its lowest lane. */
bool transcription_by_group(const struct warp_form_info *info);

/*
 * What the group's lanes get, all of them in one group (which is the case split's). `leader`: the group's lowest lane,
 * where the transcription computes once a group. Also proved: the lanes outside the group keep what they have.
 */
bool transcription_group(struct proof *proof, unsigned leader, struct split_result *result);

/* The cuts themselves. */
bool transcription_prove(struct proof *proof);

#endif
