/*
 * Property: the answers of one implementation obey the laws of laws.c, whatever another implementation says, and there
 * is an answer to each case that a law asks.
 */
#include "fuzz/harness.h"
#include "fuzz/laws.h"
#include "fuzz/mutator.h"
#include "warpcheck/bytes.h"

static struct harness *harness;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start(WARP_FAMILY_ALL);
    harness_watch(harness);
    return 0;
}

static void check_law(const struct law *law, const struct warp_case *c)
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
        harness_law_broken(harness, law, first, c, who);
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
            check_law(law, &c);
            harness_end_unanswered(harness, data, size);
        }
    status_answered(harness->status);
    return 0;
}
