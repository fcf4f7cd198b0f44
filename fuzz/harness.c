/*
 * What a target is told, and what it opens.
 */
#define _GNU_SOURCE /* prctl, pthread_atfork */
#include "fuzz/harness.h"

#include "check/guard.h"
#include "check/plugin.h"
#include "fuzz/derive.h"
#include "fuzz/shapes.h"
#include "warpcheck_fast.h"
#include "warpcheck_spec.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

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

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

/* Every variant that works here. */
static void open_variants(struct harness *h)
{
    struct fast_variant variant;
    h->tested_count = 0;
    for (size_t i = 0; h->tested_count < HARNESS_TESTED_MAX && fast_variant_get(i, &variant); i++)
        if (variant.impl != NULL)
            h->tested[h->tested_count++] = variant.impl;
}

static const struct warp_impl *open_one(const char *spec)
{
    if (strcmp(spec, "fast") == 0)
        return fast_get();
    if (strcmp(spec, "fast-batch") == 0)
        return shapes_get();
    if (strcmp(spec, "spec") == 0)
        return spec_get();
    return strstr(spec, ".so") != NULL ? open_plugin(spec) : open_variant(spec);
}

void harness_open(struct harness *h)
{
    if (strcmp(h->observed_spec, "fast") == 0 && environment("WARPCHECK_FAST", NULL) == NULL) {
        open_variants(h);
    } else {
        h->tested[0] = open_one(h->observed_spec);
        h->tested_count = 1;
    }
    h->observed = h->tested[0];
}

/* A number from the environment, at most `most`. */
static unsigned number(const char *name, const char *otherwise, unsigned most)
{
    const char *text = environment(name, otherwise);
    char *end, why[64];
    unsigned long n = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || n > most) {
        snprintf(why, sizeof why, "give a number from 0 to %u", most);
        refuse(name, why);
    }
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

static struct harness h; /* the target's */

void harness_replays(const char *input)
{
    h.replays = true;
    h.input = input;
}

uint64_t harness_mismatches(void)
{
    return h.status != NULL ? h.status->mismatches : 0;
}

struct harness *harness_start(uint32_t families)
{
    char error[512];
    pthread_atfork(NULL, NULL, end_with_parent);
    if (!h.replays)
        guard_exits_by_signal();
    h.observed_spec = environment("WARPCHECK_FUZZ_IMPL", "fast");
    h.reference = spec_get();
    harness_open(&h);
    h.families = limited_families(families);
    h.derived = number("WARPCHECK_FUZZ_DERIVED", "64", DERIVED_MAX);
    h.signals = number("WARPCHECK_FUZZ_SIGNALS", "0", 1000000);
    h.keep_going = environment("WARPCHECK_FUZZ_KEEP_GOING", NULL) != NULL;
    h.inputs = environment("WARPCHECK_FUZZ_INPUTS", NULL);
    h.program = environment("WARPCHECK_FUZZ_PROGRAM", WARPCHECK_PROGRAM);
    h.status = status_open(environment("WARPCHECK_FUZZ_STATUS", NULL), error, sizeof error);
    if (h.status == NULL)
        refuse("counters", "no memory");
    if (error[0] != '\0')
        refuse("WARPCHECK_FUZZ_STATUS", error);
    return &h;
}
