/*
 * One process that only computes: foreign code runs there, one exchange at a time, through memory that both see. It has
 * no open file of the parent, its own signal rules, no core dumps, and is the first to go when memory runs out. What it
 * prints, on either stream, comes out on our standard error, each line behind its name and fit for a terminal.
 */
#ifndef WARPCHECK_CHECK_IMPL_CHILD_H
#define WARPCHECK_CHECK_IMPL_CHILD_H

#include "base/error.h"

#include <sys/types.h>

#include <stdint.h>

/* Memory that is mapped shared, and that only this child is to see: no other child of this process inherits it. */
struct child_region {
    void *at;
    size_t size;
};
#define CHILD_REGIONS 2u

struct child_plan {
    const char *who; /* the name that stands before each line that it prints */
    void *board;     /* memory that the caller mapped as shared, and frees; may be NULL */
    struct child_region regions[CHILD_REGIONS];
    void *context;
    /* The process calls `start` once, then `serve` for each request. When one returns false, the parent gets its line.
     */
    bool (*start)(void *context, void *board, struct error *error);
    bool (*serve)(void *context, void *board, uint32_t request, struct error *error);
    /* In the parent: once while an answer is waited for longer than CHILD_SLOW_S. May be NULL. */
    void (*slow)(void *context);
};
#define CHILD_SLOW_S 5.0

struct child;

/* Makes a child of which nothing runs yet. NULL: no memory. */
struct child *child_open(const struct child_plan *plan);
/* Ends the process and frees the child; NULL does nothing. */
void child_free(struct child *child);

/* 0 before any child was started. In the child: the process that asks it, which is not its parent: a process between
 * the two keeps it. */
pid_t child_judge(void);

/* Starts the process, unless it runs already, and waits until its `start` has returned, at most limit_s (0: for ever).
 * False: it does not run. */
bool child_start(struct child *child, double limit_s, struct error *error);
bool child_runs(const struct child *child);
/* Kills the process and those that it started. */
void child_end(struct child *child);

/* Hands over a request; child_await then gets the answer. When the process has ended, child_await says so. */
void child_post(struct child *child, uint32_t request);
/*
 * Waits for the answer, at most limit_s (0: for ever). True: `serve` returned true. False: the words of `serve`, and
 * the process goes on; or ERROR_TIMEOUT, ERROR_CRASH, ERROR_EXIT, ERROR_INTERRUPTED, and it is gone; ERROR_DECLINED,
 * which `serve` may say too, when it sent a signal to this process. The text is a
 * clause without a subject: "crashed with SIGSEGV", "ended with status 3 (exit)", "gave no answer within 60 s".
 */
bool child_await(struct child *child, double limit_s, struct error *error);

#endif
