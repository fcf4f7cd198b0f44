/*
 * What a campaign allows an implementation, from how long it takes: slow is not hung.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_CALIBRATE_H
#define WARPCHECK_FUZZ_CAMPAIGN_CALIBRATE_H

#include "fuzz/campaign/rerun.h"

/* A case hangs that takes alone a hundred times what the slowest took which was measured, but not before the least
 * and always at the most. */
#define LIMIT_LEAST_MS 1500u
#define LIMIT_MOST_MS  10000u
#define LIMIT_TIMES    100.0

/*
 * Asks a plugin some cases alone, before the campaign, and sets the plan's limit_ms; its `derived` too where all
 * relatives of a case together would take too much of that. Writes a line in `note` when there is something to say,
 * else "". A case that crashes or hangs meanwhile is kept as a finding. Of a built-in implementation, or a target that
 * takes no cases, nothing is measured. WARPCHECK_PLUGIN_TIMEOUT_MS in the environment is the limit where it is set.
 * `r` was set up for the plan.
 */
void calibrate(struct job_plan *plan, struct rerun *r, char *note, size_t note_size);

#endif
