#include "fuzz/campaign/calibrate.h"

#include "base/clock.h"
#include "base/interrupt.h"

#include <stdio.h>

#define MEASURE_SECONDS  2.0 /* for all cases, once the first was answered */
#define BATCHES_IN_LIMIT 4.0 /* a batch takes at most this part of the limit */
#define BATCH_SECONDS    0.5 /* nor longer than this */

static double limit_for(const struct job_plan *plan, double slowest_s)
{
    const double ms = LIMIT_TIMES * 1000 * slowest_s;
    if (plan_given_limit_ms() != 0)
        return plan_limit_ms(plan) / 1000.0;
    if (slowest_s <= 0 || ms > LIMIT_MOST_MS)
        return LIMIT_MOST_MS / 1000.0;
    return ms < PLAN_LIMIT_LEAST_MS ? PLAN_LIMIT_LEAST_MS / 1000.0 : ms / 1000.0;
}

/* Asks one case first, which may take as long as any case may; then cases of all kinds, as many as there is time
 * for. */
static double measure(struct rerun *r)
{
    const double begin = clock_seconds(), first = begin + 2 * LIMIT_MOST_MS / 1000.0;
    double slowest_s = 0;
    r->limit_s = limit_for;
    if (rerun_begin(r, "")) {
        double end = first;
        while (!rerun_poll(r) && !interrupted() && clock_seconds() < end) {
            slowest_s = (double)r->shared->slowest_us * 1e-6;
            if (r->shared->asks > 1 && end == first)
                end = clock_seconds() + MEASURE_SECONDS + 2 * limit_for(r->plan, slowest_s);
            if (r->shared->asks > 1 && clock_seconds() - begin > MEASURE_SECONDS && r->shared->since_us != 0 &&
                clock_seconds() - (double)r->shared->since_us * 1e-6 <= 2 * slowest_s)
                break; /* time is up, and it does not hang */
            clock_sleep(0.001);
        }
        slowest_s = (double)r->shared->slowest_us * 1e-6;
        rerun_stop(r);
    }
    return slowest_s;
}

void calibrate(struct job_plan *plan, struct rerun *r, char *note, size_t note_size)
{
    double (*const before)(const struct job_plan *, double) = r->limit_s;
    const unsigned wanted = plan->derived;
    double slowest_s, batch;
    note[0] = '\0';
    if (!plan_is_guarded(plan) || target_kind(plan->target) != TARGET_CASES)
        return;
    slowest_s = measure(r);
    r->limit_s = before;
    plan->limit_ms = (unsigned)(limit_for(plan, slowest_s) * 1000);
    if (slowest_s <= 0)
        return;
    batch = plan_limit_ms(plan) / 1000.0 / BATCHES_IN_LIMIT;
    batch = (batch < BATCH_SECONDS ? batch : BATCH_SECONDS) / slowest_s;
    if (batch >= wanted + 1.0)
        return;
    plan->slow = true;
    plan->derived = batch > 1 ? (unsigned)batch - 1 : 0;
    snprintf(note, note_size,
             "a case takes up to %.0f ms: %u relatives are checked with each instead of %u, and one that takes %.1f s "
             "hangs",
             slowest_s * 1000, plan->derived, wanted, plan_limit_ms(plan) / 1000.0);
}
