/*
 * What the manual says about lanes, for every part that is no oracle: drawings, coverage, laws, recordings, devices.
 * The transcription, the optimized implementation, the prover's terms and the GPU's kernels are independent of each
 * other on purpose: each says it itself, and none of them includes this file.
 */
#ifndef WARPCHECK_MODEL_LANES_H
#define WARPCHECK_MODEL_LANES_H

#include "warpcheck/warp.h"

#include <string.h>

/* Are the bits those of an f32 that is a NaN? */
static inline bool lanes_is_nan(uint32_t bits)
{
    return (bits & 0x7fffffffu) > 0x7f800000u;
}

/* shfl's intermediate numbers, in the manual's names ([shfl.sync: Semantics]). `j` is below 0 or above 31 where up or
 * down lead out of the warp; `pval` is then false, and the lane copies its own a. */
struct shfl_source {
    int min_lane, max_lane, j;
    bool pval;
};

/* The source of a lane in a mode of shfl. `b` and `c` are whole operands; bits without a meaning are dropped. */
static inline struct shfl_source shfl_source_of(enum warp_op mode, unsigned lane, uint32_t b, uint32_t c)
{
    const int own = (int)lane, bval = (int)(b & 31u), cval = (int)(c & 31u), segmask = (int)(c >> 8 & 31u);
    struct shfl_source s = {own & segmask, (own & segmask) | (cval & ~segmask & 31), own, false};
    switch (mode) {
    case WARP_UP:
        s.j = own - bval;
        s.pval = s.j >= s.max_lane;
        break;
    case WARP_DOWN:
        s.j = own + bval;
        s.pval = s.j <= s.max_lane;
        break;
    case WARP_BFLY:
        s.j = own ^ bval;
        s.pval = s.j <= s.max_lane;
        break;
    case WARP_IDX:
        s.j = s.min_lane | (bval & ~segmask & 31);
        s.pval = s.j <= s.max_lane;
        break;
    case WARP_OPS_BUT_SHFL:
        break;
    }
    return s;
}

/* The lanes in which two operands or results differ. */
static inline lanemask lanes_that_differ(const uint32_t x[WARP_LANES], const uint32_t y[WARP_LANES])
{
    lanemask lanes = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        lanes |= (lanemask)(x[lane] != y[lane]) << lane;
    return lanes;
}

/* Are n results the same to the last bit, and none has a d or p of a lane that is not done? What nearly all results
 * are, and then they agree. */
static inline bool lanes_same_results(const struct warp_result *x, const struct warp_result *y, size_t n)
{
    lanemask stray = 0;
    if (memcmp(x, y, n * sizeof *x) != 0)
        return false;
    for (size_t i = 0; i < n; i++)
        stray |= (x[i].p | x[i].d_defined) & ~x[i].done;
    return stray == 0;
}

/* The group of a lane that is done: the non-exited lanes of its membermask; without .sync all active lanes. */
static inline lanemask lanes_group(const struct warp_case *c, unsigned lane)
{
    return warp_form_is_sync(warp_form_get(c->form)) ? c->membermask[lane] & ~c->exited : c->active;
}

/* The lane whose a is copied by this lane's shfl: its own when out of range. */
unsigned lanes_source(const struct warp_case *c, unsigned lane);

/* The active lanes that are undefined or would wait: 0 when every active lane is done, and the case safe to run on a
 * device. */
lanemask lanes_not_done(const struct warp_case *c);

/* The active lanes whose d is predictable, for a case in which every active lane is done; 0 where the form writes no d.
 */
lanemask lanes_predictable(const struct warp_case *c);

/* The lowest lane of the set; 31 when it is empty. */
static inline unsigned lanes_lowest(lanemask lanes)
{
    return (unsigned)__builtin_ctz(lanes | UINT32_C(0x80000000));
}

/* The highest lane of the set; 0 when it is empty. */
static inline unsigned lanes_highest(lanemask lanes)
{
    return 31u - (unsigned)__builtin_clz(lanes | 1u);
}

/* "0-3,8"; "" for no lane. Lanes that do not fit are left out. Returns `text`. */
#define LANES_TEXT_MAX 100u
char *lanes_ranges(lanemask lanes, char *text, size_t size);

/* "lanes 0-3,8", "no lane", "all lanes". Returns `text`. */
char *lanes_text(lanemask lanes, char *text, size_t size);

#endif
