/*
 * The counters of a running target, in a file that the campaign maps too, so that they survive the target's death.
 */
#ifndef WARPCHECK_FUZZ_STATUS_H
#define WARPCHECK_FUZZ_STATUS_H

#include "base/error.h"
#include "fuzz/coverage/coverage.h"
#include "fuzz/coverage/pairs.h"
#include "fuzz/feedback.h"

#define FUZZ_STATUS_MAGIC 0x77666a39u
#define FUZZ_SORTS        512u
#define FUZZ_ASKED_MAX    1024u /* more than an input of cases has */

/* The target alone writes all fields but `examined`. A reader may see counts of different moments. */
struct fuzz_status {
    uint32_t magic;
    uint32_t buckets;    /* COVERAGE_BUCKETS of the target that writes it */
    uint64_t executions; /* inputs */
    uint64_t checks;     /* cases that were compared, or laws that were tried */
    uint64_t refused;    /* cases that the implementation does not accept */
    uint64_t mismatches;
    uint64_t written;                /* inputs that were written for the campaign */
    uint64_t skipped;                /* inputs that were not written, because their sort is frequent */
    _Atomic uint64_t examined;       /* the written inputs that the campaign has examined */
    uint64_t hits[COVERAGE_BUCKETS]; /* inputs that fell into each bucket */
    uint8_t pairs[COVERAGE_PAIRS];   /* 1: some input had this pair of features */
    uint64_t sorts[FUZZ_SORTS];      /* a hash set of sorts of failures (top 56 bits) with a count (low 8) */
    uint64_t unkept;                 /* inputs that could not be written */
    char unkept_why[256];            /* the first of them */
    uint64_t asked_size;             /* size of the input that is being checked, plus 1; 0: none is */
    uint8_t asked[FUZZ_ASKED_MAX];   /* the input itself: it shows what ended the target when no engine saw the end */
    uint64_t asks;                   /* inputs whose check was begun: the campaign sees by it that the target goes on */
    /* Inputs whose check never came to an end, although another was begun: a process ended there. The last of them. */
    uint64_t lost, lost_size;
    uint8_t lost_input[FUZZ_ASKED_MAX];
    struct feedback feedback; /* of the code under test, for the mutator */
};

/*
 * Maps the file `path`, and makes it when it does not exist. A file that another version wrote is started anew. With a
 * NULL path, or a file that cannot be mapped, the memory is private and `error` says why (ERROR_NONE for a NULL path).
 * Returns NULL only when there is no memory.
 */
struct fuzz_status *status_open(const char *path, struct error *error);
/* In a file that is open here and in another process: whichever comes first makes it. NULL: it cannot be mapped. */
struct fuzz_status *status_at(int fd);
/* The file of another process; NULL when it is not there yet or not of this version. */
struct fuzz_status *status_read(const char *path);
/* Call these before and after the check of an input. An input that is too long is not kept. */
void status_asks(struct fuzz_status *status, const uint8_t *data, size_t size);
void status_answered(struct fuzz_status *status);
void status_close(struct fuzz_status *status);

#endif
