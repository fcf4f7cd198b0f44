/*
 * Finds races in shared memory: happens-before between the lanes of one warp.
 *
 * The warp counts its meetings. Lane i knows everything that lane j did before known[i][j]. A meeting that orders
 * memory (bar.warp.sync, a block barrier) tells each participant what all of them know. A byte remembers its last
 * writer and its readers since. An access by a lane that does not know of them is a race.
 */
#ifndef WARPCHECK_KERNEL_EXEC_RACE_H
#define WARPCHECK_KERNEL_EXEC_RACE_H

#include "warpcheck/form.h"

struct race_written {
    uint32_t when; /* the meeting of the last write; 0: never */
    uint32_t at;
    uint8_t lane;
    bool strong;
};

struct race_word {
    struct race_written bytes[4];
    lanemask readers;               /* of what nobody has written since */
    lanemask strong;                /* readers that made strong reads only */
    uint32_t read[WARP_LANES];      /* for readers: the meeting of the read */
    uint8_t read_bytes[WARP_LANES]; /* for readers: the bytes that they read */
    uint32_t read_at;
};

struct race {
    uint32_t now;
    uint32_t known[WARP_LANES][WARP_LANES];
    lanemask fenced;                  /* lanes that have executed a fence, */
    uint32_t fenced_when[WARP_LANES]; /* and the moment of the last one: what they did before it is what counts */
    struct race_word *words;
    size_t words_count;
};

/* Starts another execution. Returns false when there is no memory. */
bool race_start(struct race *race, size_t bytes);
void race_free(struct race *race);

/* The lanes meet, and the meeting orders memory among them. */
void race_meet(struct race *race, lanemask lanes);

/* The lanes execute a fence. */
void race_fence(struct race *race, lanemask lanes);

/* The same as race_meet for what lanes did before they executed a fence, at a meeting that itself orders nothing. */
void race_publish(struct race *race, lanemask lanes);

struct race_access {
    unsigned lane;
    uint64_t address; /* within one word */
    unsigned width;   /* in bytes, not beyond the word */
    uint32_t at;
    bool strong; /* atomic, or with an order beyond .weak: two of these do not race */
};
/* The lane with which the access races, and the place of that lane's access; -1: none. */
int race_read(struct race *race, const struct race_access *access, uint32_t *place);
int race_write(struct race *race, const struct race_access *access, uint32_t *place);

#endif
