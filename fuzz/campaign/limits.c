#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "fuzz/campaign/limits.h"

#include "base/clock.h"
#include "check/impl/impl.h"
#include "fuzz/campaign/alone.h"
#include "fuzz/campaign/command.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define INPUTS           40u /* pseudo-random, so that most families are among them */
#define INPUT_SIZE       256u
#define MEASURE_SECONDS  2.0 /* for all of them, where the first was answered */
#define MEASURE_NUMBER   1000u
#define BATCHES_IN_LIMIT 4.0 /* a batch takes at most this part of the limit */
#define BATCH_SECONDS    0.5 /* nor longer than this */

/* The limit from the environment, in milliseconds; 0: none given (what is no number is refused by the target). */
static unsigned given_limit(void)
{
    const char *const text = getenv(IMPL_TIMEOUT_VARIABLE);
    const long value = text != NULL ? strtol(text, NULL, 10) : 0;
    return value > 0 && value < 86400000 ? (unsigned)value : 0;
}

unsigned plan_limit_ms(const struct job_plan *plan)
{
    const unsigned given = given_limit();
    if (given != 0)
        return given;
    return plan->limit_ms != 0 ? plan->limit_ms : LIMIT_LEAST_MS;
}

static double limit_for(const struct job_plan *plan, double slowest_s)
{
    const double ms = LIMIT_TIMES * 1000 * slowest_s;
    if (given_limit() != 0)
        return plan_limit_ms(plan) / 1000.0;
    if (slowest_s <= 0 || ms > LIMIT_MOST_MS)
        return LIMIT_MOST_MS / 1000.0;
    return ms < LIMIT_LEAST_MS ? LIMIT_LEAST_MS / 1000.0 : ms / 1000.0;
}

static bool write_inputs(const char *folder)
{
    uint64_t state = UINT64_C(0x9e3779b97f4a7c15);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return false;
    for (unsigned i = 0; i < INPUTS; i++) {
        char path[JOB_PATH_MAX + 64];
        FILE *file;
        snprintf(path, sizeof path, "%s/%02u", folder, i);
        file = fopen(path, "wb");
        if (file == NULL)
            return false;
        for (unsigned k = 0; k < INPUT_SIZE; k++) {
            state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
            fputc((int)(state >> 56), file);
        }
        fclose(file);
    }
    return true;
}

/* One case first, which may take as long as any; then some of all kinds, as many as there is time for. */
static double measure(const struct job_plan *plan, job_crash_fn found, void *context)
{
    char folder[JOB_PATH_MAX + 32], first[JOB_PATH_MAX + 64];
    struct alone run;
    double slowest_s;
    snprintf(folder, sizeof folder, "%s/measured", plan->work);
    snprintf(first, sizeof first, "%s/00", folder);
    if (!write_inputs(folder))
        return 0;
    run = alone_run(plan, MEASURE_NUMBER, first, 0, limit_for, clock_seconds() + 2 * LIMIT_MOST_MS / 1000.0);
    slowest_s = run.slowest_s;
    for (unsigned times = 0; times < 2 && run.ended != NULL && run.ended[0] == '\0'; times++) {
        run = alone_run(plan, MEASURE_NUMBER, folder, 0, limit_for,
                        clock_seconds() + MEASURE_SECONDS + 2 * limit_for(plan, slowest_s));
        slowest_s = run.slowest_s > slowest_s ? run.slowest_s : slowest_s;
        if (run.ended == NULL || strcmp(run.ended, "hang") != 0 || times > 0)
            break;
        run.ended = ""; /* it was perhaps the machine: once more */
    }
    if (run.ended != NULL && run.ended[0] != '\0')
        alone_keep(plan, MEASURE_NUMBER, folder, &run, found, context);
    return slowest_s;
}

void limits_measure(struct job_plan *plan, char *note, size_t note_size, job_crash_fn found, void *context)
{
    const unsigned wanted = plan->derived;
    double slowest_s, batch;
    note[0] = '\0';
    if (!plan_is_guarded(plan) || !plan_takes_cases(plan))
        return;
    slowest_s = measure(plan, found, context);
    plan->limit_ms = (unsigned)(limit_for(plan, slowest_s) * 1000);
    if (slowest_s <= 0)
        return;
    batch = plan_limit_ms(plan) / 1000.0 / BATCHES_IN_LIMIT;
    batch = (batch < BATCH_SECONDS ? batch : BATCH_SECONDS) / slowest_s;
    if (batch >= wanted + 1.0)
        return;
    plan->derived = batch > 1 ? (unsigned)batch - 1 : 0;
    snprintf(note, note_size,
             "a case takes up to %.0f ms: %u relatives are checked with each instead of %u, and one that takes %.1f s "
             "hangs",
             slowest_s * 1000, plan->derived, wanted, plan_limit_ms(plan) / 1000.0);
}
