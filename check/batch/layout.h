/*
 * The layout of a trial: what the batch asks, and where its arrays lie.
 */
#ifndef WARPCHECK_CHECK_BATCH_LAYOUT_H
#define WARPCHECK_CHECK_BATCH_LAYOUT_H

#include "warpcheck/batch.h"

enum batch_column {
    COLUMN_A,
    COLUMN_A_HIGH,
    COLUMN_B,
    COLUMN_C,
    COLUMN_MEMBERMASK,
    COLUMN_ACTIVE,
    COLUMN_EXITED,
    COLUMNS
};
enum batch_sink { SINK_D, SINK_WAITS_FOR, SINK_P, SINK_D_DEFINED, SINK_DONE, SINK_WAITING, SINK_UNDEFINED, SINKS };
extern const char *const batch_column_names[COLUMNS], *const batch_sink_names[SINKS];

struct batch_place {
    bool present;  /* else values is NULL */
    bool per_warp; /* one word for each warp; else WARP_LANES words */
    bool at_end;   /* true: the array ends at an inaccessible page; false: it begins after one */
    size_t stride;
    size_t skew; /* words between the front page and the first: rows that are not aligned */
};

/* How the masks of a trial's warps are made. */
enum batch_masks {
    MASKS_FULL,
    MASKS_ONE_GROUP,
    MASKS_TWO_GROUPS,
    MASKS_MISSING,
    MASKS_BUT_ONE,
    MASKS_ANY,
    MASKS_KINDS
};

struct batch_layout {
    uint64_t content; /* seed of what is in the arrays */
    bool as_cases;    /* an array of cases, through the interface of cases; places: the first column and sink */
    uint32_t form, target, dst, negate;
    size_t n;
    enum batch_masks masks;
    bool negative; /* values: any that begin with the same bits, the first of them 1; else of all kinds */
    struct batch_place columns[COLUMNS], sinks[SINKS];
};

void batch_layout(uint64_t seed, uint64_t number, struct batch_layout *layout);

/* Words from the first to the last that the batch may touch. */
size_t batch_extent(const struct batch_place *place, size_t n);

#endif
