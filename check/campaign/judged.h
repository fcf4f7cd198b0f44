/*
 * Sorts answers that came as lines into entries by cause, as a campaign sorts what it asked. An entry leads with the
 * plainest of the cases that came. Where the implementation can be asked again, that case is reduced.
 */
#ifndef WARPCHECK_CHECK_CAMPAIGN_JUDGED_H
#define WARPCHECK_CHECK_CAMPAIGN_JUDGED_H

#include "check/campaign/causes.h"
#include "check/finding.h"

#define JUDGED_ENTRIES_MAX 64u
#define JUDGED_MISMATCHES  10000u /* of one instruction, that are sorted; what comes later is only counted */

struct judged_entry {
    struct cause_entry entry; /* `observed` is NULL where nobody can be asked */
    uint64_t line;            /* of the case that leads, as it came */
    uint64_t first_line;      /* of all its cases */
    struct finding f;         /* it, or what it was reduced to */
    bool reduced;
    bool unasked;   /* it could not be asked again */
    size_t after;   /* it agrees when it is asked again, also after so many cases that came before; 0: not asked so */
    uint64_t steps; /* then: that were tried */
};

/* A case that came, and its line. */
struct judged_asked {
    struct warp_case c;
    uint64_t line;
};

struct judged {
    struct cause_evidence evidence[WARP_FAMILIES];
    struct judged_asked *asked; /* the first FINDING_SEQUENCE_MAX that came; owned */
    size_t asked_count, asked_room;
    struct judged_entry *entries; /* JUDGED_ENTRIES_MAX; owned */
    size_t entries_count;
    uint64_t unsorted; /* mismatches */
};

/* Takes an answer in line `line`; `agrees`: it is right, and `f` has no diff. False: no memory. */
bool judged_add(struct judged *judged, const struct finding *f, bool agrees, uint64_t line);

/*
 * Sorts what was taken: looks for the causes, some seconds at most, and fills in the entries, those of one instruction
 * in the order in which they came. `observed` (may be NULL) is asked about the leads again, in fresh processes, which
 * are reduced where it still shows the entry. Where it agrees then, it is asked the cases that came before as well:
 * when they make it differ, it keeps something from earlier calls, which is one entry. False: no memory.
 */
bool judged_settle(struct judged *judged, const struct warp_impl *reference, const struct warp_impl *observed);

void judged_free(struct judged *judged);

#endif
