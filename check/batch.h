/*
 * The batch interface (warpcheck/batch.h) checked: does a batch give what its warps give as cases, wherever its arrays
 * lie, and does it stay inside them?
 *
 * A trial is one batch: an instruction, a number of warps, the layout of each operand and of each result that is
 * wanted. It is a function of a seed and a number. Its arrays end, or begin, at pages that nobody may touch, and
 * between and around rows of results stand words that must stay as they are. The last trials ask for arrays of cases,
 * through the interface of cases, in the same memory.
 */
#ifndef WARPCHECK_CHECK_BATCH_H
#define WARPCHECK_CHECK_BATCH_H

#include "check/finding.h"
#include "base/error.h"
#include "warpcheck/batch.h"

#define BATCH_TEXT_MAX 1200u

/* Trials 0 .. BATCH_SMALL - 1 have up to a few strips of warps; the next are larger than a core's caches, so that an
 * implementation that writes large results another way does so. */
#define BATCH_ROUNDS 256u /* for each form */
#define BATCH_SMALL  (BATCH_ROUNDS * (unsigned)WARP_FORMS)
#define BATCH_LARGE  7u
#define BATCH_CASES  256u /* arrays of cases, through the interface of cases */
#define BATCH_TRIALS (BATCH_SMALL + BATCH_LARGE + BATCH_CASES)
/* The smallest of the large ones has so many: rows of 24 MiB. The others have more, each another number. */
#define BATCH_LARGE_WARPS 196608u

enum batch_fault {
    BATCH_AGREES,
    BATCH_WRONG,   /* the batch gives another answer than its warps as cases */
    BATCH_WROTE,   /* a word beside or between the rows of a result was changed */
    BATCH_CRASHED, /* a signal, or no end: a read or write outside its arrays, most likely */
    BATCH_REFUSED, /* it gave no answer */
    BATCH_UNKNOWN  /* not tried: the reference gave no answer, or there was no memory */
};

struct batch_outcome {
    enum batch_fault fault;
    const char *part;              /* WRONG, WROTE: the name of the result, "d"; else "" */
    size_t warp;                   /* of the batch, which the case below is; WRONG: the first that differs */
    struct finding finding;        /* the case; of WRONG with both answers, the observed one as far as it is wanted */
    char what[BATCH_TEXT_MAX / 4]; /* one clause */
    size_t warps;                  /* in the batch */
    uint64_t lanes;                /* active lanes of all of them */
};

/* Arrays and room for one thread, and a process of its own in which `impl` is asked: by `eval` of this program, or
 * (NULL) by its own function for batches. NULL with one line. */
struct batch_bench *batch_open(const struct warp_impl *impl, warp_batch_fn eval, struct error *error);
void batch_close(struct batch_bench *bench);

/* The instruction of a trial. */
uint32_t batch_form(uint64_t seed, uint64_t number);
/* The layout for people: "vote.sync.all.pred p, sm_70, 129 warps; a per lane, stride 64; ...". */
void batch_describe(uint64_t seed, uint64_t number, char text[BATCH_TEXT_MAX]);

/*
 * Runs one trial against `reference`, which accepts every case and provides all parts. Returns true when they agree.
 */
bool batch_try(struct batch_bench *bench, uint64_t seed, uint64_t number, const struct warp_impl *reference,
               struct batch_outcome *outcome);

/* A short stable name of what was found, "batch-vote.sync-p-wrong". */
void batch_signature(const struct batch_outcome *outcome, char signature[FINDING_SIGNATURE_MAX]);

#endif
