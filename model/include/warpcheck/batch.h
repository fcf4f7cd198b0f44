/*
 * Many warps that execute the same instruction, with their operands in arrays: the interface for a simulator or a CPU
 * back end.
 *
 * The meaning is that of struct warp_case and struct warp_result in full: operands for each lane, groups, exited
 * lanes, waiting and undefined lanes, unpredictable d. The caller says which operands are uniform, and these cost
 * less. An operand given for each lane may be uniform too, and the answer is the same either way.
 */
#ifndef WARPCHECK_WARP_BATCH_H
#define WARPCHECK_WARP_BATCH_H

#include "warpcheck/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * An operand of all warps: warp w's values begin at values + w * stride (in words; 0: every warp has the same). Any
 * stride is allowed; rows of operands may overlap each other and other operands, since they are only read.
 */
struct warp_column {
    const uint32_t *values;
    size_t stride;
    bool per_warp; /* one value for all lanes of a warp; else WARP_LANES values, in lane order */
};

/*
 * A result of all warps, laid out likewise; values NULL: not wanted. The stride is at least the number of words that a
 * warp writes: WARP_LANES for d and waits_for, 1 for the others. A smaller stride (also 0) would make the rows of n >
 * 1 warps overlap, which is not allowed and not checked. Words between rows are not touched.
 */
struct warp_sink {
    uint32_t *values;
    size_t stride;
};

/*
 * Every array is the caller's. A result may not overlap an operand or another result, not even the same warp's; this
 * is not checked, and the results are then arbitrary. Arrays need only the alignment of a word.
 *
 * Legality is not checked: an instruction is answered for any target, also for one that lacks it (warpcheck lint
 * tells). Only one property of the target matters: whether its lanes wait.
 */
struct warp_batch {
    uint32_t form;   /* enum warp_form */
    uint32_t target; /* WARP_TARGET(...): up to sm_6x what would wait is undefined */
    uint32_t dst;    /* enum warp_dst, one that the form takes */
    uint32_t negate; /* 1: the source predicate is negated (vote) */
    size_t n;        /* warps */

    struct warp_column a;          /* per lane. vote: not 0 is true; or per_warp: a lane mask of the true lanes */
    struct warp_column a_high;     /* .b64: the high halves, per lane */
    struct warp_column b, c;       /* shfl */
    struct warp_column membermask; /* .sync forms; values NULL: all lanes */
    struct warp_column active;     /* lane masks, read as per_warp; values NULL: all lanes that have not exited */
    struct warp_column exited;     /* likewise; values NULL: none. A lane that is in both is taken as exited */

    /* Per lane, WARP_LANES words a warp. 0 in lanes for which they have no meaning. */
    struct warp_sink d, waits_for;
    /* Lane masks, one word a warp, as in struct warp_result. */
    struct warp_sink p, d_defined, done, waiting, undefined;
};

/*
 * Answers the batch. Returns false, with one clause in `error` (cut to error_size), when the batch makes no sense or
 * `impl` has no batches. A plugin that has them exports a function of this type under the name below; `impl` is one of
 * those that it offers.
 */
typedef bool (*warp_batch_fn)(const struct warp_impl *impl, const struct warp_batch *batch, char *error,
                              size_t error_size);
#define WARP_PLUGIN_BATCH_SYMBOL "warpcheck_batch_eval"

#ifdef __cplusplus
}
#endif

#endif
