/* What a campaign would tell of an implementation: the causes of its mismatches on random cases of all families.
 * Include it behind cmocka. */
#ifndef WARPCHECK_TEST_CAMPAIGN_CAUSES_H
#define WARPCHECK_TEST_CAMPAIGN_CAUSES_H

#include "check/campaign/causes.h"
#include "check/cause/plain.h"
#include "check/random.h"
#include "warpcheck_spec.h"

static struct findings_source campaign_source;

static inline bool campaign_note_mismatch(void *context, const struct checker *checker, const struct warp_case *c,
                                          const struct warp_result *reference, const struct warp_result *observed,
                                          const struct warp_diff *diff)
{
    struct finding f = {.c = *c, .reference = *reference, .observed = *observed, .diff = *diff};
    char class[FINDING_SIGNATURE_MAX];
    f.parts = checker_parts(checker);
    finding_class(&f, class);
    causes_note(context, &campaign_source, checker, &f, class);
    return true;
}

/* Of `count` cases, most of them plain. Free them with causes_free. */
static inline struct causes *campaign_causes(const struct warp_impl *impl, uint64_t count)
{
    struct causes *const causes = causes_open(1);
    struct checker checker;
    assert_non_null(causes);
    checker_init(&checker, spec_get(), impl, campaign_note_mismatch, causes);
    for (uint64_t i = 0; i < count; i += 64) {
        struct warp_case cases[64];
        for (uint64_t k = 0; k < 64; k++) {
            random_case(3, i + k, WARP_FAMILY_ALL, &cases[k]);
            plain_make(&cases[k], (enum plain_way)(k % PLAIN_WAYS));
        }
        assert_true(checker_run(&checker, cases, 64));
    }
    causes_settle(causes);
    return causes;
}

#endif
