/*
 * The check of an input: decode, derive, evaluate both, compare.
 */
#define _GNU_SOURCE /* prctl, pthread_atfork */
#include "fuzz/harness.h"

#include "check/plugin.h"
#include "fuzz/derive.h"
#include "fuzz/shapes.h"
#include "warpcheck/bytes.h"
#include "warpcheck/text.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#define BATCH (DERIVED_MAX + 1u)

/* What an implementation does not write must not look right: the same garbage as in a replay. */
#define GARBAGE 0xa5

static void refuse(const char *what, const char *why)
{
    fprintf(stderr, "warpcheck fuzz target: %s: %s\n", what, why);
    exit(2);
}

/* FILE.so or FILE.so:NAME. The plugin stays open until the process ends. */
static const struct warp_impl *open_plugin(const char *spec)
{
    char path[4096], error[512];
    const char *end = strstr(spec, ".so:");
    const struct warp_impl *impl;
    struct plugin *plugin;
    size_t length = end != NULL ? (size_t)(end - spec) + 3 : strlen(spec);
    if (length >= sizeof path)
        refuse("WARPCHECK_FUZZ_IMPL", "the path is too long");
    memcpy(path, spec, length);
    path[length] = '\0';
    plugin = plugin_open(path, error, sizeof error);
    if (plugin == NULL)
        refuse("WARPCHECK_FUZZ_IMPL", error);
    impl = plugin_find(plugin, end != NULL ? end + 4 : NULL);
    if (impl == NULL)
        refuse("WARPCHECK_FUZZ_IMPL", "the plugin has no implementation of that name");
    return impl;
}

static const struct warp_impl *open_variant(const char *name)
{
    struct fast_variant variant;
    for (size_t i = 0; fast_variant_get(i, &variant); i++)
        if (strcmp(variant.name, name) == 0) {
            if (variant.impl == NULL)
                refuse(name, variant.unavailable);
            return variant.impl;
        }
    refuse("WARPCHECK_FUZZ_IMPL", "give fast, fast-VARIANT, fast-batch, spec, FILE.so or FILE.so:NAME");
    return NULL;
}

const struct warp_impl *harness_open(const char *spec)
{
    if (strcmp(spec, "fast") == 0)
        return fast_get();
    if (strcmp(spec, "fast-batch") == 0)
        return shapes_get();
    if (strcmp(spec, "spec") == 0)
        return spec_get();
    return strstr(spec, ".so") != NULL ? open_plugin(spec) : open_variant(spec);
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

static unsigned derived_count(void)
{
    const char *text = environment("WARPCHECK_FUZZ_DERIVED", "64");
    char *end;
    unsigned long n = strtoul(text, &end, 10);
    if (*end != '\0' || n > DERIVED_MAX)
        refuse("WARPCHECK_FUZZ_DERIVED", "give a number from 0 to 64");
    return (unsigned)n;
}

/* The target's families, or those of them that the environment leaves. */
static uint32_t limited_families(uint32_t families)
{
    uint32_t limit = (uint32_t)strtoul(environment("WARPCHECK_FUZZ_FAMILIES", "0"), NULL, 0);
    return (families & limit) != 0 ? families & limit : families;
}

/* AFL++ stops its targets between inputs; one whose fork server has died would stay stopped for ever. */
static void end_with_parent(void)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

struct harness *harness_start(uint32_t families)
{
    static struct harness h;
    char error[512];
    pthread_atfork(NULL, NULL, end_with_parent);
    h.observed_spec = environment("WARPCHECK_FUZZ_IMPL", "fast");
    h.reference = spec_get();
    h.observed = harness_open(h.observed_spec);
    h.families = limited_families(families);
    h.derived = derived_count();
    h.keep_going = environment("WARPCHECK_FUZZ_KEEP_GOING", NULL) != NULL;
    h.findings = environment("WARPCHECK_FUZZ_FINDINGS", "crashes");
    h.pinpoint = environment("WARPCHECK_FUZZ_PINPOINT", NULL);
    h.artifacts = environment("WARPCHECK_FUZZ_ARTIFACTS", NULL);
    h.program = environment("WARPCHECK_FUZZ_PROGRAM", WARPCHECK_PROGRAM);
    h.status = status_open(environment("WARPCHECK_FUZZ_STATUS", NULL), error, sizeof error);
    if (h.status == NULL)
        refuse("counters", "no memory");
    if (error[0] != '\0')
        refuse("WARPCHECK_FUZZ_STATUS", error);
    return &h;
}

static void eval_reference(struct harness *h, const struct warp_case *cases, size_t n, struct warp_result *results)
{
    char error[256] = "";
    if (n > 0 && !h->reference->eval(h->reference->state, cases, n, results, error, sizeof error))
        refuse("the reference could not answer", error);
}

/* Moves the cases that the implementation accepts to the front. Returns how many. */
static size_t keep_accepted(struct harness *h, struct warp_case *cases, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (!warp_impl_accepts(h->observed, &cases[i], NULL, 0))
            continue;
        if (kept != i)
            cases[kept] = cases[i];
        kept++;
    }
    h->status->refused += n - kept;
    return kept;
}

