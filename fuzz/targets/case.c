/*
 * Property: on every case of the target's families the implementation under test answers as the transcription of the
 * manual does.
 *
 * One target for each family and one for all; the build defines TARGET_FAMILIES.
 */
#include "fuzz/harness.h"
#include "fuzz/mutator.h"
#include "fuzz/seeker.h"

static struct harness *harness;

static bool agrees(const struct warp_case *c, const uint8_t *steps, size_t n)
{
    return harness_agrees(harness, c, steps, n);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    harness = harness_start(TARGET_FAMILIES);
    mutator_set_families(harness->families);
    mutator_set_way(harness->way);
    if (harness->way == MUTATOR_OWN)
        feedback_keep_from_engine();
    mutator_learn(&harness->status->feedback);
    mutator_seek_by(harness->watched && (harness->attended || harness->seeks) ? agrees : NULL);
    if (harness->seeks)
        seeker_serve(harness);
    seeker_of(harness->watched && !harness->attended && !harness->replays ? "/proc/self/exe" : NULL);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    harness_check_input(harness, data, size, mutator_last_case);
    return 0;
}
