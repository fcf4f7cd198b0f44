/*
 * The checker asks two implementations about many cases and compares their answers. Every defect is found this way.
 */
#ifndef WARPCHECK_CHECK_CHECKER_H
#define WARPCHECK_CHECK_CHECKER_H

#include "base/error.h"
#include "warpcheck/impl.h"

#define CHECKER_BATCH   512u /* cases that are evaluated in one call of an implementation */
#define CHECKER_REASONS 16u
/* Every byte of a result before an implementation is asked: a field that it does not write must not look right. */
#define CHECKER_GARBAGE 0xa5u

struct checker_counts {
    uint64_t cases;        /* offered */
    uint64_t compared;     /* accepted by both, and answered */
    uint64_t unanswered;   /* accepted by both, but one of them could not answer */
    uint64_t lane_results; /* active lanes in which at least one part of the result was compared */
    uint64_t mismatches;
};

/* Why cases were not accepted, and how many: shown, never silently skipped. */
struct checker_reason {
    char why[96];
    char example[96]; /* name of the instruction of the first such case */
    uint64_t cases;
};

struct checker;

/* The answers of a reference without state to one batch: checkers that share them ask it once. Keep one a thread. */
struct checker_shared {
    const struct warp_case *cases; /* NULL: none yet, or others than these cases were asked */
    size_t n;
    struct warp_result results[CHECKER_BATCH];
};

/*
 * Called for each mismatch, in the order of the cases; returns false to stop the run. Elections on which both agree are
 * asked once more behind each batch: where the second answer elects another lane, the first one is the `reference`.
 */
typedef bool (*checker_mismatch_fn)(void *context, const struct checker *checker, const struct warp_case *c,
                                    const struct warp_result *reference, const struct warp_result *observed,
                                    const struct warp_diff *diff);

struct checker {
    const struct warp_impl *reference;
    const struct warp_impl *observed;
    checker_mismatch_fn on_mismatch; /* may be NULL */
    void *context;
    struct checker_shared *shared; /* with checkers of the same reference; NULL: with none */
    struct checker_counts forms[WARP_FORMS];
    struct checker_reason reasons[CHECKER_REASONS]; /* reasons_count of them; the last, "other", takes the rest */
    size_t reasons_count;
    /* During on_mismatch: the cases that were asked in one call, and the index of this one. */
    const struct warp_case *batch;
    size_t batch_n;
    size_t batch_at;
    bool stopped;       /* by on_mismatch */
    struct error error; /* why an implementation could not answer; ERROR_NONE: it did */
};

/* Sets up a checker with zero counts. The caller keeps the implementations. Parts of a result that one of them does
 * not provide are not compared. */
void checker_init(struct checker *checker, const struct warp_impl *reference, const struct warp_impl *observed,
                  checker_mismatch_fn on_mismatch, void *context);

/*
 * Puts into a reference's answers what the reference does not provide of outcomes and of which d are predictable, as
 * the transcription has it: d and p are compared where these say so. Call it after the answers, which may settle what
 * is provided.
 */
void checker_complete(const struct warp_impl *reference, const struct warp_case *cases, size_t n,
                      struct warp_result *results);

/* The parts of a result that both provide. */
uint32_t checker_parts(const struct checker *checker);

/* Checks n cases, all of which pass warp_case_check. False when an implementation could not answer: `error` says why.
 */
bool checker_run(struct checker *checker, const struct warp_case *cases, size_t n);

/* Counts a case that an implementation declined elsewhere than here: only a reason. */
void checker_decline(struct checker *checker, const char *why);

/* Adds the counts of `from`, which has the same implementations. */
void checker_add(struct checker *to, const struct checker *from);

/* Sums over all forms, or those of one family. */
struct checker_counts checker_total(const struct checker *checker);
struct checker_counts checker_family(const struct checker *checker, enum warp_family family);

#endif
