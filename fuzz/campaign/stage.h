/*
 * The stage of a campaign that lets a fuzzing engine look for a few seconds, and sorts what it keeps with the findings
 * of the other stages.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_STAGE_H
#define WARPCHECK_FUZZ_CAMPAIGN_STAGE_H

#include "check/campaign/campaign.h"

extern const struct stage stage_fuzz;

/* Where the stage is wanted and its target is not built yet, begins to build it while the stages before it run. */
void stage_fuzz_begin(const struct campaign *campaign);

#endif
