/*
 * What a running target counts, in a file that the campaign maps too: live numbers that survive the target's death.
 */
#ifndef WARPCHECK_FUZZ_STATUS_H
#define WARPCHECK_FUZZ_STATUS_H

#include "fuzz/coverage/coverage.h"

#define FUZZ_STATUS_MAGIC 0x77666a35u
#define FUZZ_SORTS        512u
#define FUZZ_ASKED_MAX    1024u /* more than an input of cases has */

/* One writer at a time, but of `examined`; readers may see counts of different moments. */
struct fuzz_status {
    uint32_t magic;
    uint32_t buckets;    /* COVERAGE_BUCKETS of the target that writes it */
    uint64_t executions; /* inputs */
    uint64_t checks;     /* cases that were compared, or laws that were tried */
    uint64_t refused;    /* cases that the implementation does not accept */
    uint64_t mismatches;
    uint64_t written;                /* inputs that were written for the campaign, */
    uint64_t skipped;                /* and such that were not, of sorts that it has many of */
    _Atomic uint64_t examined;       /* by the campaign: of those written */
    uint64_t hits[COVERAGE_BUCKETS]; /* inputs that fell into each bucket */
    uint64_t sorts[FUZZ_SORTS];      /* a hash set of sorts of failures (top 56 bits) with a count (low 8) */
    uint64_t unkept;                 /* inputs that could not be written */
    char unkept_why[256];            /* the first of them */
    uint64_t asked_size;             /* of the input that is being checked, and 1 more; 0: none is */
    uint8_t asked[FUZZ_ASKED_MAX];   /* what ended the target where no engine saw it end */
};

/*
 * Maps `path`, which is made when it does not exist. One that another version wrote is started anew. NULL path, or a
 * file that cannot be mapped: private memory, and `error` says why (empty for a NULL path). Returns NULL only when
 * there is no memory.
 */
struct fuzz_status *status_open(const char *path, char *error, size_t error_size);
/* The file of another process; NULL when it is not there yet or not of this version. */
struct fuzz_status *status_read(const char *path);
/* Around the check of an input. One that is too long is not kept. */
void status_asks(struct fuzz_status *status, const uint8_t *data, size_t size);
void status_answered(struct fuzz_status *status);
void status_close(struct fuzz_status *status);

#endif
