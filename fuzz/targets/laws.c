/*
 * Property: the answers of one implementation obey the laws of laws.c, whatever another implementation says, and there
 * is an answer to each case that a law asks.
 */
#include "fuzz/harness.h"
#include "fuzz/laws.h"
#include "fuzz/mutator.h"
#include "warpcheck/bytes.h"

#include <stdio.h>

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start(WARP_FAMILY_ALL);
    harness_watch(harness);
    return 0;
}

static void report(const struct law *law, const char *wrong, const struct warp_case *c, uint32_t who,
                   const uint8_t *data, size_t size)
{
    const struct finding f = {.kind = FINDING_LAW,
                              .c = *c,
                              .observed_name = harness->tested[__builtin_ctz(who)]->name,
                              .what = wrong,
                              .property = law->name,
                              .statement = law->statement,
                              .of_family = (law->families & (law->families - 1)) != 0};
    char sort[512];
    const int length =
        snprintf(sort, sizeof sort, "%s %u %s %u", law->name, (unsigned)warp_form_get(c->form)->family, wrong, who);
    harness_found(harness, &f, sort, (size_t)length, data, size, (unsigned)__builtin_popcount(who));
}

static void check_law(const struct law *law, const struct warp_case *c, const uint8_t *data, size_t size)
{
    const char *first = NULL;
    uint32_t who = 0;
    for (size_t i = 0; i < harness->tested_count; i++) {
        bool tried = false;
        const char *wrong = law->check(harness->tested[i], c, &tried);
        harness->status->checks += tried;
        who |= (uint32_t)(wrong != NULL) << i;
        first = first != NULL ? first : wrong;
    }
    if (who != 0)
        report(law, first, c, who, data, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct warp_case c;
    static struct warp_result result;
    const struct law *law;
    char error[64];
    uint32_t family;
    warp_case_from_bytes(data, size, harness->families, &c);
    family = WARP_FAMILY_BIT(warp_form_get(c.form)->family);
    harness->reference->eval(harness->reference->state, &c, 1, &result, error, sizeof error);
    harness_count_case(harness, &c, &result);
    status_asks(harness->status, data, size);
    for (size_t i = 0; (law = law_get(i)) != NULL; i++)
        if (law->families & family) {
            check_law(law, &c, data, size);
            harness_end_unanswered(harness);
        }
    status_answered(harness->status);
    return 0;
}
