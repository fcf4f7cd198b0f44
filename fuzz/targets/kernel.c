/*
 * Property: no launch of a kernel makes an error. The kernels are those of WARPCHECK_FUZZ_KERNEL (FILE.ptx or
 * FILE.ptx:ENTRY); without it, of a small module. They are executed over the transcription.
 *
 * What an engine sees of an execution: which instructions of the kernel were executed, and which kinds of lanes came
 * to its warp instructions and block barriers, or were missing there.
 */
#include "fuzz/harness.h"
#include "kernel/bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct harness *harness;
static struct kernel_set *set;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    struct error error;
    harness = harness_start((1u << WARP_FAMILIES) - 1u);
    set = kernel_set_open(getenv(KERNEL_SET_VARIABLE), harness->reference, &error);
    if (!set) {
        fprintf(stderr, "warpcheck: " KERNEL_SET_VARIABLE ": %s\n", error.text);
        exit(2);
    }
    return 0;
}

/* An empty statement that the compiler must keep apart from all others, so that it has an edge of its own. */
#define EDGE(n)                                                                                                        \
    case (n):                                                                                                          \
        __asm__ volatile("" : : "i"(n));                                                                               \
        break;
#define EDGES4(n)    EDGE(n) EDGE((n) + 1) EDGE((n) + 2) EDGE((n) + 3)
#define EDGES16(n)   EDGES4(n) EDGES4((n) + 4) EDGES4((n) + 8) EDGES4((n) + 12)
#define EDGES64(n)   EDGES16(n) EDGES16((n) + 16) EDGES16((n) + 32) EDGES16((n) + 48)
#define EDGES256(n)  EDGES64(n) EDGES64((n) + 64) EDGES64((n) + 128) EDGES64((n) + 192)
#define EDGES1024(n) EDGES256(n) EDGES256((n) + 256) EDGES256((n) + 512) EDGES256((n) + 768)

#define EDGES_COUNT  2048u

__attribute__((noinline)) static void walk(uint32_t number)
{
    switch (number % EDGES_COUNT) {
        EDGES1024(0)
        EDGES1024(1024)
    default:
        break;
    }
}

static void tell(const struct kernel_entry *e, const struct kernel_input *in, const struct kernel_event *event,
                 const uint8_t *data, size_t size)
{
    static struct kernel_finding found;
    struct kernel_finding_texts texts;
    struct finding f;
    const uint32_t sort[] = {(uint32_t)(e - set->entries), (uint32_t)event->kind, event->at};
    found = (struct kernel_finding){.event = *event, .input = *in};
    if (kernel_finding_make(e->search, &found, set->text, set->size, KERNEL_BYTES_STEPS, &texts, &f))
        harness_found(harness, &f, sort, sizeof sort, data, size, 1);
    kernel_finding_free(&texts);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct kernel_input in;
    static struct kernel_outcome outcome;
    const struct kernel_entry *e = kernel_set_decode(set, data, size, &in);
    harness->status->executions++;
    kernel_forget(e->kernel);
    if (!kernel_execute(e->kernel, &in, KERNEL_BYTES_STEPS, &outcome))
        return 0; /* too large */
    kernel_reached(e->kernel, walk);
    harness->status->checks +=
        (outcome.ending == KERNEL_ENDED || outcome.ending == KERNEL_STOPPED) && (outcome.groups > 0 || !e->has_warp);
    for (uint32_t n = 0; n < outcome.events_count && outcome.ending != KERNEL_TRAPPED; n++)
        if (kernel_is_error(outcome.events[n].kind))
            tell(e, &in, &outcome.events[n], data, size);
    return 0;
}
