/*
 * Evidence: cases of one instruction, with what the reference and the implementation answered. A case on which the
 * implementation crashes, exits or hangs is an observation like a wrong answer.
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
    /* ERROR_NONE: it answered. ERROR_CRASH, ERROR_EXIT, ERROR_TIMEOUT: it ended so, which differs; `observed` is
     * nothing. */
    enum error_code ending;
    int signal;     /* ERROR_CRASH */
    uint32_t parts; /* of the answer; 0: all of the evidence's */
    uint64_t line;  /* in which it came; 0: it was asked */
    lanemask probe; /* a lane in which the answer differs: few hypotheses give it; 0: not looked for, or none */
};

struct cause_evidence {
    struct cause_case *cases; /* owned */
    size_t count, room;
    uint32_t parts;                  /* WARP_PART_... that were compared */
    uint64_t mismatches, agreements; /* answers */
    uint64_t endings;
    enum error_code ending; /* of all of them; ERROR_INTERNAL: they are not of one kind */
};

/*
 * Asks both implementations about cases of the family until both have accepted `count`, or some seconds have passed:
 * sampled enumerations, random cases of the seed, and both made plain (check/cause/plain.h), because many
 * implementations accept nothing else. One that ends on a case is started again, and asked about the next one. False
 * with one line when one could not answer or memory ran out. Free the evidence with cause_evidence_free.
 */
bool cause_gather(struct cause_evidence *evidence, const struct warp_impl *reference, const struct warp_impl *observed,
                  enum warp_family family, uint64_t seed, size_t count, struct error *error);
/* Asks about cases around those on which the implementation ends, when it ends on few: one lane alone, another b,
 * another width, another mode. Takes some seconds at most. */
void cause_gather_around(struct cause_evidence *evidence, const struct warp_impl *reference,
                         const struct warp_impl *observed);
/* Adds a case with what both answered. False: no memory. */
bool cause_add(struct cause_evidence *evidence, const struct cause_case *k);
/* Asks the implementation about k->c, which it accepts, alone: its answer, or how it ended; it then runs again. False:
 * it said that it cannot answer, or could not be started again. */
bool cause_observe(const struct warp_impl *observed, struct cause_case *k);
/* The case with this lane alone, which is active: the others do not execute, are not named, and hold nothing. Those
 * that have exited stay. */
struct warp_case cause_lane_alone(const struct warp_case *c, unsigned lane);
void cause_evidence_free(struct cause_evidence *evidence);

/* Are d and p, as far as they are compared, the same in both answers to the case? Only lanes count in which the
 * reference's answer `expected` is judged. */
bool cause_same_values(const struct warp_case *c, const struct warp_result *expected, const struct warp_result *before,
                       const struct warp_result *again, uint32_t parts);

/* The lanes in which something that was compared differs; all that execute it, where there is no answer. */
lanemask cause_wrong_lanes(const struct cause_case *k, uint32_t parts);

/* "crash", "hang": what an ending is called; with `n` not 1 the plural. ERROR_INTERNAL: of several kinds. */
const char *cause_ending_name(enum error_code ending, uint64_t n);

#endif
