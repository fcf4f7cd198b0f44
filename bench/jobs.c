/*
 * Whole jobs: enumeration, random checking, the fuzz harness, engines. Each compares the fastest variant with the
 * transcription and is timed. Enumeration is also timed in its parts, to show where its time goes.
 */
#include "bench.h"

#include "check/checker.h"
#include "check/enumerate.h"
#include "check/random.h"
#include "fuzz/harness.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <stdlib.h>
#include <string.h>

#define RANDOM_CASES 200000u

struct list {
    struct bench_job *jobs;
    size_t n, room;
};

static void add(struct list *list, const char *name, double value, const char *unit)
{
    if (list->n < list->room)
        list->jobs[list->n++] = (struct bench_job){.name = name, .unit = unit, .value = value};
}

static void add_unavailable(struct list *list, const char *name, const char *why)
{
    if (list->n < list->room)
        list->jobs[list->n++] = (struct bench_job){.name = name, .unavailable = why};
}

static struct warp_case cases[CHECKER_BATCH];
static struct warp_result expected[CHECKER_BATCH], observed[CHECKER_BATCH];

/* Seconds in each part of an enumeration. */
struct parts {
    double make, spec, fast, compare;
    uint64_t cases, mismatches;
};

static void evaluate(const struct warp_impl *impl, size_t n, struct warp_result *results)
{
    char error[128] = "";
    if (!impl->eval(impl->state, cases, n, results, error, sizeof error)) {
        fprintf(stderr, "warpcheck-bench: %s: %s\n", impl->name, error);
        exit(2);
    }
}

static void check_batch(size_t n, struct parts *parts)
{
    const double start = bench_now_ns();
    double spec_done, fast_done;
    evaluate(spec_get(), n, expected);
    spec_done = bench_now_ns();
    evaluate(fast_get(), n, observed);
    fast_done = bench_now_ns();
    for (size_t i = 0; i < n; i++)
        parts->mismatches += !warp_result_compare(&cases[i], &expected[i], &observed[i], WARP_PART_ALL, NULL);
    parts->spec += spec_done - start;
    parts->fast += fast_done - spec_done;
    parts->compare += bench_now_ns() - fast_done;
    parts->cases += n;
}

static struct parts enumerate(const struct enumeration *e)
{
    const uint64_t count = e->count();
    struct parts parts = {0};
    for (uint64_t index = 0; index < count;) {
        const double start = bench_now_ns();
        size_t n = 0;
        for (; n < CHECKER_BATCH && index < count; n++, index++)
            e->make(index, &cases[n]);
        parts.make += bench_now_ns() - start;
        check_batch(n, &parts);
    }
    return parts;
}

static void fail_on(uint64_t mismatches, const char *where)
{
    if (mismatches == 0)
        return;
    fprintf(stderr, "warpcheck-bench: %llu mismatches in %s: run `warpcheck run`\n", (unsigned long long)mismatches,
            where);
    exit(1);
}

static void time_enumerations(struct list *list)
{
    const struct enumeration *e;
    struct parts all = {0};
    for (size_t i = 0; (e = enumeration_get(i)) != NULL; i++) {
        const struct parts p = enumerate(e);
        fail_on(p.mismatches, e->name);
        if (strcmp(e->name, "shfl-points") == 0)
            add(list, "shfl-points, spec and fast", (p.make + p.spec + p.fast + p.compare) / 1e6, "ms");
        all.make += p.make;
        all.spec += p.spec;
        all.fast += p.fast;
        all.compare += p.compare;
        all.cases += p.cases;
    }
    add(list, "all enumerations, spec and fast", (all.make + all.spec + all.fast + all.compare) / 1e6, "ms");
    add(list, "all enumerations, cases", (double)all.cases, "cases");
    add(list, "all enumerations, making the cases", all.make / 1e6, "ms");
    add(list, "all enumerations, spec alone", all.spec / 1e6, "ms");
    add(list, "all enumerations, fast alone", all.fast / 1e6, "ms");
    add(list, "all enumerations, comparing", all.compare / 1e6, "ms");
}

static void time_random(struct list *list)
{
    struct parts parts = {0};
    const double start = bench_now_ns();
    for (uint64_t first = 0; first < RANDOM_CASES; first += CHECKER_BATCH) {
        for (uint64_t i = 0; i < CHECKER_BATCH; i++)
            random_case(1, first + i, (1u << WARP_FAMILIES) - 1u, &cases[i]);
        check_batch(CHECKER_BATCH, &parts);
    }
    fail_on(parts.mismatches, "random cases");
    add(list, "random cases, made and checked", (double)parts.cases / (bench_now_ns() - start) * 1e9, "cases/s");
}

size_t bench_jobs(const char *targets, struct bench_job *jobs, size_t room)
{
    struct list list = {.jobs = jobs, .room = room};
    double checks;
    time_enumerations(&list);
    time_random(&list);
    checks = bench_harness_checks();
    if (checks > 0)
        add(&list, "fuzz harness, without an engine", checks, "checks/s");
    else
        add_unavailable(&list, "fuzz harness, without an engine", "fuzz targets are off in this build");
    return list.n + bench_engines(targets, jobs + list.n, room - list.n);
}

/* The fuzz harness's own speed: inputs from memory, no engine. */

#ifdef WARPCHECK_BENCH_HARNESS

#define INPUTS     3000u
#define INPUT_SIZE 300u

double bench_harness_checks(void)
{
    struct harness *h = harness_start((1u << WARP_FAMILIES) - 1u);
    const uint64_t before = h->status->checks;
    const double start = bench_now_ns();
    for (uint64_t i = 0; i < INPUTS; i++) {
        uint8_t input[INPUT_SIZE];
        for (size_t at = 0; at < INPUT_SIZE; at += 4) {
            const uint64_t bits = random_mix(i * INPUT_SIZE + at);
            memcpy(input + at, &bits, 4);
        }
        harness_check_input(h, input, sizeof input, NULL);
    }
    return (double)(h->status->checks - before) / (bench_now_ns() - start) * 1e9;
}
#else
double bench_harness_checks(void)
{
    return 0;
}
#endif
