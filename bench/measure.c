/* Timing: short slices in turns, and the median of them. */
#include "bench.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

#define MAX_ROUNDS      64u
#define MAX_CONTESTANTS 16u
#define SLICE_NS        400000.0 /* long against the clock's grain, short against the drift of a shared machine */

double bench_now_ns(void)
{
    return clock_seconds() * 1e9;
}

/* The calls go through a pointer that the compiler does not know, so that none is left out. */
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static size_t run_once(struct bench_data *data, const struct bench_contestant *contestant, size_t n)
{
    char error[128];
    bool ok = true;
    if (contestant->impl == NULL) {
        copy(data->copy_to, data->copy_from, data->bytes * n / 2);
    } else if (contestant->cases) {
        n = n < data->cases_n ? n : data->cases_n;
        ok = contestant->impl->eval(contestant->impl->state, data->cases, n, data->results, error, sizeof error);
    } else {
        data->batch.n = n;
        ok = fast_batch_eval(contestant->impl, &data->batch, error, sizeof error);
    }
    if (!ok) {
        fprintf(stderr, "warpcheck-bench: %s: %s\n", contestant->name, error);
        exit(2);
    }
    return n;
}

static double slice(struct bench_data *data, const struct bench_contestant *contestant, size_t n, size_t calls)
{
    size_t warps = 0;
    const double start = bench_now_ns();
    for (size_t i = 0; i < calls; i++)
        warps += run_once(data, contestant, n);
    return (bench_now_ns() - start) / (double)warps;
}

static size_t calls_for(struct bench_data *data, const struct bench_contestant *contestant, size_t n)
{
    double start, one;
    run_once(data, contestant, n); /* warms caches and branch predictors */
    start = bench_now_ns();
    run_once(data, contestant, n);
    one = bench_now_ns() - start;
    return one >= SLICE_NS ? 1 : (size_t)(SLICE_NS / (one < 20.0 ? 20.0 : one)) + 1;
}

static int compare_doubles(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

void bench_measure(struct bench_data *data, const struct bench_contestant *contestants, size_t count, size_t n,
                   unsigned rounds, double *ns)
{
    static double times[MAX_CONTESTANTS][MAX_ROUNDS];
    size_t calls[MAX_CONTESTANTS];
    rounds = rounds < MAX_ROUNDS ? rounds : MAX_ROUNDS;
    for (size_t i = 0; i < count; i++)
        calls[i] = calls_for(data, &contestants[i], n);
    for (unsigned round = 0; round < rounds; round++)
        for (size_t i = 0; i < count; i++)
            times[i][round] = slice(data, &contestants[i], n, calls[i]);
    for (size_t i = 0; i < count; i++) {
        qsort(times[i], rounds, sizeof times[i][0], compare_doubles);
        ns[i] = times[i][rounds / 2];
    }
}
