/*
 * Names the causes of what a campaign of a fuzzing engine kept, as `warpcheck run` does. When the engine has ended, the
 * kept cases are asked again, and the answers are sorted by cause.
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
    size_t count;
    size_t left; /* findings for which there was no room */
};

/* Notes a finding. Only mismatches and endings have such a cause; others are passed over. */
void fuzz_causes_note(struct fuzz_causes *causes, const struct loop_finding *finding);

/*
 * Asks again, and tells each cause with which of the kept cases show it. False with one line: an implementation did not
 * end as it should, or there was no memory.
 */
typedef void (*fuzz_cause_fn)(const struct fuzz_causes *causes, const char *cause,
                              const bool shown_by[FUZZ_CAUSES_MAX]);
bool fuzz_causes_find(const struct fuzz_causes *causes, fuzz_cause_fn tell, struct error *error);

#endif
