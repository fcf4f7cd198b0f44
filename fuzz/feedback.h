/*
 * What the code under test tells of itself when it was compiled for coverage (docs/fuzzing.md): its edges, for
 * whichever engine runs, and the values that it compared, for the mutator.
 *
 * A plugin's edges go to the engine that it was compiled for by themselves. Here the others are led to theirs: guards
 * (trace-pc-guard) to libFuzzer, which takes counters alone; counters (inline-8bit-counters) to AFL++, which takes
 * guards alone.
 */
#ifndef WARPCHECK_FUZZ_FEEDBACK_H
#define WARPCHECK_FUZZ_FEEDBACK_H

#include "fuzz/coverage/pairs.h"
#include "warpcheck/impl.h"

#include <stdatomic.h>

#define FEEDBACK_SITES 1024u /* comparisons in the code that are told apart */
#define FEEDBACK_OFTEN 640u  /* comparisons of all pairs of lanes are fewer */
#define FEEDBACK_PAIRS 4u    /* of each, of one call */
#define FEEDBACK_WORDS 2048u /* constants of its file */

/* A comparison in the code: which values were compared and found different. */
struct feedback_pair {
    uint64_t x, y;
};

/* What became of x, compared with y: the same, below or above as numbers without a sign, less or greater with one. */
enum feedback_outcome {
    FEEDBACK_EQUAL,
    FEEDBACK_BELOW,
    FEEDBACK_ABOVE,
    FEEDBACK_LESS,
    FEEDBACK_GREATER,
    FEEDBACK_OUTCOMES
};

/* What became of x and y, of so many bytes: one outcome without and one with the sign, or equal twice. */
static inline void feedback_outcomes(struct feedback_pair pair, uint8_t bytes, enum feedback_outcome outcomes[2])
{
    const uint64_t sign = UINT64_C(1) << (bytes > 0 && bytes < 8 ? 8 * bytes - 1 : 63);
    const uint64_t all = sign | (sign - 1), x = (pair.x ^ sign) & all, y = (pair.y ^ sign) & all;
    const bool equal = pair.x == pair.y;
    outcomes[0] = equal ? FEEDBACK_EQUAL : pair.x < pair.y ? FEEDBACK_BELOW : FEEDBACK_ABOVE;
    outcomes[1] = equal ? FEEDBACK_EQUAL : x < y ? FEEDBACK_LESS : FEEDBACK_GREATER;
}

struct feedback_site {
    uint64_t place;  /* its address; 0: none */
    uint32_t call;   /* `calls` when it was reached last; `now`, `run` and `pairs` are of that call */
    uint8_t bytes;   /* of a value */
    uint8_t count;   /* of `pairs` */
    uint8_t equal;   /* how often both were the same; 255: as often or oftener */
    uint8_t run;     /* how often both were the same in that call until they differed, as in a loop over lanes */
    uint16_t left;   /* comparisons that are still noted in that call */
    uint8_t several; /* not 0: that call was of several cases */
    uint16_t most;   /* that are noted in one: few where one call comes here more than FEEDBACK_OFTEN times */
    uint16_t now[FEEDBACK_OUTCOMES];    /* how often each was the outcome in that call, below 2^16 */
    uint32_t inputs[FEEDBACK_OUTCOMES]; /* the engine's inputs in whose call it was */
    struct feedback_pair pairs[FEEDBACK_PAIRS];
};

/* In the counters of a target (fuzz/status.h). The mutator may run in another process: it may see a pair half
 * written, which does no harm. */
struct feedback {
    uint32_t calls;      /* of the implementation */
    uint32_t inputs;     /* those of the engine's inputs: not of what the mutator asks */
    uint32_t asks;       /* not 0: the mutator asks now (fuzz/seek.h) */
    uint32_t several;    /* not 0: cases are asked in one call */
    uint32_t here_count; /* sites that this call has come to */
    uint16_t here[FEEDBACK_SITES];
    _Atomic uint32_t used; /* sites that were met */
    uint16_t order[FEEDBACK_SITES];
    struct feedback_site sites[FEEDBACK_SITES];
    uint32_t words_count; /* constants that its file holds (check/impl/elf.h) */
    uint32_t words[FEEDBACK_WORDS];
};

/* From now on the comparisons of the library that holds this implementation are noted in `to`. Without effect when it
 * was not compiled for that, and on processors and systems other than Linux on x86-64 and AArch64. */
void feedback_watch(const struct warp_impl *impl, struct feedback *to);

/* Gives libFuzzer what it wants of the library that holds this implementation, and what the flags with which it was
 * compiled left out: it would end the process. */
void feedback_complete(const struct warp_impl *impl);

/* The engine makes nothing of comparisons, where the own mutator alone changes inputs: it is not told of them, which
 * takes most of the time of a plugin that compares much. */
void feedback_keep_from_engine(void);

/* Shows the engine the pairs of features of a case: always, or each twice in the life of the process. */
void feedback_pairs(const uint16_t pairs[COVERAGE_PAIRS_OF_CASE], bool always);
/* Call once, before any input. */
void feedback_start(void);

/* Call these round a call that the mutator asks (fuzz/seek.h), of one case or several. The engine is not told of it. */
void feedback_ask(struct feedback *to, bool several);
void feedback_asked(void);

/* Call these round the check of an input. Comparisons are noted until feedback_is_enough, those of its own case, and
 * from feedback_goes_on, those of the call that it spells out. */
void feedback_begin(struct feedback *to);
void feedback_is_enough(void);
void feedback_goes_on(void);
void feedback_end(void);

#endif
