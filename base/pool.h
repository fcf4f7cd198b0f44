/*
 * Work in child processes, and in threads. In a process, a crash or a hang ends one piece of work; Ctrl-C ends all of
 * them at once. A process does one piece, or, where that is asked for, one after the other.
 */
#ifndef WARPCHECK_BASE_POOL_H
#define WARPCHECK_BASE_POOL_H

#include "base/error.h"

struct pool {
    size_t n;            /* pieces of work */
    const size_t *order; /* in which they are started, their numbers; NULL: as they stand */
    unsigned jobs;       /* at a time */
    size_t size;         /* of a result; results are copied as they lie in memory */
    void *results;       /* n of them */
    double limit_s;      /* after which a piece is ended; 0: none */
    unsigned cpu_s;      /* the same of processor time, each process that it starts for itself; not with `again` */
    void *context;
    void (*work)(void *context, size_t i, void *result); /* in a child */
    /* After a piece with this result, may its process do another one? NULL: never. */
    bool (*again)(const void *result);
    void (*began)(void *context, size_t i); /* may be NULL */
    /* `error`: why there is no result (ERROR_TIMEOUT, ERROR_CRASH, ERROR_EXIT), else NULL */
    void (*ended)(void *context, size_t i, const struct error *error);
    void (*tick)(void *context); /* a few times a second; may be NULL */
    bool (*stop)(void *context); /* asked as often as tick; true ends what runs, as Ctrl-C does; may be NULL */
};

/* Returns false when it was interrupted or no process could be started (`error` says which). Pieces for which
 * `ended` was not called then have no result. */
bool pool_run(struct pool *pool, struct error *error);

/*
 * Calls work(arguments[i]) for each of the n arguments that is not NULL, in a thread each; the calling thread takes the
 * first. A thread that cannot be started is done without: the work must be such that the others take over.
 */
#define THREADS_MOST 64u
void threads_run(void *(*work)(void *), void *const arguments[], size_t n);

#endif
