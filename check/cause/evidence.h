/*
 * Evidence: cases of one instruction, with what the reference and the implementation answered.
 */
#ifndef WARPCHECK_CHECK_CAUSE_EVIDENCE_H
#define WARPCHECK_CHECK_CAUSE_EVIDENCE_H

#include "base/error.h"
#include "check/cause/reading.h"
#include "warpcheck/impl.h"

struct cause_case {
    struct warp_case c;
    struct warp_result expected, observed;
    bool differs;
};

struct cause_evidence {
    struct cause_case *cases; /* owned */
    size_t count, room;
    uint32_t parts; /* WARP_PART_... that were compared */
    uint64_t mismatches, agreements;
};

/*
 * Asks both implementations about cases of the family until both have accepted `count`, or some seconds have passed:
 * sampled enumerations, random cases of the seed, and both made plain (check/cause/plain.h), because many
 * implementations accept nothing else. False with one line when one could not answer or memory ran out. Free the
 * evidence with cause_evidence_free.
 */
bool cause_gather(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                  enum warp_family family, uint64_t seed, size_t count, struct error *error);
/* Adds a case with both answers. False: no memory. */
bool cause_add(struct cause_evidence *evidence, const struct warp_case *c, const struct warp_result *expected,
               const struct warp_result *observed, bool differs);
void cause_evidence_free(struct cause_evidence *evidence);

/* The lanes in which something that was compared differs. */
lanemask cause_wrong_lanes(const struct cause_case *k, uint32_t parts);

/* What holds in every mismatch of the evidence for which `of` is true, and not in every agreement: lanes, operands,
 * segments, groups. Returns `text`, "" when nothing does. */
const char *cause_common(const struct cause_evidence *evidence, const bool *of, char *text, size_t size);

#endif
