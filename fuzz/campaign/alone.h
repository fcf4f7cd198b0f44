/*
 * A target asked case by case, in a process of its own: does an input end it, and on which case?
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_ALONE_H
#define WARPCHECK_FUZZ_CAMPAIGN_ALONE_H

#include "fuzz/campaign/job.h"

/* How such a run went. `ended`: "segv", "hang" and so on; "" when it came to its end; NULL when there was no time. */
struct alone {
    const char *ended;
    double slowest_s; /* the longest that a case took which was answered; 0: none was */
};

/*
 * Runs the target on an input, or a folder of them, with `derived` relatives of each case. `number` tells its files
 * from those of others. A case that takes longer than limit_s(plan, slowest case so far) hangs; the run is given up
 * at `end`, on clock_seconds()'s clock.
 */
typedef double (*alone_limit_fn)(const struct job_plan *plan, double slowest_s);
struct alone alone_run(const struct job_plan *plan, unsigned number, const char *input, unsigned derived,
                       alone_limit_fn limit_s, double end);

enum alone_verdict {
    ALONE_ENDS,     /* a case of it crashes or hangs alone, and was kept (or `found` was told why not) */
    ALONE_HARMLESS, /* none does: `found` was told */
    ALONE_UNDECIDED /* there was no time to say */
};

/* What the last run with this number ended by: keeps the case as a finding and calls `found` (job.h). */
enum alone_verdict alone_keep(const struct job_plan *plan, unsigned number, const char *input, const struct alone *run,
                              job_crash_fn found, void *context);

/* Both, with the plan's own limit and relatives. */
enum alone_verdict alone_look(const struct job_plan *plan, unsigned number, const char *input, double end,
                              job_crash_fn found, void *context);

#endif
