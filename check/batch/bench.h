/*
 * The memory of one thread for its trials, and trials by cases (cases.c).
 */
#ifndef WARPCHECK_CHECK_BATCH_BENCH_H
#define WARPCHECK_CHECK_BATCH_BENCH_H

#include "check/batch.h"
#include "check/batch/layout.h"
#include "check/batch/memory.h"
#include "check/impl/foreign.h"

#define CHUNK 256u /* cases that the reference is asked at once */

/* Memory that nobody else sees. */
struct own {
    uint32_t *words;
    size_t room; /* words */
};

struct batch_bench {
    struct foreign *subject; /* what is asked: in a process of its own, which sees the memory below */
    struct fenced operands[COLUMNS], results[SINKS];
    struct batch_layout layout;
    uint32_t *in[COLUMNS], *out[SINKS]; /* the first word of each; NULL where the batch has none */
    /* What is asked, as it was made: what the subject sees of it could be changed by it. Judged by this alone. */
    struct own own[COLUMNS];
    const uint32_t *asked[COLUMNS]; /* of `in` */
    struct warp_batch batch;
    struct warp_case *given;             /* of a trial by cases: in operands[0] */
    const struct warp_case *asked_cases; /* in own[0] */
    struct warp_result *got;             /* in results[0] */
    struct warp_case cases[CHUNK];
    struct warp_result expected[CHUNK];
};

/* Room for so many words, which were 0 at first; NULL: no memory. */
uint32_t *own_words(struct own *own, size_t words);

/* A trial by cases: random ones, many of them alike, so that they may be answered together. */
bool batch_prepare_cases(struct batch_bench *bench);
/* `answered` false: the outcome has its fault already. */
bool batch_compare_cases(struct batch_bench *bench, const struct warp_impl *reference, bool answered,
                         struct batch_outcome *outcome);

#endif
