/*
 * Throughput: the device makes cases from a seed, runs the instruction, and compares with a formulation of its own,
 * written from the table; it reports the indices of mismatching cases only.
 *
 * Case number `index` of a seed is the same on the host (throughput_case) and on the device (throughput_kernel). It
 * names full and partial warps, exited lanes, divergence, up to four groups, membermasks with exited lanes in them;
 * every active lane is done. 64 consecutive cases run in one warp, one after the other, with the same exited lanes.
 */
#ifndef WARPCHECK_GPU_THROUGHPUT_H
#define WARPCHECK_GPU_THROUGHPUT_H

#include "base/error.h"
#include "gpu/text.h"
#include "warpcheck/impl.h"

#define THROUGHPUT_CASES_A_WARP 64u
#define THROUGHPUT_SEEDS        256u /* mismatching cases that are named; all are counted */

/* Random cases, or (shfl only) the points: b, clamp and segment mask from the index, 2^15 cases of 32 lanes. */
enum throughput_space { THROUGHPUT_RANDOM, THROUGHPUT_POINTS };
#define THROUGHPUT_POINT_CASES 32768u

struct throughput_request {
    uint32_t form;
    uint32_t target;
    uint16_t ptx;
    uint32_t space; /* enum throughput_space */
    uint32_t seed;
    uint32_t first; /* index of the first case, a multiple of THROUGHPUT_CASES_A_WARP */
    uint32_t warps;
};

struct throughput_reply {
    uint64_t lanes;      /* lane results that were compared */
    uint64_t mismatches; /* lane results that differ */
    uint32_t named;      /* how many of `index` are used */
    uint32_t index[THROUGHPUT_SEEDS];
};

/* The case with this index, as the device makes it. `dst` of it selects every destination that the form has. */
void throughput_case(const struct throughput_request *request, uint32_t index, struct warp_case *c);

/*
 * Kernel text, entry "throughput": parameters seed, first index, number of warps, address of the reply (u64 lanes, u32
 * mismatches, u32 named, u32 index[THROUGHPUT_SEEDS]).
 */
void throughput_kernel(struct writer *t, const struct throughput_request *request);

/* Fills form, target and PTX version for a device: the greatest target not above it for which the form is legal. False:
 * none. */
bool throughput_target(const struct warp_form_info *info, uint32_t device_sm, uint16_t greatest_ptx,
                       struct throughput_request *request);

/* The result of checking one form. */
struct throughput_report {
    uint64_t cases;
    uint64_t lanes;
    uint64_t mismatches;     /* lane results, by the device's own comparison */
    uint64_t rechecked;      /* mismatching cases that were checked again by the ordinary path */
    uint64_t confirmed;      /* rechecked cases that differ from the reference */
    uint64_t sampled;        /* agreeing cases that were checked by the ordinary path */
    uint64_t sample_differs; /* sampled cases that differ from the reference */
    double seconds;
    bool has_example;
    struct warp_case example; /* the first confirmed mismatch, else the first that the device alone saw */
};

/*
 * Checks at least `lanes` lane results of the form (random space), or all points, on the device behind `gpu`, and takes
 * mismatches and a sample through the ordinary path against `reference`. False with a clause in `error` when the device
 * cannot run the form or failed.
 */
bool throughput_check(const struct warp_impl *gpu, const struct warp_impl *reference, const struct warp_form_info *info,
                      enum throughput_space space, uint32_t seed, uint64_t lanes, struct throughput_report *report,
                      struct error *error);

#endif
