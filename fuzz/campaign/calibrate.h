/*
 * The limit of time that a campaign gives a call, measured from the implementation's own speed, so that a slow one is
 * not taken for a hung one.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_CALIBRATE_H
#define WARPCHECK_FUZZ_CAMPAIGN_CALIBRATE_H

#include "fuzz/campaign/rerun.h"

/*
 * Asks a plugin some cases, one at a time, before the campaign, and sets the plan's limit_ms. Lowers its `derived` when
 * all relatives of a case together would take too much of that limit. Writes a line in `note` when there is something
 * to say, else "". Keeps a case that crashes or hangs meanwhile as a finding. Measures nothing for a built-in
 * implementation, or for a target that takes no cases. WARPCHECK_PLUGIN_TIMEOUT_MS in the environment is the limit
 * where it is set. The caller has set up `r` for the plan.
 */
void calibrate(struct job_plan *plan, struct rerun *r, char *note, size_t note_size);

#endif
