/*
 * Offers many cases, given by their index, to one or more checkers: on all processors, with progress, until all are
 * done, the time is up, or everybody has stopped.
 */
#ifndef WARPCHECK_CHECK_SWEEP_H
#define WARPCHECK_CHECK_SWEEP_H

#include "base/error.h"
#include "check/checker.h"

struct campaign_view;

struct sweep {
    const char *label;                /* for the progress line */
    const struct campaign_view *view; /* which draws it; NULL: none */
    /* Makes the case with this index, below `count`; false: it is not to be asked. Called from several threads. */
    bool (*make)(const void *context, uint64_t index, struct warp_case *c);
    const void *context;
    uint64_t count;
    double seconds; /* 0: no limit */
    struct checker *
        *checkers; /* each is offered every case, and counts; on_mismatch may be called from several threads */
    size_t checkers_count;
    bool stateless; /* all implementations are stateless: several threads may be used */
};

/*
 * Returns false with one line when an implementation could not answer (that checker's `error` says why) or memory ran
 * out. `cases` receives the number of cases that were made. A checker whose on_mismatch asked to stop is offered no
 * more cases; the sweep ends when all have stopped, and at Ctrl-C, which is no error.
 */
bool sweep_run(const struct sweep *sweep, uint64_t *cases, struct error *error);

#endif
