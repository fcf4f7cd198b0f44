/*
 * Reads a target's settings from the environment and opens the implementations.
 */
#define _GNU_SOURCE /* prctl, pthread_atfork */
#include "fuzz/harness.h"

#include "check/impl/elf.h"
#include "check/impl/impl.h"
#include "fuzz/derive.h"
#include "fuzz/seeker.h"
#include "warpcheck_fast.h"
#include "base/text.h"
#include "warpcheck_spec.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

static void refuse(const char *what, const char *why)
{
    char line[2048], shown[8192];
    snprintf(line, sizeof line, "%s: %s", what, why);
    fprintf(stderr, "warpcheck fuzz target: %s\n", text_printable(line, strlen(line), shown, sizeof shown));
    exit(2);
}

static const char *environment(const char *name, const char *otherwise)
{
    const char *value = getenv(name);
    return value != NULL && value[0] != '\0' ? value : otherwise;
}

/* Opens every variant that this machine can run. */
static void open_variants(struct harness *h)
{
    struct fast_variant variant;
    h->tested_count = 0;
    for (size_t i = 0; h->tested_count < HARNESS_TESTED_MAX && fast_variant_get(i, &variant); i++)
        if (variant.impl != NULL)
            h->tested[h->tested_count++] = variant.impl;
}

static bool replays; /* harness_replays */

/* It stays open until the process ends. An engine's process is the child already; without one, a plugin has its own. */
static const struct warp_impl *open_one(const char *text)
{
    struct error error;
    struct impl_name name;
    const struct warp_impl *impl = NULL;
    if (impl_name_parse(text, &name, &error) && !impl_kind_can_be_fuzzed(name.kind))
        error_set(&error, ERROR_USAGE, "give " IMPL_FUZZED);
    else
        impl = replays && environment("WARPCHECK_FUZZ_HERE", NULL) == NULL ? impl_open(text, &error)
                                                                           : impl_open_here(text, &error);
    if (impl == NULL)
        refuse("WARPCHECK_FUZZ_IMPL", error.text);
    return impl;
}

void harness_open(struct harness *h)
{
    struct impl_name name;
    if (impl_name_parse(h->observed_spec, &name, NULL) && name.kind == IMPL_FAST_ALL) {
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

static enum mutator_way chosen_way(void)
{
    static const char *const ways[] = {[MUTATOR_OWN] = "own", [MUTATOR_BYTES] = "bytes", [MUTATOR_BOTH] = "both"};
    const char *const text = environment("WARPCHECK_FUZZ_MUTATOR", "own");
    for (unsigned i = 0; i < sizeof ways / sizeof ways[0]; i++)
        if (strcmp(text, ways[i]) == 0)
            return (enum mutator_way)i;
    refuse("WARPCHECK_FUZZ_MUTATOR", "give own, bytes or both");
    return MUTATOR_OWN;
}

/* The families of the target, limited by the environment. */
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

static bool wants_long_calls(const struct harness *of)
{
    const char *const text = environment("WARPCHECK_FUZZ_CALLS", "long");
    struct impl_name name;
    if (strcmp(text, "long") != 0 && strcmp(text, "short") != 0)
        refuse("WARPCHECK_FUZZ_CALLS", "give long or short");
    return text[0] == 'l' && impl_name_parse(of->observed_spec, &name, NULL) && name.kind == IMPL_PLUGIN;
}

/* A plugin that was compiled for coverage is watched; the constants of its file are for the mutator. */
static void listen(struct harness *of)
{
    struct feedback *const to = &of->status->feedback;
    struct impl_name name;
    const struct warp_impl *inner = NULL;
    if (!impl_name_parse(of->observed_spec, &name, NULL) || name.kind != IMPL_PLUGIN)
        return;
    to->words_count = (uint32_t)elf_words(name.path, to->words, FEEDBACK_WORDS);
    (void)impl_batch(of->tested[0], &inner);
    of->watched = inner != NULL && inner != of->tested[0] && elf_is_traced(name.path);
    if (!of->watched)
        return;
    feedback_complete(inner);
    feedback_watch(inner, to);
}

static struct harness h; /* the target's */

void harness_replays(const char *input)
{
    h.replays = replays = true;
    h.input = input;
}

uint64_t harness_mismatches(void)
{
    return h.status != NULL ? h.status->mismatches : 0;
}

/* Restores default handlers: an engine keeps the input of a crash only when nobody else handles the signal. */
static void leave_crashes_to_the_engine(void)
{
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; i++)
        signal(crashes[i], SIG_DFL);
}

struct harness *harness_start(uint32_t families)
{
    struct error error;
    pthread_atfork(NULL, NULL, end_with_parent);
    h.observed_spec = environment("WARPCHECK_FUZZ_IMPL", "fast-all");
    h.reference = spec_get();
    harness_open(&h);
    if (!h.replays)
        leave_crashes_to_the_engine();
    h.families = limited_families(families);
    h.derived = number("WARPCHECK_FUZZ_DERIVED", "64", DERIVED_MAX);
    h.signals = number("WARPCHECK_FUZZ_SIGNALS", "0", 1000000);
    h.way = chosen_way();
    h.long_calls = wants_long_calls(&h);
    h.keep_going = environment("WARPCHECK_FUZZ_KEEP_GOING", NULL) != NULL;
    h.inputs = environment("WARPCHECK_FUZZ_INPUTS", NULL);
    h.program = environment("WARPCHECK_FUZZ_PROGRAM", WARPCHECK_PROGRAM);
    h.attended = environment("WARPCHECK_FUZZ_STATUS", NULL) != NULL;
    h.seeks = environment(SEEKER_VARIABLE, NULL) != NULL;
    h.status = h.seeks ? status_at(STDOUT_FILENO) : status_open(environment("WARPCHECK_FUZZ_STATUS", NULL), &error);
    if (h.status == NULL)
        refuse("counters", "no memory");
    if (error.code != ERROR_NONE)
        refuse("WARPCHECK_FUZZ_STATUS", error.text);
    feedback_start();
    listen(&h);
    return &h;
}
