/*
 * What do the cases that no known mistake explains have in common? A person looks there next.
 */
#ifndef WARPCHECK_CHECK_CAUSE_COMMON_H
#define WARPCHECK_CHECK_CAUSE_COMMON_H

#include "check/cause/evidence.h"

/*
 * What holds in every mismatch of the evidence for which `of` is true, and not in every agreement: lanes, operands,
 * segments, groups; and what holds in every such case on which the implementation ends, and in none or not in all that
 * it answers: operand ranges of some lane, states of the warp. "in every mismatch: ...; in every crash, and in no case
 * that it answers: ...". Returns `text`, "" when nothing does.
 */
const char *cause_common(const struct cause_evidence *evidence, const bool *of, char *text, size_t size);

#endif
