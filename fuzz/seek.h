/*
 * Seeking: the code under test is asked case after case, and led toward an outcome of one of its comparisons that is
 * rare or was never seen. Each case is asked alone, or the call that it spells out, without its relatives and without
 * the engine, and what was found on the way is the mutation's answer: the engine then asks it as any other.
 *
 * For each outcome of each comparison the case is kept that came furthest: that has it most often, else in which the
 * values were nearest to it, else that shows most other rare outcomes.
 */
#ifndef WARPCHECK_FUZZ_SEEK_H
#define WARPCHECK_FUZZ_SEEK_H

#include "fuzz/mutate.h"

/* Asks the code under test the case, or where n is not 0 the call that the steps spell out behind it (fuzz/derive.h),
 * and notes what it compares between feedback_ask and feedback_asked. False: an answer is wrong. */
typedef bool (*seek_ask_fn)(const struct warp_case *c, const uint8_t *steps, size_t n);

/* Who asks; NULL: nobody can, and nothing is sought. */
void seek_by(seek_ask_fn ask);
bool seek_can(void);

/* Notes how far the case came that was asked last. */
void seek_note(const struct mutation *m);

/* What was compared in a case that was kept. */
struct seek_place {
    struct warp_case c;
    struct mutation_order order;
    struct feedback_pair pairs[FEEDBACK_PAIRS];
    uint8_t count, bytes, run; /* as in feedback_site */
    uint8_t distance;          /* of the pair that is nearest to having the outcome */
    uint16_t times;            /* how often it has it */
    uint16_t weight;           /* how many rare outcomes it shows */
    uint32_t returns;          /* to this case */
    uint32_t tries;            /* searches for the outcome since a case came so far */
    uint32_t starts;           /* searches for others from here */
    bool is_open;              /* it can have the outcome oftener */
};

/* Goes back to a case by a comparison that was never equal, or was so some times before it was not: rather to one that
 * was tried least. NULL: there is none. */
const struct seek_place *seek_back(struct mutation *m);

/* Seeks. The case is then the last that came further, or one with a wrong answer. */
void mutate_seek(struct mutation *m);

#endif