/* The case on the first line, why it was not answered on the second. */
static void pinpoint(struct harness *h, const struct warp_case *c, const char *why)
{
    char line[WARP_TEXT_MAX];
    FILE *file = fopen(h->pinpoint, "w");
    if (file == NULL)
        return;
    warp_case_to_text(c, line, sizeof line);
    fprintf(file, "%s\n%s\n", line, why);
    fclose(file);
}

static bool is_garbage(const struct warp_result *r)
{
    struct warp_result garbage;
    memset(&garbage, GARBAGE, sizeof garbage);
    return memcmp(r, &garbage, sizeof garbage) == 0;
}

/* `results` has room for one more than n, which stays garbage. False when it did not answer, and why in `error`. */
static bool eval_observed(struct harness *h, const struct warp_case *cases, size_t n, struct warp_result *results,
                          char *error, size_t error_size)
{
    const struct warp_impl *impl = h->observed;
    memset(results, GARBAGE, (n + 1) * sizeof *results);
    if (h->pinpoint == NULL)
        return n == 0 || impl->eval(impl->state, cases, n, results, error, error_size);
    for (size_t i = 0; i < n; i++) {
        pinpoint(h, &cases[i], "");
        if (!impl->eval(impl->state, &cases[i], 1, &results[i], error, error_size)) {
            pinpoint(h, &cases[i], error);
            abort();
        }
    }
    return true;
}

void harness_count_case(struct harness *h, const struct warp_case *c, const struct warp_result *r)
{
    static struct coverage_set set;
    coverage_clear(&set);
    coverage_add(&set, c, r);
    coverage_signal(&set);
    h->status->executions++;
    for (unsigned i = 0; i < set.count; i++)
        h->status->hits[set.list[i]]++;
}

void harness_check_input(struct harness *h, const uint8_t *data, size_t size, harness_decode_fn decoded)
{
    static _Alignas(64) struct warp_case cases[BATCH];
    static _Alignas(64) struct warp_result expected[BATCH], observed[BATCH + 1]; /* one more: a guard */
    uint32_t parts = h->reference->provides & h->observed->provides;
    char error[512] = "";
    size_t n;
    if (decoded == NULL || !decoded(data, size, &cases[0]))
        warp_case_from_bytes(data, size, h->families, &cases[0]);
    for (unsigned k = 0; k < h->derived; k++)
        derive_case(&cases[0], k, &cases[k + 1]);
    n = h->derived + 1u;
    if (h->observed->accepts != NULL) { /* what it does not accept has buckets too */
        eval_reference(h, cases, 1, expected);
        harness_count_case(h, &cases[0], &expected[0]);
        n = keep_accepted(h, cases, n);
    }
    eval_reference(h, cases, n, expected);
    if (h->observed->accepts == NULL)
        harness_count_case(h, &cases[0], &expected[0]);
    if (!eval_observed(h, cases, n, observed, error, sizeof error))
        harness_crash(h, data, size, cases, n, error);
    if (!is_garbage(&observed[n]))
        harness_failure(h, "writes-past-its-results", "the implementation writes behind the results that it was given",
                        data, size);
    h->status->checks += n;
    for (size_t i = 0; i < n; i++)
        if (!warp_result_compare(&cases[i], &expected[i], &observed[i], parts, NULL))
            harness_mismatch(h, &cases[i], &observed[i], i > 0 ? &cases[i - 1] : NULL);
}
