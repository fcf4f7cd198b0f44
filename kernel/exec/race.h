/*
 * Finds races in shared memory: happens-before between the lanes of one warp.
 *
 * The warp counts its meetings. Lane i knows everything that lane j did before known[i][j]. A meeting that orders
 * memory (bar.warp.sync, a block barrier) tells each participant what all of them know. A word remembers its last
 * writer and its readers since. An access by a lane that does not know of them is a race.
 */
#ifndef WARPCHECK_KERNEL_EXEC_RACE_H
#define WARPCHECK_KERNEL_EXEC_RACE_H

#include "warpcheck/form.h"

struct race_word {
    uint32_t written; /* the meeting of the last write; 0: never */
    uint32_t write_at;
    uint8_t writer, write_bytes;
    bool write_strong;
    lanemask readers;
    lanemask strong;                /* readers that made strong reads only */
    uint32_t read[WARP_LANES];      /* for readers: the meeting of the read */
    uint8_t read_bytes[WARP_LANES]; /* for readers: the bytes that they read */
    uint32_t read_at;
};

struct race {
    uint32_t now;
    uint32_t known[WARP_LANES][WARP_LANES];
    lanemask fenced; /* lanes that have executed a fence and touched nothing shared since */
    struct race_word *words;
    size_t words_count;
};

/* Starts another execution. Returns false when there is no memory. */
bool race_start(struct race *race, size_t bytes);
void race_free(struct race *race);

/* The lanes meet, and the meeting orders memory among them. */
void race_meet(struct race *race, lanemask lanes);

/* The same for the accesses of lanes that executed a fence, at a meeting that itself orders nothing. */
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
