/*
 * What do the cases that no known mistake explains have in common? A person looks there next.
 */
#ifndef WARPCHECK_CHECK_CAUSE_COMMON_H
#define WARPCHECK_CHECK_CAUSE_COMMON_H

#include "check/cause/evidence.h"

/*
 * Says what all mismatches for which `of` is true share and some agreement lacks (lanes, operands, segments, groups),
 * and what all such crashes share and some answered case lacks (ranges of operands, states of the warp): "in every
 * mismatch: ...; in every crash, and in no case
 * that it answers: ...". Returns `text`, "" when nothing does.
 */
const char *cause_common(const struct cause_evidence *evidence, const bool *of, char *text, size_t size);

#endif
