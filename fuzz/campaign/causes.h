/*
 * The causes of what a campaign of a fuzzing engine kept: the same that `warpcheck run` names, from the kept cases,
 * which are asked again when the engine has ended.
 */
#ifndef WARPCHECK_FUZZ_CAMPAIGN_CAUSES_H
#define WARPCHECK_FUZZ_CAMPAIGN_CAUSES_H

#include "check/impl/impl.h"
#include "fuzz/campaign/loop.h"

#define FUZZ_CAUSES_MAX 64u

struct fuzz_causes {
    struct kept_case {
        enum finding_kind kind;
        char folder[FILE_PATH_MAX];
        char observed[IMPL_FULL_MAX];
    } kept[FUZZ_CAUSES_MAX];
    size_t count, left; /* `left`: for which there was no room */
};

/* Notes a finding; those that are about something else than the answer to a case have no such cause. */
void fuzz_causes_note(struct fuzz_causes *causes, const struct loop_finding *finding);

/*
 * Asks again, and tells each cause with which of the kept cases show it. False with one line: an implementation did not
 * end as it should, or there was no memory.
 */
typedef void (*fuzz_cause_fn)(const struct fuzz_causes *causes, const char *cause,
                              const bool shown_by[FUZZ_CAUSES_MAX]);
bool fuzz_causes_find(const struct fuzz_causes *causes, fuzz_cause_fn tell, struct error *error);

#endif
