/*
 * Which known mistakes explain what the implementations of a campaign answered?
 */
#ifndef WARPCHECK_CHECK_CAMPAIGN_CAUSES_H
#define WARPCHECK_CHECK_CAMPAIGN_CAUSES_H

#include "check/campaign/campaign.h"
#include "check/cause/cause.h"

#define CAUSES_MAX (SUBJECTS_MAX * WARP_FAMILIES)

struct campaign_cause {
    const struct subject *subject;
    uint32_t families; /* bit set: those that it explains */
    bool asked;        /* false: the implementation or the reference could not answer, `why` says how */
    struct cause cause;
    struct error why;
};

/*
 * One for each implementation and set of mistakes: those of its families in which a case was a mismatch are asked about
 * again (2000 cases, at most 5 seconds of search each), and families with the same cause are one entry. Call it after
 * the stages, while the implementations are open. Returns how many there are; after Ctrl-C none. `causes`: room for
 * CAUSES_MAX.
 */
size_t campaign_causes(const struct campaign *campaign, struct campaign_cause *causes);

/* One line: the cause, then who and in which instructions: "b is not reduced ... (...) [mine in shfl, shfl.sync]". */
#define CAUSE_LINE_MAX (CAUSE_TEXT_MAX + 512u)
const char *campaign_cause_text(const struct campaign_cause *cause, char text[CAUSE_LINE_MAX]);

#endif
